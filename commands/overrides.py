"""Change values of a scenario by name: `--set duration=2 --set actors.0.velocity=[3,0,0]`.

A name is that of a setting (`duration`), or a dotted path from the scenario (`settings.duration`, `actors.0.velocity`,
`actors.man.joint_angles.neck`, `actors.man.velocity.2`). Things in lists go by number, counted from 0, or by name. The
value is JSON; a bare word is text, `a,b,c` a list, and on/off/yes/no are accepted for true/false.
"""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Iterable
from typing import Any

from ..engine.spec import Scenario, Settings
from ..io_json.declarations import fields_of
from ..io_json.errors import FileError
from ..io_json.nodes import nearest_hint

WORDS = {"on": True, "yes": True, "off": False, "no": False, "none": None}


def parse_assignment(text: str) -> tuple[str, Any]:
    """Name and value of "name=value". Raises FileError."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise FileError(f"--set {text!r} is no assignment", remedy="Write --set name=value")
    return name.strip(), parse_value(value.strip())


def parse_value(text: str) -> Any:
    """A value as a person types it."""
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    try:
        return json.loads(text, parse_constant=lambda word: word)
    except ValueError:
        return [parse_value(part.strip()) for part in text.split(",")] if "," in text else text


def apply_overrides(scenario: Scenario, assignments: Iterable[tuple[str, Any]]) -> Scenario:
    """A copy of the scenario with the values set. Raises FileError that names what is wrong and what there is."""
    changed = copy.deepcopy(scenario)
    for name, value in assignments:
        try:
            _set(changed, full_name(name).split("."), value)
        except FileError as error:
            place = f"--set {name}" + (f" ({error.place})" if error.place else "")
            raise FileError(error.message, place=place, remedy=error.remedy) from error
    return changed


def full_name(name: str) -> str:
    """The path from the scenario: settings may be named without "settings."."""
    is_setting = name.split(".")[0] in {field.name for field in dataclasses.fields(Settings)}
    return f"settings.{name}" if is_setting else name


def _set(owner: Any, path: list[str], value: Any) -> None:
    """Walk to the last dataclass of the path, and set the rest of it as the file format understands it."""
    name, *rest = path
    fields = fields_of(type(owner))
    if name not in fields:
        known = [*fields, *fields_of(Settings)] if isinstance(owner, Scenario) else list(fields)
        raise FileError(f"there is no {name!r}", remedy=nearest_hint(name, known))
    current = getattr(owner, name)
    inner, beyond = _descend(current, rest)
    if inner is not None:
        if not beyond:
            raise FileError(f"{'.'.join(path)} is not a single value", remedy="Name one of its members")
        _set(inner, beyond, value)
        return
    node = fields[name].node
    setattr(owner, name, node.read(_replaced(node.write(current, ""), rest, value), ""))


def _descend(current: Any, rest: list[str]) -> tuple[Any, list[str]]:
    """The dataclass that the path goes into, with what is left of the path; None where it ends in plain values."""
    if dataclasses.is_dataclass(current):
        return current, rest
    if isinstance(current, list) and rest and current and dataclasses.is_dataclass(current[0]):
        return _pick(current, rest[0]), rest[1:]
    if isinstance(current, dict) and rest and dataclasses.is_dataclass(current.get(rest[0])):
        return current[rest[0]], rest[1:]
    return None, rest


def _pick(things: list[Any], which: str) -> Any:
    """A thing of a list by number or by name."""
    if which.isdecimal() and int(which) < len(things):
        return things[int(which)]
    for thing in things:
        if getattr(thing, "name", None) == which:
            return thing
    names = [getattr(thing, "name", "") or str(index) for index, thing in enumerate(things)]
    raise FileError(f"there is no {which!r}", remedy=f"There are {len(things)}: {', '.join(names[:12])}")


def _replaced(plain: Any, rest: list[str], value: Any) -> Any:
    """A plain value with the member at the end of the path replaced."""
    if not rest:
        return value
    which = rest[0]
    if isinstance(plain, list) and which.isdecimal() and int(which) < len(plain):
        return [_replaced(item, rest[1:], value) if i == int(which) else item for i, item in enumerate(plain)]
    if isinstance(plain, dict):
        return {**plain, which: _replaced(plain.get(which), rest[1:], value)}
    raise FileError(f"there is no member {which!r}", remedy="Give a whole value, or a number that is there")
