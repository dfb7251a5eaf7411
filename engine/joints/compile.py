"""Joint specs, already checked, to the flat arrays of `JointForces`."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np

from ..maths.packing import floats, integers, starts
from ..maths.rotations import matrix_from_zyx, quaternion_from_matrix
from ..spec import AxisLimits, ConeLimits, JointSpring, Motor, Settings, TorquePulse
from .arrays import AxisBoxes, Cones, Couplers, CurveSprings, JointEntry, JointForces, Motors, TorquePulses
from .cone import bounded_slopes

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


def _damping(entries: Sequence[JointEntry], settings: Settings) -> np.ndarray:
    def damping(entry: JointEntry) -> float:
        if not entry.joint.kind.resists:
            return 0.0
        own = entry.joint.damping
        if own is None:
            own = settings.default_joint_damping if entry.joint.kind.turns else 0.0
        return settings.joint_damping * own

    return floats(damping(entry) for entry in entries)


def _limits_of(entry: JointEntry, settings: Settings) -> AxisLimits | None:
    if not settings.joint_limits or not entry.joint.kind.resists:
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
    """Angles given (Z, Y, X) in degrees as (x, y, z) in rad; of a joint with an axis the first, in the first slot."""
    if entry.joint.kind.has_axis:
        return entry.joint.kind.coordinate(zyx[0]), none, none
    radians = np.radians(zyx)
    return float(radians[2]), float(radians[1]), float(radians[0])


def _angle(entry: JointEntry, typed: float) -> float:
    """An angle given in degrees in rad; the coordinate of a joint that slides as it is, m."""
    return entry.joint.kind.coordinate(typed) if entry.joint.kind.has_axis else float(np.radians(typed))


def _cones(entries: Sequence[JointEntry], settings: Settings) -> Cones:
    rows: list[int] = []
    angles, slopes, frames, limbs, gains, twists = [], [], [], [], [], []
    for entry in entries:
        cone = entry.joint.cone
        if cone is None or not settings.joint_limits or not entry.joint.kind.resists:
            rows.append(-1)
            continue
        rows.append(len(angles))
        knots = np.radians(cone.quadrant_angles)
        width = float(np.radians(cone.width))
        angles.append(knots)
        slopes.append(bounded_slopes(knots))
        frames.append(_cone_frame(cone).ravel())
        limbs.append(_unit(cone.limb_axis))
        gains.append((width, cone.torque, CONE_RELAXATION * cone.torque / width))
        twists.append(_twist_row(cone))
    return Cones(
        row=integers(rows),
        angles=floats(angles, 4),
        slopes=floats(slopes, 4),
        frame=floats(frames, 9),
        limb=floats(limbs, 3),
        gains=floats(gains, 3),
        twist=floats(twists, 4),
    )


def _unit(vector: Sequence[float]) -> np.ndarray:
    array = np.array(vector, dtype=float)
    return array / float(np.linalg.norm(array))


def _cone_frame(cone: ConeLimits) -> np.ndarray:
    """(3, 3), rows: directions of longitude 0 and 90 and the cone axis."""
    axis = _unit(cone.axis)
    zero = np.array(cone.zero_longitude, dtype=float)
    zero = _unit(zero - (zero @ axis) * axis)
    return np.stack([zero, np.cross(axis, zero), axis])


def _twist_row(cone: ConeLimits) -> tuple[float, float, float, float]:
    if cone.twist is None:
        return -inf, inf, 0.0, 0.0
    low, high = cone.twist
    return float(np.radians(low)), float(np.radians(high)), cone.twist_stiffness, cone.twist_damping


def _friction(entries: Sequence[JointEntry]) -> np.ndarray:
    rows = []
    for entry in entries:
        friction = entry.joint.friction
        if friction is None:
            rows.append((0.0, 0.0))
            continue
        drop = friction.drop_angle
        rows.append((friction.torque, 0.0 if drop is None else _angle(entry, drop)))
    return floats(rows, 2)


def _axis_component(entry: JointEntry, axis: str) -> int:
    """Slot of a joint axis in the rotation vector; a joint with an axis has only its own, called z."""
    return 0 if entry.joint.kind.has_axis else COMPONENT[axis]


def _springs(entries: Sequence[JointEntry]) -> CurveSprings:
    springs: list[tuple[JointEntry, JointSpring]] = [
        (entry, spring) for entry in entries if entry.joint.kind.resists for spring in entry.joint.springs
    ]
    counts = [len(entry.joint.springs) if entry.joint.kind.resists else 0 for entry in entries]
    return CurveSprings(
        first=starts(counts),
        axis=integers(_axis_component(entry, spring.axis) for entry, spring in springs),
        damping=floats(spring.damping for _, spring in springs),
        curve=starts(len(spring.curve) for _, spring in springs),
        x=floats(_angle(entry, x) for entry, spring in springs for x, _ in spring.curve),
        y=floats(y for _, spring in springs for _, y in spring.curve),
    )


def _pulses(entries: Sequence[JointEntry]) -> TorquePulses:
    return TorquePulses(
        first=starts(len(entry.pulses) for entry in entries),
        rows=floats((_pulse_row(entry, pulse) for entry in entries for pulse in entry.pulses), 5),
    )


def _pulse_row(entry: JointEntry, pulse: TorquePulse) -> tuple[float, ...]:
    peak = tuple(float(value) for value in pulse.peak)
    if entry.joint.kind.has_axis:
        peak = (float(np.dot(peak, _unit(entry.joint.axis))), 0.0, 0.0)
    return (*peak, pulse.start, pulse.duration)


def _motors(entries: Sequence[JointEntry]) -> Motors:
    index: list[int] = []
    motors: list[tuple[JointEntry, Motor]] = []
    for entry in entries:
        motor = entry.motor or entry.joint.motor
        index.append(-1 if motor is None else len(motors))
        if motor is not None:
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


def _first_slot(entry: JointEntry, vector: Sequence[float]) -> tuple[float, float, float]:
    """A vector in joint axes; a joint with an axis keeps its first number only."""
    x, y, z = (float(value) for value in vector)
    return (x, 0.0, 0.0) if entry.joint.kind.has_axis else (x, y, z)


def _target_rows(entry: JointEntry, motor: Motor) -> list[tuple[float, ...]]:
    """(time, w, x, y, z) per row, each in its predecessor's hemisphere; with an axis: (time, coordinate, 0, 0, 0)."""
    table = motor.target_over_time or ((0.0, *motor.target),)
    if entry.joint.kind.has_axis:
        return [(row[0], entry.joint.kind.coordinate(row[1]), 0.0, 0.0, 0.0) for row in table]
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
            pairs.append((leader, follower))
            axes.append([_axis_component(joined, coupler.axis) for joined in (entries[leader], entry)])
            gains.append((coupler.ratio, _angle(entry, coupler.offset), coupler.stiffness, coupler.damping))
    return Couplers(
        pair=integers(pairs, 2),
        axis=integers(axes, 2),
        gains=floats(gains, 4),
    )
