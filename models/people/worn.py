"""What a person wears that counts in mass and contact: helmet, glasses, rucksack, each a rigid body on head or back.

A thing is a body of its own, fixed to the one that carries it, so that the head stays the head: its acceleration and
its criteria are those of the person. Each has one ellipsoid, placed by the surfaces of the person, and a material of
its own.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...engine.spec import Ellipsoid, Joint, Material, Model
from ...engine.spec.person import Person
from ..parts import frames
from ..parts.bodies import make_body, make_ellipsoid
from ..parts.materials import curve_material
from ..parts.rigid import solid_ellipsoid
from ..parts.tables import read_table

ORIGIN = np.zeros(3)
LINER = 0.025
"""m of a bicycle helmet's shell and liner over the skull (assumed, of the usual 20 to 30 mm)."""


@dataclass(frozen=True)
class Thing:
    """A rigid thing that somebody wears: how heavy it is, what carries it, what it is made of."""

    field: str
    """Of `Person`"""
    name: str
    """Of its body; the joint is called after it"""
    mass: float
    """kg, where none is given"""
    carrier: str
    """Body that it is fixed to"""
    untouched_bodies: str
    """What it does not touch, because it lies on it: bodies, parted by blanks"""
    loading: tuple[tuple[float, float], ...]
    """(m, N)"""
    retention: float
    """Share of the energy given back"""
    material_source: str
    source: str

    @property
    def untouched(self) -> list[str]:
        """Bodies that it does not touch."""
        return self.untouched_bodies.split()

    @property
    def material(self) -> Material:
        """What it is made of."""
        return curve_material(self.field, self.loading, self.retention, self.material_source)


THINGS = {thing.field: thing for thing in read_table(Path(__file__).with_suffix(".csv"), Thing)}
"""Field of `Person` to the thing."""


def put_on(model: Model, person: Person) -> Model:
    """Give a model what the person wears, in place."""
    for name, mass in worn_masses(person).items():
        _put_on(model, THINGS[name], mass)
    return model


def _put_on(model: Model, thing: Thing, mass: float) -> None:
    centre, half = PLACES[thing.field](model)
    label = thing.name.lower()
    surface = make_ellipsoid(label, centre, half, ORIGIN, thing.material.name)
    # a hollow helmet and a filled bag alike as a solid ellipsoid: mass and centre matter, the inertia is small
    piece = solid_ellipsoid(mass, centre, half)
    model.bodies.append(make_body(thing.name, piece, ORIGIN, [surface], f"{thing.name}, worn", thing.source))
    place = frames.transform(frames.CENTRAL, (0.0, 0.0, 0.0))
    model.joints.append(Joint(f"{label}Jnt", "fixed", thing.carrier, thing.name, T1=place, T2=place))
    present = {body.name for body in model.bodies}
    model.contact_exclude += [(thing.name, other) for other in thing.untouched if other in present]
    model.materials = [*model.materials, thing.material]
    model.notes.append(f"Wears a {label} of {mass:g} kg beside the mass of the body. {thing.source}")


def _surfaces(model: Model, *names: str) -> list[Ellipsoid]:
    """Ellipsoids whose bodies have the frame of the head or of the upper back."""
    found = {shape.name: shape for body in model.bodies for shape in body.ellipsoids}
    missing = [name for name in names if name not in found]
    if missing:
        raise ValueError(f"model '{model.name}' has no surface '{missing[0]}' to wear something on")
    return [found[name] for name in names]


def _reach(shape: Ellipsoid, axis: int, sign: float) -> float:
    """How far a surface reaches along an axis of its body, m."""
    return shape.position[axis] + sign * shape.half_extent(axis)


def _helmet(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Round the skull, `LINER` outside it, down to the widest place of the head."""
    crown, front, back, side = _surfaces(model, "crown", "forehead", "occiput", "parietal_l")
    ends = _reach(back, 0, -1.0), _reach(front, 0, 1.0)
    centre = np.array([0.5 * (ends[0] + ends[1]), 0.0, side.position[2]])
    half = np.array([0.5 * (ends[1] - ends[0]), _reach(side, 1, 1.0), _reach(crown, 2, 1.0) - centre[2]])
    return centre, half + LINER


def _glasses(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """A bar before the face, where it meets the forehead; as broad as the face is, less a little."""
    forehead, face = _surfaces(model, "forehead", "face")
    front = max(_reach(forehead, 0, 1.0), _reach(face, 0, 1.0))
    height = 0.5 * (forehead.position[2] + face.position[2])
    breadth = _reach(face, 1, 1.0)
    return np.array([front, 0.0, height]), np.array([0.010, 0.85 * breadth, 0.020])


def _rucksack(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Behind the back between loin and shoulders, as wide as the shoulders are apart, less a little."""
    upper, lower = _surfaces(model, "upper_thoracic", "thoracic")
    place = next(joint for joint in model.joints if joint.child == "ClavicleL").T1
    top, shoulder = place[2][3], place[1][3]
    loin = -0.6 * shoulder
    back = min(_reach(shape, 0, -1.0) for shape in (upper, lower))
    depth = 0.64 * shoulder
    centre = np.array([back - 0.75 * depth, 0.0, 0.5 * (top + loin)])
    return centre, np.array([depth, 0.84 * shoulder, 0.5 * (top - loin)])


PLACES = {"helmet": _helmet, "glasses": _glasses, "rucksack": _rucksack}
"""Thing to centre and half axes of its ellipsoid (m, upright) in the frame of the carrier, on somebody's model."""


def worn_masses(person: Person) -> dict[str, float]:
    """kg of each thing that a person wears. A load on the back is in the rucksack, with what that weighs already."""
    masses = {name: float(getattr(person, name)) for name in THINGS}
    if person.load_place == "back":
        masses["rucksack"] += person.load
    return {name: mass for name, mass in masses.items() if mass > 0.0}


def worn_things(person: Person) -> tuple[str, ...]:
    """Names of what a person wears that counts in the mass."""
    return tuple(worn_masses(person))
