"""Every field of a spec and of all specs below it, held against its type hint and its rule in `engine.spec.rules`.

What is found here needs no other field to judge it.
"""

import types
import typing
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from .. import JOINT_TYPES, Joint, Model, PairMaterial, PathWrap, SpringDamper
from ..description import Choices, choices_of
from ..rules import RULES, RigidTransform, Rotation, Rows, Rule
from .issue import Issue, WrongType
from .values import (
    ANY_NUMBER,
    SEQUENCES,
    Check,
    check_dictionary,
    check_items,
    check_number,
    check_optional,
    check_rotation,
    check_rows,
    check_transform,
    check_type,
    check_vector,
    check_whole_number,
    check_word,
)

CHECK_OF_RULE: dict[type, Check] = {
    Choices: check_word,
    dict: check_word,
    Rows: check_rows,
    Rotation: check_rotation,
    RigidTransform: check_transform,
}
CHECK_OF_TYPE: dict[Any, Check | None] = {
    Any: None,
    float: check_number,
    int: check_whole_number,
    bool: partial(check_type, wanted="true or false", types=(bool, np.bool_)),
    str: partial(check_type, wanted="a text", types=(str,)),
}
WORDS_FROM_TABLES = {(Joint, "type"): JOINT_TYPES}
"""Fields whose words are the names in a table, which may grow after it was described."""
ONE_OF_LIST = {
    "springs": "spring",
    "breaks": "break",
    "functions": "function",
    "shifts": "shift",
    "torque_pulses": "torque pulse",
    "force_pulses": "force pulse",
    "prescribed": "prescribed motion",
    "points": "point",
    "meshes": "mesh",
    "path": "path point",
}
"""List to what one of its nameless items is called, with its number from 0 on. An item that belongs in no such
list is called by the list it is in."""
UNDER_NAME = {"motors": "joint '{}', motor", "excitations": "excitation '{}'"}
"""Dictionary to the place of the item under a name."""


def field_issues(spec: Any, place: str, prefix: str | None = None) -> list[Issue]:
    """Problems of the fields of a spec at `place`, and of its parts, whose places begin with `prefix` (or `place`)."""
    issues: list[Issue] = []
    for name, what, check, rule in _plan(type(spec)):
        found = check(place, what, getattr(spec, name), rule)
        if found:
            issues += found if _counts(rule, spec) else [i for i in found if isinstance(i, WrongType)]
    prefix = place if prefix is None else prefix
    for name in _parts(type(spec)):
        for where, part in _located(name, getattr(spec, name)):
            issues += field_issues(part, f"{prefix}, {where}" if prefix else where)
    return issues


def is_sound(spec: Any) -> bool:
    """Whether the fields of a spec and of its parts are right one by one."""
    return not field_issues(spec, "")


def _counts(rule: Rule | Choices | None, spec: Any) -> bool:
    """Whether the value of a field matters: one that does not need only be of the right type."""
    when = getattr(rule, "when", None)
    return when is None or when(spec)


@cache
def _plan(cls: type) -> tuple[tuple[str, str, Check, Rule | Choices | None], ...]:
    """(field, what messages call it, check, rule) of every field of a spec that cannot hold just anything."""
    hints, rules = typing.get_type_hints(cls), RULES.get(cls, {})
    plan = []
    for field in fields(cls):
        rule = WORDS_FROM_TABLES.get((cls, field.name)) or choices_of(field) or rules.get(field.name)
        check = _check_of(hints[field.name], rule)
        if check is not None:
            what = getattr(rule, "called", "") or field.name.replace("_", " ")
            plan.append((field.name, what, check, rule or ANY_NUMBER))
    return tuple(plan)


def _check_of(hint: Any, rule: Rule | Choices | None) -> Check | None:
    """The check of a field of this type and rule; None where it may hold anything."""
    if type(rule) in CHECK_OF_RULE and not _is_optional(hint):
        return CHECK_OF_RULE[type(rule)]
    if hint in CHECK_OF_TYPE:
        return CHECK_OF_TYPE[hint]
    if is_dataclass(hint):
        return partial(check_type, wanted=f"a {kind_of(hint)}", types=(hint,))
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if _is_optional(hint):
        (inner,) = [argument for argument in arguments if argument is not type(None)]
        return partial(check_optional, check=_check_of(inner, rule))
    if origin is dict:
        return partial(check_dictionary, check=_check_of(arguments[1], rule))
    if origin is tuple and set(arguments) == {float}:
        return partial(check_vector, size=len(arguments))
    size = None if origin is list or arguments[-1] is Ellipsis else len(arguments)
    return partial(check_items, check=_check_of(arguments[0], rule), size=size)


def _is_optional(hint: Any) -> bool:
    return typing.get_origin(hint) in (typing.Union, types.UnionType)


@cache
def _parts(cls: type) -> tuple[str, ...]:
    """Fields that hold further specs. The model of an actor is none of them: it is checked once for all its actors."""
    hints = typing.get_type_hints(cls)
    return tuple(field.name for field in fields(cls) if _holds_spec(hints[field.name]))


def _holds_spec(hint: Any) -> bool:
    return hint is not Model and (is_dataclass(hint) or any(map(_holds_spec, typing.get_args(hint))))


def _located(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """(place, spec) of the specs in a field, leaving out what is of a wrong type."""
    if isinstance(value, dict):
        yield from ((UNDER_NAME[name].format(key), item) for key, item in value.items() if is_dataclass(item))
    elif isinstance(value, SEQUENCES):
        for number, item in enumerate(value):
            if is_dataclass(item):
                yield place_of(item) or f"{ONE_OF_LIST.get(name, name.replace('_', ' '))} {number}", item
    elif is_dataclass(value):
        yield name.replace("_", " "), value


def place_of(spec: Any) -> str:
    """How a spec in a list is called by its own name; empty where it has none."""
    if isinstance(spec, PairMaterial):
        return f"pair '{spec.first}' and '{spec.second}'"
    if isinstance(spec, PathWrap):
        return f"wrap '{spec.surface}'"
    return f"{kind_of(type(spec))} '{spec.name}'" if hasattr(spec, "name") else ""


@cache
def kind_of(cls: type) -> str:
    """What a spec of this class is called in messages."""
    if cls is SpringDamper:
        return "spring"
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in cls.__name__).strip()
