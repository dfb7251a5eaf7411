"""Joints and motors of a Hyfydy file in our terms.

A joint of Hyfydy is a ball joint with a range of turning about each of the child's axes (in the reference orientation).
Ranges without width lock an axis: three of them make a fixed joint, two a revolute one, others keep their limits.

Limit damping b of joint_force_pnld is ours in proportion to the elastic torque, k a (1 + b w) for a turn a past the
limit at speed w; that of joint_force_pd is the linear one, k a + b w. A file that chooses neither has the first, which
the manual recommends. Written for Hyfydy, a linear damping c becomes that in proportion which is equal to it where a =
`MATCHED`: b = c / (k `MATCHED`).
"""

from dataclasses import dataclass
from math import radians

import numpy as np

from ...engine import spec
from ...engine.maths.rotations import zyx_from_matrix
from ...engine.maths.vector import axis_angle_matrix
from ..common.axes import rows, transform, vector3, z_up
from ..common.findings import Findings
from .components import Joint, JointMotor, ModelOptions
from .kept import KEPT, keep
from .options import joint_defaults
from .surfaces import rotation_z_up
from .values import Range

FREE, FIXED, HINGE, BALL = "free", "fixed", "revolute", "spherical"
"""Our types for Hyfydy's joints: none at the root, all axes locked, all but one, fewer."""
GROUND = "ground"
"""Mark of a body that was added for what hangs on bodies that never move."""
SLIDER, BUSHING = "prismatic", "bushing"
"""Our types for those with a range of sliding: along one axis without turning, and any other."""
PLANE = "planar"
"""Our type for the root of a planar model: no joint there, but nothing leads out of the x-y plane."""
WAY_GAINS = (1.0e5, 100.0)
"""N/m and N s/m past a range of sliding; assumed."""
MATCHED = radians(5.0)
"""rad past the limit at which the two kinds of damping agree."""
PLANAR_AXES = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""(3, 3), columns: the file's x, y and z in ours."""


def rotation_of_vector(vector: np.ndarray) -> np.ndarray:
    """(3, 3) rotation by a rotation vector in rad."""
    angle = float(np.linalg.norm(vector))
    if angle == 0.0:
        return np.eye(3)
    return np.array(axis_angle_matrix(tuple(float(v) for v in vector / angle), angle)).reshape(3, 3)


@dataclass(frozen=True)
class JointLaws:
    """What the blocks of forces choose for joints."""

    planar: bool = False
    """They turn about the file's z only."""
    linear_limits: bool = False
    """joint_force_pd: damping at a limit is linear."""


BALL_JOINTS = JointLaws()
"""Joints in space, with joint_force_pnld."""


def planar_root(name: str, ground: str | None, body: str, out_of_plane: float) -> spec.Joint:
    """Joint of a body that moves in the file's x-y plane; out_of_plane: its z there (m)."""
    joint = spec.Joint(name, PLANE, ground, body, damping=0.0)
    joint.T1 = rows(transform(PLANAR_AXES, z_up((0.0, 0.0, out_of_plane))))
    joint.T2 = rows(transform(PLANAR_AXES, (0.0, 0.0, 0.0)))
    joint.extras[KEPT] = FREE
    return joint


def loose_root(name: str, ground: str, body: str) -> spec.Joint:
    """Joint of a free body in a model whose root is the ground: it slides and turns along and about all axes."""
    joint = spec.Joint(name, BUSHING, ground, body, damping=0.0, slide=spec.JointSlide(damping=0.0))
    joint.extras[KEPT] = FREE
    return joint


