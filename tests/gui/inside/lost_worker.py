"""The simulation process killed in the middle of a run: once, a new one takes over; twice, Blender asks."""

import os
import signal
import sys

import bpy
import drive
from drive import expect, in_window, press, shot, until
from scene_state import add_man, clear_scene


def tell() -> drive.Story:
    """Kill two processes and say no; kill two more and say yes; Esc ends the run inside Blender."""
    runs, results = bpy.context.scene.mannequin.runs, bpy.context.scene.mannequin.results
    runs.folder = "/tmp/runs"
    clear_scene()
    add_man()
    bpy.context.scene.mannequin.settings.duration = 120.0
    yield from lose_two()
    yield from shot("asked")
    yield from press("Escape")
    yield from drive.redrawn()
    expect(runs.activity == "" and not results.run, "something was computed without consent")
    yield from lose_two()
    yield from press("Return")
    yield from until(lambda: "inside Blender" in runs.activity, "the run inside Blender")
    yield from press("Escape")
    yield from until(lambda: runs.activity == "", "Esc to end the simulation", drive.PATIENCE_COMPILING)
    expect(not results.run, "a cancelled run has results")


def lose_two() -> drive.Story:
    """Begin a run, and kill the process that makes it, and the one that is started for it again."""
    activity = bpy.context.scene.mannequin.runs
    with in_window():
        bpy.ops.mannequin.simulate("INVOKE_DEFAULT")
    lost = [0]
    for _ in range(2):
        yield from until(
            lambda: "Simulating" in activity.activity and process() not in lost,
            "a process that simulates",
            drive.PATIENCE_COMPILING,
        )
        lost.append(process())
        os.kill(lost[-1], signal.SIGKILL)
    yield from until(lambda: activity.activity == "", "the run to be given up")
    yield from drive.redrawn()


def process() -> int:
    """Number of the simulation process; 0 where there is none."""
    engine = next(module for name, module in sys.modules.items() if name.endswith(".mannequin.jobs.engine"))
    return engine._kept.child.id if engine._kept is not None else 0
