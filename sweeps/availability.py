"""Which optional libraries are installed, and the message where one is not."""

from importlib import import_module
from types import ModuleType

from ..io_json.errors import FileError

WANTED_FOR = {
    "scipy": "sweeps and fits",
    "pyarrow": "Parquet tables",
    "distributed": "clusters (--scheduler)",
}


def missing() -> str:
    """Why sweeps are not available, or "" where they are."""
    try:
        import_module("scipy.stats")
    except ImportError as error:
        return f"SciPy, which sweeps need, cannot be loaded ({error})"
    return ""


def optional(name: str) -> ModuleType | None:
    """A library if it can be loaded."""
    try:
        return import_module(name)
    except ImportError:
        return None


def required(name: str) -> ModuleType:
    """A library that is needed. Raises FileError that names how to install it."""
    module = optional(name)
    if module is None:
        raise FileError(
            f"{name}, needed for {WANTED_FOR[name]}, is not installed",
            remedy=f"Install it into the Python that runs Mannequin: pip install {name}",
        )
    return module
