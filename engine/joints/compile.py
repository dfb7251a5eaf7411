"""Joint specs, already checked, to the flat arrays of `JointForces`."""

from collections.abc import Sequence
from itertools import pairwise
from math import inf

import numpy as np

from ..bodies.tree import motion_axis
from ..maths.hysteresis import make_points
from ..maths.packing import floats, integers, starts
from ..maths.rotations import matrix_from_zyx, quaternion_from_matrix
from ..spec import AxisLimits, ConeLimits, JointBreak, JointSpring, Motor, Settings, SlideLimits, TorquePulse
from ..spec.joint_types import AXIS, BALL, CURVE
from .arrays import (
    WHOLE,
    AxisBoxes,
    Breaks,
    Cones,
    Couplers,
    CurveSprings,
    JointEntry,
    JointForces,
    Motors,
    TorquePulses,
)
from .cone import bounded_slopes

COMPONENT = {"x": 0, "y": 1, "z": 2}
CONE_RELAXATION = 0.01
"""s: the damper of a cone is this times its secant stiffness, the ratio of damping to stiffness of the other limits."""

SLIP_ANGLE, SLIP_WAY = float(np.radians(0.05)), 1.0e-4
"""rad and m by which a joint gives before its friction slips; assumed, so small that a limb whose weight the friction
just holds is more than critically damped on it and comes to rest without slipping."""


def compile_joint_forces(entries: Sequence[JointEntry], settings: Settings) -> JointForces:
    """Flat arrays for `joint_forces`, one row per entry, from the specs and the settings' factors and switches."""
    boxes = _boxes(entries, settings)
    cones = _cones(entries, settings)
    friction = _friction(entries)
    springs = _springs(entries)
    motors = _motors(entries)
    has_springs = np.diff(springs.first) > 0
    lasting = (friction[:, 0] > 0.0) | (springs.remembers != 0)
    has = (boxes.used == 1) | (cones.row >= 0) | (friction[:, 0] > 0.0) | has_springs | (motors.row >= 0)
    return JointForces(
        damping=_damping(entries, settings),
        lasting=integers(np.flatnonzero(lasting)),
        has=integers(has),
        boxes=boxes,
        cones=cones,
        friction=friction,
        springs=springs,
        pulses=_pulses(entries),
        motors=motors,
        couplers=_couplers(entries),
        breaks=_breaks(entries),
    )


def _damping(entries: Sequence[JointEntry], settings: Settings) -> np.ndarray:
    def damping(entry: JointEntry) -> float:
        if not entry.joint.kind.resists:
            return 0.0
        return settings.joint_damping * entry.authored.damping(settings.default_joint_damping)

    return floats(damping(entry) for entry in entries)


def _limits_of(entry: JointEntry, settings: Settings) -> AxisLimits | SlideLimits | None:
    if not settings.joint_limits or not entry.joint.kind.resists:
        return None
    return entry.authored.limits


def _boxes(entries: Sequence[JointEntry], settings: Settings) -> AxisBoxes:
    limited, lower, upper, gains = [], [], [], []
    for entry in entries:
        limits = _limits_of(entry, settings)
        limited.append(int(limits is not None))
        if limits is None:
            lower.append((-inf,) * 3)
            upper.append((inf,) * 3)
            gains.append((0.0, 0.0, 0.0))
            continue
        lower.append(_components(entry, limits.lower, -inf))
        upper.append(_components(entry, limits.upper, inf))
        gains.append((limits.stiffness, limits.damping, getattr(limits, "damping_factor", 0.0)))
    return AxisBoxes(
        used=integers(limited),
        lower=floats(lower, 3),
        upper=floats(upper, 3),
        gains=floats(gains, 3),
    )


def _components(entry: JointEntry, typed: Sequence[float], none: float) -> tuple[float, float, float]:
    """Three numbers of a spec as (x, y, z) in rad: angles given (Z, Y, X) in degrees; of a motion with an axis its own
    one, in the first slot."""
    if entry.motion.has_one_number:
        return entry.authored.coordinate(typed), none, none
    radians = np.radians(typed)
    return float(radians[2]), float(radians[1]), float(radians[0])


