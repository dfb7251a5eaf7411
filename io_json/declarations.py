"""The keys of our formats, worked out from the dataclasses of `engine.spec`.

A field of a dataclass is a key of the same name; its type hint says what the key may hold. So a field added to the spec
is read and written without a further line here; its description says which words it may hold. Only what neither can
say is listed: sizes of matrices and of arrays.
"""

import dataclasses
import types
import typing
from functools import cache
from typing import Any

from ..engine import spec
from ..engine.spec.description import choices_of
from .nodes import AnyJson, Array, Boolean, Choice, Field, Integer, Map, Node, Number, Optional, Record, Text

VECTOR = Array(Number(), 3)
MATRIX3 = Array(Array(Number(), 3), 3)
MATRIX4 = Array(Array(Number(), 4), 4)
CURVE = Array(Array(Number(), 2))

_SPECIAL: dict[tuple[type, str], Node] = {
    (spec.Joint, "T1"): MATRIX4,
    (spec.Joint, "T2"): MATRIX4,
    (spec.Obstacle, "vertices"): Optional(Array(VECTOR)),
    (spec.Obstacle, "triangles"): Optional(Array(Array(Integer(), 3))),
    (spec.ContactMesh, "vertices"): Array(VECTOR),
    (spec.ContactMesh, "triangles"): Array(Array(Integer(), 3)),
    (spec.ContactMesh, "zone_of"): Array(Integer()),
    (spec.ContactMesh, "depth"): Array(Number()),
}


@cache
def fields_of(cls: type) -> dict[str, Field]:
    """Field name to declaration, in the order of the dataclass."""
    hints = typing.get_type_hints(cls)
    return {field.name: _declare(cls, field, hints[field.name]) for field in dataclasses.fields(cls)}


def _declare(cls: type, field: dataclasses.Field, hint: Any) -> Field:
    words = choices_of(field)
    node = Choice(words) if words else _SPECIAL.get((cls, field.name)) or node_of(hint)
    return Field(field.name, field.name, node, field.default, field.default_factory)


@cache
def record_of(cls: type) -> Record:
    """The record of a dataclass, under its own field names."""
    return Record(cls, tuple(fields_of(cls).values()), full=cls is spec.Settings)


def node_of(hint: Any) -> Node:
    """The declaration that a type hint amounts to."""
    simple = {float: Number(), int: Integer(), bool: Boolean(), str: Text(), Any: AnyJson()}
    if hint in simple:
        return simple[hint]
    if dataclasses.is_dataclass(hint):
        return record_of(hint)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        (inner,) = [argument for argument in arguments if argument is not type(None)]
        return Optional(node_of(inner))
    if origin is list:
        return Array(node_of(arguments[0]), container=list)
    if origin is dict:
        return Map(node_of(arguments[1]))
    if origin is tuple and arguments[-1] is Ellipsis:
        return Array(node_of(arguments[0]))
    if origin is tuple and len(set(arguments)) == 1:
        return Array(node_of(arguments[0]), len(arguments))
    raise TypeError(f"io_json cannot tell from the type hint {hint} what a file may hold: add it to _SPECIAL")
