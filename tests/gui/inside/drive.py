"""Drive a Blender window from within: a story is a generator that yields what it waits for.

Runs in Blender's own Python. A timer asks again and again whether what the story waits for has come; nothing waits for
a fixed time. Screenshots are of the whole screen, taken by an X program; keys and clicks are real X events.
"""

import json
import os
import subprocess
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy

OUT = Path(os.environ["GUI_OUT"])
PATIENCE = 200.0
"""Seconds after which something that should have come is given up."""
TICK = 0.02

Story = Iterator["Wait"]
DRAWN = {"WINDOW": 0, "UI": 0}
"""How often the viewport and its sidebar were drawn."""


class Wait:
    """Something that will come: `come` says whether it has, `what` says what it is."""

    def __init__(self, come: Callable[[], bool], what: str) -> None:
        self.come, self.what, self.since = come, what, time.monotonic()


class Driver:
    """Runs a story to its end, writes what came of it, and leaves Blender."""

    def __init__(self, story: Story) -> None:
        self.story, self.waiting = story, None
        self.last, self.longest = time.monotonic(), 0.0

    def tick(self) -> float | None:
        """One look at what is waited for; the time to the next look, or None at the end."""
        try:
            if self.waiting is None or self.waiting.come():
                self.waiting = next(self.story)
            elif time.monotonic() - self.waiting.since > PATIENCE:
                raise TimeoutError(f"waited {PATIENCE:.0f} s for {self.waiting.what}")
        except StopIteration:
            return self.end("passed", "")
        except BaseException:
            return self.end("failed", traceback.format_exc())
        return TICK

    def end(self, status: str, message: str) -> None:
        """Write the result; Blender quits at the next turn of its loop."""
        result = {"status": status, "message": message, "blender": bpy.app.version_string, "seen": SEEN}
        path = OUT / f"{os.environ['GUI_CHAPTER']}.json"
        temporary = path.with_suffix(".partial")
        temporary.write_text(json.dumps(result, indent=1))
        temporary.replace(path)
        with in_window():
            bpy.ops.wm.quit_blender()


SEEN: dict[str, object] = {}
"""What the story notes down for the report."""


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


def viewport() -> tuple[bpy.types.Window, bpy.types.Area]:
    """The window and its 3D viewport."""
    window = bpy.context.window_manager.windows[0]
    return window, next(area for area in window.screen.areas if area.type == "VIEW_3D")


@contextmanager
def in_window(region: str = "WINDOW") -> Iterator[None]:
    """Context of a region of the viewport; timers have none."""
    window, area = viewport()
    shown = next(r for r in area.regions if r.type == region)
    with bpy.context.temp_override(window=window, area=area, region=region and shown):
        yield


def redrawn() -> Story:
    """Wait until viewport and sidebar have been drawn twice: the second draw shows what the first made ready."""
    window, area = viewport()
    watched = ["WINDOW", "UI"] if area.spaces.active.show_region_ui else ["WINDOW"]
    for _ in range(2):
        before = dict(DRAWN)
        for other in window.screen.areas:
            other.tag_redraw()
        yield Wait(lambda seen=before: all(DRAWN[r] > seen[r] for r in watched), "the window to be drawn")


def finished(command: list[str]) -> Story:
    """Run a program beside Blender and wait for its end."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    yield Wait(lambda: process.poll() is not None, " ".join(command))
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed: {process.stdout.read()}")


def shot(name: str) -> Story:
    """Picture of the screen as out/gui/<name>.png."""
    yield from redrawn()
    picture = OUT / f"{name}.png"
    yield from finished(["sh", "-c", f"xwd -root -silent | convert xwd:- '{picture}'"])


def press(*keys: str) -> Story:
    """Real key presses, the pointer over the middle of the viewport."""
    yield from point_at_viewport()
    yield from finished(["xdotool", "key", *keys])


def point_at_viewport() -> Story:
    """Move the pointer to the middle of the viewport, where keys then go."""
    _, area = viewport()
    region = next(r for r in area.regions if r.type == "WINDOW")
    height = bpy.context.window_manager.windows[0].height
    x, y = region.x + region.width // 3, height - (region.y + region.height // 2)
    yield from finished(["xdotool", "mousemove", str(x), str(y)])


def until(come: Callable[[], bool], what: str) -> Story:
    """Wait for a condition."""
    yield Wait(come, what)


def expect(true: object, what: str) -> None:
    """Fail the story where something is not as it must be."""
    if not true:
        raise AssertionError(what)
