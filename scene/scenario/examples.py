"""Examples: the shipped scenarios with their pictures and words, opened in the scene."""

import json
from functools import lru_cache
from pathlib import Path

import bpy

from ...models.library import SCENARIO_FOLDER, list_scenarios, scenario_path
from ..base.errors import SceneError
from ..base.picture_stores import PREVIEWS, picture_store
from .files import import_scenario
from .marks import KEY as MARK

PICTURE_FOLDER = SCENARIO_FOLDER / "pictures"
"""Small stills of the scenarios, by tools/scenario_stills.py."""
FIRST = (
    "fall_standing",
    "slip",
    "trip",
    "stairs_fall",
    "ladder_fall",
    "car_pedestrian",
    "car_bicycle",
    "rugby_tackle",
    "seated_crash",
)
"""Examples that a beginner looks for; the others follow by name."""

register, unregister = picture_store("examples")


@lru_cache(maxsize=1)
def list_examples() -> dict[str, str]:
    """Name of every shipped scenario to its description."""
    names = [path.stem for path in list_scenarios()]
    ordered = [*FIRST, *(name for name in names if name not in FIRST)]
    return {name: json.loads(scenario_path(name).read_text())["description"] for name in ordered}


def title_of(name: str) -> str:
    """What menus call an example."""
    return name.replace("_", " ").title()


def picture_path(name: str) -> Path:
    """File of an example's picture."""
    return PICTURE_FOLDER / f"{name}.jpg"


def example_icon(name: str) -> int:
    """Icon number of an example's picture; 0 in background mode, which has no icons."""
    if bpy.app.background:
        return 0
    store = PREVIEWS["examples"]
    if name not in store:
        store.load(name, str(picture_path(name)), "IMAGE")
    return store[name].icon_id


def open_example(name: str, window: bpy.types.Window) -> tuple[bpy.types.Scene, list[str]]:
    """Open an example in the window's scene, or, where that has anything of Mannequin, in a new scene of its own.

    Returns the scene, and what could not be shown."""
    scene = window.scene
    if any(obj.mannequin.kind != "NONE" or MARK in obj for obj in scene.objects):
        scene = bpy.data.scenes.new(title_of(name))
        window.scene = scene
    warnings: list[str] = []
    import_scenario(str(scenario_path(name)), scene, replace=False, warnings=warnings)
    return scene, warnings


def has_changes() -> bool:
    """Whether changes would be lost with the file; in background mode, where Blender always says so, nobody's."""
    return bpy.data.is_dirty and not bpy.app.background


def open_in_new_file(name: str) -> list[str]:
    """Begin a new file and open an example in it; refused while the present file has changes that are not saved."""
    if has_changes():
        raise SceneError(
            "this file has changes that are not saved: save it first, or use Add > Mannequin > Example, "
            "which leaves it as it is"
        )
    bpy.ops.wm.read_homefile(use_empty=True)
    return open_example(name, bpy.context.window)[1]
