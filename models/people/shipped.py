"""The people of the library: reference people, made as every person is (`person_model.make_person`).

`mannequin models write` makes their files again, which needs the shape data; reading the files does not.
"""

from copy import deepcopy
from dataclasses import replace
from functools import lru_cache

from ...engine.spec import Model
from ...engine.spec.person import Person
from . import anthropometry as data
from .legs import give_legs
from .person_model import PersonModel, make_person, person_with_muscles

AGE = 40.0
"""Years of the adults (assumed: the published means are of all adults of 20 years and more)."""
CHILDREN = data.HYBRID_III + " (stature and mass)"
ADULTS = data.NHANES + " (stature and mass; 40 years assumed)"

PEOPLE: dict[str, tuple[Person, str]] = {
    "male": (Person(1.0, AGE, *data.POPULATION_MEAN["male"]), ADULTS),
    "female": (Person(0.0, AGE, *data.POPULATION_MEAN["female"]), ADULTS),
    "child_6": (
        Person(1.0, 6.0, data.HYBRID_III_6_YEARS.stature, data.HYBRID_III_6_YEARS.mass),
        CHILDREN,
    ),
    "child_3": (
        Person(1.0, 3.0, data.HYBRID_III_3_YEARS.stature, data.HYBRID_III_3_YEARS.mass),
        CHILDREN,
    ),
}
"""Name of a shipped model to the person and where its size is from. The children are boys, whose heads have the
circumference of the dummies'."""
VARIANTS = ("_muscles", "_legs")
"""Endings of the names of models that are one of these people with something more."""


def shipped_person(name: str) -> Person | None:
    """Who a shipped model is; None for any other name."""
    for ending in VARIANTS:
        name = name.removesuffix(ending)
    return PEOPLE[name][0] if name in PEOPLE else None


@lru_cache(maxsize=len(PEOPLE))
def _made(name: str) -> PersonModel:
    person, source = PEOPLE[name]
    made = make_person(person, name)
    made.model.sources.append(source)
    return made


def build_shipped(name: str) -> Model:
    """The model of one of `PEOPLE`, the caller's own."""
    made = _made(name)
    return _own(made.model, name, made.model.description)


def build_with_muscles(name: str) -> Model:
    """One of `PEOPLE` with muscles of legs and neck."""
    made = _made(name)
    model = person_with_muscles(made)
    words = made.model.description.removesuffix(".") + f", {len(model.muscles)} muscles."
    return _own(model, f"{name}_muscles", words)


def build_with_legs(name: str) -> Model:
    """One of `PEOPLE` with legs that give and break."""
    whole = build_shipped(name)
    count = len(whole.bodies)
    model = give_legs(whole)
    words = model.description.replace(f"{count} bodies", f"{len(model.bodies)} bodies, legs that break")
    return _own(model, f"{name}_legs", words)


def _own(model: Model, name: str, description: str) -> Model:
    """A deep copy under another name."""
    return replace(deepcopy(model), name=name, description=description)
