"""The motion of an actor as a table of joint coordinates, from the poses of its bodies.

Columns: a hinge has one of its joint's name, its angle; any other joint that turns has `name_z`, `name_y`, `name_x`,
the angles Z, Y, X of its child's joint frame in its parent's (R = Rz Ry Rx); one that slides `name_along_x`, `_y`, `_z`
in m. Of a free root these are of its joint frame in the world, z up, with `name_tx`, `name_ty`, `name_tz` for its
place.
Angles are in degrees and go on past 180.
"""

from collections.abc import Mapping

import numpy as np

from ...engine.maths.rotations import zyx_from_matrix
from ...engine.runs.recording import Recording
from ...engine.spec import Joint, Model
from .storage import MotionTable

Poses = Mapping[str, np.ndarray]
"""Body to its (F, 4, 4) poses in the world."""


def recorded_poses(recording: Recording, model: Model, actor: str) -> Poses:
    """Of the bodies of an actor at the output times."""
    return {
        body.name: posed(recording.origin(b), recording.rotation(b))
        for body in model.bodies
        for b in [recording.body_index(actor, body.name)]
    }


def posed(origins: np.ndarray, rotations: np.ndarray) -> np.ndarray:
    """(F, 4, 4) of origins (F, 3) and rotations (F, 3, 3)."""
    result = np.tile(np.eye(4), (len(origins), 1, 1))
    result[:, :3, :3], result[:, :3, 3] = rotations, origins
    return result


def joint_table(model: Model, times: np.ndarray, poses: Poses, name: str) -> MotionTable:
    """The coordinates of all joints that move."""
    columns: dict[str, np.ndarray] = {}
    for joint in model.joints:
        if joint.kind.moves:
            columns |= _coordinates(joint, _between(joint, poses))
    data = np.column_stack(list(columns.values())) if columns else np.zeros((len(times), 0))
    names = tuple("_".join(column.split()) for column in columns)
    return MotionTable(name, names, np.asarray(times, dtype=float), data, in_degrees=True)


def _between(joint: Joint, poses: Poses) -> np.ndarray:
    """(F, 4, 4) of the child's joint frame in the parent's, or in the world for a free root."""
    child = poses[joint.child] @ np.array(joint.T2, dtype=float)
    if joint.kind.is_free:
        return child
    first = np.array(joint.T1, dtype=float)
    parent = first if joint.parent is None else poses[joint.parent] @ first
    return np.linalg.inv(parent) @ child


def _coordinates(joint: Joint, between: np.ndarray) -> dict[str, np.ndarray]:
    turns, places = between[:, :3, :3], between[:, :3, 3]
    found = {}
    if joint.kind.is_free:
        found |= {f"{joint.name}_t{axis}": places[:, k] for k, axis in enumerate("xyz")}
    elif any(motion.slides for motion in joint.kind.motions):
        found |= {f"{joint.name}_along_{axis}": places[:, k] for k, axis in enumerate("xyz")}
    if joint.kind.is_hinge:
        return {joint.name: np.degrees(np.unwrap(_hinge_angle(turns, np.array(joint.axis, dtype=float))))}
    if joint.kind.turns or joint.kind.is_free:
        angles = np.unwrap(np.radians([zyx_from_matrix(turn) for turn in turns]), axis=0)
        found |= {f"{joint.name}_{axis}": np.degrees(angles[:, k]) for k, axis in enumerate("zyx")}
    return found


def _hinge_angle(turns: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """(F,) rad about a unit axis."""
    axis = axis / np.linalg.norm(axis)
    across = np.column_stack([turns[:, 2, 1] - turns[:, 1, 2], turns[:, 0, 2] - turns[:, 2, 0],
                              turns[:, 1, 0] - turns[:, 0, 1]])  # fmt: skip
    return np.arctan2(across @ axis, np.trace(turns, axis1=1, axis2=2) - 1.0)
