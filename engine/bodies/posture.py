"""Where the bodies of a model are in a posture: forward kinematics on specs, for set-up (the hot loop has its own)."""

from collections.abc import Mapping, Sequence

import numpy as np

from ..maths.rotations import matrix_from_zyx
from ..maths.vector import axis_angle_matrix
from ..spec import Actor, Joint, Model, Vector
from ..spec.joint_functions import coordinate_names
from ..spec.joint_types import AXIS, Motion
from ..spec.validation import refuse, spec_issues
from .courses import find_coordinates, joint_course
from .tree import actor_transform, motion_axis

ZERO = (0.0, 0.0, 0.0)


def joint_rotation(joint: Joint, angles: Sequence[float]) -> np.ndarray:
    """(3, 3) rotation of a joint at (Z, Y, X) degrees; a joint with an axis turns by the first number about it."""
    if joint.kind.by_functions:
        return joint_course(joint, course_coordinates(joint, angles, ZERO))[0]
    rotation = np.eye(3)
    for motion in joint.kind.motions:
        if motion.group != AXIS:
            rotation = rotation @ matrix_from_zyx(angles)
        elif motion.turns:
            angle = motion.turn * motion.coordinate(angles[motion.angle_place])
            axis = tuple(unit_axis(joint, motion).tolist())
            rotation = rotation @ np.array(axis_angle_matrix(axis, angle)).reshape(3, 3)
    return rotation


def joint_shift(joint: Joint, angles: Sequence[float], slides: Sequence[float] = ZERO) -> np.ndarray:
    """(3,) m: how far a joint slides, in its frame T1. slides: along x, y, z, of a joint that turns besides."""
    if joint.kind.by_functions:
        return joint_course(joint, course_coordinates(joint, angles, slides))[1]
    shift = np.zeros(3)
    for motion in joint.kind.motions:
        if motion.slides:
            way = motion.slide * motion.coordinate(joint.kind.typed(motion, angles, slides))
            shift += way * unit_axis(joint, motion)
    return shift


def course_coordinates(joint: Joint, angles: Sequence[float], slides: Sequence[float]) -> dict[str, float]:
    """Coordinates, rad and m, of a joint by functions at typed numbers."""
    kind = joint.kind
    names = coordinate_names(joint.functions)
    typed = [kind.typed(motion, angles, slides) for motion in kind.motions]
    return {n: m.coordinate(t) for n, m, t in zip(names, kind.motions, typed, strict=True)}


def typed_coordinates(
    joint: Joint, rotation: np.ndarray, shift: np.ndarray, near: tuple[Sequence[float], Sequence[float]]
) -> tuple[Vector, Vector]:
    """(angles in degrees, ways in m), as a person gives them, at which a joint by functions comes closest to a pose in
    its frame T1. near: such numbers to begin from."""
    found = find_coordinates(joint, rotation, shift, course_coordinates(joint, *near))
    angles, ways = [0.0] * 3, [0.0] * 3
    for motion, value in zip(joint.kind.motions, found.values(), strict=True):
        if motion.turns:
            angles[motion.angle_place] = float(np.degrees(value))
        else:
            ways[motion.place] = value
    return tuple(angles), tuple(ways)


def unit_axis(joint: Joint, motion: Motion) -> np.ndarray:
    """(3,) axis of a motion of a joint, of unit length."""
    axis = motion_axis(joint, motion)
    return axis / np.linalg.norm(axis)


def body_poses(
    model: Model,
    joint_angles: Mapping[str, Sequence[float]] | None = None,
    base: np.ndarray | None = None,
    joint_slides: Mapping[str, Sequence[float]] | None = None,
) -> dict[str, np.ndarray]:
    """Body name to its (4, 4) pose in the world, with the actor frame at `base` (4, 4; absent: the identity)."""
    angles, slides = joint_angles or {}, joint_slides or {}
    poses: dict[str, np.ndarray] = {}
    waiting = list(model.joints)
    while waiting:
        ready = [joint for joint in waiting if joint.parent is None or joint.parent in poses]
        waiting = [joint for joint in waiting if joint.parent is not None and joint.parent not in poses]
        if not ready:
            refuse(model.name, spec_issues(model))
        for joint in ready:
            turn = np.eye(4)
            own = angles.get(joint.name, ZERO)
            turn[:3, :3] = joint_rotation(joint, own)
            turn[:3, 3] = joint_shift(joint, own, slides.get(joint.name, ZERO))
            parent = (np.eye(4) if base is None else base) if joint.parent is None else poses[joint.parent]
            T1, T2 = np.array(joint.T1, dtype=float), np.array(joint.T2, dtype=float)
            poses[joint.child] = parent @ T1 @ turn @ np.linalg.inv(T2)
    return poses


def actor_poses(actor: Actor) -> dict[str, np.ndarray]:
    """Body name to its (4, 4) world pose at the actor's start."""
    return body_poses(actor.model, actor.joint_angles, actor_transform(actor), actor.joint_slides)


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
