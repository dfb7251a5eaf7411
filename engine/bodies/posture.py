"""Where the bodies of a model are in a posture: forward kinematics on specs, for set-up (the hot loop has its own)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..maths.rotations import matrix_from_zyx
from ..maths.vector import axis_angle_matrix
from ..spec import Actor, Joint, Model
from ..spec.validation import refuse, spec_issues
from .tree import actor_transform


def joint_rotation(joint: Joint, angles: Sequence[float]) -> np.ndarray:
    """(3, 3) rotation of a joint at (Z, Y, X) degrees; a joint with an axis turns by the first number about it."""
    if joint.kind.has_axis:
        angle = joint.kind.turn * joint.kind.coordinate(angles[0])
        return np.array(axis_angle_matrix(tuple(unit_axis(joint).tolist()), angle)).reshape(3, 3)
    return matrix_from_zyx(angles) if joint.kind.moves else np.eye(3)


def joint_shift(joint: Joint, angles: Sequence[float]) -> np.ndarray:
    """(3,) m: how far a joint slides along its axis, in its frame T1."""
    if not joint.kind.slides:
        return np.zeros(3)
    return joint.kind.slide * joint.kind.coordinate(angles[0]) * unit_axis(joint)


def unit_axis(joint: Joint) -> np.ndarray:
    """(3,) axis of a joint, of unit length."""
    axis = np.array(joint.axis, dtype=float)
    return axis / np.linalg.norm(axis)


def body_poses(
    model: Model, joint_angles: Mapping[str, Sequence[float]] | None = None, base: np.ndarray | None = None
) -> dict[str, np.ndarray]:
    """Body name to its (4, 4) pose in the world, with the actor frame at `base` (4, 4; absent: the identity)."""
    angles = joint_angles or {}
    poses: dict[str, np.ndarray] = {}
    waiting = list(model.joints)
    while waiting:
        ready = [joint for joint in waiting if joint.parent is None or joint.parent in poses]
        if not ready:
            refuse(model.name, spec_issues(model))
        for joint in ready:
            turn = np.eye(4)
            own = angles.get(joint.name, (0.0, 0.0, 0.0))
            turn[:3, :3], turn[:3, 3] = joint_rotation(joint, own), joint_shift(joint, own)
            parent = (np.eye(4) if base is None else base) if joint.parent is None else poses[joint.parent]
            T1, T2 = np.array(joint.T1, dtype=float), np.array(joint.T2, dtype=float)
            poses[joint.child] = parent @ T1 @ turn @ np.linalg.inv(T2)
        waiting = [joint for joint in waiting if joint not in ready]
    return poses


def actor_poses(actor: Actor) -> dict[str, np.ndarray]:
    """Body name to its (4, 4) world pose at the actor's start."""
    return body_poses(actor.model, actor.joint_angles, actor_transform(actor))


def ellipsoid_bottoms(model: Model, poses: Mapping[str, np.ndarray]) -> list[float]:
    """Smallest z (m) of every ellipsoid in a pose: each reaches sqrt(sum (R_2k a_k)^2) below its centre."""
    bottoms = []
    for body in model.bodies:
        pose = poses[body.name]
        for ellipsoid in body.ellipsoids:
            up = (pose[:3, :3] @ np.array(ellipsoid.orientation, dtype=float))[2] * ellipsoid.semi_axes
            centre = pose[:3, :3] @ np.array(ellipsoid.position, dtype=float) + pose[:3, 3]
            bottoms.append(float(centre[2] - np.linalg.norm(up)))
    return bottoms
