"""Libraries that only this layer needs: loaded where they are used, with a message where they are missing."""

from importlib import import_module
from types import ModuleType

from ..io_json.errors import FileError


def required(name: str, wanted_for: str, instead: str = "") -> ModuleType:
    """A library that is needed. Raises FileError that says how to get it, and what to do `instead`."""
    try:
        return import_module(name)
    except ImportError as error:
        raise FileError(
            f"{name}, needed for {wanted_for}, is not installed",
            remedy=f"Install it into the Python that runs Mannequin (pip install {name}){instead}",
        ) from error
