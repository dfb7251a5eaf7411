"""A picture for people whose model does not say who they are, or who are no persons: somebody of their size stands in.

The joints of the picture are put on those of the model, body by body; what lies between them is stretched by the
weights of the skin. The picture only: contact is that of the model's ellipsoids.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ...engine.spec import Model
from ...engine.spec.person import Person
from .growth import MEAN_STATURE, STATURE_AGES, between
from .look.carriers import CARRIERS, both_sides
from .person_skin import skin_of
from .shape import Shape, solve
from .shipped import shipped_person
from .standing import BodyFrame, frames

BODIES = {body for carriers in CARRIERS.values() for body in carriers}
"""That a model must have to carry the picture."""
SAME_JOINT = {
    "Abdomen": "LowerBack",
    "Chest": "UpperBack",
    "ClavicleL": "UpperArmL",
    "ClavicleR": "UpperArmR",
}
"""Bodies whose place in the picture is the joint of another body."""
ADULT = 40.0
"""Years, of anybody who is as tall as a grown-up (assumed)."""
DUMMY = "hybrid"
"""In the name of models that are no people."""

Picture = tuple[Shape, dict[str, BodyFrame]]
"""A shape, and how each body gets from it to the model's rest."""


def stand_in(model: Model) -> Person | None:
    """Somebody of a model's height and mass; None where the model is no such person, a dummy for one.

    Shipped persons are known by name and height. Another model does not say its sex and age: they follow from its name
    and its height.
    """
    known = shipped_person(model.name)
    if known is not None and known.height == model.height:
        return known
    name = model.name.lower()
    if model.height is None or DUMMY in name or not BODIES <= {body.name for body in model.bodies}:
        return None
    sex = 0.0 if "female" in name or "woman" in name else 1.0
    statures = between(sex, MEAN_STATURE)
    age = float(np.interp(model.height, statures, STATURE_AGES)) if model.height < statures[-3] else ADULT
    return Person(sex, round(age, 1), model.height, sum(body.mass for body in model.bodies))


def picture_on(model: Model, joints: Mapping[str, np.ndarray]) -> Picture | None:
    """The picture of who stands in for a model whose bodies have their joints (3,) there at rest, m; None where nobody
    does, or nobody is so tall or heavy."""
    person = stand_in(model)
    try:
        shape = None if person is None else solve(person)
    except ValueError:
        return None
    if shape is None:
        return None
    at = {**joints, "pelvis": 0.5 * (joints["ThighL"] + joints["ThighR"])}
    return shape, {
        body: replace(frame, origin=np.asarray(at[SAME_JOINT.get(body, body)], dtype=float))
        for body, frame in both_sides(frames(skin_of(shape))).items()
        if body in BODIES
    }
