"""Which ellipsoids a person has, where a fit starts, and the stored fits of reference people.

Fits are stored in the frames of the bodies in the standing pose, with the box that holds the body's skin. A new person
starts from the nearest reference person, each ellipsoid stretched as its body's box is. The table
`reference_fits.csv` is written by `mannequin models fits`.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from ...engine.spec.person import Person
from .cutting import CENTRAL, Pieces
from .skin_fit import Blobs, Slot
from .standing import BodyFrame

FILE = Path(__file__).resolve().parent / "reference_fits.csv"


def _slots(rows: str) -> tuple[Slot, ...]:
    return tuple(Slot(*row.split()) for row in rows.strip().splitlines())


LAYOUT = _slots(
    """
    cranium         head      head     central
    face            head      face     central
    mandible        head      face     central
    cervical        Neck      neck     central
    pelvis          pelvis    pelvis   central
    buttock         pelvis    pelvis   pair
    abdomen         Abdomen   abdomen  central
    lumbar          LowerBack back     central
    upper_thoracic  UpperBack back     central
    thoracic        UpperBack back     central
    rib_cage        Chest     thorax   central
    breast          Chest     thorax   pair
    shoulder        Clavicle  shoulder left
    deltoid         UpperArm  shoulder left
    humerus         UpperArm  arm      left
    elbow           Forearm   arm      left
    radioulna_upper Forearm   arm      left
    radioulna_lower Forearm   arm      left
    palm            Hand      hand     left
    fingers         Hand      hand     left
    femur_1         Thigh     thigh    left
    femur_2         Thigh     thigh    left
    femur_3         Thigh     thigh    left
    knee            Shank     knee     left
    tibia_1         Shank     shank    left
    tibia_2         Shank     shank    left
    heel            Foot      foot     left
    midfoot         Foot      foot     left
    forefoot        Foot      foot     left
    """
)
"""Name, body, contact material, kind, from above down each body: 48 ellipsoids."""

NEIGHBOURS = (
    ("head", "Neck"),
    ("Neck", "UpperBack"),
    ("Neck", "Chest"),
    ("Neck", "Clavicle"),
    ("UpperBack", "Chest"),
    ("UpperBack", "Clavicle"),
    ("UpperBack", "LowerBack"),
    ("UpperBack", "UpperArm"),
    ("Chest", "Clavicle"),
    ("Chest", "Abdomen"),
    ("Chest", "UpperArm"),
    ("Clavicle", "UpperArm"),
    ("LowerBack", "Abdomen"),
    ("LowerBack", "pelvis"),
    ("Abdomen", "pelvis"),
    ("pelvis", "Thigh"),
    ("Thigh", "Shank"),
    ("Shank", "Foot"),
    ("UpperArm", "Forearm"),
    ("Forearm", "Hand"),
)
"""Bodies whose ellipsoids may cover each other's skin."""


def near() -> dict[str, set[str]]:
    """Body to its neighbours."""
    out: dict[str, set[str]] = {slot.body: set() for slot in LAYOUT}
    for a, b in NEIGHBOURS:
        out[a].add(b)
        out[b].add(a)
    return out


@dataclass(frozen=True)
class Box:
    """The box that holds a body's skin in the standing frame of the body."""

    middle: np.ndarray
    half: np.ndarray


def boxes(pieces: Pieces, frames: Mapping[str, BodyFrame]) -> dict[str, Box]:
    """Body to the box of its skin; bodies of the middle with both halves."""
    out = {}
    for body, frame in frames.items():
        points = (pieces.skin(body).reshape(-1, 3) - frame.joint) @ frame.turn.T
        low, high = points.min(axis=0), points.max(axis=0)
        if body in CENTRAL:
            low[1] = -high[1]
        out[body] = Box((low + high) / 2.0, (high - low) / 2.0)
    return out


def first_guess(pieces: Pieces, frames: Mapping[str, BodyFrame]) -> Blobs:
    """A start without a stored fit: the ellipsoids of a body one after the other along its longest extent."""
    long_axis = {"Foot": 0, "Clavicle": 1}
    centre, axes, turn = [], [], []
    for slot in LAYOUT:
        mates = [other for other in LAYOUT if (other.body, other.kind) == (slot.body, slot.kind)]
        place, number, frame = mates.index(slot), len(mates), frames[slot.body]
        points = (pieces.skin(slot.body).reshape(-1, 3) - frame.joint) @ frame.turn.T
        if slot.kind == "central":
            points = np.concatenate([points, points * np.array([1.0, -1.0, 1.0])])
        axis = long_axis.get(slot.body, 2)
        low, high = np.percentile(points[:, axis], (1, 99))
        if axis == 2:
            place = number - 1 - place
        start, end = low + (high - low) * np.array([place, place + 1]) / number
        margin = 0.1 * (end - start)
        slab = points[(points[:, axis] >= start - margin) & (points[:, axis] <= end + margin)]
        half = 0.475 * np.ptp(slab, axis=0)
        half[axis] *= 1.2
        centre.append(frame.turn.T @ ((slab.min(axis=0) + slab.max(axis=0)) / 2.0) + frame.joint)
        axes.append(np.maximum(half, 0.01))
        turn.append(frame.turn.T)
    return Blobs(np.array(centre), np.array(axes), np.array(turn))


def in_bodies(blobs: Blobs, frames: Mapping[str, BodyFrame]) -> Blobs:
    """Ellipsoids in the mesh to the standing frames of their bodies."""
    turns = np.stack([frames[slot.body].turn for slot in LAYOUT])
    joints = np.stack([frames[slot.body].joint for slot in LAYOUT])
    return Blobs(np.einsum("kij,kj->ki", turns, blobs.centre - joints), blobs.axes, turns @ blobs.turn)


