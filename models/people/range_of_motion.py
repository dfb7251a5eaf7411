"""Range of motion and resistance of human joints as data with sources, and how they are put into a model that has none.

Ranges are written as anatomical motions (flexion, abduction, ...). The anatomical axes of a person standing in the
zero posture are x to the front, y to the left, z up; the model's own joint frames decide which joint axis each motion
turns about and with which sign, so nothing is guessed from names. OpenMBD's humans have every T1 and T2 turned half
about x, diag(1, -1, -1): their joint y axis points right and their z axis down. A positive Y therefore swings a
hanging limb *forward* (hip, shoulder and elbow flexion, toes up) and bends the trunk *backward*; knee flexion is
negative. A positive X carries a hanging limb to the *left*, a positive Z turns it to the person's *right*. (The table
in OpenMBD 1.1 had knee and ankle the other way and exchanged Z and X; OpenMBD 1.2 says so itself.)

`mapping` names the model's joints; joints it does not name are reported and left as they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import radians
from pathlib import Path

import numpy as np

from ...engine.bodies.posture import body_poses
from ...engine.spec import AxisLimits, ConeLimits, Joint, Model
from ..parts.tables import read_table
from .ambrosio_joints import AMBROSIO_TABLE_2

AAOS = "American Academy of Orthopaedic Surgeons, joint motion norms (1965/1994)"
AMBROSIO = "Ambrosio table 2"

ADULT_MASS, ADULT_HEIGHT = 75.0, 1.75
"""kg and m of the person the stiffness below is for (Ambrosio's 50th percentile male)."""
RELAXATION = 0.01
"""s: damping of a limit over its stiffness."""
SAG = 2.0
"""Degrees a limit may give under the outstretched limb's own weight; what must hold is 5."""


@dataclass(frozen=True)
class AnatomicalRange:
    """One joint of a person: extents in degrees (each >= 0) from the standing posture, and how firmly they are held."""

    joint: str
    front: float
    """Flexion of hip, shoulder, elbow; dorsiflexion; extension of the knee; *extension* of trunk and neck (an upright
    segment turned the same way leans backward): all are the turn that carries a hanging limb forward."""
    rear: float
    outward: float
    """Abduction, eversion; for trunk and neck bending to the side."""
    inward: float
    turn_in: float
    """Internal rotation, pronation; for trunk and neck turning to the side."""
    turn_out: float
    ambrosio: str = ""
    """Joint of Ambrosio's table 2 whose stiffness the adult's has"""
    chosen_stiffness: float = 0.0
    """N m/rad of the adult, where that table has no such joint"""
    note: str = ""
    """What of the extents is not of the source, and where that is from"""
    as_cone: bool = False
    """A cone about the hanging limb in place of a box; for ranges so wide that a box would let the limb go round."""

    @property
    def stiffness(self) -> float:
        """N m/rad of the adult."""
        return AMBROSIO_TABLE_2[self.ambrosio].secant_stiffness if self.ambrosio else self.chosen_stiffness

    @property
    def source(self) -> str:
        """Where the extents are from."""
        return AAOS + self.note


RANGES = {row.joint: row for row in read_table(Path(__file__).with_suffix(".csv"), AnatomicalRange)}
"""Joint of a person to its range."""

OPENMBD_JOINTS: dict[str, tuple[str, str]] = {
    "lowerbackJnt": ("lower_back", ""),
    "upperbackJnt": ("upper_back", ""),
    "neckJnt": ("neck", ""),
    "headJnt": ("head", ""),
    **{
        f"{part}{side[0]}Jnt": (part, side)
        for part in ("hip", "knee", "ankle", "shoulder", "elbow", "wrist")
        for side in ("left", "right")
    },
}
"""Joint names of OpenMBD's male and female: joint name to (key of RANGES, side)."""


def apply_range_of_motion(model: Model, mapping: Mapping[str, tuple[str, str]] | None = None) -> list[str]:
    """Give the model's mapped joints the ranges of `RANGES` where they have none; return what was done, as notes."""
    mapping = OPENMBD_JOINTS if mapping is None else mapping
    frames = body_poses(model)
    notes = []
    for joint in model.joints:
        if not joint.kind.turns:
            continue
        if joint.limits is not None or joint.cone is not None:
            notes.append(f"joint '{joint.name}': keeps its own range of motion")
        elif joint.name not in mapping:
            notes.append(f"joint '{joint.name}': no range of motion, because the mapping does not name it")
        else:
            notes.append(_attach(model, joint, frames, *mapping[joint.name]))
    return notes


def size_factor(model: Model) -> float:
    """Mass times height over the adult's: a moment of weight, by which stiffness and damping of a joint are scaled."""
    mass = sum(body.mass for body in model.bodies) / ADULT_MASS
    height = mass ** (1.0 / 3.0) if model.height is None else model.height / ADULT_HEIGHT
    return mass * height


def weight_moment(model: Model, joint: Joint) -> float:
    """N m: the largest moment about the joint of the weight of all beyond it, held out straight as in zero posture."""
    frames = body_poses(model)
    centre = (frames[joint.child] @ np.array(joint.T2, dtype=float))[:3, 3]
    beyond = {joint.child}
    for _ in model.joints:
        beyond |= {other.child for other in model.joints if other.parent in beyond}
    moment = sum(
        body.mass * (frames[body.name] @ np.array([*body.center_of_mass, 1.0]))[:3]
        for body in model.bodies
        if body.name in beyond
    )
    mass = sum(body.mass for body in model.bodies if body.name in beyond)
    return 9.81 * float(np.linalg.norm(moment - mass * centre))


def _attach(model: Model, joint: Joint, frames: dict[str, np.ndarray], key: str, side: str) -> str:
    """Set the limits of one joint, and return a note."""
    data = RANGES[key]
    base = np.eye(4) if joint.parent is None else frames[joint.parent]
    axes = (base @ np.array(joint.T1, dtype=float))[:3, :3]
    stiffness = max(data.stiffness * size_factor(model), weight_moment(model, joint) / radians(SAG))
    source = f"{data.source}; stiffness {_stiffness_source(data.stiffness)}, scaled to the person"
    label = f"joint '{joint.name}': {' '.join(filter(None, (side, key.replace('_', ' '))))}"
    if joint.kind.has_axis:
        return _attach_hinge(joint, data, side, axes, stiffness, source, label)
    if not _is_right_angled(axes):
        return f"{label}: no range of motion, because its axes are not along the person's; turn T1 or give limits"
    if data.as_cone:
        joint.cone = _shoulder_cone(data, side, axes, stiffness, source)
        return f"{label} range of motion as a cone ({data.source})"
    lower, upper = _joint_box(data, side, axes)
    joint.limits = AxisLimits(
        lower, upper, round(stiffness, 3), round(RELAXATION * stiffness, 5), source=source
    )
    return f"{label} range of motion ({data.source})"


def _stiffness_source(stiffness: float) -> str:
    published = any(stiffness == joint.secant_stiffness for joint in AMBROSIO_TABLE_2.values())
    return f"{stiffness:.0f} N m/rad {'from ' + AMBROSIO if published else 'chosen'}"


def anatomical_box(data: AnatomicalRange, side: str) -> tuple[np.ndarray, np.ndarray]:
    """(lowest, highest) turn in degrees, right-handed about front (x), left (y) and up (z) of the standing person.

    About +y a hanging limb swings backward. About +x it moves to the left: outward on the left side, inward on the
    right. About +z it turns to the left: outward on the left side.
    """
    lower = np.array([-data.inward, -data.front, -data.turn_in], dtype=float)
    upper = np.array([data.outward, data.rear, data.turn_out], dtype=float)
    if side == "right":
        lower[[0, 2]], upper[[0, 2]] = -upper[[0, 2]], -lower[[0, 2]]
    return lower, upper


def _is_right_angled(axes: np.ndarray) -> bool:
    """True where every column is within a degree of plus or minus a coordinate axis."""
    return bool((np.abs(axes).max(axis=0) > np.cos(radians(1.0))).all())


def _joint_box(data: AnatomicalRange, side: str, axes: np.ndarray) -> tuple[tuple, tuple]:
    """The box about the joint's own axes, in the order (Z, Y, X). `axes`: (3, 3), columns are the joint axes."""
    lower, upper = anatomical_box(data, side)
    low, high = [], []
    for k in (2, 1, 0):
        which = int(np.argmax(np.abs(axes[:, k])))
        pair = (lower[which], upper[which])
        if axes[which, k] < 0.0:
            pair = (-pair[1], -pair[0])
        low.append(float(pair[0]) + 0.0)
        high.append(float(pair[1]) + 0.0)
    return tuple(low), tuple(high)


def _attach_hinge(
    joint: Joint,
    data: AnatomicalRange,
    side: str,
    axes: np.ndarray,
    stiffness: float,
    source: str,
    label: str,
) -> str:
    axis = axes @ np.array(joint.axis, dtype=float)
    which = int(np.argmax(np.abs(axis)))
    if abs(axis[which]) < np.cos(radians(30.0)) * np.linalg.norm(axis):
        return f"{label}: no range of motion, because its axis is none of the person's; give limits"
    lower, upper = (box[which] for box in anatomical_box(data, side))
    low, high = (lower, upper) if axis[which] > 0.0 else (-upper, -lower)
    joint.limits = AxisLimits(
        (float(low), 0.0, 0.0),
        (float(high), 0.0, 0.0),
        round(stiffness, 3),
        round(RELAXATION * stiffness, 5),
        source=source,
    )
    return f"{label} range of motion ({data.source})"


def _shoulder_cone(
    data: AnatomicalRange, side: str, axes: np.ndarray, stiffness: float, source: str
) -> ConeLimits:
    """Cone about the hanging arm: front, outward, rear, inward; turn about the arm as its twist."""
    joint_from_person = axes.T
    down, front = joint_from_person @ [0.0, 0.0, -1.0], joint_from_person @ [1.0, 0.0, 0.0]
    # longitude 90 lies at down x front, the person's right
    # about the arm's own axis (down) a positive turn is to the right: inward on the left side
    if side == "right":
        right, left, twist = data.outward, data.inward, (-data.turn_in, data.turn_out)
    else:
        right, left, twist = data.inward, data.outward, (-data.turn_out, data.turn_in)
    shoulder = AMBROSIO_TABLE_2["shoulder"]
    return ConeLimits(
        quadrant_angles=(float(data.front), float(right), float(data.rear), float(left)),
        axis=tuple(float(x) + 0.0 for x in np.round(down, 12)),
        zero_longitude=tuple(float(x) + 0.0 for x in np.round(front, 12)),
        limb_axis=tuple(float(x) + 0.0 for x in np.round(down, 12)),
        width=shoulder.width,
        torque=round(stiffness * radians(shoulder.width), 3),
        twist=(float(twist[0]), float(twist[1])),
        twist_stiffness=round(0.2 * stiffness, 3),
        twist_damping=round(0.2 * RELAXATION * stiffness, 5),
        source=source,
    )
