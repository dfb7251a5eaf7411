"""Time limits in seconds of a quiet machine: on a busy one they are as much longer as everything takes longer there.

Used by the runner outside and by the chapters in Blender's own Python.
"""

import os
import time
from collections.abc import Callable

MOST = 8.0
"""How many times longer a limit becomes at most: something that hangs must end."""


def busyness() -> float:
    """How many processes want each core, averaged over the last minute; 1 on a machine with cores to spare."""
    return min(max(os.getloadavg()[0] / (os.cpu_count() or 1), 1.0), MOST)


class Limit:
    """A time limit that runs the slower the busier the machine is. Ask `is_over` often: once a second will do."""

    def __init__(
        self,
        seconds: float,
        busy: Callable[[], float] = busyness,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.seconds, self._busy, self._clock = seconds, busy, clock
        self._left, self._asked = seconds, clock()
        self._begun = self._asked

    def is_over(self) -> bool:
        """Whether the time is up."""
        now = self._clock()
        self._left -= (now - self._asked) / self._busy()
        self._asked = now
        return self._left <= 0.0

    def __str__(self) -> str:
        """The time that has passed and what it counts for."""
        passed = self._asked - self._begun
        return f"{passed:.0f} s, which count as {self.seconds - self._left:.0f} s of a quiet machine"
