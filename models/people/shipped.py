"""Who the people of the library are, as persons, and their models.

They are made as every person is (`person_model.make_person`). `mannequin models write` makes the files again, which
needs the shape data; reading them does not.
"""

from dataclasses import replace

from ...engine.spec import Model
from ...engine.spec.person import Person
from . import anthropometry as data
from .legs import give_legs

ADULT = 40.0
"""Years of the adults (assumed: the published means are of all adults of 20 years and more)."""

PEOPLE = {
    "male": Person(1.0, ADULT, *data.POPULATION_MEAN["male"]),
    "female": Person(0.0, ADULT, *data.POPULATION_MEAN["female"]),
    "child_6": Person(1.0, 6.0, data.HYBRID_III_6_YEARS.stature, data.HYBRID_III_6_YEARS.mass),
    "child_3": Person(1.0, 3.0, data.HYBRID_III_3_YEARS.stature, data.HYBRID_III_3_YEARS.mass),
}
"""Name of a shipped model to the person. The children are boys, whose heads have the circumference of the dummies'."""
SIZES = {"male": data.NHANES, "female": data.NHANES, "child_6": data.HYBRID_III, "child_3": data.HYBRID_III}
"""Name of a shipped model to where its stature and mass are from."""
MUSCLES, LEGS = "_muscles", "_legs"
"""Endings of the names of models with muscles of legs and neck, and with legs that give and break."""


def _plain(name: str) -> str:
    return name.removesuffix(MUSCLES).removesuffix(LEGS)


def shipped_person(name: str) -> Person | None:
    """The person that a shipped model is made of, whatever was added to it; None for other models."""
    return PEOPLE.get(_plain(name))


def build_shipped(name: str) -> Model:
    """The model of one of `PEOPLE`, where its name says so with muscles or legs that break. Raises ValueError where the
    shape data is missing."""
    from .person_model import make_person, person_with_muscles

    plain = _plain(name)
    made = make_person(PEOPLE[plain], name)
    made.model.sources.append(f"{SIZES[plain]} (stature and mass)")
    if name.endswith(MUSCLES):
        model = person_with_muscles(made)
        return _described(model, f", {len(model.muscles)} muscles")
    if name.endswith(LEGS):
        bodies = f", {len(made.model.bodies)} bodies"
        model = give_legs(made.model)
        words = model.description.replace(bodies, f", {len(model.bodies)} bodies")
        return _described(replace(model, description=words), ", legs that break")
    return made.model


def _described(model: Model, more: str) -> Model:
    return replace(model, description=f"{model.description.removesuffix('.')}{more}.")
