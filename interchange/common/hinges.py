"""What programs without joints by functions, and without path points that move, get in their place."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ...engine.bodies.courses import joint_course
from ...engine.bodies.posture import course_coordinates
from ...engine.spec import Joint, Model, Muscle, Vector
from ...engine.spec.joint_functions import TURN
from ...engine.spec.joint_types import JOINT_TYPES
from .axes import rows, transform, vector3
from .findings import Findings

HINGE = next(name for name, kind in JOINT_TYPES.items() if kind.is_hinge)
STILL = (0.0, 0.0, 0.0)


def plain_model(model: Model, angles: Mapping[str, Vector], findings: Findings) -> Model:
    """The model with hinges for its joints of one angle by functions, and with points of paths that stay.

    angles: joint name to its numbers (degrees) at which what a hinge does not do is held. A joint that is no such one
    stays, for the writer to refuse.
    """
    joints = [_plain_joint(joint, angles.get(joint.name, STILL), findings) for joint in model.joints]
    return replace(model, joints=joints, muscles=[_plain_muscle(m, findings) for m in model.muscles])


def _plain_joint(joint: Joint, angles: Vector, findings: Findings) -> Joint:
    hinge = _hinge(joint, angles) if joint.kind.by_functions else None
    if hinge is None:
        return joint
    message = "part of its motion follows its angle by a function; it is a hinge there, the rest held as at the start"
    findings.add("joint", joint.name, message)
    return hinge


def _hinge(joint: Joint, angles: Vector) -> Joint | None:
    """The hinge about the first axis that turns as the joint's one coordinate does; None where there is none."""
    if [motion.turns for motion in joint.kind.motions] != [True]:
        return None
    turns = [function for function in joint.functions if function.motion == TURN]
    slopes = [dict(f.terms or ((1.0, 1.0),)) if f.coordinate and not f.points else {} for f in turns]
    places = [k for k, row in enumerate(slopes) if abs(row.get(1.0, 0.0)) == 1.0 and set(row) <= {0.0, 1.0}]
    if not places:
        return None
    k, at = places[0], course_coordinates(joint, angles, STILL)
    slope, offset = slopes[k][1.0], slopes[k].get(0.0, 0.0)
    fixed = replace(turns[k], coordinate="", terms=((0.0, offset),))
    before, _ = joint_course(replace(joint, functions=[*turns[:k], fixed], ellipsoid=None), at)
    after, _ = joint_course(replace(joint, functions=turns[k + 1 :], ellipsoid=None), at)
    _, shift = joint_course(joint, at)
    return replace(
        joint,
        type=HINGE,
        functions=[],
        ellipsoid=None,
        axis=vector3(slope * np.array(turns[k].direction, dtype=float)),
        T1=rows(np.array(joint.T1, dtype=float) @ transform(before, shift)),
        T2=rows(np.array(joint.T2, dtype=float) @ transform(after.T, STILL)),
    )


def note_moving_points(muscle: Muscle, findings: Findings) -> bool:
    """Note a muscle whose path has points that move or come and go; returns whether it has. Every writer calls this."""
    if not any(point.shifts or point.when for point in muscle.path):
        return False
    message = (
        "points of its path that move with a joint stay there, and those that come and go are always there"
    )
    findings.add("muscle", muscle.name, message)
    return True


def _plain_muscle(muscle: Muscle, findings: Findings) -> Muscle:
    if not note_moving_points(muscle, findings):
        return muscle
    return replace(muscle, path=tuple(replace(point, shifts=(), when=None) for point in muscle.path))
