"""Drive a Blender window from within: a story is a generator that yields what it waits for.

Runs in Blender's own Python. A timer asks again and again whether what the story waits for has come; nothing waits for
a fixed time. Screenshots are of the whole screen, taken by an X program; keys, clicks and drags are real X events.
The timer also notes how long the interface was held up: the time from the end of one of its ticks to the next.
"""

import itertools
import json
import math
import os
import subprocess
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import bpy
from patience import Limit

OUT = Path(os.environ["GUI_OUT"])
PATIENCE = 120.0
"""Seconds of a quiet machine after which something that should have come is given up; see `patience`."""
PATIENCE_COMPILING = 600.0
"""The same where the engine may have to be compiled first."""
TICK = 0.02
TICKS_TO_HANDLE = 2
"""Looks of the driver until events that were made before have been handled."""
FIRST_STEP = 12.0
"""Pixels of the first step of a drag."""
ROW = 19
"""Pixels from row to row of the sidebar: a little less than the height of a button."""

Story = Iterator["Wait"]
DRAWN = {"WINDOW": 0, "UI": 0}
"""How often the viewport and its sidebar were drawn."""
HELD_UP: dict[str, float] = {}
"""Longest time between two ticks (s), by what was going on; see `watched`."""
SEEN: dict[str, object] = {}
"""What the story notes down for the report."""


class Wait:
    """Something that will come: `come` says whether it has, `what` says what it is."""

    def __init__(
        self, come: Callable[[], bool], what: str, patience: float = PATIENCE, needed: bool = True
    ) -> None:
        self.come, self.what, self.needed = come, what, needed
        self.limit = Limit(patience)

    def is_over(self) -> bool:
        """Whether it has come, or need not come and did not; raises TimeoutError where it should have."""
        if self.come():
            return True
        if not self.limit.is_over():
            return False
        if self.needed:
            raise TimeoutError(f"waited for {self.what}: {self.limit}")
        return True


class Driver:
    """Runs a story to its end, writes what came of it, and leaves Blender."""

    watching = ""

    def __init__(self, story: Story) -> None:
        self.story, self.waiting = story, None
        self.last = time.monotonic()

    def tick(self) -> float | None:
        """One look at what is waited for; the time to the next look, or None at the end."""
        if Driver.watching:
            gap = time.monotonic() - self.last
            HELD_UP[Driver.watching] = max(HELD_UP.get(Driver.watching, 0.0), gap)
        try:
            if self.waiting is None or self.waiting.is_over():
                self.waiting = next(self.story)
        except StopIteration:
            return self.end("passed", "")
        except BaseException:
            return self.end("failed", traceback.format_exc())
        self.last = time.monotonic()
        return TICK

    def end(self, status: str, message: str) -> None:
        """Write the result; Blender quits at the next turn of its loop."""
        for what, seconds in HELD_UP.items():
            SEEN[f"interface held up while {what}, s"] = round(seconds, 3)
        result = {"status": status, "message": message, "blender": bpy.app.version_string, "seen": SEEN}
        path = OUT / f"{os.environ['GUI_CHAPTER']}.json"
        temporary = path.with_suffix(".partial")
        temporary.write_text(json.dumps(result, indent=1))
        if status == "failed":
            subprocess.run(["sh", "-c", f"xwd -root -silent | convert xwd:- '{path.with_suffix('.png')}'"])
        temporary.replace(path)
        with in_window():
            bpy.ops.wm.quit_blender()


def start(story: Story) -> None:
    """Begin the story as soon as Blender's window runs."""
    bpy.context.preferences.view.show_splash = False
    bpy.context.preferences.filepaths.use_auto_save_temporary_files = False
    for region in DRAWN:
        bpy.types.SpaceView3D.draw_handler_add(count_drawn, (region,), region, "POST_PIXEL")
    bpy.app.timers.register(Driver(story).tick, first_interval=TICK, persistent=True)


def count_drawn(region: str) -> None:
    """Draw handler that only counts."""
    DRAWN[region] += 1


