"""Joint specs to the flat arrays of `JointForces`. What a person typed is checked here, with the joint named."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isfinite

import numpy as np

from ..errors import EngineError
from ..rotations import matrix_from_zyx, quaternion_from_matrix
from ..spec import AxisLimits, ConeLimits, JointSpring, Motor, Settings, TorquePulse
from ..tree import FREE, REVOLUTE
from .arrays import AxisBoxes, Cones, Couplers, CurveSprings, JointEntry, JointForces, Motors, TorquePulses
from .cone import bounded_slopes
from .packing import floats, integers, starts

COMPONENT = {"x": 0, "y": 1, "z": 2}
CONE_RELAXATION = 0.01
"""s: the damper of a cone is this times its secant stiffness, the ratio of damping to stiffness of the other limits."""


def compile_joint_forces(entries: Sequence[JointEntry], settings: Settings) -> JointForces:
    """Flat arrays for `joint_forces`, one row per entry, from the specs and the settings' factors and switches."""
    return JointForces(
        damping=_damping(entries, settings),
        boxes=_boxes(entries, settings),
        cones=_cones(entries, settings),
        friction=_friction(entries),
        springs=_springs(entries),
        pulses=_pulses(entries),
        motors=_motors(entries),
        couplers=_couplers(entries),
    )


def _require(condition: bool, entry: JointEntry, message: str) -> None:
    if not condition:
        raise EngineError(f"joint '{entry.name}': {message}")


def _is_not_negative(*values: float) -> bool:
    return all(isfinite(value) and value >= 0.0 for value in values)


def _damping(entries: Sequence[JointEntry], settings: Settings) -> np.ndarray:
    def damping(entry: JointEntry) -> float:
        if entry.joint_type == FREE:
            return 0.0
        own = entry.joint.damping
        value = settings.joint_damping * (settings.default_joint_damping if own is None else own)
        _require(
            _is_not_negative(value), entry, f"damping is {value}; give a number of zero or more (N m s/rad)"
        )
        return value

    return floats(damping(entry) for entry in entries)


def _limits_of(entry: JointEntry, settings: Settings) -> AxisLimits | None:
    if not settings.joint_limits or entry.joint_type == FREE:
        return None
    return entry.joint.limits


def _boxes(entries: Sequence[JointEntry], settings: Settings) -> AxisBoxes:
    limited, lower, upper, gains = [], [], [], []
    for entry in entries:
        limits = _limits_of(entry, settings)
        limited.append(int(limits is not None))
        if limits is None:
            lower.append((-inf,) * 3)
            upper.append((inf,) * 3)
            gains.append((0.0, 0.0))
            continue
        used = 1 if entry.joint_type == REVOLUTE else 3
        for low, high, axis in list(zip(limits.lower, limits.upper, "ZYX", strict=True))[:used]:
            _require(
                low <= high,
                entry,
                f"lower limit {low} of axis {axis} is above its upper limit {high}; swap them",
            )
        _require(
            _is_not_negative(limits.stiffness, limits.damping),
            entry,
            "stiffness and damping of the axis limits must be zero or more",
        )
        lower.append(_components(entry, limits.lower, -inf))
        upper.append(_components(entry, limits.upper, inf))
        gains.append((limits.stiffness, limits.damping))
    return AxisBoxes(
        used=integers(limited),
        lower=floats(lower, 3),
        upper=floats(upper, 3),
        gains=floats(gains, 2),
    )


def _components(entry: JointEntry, zyx: Sequence[float], none: float) -> tuple[float, float, float]:
    """Angles given (Z, Y, X) in degrees as (x, y, z) in rad; a revolute joint's first one in the first slot."""
    radians = np.radians(zyx)
    if entry.joint_type == REVOLUTE:
        return float(radians[0]), none, none
    return float(radians[2]), float(radians[1]), float(radians[0])


def _cones(entries: Sequence[JointEntry], settings: Settings) -> Cones:
    rows: list[int] = []
    angles, slopes, frames, limbs, gains, twists = [], [], [], [], [], []
    for entry in entries:
        cone = entry.joint.cone
        if cone is None or not settings.joint_limits or entry.joint_type == FREE:
            rows.append(-1)
            continue
        _require(
            entry.joint_type != REVOLUTE, entry, "a revolute joint has no cone of motion; use axis limits"
        )
        _check_cone(entry, cone)
        rows.append(len(angles))
        knots = np.radians(cone.quadrant_angles)
        width = float(np.radians(cone.width))
        angles.append(knots)
        slopes.append(bounded_slopes(knots))
        frames.append(_cone_frame(entry, cone).ravel())
        limbs.append(_unit(entry, cone.limb_axis, "limb axis of the cone"))
        gains.append((width, cone.torque, CONE_RELAXATION * cone.torque / width))
        twists.append(_twist_row(entry, cone))
    return Cones(
        row=integers(rows),
        angles=floats(angles, 4),
        slopes=floats(slopes, 4),
        frame=floats(frames, 9),
        limb=floats(limbs, 3),
        gains=floats(gains, 3),
        twist=floats(twists, 4),
    )


