"""Range of motion and damping of a figure's joints, in the frames of `frames`.

Ranges: American Academy of Orthopaedic Surgeons (1965/1994), quoted from general knowledge of high confidence. The
spine's and neck's ranges are of the whole spine and neck; they are shared between the two joints of each (assumed
shares, sums exact). Stiffness past a limit: mean stiffness of Ambrosio's penalty torques, table 2 (torque over
width). Damping: his table 2; he has no ankle and no wrist.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..engine.spec import AxisLimits, JointFriction, Model

AAOS = "AAOS 1965/1994 range of motion"
AMBROSIO = "Ambrosio, Biomechanical model using multibody dynamics for human body impact, table 2"


@dataclass(frozen=True)
class JointRow:
    """Limits in degrees (lowest, highest) about the joint's Z, Y and X, penalty (N m over degrees) and damping (N m
    s/rad)."""

    z: tuple[float, float]
    y: tuple[float, float]
    x: tuple[float, float]
    penalty: tuple[float, float]
    damping: float
    source: str


_LAXITY = "; knee and elbow side play of 5 degrees assumed"
ROWS: dict[str, JointRow] = {
    "hip": JointRow((-45, 45), (-30, 120), (-30, 45), (452, 11.5), 5.65, f"{AAOS}; {AMBROSIO}"),
    "knee": JointRow(
        (-15, 15), (0, 135), (-5, 5), (226, 11.5), 5.65, f"{AAOS}; {AMBROSIO}{_LAXITY}, axial turn 15 assumed"
    ),
    "ankle": JointRow(
        (-20, 20),
        (-50, 20),
        (-35, 15),
        (226, 11.5),
        3.39,
        f"{AAOS}; {AMBROSIO} gives no ankle: values of the elbow; turn about the shank 20 degrees assumed",
    ),
    "shoulder": JointRow(
        (-90, 70),
        (-60, 180),
        (-30, 180),
        (226, 11.5),
        3.76,
        f"{AAOS}; {AMBROSIO}; adduction of 30 degrees assumed",
    ),
    "elbow": JointRow((-80, 80), (0, 150), (-5, 5), (226, 11.5), 3.39, f"{AAOS}; {AMBROSIO}{_LAXITY}"),
    "wrist": JointRow(
        (-5, 5),
        (-70, 80),
        (-30, 20),
        (50, 11.5),
        1.0,
        f"{AAOS}; stiffness and damping assumed, about a quarter of the elbow's",
    ),
    "lowerback": JointRow(
        (-10, 10),
        (-15, 45),
        (-20, 20),
        (226, 11.5),
        16.95,
        f"{AAOS}, shares of the spine assumed; {AMBROSIO}",
    ),
    "upperback": JointRow(
        (-35, 35),
        (-10, 35),
        (-15, 15),
        (226, 11.5),
        16.95,
        f"{AAOS}, shares of the spine assumed; {AMBROSIO}",
    ),
    "neck": JointRow(
        (-30, 30), (-25, 25), (-30, 30), (678, 15.0), 3.39, f"{AAOS}, shares of the neck assumed; {AMBROSIO}"
    ),
    "head": JointRow(
        (-30, 30), (-20, 20), (-15, 15), (452, 15.0), 3.39, f"{AAOS}, shares of the neck assumed; {AMBROSIO}"
    ),
}

LIMIT_DAMPING = 5.0
"""N m s/rad past a limit, assumed."""

DUMMY_FRICTION = {"shoulder": 30.0, "elbow": 8.0, "hip": 60.0, "knee": 20.0, "ankle": 8.0, "wrist": 2.0}
"""N m: joints of a dummy are set to just hold the limb against 1 g to 2 g (49 CFR 572); assumed sizes, near the
moment of the stretched limb's weight."""


def row_of(joint_name: str) -> str:
    """Row for a joint name such as "hiplJnt"."""
    stem = joint_name.removesuffix("Jnt")
    return stem if stem in ROWS else stem[:-1]


def _attach(model: Model, torque_scale: float, friction: bool) -> Model:
    for joint in model.joints:
        if joint.type != "spherical":
            continue
        name = row_of(joint.name)
        row = ROWS[name]
        torque, width = row.penalty
        joint.limits = AxisLimits(
            lower=tuple(float(pair[0]) for pair in (row.z, row.y, row.x)),
            upper=tuple(float(pair[1]) for pair in (row.z, row.y, row.x)),
            stiffness=round(torque_scale * torque / math.radians(width), 1),
            damping=round(torque_scale * LIMIT_DAMPING, 3),
            source=row.source,
        )
        joint.damping = round(torque_scale * row.damping, 3)
        joint.source = row.source
        if friction and name in DUMMY_FRICTION:
            joint.friction = JointFriction(
                round(torque_scale * DUMMY_FRICTION[name], 3),
                source="Dummy joints set to hold the limb (49 CFR 572); size assumed",
            )
    return model


def attach_human(model: Model) -> Model:
    """Put range of motion and damping on an adult's joints."""
    return _attach(model, 1.0, friction=False)


def attach_dummy(model: Model, torque_scale: float = 1.0, friction: bool = True) -> Model:
    """Put range of motion, damping and joint friction on a dummy's or child's joints, torques times `torque_scale`."""
    return _attach(model, torque_scale, friction)
