"""The first compile of the engine, outside Blender's process, so that the interface stays live."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from ..engine import jit

PACKAGE = __package__.rpartition(".")[0]
FOLDER = Path(__file__).resolve().parent.parent
LIBRARIES = ("numpy", "numba", "llvmlite")
"""What the engine needs; Blender keeps extensions' libraries where a plain Python does not look."""
ENTRY_POINT = "stepping.advance-*.nbi"
"""Index of the compiled step loop in the cache; it is written last."""


def is_ready() -> bool:
    """Whether a simulation starts at once: the engine is compiled already, or runs interpreted."""
    if not jit.IS_COMPILED:
        return True
    return jit.CACHE_FOLDER is not None and any(jit.CACHE_FOLDER.rglob(ENTRY_POINT))


def start_compiling() -> subprocess.Popen | None:
    """Start the process that compiles; None where nothing it makes could be kept. End it with `stop`."""
    if jit.CACHE_FOLDER is None:
        return None
    paths = dict.fromkeys(str(Path(find_spec(name).origin).parent.parent) for name in LIBRARIES)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        jit.CACHE_VARIABLE: str(jit.CACHE_FOLDER.parent),
    }
    # -P: the script's own folder is not searched for modules
    command = [sys.executable, "-P", str(Path(__file__).with_name("compile_child.py")), PACKAGE, str(FOLDER)]
    try:
        return subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
    except OSError:  # no Python to be found: the engine compiles in this process instead
        return None


def stop(process: subprocess.Popen) -> None:
    """End a compile that is no longer wanted; its half-done work is not kept."""
    process.terminate()
    process.wait()
