"""A saved file plays the same where neither the extension nor its libraries are installed."""

import json
from pathlib import Path

import pytest
from blender_process import run_in_blender

POSES = """
import json
import bpy


def poses():
    scene, found = bpy.context.scene, {}
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        for obj in scene.objects:
            seen = obj.evaluated_get(graph)
            hidden = obj.hide_viewport  # Blender does not place what it does not show
            found[f"{frame} {obj.name}"] = hidden or [x for row in seen.matrix_world for x in row]
            for bone in seen.pose.bones if seen.pose else ():
                found[f"{frame} {obj.name} {bone.name}"] = [x for row in bone.matrix for x in row]
    return found
"""

MAKE = """
import mannequin
mannequin.register()
from mannequin.engine.spec import Obstacle
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path
from mannequin.scene.scenario.scenario import build_scenario

bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
scene = bpy.context.scene
scenario = read_scenario(scenario_path("fall_standing"))
scenario.settings.duration = 0.4
scenario.actors[0].velocity = (0.5, 0.0, -3.0)
scenario.obstacles.append(
    Obstacle("cart", "box", (3.0, 0.0, 0.5), half_size=(0.5, 0.5, 0.5), motion=((0.0, 0, 0, 0), (0.4, 1.0, 0, 0)))
)
build_scenario(scenario, scene)
scene.mannequin.runs.folder = FOLDER + "/runs"
scene.mannequin.bake.slowness = 4.0
bpy.ops.mannequin.simulate()
for kind in ("forces", "paths", "ghosts", "marks"):
    bpy.ops.mannequin.toggle_trace(kind=kind)
bpy.ops.wm.save_as_mainfile(filepath=FOLDER + "/film.blend")
open(FOLDER + "/here.json", "w").write(json.dumps(poses()))
"""

PLAY = """
import importlib.util
assert importlib.util.find_spec("mannequin") is None and importlib.util.find_spec("numba") is None
bpy.ops.wm.open_mainfile(filepath=FOLDER + "/film.blend")
assert not hasattr(bpy.types.Scene, "mannequin")
open(FOLDER + "/elsewhere.json", "w").write(json.dumps(poses()))
"""


@pytest.mark.long
def test_a_saved_file_plays_the_same_without_the_extension(tmp_path: Path, bare_python: Path) -> None:
    folder = f"FOLDER = {str(tmp_path)!r}\n"
    run_in_blender(folder + POSES + MAKE, tmp_path)
    run_in_blender(folder + POSES + PLAY, tmp_path, python=bare_python)
    here, elsewhere = (json.loads((tmp_path / f"{name}.json").read_text()) for name in ("here", "elsewhere"))
    assert here.keys() == elsewhere.keys() and len(here) > 1000
    for name, values in here.items():
        assert values == elsewhere[name], name
    moved = {name.split(" ", 1)[1] for name in here if here[name] != here.get(f"1 {name.split(' ', 1)[1]}")}
    assert (
        "cart" in moved
        and any("force" in name for name in moved)
        and any(name.endswith("head") for name in moved)
    )
