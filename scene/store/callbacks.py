"""What properties call that only a room above `store` can answer.

Properties are registered before what uses them. The room that knows gives its function when it registers (`answered`);
until then a search field suggests nothing and a change has no consequence.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import bpy

given: dict[str, Callable[..., Iterable[str] | None]] = {}
"""Name of a callback to the function that answers it, of the data-block that has the property."""


def answered(by: dict[str, Callable[..., Any]]) -> tuple[Callable[[], None], Callable[[], None]]:
    """(register, unregister) of a module that answers callbacks and does nothing else; by: name to function."""

    def unregister() -> None:
        for name in by:
            given.pop(name, None)

    return partial(given.update, by), unregister


def search(name: str) -> Callable[[Any, bpy.types.Context, str], list[str]]:
    """`search` of a string property: what a callback suggests that holds what was typed."""

    def suggestions(group: Any, context: bpy.types.Context, typed: str) -> list[str]:
        answer = given.get(name)
        return [text for text in answer(group.id_data) if typed.lower() in text.lower()] if answer else []

    return suggestions


def change(name: str, owner: bpy.types.ID, value: float) -> None:
    """What setting a property that is not stored does: call the callback with the value."""
    if name in given:
        given[name](owner, value)


def update(name: str) -> Callable[[Any, bpy.types.Context], None]:
    """`update` of a property: call the callback."""

    def call(group: Any, context: bpy.types.Context) -> None:
        if name in given:
            given[name](group.id_data)

    return call
