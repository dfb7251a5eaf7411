"""Entries of a file that our specs have no field for: kept in `extras` as text of the file, read again for writing."""

from typing import Any

from ...io_json.errors import FileError
from .components import Component, properties, write_component
from .text import Group, format_group, parse

KEPT = "hyfydy"
"""Key in `extras`."""


def keep(component: Component, *keys: str) -> str:
    """The given properties of a component as text; "" when all are at their defaults."""
    entries = [entry for entry in write_component(component).entries if entry.key in keys]
    return format_group(Group(entries))


def kept_tree(extras: dict[str, Any]) -> Group:
    """The tree of what was kept; empty when there is nothing, or where it was edited and cannot be read."""
    text = extras.get(KEPT)
    if not isinstance(text, str):
        return Group()
    try:
        return parse(text)
    except FileError:
        return Group()


def kept_values(extras: dict[str, Any], cls: type) -> dict[str, Any]:
    """Properties of a component by key, of what was kept."""
    known = properties(cls)
    values = {}
    for entry in kept_tree(extras).entries:
        if entry.key in known:
            try:
                values[entry.key] = known[entry.key][0].read(entry.value)
            except FileError:
                continue
    return values
