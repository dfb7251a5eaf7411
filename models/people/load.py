"""What a person carries in the hands or on a strap: bodies that count in mass, inertia and contact. What is carried on
the back is in a rucksack (`worn`).

Assumed: a load is a solid ellipsoid of `DENSITY`, hangs from a stretched hand or from a strap, does not swing, and does
not touch who carries it. It pushes back as the material of the trunk does.
"""

from dataclasses import replace

import numpy as np

from ...engine.spec import Body, Ellipsoid, Joint, Model
from ...engine.spec.person import Person
from ..parts.bodies import tidy, tidy_all
from ..parts.placement import body_transforms, bounds_of, ellipsoid_shapes

LOAD = "Load"
"""Beginning of the names of carried bodies."""
DENSITY = 250.0
"""kg/m3 of packed bags (assumed: 15 kg in 60 l)."""
SHAPE = (1.0, 0.45, 0.9)
"""Proportions of the semi-axes forward, sideways and up (assumed)."""
SOURCE = "Carried load; density, shape and place are assumed"


def with_load(model: Model, person: Person) -> Model:
    """The model with what a person carries in hands or on a strap; without such a load as it is."""
    if person.load <= 0.0 or person.load_place == "back":
        return model
    at = ellipsoid_shapes(model, body_transforms(model))
    loads = [_load(model, name, carrier, mass, place) for name, carrier, mass, place in _places(person, at)]
    bodies = [body for body, _ in loads]
    apart = [(body.name, other.name) for body in bodies for other in (*model.bodies, *bodies)]
    return replace(
        model,
        bodies=[*model.bodies, *bodies],
        joints=[*model.joints, *(joint for _, joint in loads)],
        contact_exclude=[*model.contact_exclude, *(pair for pair in apart if pair[0] != pair[1])],
        notes=[*model.notes, f"Carries {person.load:g} kg, {person.load_place.replace('_', ' ')}: {SOURCE}."],
    )


def semi_axes(mass: float) -> np.ndarray:
    """(3,) m of the ellipsoid of a mass: m = rho 4/3 pi a b c."""
    unit = DENSITY * 4.0 / 3.0 * np.pi * np.prod(SHAPE)
    return np.array(SHAPE) * (mass / unit) ** (1.0 / 3.0)


def _places(person: Person, at: list) -> list[tuple[str, str, float, np.ndarray]]:
    """Name, body that carries, mass and centre (standing, m) of each load."""
    hands = {"right_hand": "R", "left_hand": "L", "both_hands": "LR"}.get(person.load_place)
    if hands:
        mass = person.load / len(hands)
        hanging = semi_axes(mass)[2]
        return [(f"{LOAD}{side}", f"Hand{side}", mass, _below(at, f"Hand{side}", hanging)) for side in hands]
    hips = bounds_of([shape for shape in at if shape[0] == "pelvis"])
    beside = semi_axes(person.load)[1]
    place = np.array([0.5 * (hips[0][0] + hips[1][0]), hips[0][1] - beside, 0.5 * (hips[0][2] + hips[1][2])])
    return [(LOAD, "UpperBack", person.load, place)]


def _below(at: list, hand: str, by: float) -> np.ndarray:
    """(3,) centre of what hangs from a hand, so far below its lowest point."""
    low, high = bounds_of([shape for shape in at if shape[0] == hand])
    return np.array([*(0.5 * (low + high))[:2], low[2] - by])


def _load(model: Model, name: str, carrier: str, mass: float, place: np.ndarray) -> tuple[Body, Joint]:
    """A solid ellipsoid at a place (standing, m), along the axes of the world there, fixed to a body."""
    a, b, c = (float(x) for x in semi_axes(mass))
    inertia = [0.2 * mass * x for x in (b * b + c * c, a * a + c * c, a * a + b * b)]
    trunk = next(body for body in model.bodies if body.name == "UpperBack")
    surface = Ellipsoid(name.lower(), semi_axes=tidy_all((a, b, c)), material=trunk.ellipsoids[0].material)
    body = Body(name, tidy(mass), tidy_all((*inertia, 0.0, 0.0, 0.0)), ellipsoids=[surface], source=SOURCE)
    frame = np.eye(4)
    frame[:3, 3] = place
    in_carrier = np.linalg.inv(body_transforms(model)[carrier]) @ frame
    return body, Joint(
        f"{name.lower()}Jnt", "fixed", carrier, name, T1=tuple(tidy_all(row) for row in in_carrier)
    )
