"""Motors by which a person follows a motion: as stiff as what they move asks for, as strong as people are.

Derived in docs/derivations.md, Following a motion. They follow until a response takes the joints over: a motion that
goes on being followed ends as a plank.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from ...engine.maths.inertia import inertia_matrix
from ...engine.responses.compile import strength_of
from ...engine.spec import Model, Motor
from ...engine.spec.response_joints import RESPONSE_JOINTS
from ..parts.placement import body_transforms

FOLLOWING = 2.0 * np.pi * 8.0
"""rad/s of a joint's own swing on its motor: 8 Hz; below it a leg lags behind the table."""
STIFFEST, SOFTEST = 5000.0, 150.0
"""N m/rad: hips and back follow by less than 8 Hz asks for; ankles and elbows by more, against their passive tissue."""
Row = Sequence[float]
"""Angles of a joint about Z, Y, X, degrees."""


def joint_inertia(model: Model, joint_name: str) -> float:
    """Inertia (kg m2) that a motor of a joint moves about the axis across the body, standing: what hangs on it and the
    rest of the body in series."""
    poses = body_transforms(model)
    joints = {joint.name: joint for joint in model.joints}
    moved = {joints[joint_name].child}
    for _ in model.joints:
        moved |= {joint.child for joint in model.joints if joint.parent in moved}
    centre = poses[joints[joint_name].child][:3, 3]
    parts = {True: 0.0, False: 0.0}
    for body in model.bodies:
        pose = poses[body.name]
        away = (pose @ [*body.center_of_mass, 1.0])[:3] - centre
        turned = pose[:3, :3] @ inertia_matrix(body.inertia) @ pose[:3, :3].T
        parts[body.name in moved] += turned[1, 1] + body.mass * (away[0] ** 2 + away[2] ** 2)
    return parts[True] * parts[False] / (parts[True] + parts[False])


def joint_strengths(model: Model) -> dict[str, float]:
    """Joint to its largest torque, N m, of all that people of the library move."""
    factors = strength_of(model)
    return {
        name: entry.torque * (factors.lower if entry.is_lower else factors.upper)
        for entry in RESPONSE_JOINTS
        for name in entry.names
    }


def following_motors(
    model: Model,
    times: Sequence[float],
    angles: Mapping[str, Sequence[Row]],
    source: str,
    strength: float = 1.0,
) -> dict[str, Motor]:
    """Motors that follow angles over times (s) with their rate.

    strength: factor on that of the model's sex and size.
    """
    strengths = joint_strengths(model)
    motors = {}
    for name, rows in angles.items():
        inertia = joint_inertia(model, name)
        stiffness = min(max(inertia * FOLLOWING**2, SOFTEST), STIFFEST)
        motors[name] = Motor(
            stiffness=round(stiffness, 3),
            damping=round(2.0 * (inertia * stiffness) ** 0.5, 4),
            target=tuple(rows[0]),
            max_torque=round(strength * strengths[name], 3),
            target_over_time=tuple((t, *row) for t, row in zip(times, rows, strict=True)),
            follows=True,
            source=source,
        )
    return motors