def in_mesh(blobs: Blobs, frames: Mapping[str, BodyFrame]) -> Blobs:
    """The opposite of `in_bodies`."""
    turns = np.stack([frames[slot.body].turn.T for slot in LAYOUT])
    joints = np.stack([frames[slot.body].joint for slot in LAYOUT])
    return Blobs(np.einsum("kij,kj->ki", turns, blobs.centre) + joints, blobs.axes, turns @ blobs.turn)


@dataclass(frozen=True)
class StoredFit:
    """The fit of a reference person."""

    person: Person
    boxes: dict[str, Box]
    blobs: Blobs
    """In the standing frames of the bodies"""

    def stretched(self, onto: Mapping[str, Box]) -> Blobs:
        """The ellipsoids as the boxes of their bodies are stretched; an ellipsoid stretched is an ellipsoid."""
        centre, axes, turn = [], [], []
        for k, slot in enumerate(LAYOUT):
            old, new = self.boxes[slot.body], onto[slot.body]
            ratio = new.half / old.half
            centre.append(new.middle + ratio * (self.blobs.centre[k] - old.middle))
            shape = ratio[:, None] * self.blobs.turn[k] * self.blobs.axes[k]
            left, sizes, right = np.linalg.svd(shape)
            order = np.abs(right).argmax(axis=0)  # keep the order of the axes, as far as it is kept
            if sorted(order) != [0, 1, 2]:
                order = np.arange(3)
            left = left[:, order]
            left[:, 2] *= np.sign(np.linalg.det(left))
            axes.append(sizes[order])
            turn.append(left)
        return Blobs(np.array(centre), np.array(axes), np.array(turn))


REFERENCE_PEOPLE = tuple(
    Person(sex, age, height, mass, build)
    for sex, age, height, mass, build in (
        (0.0, 1.0, 0.745, 9.5, 0.5),
        (1.0, 3.0, 0.950, 14.5, 0.5),
        (0.0, 6.0, 1.150, 20.5, 0.5),
        (1.0, 10.0, 1.386, 32.0, 0.5),
        (0.0, 14.0, 1.600, 50.0, 0.5),
        (0.0, 30.0, 1.630, 58.0, 0.5),
        (1.0, 30.0, 1.760, 75.0, 0.5),
        (1.0, 25.0, 1.800, 85.0, 1.0),
        (0.0, 40.0, 1.612, 77.9, 0.5),
        (1.0, 40.0, 1.754, 90.3, 0.5),
        (0.0, 45.0, 1.640, 115.0, 0.5),
        (1.0, 45.0, 1.760, 140.0, 0.5),
        (0.0, 75.0, 1.580, 55.0, 0.5),
        (1.0, 80.0, 1.700, 72.0, 0.5),
    )
)
"""People whose fits are stored: from a child of one year to the old, from slight to obese."""


def likeness(a: Person, b: Person) -> float:
    """How different two people are, for choosing the stored fit to start from."""
    index = [person.mass / person.height**2 for person in (a, b)]
    return (
        0.5 * abs(a.sex - b.sex)
        + abs(np.log(a.age / b.age))
        + 3.0 * abs(np.log(a.height / b.height))
        + 2.0 * abs(np.log(index[0] / index[1]))
        + 0.5 * abs(a.build - b.build)
    )


def write_table(fits: list[StoredFit], path: Path = FILE) -> None:
    """Write the stored fits, tenths of a millimetre."""
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        for fit in fits:
            rows.writerow(["person", *astuple(fit.person)[:5]])
            for body, box in fit.boxes.items():
                rows.writerow(["box", body, *(f"{v:.4f}" for v in (*box.middle, *box.half))])
            for k, slot in enumerate(LAYOUT):
                values = (*fit.blobs.centre[k], *fit.blobs.axes[k], *fit.blobs.turn[k].ravel())
                rows.writerow(["ellipsoid", slot.name, *(f"{v:.4f}" for v in values)])


@lru_cache(maxsize=1)
def stored_fits() -> tuple[StoredFit, ...]:
    """The stored fits, in the order of the table."""
    people: list[tuple[Person, dict[str, Box], dict[str, list[float]]]] = []
    with FILE.open(newline="", encoding="utf-8") as file:
        for kind, *cells in csv.reader(file):
            if kind == "person":
                people.append((Person(*map(float, cells)), {}, {}))
                continue
            name, *values = cells[0], *map(float, cells[1:])
            if kind == "box":
                people[-1][1][name] = Box(np.array(values[:3]), np.array(values[3:]))
            else:
                people[-1][2][name] = values
    fits = []
    for person, box, table in people:
        rows = np.array([table[slot.name] for slot in LAYOUT])
        blobs = Blobs(rows[:, :3], rows[:, 3:6], _orthonormal(rows[:, 6:].reshape(-1, 3, 3)))
        fits.append(StoredFit(person, box, blobs))
    return tuple(fits)


def _orthonormal(turns: np.ndarray) -> np.ndarray:
    """Rotations from their rounded entries."""
    left, _, right = np.linalg.svd(turns)
    return left @ right


def start_for(person: Person, pieces: Pieces, frames: Mapping[str, BodyFrame]) -> Blobs:
    """Where the fit of a person starts, in the mesh: the stored fit of the nearest reference person, stretched."""
    nearest = min(stored_fits(), key=lambda fit: likeness(person, fit.person))
    return in_mesh(nearest.stretched(boxes(pieces, frames)), frames)
