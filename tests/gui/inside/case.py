"""Work from the case in a window: an example by its button, its pictures, an asset that becomes an actor."""

import bpy
import drive
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
    """What a drop from the asset browser leaves becomes an actor by itself, and one undo takes it back."""
    before = {actor.name for actor in actors()}
    count = len(before)
    marker = module("scene.assets.markers").new_marker("vehicle_saloon")
    marker.location.x = 6.0
    with in_window():
        bpy.context.scene.collection.objects.link(marker)
        bpy.ops.ed.undo_push(message="drop")
    yield from until(lambda: len(actors()) == count + 1, "the asset does not become an actor")
    (dropped,) = [actor for actor in actors() if actor.name not in before]
    expect(abs(dropped.location.x - 6.0) < 1e-3, f"it is not where it was dropped: {dropped.location[:]}")
    yield from shot("case-4-asset")
    with in_window():
        bpy.ops.ed.undo()
    yield from until(lambda: len(actors()) == count, "undo does not take the actor back")