def _angle(entry: JointEntry, typed: float) -> float:
    """An angle given in degrees in rad; the coordinate of a motion that slides as it is, m."""
    return entry.motion.coordinate(typed) if entry.motion.has_one_number else float(np.radians(typed))


def _cones(entries: Sequence[JointEntry], settings: Settings) -> Cones:
    rows: list[int] = []
    angles, slopes, frames, limbs, gains, twists = [], [], [], [], [], []
    for entry in entries:
        cone = entry.joint.cone
        if cone is None or not settings.joint_limits or entry.motion.group != BALL:
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
        slip = SLIP_ANGLE if entry.motion.turns else SLIP_WAY
        friction = entry.authored.friction
        if friction is None or not entry.joint.kind.resists:
            rows.append((0.0, 0.0, slip))
        else:
            drop = friction.drop_angle
            rows.append((friction.torque, 0.0 if drop is None else _angle(entry, drop), slip))
    return floats(rows, 3)


def _axis_component(entry: JointEntry, axis: str) -> int:
    """Slot of a joint axis in the rotation vector; a motion with an axis has only its own."""
    return 0 if entry.motion.has_one_number else COMPONENT[axis]


def _springs(entries: Sequence[JointEntry]) -> CurveSprings:
    of_entries = [entry.authored.springs if entry.joint.kind.resists else [] for entry in entries]
    springs = [(entry, spring) for entry, own in zip(entries, of_entries, strict=True) for spring in own]
    sides, points = _memories(springs)
    return CurveSprings(
        first=starts(map(len, of_entries)),
        axis=integers(_axis_component(entry, spring.axis) for entry, spring in springs),
        damping=floats(spring.damping for _, spring in springs),
        curve=starts(len(spring.curve) for _, spring in springs),
        x=floats(_angle(entry, x) for entry, spring in springs for x, _ in spring.curve),
        y=floats(y for _, spring in springs for _, y in spring.curve),
        slope=floats(slope for entry, spring in springs for slope in _slopes(entry, spring)),
        sides=sides,
        points=points,
        remembers=integers(any(spring.retention is not None for spring in own) for own in of_entries),
    )


def _slopes(entry: JointEntry, spring: JointSpring) -> list[float]:
    """Slope from each point of a curve to the next, the last one twice."""
    ends = [(_angle(entry, x), float(y)) for x, y in spring.curve]
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(ends)]
    return [*slopes, slopes[-1]]


def _memories(springs: Sequence[tuple[JointEntry, JointSpring]]) -> tuple[np.ndarray, np.ndarray]:
    """(sides, points) of `CurveSprings`: the resistance of springs with hysteresis to both sides."""
    sides, tables, count = [], [], 0
    for entry, spring in springs:
        if spring.retention is None:
            sides.append((-1, -1, -1))
            continue
        row = [count]
        for sign in (1.0, -1.0):
            table = _one_side(entry, spring, sign)
            tables.append(table)
            count += len(table)
            row.append(count)
        sides.append(tuple(row))
    return integers(sides, 3), floats([line for table in tables for line in table], 7)


def _one_side(entry: JointEntry, spring: JointSpring, sign: float) -> np.ndarray:
    """(r, 7) packed resistance to angles of one sign, over their size."""
    ends = [(sign * _angle(entry, x), -sign * float(y)) for x, y in spring.curve if sign * x >= 0.0]
    depth, force = np.array(sorted(ends), dtype=float).T
    slope = np.diff(force) / np.diff(depth) if len(depth) > 1 else np.zeros(0)
    slope = np.append(slope, max(0.0, slope[-1]) if len(slope) else 0.0)
    share = spring.retention
    return make_points(depth, force, slope, share * force, share * slope).packed()


def _pulses(entries: Sequence[JointEntry]) -> TorquePulses:
    return TorquePulses(
        first=starts(len(entry.pulses) for entry in entries),
        rows=floats((_pulse_row(entry, pulse) for entry in entries for pulse in entry.pulses), 5),
    )


