"""Which ellipsoids a person has, where a fit starts, and the stored fits of reference people.

Fits are stored in the frames of the bodies in the standing pose, with the box that holds the body's skin. A new person
starts from the nearest reference person, each ellipsoid stretched as its body's box is. The table
`reference_fits.csv` is written by `mannequin models fits`.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from ...engine.spec.person import Person
from ..parts.bodies import axes_of
from .chest import BREADTH as STERNUM_BREADTH
from .cutting import CENTRAL, Pieces
from .ellipsoids import SKULL_REGIONS, skull_region
from .skin_fit import Blobs, Bounds, Slot
from .standing import BodyFrame

FILE = Path(__file__).resolve().parent / "reference_fits.csv"


def _slots(rows: str) -> tuple[Slot, ...]:
    return tuple(Slot(*row.split()) for row in rows.strip().splitlines())


LAYOUT = _slots(
    """
    cranium         head      head     central
    face            head      face     central
    mandible        head      jaw      central
    cervical        Neck      neck     central
    pelvis          pelvis    pelvis   central
    buttock         pelvis    pelvis   pair
    groin           pelvis    pelvis   pair
    abdomen         Abdomen   abdomen  central
    lumbar          LowerBack back     central
    upper_thoracic  UpperBack back     central
    thoracic        UpperBack back     central
    flank           UpperBack back     pair
    scapula         UpperBack back     pair
    rib_cage        Chest     thorax   central
    breast          Chest     thorax   pair
    shoulder        Clavicle  shoulder left
    deltoid         UpperArm  shoulder left
    humerus         UpperArm  arm      left
    humerus_2       UpperArm  arm      left
    elbow           Forearm   arm      left
    radioulna_upper Forearm   arm      left
    radioulna_lower Forearm   arm      left
    palm            Hand      hand     left
    fingers         Hand      hand     left
    femur_1         Thigh     thigh    left
    femur_2         Thigh     thigh    left
    femur_3         Thigh     thigh    left
    trochanter      Thigh     pelvis   left
    knee            Shank     knee     left
    tibia_1         Shank     shank    left
    tibia_2         Shank     shank    left
    heel            Foot      foot     left
    midfoot         Foot      foot     left
    forefoot        Foot      foot     left
    """
)
"""Name, body, contact material, kind, from above down each body: what is fitted, 58 ellipsoids. The trochanter has the
material of the hip, whose force curve was measured over it."""
BESIDE = {
    "groin": ((0.5, 1.0), (0.3, 1.0), (0.0, 1.0)),
    "flank": ((0.3, 1.0), (0.6, 1.0), (0.0, 1.0)),
    "scapula": ((0.0, 0.6), (0.1, 0.8), (0.1, 0.8)),
    "trochanter": ((0.0, 1.0), (0.5, 1.0), (0.7, 1.0)),
}
"""Ellipsoids beside those from above down: where in the box of its body's skin a fit from nothing starts, as shares of
the box from behind, from within and from below."""

FACE_REGIONS = (
    ("face", (1, 0, 0), "face"),
    ("temple_l", (0, 1, 0), "head_side"),
    ("temple_r", (0, -1, 0), "head_side"),
    ("nape", (-1, 0, 0), "head"),
)
"""The lower half of the head is fitted as one disc from the face over the ears to the nape; in contact these regions
stand for it. Name, side (x forward, y to the left, z up) and material."""
TEMPLE_BREADTH = 0.92
"""Breadth of the face's bones at the temples over that of the skull: 142 and 154 mm, bizygomatic and head breadth of
the men of ANSUR II (Gordon et al. 2014), quoted from general knowledge, medium confidence."""
REGIONS = {"cranium": SKULL_REGIONS, "face": FACE_REGIONS}
"""Fitted ellipsoid to the regions that stand for it in contact, each of which touches it at its pole."""


def _contact_slots(slot: Slot) -> tuple[Slot, ...]:
    return tuple(
        Slot(name.removesuffix("_l"), slot.body, material, "pair" if name.endswith("_l") else slot.kind)
        for name, _, material in REGIONS[slot.name]
        if not name.endswith("_r")
    )


CONTACT_LAYOUT = tuple(
    found for slot in LAYOUT for found in (_contact_slots(slot) if slot.name in REGIONS else (slot,))
)
"""The same with the regions of the head: what a person has, 65 ellipsoids."""


def in_contact(blobs: Blobs) -> Blobs:
    """Ellipsoids of `LAYOUT`, in the frames of their bodies, to those of `CONTACT_LAYOUT`."""
    parts = [
        _regions(blobs[k : k + 1], REGIONS[slot.name]) if slot.name in REGIONS else blobs[k : k + 1]
        for k, slot in enumerate(LAYOUT)
    ]
    return _without_ears(
        Blobs(
            np.concatenate([part.centre for part in parts]),
            np.concatenate([part.axes for part in parts]),
            np.concatenate([part.turn for part in parts]),
        )
    )


def _without_ears(blobs: Blobs) -> Blobs:
    """Ellipsoids of `CONTACT_LAYOUT` whose temples are those of the bones: the fit lies on the ears, which are soft."""
    names = [slot.name for slot in CONTACT_LAYOUT]
    temple, skull = names.index("temple"), names.index("parietal")
    reach = {
        k: blobs.centre[k, 1] + np.linalg.norm(blobs.turn[k][1] * blobs.axes[k]) for k in (temple, skull)
    }
    centre = blobs.centre.copy()
    centre[temple, 1] -= max(0.0, reach[temple] - TEMPLE_BREADTH * reach[skull])
    return replace(blobs, centre=centre)


def _regions(whole: Blobs, regions: Sequence[tuple[str, tuple[int, int, int], str]]) -> Blobs:
    """The regions of one ellipsoid, along its own axes; of pairs the left one."""
    turn = whole.turn[0]
    facing = np.abs(turn).argmax(axis=1)  # its axes that look most to the front, to the left and up
    signs = np.sign(turn[np.arange(3), facing])
    centres, axes = [], []
    for name, towards, _ in regions:
        if name.endswith("_r"):
            continue
        own = np.zeros(3)
        own[facing] = signs * towards
        centre, half = skull_region(np.zeros(3), whole.axes[0], own)
        centres.append(whole.centre[0] + turn @ centre)
        axes.append(half)
    return Blobs(np.array(centres), np.array(axes), np.repeat(whole.turn, len(axes), axis=0))


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


BEYOND = {"limb": 0.025, "trunk": 0.080}
"""Share of stature by which an ellipsoid of a limb or of the middle may reach beyond its body's own skin up and down
the body (44 and 140 mm at 1.75 m; assumed). Limbs bend far, the trunk's joints up to 40 degrees."""
FRONT_ABOVE = 0.025
"""The same for abdomen and pelvis upward (44 mm at 1.75 m; assumed): a blow to the front of the chest meets sternum and
ribs and not the abdomen's own front as well, one to the abdomen not the pelvis'."""
FRONTS = ("abdomen", "pelvis", "buttock", "groin")
STOUT = 30.0
"""kg/m2 above which it is more, with the cube of the body mass index: round bodies need longer ellipsoids (assumed)."""


