"""A closed skin cut into the pieces of a person's bodies, and the mass properties of closed pieces.

Only the left half is cut, so both sides are alike to the bit: pieces of the middle are left halves, and are completed
by their mirror image. Every cut is along the zero line of a function of place and skin weights, and is closed by a cap
to one point; the caps of the two sides of a cut cancel, so the volumes of the pieces sum to that of the whole.

Planes follow the definitions behind de Leva's table (Zatsiorsky and Seluyanov): the trunk is divided at xiphion and
omphalion, thigh and trunk by a plane of 37 degrees to the vertical, limbs across their joint centres.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..parts.rigid import Piece
from . import anthropometry, growth

HIP_PLANE = np.radians(37.0)
"""Angle of the plane between thigh and trunk to the vertical (Zatsiorsky and Seluyanov)."""
HIP_RAISE = 0.018
"""How far above the hip joint's centre that plane passes, share of stature; chosen so that thigh and lower trunk of de
Leva's reference people come near their published shares."""
ILIAC_CREST = 0.075
"""The thigh ends here above the hip joint, share of stature, wherever the plane is (assumed)."""
SHOULDER_SPLIT = 0.55
"""Share of the shoulder's distance from the middle beyond which the top of the trunk is the shoulder girdle
(assumed)."""
ARM_CUT = 0.06
"""The plane between arm and trunk passes here on the way from the shoulder to the elbow; chosen like `HIP_RAISE`."""
BELOW_CONDYLES = 0.006
"""The head ends this share of the stature below its joint, near the first vertebra (assumed; head masses of dummies and
of cadavers are of heads parted there)."""
BELOW_CHIN = 0.017
"""The head ends this share of the stature below the data's chin point, which lies inside (assumed)."""
SOFT = 0.3
"""m: length that turns a skin weight into a distance, so that both can be compared."""


@dataclass(frozen=True)
class Skin:
    """A closed mesh in its own pose with what the cut needs. Metres, x to the front, y to the left, z up."""

    vertices: np.ndarray
    """(n, 3)"""
    triangles: np.ndarray
    """(m, 3), counter-clockwise seen from outside"""
    weights: np.ndarray
    """(n, 2) how much each vertex moves with neck and head, and with the left arm"""
    joints: Mapping[str, np.ndarray]
    """Points by the names of the base mesh, such as "l-knee" """
    stature: float
    sex: float


@dataclass(frozen=True)
class Pieces:
    """The left half in pieces."""

    vertices: np.ndarray
    triangles: dict[str, np.ndarray]
    """Body (left ones without their letter) to (m, 3)"""
    is_skin: dict[str, np.ndarray]
    """Body to (m,): whether a triangle is skin, or a cap"""

    def skin(self, body: str) -> np.ndarray:
        """(k, 3, 3) corners of the skin triangles of a body."""
        return self.vertices[self.triangles[body][self.is_skin[body]]]


CENTRAL = ("head", "Neck", "UpperBack", "Chest", "LowerBack", "Abdomen", "pelvis")
SIDED = ("Clavicle", "UpperArm", "Forearm", "Hand", "Thigh", "Shank", "Foot")
SEGMENT_OF = {
    "head": "head",
    "Neck": "head",
    "UpperBack": "upper_trunk",
    "Chest": "upper_trunk",
    "Clavicle": "upper_trunk",
    "LowerBack": "middle_trunk",
    "Abdomen": "middle_trunk",
    "pelvis": "lower_trunk",
    "UpperArm": "upper_arm",
    "Forearm": "forearm",
    "Hand": "hand",
    "Thigh": "thigh",
    "Shank": "shank",
    "Foot": "foot",
}
"""Body, without the letter of its side, to its segment in de Leva's table."""


