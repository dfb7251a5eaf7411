"""From a figure's landmarks and segment masses to a model of 21 bodies.

A `Figure` stands upright, facing +x, left = +y, soles on z = 0, arms hanging. Bodies have the names of the OpenMBD
family: head, Neck, pelvis, Abdomen, LowerBack, UpperBack, Chest, ClavicleL/R, UpperArmL/R, ForearmL/R, HandL/R,
ThighL/R, ShankL/R, FootL/R. Each body frame stands at the centre of the joint to its parent, along the world axes in
this pose.

Segments are divided over bodies so that the sums are the published segments again:
head (vertex to C7) = head + Neck; upper trunk = UpperBack + Chest + ClavicleL + ClavicleR; middle trunk = LowerBack +
Abdomen; lower trunk = pelvis. The pieces of one trunk segment are fixed to each other. Shares and places of the
smaller pieces are chosen (`CHEST_SHARE` and so on); the larger piece is what is left, by `rigid.cut`, so masses,
centres and inertias sum exactly. `joint_data.attach_joint_data` then cuts NeckUpper from the Neck, the Sternum from
the Chest and, of a person, AbdomenFront from the Abdomen (`neck`, `chest`, `trunk`): 24 bodies, a dummy's 23.
"""

from dataclasses import dataclass, field

import numpy as np

from ...engine.spec import Body, Ellipsoid, Joint, Material, Model
from ...engine.spec.joint_types import joint_type
from ..parts import frames
from ..parts.bodies import make_body, make_ellipsoid, mirror_body, tidy_all
from ..parts.rigid import Piece, cut, solid_ellipsoid
from .ellipsoids import LIMB_BLOBS, SKULL_REGIONS, TRUNK_BLOBS, Blob, equivalent_radius, skull_region

NEVER_TOUCH = (("UpperArmL", "Chest"), ("UpperArmR", "Chest"), ("ThighL", "Abdomen"), ("ThighR", "Abdomen"))
"""Pairs of bodies without contact: they overlap in ordinary postures."""
CHEST_SHARE = 0.25
CLAVICLE_SHARE = 0.04
ABDOMEN_SHARE = 0.50
CONDYLE_BELOW_HEAD_CENTRE = 0.235
"""Drop from the head's centre of mass to the occipital condyles as a fraction of head length: 47 mm on a head of 199
mm (assumed)."""
CONDYLE_BEHIND_HEAD_CENTRE = 0.09
"""18 mm on a head of 199 mm (assumed)."""


@dataclass(frozen=True)
class Figure:
    """A standing person or dummy. Heights and offsets in metres; `pieces` in standing coordinates, left side for
    limbs."""

    name: str
    description: str
    sex: str
    height: float
    mass: float
    z: dict[str, float]
    """Heights: ankle, knee, hip, omphalion, xiphion, c7, vertex, shoulder, elbow, wrist, fingertip"""
    hip_y: float
    shoulder_y: float
    foot_length: float
    foot_breadth: float
    head_length: float
    head_breadth: float
    pieces: dict[str, Piece]
    """Segment name (as in `anthropometry.SEGMENTS`) to its mass properties"""
    neck_mass: float
    materials: list[Material]
    sources: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    ends = {
        "upper_trunk": ("c7", "xiphion"),
        "middle_trunk": ("xiphion", "omphalion"),
        "lower_trunk": ("omphalion", "hip"),
        "upper_arm": ("shoulder", "elbow"),
        "forearm": ("elbow", "wrist"),
        "hand": ("wrist", "fingertip"),
        "thigh": ("hip", "knee"),
        "shank": ("knee", "ankle"),
    }

    def length(self, segment: str) -> float:
        """Standing length of a segment, m."""
        upper, lower = self.ends[segment]
        return self.z[upper] - self.z[lower]

    def radius(self, segment: str) -> float:
        """Equivalent radius of a segment, m."""
        return equivalent_radius(self.pieces[segment].mass, self.length(segment))