def _check_cone(entry: JointEntry, cone: ConeLimits) -> None:
    _require(
        all(0.0 < angle <= 180.0 for angle in cone.quadrant_angles),
        entry,
        f"quadrant angles of the cone are {cone.quadrant_angles}; each must be above 0 and at most 180 degrees",
    )
    _require(cone.width > 0.0, entry, "the width of the cone's penalty must be above 0 degrees")
    _require(
        _is_not_negative(cone.torque, cone.twist_stiffness, cone.twist_damping),
        entry,
        "torque, twist stiffness and twist damping of the cone must be zero or more",
    )


def _unit(entry: JointEntry, vector: Sequence[float], what: str) -> np.ndarray:
    array = np.array(vector, dtype=float)
    length = float(np.linalg.norm(array))
    _require(length > 1e-9, entry, f"the {what} has no length; give a direction")
    return array / length


def _cone_frame(entry: JointEntry, cone: ConeLimits) -> np.ndarray:
    """(3, 3), rows: directions of longitude 0 and 90 and the cone axis."""
    axis = _unit(entry, cone.axis, "axis of the cone")
    zero = np.array(cone.zero_longitude, dtype=float)
    zero = _unit(entry, zero - (zero @ axis) * axis, "direction of longitude 0, seen across the cone axis,")
    return np.stack([zero, np.cross(axis, zero), axis])


def _twist_row(entry: JointEntry, cone: ConeLimits) -> tuple[float, float, float, float]:
    if cone.twist is None:
        return -inf, inf, 0.0, 0.0
    low, high = cone.twist
    _require(low <= high, entry, f"lower twist limit {low} is above the upper one {high}; swap them")
    return float(np.radians(low)), float(np.radians(high)), cone.twist_stiffness, cone.twist_damping


def _friction(entries: Sequence[JointEntry]) -> np.ndarray:
    rows = []
    for entry in entries:
        friction = entry.joint.friction
        if friction is None:
            rows.append((0.0, 0.0))
            continue
        drop = friction.drop_angle
        _require(_is_not_negative(friction.torque), entry, "friction torque must be zero or more")
        _require(
            drop is None or drop > 0.0,
            entry,
            "the drop angle of the friction must be above 0 degrees; leave it out for friction that stays",
        )
        rows.append((friction.torque, 0.0 if drop is None else float(np.radians(drop))))
    return floats(rows, 2)


def _axis_component(entry: JointEntry, axis: str, what: str) -> int:
    """Slot of a joint axis in the rotation vector; a revolute joint has only its own, called z."""
    _require(axis in COMPONENT, entry, f"axis '{axis}' of {what} is unknown; use x, y or z")
    return 0 if entry.joint_type == REVOLUTE else COMPONENT[axis]


def _check_increasing(entry: JointEntry, abscissa: Sequence[float], what: str, least: int) -> None:
    _require(len(abscissa) >= least, entry, f"{what} needs {least} or more points")
    _require(
        all(b > a for a, b in zip(abscissa, abscissa[1:], strict=False)),
        entry,
        f"{what} must have rising first numbers; sort its points and remove doubles",
    )


def _springs(entries: Sequence[JointEntry]) -> CurveSprings:
    springs: list[tuple[JointEntry, JointSpring]] = [
        (entry, spring) for entry in entries if entry.joint_type != FREE for spring in entry.joint.springs
    ]
    for entry, spring in springs:
        _check_increasing(
            entry, [x for x, _ in spring.curve], f"the curve of its spring about {spring.axis}", 2
        )
        _require(_is_not_negative(spring.damping), entry, "damping of a joint spring must be zero or more")
    counts = [0 if entry.joint_type == FREE else len(entry.joint.springs) for entry in entries]
    return CurveSprings(
        first=starts(counts),
        axis=integers(_axis_component(entry, spring.axis, "a spring") for entry, spring in springs),
        damping=floats(spring.damping for _, spring in springs),
        curve=starts(len(spring.curve) for _, spring in springs),
        x=np.radians(floats(x for _, spring in springs for x, _ in spring.curve)),
        y=floats(y for _, spring in springs for _, y in spring.curve),
    )


def _pulses(entries: Sequence[JointEntry]) -> TorquePulses:
    return TorquePulses(
        first=starts(len(entry.pulses) for entry in entries),
        rows=floats((_pulse_row(entry, pulse) for entry in entries for pulse in entry.pulses), 5),
    )


