"""A picture for people of the library, who are no persons made to measure: somebody of their size stands in.

The joints of the picture are put on those of the actor, body by body; what lies between them is stretched by the
weights of the skin. The picture only: contact is that of the actor's ellipsoids.
"""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np

from ...engine.spec.person import Person
from ...models.people.growth import MEAN_STATURE, STATURE_AGES, between
from ...models.people.look.carriers import CARRIERS, both_sides
from ...models.people.person_skin import skin_of
from ...models.people.shape import Shape, solve
from ...models.people.standing import BodyFrame, frames
from ..model.read import read_model
from ..store.actors import units_of_actor

BODIES = {body for carriers in CARRIERS.values() for body in carriers}
"""That a model must have to carry the picture."""
SAME_JOINT = {
    "Abdomen": "LowerBack",
    "Chest": "UpperBack",
    "ClavicleL": "UpperArmL",
    "ClavicleR": "UpperArmR",
}
"""Bodies whose place in the picture is the joint of another body."""
HIPS = ("ThighL", "ThighR")
ADULT = 40.0
"""Years, of anybody who is as tall as a grown-up (assumed)."""
DUMMY = "hybrid"
"""In the name of models that are no people."""


def stand_in(actor: bpy.types.Object) -> Person | None:
    """Somebody of an actor's height and mass; None where the actor is no such person, a dummy for one.

    A model does not say its sex and age: they follow from its name and its height.
    """
    model = read_model(actor)
    if model.height is None or DUMMY in model.name.lower() or not BODIES <= set(actor.data.bones.keys()):
        return None
    sex = 0.0 if "female" in model.name.lower() or "woman" in model.name.lower() else 1.0
    statures = between(sex, MEAN_STATURE)
    age = float(np.interp(model.height, statures, STATURE_AGES)) if model.height < statures[-3] else ADULT
    return Person(sex, round(age, 1), model.height, sum(body.mass for body in model.bodies))


def picture_of(person: Person, actor: bpy.types.Object) -> tuple[Shape, dict[str, BodyFrame]]:
    """Shape of who stands in, and how each body gets from it to the actor's rest. Raises ValueError for nobody."""
    shape = solve(person)
    standing = both_sides(frames(skin_of(shape)))
    return shape, {
        body: replace(frame, origin=joint_of(actor, SAME_JOINT.get(body, body)))
        for body, frame in standing.items()
        if body in BODIES
    }


def joint_of(actor: bpy.types.Object, body: str) -> np.ndarray:
    """(3,) m: where a body's joint is at rest; of the pelvis the middle of the hips."""
    bodies = HIPS if body == "pelvis" else (body,)
    heads = np.array([actor.data.bones[name].head_local for name in bodies], dtype=float)
    return units_of_actor(actor).metres * heads.mean(axis=0)