def head_pieces(figure: Figure) -> tuple[Piece, Piece, np.ndarray]:
    """(head, neck, occipital condyles). The neck is a solid ellipsoid between C7 and the condyles; its height and the
    condyles' depend on the head's centre, which depends on the neck's: solved by putting the neck's centre halfway."""
    whole = figure.pieces["head"]
    share = figure.neck_mass / whole.mass
    c7 = figure.z["c7"]
    drop = CONDYLE_BELOW_HEAD_CENTRE * figure.head_length
    # head z = (whole z - share * neck z) / (1 - share); neck z = (c7 + head z - drop) / 2
    head_z = (whole.centre[2] - share * (c7 - drop) / 2.0) / (1.0 - share / 2.0)
    neck_z = (c7 + head_z - drop) / 2.0
    neck_x = whole.centre[0] - 0.10 * figure.head_length
    half = 0.40 * figure.head_breadth
    neck = solid_ellipsoid(
        figure.neck_mass, (neck_x, 0.0, neck_z), (half, half, max(neck_z - c7, half) * 1.3)
    )
    head = cut(whole, [neck])
    condyles = head.centre - np.array([CONDYLE_BEHIND_HEAD_CENTRE * figure.head_length, 0.0, drop])
    return head, neck, condyles


def _blob_semi_axes(figure: Figure, segment: str, blob: Blob) -> np.ndarray:
    radius = figure.radius(segment)
    return np.array(
        [blob.half_depth * radius, blob.half_breadth * radius, blob.half_length * figure.length(segment)]
    )


def _blob_centre(figure: Figure, segment: str, blob: Blob, y: float) -> np.ndarray:
    upper, _ = figure.ends[segment]
    radius = figure.radius(segment)
    z = figure.z[upper] - blob.along * figure.length(segment)
    return np.array([blob.x * radius, y + blob.y * radius, z])


def _blobs(figure: Figure, segment: str, blobs, origin, y: float, suffix: str) -> list[Ellipsoid]:
    return [
        make_ellipsoid(
            blob.name + suffix,
            _blob_centre(figure, segment, blob, y),
            _blob_semi_axes(figure, segment, blob),
            origin,
            blob.material,
        )
        for blob in blobs
    ]


@dataclass(frozen=True)
class Origins:
    """Joint centres in standing coordinates, left side."""

    pelvis: np.ndarray
    lower_back: np.ndarray
    upper_back: np.ndarray
    neck: np.ndarray
    head: np.ndarray
    shoulder: np.ndarray
    elbow: np.ndarray
    wrist: np.ndarray
    hip: np.ndarray
    knee: np.ndarray
    ankle: np.ndarray


def joint_centres(figure: Figure, condyles: np.ndarray) -> Origins:
    """Spine joints lie behind the middle of the trunk, by 0.35 of the trunk's equivalent radius (assumed)."""
    z = figure.z
    spine = -0.35 * figure.radius("upper_trunk")
    shoulder_y, hip_y = figure.shoulder_y, figure.hip_y
    return Origins(
        pelvis=np.array([0.0, 0.0, z["hip"]]),
        lower_back=np.array([spine, 0.0, z["omphalion"]]),
        upper_back=np.array([spine, 0.0, z["xiphion"]]),
        neck=np.array([0.8 * spine, 0.0, z["c7"]]),
        head=condyles,
        shoulder=np.array([0.0, shoulder_y, z["shoulder"]]),
        elbow=np.array([0.0, shoulder_y, z["elbow"]]),
        wrist=np.array([0.0, shoulder_y, z["wrist"]]),
        hip=np.array([0.0, hip_y, z["hip"]]),
        knee=np.array([0.0, hip_y, z["knee"]]),
        ankle=np.array([0.0, hip_y, z["ankle"]]),
    )


def _head_bodies(figure: Figure, head: Piece, neck: Piece, origins: Origins, source: str) -> list[Body]:
    length, breadth, vertex = figure.head_length, figure.head_breadth, figure.z["vertex"]
    half = np.array([0.50 * length, 0.50 * breadth, 0.50 * length])
    middle = np.array([head.centre[0] - 0.02 * length, 0.0, vertex - half[2]])
    face = middle + np.array([0.22 * length, 0.0, -0.26 * length])
    jaw = middle + np.array([0.26 * length, 0.0, -0.50 * length])
    skull = [
        make_ellipsoid(name, *skull_region(middle, half, towards), origins.head, material)
        for name, towards, material in SKULL_REGIONS
    ]
    skull += [
        make_ellipsoid("face", face, (0.28 * length, 0.42 * breadth, 0.36 * length), origins.head, "face"),
        make_ellipsoid("mandible", jaw, (0.20 * length, 0.34 * breadth, 0.14 * length), origins.head, "jaw"),
    ]
    top, bottom = origins.head[2] + 0.14 * length, figure.z["c7"] - 0.14 * length
    lean = (origins.neck[0] + origins.head[0]) / 2.0
    cervical = make_ellipsoid(
        "cervical",
        (lean + 0.03 * length, 0.0, (top + bottom) / 2.0),
        (0.40 * breadth, 0.39 * breadth, max((top - bottom) / 2.0, 0.32 * breadth)),
        origins.neck,
        "neck",
    )
    return [
        make_body("head", head, origins.head, skull, "Skull and face above the occipital condyles", source),
        make_body("Neck", neck, origins.neck, [cervical], "C7 to the occipital condyles", source),
    ]


