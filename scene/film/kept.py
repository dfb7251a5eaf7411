"""Settings of a scene as they were before a render: all that presets and film output change, put back afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager

import bpy

SIMPLE = {"BOOLEAN", "INT", "FLOAT", "STRING", "ENUM"}


@contextmanager
def kept_settings(scene: bpy.types.Scene) -> Iterator[None]:
    """Context after which frame, camera, output and every setting of render, colours and engines are as before."""
    frame, part, camera = scene.frame_current, scene.frame_subframe, scene.camera
    before = [(owner, values_of(owner)) for owner in owners_of(scene)]
    try:
        yield
    finally:
        for _ in range(2):  # what an engine or a kind of file does not offer can be set once that is back
            for owner, values in before:
                put_back(owner, values)
        scene.camera = camera
        scene.frame_set(frame, subframe=part)


def owners_of(scene: bpy.types.Scene) -> list[bpy.types.bpy_struct]:
    """The groups of settings that a film has to do with; the kind of output before what depends on it."""
    render = scene.render
    groups = [render, render.image_settings, render.ffmpeg, scene.view_settings, scene.display_settings]
    groups += [scene.display, scene.display.shading, scene.eevee, getattr(scene, "cycles", None)]
    return [group for group in groups if group is not None]


def values_of(owner: bpy.types.bpy_struct) -> dict[str, object]:
    """Simple settings of a group that can be written."""
    kept = {}
    for prop in owner.bl_rna.properties:
        if prop.is_readonly or prop.type not in SIMPLE or prop.identifier == "rna_type":
            continue
        value = getattr(owner, prop.identifier)
        kept[prop.identifier] = tuple(value) if getattr(prop, "is_array", False) else value
    return kept


def put_back(owner: bpy.types.bpy_struct, values: dict[str, object]) -> None:
    """Write settings that differ from what they were."""
    for name, value in values.items():
        now = getattr(owner, name)
        if (tuple(now) if isinstance(value, tuple) else now) != value:
            try:
                setattr(owner, name, value)
            except TypeError:  # not offered with the engine or the kind of file of this moment
                continue
