"""Change values of a scenario by name: `--set duration=2 --set actors.0.velocity=[3,0,0]`.

A name is that of a setting (`duration`), or a dotted path from the scenario (`settings.duration`, `actors.0.velocity`,
`actors.man.joint_angles.neck`, `actors.man.velocity.2`). Things in lists go by number, counted from 0, or by name. The
value is JSON; a bare word is text, `a,b,c` a list, and on/off/yes/no are accepted for true/false.
"""

import json
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from ..engine.spec import Scenario
from ..io_json.addresses import with_values
from ..io_json.errors import FileError

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
    for name, value in assignments:
        scenario = _with_one(scenario, name, value)
    return scenario


def _with_one(scenario: Scenario, name: str, value: Any) -> Scenario:
    """One value set. "none" is no value, or the choice of that name where the setting has one."""
    try:
        return with_values(scenario, [(name, value)])
    except FileError as error:
        if value is None:
            with suppress(FileError):
                return with_values(scenario, [(name, "none")])
        raise FileError(error.message, place=f"--set {error.place}", remedy=error.remedy) from error
