"""What-if in a window: from a change to the picture, while dragging, after undo, and the figure at a moment.

Times are printed, and judged against the load of the machine only: 0.2 s is meant for two free cores.
"""

import statistics

import bpy
import drive
from case import module
from drive import SEEN, expect, in_window, shot, until
from panel_pictures import open_tab
from scene_state import actors, clear_scene, look

CHANGES = 8


def tell() -> drive.Story:
    """Switch on, change, drag, undo, slide."""
    clear_scene()
    yield from open_tab()
    with in_window():
        bpy.ops.mannequin.open_example(example="fall_standing")
    bpy.context.scene.mannequin.settings.duration = 1.0
    look(from_the_side=True, distance=1.2)
    what_if = module("scene.run.what_if")
    with in_window():
        bpy.ops.mannequin.what_if()
    yield from until(lambda: bool(what_if.current().prediction.paths), "a preview", drive.PATIENCE_COMPILING)
    yield from until(lambda: not what_if.current().prediction.is_coarse, "a finer preview")
    yield from changes(what_if)
    yield from undone(what_if)
    yield from moments()


def changes(what_if: object) -> drive.Story:
    """Change the speed some times, and note how long the picture takes."""
    drawn, answered, session = [], [], what_if.current()
    for number in range(CHANGES):
        old = session.prediction
        actors()[0].mannequin.actor.velocity[0] = 0.1 + 0.1 * number
        yield from until(lambda seen=old: session.prediction is not seen, "another preview")
        yield from until(lambda: session.prediction.seconds_drawn is not None, "it to be drawn")
        expect(session.prediction.is_coarse, "the first answer is not the quick one")
        drawn.append(session.prediction.seconds_drawn)
        answered.append(session.prediction.seconds)
        yield from until(lambda: not session.prediction.is_coarse, "a finer preview")
    SEEN["what-if, change to answer, median s"] = round(statistics.median(answered), 3)
    SEEN["what-if, change to picture, median s"] = round(statistics.median(drawn), 3)
    SEEN["what-if, change to picture, least s"] = round(min(drawn), 3)
    yield from shot("what-if-1-end")


def undone(what_if: object) -> drive.Story:
    """An undo is seen."""
    with in_window():
        bpy.ops.ed.undo_push(message="before")
        actors()[0].mannequin.actor.velocity[0] = 2.0
        bpy.ops.ed.undo_push(message="after")
    yield from until(lambda: what_if.current().submitted.actors[0].velocity[0] == 2.0, "the faster start")
    yield from drive.press("ctrl+z")
    yield from until(lambda: what_if.current().submitted.actors[0].velocity[0] != 2.0, "the undo")


def moments() -> drive.Story:
    """The figure at some moments of the preview."""
    runs = bpy.context.scene.mannequin.runs
    for percent in (30, 60, 100):
        runs.what_if_moment = float(percent)
        yield from shot(f"what-if-2-at-{percent}")
