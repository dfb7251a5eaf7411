"""What properties call that only a room above `store` can answer.

Properties are registered before what uses them. The room that knows gives its function when it registers; until then a
search field suggests nothing and a change has no consequence.
"""

from collections.abc import Callable, Iterable
from typing import Any

import bpy

given: dict[str, Callable[[bpy.types.Scene], Iterable[str] | None]] = {}
"""Name of a callback to the function of the scene that answers it."""


def search(name: str) -> Callable[[Any, bpy.types.Context, str], list[str]]:
    """`search` of a string property: what a callback suggests that holds what was typed."""

    def suggestions(group: Any, context: bpy.types.Context, typed: str) -> list[str]:
        answer = given.get(name)
        return [text for text in answer(group.id_data) if typed.lower() in text.lower()] if answer else []

    return suggestions


def update(name: str) -> Callable[[Any, bpy.types.Context], None]:
    """`update` of a property: call the callback."""

    def call(group: Any, context: bpy.types.Context) -> None:
        if name in given:
            given[name](group.id_data)

    return call
