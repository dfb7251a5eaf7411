"""Markers: what an asset is in the asset browser and for a moment after it is dropped, before it becomes an actor."""

from collections.abc import Callable

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


@persistent
def note_undo(scene: bpy.types.Scene, *ignored: object) -> None:
    """Called after an undo: where it leads to the moment of a marker, go on to before the drop."""
    _pass_over(scene, undo_once_more)


@persistent
def note_redo(scene: bpy.types.Scene, *ignored: object) -> None:
    """Called after a redo: where it leads to the moment of a marker, go on to its actor."""
    _pass_over(scene, redo_once_more)


def _pass_over(scene: bpy.types.Scene, step: Callable[[], None]) -> None:
    """Take one more step of undo or redo as soon as the one under way has ended."""
    if markers_of(scene) and not bpy.app.timers.is_registered(step):
        bpy.app.timers.register(step, first_interval=0.0)


def undo_once_more() -> None:
    """Undo the drop itself, so that one undo takes back the actor and its marker."""
    _step(bpy.ops.ed.undo)


def redo_once_more() -> None:
    """Redo the making of the actor."""
    _step(bpy.ops.ed.redo)


def _step(operator: Callable[[], object]) -> None:
    """Undo or redo in the first window, where there is something to undo or redo."""
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
        if operator.poll():
            operator()


HANDLERS = {
    "depsgraph_update_post": note_drops,
    "undo_post": note_undo,
    "redo_post": note_redo,
}
TIMERS = (place_dropped, undo_once_more, redo_once_more)


def register() -> None:
    """Watch for drops."""
    for name, handler in HANDLERS.items():
        getattr(bpy.app.handlers, name).append(handler)


def unregister() -> None:
    """Watch no more."""
    for name, handler in HANDLERS.items():
        getattr(bpy.app.handlers, name).remove(handler)
    for timer in TIMERS:
        if bpy.app.timers.is_registered(timer):
            bpy.app.timers.unregister(timer)