def _pulse_row(entry: JointEntry, pulse: TorquePulse) -> tuple[float, ...]:
    _require(
        isfinite(pulse.duration) and pulse.duration > 0.0,
        entry,
        f"torque pulse lasts {pulse.duration} s; give a duration above 0",
    )
    peak = tuple(float(value) for value in pulse.peak)
    if entry.joint_type == REVOLUTE:
        peak = (float(np.dot(peak, _unit(entry, entry.joint.axis, "axis"))), 0.0, 0.0)
    return (*peak, pulse.start, pulse.duration)


def _motors(entries: Sequence[JointEntry]) -> Motors:
    index: list[int] = []
    motors: list[tuple[JointEntry, Motor]] = []
    for entry in entries:
        motor = entry.motor or entry.joint.motor
        index.append(-1 if motor is None else len(motors))
        if motor is not None:
            _check_motor(entry, motor)
            motors.append((entry, motor))
    curves = [motor.gain_over_time or ((0.0, 1.0),) for _, motor in motors]
    targets = [_target_rows(entry, motor) for entry, motor in motors]
    tone = [entry.tone for entry, _ in motors]
    return Motors(
        row=integers(index),
        gains=floats(((m.stiffness, m.damping, m.max_torque) for _, m in motors), 3),
        base=floats((_first_slot(entry, m.base_torque) for entry, m in motors), 3),
        velocity=floats((_first_slot(entry, m.target_velocity) for entry, m in motors), 3),
        gain_first=starts(len(curve) for curve in curves),
        gain_time=floats(t for curve in curves for t, _ in curve),
        gain_value=floats(k * value for k, curve in zip(tone, curves, strict=True) for _, value in curve),
        target_first=starts(len(rows) for rows in targets),
        target_time=floats(row[0] for rows in targets for row in rows),
        target=floats((row[1:] for rows in targets for row in rows), 4),
    )


def _check_motor(entry: JointEntry, motor: Motor) -> None:
    _require(
        _is_not_negative(motor.stiffness, motor.damping, entry.tone),
        entry,
        "stiffness, damping and tone of a motor must be zero or more",
    )
    _require(motor.max_torque >= 0.0, entry, "the largest torque of a motor must be zero or more")
    if motor.gain_over_time is not None:
        _check_increasing(entry, [t for t, _ in motor.gain_over_time], "the gain curve of its motor", 1)
        _require(
            _is_not_negative(*(value for _, value in motor.gain_over_time)),
            entry,
            "the gain curve of its motor must stay at zero or above",
        )
    if motor.target_over_time is not None:
        _check_increasing(
            entry, [row[0] for row in motor.target_over_time], "the target table of its motor", 1
        )


def _first_slot(entry: JointEntry, vector: Sequence[float]) -> tuple[float, float, float]:
    """A vector in joint axes; a revolute joint keeps its first number only."""
    x, y, z = (float(value) for value in vector)
    return (x, 0.0, 0.0) if entry.joint_type == REVOLUTE else (x, y, z)


def _target_rows(entry: JointEntry, motor: Motor) -> list[tuple[float, ...]]:
    """(time, w, x, y, z) per row, each in its predecessor's hemisphere; revolute: (time, angle, 0, 0, 0)."""
    table = motor.target_over_time or ((0.0, *motor.target),)
    if entry.joint_type == REVOLUTE:
        return [(row[0], float(np.radians(row[1])), 0.0, 0.0, 0.0) for row in table]
    rows: list[tuple[float, ...]] = []
    previous = np.array([1.0, 0.0, 0.0, 0.0])
    for time, *zyx in table:
        quaternion = quaternion_from_matrix(matrix_from_zyx(zyx))
        if quaternion @ previous < 0.0:
            quaternion = -quaternion
        rows.append((time, *quaternion))
        previous = quaternion
    return rows


def _couplers(entries: Sequence[JointEntry]) -> Couplers:
    pairs, axes, gains = [], [], []
    for follower, entry in enumerate(entries):
        for coupler, leader in entry.couplers:
            what = f"coupler '{coupler.name}'"
            _require(leader != follower, entry, f"{what} ties it to itself; name another leader")
            for joined in (entry, entries[leader]):
                _require(
                    joined.joint_type != FREE,
                    joined,
                    f"{what} cannot hold a free joint; name a joint that turns",
                )
            _require(
                _is_not_negative(coupler.stiffness, coupler.damping), entry, f"{what} has a negative gain"
            )
            pairs.append((leader, follower))
            axes.append([_axis_component(joined, coupler.axis, what) for joined in (entries[leader], entry)])
            gains.append(
                (coupler.ratio, float(np.radians(coupler.offset)), coupler.stiffness, coupler.damping)
            )
    return Couplers(
        pair=integers(pairs, 2),
        axis=integers(axes, 2),
        gains=floats(gains, 4),
    )
