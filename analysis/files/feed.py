"""Frames of a simulation for a thread that makes something of them while the next ones are computed.

Compiled steps leave Python's lock to others. Whoever feeds never waits; whoever makes gets the latest frames.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from ...engine.runs.recording import Recording
    from ...engine.runs.simulation import Simulation

Made = TypeVar("Made")
EVERY = 100
"""Output times after which frames are handed over."""


class Feed(Generic[Made]):
    """A context in which `make(feed)` runs on a thread: it iterates over recordings of ever more output times until
    the simulation is over. What it returns is the `result`."""

    def __init__(self, make: Callable[[Feed[Made]], Made]) -> None:
        self.is_over = False
        self._changed = threading.Condition()
        self._latest: Recording | None = None
        self._next = float(EVERY)
        self._pool = ThreadPoolExecutor(1, "ahead")
        self._made = self._pool.submit(make, self)

    def give(self, simulation: Simulation, frame: int) -> None:
        """Hand over what is computed, where this many output times are and it is time; those of a run whose frames go
        to disk are not handed over."""
        if frame < self._next:
            return
        latest = simulation.frames_so_far()
        self._next = float("inf") if latest is None else frame + EVERY
        with self._changed:
            self._latest = latest
            self._changed.notify()

    def __iter__(self) -> Iterator[Recording]:
        """The latest frames, each time there are more."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self.is_over or self._latest is not None)
                if self.is_over:
                    return
                latest, self._latest = self._latest, None
            yield latest

    def result(self) -> Made:
        """End the feed; what was made."""
        self._end()
        return self._made.result()

    def _end(self) -> None:
        with self._changed:
            self.is_over = True
            self._changed.notify()

    def __enter__(self) -> Feed[Made]:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        self._pool.shutdown()
