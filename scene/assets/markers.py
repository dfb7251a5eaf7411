"""Markers: what an asset is in the asset browser and for a moment after it is dropped, before it becomes an actor."""

from __future__ import annotations

import bpy
from bpy.app.handlers import persistent
from mathutils import Vector

from .catalogue import ASSETS, Asset

KEY = "mannequin_asset"
"""Custom property of a marker: the name of its asset."""
PAUSE = 0.05
"""Seconds between a drop and its actor, in which Blender finishes the drop."""


def new_marker(name: str) -> bpy.types.Object:
    """A marker of an asset, in no scene."""
    obj = bpy.data.objects.new(ASSETS[name].label, None)
    obj.empty_display_type, obj.empty_display_size = "ARROWS", 0.5
    obj[KEY] = name
    return obj


def is_marker(thing: object) -> bool:
    """Whether something is a marker of an asset that there is; one of a newer version stays as it is."""
    return isinstance(thing, bpy.types.Object) and thing.type == "EMPTY" and thing.get(KEY) in ASSETS


def markers_of(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Markers that were dropped into a scene."""
    return [obj for obj in scene.objects if is_marker(obj)]


def take_marker(marker: bpy.types.Object) -> tuple[Asset, Vector]:
    """Remove a marker; returns its asset and where it stood, in Blender units."""
    asset, place = ASSETS[marker[KEY]], marker.matrix_world.translation.copy()
    bpy.data.objects.remove(marker)
    return asset, place


@persistent
def note_drops(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Called after every update: where a marker has come into the scene, its actor is made soon."""
    if any(
        is_marker(update.id.original) for update in depsgraph.updates
    ) and not bpy.app.timers.is_registered(place_dropped):
        bpy.app.timers.register(place_dropped, first_interval=PAUSE)


def place_dropped() -> None:
    """Make the actors of the markers, as one step of undo."""
    window = bpy.context.window_manager.windows[0]
    with bpy.context.temp_override(window=window):
        if markers_of(window.scene):
            bpy.ops.mannequin.place_assets("EXEC_DEFAULT", True)


def register() -> None:
    """Watch for drops."""
    bpy.app.handlers.depsgraph_update_post.append(note_drops)


def unregister() -> None:
    """Watch no more."""
    bpy.app.handlers.depsgraph_update_post.remove(note_drops)
    if bpy.app.timers.is_registered(place_dropped):
        bpy.app.timers.unregister(place_dropped)
