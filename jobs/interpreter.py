"""Which Python a child process runs, and with which variables: it must find this very package and its libraries."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from ..engine.jit import decorators as jit

FOLDER = Path(__file__).resolve().parent.parent
"""Of the package"""
LIBRARIES = ("numpy", "numba", "llvmlite", "matplotlib", "PIL", "scipy", "pyarrow", "laspy", "lazrs", "pye57")
"""Libraries of the work; a plain Python does not look where Blender keeps those of extensions."""
KEEP_CLEAR = "another LLVM"
"""Value of the variable `MANNEQUIN_INTERPRETED` where only Blender's own process must not compile."""


def python() -> str:
    """The Python to start. Raises OSError where this process does not know one."""
    if Path(sys.executable or "").name.lower().startswith("python"):
        return sys.executable
    raise FileNotFoundError(2, f"'{sys.executable}' is no Python")


def command(*words: str) -> list[str]:
    """Command line of a command of Mannequin."""
    return [python(), "-P", "-s", "-m", "mannequin", *words]


def environment() -> dict[str, str]:
    """Variables of a child: it finds this very package, and the libraries where this process has them."""
    found = [find_spec(name) for name in LIBRARIES]
    folders = [str(Path(spec.origin).parent.parent) for spec in found if spec is not None and spec.origin]
    if FOLDER.name == "mannequin":  # a checkout of another name is installed in its environment
        folders.insert(0, str(FOLDER.parent))
    if os.environ.get("PYTHONPATH"):
        folders.append(os.environ["PYTHONPATH"])
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(folders))}
    if variables.get(jit.INTERPRETED_VARIABLE) == KEEP_CLEAR:
        del variables[jit.INTERPRETED_VARIABLE]
    return variables
