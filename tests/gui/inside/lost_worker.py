"""The simulation process killed in the middle of a run: once, a new one takes over; twice, Blender asks."""

import os
import signal
import sys
from types import ModuleType

import bpy
import drive
import panel_pictures
from drive import SEEN, expect, shot, until, xdotool
from scene_state import add_man

SHOWN = ["question"]
"""Grows by one whenever the question is drawn."""
INSIDE: list[object] = []
"""Simulations that were begun inside Blender."""


def tell() -> drive.Story:
    """Kill two processes and press Enter, which is no; kill two more and say yes; Esc ends the run inside Blender."""
    runs, results = bpy.context.scene.mannequin.runs, bpy.context.scene.mannequin.results
    runs.folder = "/tmp/runs"
    yield from panel_pictures.open_tab()
    add_man()
    bpy.context.scene.mannequin.settings.duration = 120.0
    watch()
    yield from lose_two()
    yield from shot("lost-asked")
    yield from xdotool("key", "Return")
    yield from drive.redrawn()
    expect(runs.activity == "" and not results.run and not INSIDE, "something was computed without consent")
    yield from shot("lost-refused")
    yield from lose_two()  # begun with a click, which a question that is still open would take
    expect(not INSIDE, "something was computed without consent")
    yield from xdotool("key", "s")  # the letter that is underlined in the button of consent
    yield from until(
        lambda: "inside Blender" in runs.activity, "the run inside Blender", drive.PATIENCE_COMPILING
    )
    yield from until(lambda: runs.progress > 0.0, "its progress", drive.PATIENCE_COMPILING)
    expect(len(INSIDE) == 1, f"{len(INSIDE)} runs were begun inside Blender, one was asked for")
    yield from drive.press("Escape")
    yield from until(lambda: runs.activity == "", "Esc to end the simulation", drive.PATIENCE_COMPILING)
    expect(not results.run, "a cancelled run has results")


def lose_two() -> drive.Story:
    """Begin a run, kill the process that makes it and the one that is started for it again; Blender asks."""
    runs = bpy.context.scene.mannequin.runs
    yield from drive.click_button("mannequin.simulate")
    yield from drive.point_at_viewport()  # where the question will be
    lost, shown = [0], len(SHOWN)
    for _ in range(2):
        yield from until(
            lambda: "Simulating" in runs.activity and process() not in lost,
            "a process that simulates",
            drive.PATIENCE_COMPILING,
        )
        lost.append(process())
        os.kill(lost[-1], signal.SIGKILL)
    yield from until(lambda: runs.activity == "", "the run to be given up")
    yield from until(lambda: len(SHOWN) > shown, "the question")
    yield from drive.redrawn()
    SEEN["processes killed"] = SEEN.get("processes killed", 0) + 2


def watch() -> None:
    """Count how often the question is drawn, and simulations inside Blender."""
    question, simulate = bpy.types.MANNEQUIN_OT_simulate_inside, ours("scene.run.simulate")
    draw, local = question.draw, simulate.LocalJob

    def drawn(self: object, context: bpy.types.Context) -> None:
        SHOWN.append(self.reason)
        draw(self, context)

    def begun(*arguments: object, **options: object) -> object:
        INSIDE.append(local(*arguments, **options))
        return INSIDE[-1]

    question.draw, simulate.LocalJob = drawn, begun


def ours(name: str) -> ModuleType:
    """A module of the extension, whose package has the name that Blender gave it."""
    return next(module for full, module in sys.modules.items() if full.endswith(f".mannequin.{name}"))


def process() -> int:
    """Number of the simulation process; 0 where there is none."""
    kept = ours("jobs.engine")._kept
    return kept.child.id if kept is not None else 0