def joint_spec(
    joint: Joint,
    parent: str | None,
    base: np.ndarray,
    options: ModelOptions,
    findings: Findings,
    laws: JointLaws = BALL_JOINTS,
) -> spec.Joint:
    """Our joint. `base`: (4, 4) pose of the parent's frame (in our axes) in its host's: identity for a body, the pose
    in the world for one that never moves."""
    full = joint_defaults(joint, options)
    _note_differences(full, findings)
    T1 = base @ transform(rotation_z_up(joint.ref_ori), z_up(joint.pos_in_parent))
    T2 = transform(np.eye(3), z_up(joint.pos_in_child))
    result = spec.Joint(joint.name, BALL, parent, joint.child, damping=0.0)
    free = _free_axes(joint.limits)
    if laws.planar and free != []:
        free = [2]
        result.type, result.axis = HINGE, z_up(np.eye(3)[2])
        if joint.limits is not None:
            low, high = joint.limits[2]
            result.limits = _axis_limits((low, 0.0, 0.0), (high, 0.0, 0.0), full, laws)
    elif free == []:
        turn = rotation_of_vector(np.radians(z_up([low for low, _ in joint.limits])))
        T1 = T1 @ transform(turn, (0.0, 0.0, 0.0))
        result.type = FIXED
        result.damping = None
    elif free is not None and len(free) == 1:
        result.type = HINGE
        result.axis = z_up(np.eye(3)[free[0]])
        low, high = joint.limits[free[0]]
        result.limits = _axis_limits((low, 0.0, 0.0), (high, 0.0, 0.0), full, laws)
    elif joint.limits is not None:
        result.limits = _ball_limits(full, laws)
    _let_slide(result, full, free, findings)
    result.T1, result.T2 = rows(T1), rows(T2)
    kept = keep(
        joint, "stiffness", "damping", "translation_limits", *(["limit_stiffness"] if free == [] else [])
    )
    if kept:
        result.extras[KEPT] = kept
    return result


def _sliding_axes(joint: Joint) -> list[int]:
    """Axes of the file along which a joint may slide."""
    ranges = joint.translation_limits or ()
    return [axis for axis, (low, high) in enumerate(ranges) if low != 0.0 or high != 0.0]


def _let_slide(result: spec.Joint, joint: Joint, free: list[int] | None, findings: Findings) -> None:
    """Make a joint slide in the range of the file: a slider, or a bushing where it turns about all axes. Our z is the
    file's y, our y minus its z."""
    sliding = _sliding_axes(joint)
    if not sliding:
        return
    if free is not None and (free or len(sliding) > 1):
        message = "it may slide in the file (translation_limits); ours holds its centre"
        findings.add("joint", joint.name, message)
        return
    message = "it may slide in the file and here; the stiffness past its range is ours"
    findings.add("joint", joint.name, message)
    result.damping = 0.0
    if free == []:
        low, high = joint.translation_limits[sliding[0]]
        result.type, result.axis = SLIDER, z_up(np.eye(3)[sliding[0]])
        result.limits = spec.AxisLimits((low, 0.0, 0.0), (high, 0.0, 0.0), *WAY_GAINS)
        return
    (x_low, x_high), (y_low, y_high), (z_low, z_high) = joint.translation_limits
    lower, upper = (x_low, 0.0 - z_high, y_low), (x_high, 0.0 - z_low, y_high)
    result.type = BUSHING
    result.slide = spec.JointSlide(limits=spec.SlideLimits(lower, upper, *WAY_GAINS))


def _free_axes(limits: tuple[Range, Range, Range] | None) -> list[int] | None:
    """Axes that can turn, when the others are locked at zero (or none can turn); None: it stays a ball joint."""
    if limits is None:
        return None
    free = [axis for axis, (low, high) in enumerate(limits) if low != high]
    others_at_zero = all(low == 0.0 for axis, (low, _) in enumerate(limits) if axis not in free)
    return free if not free or (len(free) == 1 and others_at_zero) else None


def _ball_limits(joint: Joint, laws: JointLaws) -> spec.AxisLimits:
    """Ranges about the file's (x, y, z) as ours about (Z, Y, X): our z is its y, our y is minus its z."""
    (x_low, x_high), (y_low, y_high), (z_low, z_high) = joint.limits
    return _axis_limits((y_low, 0.0 - z_high, x_low), (y_high, 0.0 - z_low, x_high), joint, laws)


