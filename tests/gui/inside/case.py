"""Work from the case in a window: an example by its button, its pictures, an asset that becomes an actor."""

import math

import bpy
import drive
from bpy_extras.view3d_utils import location_3d_to_region_2d
from drive import expect, in_window, shot, until
from panel_pictures import open_tab
from scene_state import actors, clear_scene, look


def module(name: str) -> object:
    """A module of the extension, under whatever name Blender enabled it."""
    import importlib

    package = next(key for key in bpy.context.preferences.addons.keys() if key.endswith(".mannequin"))
    return importlib.import_module(f"{package}.{name}")


def tell() -> drive.Story:
    """Open an example, drop an asset, look at the check-list."""
    clear_scene()
    yield from open_tab()
    yield from shot("case-1-empty")
    yield from drive.click_button("mannequin.open_example")
    yield from drive.redrawn()
    yield from shot("case-2-pictures")
    yield from drive.press("Return")
    yield from until(lambda: bool(actors()), "the example is not opened")
    examples = module("scene.scenario.examples")
    expect(all(examples.example_icon(name) > 0 for name in examples.list_examples()), "a picture is missing")
    look()
    yield from shot("case-3-example")
    yield from drop_an_asset()


def drop_an_asset() -> drive.Story:
    """A real drag from the asset browser: what is dropped becomes an actor that is ready to simulate, where it was
    dropped, and one undo takes it back."""
    old = {actor.name for actor in actors()}
    with in_window():
        bpy.ops.mannequin.make_asset_library()
    tile = yield from open_asset_browser()
    _, area = drive.viewport()
    region = drive.region_of(area, "WINDOW")
    place = (region.width // 4, region.height // 4)
    yield from drive.drag(tile, drive.on_screen(region, *place))
    yield from until(lambda: len(actors()) > len(old), "what was dropped to become an actor")
    (dropped,) = [actor for actor in actors() if actor.name not in old]
    floor = dropped.location.copy()
    floor.z = 0.0
    off = math.dist(location_3d_to_region_2d(region, area.spaces.active.region_3d, floor), place)
    expect(off < 3.0, f"it is {off:.0f} pixels from where it was dropped")
    expect_ready(dropped)
    yield from shot("case-4-asset")
    yield from drive.press("ctrl+z")
    yield from until(lambda: len(actors()) == len(old), "undo to take the actor back")
    again = yield from drive.soon(lambda: len(actors()) > len(old), 1.0)
    left = [marker.name for marker in module("scene.assets.markers").markers_of(bpy.context.scene)]
    expect(not again and not left, f"after the undo there is still {left or 'the actor'}")


def expect_ready(actor: bpy.types.Object) -> None:
    """An actor takes part in a scenario in which nothing is wrong."""
    scenario = module("scene.scenario.scenario").read_scenario(bpy.context.scene)
    wrong = [issue for issue in module("engine").validate(scenario) if issue.severity == "error"]
    expect(not wrong and actor.mannequin.actor.enabled, f"{actor.name} cannot be simulated: {wrong}")


def open_asset_browser() -> drive.Story:
    """Turn the lower part of the viewport into an asset browser of the library, and click its first asset once it is
    there; returns the pixel of it on the screen."""
    window, _ = drive.viewport()
    with in_window():
        bpy.ops.screen.area_split(direction="HORIZONTAL", factor=0.4)
    yield from drive.handled()
    browser = min((area for area in window.screen.areas if area.type == "VIEW_3D"), key=lambda area: area.y)
    browser.ui_type = "ASSETS"
    yield from until(lambda: browser.spaces.active.params is not None, "an asset browser")
    browser.spaces.active.params.asset_library_reference = "Mannequin"
    region = drive.region_of(browser, "WINDOW")
    tile = drive.on_screen(region, 60, region.height - 60)
    chosen = None
    while chosen is None:
        yield from drive.xdotool("mousemove", *tile, "click", 1)
        yield from drive.redrawn()
        with bpy.context.temp_override(window=window, area=browser, region=region):
            chosen = bpy.context.asset
    return tile
