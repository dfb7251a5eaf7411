"""Models and scenarios by name or file, persons by their measures, and a scenario for a model on its own."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.runs.placing import place_on_ground
from ..engine.spec import Actor, Model, Person, Scenario
from ..interchange.dispatch import READERS, ending, read_scenario
from ..interchange.dispatch import read_model as read_foreign
from ..io_json.addresses import with_values
from ..io_json.any_file import read_any
from ..io_json.errors import FileError
from ..io_json.person_builder import model_of
from ..io_json.resolve import find_file

SEXES = {"female": 0.0, "male": 1.0}
Source = Scenario | Model | str | os.PathLike
"""What can be run: a scenario, a model, a file of either, or the name of a shipped one."""


def load(source: str | os.PathLike) -> Model | Scenario:
    """A shipped model or scenario by its name ("male", "fall_standing"), or that of a file: JSON, OpenSim, Hyfydy.

    What was not carried over from another program's file is in the model's `notes`. Raises FileError.
    """
    path = find(source)
    if ending(path) in READERS:
        return read_foreign(path)[0]
    return read_any(path)[1]


def find(source: str | os.PathLike) -> Path:
    """The file meant by a path or by the name of something shipped. Raises FileError."""
    return find_file(source, "model or scenario")


def person(sex: str | float, age: float, height: float, mass: float, **more: float) -> Model:
    """The model of anybody: `person("female", age=71, height=1.63, mass=58)`. sex: a word, or 0 (woman) to 1 (man); age
    in years, height in m, mass in kg; more: build and what a tape measured, as in `Person`.

    Raises FileError where a measure is out of range or the shape data is missing.
    """
    share = SEXES.get(sex.lower(), sex) if isinstance(sex, str) else sex
    if isinstance(share, str):
        raise FileError(
            f"the sex '{sex}' is not known", remedy=f"Use {', '.join(SEXES)}, or a number from 0 to 1"
        )
    return model_of(Person(sex=share, age=age, height=height, mass=mass, **more), "person")


def scenario_of(source: Source, values: Mapping[str, Any] | None = None) -> Scenario:
    """A scenario to run, with values set by their addresses ("duration", "actors.man.velocity").

    A model alone stands at rest on the ground. Raises FileError.
    """
    if isinstance(source, str | os.PathLike):
        path = find(source)
        source = read_scenario(path)[0] if ending(path) in READERS else load(path)
    if isinstance(source, Model):
        actor = Actor(source.name, source)
        has_surface = any(body.ellipsoids for body in source.bodies)
        source = Scenario(source.name, [place_on_ground(actor) if has_surface else actor])
    return with_values(source, [(address, _plain(value)) for address, value in (values or {}).items()])


def _plain(value: Any) -> Any:
    """A value as a file would hold it: lists where a script has tuples or arrays."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value
