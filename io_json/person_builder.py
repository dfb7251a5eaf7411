"""How a person or a class of vehicles in a file becomes a model, and a gait a start: this layer reads them, the layer
above it makes them.

The package's own `__init__` gives the functions here, so that reading files loads them only where a file has a person.
This module is loaded with the package and so imports nothing else at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..engine.spec import Actor, Model, Person

_builders: list[Callable[[Person, Model | None], Model]] = []
_walkers: list[Callable[[Actor], Actor]] = []
_vehicles: list[Callable[[str, bool], Model]] = []
SPRUNG = "_sprung"
"""Ending of a reference to a vehicle on suspensions and tyres."""


def set_builder(builder: Callable[[Person, Model | None], Model]) -> None:
    """Say which function makes the model of a person, with muscles and legs as another model has them."""
    _builders[:] = [builder]


def set_walker(walker: Callable[[Actor], Actor]) -> None:
    """Say which function gives an actor the start of its gait."""
    _walkers[:] = [walker]


def set_vehicle_builder(builder: Callable[[str, bool], Model]) -> None:
    """Say which function makes the vehicle of a class, on suspensions or not."""
    _vehicles[:] = [builder]


def vehicle_model(reference: str) -> Model | None:
    """The vehicle that a reference such as "saloon", "saloon_sprung" or "scooter" names; None for any other."""
    from ..engine.spec import LIGHT_VEHICLE_KINDS, VEHICLE_CLASSES

    if reference in LIGHT_VEHICLE_KINDS:
        return _vehicles[0](reference, False)
    kind = reference.removesuffix(SPRUNG)
    if kind not in VEHICLE_CLASSES:
        return None
    return _vehicles[0](kind, kind != reference)


def walking(actor: Actor) -> Actor:
    """The actor as its gait has it at the start. Raises FileError for a model that does not walk."""
    from .errors import FileError

    try:
        return _walkers[0](actor)
    except KeyError as error:
        raise FileError(
            f"the model of actor '{actor.name}' has no {error} to walk with",
            place=f"actors.{actor.name}.gait",
            remedy="Use a person of the library, or take the gait away",
        ) from error


def model_of(person: Person, place: str, like: Model | None = None) -> Model:
    """The model of a person at a place of a file; muscles, and legs that break, where `like` has them. Raises FileError
    for nobody, and where the shape data is missing."""
    from .errors import FileError

    try:
        return _builders[0](person, like)
    except ValueError as error:
        message, _, remedy = str(error).partition("; ")
        raise FileError(message, place=place, remedy=remedy[:1].upper() + remedy[1:]) from error
