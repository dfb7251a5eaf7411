"""A progress bar for simulations: simulated time, speed and time left, on a terminal only."""

import sys
import time
from typing import Any, Self, TextIO

WIDTH = 24
INTERVAL = 0.1
"""Seconds between two drawings."""


class ProgressBar:
    """Draws itself on one line of a terminal, until the end of its `with`; writes nothing to a file or a pipe."""

    def __init__(self, label: str, stream: TextIO | None = None) -> None:
        self.label = label
        self.stream = sys.stderr if stream is None else stream
        self.is_shown = self.stream.isatty()
        self.started = time.monotonic()
        self._drawn = float("-inf")
        self._length = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.finish()

    def __call__(self, state: Any) -> None:
        """Take an `engine.Progress`."""
        now = time.monotonic()
        if self.is_shown and now - self._drawn >= INTERVAL:
            self._drawn = now
            self._draw(bar_text(self.label, state.time, state.duration, now - self.started))

    def show_count(self, done: int, total: int, unit: str = "runs") -> None:
        """Show how many of a number of things are done."""
        now = time.monotonic()
        if self.is_shown and now - self._drawn >= INTERVAL:
            self._drawn = now
            self._draw(count_text(self.label, done, total, unit, now - self.started))

    def finish(self) -> None:
        """Clear the line."""
        if self.is_shown and self._length:
            self._draw("")
            self.stream.write("\r")
            self.stream.flush()

    def _draw(self, text: str) -> None:
        self.stream.write("\r" + text.ljust(self._length))
        self.stream.flush()
        self._length = len(text)


def bar_text(label: str, simulated: float, duration: float, elapsed: float) -> str:
    """One line: share done as a bar, simulated time, speed against real time, time left."""
    share = min(max(simulated / duration, 0.0), 1.0) if duration > 0.0 else 1.0
    text = f"{_bar(label, share)}  {simulated:.3f} of {duration:g} s"
    if simulated > 0.0 and elapsed > 0.0:
        left = (duration - simulated) * elapsed / simulated
        text += f"  {simulated / elapsed:.2g} x real time  {clock(left)} left"
    return text


def count_text(label: str, done: int, total: int, unit: str, elapsed: float) -> str:
    """One line: share done as a bar, how many of how many, how many a second, time left."""
    text = f"{_bar(label, done / total if total else 1.0)}  {done} of {total} {unit}"
    if done and elapsed > 0.0:
        text += f"  {done / elapsed:.3g} a second  {clock((total - done) * elapsed / done)} left"
    return text


def _bar(label: str, share: float) -> str:
    filled = round(WIDTH * share)
    return f"{label[:24]} [{'#' * filled}{'.' * (WIDTH - filled)}] {100.0 * share:3.0f} %"


def clock(seconds: float) -> str:
    """Seconds as "42 s", "3 min 20 s" or "2 h 05 min"."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