def _axis_limits(lower: spec.Vector, upper: spec.Vector, joint: Joint, laws: JointLaws) -> spec.AxisLimits:
    damping = joint.limit_damping
    if laws.linear_limits:
        return spec.AxisLimits(lower, upper, joint.limit_stiffness, damping)
    return spec.AxisLimits(lower, upper, joint.limit_stiffness, 0.0, damping_factor=damping)


def _note_differences(joint: Joint, findings: Findings) -> None:
    """What a joint of ours does not do."""
    name = joint.name
    if joint.stiffness > 0.0:
        findings.add("joint", name, "it gives (stiffness and damping of the constraint); ours does not")
    if joint.limits is not None and joint.limit_stiffness == 0.0 and _free_axes(joint.limits) != []:
        findings.add("joint", name, "its limits have no stiffness in the file: they do not act here either")


def weld_spec(
    joint: Joint, start: spec.Point, end: spec.Point, options: ModelOptions, findings: Findings
) -> spec.Weld:
    """A joint that closes a loop: a stiff pin."""
    full = joint_defaults(joint, options)
    findings.add("joint", joint.name, "it closes a loop: a stiff pin holds its two points together")
    if joint.limits is not None:
        findings.add("joint", joint.name, "the limits of a joint that closes a loop are left out")
    weld = spec.Weld(joint.name, start, end)
    if full.stiffness > 0.0:
        weld.stiffness = full.stiffness
    return weld


# ---------------------------------------------------------------- motors


def add_motor(motor: JointMotor, joints: dict[str, spec.Joint], findings: Findings) -> None:
    """Give a joint its motor. One that only damps is the joint's own damping."""
    label = motor.name or motor.joint
    joint = joints.get(motor.joint)
    if joint is None or not joint.kind.resists:
        why = "there is no such joint" if joint is None else f"joint '{joint.name}' is {joint.type}"
        findings.add("joint_motor", label, f"left out: {why}")
        return
    if joint.motor is not None or joint.damping:
        findings.add("joint_motor", label, f"left out: joint '{joint.name}' has one already")
        return
    plain = JointMotor(joint=motor.joint, name=motor.name, damping=motor.damping)
    if motor == plain:
        joint.damping = motor.damping
        return
    joint.motor = spec.Motor(motor.stiffness, motor.damping, max_torque=motor.max_torque)
    turn = rotation_z_up(motor.target_ori)
    velocity, base = z_up(motor.target_vel), z_up(motor.torque_offset)
    if joint.kind.has_axis:
        axis = np.array(joint.axis)
        joint.motor.target = (float(np.degrees(turn_about(turn, axis))), 0.0, 0.0)
        joint.motor.target_velocity = (float(axis @ velocity), 0.0, 0.0)
        joint.motor.base_torque = (float(axis @ base), 0.0, 0.0)
        return
    joint.motor.target = vector3(zyx_from_matrix(turn))
    joint.motor.target_velocity = velocity
    joint.motor.base_torque = base


def turn_about(rotation: np.ndarray, axis: np.ndarray) -> float:
    """Angle in rad of a (3, 3) rotation about an axis: that of its rotation vector's component."""
    skew = np.array(
        [rotation[2, 1] - rotation[1, 2], rotation[0, 2] - rotation[2, 0], rotation[1, 0] - rotation[0, 1]]
    )
    sine, cosine = np.linalg.norm(skew) / 2.0, (np.trace(rotation) - 1.0) / 2.0
    if sine < 1e-12:
        return 0.0 if cosine > 0.0 else float(np.pi * np.sqrt(max(0.0, (axis @ rotation @ axis + 1.0) / 2.0)))
    return float(np.arctan2(sine, cosine) * (axis @ skew) / (2.0 * sine)) + 0.0
