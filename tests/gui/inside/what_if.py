"""What-if in a window: from a change to the picture, while dragging, after undo, and the figure at a moment.

Times are printed, and judged against the load of the machine only: 0.2 s is meant for two free cores.
"""

import os
import statistics
import time
from pathlib import Path

import bpy
import drive
from case import module
from drive import SEEN, expect, in_window, shot, until
from panel_pictures import open_tab
from scene_state import actors, clear_scene, look

CHANGES = 20


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


class Chain:
    """Times (s after the change) of one change on its way: what waits for what."""

    STAGES = ("seen", "read begins", "read", "sent", "computed", "taken in", "drawn")

    def __init__(self, what_if: object) -> None:
        self.at: dict[str, float] = {}
        self.draws: list[float] = []
        session = self.session = what_if.current()
        self.child = module("jobs.engine").shared_worker().child
        read, begin = session.known.read, what_if._begin

        def watched_read(scene: object) -> object:
            self.note("read begins")
            found = read(scene)
            self.note("read")
            return found

        def watched_begin(*arguments: object, **named: object) -> None:
            begin(*arguments, **named)
            self.note("sent")

        session.known.read, what_if._begin = watched_read, watched_begin
        self.put_back = lambda: (setattr(what_if, "_begin", begin), session.known.__dict__.pop("read"))
        space = bpy.types.SpaceView3D
        self.handles = [
            space.draw_handler_add(self.begin_draw, (), "WINDOW", "PRE_VIEW"),
            space.draw_handler_add(self.end_draw, (), "WINDOW", "POST_PIXEL"),
        ]

    def begin(self) -> None:
        """A change is made now."""
        self.at, self.draws = {"change": time.perf_counter()}, []
        self.cpu = self.used()

    def note(self, stage: str) -> None:
        """The first time that a stage is reached."""
        self.at.setdefault(stage, time.perf_counter())

    def begin_draw(self) -> None:
        """Draw handler."""
        self.draw_begun = time.perf_counter()

    def end_draw(self) -> None:
        """Draw handler."""
        self.draws.append(time.perf_counter() - self.draw_begun)

    def used(self) -> tuple[float, float]:
        """CPU s of Blender, with the threads that draw, and of the worker."""
        fields = Path(f"/proc/{self.child.id}/stat").read_text().rpartition(")")[2].split()
        return time.process_time(), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self, prediction: object) -> dict[str, float]:
        """All stages of the change that is drawn, s after it; what the drawing and the processors took."""
        self.at["seen"] = prediction.asked_at
        self.at["taken in"] = prediction.asked_at + prediction.seconds
        self.at["drawn"] = prediction.asked_at + prediction.seconds_drawn
        self.at["computed"] = self.at["sent"] + self.session.coarse_seconds
        begun = self.at["change"]
        found = {stage: self.at.get(stage, begun) - begun for stage in self.STAGES}
        blender, worker = (b - a for a, b in zip(self.cpu, self.used(), strict=True))
        draws = {"draws": float(len(self.draws)), "longest draw": max(self.draws, default=0.0)}
        return found | draws | {"CPU of Blender": blender, "CPU of the worker": worker}

    def close(self) -> None:
        """Watch no more."""
        self.put_back()
        for handle in self.handles:
            bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")


def changes(what_if: object) -> drive.Story:
    """Change the speed some times, and note how long the picture takes, and where the time goes."""
    found, session = [], what_if.current()
    chain = Chain(what_if)
    for number in range(CHANGES):
        old = session.prediction
        chain.begin()
        actors()[0].mannequin.actor.velocity[0] = 0.1 + 0.05 * number
        yield from until(lambda seen=old: session.prediction is not seen, "another preview")
        yield from until(lambda: session.prediction.seconds_drawn is not None, "it to be drawn")
        expect(session.prediction.is_coarse, "the first answer is not the quick one")
        found.append(chain.end(session.prediction))
        yield from until(lambda: not session.prediction.is_coarse, "a finer preview")
    chain.close()
    SEEN["load of the machine, and its cores"] = f"{os.getloadavg()[0]:.1f}, {os.cpu_count()}"
    for stage in found[0]:
        values = [one[stage] for one in found]
        SEEN[f"what-if, {stage}: least, median"] = f"{min(values):.3f}, {statistics.median(values):.3f}"
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
