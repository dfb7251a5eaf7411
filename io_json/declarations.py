"""The keys of our formats, worked out from the dataclasses of `engine.spec`.

A field of a dataclass is a key of the same name; its type hint says what the key may hold. So a field added to the spec
is read and written without a further line here. Only what a type hint cannot say is listed: words with a fixed choice,
sizes of matrices, and the two places where a file says it differently.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from functools import cache
from typing import Any

from ..engine import spec, spec_muscles
from .nodes import AnyJson, Array, Boolean, Choice, Field, Integer, Map, Node, Number, Optional, Record, Text

OBSTACLE_SHAPES = ("plane", "box", "capsule", "mesh")

VECTOR = Array(Number(), 3)
MATRIX3 = Array(Array(Number(), 3), 3)
MATRIX4 = Array(Array(Number(), 4), 4)
CURVE = Array(Array(Number(), 2))

_SPECIAL: dict[tuple[type, str], Node] = {
    (spec.Material, "law"): Choice(spec.CONTACT_LAWS),
    (spec.Material, "beyond_last"): Choice(("extend", "hold")),
    (spec.Joint, "type"): Choice(spec.JOINT_TYPES),
    (spec.Joint, "T1"): MATRIX4,
    (spec.Joint, "T2"): MATRIX4,
    (spec.JointSpring, "axis"): Choice(("z", "y", "x")),
    (spec.Coupler, "axis"): Choice(("z", "y", "x")),
    (spec_muscles.WrapSurface, "shape"): Choice(spec_muscles.WRAP_SHAPES),
    (spec_muscles.Activation, "form"): Choice(spec_muscles.ACTIVATION_FORMS),
    (spec_muscles.Muscle, "form"): Choice(spec_muscles.MUSCLE_FORMS),
    (spec_muscles.Muscle, "tendon"): Choice(spec_muscles.TENDONS),
    (spec_muscles.Muscle, "acts"): Choice(spec_muscles.MUSCLE_ACTIONS),
    (spec.ForcePulse, "frame"): Choice(("world", "body")),
    (spec.Obstacle, "shape"): Choice(OBSTACLE_SHAPES),
    (spec.Obstacle, "vertices"): Optional(Array(VECTOR)),
    (spec.Obstacle, "triangles"): Optional(Array(Array(Integer(), 3))),
    (spec.Settings, "integrator"): Choice(spec.INTEGRATORS),
    (spec.Settings, "friction_law"): Choice(spec.FRICTION_LAWS),
    (spec.Settings, "friction_rule"): Choice(spec.FRICTION_RULES),
    (spec.Settings, "multi_contact"): Choice(spec.MULTI_CONTACT_MODES),
    (spec.Settings, "contact_damping_mode"): Choice(("proportional", "constant")),
}


@cache
def fields_of(cls: type) -> dict[str, Field]:
    """Field name to declaration, in the order of the dataclass."""
    hints = typing.get_type_hints(cls)
    return {field.name: _declare(cls, field, hints[field.name]) for field in dataclasses.fields(cls)}


def _declare(cls: type, field: dataclasses.Field, hint: Any) -> Field:
    node = _SPECIAL.get((cls, field.name)) or node_of(hint)
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