def _part(whole: Piece, share: float, centre: np.ndarray) -> Piece:
    """A share of a segment at another centre, more compact than the segment (60 % of its inertia per mass; assumed), so
    that what is left keeps physical moments for every build."""
    return Piece(share * whole.mass, centre, 0.6 * share * whole.inertia)


def _trunk_bodies(figure: Figure, origins: Origins, source: str) -> list[Body]:
    upper, middle = figure.pieces["upper_trunk"], figure.pieces["middle_trunk"]
    radius_upper = figure.radius("upper_trunk")
    forward = 0.35 * np.sqrt(middle.inertia[1, 1] / middle.mass)
    chest = _part(upper, CHEST_SHARE, _blob_centre(figure, "upper_trunk", TRUNK_BLOBS["Chest"][1][0], 0.0))
    belly = _part(middle, ABDOMEN_SHARE, middle.centre + np.array([forward, 0.0, 0.0]))
    shoulder_half = np.array([0.50 * radius_upper, 0.54 * figure.shoulder_y, 0.38 * radius_upper])
    shoulder_at = np.array([0.0, 0.62 * figure.shoulder_y, figure.z["shoulder"] + 0.02 * radius_upper])
    clavicle = solid_ellipsoid(CLAVICLE_SHARE * upper.mass, shoulder_at, shoulder_half)
    clavicle_right = Piece(clavicle.mass, clavicle.centre * np.array([1.0, -1.0, 1.0]), clavicle.inertia)
    pieces = {
        "pelvis": figure.pieces["lower_trunk"],
        "Abdomen": belly,
        "LowerBack": cut(middle, [belly]),
        "UpperBack": cut(upper, [chest, clavicle, clavicle_right]),
        "Chest": chest,
    }
    at = {
        "pelvis": origins.pelvis,
        "Abdomen": origins.lower_back,
        "LowerBack": origins.lower_back,
        "UpperBack": origins.upper_back,
        "Chest": origins.upper_back,
    }
    bodies = [
        make_body(name, piece, at[name], _blobs(figure, *TRUNK_BLOBS[name], at[name], 0.0, ""), source=source)
        for name, piece in pieces.items()
    ]
    shoulder = make_ellipsoid("shoulder_l", shoulder_at, shoulder_half, origins.shoulder, "shoulder")
    left = make_body("ClavicleL", clavicle, origins.shoulder, [shoulder], "left shoulder girdle", source)
    return [*bodies, left, mirror_body(left, "ClavicleR")]


def _foot_ellipsoids(figure: Figure, origin: np.ndarray) -> list[Ellipsoid]:
    """Heel, middle and forefoot, all touching z = 0 from above."""
    length, half_breadth, ankle = figure.foot_length, figure.foot_breadth / 2.0, figure.z["ankle"]
    heel = heel_x(figure)
    parts = (
        ("heel_l", heel + 0.17 * length, (0.17 * length, 0.78 * half_breadth, 0.62 * ankle)),
        ("midfoot_l", heel + 0.42 * length, (0.30 * length, 0.80 * half_breadth, 0.52 * ankle)),
        ("forefoot_l", heel + 0.76 * length, (0.24 * length, 1.00 * half_breadth, 0.30 * ankle)),
    )
    y = origin[1]
    return [make_ellipsoid(name, (x, y, axes[2]), axes, origin, "foot") for name, x, axes in parts]


def heel_x(figure: Figure) -> float:
    """x of the heel: the ankle stands over a quarter of the foot's length (assumed)."""
    return -0.25 * figure.foot_length


