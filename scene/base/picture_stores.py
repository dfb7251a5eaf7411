"""Small pictures that menus and panels show as icons: a store for each use, while the extension is registered."""

from collections.abc import Callable
from functools import partial
from typing import Any

PREVIEWS: dict[str, Any] = {}
"""Name of a store to the store."""


def open_store(name: str) -> None:
    """Make a store."""
    import bpy.utils.previews

    PREVIEWS[name] = bpy.utils.previews.new()


def close_store(name: str) -> None:
    """Remove a store with its pictures."""
    import bpy.utils.previews

    bpy.utils.previews.remove(PREVIEWS.pop(name))


def picture_store(name: str) -> tuple[Callable[[], None], Callable[[], None]]:
    """(register, unregister) of a module that has a store and nothing else."""
    return partial(open_store, name), partial(close_store, name)