class _Cutter:
    """Grows the vertices as cuts add points; pieces are (m, 4) rows of corners and whether they are skin."""

    def __init__(self, skin: Skin):
        self.vertices = skin.vertices
        self.weights = skin.weights

    def split(self, piece: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(where values > 0, the rest) of a closed piece, both closed. `values` per vertex."""
        values = np.where(np.abs(values) < 1e-9, 1e-9, values)
        positive = values[piece[:, :3]] > 0.0
        count = positive.sum(axis=1)
        cut = piece[(count == 1) | (count == 2)]
        if not len(cut):
            return piece[count == 3], piece[count == 0]
        sign = values[cut[:, :3]] > 0.0
        lone = np.where(sign.sum(axis=1) == 1, sign.argmax(axis=1), (~sign).argmax(axis=1))
        row = np.arange(len(cut))
        a, b, c = (cut[row, (lone + k) % 3] for k in range(3))
        above = sign[row, lone]
        first = len(self.vertices)
        ab, ac = first + row, first + len(cut) + row
        hub = np.full(len(cut), first + 2 * len(cut))
        self._add_points(np.concatenate([a, a]), np.concatenate([b, c]), values, len(cut))
        skin, cap = cut[:, 3], np.zeros(len(cut), int)

        def rows(*corners: np.ndarray) -> np.ndarray:
            return np.stack(corners, axis=1)

        tips = np.concatenate([rows(a, ab, ac, skin), rows(ac, ab, hub, cap)])
        rests = np.concatenate([rows(ab, b, c, skin), rows(ab, c, ac, skin), rows(ab, ac, hub, cap)])
        up2, up3 = np.tile(above, 2), np.tile(above, 3)
        return (
            np.concatenate([piece[count == 3], tips[up2], rests[~up3]]),
            np.concatenate([piece[count == 0], tips[~up2], rests[up3]]),
        )

    def _add_points(self, p: np.ndarray, q: np.ndarray, values: np.ndarray, hub_of: int) -> None:
        """Points where the edges p-q pass zero, and the middle of the first `hub_of` of them."""
        share = (values[p] / (values[p] - values[q]))[:, None]
        places = self.vertices[p] + share * (self.vertices[q] - self.vertices[p])
        weights = self.weights[p] + share * (self.weights[q] - self.weights[p])
        self.vertices = np.concatenate([self.vertices, places, places[:hub_of].mean(0, keepdims=True)])
        self.weights = np.concatenate([self.weights, weights, weights[:hub_of].mean(0, keepdims=True)])

    def beyond(self, at: np.ndarray, normal: np.ndarray) -> np.ndarray:
        """Distance of every vertex from the plane through `at`, positive to where the normal points."""
        return (self.vertices - at) @ (normal / np.linalg.norm(normal))

    def used(self, piece: np.ndarray) -> np.ndarray:
        """Vertices of a piece."""
        return self.vertices[np.unique(piece[:, :3])]


def unit(vector: np.ndarray) -> np.ndarray:
    """The vector with length 1."""
    return vector / np.linalg.norm(vector)


def trunk_levels(skin: Skin) -> tuple[float, float]:
    """(omphalion, xiphion) heights: de Leva's shares of the way from the hips to C7."""
    lengths = [
        growth.between(skin.sex, {s: anthropometry.SEGMENTS[name][s].length for s in ("female", "male")})
        for name in ("lower_trunk", "middle_trunk", "upper_trunk")
    ]
    hip, c7 = skin.joints["l-upper-leg"][2], skin.joints["neck"][2]
    shares = np.cumsum(lengths) / np.sum(lengths)
    return tuple(float(hip + share * (c7 - hip)) for share in shares[:2])


def cut(skin: Skin) -> Pieces:
    """The left half of a skin in the pieces of the bodies."""
    work = _Cutter(skin)
    rest = np.column_stack([skin.triangles, np.ones(len(skin.triangles), int)])
    rest, _ = work.split(rest, work.vertices[:, 1])
    parts: dict[str, np.ndarray] = {}
    rest = _cut_head(work, skin, rest, parts)
    rest = _cut_arm(work, skin, rest, parts)
    rest = _cut_leg(work, skin, rest, parts)
    _cut_trunk(work, skin, rest, parts)
    return Pieces(
        work.vertices,
        {body: rows[:, :3] for body, rows in parts.items()},
        {body: rows[:, 3] == 1 for body, rows in parts.items()},
    )


def _cut_head(work: _Cutter, skin: Skin, rest: np.ndarray, parts: dict) -> np.ndarray:
    """The head is above a level plane through its joint behind it, and above a plane to below the chin before it."""
    neck, head, chin = (skin.joints[name] for name in ("neck", "head", "jaw"))
    base = head - np.array([0.0, 0.0, BELOW_CONDYLES * skin.stature])
    forward, _, down = chin - base - np.array([0.0, 0.0, BELOW_CHIN * skin.stature])
    sloping = work.beyond(base, np.array([-down, 0.0, forward]))
    level = work.beyond(base, np.array([0.0, 0.0, 1.0]))
    parts["head"], rest = work.split(rest, np.maximum(sloping, level))
    normal = unit(head - neck) + np.array([0.0, 0.0, 0.6])
    above = np.minimum(work.beyond(neck, normal), SOFT * (work.weights[:, 0] - 0.02))
    parts["Neck"], rest = work.split(rest, above)
    return rest


def _cut_arm(work: _Cutter, skin: Skin, rest: np.ndarray, parts: dict) -> np.ndarray:
    shoulder, elbow, wrist = (skin.joints[name] for name in ("l-shoulder", "l-elbow", "l-hand"))
    outward = unit(elbow - shoulder) + np.array([0.0, 1.0, 0.0])
    at = shoulder + ARM_CUT * (elbow - shoulder)
    arm = np.minimum(work.beyond(at, outward), SOFT * (work.weights[:, 1] - 0.05))
    arm, rest = work.split(rest, arm)
    middle = unit(shoulder - elbow) + unit(elbow - wrist)
    parts["UpperArm"], lower = work.split(arm, work.beyond(elbow, middle))
    parts["Forearm"], parts["Hand"] = work.split(lower, work.beyond(wrist, elbow - wrist))
    return rest


def _cut_leg(work: _Cutter, skin: Skin, rest: np.ndarray, parts: dict) -> np.ndarray:
    hip, knee, ankle = (skin.joints[name] for name in ("l-upper-leg", "l-knee", "l-ankle"))
    at = hip + np.array([0.0, 0.0, HIP_RAISE * skin.stature])
    outward = np.array([0.0, np.cos(HIP_PLANE), -np.sin(HIP_PLANE)])
    crest = hip[2] + ILIAC_CREST * skin.stature
    leg, rest = work.split(rest, np.minimum(work.beyond(at, outward), crest - work.vertices[:, 2]))
    middle = unit(hip - knee) + unit(knee - ankle)
    parts["Thigh"], lower = work.split(leg, work.beyond(knee, middle))
    parts["Shank"], parts["Foot"] = work.split(lower, work.beyond(ankle, knee - ankle))
    return rest


def _cut_trunk(work: _Cutter, skin: Skin, rest: np.ndarray, parts: dict) -> None:
    omphalion, xiphion = trunk_levels(skin)
    upper, rest = work.split(rest, work.vertices[:, 2] - xiphion)
    middle, parts["pelvis"] = work.split(rest, work.vertices[:, 2] - omphalion)
    parts["Abdomen"], parts["LowerBack"] = _front_and_back(work, middle)
    shoulder = skin.joints["l-shoulder"]
    low = shoulder[2] - 0.017 * skin.stature
    girdle = np.minimum(work.vertices[:, 1] - SHOULDER_SPLIT * shoulder[1], work.vertices[:, 2] - low)
    parts["Clavicle"], upper = work.split(upper, girdle)
    parts["Chest"], parts["UpperBack"] = _front_and_back(work, upper)


def _front_and_back(work: _Cutter, piece: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A piece divided halfway between its foremost and rearmost points."""
    depth = work.used(piece)[:, 0]
    return work.split(piece, work.vertices[:, 0] - (depth.min() + depth.max()) / 2.0)


def solid(vertices: np.ndarray, triangles: np.ndarray) -> Piece:
    """Volume (as `mass`), centre and inertia of a closed mesh at density 1 (docs/derivations.md, Mass properties of a
    closed mesh)."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    six = np.einsum("ij,ij->i", a, np.cross(b, c))
    whole = six.sum() / 6.0
    total = a + b + c
    centre = (six @ total) / 24.0 / whole
    second = np.einsum("t,ti,tj->ij", six, total, total)
    second += sum(np.einsum("t,ti,tj->ij", six, x, x) for x in (a, b, c))
    second = second / 120.0 - whole * np.outer(centre, centre)
    return Piece(whole, centre, np.trace(second) * np.eye(3) - second)


def completed(half: Piece) -> Piece:
    """A half of a body of the middle and its mirror image as one."""
    offset = half.centre[1]
    inertia = 2.0 * half.inertia + 2.0 * half.mass * offset**2 * np.diag([1.0, 0.0, 1.0])
    inertia[1, [0, 2]] = inertia[[0, 2], 1] = 0.0
    return Piece(2.0 * half.mass, half.centre * np.array([1.0, 0.0, 1.0]), inertia)


def volumes(pieces: Pieces) -> dict[str, Piece]:
    """Volume, centre and inertia at density 1 of every body: those of the middle whole, of the sides the left one."""
    solids = {body: solid(pieces.vertices, rows) for body, rows in pieces.triangles.items()}
    return {body: completed(piece) if body in CENTRAL else piece for body, piece in solids.items()}


def segment_volumes(bodies: Mapping[str, Piece]) -> dict[str, float]:
    """Volume (m3) per segment of de Leva's table, one side."""
    total = dict.fromkeys(anthropometry.SEGMENTS, 0.0)
    for body, piece in bodies.items():
        total[SEGMENT_OF[body]] += piece.mass * (2.0 if body == "Clavicle" else 1.0)
    return total


def shares(segments: Mapping[str, float]) -> dict[str, float]:
    """Percent of the whole per segment, one side."""
    whole = sum(v * (2.0 if s in anthropometry.PAIRED else 1.0) for s, v in segments.items())
    return {segment: 100.0 * value / whole for segment, value in segments.items()}