KNEE_BELOW = 0.04
"""Share of stature below the knee joint to which the hard surface of the knee reaches (70 mm at 1.75 m; assumed: the
tibial tuberosity and the head of the fibula are there). Below it shins are struck."""

HUMERAL_HEAD = 0.0137
"""Radius of the head of the humerus, share of stature (24 mm at 1.75 m; general knowledge). The trunk's surfaces at the
height of the shoulders end at its inner side: ribs do not reach past the joint, and the flesh beside them is soft. The
clavicle's ends at its outer side: in the mesh, whose arms are held out, it would reach into the arm."""
# Of the men of ANSUR II the chest is 0.165 of stature broad (289 mm of 1.756 m; general knowledge, medium confidence),
# between the inner sides of the heads it is 0.20. In the mesh the folds before and behind the armpit (pectoralis,
# latissimus, teres) are drawn out to the arms that it holds out: such flesh moves with arm and shoulder and is no wall
# beside them. It is left out of the fit (`trunk_side`).


def bounds(pieces: Pieces, frames: Mapping[str, BodyFrame], person: Person) -> tuple[Bounds, ...]:
    """How far the ellipsoids may reach along their bodies, and those of limbs across them, in the mesh. Feet are fixed
    to the ground instead."""
    found = boxes(pieces, frames)
    return tuple(_bounds(found, frames, person.height, _size(person), axis) for axis in (2, 1, 0))


def _size(person: Person) -> float:
    """Stature (m), more for the stout."""
    return person.height * max(1.0, person.mass / person.height**2 / STOUT) ** 3


def trunk_side(frames: Mapping[str, BodyFrame], person: Person) -> float:
    """How far to the side the trunk is a wall at the height of the shoulders, m."""
    return _inside_the_heads(frames, person.height) + _stout(person.height, _size(person))


def _inside_the_heads(frames: Mapping[str, BodyFrame], stature: float) -> float:
    """From the middle to the inner side of the head of a humerus, m."""
    return float(frames["UpperArm"].joint[1]) - stature * HUMERAL_HEAD


def _stout(stature: float, size: float) -> float:
    """How much further out the flesh of the stout reaches, m."""
    return (size - stature) * BEYOND["limb"]


def _bounds(
    found: Mapping[str, Box], frames: Mapping[str, BodyFrame], stature: float, size: float, axis: int
) -> Bounds:
    """The same along one axis of the standing bodies; size: stature (m), more for the stout."""
    along, low, high = [], [], []
    for slot in LAYOUT:
        box, frame = found[slot.body], frames[slot.body]
        way = frame.turn[axis]
        start = float(frame.joint @ way) + box.middle[axis]
        central = slot.body in CENTRAL
        is_free = slot.body == "Foot" or (axis != 2 and (central or slot.body == "Clavicle"))
        reach = np.inf if is_free else box.half[axis] + size * BEYOND["trunk" if central else "limb"]
        least, most = _anatomical_ends(slot, "xyz"[axis], frames, box, stature, size)
        along.append(way)
        low.append(start - reach if least is None else least)
        high.append(start + reach if most is None else most)
    return Bounds(np.array(along), np.array(low), np.array(high))


