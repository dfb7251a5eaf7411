"""Keep what Blender and the graphics driver print by themselves out of a command's output."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

HARMLESS = re.compile(
    rb"EGL Error \(0x3009\): EGL_BAD_MATCH"  # Blender tries newer contexts first, and says so for each it cannot get
    rb"|^libEGL warning: "  # Mesa looks for a screen where there is none
    rb"|^MESA-LOADER: failed to open"
    rb"|^(MESA|ZINK): (warning|info)"
    rb"|^\s*$"
)
"""Lines on standard error that mean nothing to anybody who renders without a screen. All others are passed on."""


@contextmanager
def blender_quiet() -> Iterator[TextIO]:
    """Standard output of Blender goes nowhere, as the command's own is for results; of standard error only harmless
    lines of the graphics driver are dropped. Yields the terminal, for a progress bar.

    Blender writes past Python, so the file descriptors themselves are turned elsewhere for the while.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    nothing = os.open(os.devnull, os.O_WRONLY)
    source, sink = os.pipe()
    passing = threading.Thread(target=_pass_on, args=(source, kept[1]), daemon=True)
    passing.start()
    os.dup2(nothing, 1)
    os.dup2(sink, 2)
    os.close(sink)
    os.close(nothing)
    terminal = os.fdopen(os.dup(kept[1]), "w", encoding="utf-8", errors="replace")
    try:
        yield terminal
    finally:
        sys.stderr.flush()
        terminal.close()
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)  # closes the last end of the pipe, which ends the thread
        passing.join()
        for descriptor in kept:
            os.close(descriptor)


def _pass_on(source: int, target: int) -> None:
    """Copy lines as they arrive, but for harmless ones."""
    with os.fdopen(source, "rb") as lines:
        for line in lines:
            if not HARMLESS.search(line):
                os.write(target, line)
