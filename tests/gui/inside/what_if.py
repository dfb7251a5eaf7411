"""What-if in a window: from a change to the picture, while dragging, after undo, and the figure at a moment.

Times are printed, and judged by what the same change takes without what-if in the same window: without a graphics card
drawing it takes longer than the 0.2 s that are meant for two free cores and a card. Measured are the whole window as a
user finds it, the same without the viewport's anti-aliasing, and a small viewport where drawing is cheap.
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

CHANGES = 8
ALLOWED = 0.2
"""s from a change to its picture, above what the same change takes to be drawn without what-if."""
SMALL = 0.35
"""Share of the viewport's width and height that a small one keeps."""


def tell() -> drive.Story:
    """Switch on, change, drag, undo, slide."""
    clear_scene()
    yield from open_tab()
    with in_window():
        bpy.ops.mannequin.open_example(example="fall_standing")
    bpy.context.scene.mannequin.settings.duration = 1.0
    look(from_the_side=True, distance=1.2)
    what_if = module("scene.run.what_if")
    yield from compared(what_if, "whole window")
    with in_window():
        bpy.ops.mannequin.what_if()
    yield from until(lambda: not what_if.current().prediction.is_coarse, "a finer preview")
    yield from undone(what_if)
    yield from moments()
    with in_window():
        bpy.ops.mannequin.what_if()
    system = bpy.context.preferences.system
    usual, system.viewport_aa = system.viewport_aa, "OFF"
    yield from compared(what_if, "no anti-aliasing")
    yield from make_small()
    yield from compared(what_if, "small, no anti-aliasing")
    system.viewport_aa = usual


def compared(what_if: object, label: str) -> drive.Story:
    """The same changes without what-if and with it: what the drawing takes alone, and all together."""
    alone = yield from drawing_alone()
    SEEN[f"{label}: drawing alone"] = spread(alone)
    with in_window():
        bpy.ops.mannequin.what_if()
    yield from until(lambda: bool(what_if.current().prediction.paths), "a preview", drive.PATIENCE_COMPILING)
    yield from until(lambda: not what_if.current().prediction.is_coarse, "a finer preview")
    drawn = yield from changes(what_if, label)
    above = min(drawn) - min(alone)
    SEEN[f"{label}: least above drawing alone"] = f"{above:.3f}"
    expect(above < ALLOWED * load_factor(), f"{label}: what-if takes {above:.2f} s above the drawing")
    with in_window():
        bpy.ops.mannequin.what_if()


def load_factor() -> float:
    """How much longer everything takes on a machine that has more to do than cores."""
    return max(1.0, os.getloadavg()[0] / os.cpu_count())


def spread(values: list[float]) -> str:
    """Least and median, s."""
    return f"{min(values):.3f}, {statistics.median(values):.3f}"


def drawing_alone() -> drive.Story:
    """s from a change of speed to its picture, some times, with what-if off."""
    ends: list[float] = []
    handle = bpy.types.SpaceView3D.draw_handler_add(
        lambda: ends.append(time.perf_counter()), (), "WINDOW", "POST_VIEW"
    )
    found = []
    for number in range(CHANGES):
        yield from settled()
        ends.clear()
        begun = time.perf_counter()
        actors()[0].mannequin.actor.velocity[0] = 0.1 + 0.05 * number
        yield from until(lambda: bool(ends), "a picture of the change")
        found.append(ends[0] - begun)
    bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
    return found


def settled() -> drive.Story:
    """Wait until the viewport has drawn all samples of its anti-aliasing."""
    seen = -1
    while seen != drive.DRAWN["WINDOW"]:
        seen = drive.DRAWN["WINDOW"]
        for _ in range(3):
            yield from drive.handled()


def make_small() -> drive.Story:
    """Leave the viewport a corner of its area."""
    for direction in ("HORIZONTAL", "VERTICAL"):
        before = [area.as_pointer() for area in bpy.context.window_manager.windows[0].screen.areas]
        with in_window():
            bpy.ops.screen.area_split(direction=direction, factor=SMALL)
        yield from drive.handled()
        window, _ = drive.viewport()
        views = [area for area in window.screen.areas if area.type == "VIEW_3D"]
        other = max(views, key=lambda area: area.width * area.height)
        expect(len(before) < len(window.screen.areas), "the viewport is not split")
        other.type = "CONSOLE"
        yield from drive.redrawn()
    region = drive.region_of(drive.viewport()[1], "WINDOW")
    SEEN["small viewport, pixels"] = f"{region.width} x {region.height}"


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


def changes(what_if: object, label: str) -> drive.Story:
    """Change the speed some times, and note where the time goes; returns how long each picture took (s)."""
    found, session = [], what_if.current()
    chain = Chain(what_if)
    for number in range(CHANGES):
        yield from settled()
        old = session.prediction
        chain.begin()
        actors()[0].mannequin.actor.velocity[0] = 0.1 + 0.05 * number
        yield from until(lambda seen=old: session.prediction is not seen, "another preview")
        yield from until(lambda: session.prediction.seconds_drawn is not None, "it to be drawn")
        expect(session.prediction.is_coarse, "the first answer is not the quick one")
        found.append(chain.end(session.prediction))
        yield from until(lambda: not session.prediction.is_coarse, "a finer preview")
    chain.close()
    SEEN[f"{label}: load of the machine, and its cores"] = f"{os.getloadavg()[0]:.1f}, {os.cpu_count()}"
    for stage in found[0]:
        SEEN[f"{label}: {stage}"] = spread([one[stage] for one in found])
    yield from shot(f"what-if-1-{label.replace(', ', '-').replace(' ', '-')}")
    return [one["drawn"] for one in found]


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
