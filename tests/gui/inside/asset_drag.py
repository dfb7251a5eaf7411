"""An asset dragged from the asset browser into the viewport by real events becomes an actor; undo takes it back."""

import bpy
import drive
from case import module
from drive import SEEN, expect, in_window, shot, until
from scene_state import actors, clear_scene, look

ASSET = "Saloon"
TRIES = 8
"""Drags at most: the browser loads its library beside Blender and tells nobody when it has."""
TILE = (60, 60)
"""Pixels from the left and upper edge of the browser to the first picture."""


def tell() -> drive.Story:
    """Write the library, show it in place of the properties, search, drag."""
    clear_scene()
    look()
    with in_window():
        bpy.ops.mannequin.make_asset_library()
    area = next(a for a in drive.viewport()[0].screen.areas if a.type == "PROPERTIES")
    area.ui_type = "ASSETS"
    space = area.spaces.active
    yield from until(lambda: space.params is not None, "the asset browser")
    space.params.asset_library_reference = module("scene.assets.library").NAME
    space.params.filter_search = ASSET
    space.show_region_toolbar = False
    yield from drive.redrawn()
    yield from shot("assets-1-browser")
    yield from drag_in(area)
    yield from shot("assets-2-dropped")
    with in_window():
        bpy.ops.ed.undo()
    yield from until(lambda: not actors(), "undo to take the actor back")


def drag_in(area: bpy.types.Area) -> drive.Story:
    """Drag the first picture of the browser to the middle of the viewport, until it is there."""
    browser = drive.region_of(area, "WINDOW")
    ground = drive.region_of(drive.viewport()[1], "WINDOW")
    begin = drive.on_screen(browser, TILE[0], browser.height - TILE[1])
    end = drive.on_screen(ground, ground.width // 2, ground.height // 3)
    for _ in range(TRIES):
        yield from drive.drag(begin, end)
        if (yield from drive.soon(lambda: bool(actors()), 5.0)):
            break
    expect(actors(), "the asset that is dragged does not become an actor")
    (actor,) = actors()
    SEEN["dragged"] = actor.name
    SEEN["stands at"] = [round(value, 2) for value in actor.location]
    expect(actor.data.mannequin.name.startswith("saloon"), f"it is {actor.data.mannequin.name}")
    expect(actor.location.xy.length > 0.5, "it is not where it was dropped")
