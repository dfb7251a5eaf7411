"""Who the people of the library are, as persons, and the models of those that are made from the mesh.

The woman and the children are made as every person is (`person_model.make_person`). `male` and its variants are still
built from tables (`human`); `models person --like male` makes the person. `mannequin models write` makes the files
again, which needs the shape data; reading them does not.
"""

from dataclasses import replace

from ...engine.spec import Model
from ...engine.spec.person import Person
from . import anthropometry as data

ADULT = 40.0
"""Years of the adults (assumed: the published means are of all adults of 20 years and more)."""

PEOPLE = {
    "male": Person(1.0, ADULT, *data.POPULATION_MEAN["male"]),
    "female": Person(0.0, ADULT, *data.POPULATION_MEAN["female"]),
    "child_6": Person(1.0, 6.0, data.HYBRID_III_6_YEARS.stature, data.HYBRID_III_6_YEARS.mass),
    "child_3": Person(1.0, 3.0, data.HYBRID_III_3_YEARS.stature, data.HYBRID_III_3_YEARS.mass),
}
"""Name of a shipped model to the person. The children are boys, whose heads have the circumference of the dummies'."""
SIZES = {"female": data.NHANES, "child_6": data.HYBRID_III, "child_3": data.HYBRID_III}
"""Name of a shipped model that is made from the mesh to where its stature and mass are from."""
MUSCLES = "_muscles"
"""Ending of the name of a model with muscles of legs and neck."""


def shipped_person(name: str) -> Person | None:
    """The person that a shipped model is made of, with muscles or without; None for other models."""
    plain = name.removesuffix(MUSCLES)
    return PEOPLE[plain] if plain in SIZES else None


def build_shipped(name: str) -> Model:
    """The model of one of the people of `SIZES`, where its name says so with muscles. Raises ValueError where the shape
    data is missing."""
    from .person_model import make_person, person_with_muscles

    plain = name.removesuffix(MUSCLES)
    made = make_person(PEOPLE[plain], name)
    made.model.sources.append(f"{SIZES[plain]} (stature and mass)")
    if plain == name:
        return made.model
    model = person_with_muscles(made)
    words = model.description.removesuffix(".")
    return replace(model, description=f"{words}, {len(model.muscles)} muscles.")
