"""The one place that knows whether `cryptography` is installed."""

from importlib import import_module, util
from types import ModuleType

from ...io_json.errors import FileError


def is_installed() -> bool:
    """Whether signatures can be made and checked."""
    return util.find_spec("cryptography") is not None


def module(name: str) -> ModuleType:
    """A module of `cryptography`. Raises FileError that names how to install it."""
    try:
        return import_module(f"cryptography.{name}")
    except ImportError as error:
        raise FileError(
            "cryptography, needed for signatures and time stamps, is not installed",
            remedy='Install it into the Python that runs Mannequin: pip install "mannequin[signatures]"',
        ) from error
