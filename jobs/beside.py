"""A second process that compiles beside the worker, at the first use where no code came with the program.

The step loop is one whole and compiled by one process. What else there is to compile (what writes tables, filters,
muscles, responses, tyres, drivers) is compiled here meanwhile. Both keep what they made in the folder of compiled code,
where a lock for each function has others wait for it and not compile it again; what a killed process was at is compiled
by whoever needs it next.
"""

import os
import subprocess
from contextlib import suppress

from . import interpreter

SECONDS_TO_END = 2.0
"""Until a process that was asked to end is killed."""


class CompilingBeside:
    """The second process. Raises OSError where it cannot be started."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            interpreter.command("warmup", "--beside"),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=interpreter.environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    @property
    def id(self) -> int:
        """Number of the process."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it still compiles."""
        return self._process.poll() is None

    def close(self) -> None:
        """End it, whatever it is doing."""
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def start_compiling_beside() -> CompilingBeside | None:
    """A second process that compiles, where there is a core for it; None where not, or where none can be started."""
    if (os.cpu_count() or 1) < 2:
        return None
    try:
        return CompilingBeside()
    except OSError:
        return None
