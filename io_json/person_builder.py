"""How a person in a file becomes a model: this layer reads the person, and the layer above it that makes models.

The package's own `__init__` gives the function here, so that reading files loads it only where a file has a person.
This module is loaded with the package and so imports nothing else at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..engine.spec import Model, Person

_builders: list[Callable[[Person], Model]] = []


def set_builder(builder: Callable[[Person], Model]) -> None:
    """Say which function makes the model of a person."""
    _builders[:] = [builder]


def model_of(person: Person, place: str) -> Model:
    """The model of a person at a place of a file. Raises FileError for nobody, and where the shape data is missing."""
    from .errors import FileError

    try:
        return _builders[0](person)
    except ValueError as error:
        message, _, remedy = str(error).partition("; ")
        raise FileError(message, place=place, remedy=remedy[:1].upper() + remedy[1:]) from error
