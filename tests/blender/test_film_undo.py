"""Undo and redo of what simulates, bakes and shows results, in a process of its own with a real run."""

from pathlib import Path

import pytest
from blender_process import run_in_blender

CODE = """
import bpy, mannequin
mannequin.register()
from mannequin.engine.runs.warmup import smallest_scenario
from mannequin.scene.store.actors import actors_of
from mannequin.scene.motion.edited import curves_digest
from mannequin.scene.scenario.scenario import build_scenario

ops = bpy.ops.mannequin
STEPS = {
    "simulate": "ops.simulate()",
    "simulate again": "ops.simulate()",
    "bake": "ops.bake()",
    "play_run": "ops.play_run(action=sorted(a.name for a in bpy.data.actions)[0])",
    "forces": "ops.toggle_trace(kind='forces')",
    "paths": "ops.toggle_trace(kind='paths')",
    "ghosts": "ops.toggle_trace(kind='ghosts')",
    "marks": "ops.toggle_trace(kind='marks')",
    "bake with traces": "ops.bake()",
    "no marks": "ops.toggle_trace(kind='marks')",
    "show_plot": "ops.show_plot(plot='energy')",
    "restore_start": "ops.restore_start()",
    "open_run": "ops.open_run(filepath=bpy.context.scene.mannequin.results.folder + '/manifest.json')",
}


def state():
    scene, found = bpy.context.scene, {}
    for kind in ("objects", "actions", "collections", "images", "meshes", "curves"):
        found[kind] = sorted(block.name for block in getattr(bpy.data, kind))
    found["curves"] = [(a.name, curves_digest(a)) for a in sorted(bpy.data.actions, key=lambda a: a.name)]
    found["playing"] = [
        (o.name, o.animation_data.action.name) for o in scene.objects if o.animation_data and o.animation_data.action
    ]
    results = scene.mannequin.results
    found["results"] = (results.run, len(results.measures), len(results.contacts))
    found["bones"] = [[round(x, 5) for row in b.matrix for x in row] for a in actors_of(scene) for b in a.pose.bones]
    return found


bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
scene = bpy.context.scene
scenario = smallest_scenario()
scenario.actors[0].position, scenario.actors[0].velocity = (0.0, 0.0, 0.12), (1.0, 0.0, -2.0)
scenario.settings.duration, scenario.settings.output_step = 0.1, 0.001
build_scenario(scenario, scene)
scene.mannequin.runs.folder, scene.mannequin.traces.mark_force = RUNS, 0.0
bpy.context.view_layer.objects.active = actors_of(scene)[0]
for name, step in STEPS.items():
    bpy.ops.ed.undo_push(message="before")
    before = state()
    assert eval(step) == {"FINISHED"}, name
    bpy.ops.ed.undo_push(message="after")
    after = state()
    assert after != before, name
    bpy.ops.ed.undo()
    assert state() == before, (name, [k for k in before if before[k] != state()[k]])
    bpy.ops.ed.redo()
    assert state() == after, (name, [k for k in after if after[k] != state()[k]])
print("undone", len(STEPS))
"""


@pytest.mark.long
def test_undo_and_redo_of_runs_and_what_is_shown_of_them(tmp_path: Path) -> None:
    code = f"RUNS = {str(tmp_path / 'runs')!r}\n" + CODE
    assert "undone 13" in run_in_blender(code, tmp_path)
