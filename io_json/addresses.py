"""Values of a scenario by address: `actors.man.velocity.2`, `/actors/0/velocity/2`, `duration`.

An address is a dotted path from the scenario, a JSON pointer (RFC 6901; for names with a dot in them), or the bare name
of a setting. Things in lists go by number, counted from 0, or by name.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterable
from typing import Any

from ..engine.spec import Scenario, Settings
from .declarations import fields_of
from .errors import FileError
from .nodes import nearest_hint


def with_values(scenario: Scenario, assignments: Iterable[tuple[str, Any]]) -> Scenario:
    """A copy of the scenario with the values set, each as the file format understands it.

    Raises FileError whose place begins with the address and which says what there is.
    """
    changed = copy.deepcopy(scenario)
    for address, value in assignments:
        try:
            _set(changed, path_of(address), value)
        except FileError as error:
            place = address + (f" ({error.place})" if error.place else "")
            raise FileError(error.message, place=place, remedy=error.remedy) from error
    return changed


def value_at(scenario: Scenario, address: str) -> Any:
    """What the scenario has at an address, as a file would hold it. Raises FileError like `with_values`."""
    try:
        return _get(scenario, path_of(address))
    except FileError as error:
        raise FileError(error.message, place=address, remedy=error.remedy) from error


def path_of(address: str) -> list[str]:
    """The steps from the scenario to the value."""
    if address.startswith("/"):
        return [part.replace("~1", "/").replace("~0", "~") for part in address[1:].split("/")]
    return full_name(address).split(".")


def full_name(name: str) -> str:
    """The path from the scenario: settings may be named without "settings."."""
    is_setting = name.split(".")[0] in {field.name for field in dataclasses.fields(Settings)}
    return f"settings.{name}" if is_setting else name


def _set(owner: Any, path: list[str], value: Any) -> None:
    """Walk to the last dataclass of the path, and set the rest of it as the file format understands it."""
    owner, name, rest = _owner(owner, path)
    node = fields_of(type(owner))[name].node
    setattr(owner, name, node.read(_replaced(node.write(getattr(owner, name), ""), rest, value), ""))


def _get(owner: Any, path: list[str]) -> Any:
    owner, name, rest = _owner(owner, path)
    plain = fields_of(type(owner))[name].node.write(getattr(owner, name), "")
    for which in rest:
        plain = _member(plain, which)
    return plain


def _owner(owner: Any, path: list[str]) -> tuple[Any, str, list[str]]:
    """The last dataclass on the path, its field, and the rest of the path, which lies in plain values."""
    name, *rest = path
    fields = fields_of(type(owner))
    if name not in fields:
        known = [*fields, *fields_of(Settings)] if isinstance(owner, Scenario) else list(fields)
        raise FileError(f"there is no {name!r}", remedy=nearest_hint(name, known))
    inner, beyond = _descend(getattr(owner, name), rest)
    if inner is None:
        return owner, name, rest
    if not beyond:
        raise FileError(f"{'.'.join(path)} is not a single value", remedy="Name one of its members")
    return _owner(inner, beyond)


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


def _member(plain: Any, which: str) -> Any:
    """A member of a list by number, or of an object by name."""
    if isinstance(plain, list) and which.isdecimal() and int(which) < len(plain):
        return plain[int(which)]
    if isinstance(plain, dict) and which in plain:
        return plain[which]
    raise FileError(f"there is no member {which!r}", remedy="Give a whole value, or a number that is there")


def _replaced(plain: Any, rest: list[str], value: Any) -> Any:
    """A plain value with the member at the end of the path replaced."""
    if not rest:
        return value
    which = rest[0]
    if isinstance(plain, dict):
        return {**plain, which: _replaced(plain.get(which), rest[1:], value)}
    _member(plain, which)
    return [_replaced(item, rest[1:], value) if i == int(which) else item for i, item in enumerate(plain)]