def _anatomical_ends(
    slot: Slot, axis: str, frames: Mapping[str, BodyFrame], box: Box, stature: float, size: float
) -> tuple[float | None, float | None]:
    """Where an ellipsoid ends along an axis of its standing body because bones or joints are there, m; None where it
    ends by its skin alone.

    The thigh's end at the height of the hip joint, above which the greater trochanter is struck. Buttocks lie behind
    the hip joints: a bar across the abdomen shall not meet them. Breasts move with the sternum, end where it does and
    lie before the spine.
    """
    k, name = "xyz".index(axis), slot.name
    way = frames[slot.body].turn[k]
    joint = float(frames[slot.body].joint @ way)
    lowest, highest = joint + box.middle[k] - box.half[k], joint + box.middle[k] + box.half[k]
    stout = _stout(stature, size)
    head = stature * HUMERAL_HEAD
    inner = _inside_the_heads(frames, stature)
    ends: dict[tuple[str, str], tuple[float | None, float | None]] = {
        ("z", "groin"): (lowest - size * BEYOND["limb"], highest + size * FRONT_ABOVE),
        ("z", "knee"): (joint - stature * KNEE_BELOW, None),
        ("y", "upper_thoracic"): (-inner, inner),
        ("y", "rib_cage"): (-inner - stout, inner + stout),
        ("y", "flank"): (None, inner + stout),
        ("y", "shoulder"): (None, joint + head + stout),
        ("y", "breast"): (None, joint + STERNUM_BREADTH * (highest - joint) + stout),
        ("x", "buttock"): (None, float(frames["Thigh"].joint @ way)),
        ("x", "breast"): (joint, None),
    }
    if axis == "z" and name in FRONTS:
        return ends.get((axis, name), (None, highest + size * FRONT_ABOVE))
    if axis == "z" and slot.material == "thigh":
        return None, joint + stout
    return ends.get((axis, name), (None, None))


def first_guess(pieces: Pieces, frames: Mapping[str, BodyFrame]) -> Blobs:
    """A start without a stored fit: the ellipsoids of a body one after the other along its longest extent."""
    long_axis = {"Foot": 0, "Clavicle": 1}
    centre, axes, turn = [], [], []
    for slot in LAYOUT:
        frame, axis = frames[slot.body], long_axis.get(slot.body, 2)
        points = (pieces.skin(slot.body).reshape(-1, 3) - frame.joint) @ frame.turn.T
        if slot.kind == "central":
            points = np.concatenate([points, points * np.array([1.0, -1.0, 1.0])])
        slab = _beside(points, BESIDE[slot.name]) if slot.name in BESIDE else _stacked(points, slot, axis)
        half = 0.475 * np.ptp(slab, axis=0)
        half[axis] *= 1.2
        centre.append(frame.turn.T @ ((slab.min(axis=0) + slab.max(axis=0)) / 2.0) + frame.joint)
        axes.append(np.maximum(half, 0.01))
        turn.append(frame.turn.T)
    return Blobs(np.array(centre), np.array(axes), np.array(turn))


def _stacked(points: np.ndarray, slot: Slot, axis: int) -> np.ndarray:
    """The points (n, 3) of a body's skin that an ellipsoid starts from, of those one after the other along an axis."""
    mates = [
        other
        for other in LAYOUT
        if (other.body, other.kind) == (slot.body, slot.kind) and other.name not in BESIDE
    ]
    place, number = mates.index(slot), len(mates)
    low, high = np.percentile(points[:, axis], (1, 99))
    if axis == 2:
        place = number - 1 - place
    start, end = low + (high - low) * np.array([place, place + 1]) / number
    margin = 0.1 * (end - start)
    return points[(points[:, axis] >= start - margin) & (points[:, axis] <= end + margin)]


def _beside(points: np.ndarray, shares: Sequence[tuple[float, float]]) -> np.ndarray:
    """(2, 3) lowest and highest corner of a part of the box of some points (n, 3)."""
    return points.min(axis=0) + np.array(shares).T * np.ptp(points, axis=0)


def in_bodies(blobs: Blobs, frames: Mapping[str, BodyFrame]) -> Blobs:
    """Ellipsoids in the mesh to the standing frames of their bodies."""
    turns = np.stack([frames[slot.body].turn for slot in LAYOUT])
    joints = np.stack([frames[slot.body].joint for slot in LAYOUT])
    return Blobs(np.einsum("kij,kj->ki", turns, blobs.centre - joints), blobs.axes, turns @ blobs.turn)


def in_mesh(blobs: Blobs, frames: Mapping[str, BodyFrame], layout: Sequence[Slot] = LAYOUT) -> Blobs:
    """The opposite of `in_bodies`, for the ellipsoids of a layout."""
    turns = np.stack([frames[slot.body].turn.T for slot in layout])
    joints = np.stack([frames[slot.body].joint for slot in layout])
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
            sizes, turned = axes_of(shape)
            axes.append(sizes)
            turn.append(turned)
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
