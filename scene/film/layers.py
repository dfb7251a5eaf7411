"""The overlay over pictures that blur: depth of field and motion blur are of what is filmed, not of the words on it.

The picture is rendered without the overlay, the overlay by itself on a clear ground, and one laid over the other.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy
from PIL import Image

from ..base.blender_version import set_picture_output
from ..base.errors import SceneError
from ..base.frames import active_scene, show_frame
from .overlay import overlay_of
from .presets import apply_render_preset


def is_apart(scene: bpy.types.Scene) -> bool:
    """Whether the overlay of a scene has to be rendered by itself."""
    blurs = scene.render.use_motion_blur or (scene.camera is not None and scene.camera.data.dof.use_dof)
    return blurs and scene.render.engine != "BLENDER_WORKBENCH" and overlay_of(scene) is not None


@contextmanager
def without_overlay(scene: bpy.types.Scene) -> Iterator[None]:
    """Context in which the overlay, where there is one, is not rendered."""
    overlay = overlay_of(scene)
    if overlay is None:
        yield
        return
    overlay.hide_render = True
    try:
        yield
    finally:
        overlay.hide_render = False


def lay_overlay(scene: bpy.types.Scene, frame: float, picture: Path) -> None:
    """Lay the overlay of a frame over its picture."""
    if picture.suffix != ".png":
        raise SceneError(
            "OpenEXR pictures with depth of field or motion blur have no overlay: switch the overlay off"
        )
    words = picture.with_name(f"overlay_{picture.name}")
    render_overlay(scene, frame, words)
    with Image.open(picture) as below, Image.open(words) as above:
        has_alpha = below.mode == "RGBA"
        mixed = Image.alpha_composite(below.convert("RGBA"), above.convert("RGBA"))
    words.unlink()
    put_picture(mixed.convert("RGBA" if has_alpha else "RGB"), picture)


def put_picture(image: Image.Image, path: Path) -> None:
    """Write a picture in place of another, whole or not at all."""
    partial = path.with_name(f"partial_{path.name}")
    image.save(partial)
    os.replace(partial, path)


def render_overlay(scene: bpy.types.Scene, frame: float, path: Path) -> None:
    """Render the overlay alone, clear where nothing is drawn."""
    alone = bpy.data.scenes.new("Film Overlay Alone")
    try:
        for obj in (overlay_of(scene), scene.camera):
            alone.collection.objects.link(obj)
        alone.camera = scene.camera
        render = alone.render
        render.resolution_x, render.resolution_y = scene.render.resolution_x, scene.render.resolution_y
        render.resolution_percentage = 100
        apply_render_preset(alone, "draft")
        alone.display.shading.show_cavity = False
        render.film_transparent = True
        set_picture_output(render, has_alpha=True)
        render.filepath = str(path.with_suffix(""))
        with active_scene(alone):  # a still is rendered at the frame of the window's scene
            show_frame(alone, frame)
            bpy.ops.render.render(write_still=True, scene=alone.name)
    finally:
        bpy.data.scenes.remove(alone)
