"""Panels of simulating, results, sweeps and the film, after a short run and a small sweep."""

import bpy
import drive
import panel_pictures
from drive import in_window, until
from scene_state import add_man, look


def tell() -> drive.Story:
    """Run, pictures, sweep, pictures."""
    yield from panel_pictures.open_tab()
    add_man()
    runs = bpy.context.scene.mannequin.runs
    runs.folder = "/tmp/runs"
    yield from run()
    yield from panel_pictures.take(panel_pictures.AFTER_A_RUN)
    yield from sweep()
    yield from panel_pictures.take(panel_pictures.AFTER_A_SWEEP)


def run() -> drive.Story:
    """A fall of a second and a half."""
    scene = bpy.context.scene
    runs, results = scene.mannequin.runs, scene.mannequin.results
    scene.mannequin.settings.duration = 1.5
    with in_window():
        bpy.ops.mannequin.set_velocity(velocity=(1.5, 0.0, 0.0))
        bpy.ops.mannequin.simulate("INVOKE_DEFAULT")
    yield from until(lambda: bool(results.run), "the run", drive.PATIENCE_COMPILING)
    yield from until(lambda: runs.activity == "", "the simulation to end")
    scene.frame_set(scene.frame_start + 20)
    look(from_the_side=True)


def sweep() -> drive.Story:
    """Four runs over a range of friction."""
    group, runs = bpy.context.scene.mannequin.sweep, bpy.context.scene.mannequin.runs
    bpy.context.scene.mannequin.settings.duration = 0.4
    with in_window():
        bpy.ops.mannequin.restore_start()
        bpy.ops.mannequin.edit_list(list="sweep_inputs", action="ADD")
    group.inputs[0].address, group.inputs[0].low, group.inputs[0].high = "settings.friction", 0.3, 0.7
    group.runs = 4
    with in_window():
        bpy.ops.mannequin.run_sweep("INVOKE_DEFAULT")
    yield from until(lambda: runs.activity != "", "the sweep to begin")
    yield from until(lambda: bool(group.folder), "the sweep", drive.PATIENCE_COMPILING)
    yield from until(lambda: runs.activity == "", "the sweep to end")
