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
    names = _field_names(type(value))
    if names is not None:
        return {name: to_plain(getattr(value, name), leaf) for name in names}
    if isinstance(value, (list, tuple)):
        return [to_plain(item, leaf) for item in value]
    if isinstance(value, Mapping):
        return {str(key): to_plain(item, leaf) for key, item in value.items()}
    return leaf(value)


@cache
def _field_names(cls: type) -> tuple[str, ...] | None:
    """Fields of a dataclass, None for any other class."""
    return tuple(f.name for f in dataclasses.fields(cls)) if dataclasses.is_dataclass(cls) else None


def from_plain(hint: Any, value: Any) -> Any:
    """Value of the type that `hint` asks for."""
    return _reader(hint)(value)


def _as_it_is(value: Any) -> Any:
    return value


@cache
def _reader(hint: Any) -> Callable[[Any], Any]:
    """What makes a value of a type; looked at once for each type, as a scene has thousands of values."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        inner = _reader(next(item for item in arguments if item is not type(None)))
        return lambda value: None if value is None else inner(value)
    if dataclasses.is_dataclass(hint):
        return lambda value: _read_dataclass(hint, value)
    if origin is list:
        item = _reader(arguments[0])
        return list if item is _as_it_is else lambda value: [item(entry) for entry in value]
    if origin is dict:
        item = _reader(arguments[1])
        return lambda value: {key: item(entry) for key, entry in value.items()}
    if origin is tuple:
        return _tuple_reader(arguments)
    return _as_it_is


def _tuple_reader(arguments: tuple[Any, ...]) -> Callable[[Any], Any]:
    if arguments[-1] is Ellipsis:
        item = _reader(arguments[0])
        return tuple if item is _as_it_is else lambda value: tuple([item(entry) for entry in value])
    items = [_reader(argument) for argument in arguments]
    if all(item is _as_it_is for item in items):
        return lambda value: tuple(value[: len(items)])
    return lambda value: tuple([item(entry) for item, entry in zip(items, value, strict=False)])


def _read_dataclass(cls: type, value: Mapping[str, Any]) -> Any:
    readers = _field_readers(cls)
    known = {name: readers[name](item) for name, item in value.items() if name in readers}
    for name in _required(cls):
        if name not in known:
            known[name] = blank(field_types(cls)[name])
    return cls(**known)


@cache
def _field_readers(cls: type) -> dict[str, Callable[[Any], Any]]:
    return {name: _reader(hint) for name, hint in field_types(cls).items()}


@cache
def _required(cls: type) -> tuple[str, ...]:
    """Fields of a dataclass that have no default."""
    missing = dataclasses.MISSING
    return tuple(
        f.name for f in dataclasses.fields(cls) if f.default is missing and f.default_factory is missing
    )


@cache
def field_types(cls: type) -> dict[str, Any]:
    """Resolved type of each field of a dataclass."""
    return typing.get_type_hints(cls)


def blanks(cls: type) -> dict[str, Any]:
    """An empty value for each field of a dataclass that has no default."""
    return {name: blank(field_types(cls)[name]) for name in _required(cls)}


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