def watched(what: str, story: Story) -> Story:
    """Tell a part of a story, and note the longest time that the interface was held up in it."""
    Driver.watching = what
    yield from story
    Driver.watching = ""


def viewport() -> tuple[bpy.types.Window, bpy.types.Area]:
    """The window and its 3D viewport."""
    window = bpy.context.window_manager.windows[0]
    return window, next(area for area in window.screen.areas if area.type == "VIEW_3D")


def region_of(area: bpy.types.Area, kind: str) -> bpy.types.Region:
    """A region of an area."""
    return next(region for region in area.regions if region.type == kind)


@contextmanager
def in_window(region: str = "WINDOW") -> Iterator[None]:
    """Context of a region of the viewport; timers have none."""
    window, area = viewport()
    with bpy.context.temp_override(window=window, area=area, region=region_of(area, region)):
        yield


def redrawn() -> Story:
    """Wait until viewport and sidebar have been drawn twice: the second draw shows what the first made ready."""
    window, area = viewport()
    watched_regions = ["WINDOW", "UI"] if area.spaces.active.show_region_ui else ["WINDOW"]
    for _ in range(2):
        before = dict(DRAWN)
        for other in window.screen.areas:
            other.tag_redraw()
        yield Wait(lambda seen=before: all(DRAWN[r] > seen[r] for r in watched_regions), "a drawn window")


def finished(command: list[str]) -> Story:
    """Run a program beside Blender and wait for its end."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    yield Wait(lambda: process.poll() is not None, " ".join(command))
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed: {process.stdout.read()}")


def shot(name: str) -> Story:
    """Picture of the screen as out/gui/<Blender>/<name>.png, the pointer where no tooltip covers anything."""
    yield from point_at_viewport()
    yield from redrawn()
    picture = OUT / f"{name}.png"
    yield from finished(["sh", "-c", f"xwd -root -silent | convert xwd:- '{picture}'"])


class Hands:
    """One program that makes real events for the whole story; it answers when it has made them."""

    process: subprocess.Popen | None = None

    @classmethod
    def do(cls, *arguments: object) -> Story:
        """Make events, and wait until they are made."""
        if cls.process is None:
            cls.process = subprocess.Popen(
                ["stdbuf", "-oL", "xdotool", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            os.set_blocking(cls.process.stdout.fileno(), False)
        command = " ".join(map(str, arguments))
        cls.process.stdin.write(f"{command}\ngetmouselocation\n".encode())
        cls.process.stdin.flush()
        yield Wait(lambda: bool(cls.process.stdout.read()), f"xdotool {command}")


xdotool = Hands.do


def on_screen(region: bpy.types.Region, x: float, y: float) -> tuple[int, int]:
    """Pixel of the screen of a point of a region; the window fills the screen, whose y goes down."""
    height = bpy.context.window_manager.windows[0].height
    return round(region.x + x), round(height - 1 - (region.y + y))


def press(*keys: str) -> Story:
    """Real key presses, the pointer over the viewport."""
    yield from point_at_viewport()
    yield from xdotool("key", *keys)


def point_at_viewport() -> Story:
    """Move the pointer into the viewport, where keys then go."""
    _, area = viewport()
    region = region_of(area, "WINDOW")
    yield from xdotool("mousemove", *on_screen(region, region.width // 3, region.height // 2))


def drag(begin: tuple[int, int], end: tuple[int, int]) -> Story:
    """Press the left button at one pixel of the screen, move in steps, release at another.

    The first step is short, as a hand's is: what is dragged out of a region is only taken along where the pointer has
    moved by more than Blender's threshold (3 pixels) before it leaves that region."""
    yield from xdotool("mousemove", *begin)
    yield from redrawn()  # what is under the pointer lights up, and only then takes the press
    yield from xdotool("mousedown", 1)
    short = min(0.2, FIRST_STEP / max(1.0, math.dist(begin, end)))
    for share in (short, 0.25, 0.5, 0.75, 1.0):
        at = [round(b + share * (e - b)) for b, e in zip(begin, end, strict=True)]
        yield from xdotool("mousemove", *at)
        yield from redrawn()
    yield from xdotool("mouseup", 1)


