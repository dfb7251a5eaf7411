"""Values of a scenario by address: `actors.man.velocity.2`, `/actors/0/velocity/2`, `duration`.

An address is a dotted path from the scenario, a JSON pointer (RFC 6901; for names with a dot in them), or the bare name
of a setting. Things in lists go by number, counted from 0, or by name.
"""

import dataclasses
from collections.abc import Iterable
from typing import Any

from ..engine.spec import Actor, Scenario, Settings
from .declarations import fields_of
from .errors import FileError, at_place
from .nodes import nearest_hint
from .person_builder import model_of, walking


def with_values(scenario: Scenario, assignments: Iterable[tuple[str, Any]]) -> Scenario:
    """The scenario with values set, each as the file format understands it; the one given stays as it is.

    Parts that hold no changed value are shared by both, not copied. An actor whose person changed gets that person's
    model (with muscles and legs as it had them), and one whose gait changed the start of it. Raises FileError whose
    place begins with the address and which names the valid choices.
    """
    known = [value for actor in scenario.actors for value in (actor.person, actor.gait) if value is not None]
    for address, value in assignments:
        try:
            scenario = _changed(scenario, path_of(address), value)
        except FileError as error:
            place = address + (f" ({error.place})" if error.place else "")
            raise FileError(error.message, place=place, remedy=error.remedy) from error
    actors = [_remade(actor, known) for actor in scenario.actors]
    if all(new is old for new, old in zip(actors, scenario.actors, strict=True)):
        return scenario
    return dataclasses.replace(scenario, actors=actors)


def _remade(actor: Actor, known: list[Any]) -> Actor:
    """The actor with the model of its person and the start of its gait, where these are not among those known."""
    is_new = [
        value is not None and not any(value is old for old in known) for value in (actor.person, actor.gait)
    ]
    if is_new[0]:
        model = model_of(actor.person, f"actors.{actor.name}.person", actor.model)
        actor = dataclasses.replace(actor, model=model, model_reference="")
    return walking(actor) if actor.gait is not None and any(is_new) else actor


def value_at(scenario: Scenario, address: str) -> Any:
    """What the scenario has at an address, as a file would hold it. Raises FileError like `with_values`."""
    with at_place(address):
        return _get(scenario, path_of(address))


def path_of(address: str) -> list[str]:
    """The steps from the scenario to the value."""
    if address.startswith("/"):
        return [part.replace("~1", "/").replace("~0", "~") for part in address[1:].split("/")]
    return full_name(address).split(".")


def full_name(name: str) -> str:
    """The path from the scenario: settings may be named without "settings."."""
    is_setting = name.split(".")[0] in {field.name for field in dataclasses.fields(Settings)}
    return f"settings.{name}" if is_setting else name


def _changed(owner: Any, path: list[str], value: Any) -> Any:
    """A dataclass with the value at the end of the path replaced, as the file format understands it."""
    name, rest = _field(owner, path)
    current = getattr(owner, name)
    inner, where, beyond = _descend(current, rest)
    if inner is None:
        node = fields_of(type(owner))[name].node
        changed = node.read(_replaced(node.write(current, ""), rest, value), "")
    else:
        changed = _changed(inner, _not_empty(path, beyond), value)
        if isinstance(current, list):
            changed = [changed if index == where else item for index, item in enumerate(current)]
        elif isinstance(current, dict):
            changed = {**current, where: changed}
    return dataclasses.replace(owner, **{name: changed})


def _get(owner: Any, path: list[str]) -> Any:
    name, rest = _field(owner, path)
    inner, _, beyond = _descend(getattr(owner, name), rest)
    if inner is not None:
        return _get(inner, _not_empty(path, beyond))
    plain = fields_of(type(owner))[name].node.write(getattr(owner, name), "")
    for which in rest:
        plain = _member(plain, which)
    return plain


def _field(owner: Any, path: list[str]) -> tuple[str, list[str]]:
    """The first step of the path, which must be a field, and the rest."""
    fields = fields_of(type(owner))
    if path[0] not in fields:
        known = [*fields, *fields_of(Settings)] if isinstance(owner, Scenario) else list(fields)
        raise FileError(f"there is no {path[0]!r}", remedy=nearest_hint(path[0], known))
    return path[0], path[1:]


def _not_empty(path: list[str], beyond: list[str]) -> list[str]:
    """What is left of a path that has come to a dataclass."""
    if not beyond:
        raise FileError(f"{'.'.join(path)} is not a single value", remedy="Name one of its members")
    return beyond


def _descend(current: Any, rest: list[str]) -> tuple[Any, Any, list[str]]:
    """The dataclass that the path goes into, where in the list or dict it is, and what is left of the path.

    None where the path continues in plain values.
    """
    if dataclasses.is_dataclass(current):
        return current, None, rest
    if isinstance(current, list) and rest and current and dataclasses.is_dataclass(current[0]):
        index = _index(current, rest[0])
        return current[index], index, rest[1:]
    if isinstance(current, dict) and rest and dataclasses.is_dataclass(current.get(rest[0])):
        return current[rest[0]], rest[0], rest[1:]
    return None, None, rest


def _index(things: list[Any], which: str) -> int:
    """Where a thing is in a list, by number or by name."""
    if which.isdecimal() and int(which) < len(things):
        return int(which)
    names = [getattr(thing, "name", "") or str(index) for index, thing in enumerate(things)]
    if which in names:
        return names.index(which)
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
