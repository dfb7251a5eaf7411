"""A second process that compiles beside the worker, at the first use where no code came with the program.

The step loop is one whole and compiled by one process. What else there is to compile (what writes tables, filters,
muscles, responses, tyres, drivers) is compiled here meanwhile. Both keep what they made in the folder of compiled code,
where a lock for each function has others wait for it and not compile it again; what a killed process was at is compiled
by whoever needs it next.
"""

import os

from . import interpreter
from .child import ChildProcess, ProcessLost


def start_compiling_beside() -> ChildProcess | None:
    """A second process that compiles, where there is a core for it; None where not, or where none can be started."""
    if (os.cpu_count() or 1) < 2:
        return None
    try:
        return ChildProcess(
            "the compiling process",
            lambda folder: interpreter.command("warmup", "--beside"),
            interpreter.environment(),
        )
    except ProcessLost:
        return None