def handled() -> Story:
    """Wait until Blender has handled the events that were made: it takes them in each time before it calls timers."""
    ticks = itertools.count(1)
    yield Wait(lambda: next(ticks) > TICKS_TO_HANDLE, "events to be handled")


def copied_at(at: tuple[int, int], copy: Callable[[], None]) -> Story:
    """What Blender's own menu of the button or field of the sidebar under a pixel of the screen copies."""
    manager = bpy.context.window_manager
    yield from xdotool("mousemove", *at)
    yield from handled()
    manager.clipboard = ""
    with in_window("UI"):
        copy()
    return manager.clipboard


def copy_command() -> None:
    """Copy the Python command of the button under the pointer."""
    if bpy.ops.ui.copy_python_command_button.poll():
        bpy.ops.ui.copy_python_command_button()


def copy_path() -> None:
    """Copy the whole data path of the field under the pointer."""
    if bpy.ops.ui.copy_data_path_button.poll():
        bpy.ops.ui.copy_data_path_button(full_path=True)


def find(
    is_it: Callable[[str], bool],
    copy: Callable[[], None],
    shares: Sequence[float],
    what: str,
    from_end: bool = False,
) -> Story:
    """Pixel of the screen of a button or field in the sidebar, found by moving the pointer down over it, or up from its
    end.

    What is not in sight is scrolled to, with the wheel, as a user does. shares: of the width, where to look.
    """
    region = region_of(viewport()[1], "UI")
    first, way, rows = ("down", "up", 1) if from_end else ("up", "down", -1)
    yield from turn_wheel(first, 200)
    for _ in range(8):
        for y in range(12, region.height - 12, ROW)[::rows]:
            for share in shares:
                at = on_screen(region, share * region.width, y)
                # Twice: panels that open or close push the others about for a moment.
                if is_it((yield from copied_at(at, copy))) and is_it((yield from copied_at(at, copy))):
                    return at
        yield from turn_wheel(way, 12)
    raise AssertionError(f"the sidebar shows no {what}")


def find_button(operator: str, from_end: bool = False) -> Story:
    """Pixel of the screen of the button of an operator in the sidebar."""
    begin = f"bpy.ops.{operator}("
    halves = (0.25, 0.6)  # of a row of two buttons
    what = f"button of {operator}"
    return (yield from find(lambda text: text.startswith(begin), copy_command, halves, what, from_end))


def find_field(path: str) -> Story:
    """Pixel of the screen of the field of a property in the sidebar, by the end of its data path."""
    return (yield from find(lambda text: text.endswith(path), copy_path, (0.75,), f"field {path}"))


def turn_wheel(way: str, clicks: int) -> Story:
    """Turn the wheel over the sidebar, where its first panel is."""
    region = region_of(viewport()[1], "UI")
    yield from xdotool("mousemove", *on_screen(region, 0.8 * region.width, region.height - 20))
    yield from xdotool("click", "--repeat", clicks, "--delay", 2, {"up": 4, "down": 5}[way])
    yield from redrawn()


def click_button(operator: str) -> Story:
    """Find the button of an operator in the sidebar, and click it."""
    at = yield from find_button(operator)
    yield from xdotool("mousemove", *at, "click", 1)


def until(come: Callable[[], bool], what: str, patience: float = PATIENCE) -> Story:
    """Wait for a condition."""
    yield Wait(come, what, patience)


def soon(come: Callable[[], bool], seconds: float) -> Story:
    """Wait for a condition that need not come; returns whether it did."""
    yield Wait(come, "", seconds, needed=False)
    return come()


def expect(true: object, what: str) -> None:
    """Fail the story where something is not as it must be."""
    if not true:
        raise AssertionError(what)