def _limb_bodies(figure: Figure, origins: Origins, source: str) -> list[Body]:
    at = {
        "UpperArm": origins.shoulder,
        "Forearm": origins.elbow,
        "Hand": origins.wrist,
        "Thigh": origins.hip,
        "Shank": origins.knee,
    }
    bodies = []
    for limb, (segment, blobs) in LIMB_BLOBS.items():
        origin = at[limb]
        ellipsoids = _blobs(figure, segment, blobs, origin, origin[1], "_l")
        left = make_body(limb + "L", figure.pieces[segment], origin, ellipsoids, source=source)
        bodies += [left, mirror_body(left, limb + "R")]
    left = make_body(
        "FootL",
        figure.pieces["foot"],
        origins.ankle,
        _foot_ellipsoids(figure, origins.ankle),
        source=source,
    )
    return [*bodies, left, mirror_body(left, "FootR")]


def _joint(name, kind, parent, child, rotation, parent_origin, child_origin) -> Joint:
    """A joint at the child's origin, whose frame has `rotation` in both bodies."""
    offset = tidy_all(np.asarray(child_origin) - np.asarray(parent_origin))
    return Joint(
        name=name,
        type=kind,
        parent=parent,
        child=child,
        T1=frames.transform(rotation, offset),
        T2=frames.transform(rotation, (0.0, 0.0, 0.0)),
    )


def joints_between(o: Origins) -> list[Joint]:
    """The joints of a figure at their centres, without limits."""
    c = frames.CENTRAL
    joints = [
        _joint("rootJoint", "free", None, "pelvis", c, np.zeros(3), o.pelvis),
        _joint("lowerbackJnt", "spherical", "pelvis", "LowerBack", c, o.pelvis, o.lower_back),
        _joint("lowerback-abdomenJnt", "fixed", "LowerBack", "Abdomen", c, o.lower_back, o.lower_back),
        _joint("upperbackJnt", "spherical", "LowerBack", "UpperBack", c, o.lower_back, o.upper_back),
        _joint("upperback-chestJnt", "fixed", "UpperBack", "Chest", c, o.upper_back, o.upper_back),
        _joint("neckJnt", "spherical", "UpperBack", "Neck", c, o.upper_back, o.neck),
        _joint("headJnt", "spherical", "Neck", "head", c, o.neck, o.head),
    ]
    limb, knee, wrist = frames.LEFT_LIMB, frames.LEFT_KNEE, frames.LEFT_WRIST
    sided = (
        ("upperback-clavicle{}Jnt", "fixed", "UpperBack", "Clavicle", c, o.upper_back, o.shoulder),
        ("shoulder{}Jnt", "spherical", "Clavicle", "UpperArm", limb, o.shoulder, o.shoulder),
        ("elbow{}Jnt", "spherical", "UpperArm", "Forearm", limb, o.shoulder, o.elbow),
        ("wrist{}Jnt", "spherical", "Forearm", "Hand", wrist, o.elbow, o.wrist),
        ("hip{}Jnt", "spherical", "pelvis", "Thigh", limb, o.pelvis, o.hip),
        ("knee{}Jnt", "spherical", "Thigh", "Shank", knee, o.hip, o.knee),
        ("ankle{}Jnt", "spherical", "Shank", "Foot", limb, o.knee, o.ankle),
    )
    flip = np.array([1.0, -1.0, 1.0])
    central_bodies = ("UpperBack", "pelvis")
    for pattern, kind, parent, child, rotation, at_parent, at_child in sided:
        for side, letter in (("l", "L"), ("r", "R")):
            mirror = side == "r"
            joints.append(
                _joint(
                    pattern.format(side),
                    kind,
                    parent if parent in central_bodies else parent + letter,
                    child + letter,
                    frames.mirrored(rotation) if mirror and joint_type(kind).moves else rotation,
                    at_parent * flip if mirror else at_parent,
                    at_child * flip if mirror else at_child,
                )
            )
    return joints


def build_model(figure: Figure) -> Model:
    """The model of a figure, without joint limits (see `joint_data.attach_joint_data`)."""
    source = "; ".join(figure.sources[:1])
    head, neck, condyles = head_pieces(figure)
    origins = joint_centres(figure, condyles)
    bodies = [
        *_head_bodies(figure, head, neck, origins, source),
        *_trunk_bodies(figure, origins, source),
        *_limb_bodies(figure, origins, source),
    ]
    return Model(
        name=figure.name,
        bodies=bodies,
        joints=joints_between(origins),
        materials=figure.materials,
        contact_exclude=list(NEVER_TOUCH),
        description=figure.description,
        version="1",
        sex=figure.sex,
        height=figure.height,
        sources=list(figure.sources),
        notes=list(figure.notes),
    )
