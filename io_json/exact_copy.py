"""Spec dataclasses to JSON text and back without loss, for ourselves: what Blender keeps and what a child process gets.

Blender's properties are 32-bit; a file's numbers are not. Each authored thing therefore carries, beside its editable
properties, the JSON text of the spec it was made from. An integer stays an integer, a tuple becomes a tuple again.

Nothing is checked and every field is written. What people read and write are files (`model_json`, `scenario_json`): a
format with versions, in which defaults are left out and every value is checked (`declarations`, `nodes`).
"""

import dataclasses
import json
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any


def dump(spec: Any, leave_out: tuple[str, ...] = ()) -> str:
    """JSON text of a dataclass without the named fields."""
    return json.dumps(
        {f.name: to_plain(getattr(spec, f.name)) for f in dataclasses.fields(spec) if f.name not in leave_out}
    )


def load(cls: type, text: str) -> Any:
    """Dataclass `cls` of JSON text; fields that the text lacks take their defaults or are blank."""
    return from_plain(cls, json.loads(text) if text else {})


def _in_full(value: Any) -> Any:
    """Arrays as lists."""
    return value.tolist() if hasattr(value, "tolist") else value


def to_plain(value: Any, leaf: Callable[[Any], Any] = _in_full) -> Any:
    """Value as JSON knows it; `leaf` turns whatever holds no further values."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_plain(getattr(value, f.name), leaf) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(item, leaf) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(item, leaf) for item in value]
    return leaf(value)


def from_plain(hint: Any, value: Any) -> Any:
    """Value of the type that `hint` asks for."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        inner = [item for item in arguments if item is not type(None)]
        return None if value is None else from_plain(inner[0], value)
    if dataclasses.is_dataclass(hint):
        hints = field_types(hint)
        known = {name: from_plain(hints[name], item) for name, item in value.items() if name in hints}
        return hint(**blanks(hint) | known)
    if origin is list:
        return [from_plain(arguments[0], item) for item in value]
    if origin is dict:
        return {key: from_plain(arguments[1], item) for key, item in value.items()}
    if origin is tuple:
        inner = [arguments[0]] * len(value) if arguments[-1] is Ellipsis else arguments
        return tuple(from_plain(h, item) for h, item in zip(inner, value, strict=False))
    return value


@cache
def field_types(cls: type) -> dict[str, Any]:
    """Resolved type of each field of a dataclass."""
    return typing.get_type_hints(cls)


def blanks(cls: type) -> dict[str, Any]:
    """An empty value for each field of a dataclass that has no default."""
    return {
        f.name: blank(field_types(cls)[f.name])
        for f in dataclasses.fields(cls)
        if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
    }


def blank(hint: Any) -> Any:
    """An empty value of a type: "", 0.0, (), None or a dataclass of blanks."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if dataclasses.is_dataclass(hint):
        return hint(**blanks(hint))
    if origin in (typing.Union, types.UnionType):
        return None
    if origin is tuple:
        return () if arguments[-1] is Ellipsis else tuple(blank(item) for item in arguments)
    return {str: "", float: 0.0, list: [], dict: {}}.get(origin or hint)