def _pulse_row(entry: JointEntry, pulse: TorquePulse) -> tuple[float, ...]:
    peak = tuple(float(value) for value in pulse.peak)
    if entry.authored.is_slide:
        peak = (0.0, 0.0, 0.0)
    elif entry.motion.group == CURVE:
        peak = (peak[entry.motion.place], 0.0, 0.0)
    elif entry.motion.group == AXIS:
        peak = (float(np.dot(peak, _unit(motion_axis(entry.joint, entry.motion)))), 0.0, 0.0)
    return (*peak, pulse.start, pulse.duration)


def _motors(entries: Sequence[JointEntry]) -> Motors:
    index: list[int] = []
    motors: list[tuple[JointEntry, Motor]] = []
    for entry in entries:
        motor = entry.authored.motor(entry.motor)
        index.append(-1 if motor is None else len(motors))
        if motor is not None:
            motors.append((entry, motor))
    curves = [motor.gain_over_time or ((0.0, 1.0),) for _, motor in motors]
    targets = [_target_rows(entry, motor) for entry, motor in motors]
    tone = [entry.tone for entry, _ in motors]
    laws = [motor.torque_over_speed or () for _, motor in motors]
    return Motors(
        row=integers(index),
        gains=floats(((m.stiffness, m.damping, m.max_torque) for _, m in motors), 3),
        base=floats((_first_slot(entry, m.base_torque) for entry, m in motors), 3),
        velocity=floats((_first_slot(entry, m.target_velocity) for entry, m in motors), 3),
        follows=integers(m.follows for _, m in motors),
        gain_first=starts(len(curve) for curve in curves),
        gain_time=floats(t for curve in curves for t, _ in curve),
        gain_value=floats(k * value for k, curve in zip(tone, curves, strict=True) for _, value in curve),
        target_first=starts(len(rows) for rows in targets),
        target_time=floats(row[0] for rows in targets for row in rows),
        target=floats((row[1:] for rows in targets for row in rows), 4),
        speed_first=starts(len(law) for law in laws),
        speed_rate=floats(rate for law in laws for rate, _ in law),
        speed_factor=floats(factor for law in laws for _, factor in law),
    )


def _first_slot(entry: JointEntry, vector: Sequence[float]) -> tuple[float, float, float]:
    """A vector in joint axes; a motion with an axis keeps its own number only."""
    x, y, z = (float(value) for value in vector)
    return ((x, y, z)[entry.motion.place], 0.0, 0.0) if entry.motion.has_one_number else (x, y, z)


def _target_rows(entry: JointEntry, motor: Motor) -> list[tuple[float, ...]]:
    """(time, w, x, y, z) per row, each in its predecessor's hemisphere; with an axis: (time, coordinate, 0, 0, 0)."""
    table = motor.target_over_time or ((0.0, *motor.target),)
    if entry.motion.has_one_number:
        return [(row[0], entry.authored.coordinate(row[1:]), 0.0, 0.0, 0.0) for row in table]
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


def _breaks(entries: Sequence[JointEntry]) -> Breaks:
    rows = []
    for index, entry in enumerate(entries):
        rows += [_break_row(index, entry, found) for found in breaks_of(entry)]
    columns = list(zip(*rows, strict=True)) or [()] * 4
    return Breaks(
        last=integers(columns[0]),
        count=integers(columns[1]),
        slot=integers(columns[2]),
        bounds=floats(columns[3], 3),
    )


def breaks_of(entry: JointEntry) -> list[JointBreak]:
    """Where this motion of a joint gives way, in the order of the arrays."""
    return entry.authored.breaks if entry.joint.kind.resists else []


def _break_row(index: int, entry: JointEntry, found: JointBreak) -> tuple[int, int, int, tuple[float, ...]]:
    """Row of `Breaks`. The motions by which a joint turns are its last ones."""
    together = sum(motion.turns for motion in entry.joint.kind.motions) or 1
    bounds = (
        inf if found.load is None else float(found.load),
        inf if found.energy is None else float(found.energy),
        float(found.residual),
    )
    if found.axis is None:
        return index, together, WHOLE, bounds
    return index, 1, _axis_component(entry, found.axis), bounds
