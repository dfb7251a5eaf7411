"""Ball joints with a range of motion as three hinges, each of which MuJoCo can limit (its ball joint has one angle).

The hinges are about z, then y, then x, as our angles are given. For a turn about one axis their limits are ours; in
general ours hold the components of the rotation vector, theirs the angles one after the other.
"""

from dataclasses import replace

import numpy as np

from ...engine.maths.rotations import matrix_from_zyx
from ...engine.spec import Actor, Scenario, Vector
from ..common.axes import vector3
from ..common.findings import Findings
from .joints import MJCF_TYPES

BALL, THREE_HINGES = (
    next(name for name, types in MJCF_TYPES.items() if types == wanted)
    for wanted in (("ball",), ("hinge",) * 3)
)
STILL = (0.0, 0.0, 0.0)
MESSAGE = (
    "written as three hinges about z, y and x: limits, damping and motor act about each by itself, which is the same "
    "for a turn about one axis"
)


def with_hinges(scenario: Scenario, findings: Findings) -> Scenario:
    """The scenario with three hinges for every ball joint that has axis limits, at the same start."""
    return replace(scenario, actors=[_hinged(actor, findings) for actor in scenario.actors])


def _hinged(actor: Actor, findings: Findings) -> Actor:
    chosen = {joint.name for joint in actor.model.joints if joint.type == BALL and joint.limits is not None}
    for name in sorted(chosen):
        findings.add("joint", name, MESSAGE)
    joints = [
        replace(joint, type=THREE_HINGES) if joint.name in chosen else joint for joint in actor.model.joints
    ]
    velocities = {
        name: hinge_rates(actor.joint_angles.get(name, STILL), rate) if name in chosen else rate
        for name, rate in actor.joint_velocities.items()
    }
    return replace(actor, model=replace(actor.model, joints=joints), joint_velocities=velocities)


def hinge_rates(angles: Vector, rate: Vector) -> Vector:
    """Rates (rad/s about x, y, z) of the hinges at angles (Z, Y, X, degrees) that turn the child at `rate` in its own
    axes. Where two hinges are parallel (Y at 90 degrees) the nearest that they can."""
    _, y, x = angles
    about = np.column_stack([
        np.array([1.0, 0.0, 0.0]),
        matrix_from_zyx((0.0, 0.0, x)).T @ [0.0, 1.0, 0.0],
        matrix_from_zyx((0.0, y, x)).T @ [0.0, 0.0, 1.0],
    ])  # fmt: skip
    return vector3(np.linalg.lstsq(about, np.array(rate, dtype=float), rcond=None)[0])
