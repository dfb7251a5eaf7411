"""OpenSim's joints as ours."""

from dataclasses import dataclass, field

import numpy as np

from ...engine import spec
from ...engine.maths.rotations import inverse_transform, zyx_from_matrix
from ...engine.spec.joint_types import joint_type
from ..common.axes import rows4, signed_axis, transform, turned_z_up, vector3, z_up
from ..common.findings import Findings
from .document import JointRecord
from .mobility import Axis, Mobility, turn

FIXED, HINGE, BALL, FREE = "fixed", "revolute", "spherical", "free"
SLIDER, CYLINDER, PLANE, UNIVERSAL = "prismatic", "cylindrical", "planar", "universal"
"""Our types for a joint of the file with no turn that moves, one, several; a root that also slides."""
LOCKED = (0.0, 0.0)
OPEN = (-360.0, 360.0)
"""Degrees: a range that never acts."""
ALIGNED = 1e-9
"""Difference of directions up to which they are one."""
FARTHEST = 1e3
"""m: range of a way that has none."""
WAY_GAINS = (1.0e5, 100.0)
"""N/m and N s/m past the end of a way, which the file does not give; assumed."""
RANGE_ACTS = (
    "its range of motion acts as a limit here, with our own stiffness (in the file it is a number only)"
)


@dataclass
class LimitForce:
    """A CoordinateLimitForce: degrees, N m/rad, N m s/rad."""

    lower: float
    upper: float
    stiffness: float
    damping: float


@dataclass
class Driven:
    """A joint of ours, and how the file's coordinates drive it."""

    joint: spec.Joint
    mobility: Mobility
    factor: dict[str, float] = field(default_factory=dict)
    """Hinge: coordinate to our angle per unit of it."""
    start: spec.Vector | None = None
    """(Z, Y, X) degrees at the default values, where these are not zero; of a slider the way in m."""
    slides: spec.Vector | None = None
    """Ways along x, y, z in m at the default values, of a joint that turns besides, where these are not zero."""


@dataclass
class JointReader:
    """Makes our joints. Coordinates in `held` do not move; `values` are the default values of all."""

    held: set[str]
    values: dict[str, float]
    limits: dict[str, LimitForce]
    findings: Findings

    def joint(self, record: JointRecord, mobility: Mobility) -> Driven:
        """Our joint for a record."""
        turns = self._moving_turns(record.name, mobility)
        shifting = [axis for axis in mobility.shifts if axis.moves(self.held)]
        self._note(record.name, mobility, turns, shifting)
        if record.parent.body is None and shifting:
            return self._free(record, mobility, len(turns) + len(shifting))
        if shifting:
            sliding = self._sliding(record, mobility, turns)
            if sliding is not None:
                return sliding
            self.findings.add(
                "joint", record.name, "it slides in the file; here it is held at the default value"
            )
        if not turns:
            return self._fixed(record, mobility)
        if len(turns) == 1:
            return self._hinge(record, mobility, turns[0])
        if len(turns) == 2:
            universal = self._universal(record, mobility, *turns)
            if universal is not None:
                return universal
        return self._ball(record, mobility, turns)

    def _sliding(self, record: JointRecord, mobility: Mobility, turns: list[int]) -> Driven | None:
        """Our joint for one that slides along its axis, along it and about it, or in a plane; None where there is
        none like it."""
        shifts = [axis for axis in mobility.shifts if axis.moves(self.held)]
        distinct = {axis.coordinate.name for axis in (*shifts, *(mobility.turns[k] for k in turns))}
        if len(distinct) < len(shifts) + len(turns) or len(turns) > 1:
            return None
        ways = [np.sign(axis.function.line[0]) * np.array(axis.direction) for axis in shifts]
        if not turns and len(shifts) == 1:
            return self._slider(record, mobility, shifts[0], ways[0])
        if not turns:
            return None
        about = mobility.turns[turns[0]]
        spin = np.sign(about.function.line[0]) * np.array(about.direction)
        plain = np.allclose(
            mobility.rotation(self.values | {about.coordinate.name: 0.0}), np.eye(3), atol=ALIGNED
        )
        if not plain:
            return None
        if len(shifts) == 1 and np.allclose(ways[0], spin, atol=ALIGNED):
            return self._plain(record, mobility, CYLINDER, shifts, about, np.eye(3), spin)
        if len(shifts) == 2 and np.allclose(np.cross(*ways), spin, atol=ALIGNED):
            return self._plain(record, mobility, PLANE, shifts, about, np.column_stack([*ways, spin]), None)
        return None

    def _slider(self, record: JointRecord, mobility: Mobility, axis: Axis, way: np.ndarray) -> Driven:
        name, factor = axis.coordinate.name, abs(axis.function.line[0])
        turn_ = mobility.rotation(self.values)
        T1 = record.parent.pose @ transform(turn_, mobility.shift(self.values | {name: 0.0}))
        joint = self._spec(record, SLIDER, T1, record.child.pose)
        joint.axis = z_up(turn_.T @ way)
        bounds = self._way_bounds(record.name, axis, factor)
        if bounds is not None:
            low, high = bounds
            joint.limits = spec.AxisLimits((low, 0.0, 0.0), (high, 0.0, 0.0), *WAY_GAINS)
        value = factor * self.values[name]
        return Driven(joint, mobility, {}, (value, 0.0, 0.0) if value else None)

    def _plain(
        self,
        record: JointRecord,
        mobility: Mobility,
        kind: str,
        shifts: list[Axis],
        about: Axis,
        axes: np.ndarray,
        own_axis: np.ndarray | None,
    ) -> Driven:
        """A joint that slides and turns. axes: (3, 3) columns are ours in the file's joint frame."""
        names = [axis.coordinate.name for axis in (*shifts, about)]
        zero = self.values | dict.fromkeys(names, 0.0)
        before = mobility.rotation(zero)
        T1 = record.parent.pose @ transform(before, mobility.shift(zero))
        joint = self._spec(record, kind, T1, record.child.pose)
        own = np.eye(4)
        own[:3, :3] = np.column_stack([z_up(column) for column in axes.T]) if own_axis is None else np.eye(3)
        joint.T1, joint.T2 = (rows4(np.array(T) @ own) for T in (joint.T1, joint.T2))
        if own_axis is not None:
            joint.axis = z_up(own_axis)
        factors = [abs(axis.function.line[0]) for axis in (*shifts, about)]
        bounds = self._bounds(record.name, about, factors[-1])
        if bounds is not None:
            joint.limits = self._axis_limits([names[-1]], (bounds[0], 0.0, 0.0), (bounds[1], 0.0, 0.0))
        ranges = [self._way_bounds(record.name, a, f) for a, f in zip(shifts, factors, strict=False)]
        if any(ranges):
            pairs = [r or (-FARTHEST, FARTHEST) for r in (*ranges, *[None] * (3 - len(ranges)))]
            lower, upper = (tuple(float(pair[end]) for pair in pairs) for end in (0, 1))
            joint.slide = spec.JointSlide(limits=spec.SlideLimits(lower, upper, *WAY_GAINS))
        values = [f * self.values[n] for f, n in zip(factors, names, strict=True)]
        angle, ways = float(np.degrees(values[-1])), [*values[:-1], *[0.0] * (4 - len(values))]
        start = (angle, 0.0, 0.0) if angle else None
        return Driven(joint, mobility, {}, start, vector3(ways) if any(ways) else None)

    def _universal(self, record: JointRecord, mobility: Mobility, first: int, second: int) -> Driven | None:
        """Two turns about axes at right angles; None where they are not."""
        outer, inner = mobility.turns[first], mobility.turns[second]
        (slope, offset), (inner_slope, inner_offset) = outer.function.line, inner.function.line
        between = mobility.rotation(self.values, first + 1, second)
        y = np.sign(slope) * np.array(outer.direction)
        x = np.sign(inner_slope) * between @ np.array(inner.direction)
        if abs(x @ y) > ALIGNED:
            return None
        before = mobility.rotation(self.values, 0, first) @ turn(outer.direction, offset)
        after = between @ turn(inner.direction, inner_offset) @ mobility.rotation(self.values, second + 1)
        T1 = record.parent.pose @ transform(before, mobility.shift(self.values))
        T2 = record.child.pose @ transform(after.T, (0.0, 0.0, 0.0))
        joint = self._spec(record, UNIVERSAL, T1, T2)
        own = np.eye(4)
        own[:3, :3] = np.column_stack([z_up(column) for column in (x, y, np.cross(x, y))])
        joint.T1, joint.T2 = (rows4(np.array(T) @ own) for T in (joint.T1, joint.T2))
        factors, names = (abs(slope), abs(inner_slope)), (outer.coordinate.name, inner.coordinate.name)
        bounds = [self._bounds(record.name, a, f) for a, f in zip((outer, inner), factors, strict=True)]
        if any(bounds):
            pairs = [(0.0, 0.0), *(pair or OPEN for pair in bounds)]
            lower, upper = (tuple(float(pair[end]) for pair in pairs) for end in (0, 1))
            joint.limits = self._axis_limits(list(names), lower, upper)
        angles = [float(np.degrees(f * self.values[n])) for f, n in zip(factors, names, strict=True)]
        return Driven(joint, mobility, {}, (0.0, *angles) if any(angles) else None)

    def _way_bounds(self, joint: str, axis: Axis, factor: float) -> tuple[float, float] | None:
        """Range in metres of our way: that of the coordinate."""
        found = axis.coordinate.range
        if found is None or not found[0] < found[1]:
            return None
        self.findings.add("joint", joint, RANGE_ACTS)
        return float(factor * found[0]), float(factor * found[1])

    def _moving_turns(self, name: str, mobility: Mobility) -> list[int]:
        """Places of the turns that follow a free coordinate, one for each coordinate."""
        seen: set[str] = set()
        found = []
        for k, axis in enumerate(mobility.turns):
            if not axis.moves(self.held):
                continue
            if axis.coordinate.name in seen:
                self.findings.add(
                    "joint", name, "one coordinate turns it about two axes; here about the first only"
                )
            else:
                seen.add(axis.coordinate.name)
                found.append(k)
        return found

    def _note(self, name: str, mobility: Mobility, turns: list[int], shifting: list[Axis]) -> None:
        axes = [*mobility.turns, *mobility.shifts]
        if any(axis.follows_a_curve() and axis.coordinate.name not in self.held for axis in axes):
            message = (
                "part of its motion follows a coordinate by a curve; here it is held as at the default value"
            )
            self.findings.add("joint", name, message)
        locked = [axis for axis in axes if axis.coordinate is not None and axis.coordinate.locked]
        if locked:
            self.findings.add("joint", name, "a locked coordinate does not move here and cannot be unlocked")

    def _spec(self, record: JointRecord, kind: str, T1: np.ndarray, T2: np.ndarray) -> spec.Joint:
        damping = 0.0 if joint_type(kind).resists else None
        return spec.Joint(
            record.name,
            kind,
            record.parent.body,
            record.child.body,
            rows4(pose_z_up(T1)),
            rows4(pose_z_up(T2)),
            damping=damping,
        )

    def _fixed(self, record: JointRecord, mobility: Mobility) -> Driven:
        T1 = record.parent.pose @ mobility.pose(self.values)
        return Driven(self._spec(record, FIXED, T1, record.child.pose), mobility)

    def _free(self, record: JointRecord, mobility: Mobility, count: int) -> Driven:
        if count < 6:
            message = f"it has {count} degrees of freedom in the file; the root is free here"
            self.findings.add("joint", record.name, message)
        return Driven(self._spec(record, FREE, record.parent.pose, record.child.pose), mobility)

    def _hinge(self, record: JointRecord, mobility: Mobility, k: int) -> Driven:
        axis = mobility.turns[k]
        slope, offset = axis.function.line
        before = mobility.rotation(self.values, 0, k) @ turn(axis.direction, offset)
        after = mobility.rotation(self.values, k + 1)
        T1 = record.parent.pose @ transform(before, mobility.shift(self.values))
        T2 = record.child.pose @ transform(after.T, (0.0, 0.0, 0.0))
        joint = self._spec(record, HINGE, T1, T2)
        joint.axis = z_up(np.sign(slope) * np.array(axis.direction))
        factor, name = abs(slope), axis.coordinate.name
        bounds = self._bounds(record.name, axis, factor)
        if bounds is not None:
            low, high = bounds
            joint.limits = self._axis_limits([name], (low, 0.0, 0.0), (high, 0.0, 0.0))
        angle = float(np.degrees(factor * self.values[name]))
        return Driven(joint, mobility, {name: factor}, (angle, 0.0, 0.0) if angle else None)

    def _ball(self, record: JointRecord, mobility: Mobility, turns: list[int]) -> Driven:
        free = [mobility.turns[k].coordinate.name for k in turns]
        zero = self.values | dict.fromkeys(free, 0.0)
        at_zero = mobility.rotation(zero)
        T1 = record.parent.pose @ transform(at_zero, mobility.shift(self.values))
        joint = self._spec(record, BALL, T1, record.child.pose)
        joint.limits = self._ball_limits(record.name, mobility, turns, zero)
        start = at_zero.T @ mobility.rotation(self.values)
        moved = any(self.values[name] for name in free)
        angles = vector3(zyx_from_matrix(turned_z_up(start))) if moved else None
        return Driven(joint, mobility, start=angles)

    def _ball_limits(
        self, name: str, mobility: Mobility, turns: list[int], zero: dict
    ) -> spec.AxisLimits | None:
        """Ranges of the coordinates about the joint axes they turn about at zero."""
        at_zero = mobility.rotation(zero)
        ranges = [OPEN if len(turns) == 3 else LOCKED] * 3
        coordinates = []
        for k in turns:
            axis = mobility.turns[k]
            direction = at_zero.T @ mobility.rotation(zero, 0, k) @ np.array(axis.direction)
            found = signed_axis(np.array(z_up(direction)))
            if found is None:
                self.findings.add(
                    "joint", name, "left out its range of motion: it is not about the joint's axes"
                )
                return None
            slope, _ = axis.function.line
            bounds = self._bounds(name, axis, slope * found[1])
            ranges[found[0]] = bounds or OPEN
            coordinates.append(axis.coordinate.name)
        if len(turns) == 2:
            self.findings.add(
                "joint", name, "it turns about two axes; here a ball joint, its third held by a limit"
            )
        elif all(bounds == OPEN for bounds in ranges):
            return None
        lower, upper = (tuple(float(r[end]) for r in reversed(ranges)) for end in (0, 1))
        return self._axis_limits(coordinates, lower, upper)

    def _bounds(self, joint: str, axis: Axis, factor: float) -> tuple[float, float] | None:
        """Range in degrees of our angle: that of a limit force, or of the coordinate."""
        coordinate = axis.coordinate
        force = self.limits.get(coordinate.name)
        if force is not None:
            ends = factor * force.lower, factor * force.upper
        elif coordinate.range is not None and coordinate.range[0] < coordinate.range[1]:
            ends = tuple(float(np.degrees(factor * end)) for end in coordinate.range)
            self.findings.add("joint", joint, RANGE_ACTS)
        else:
            return None
        return min(ends) + 0.0, max(ends) + 0.0

    def _axis_limits(self, names: list[str], lower: spec.Vector, upper: spec.Vector) -> spec.AxisLimits:
        """Limits with the greatest stiffness and damping of the limit forces of some coordinates."""
        forces = [self.limits[name] for name in names if name in self.limits]
        if not forces:
            return spec.AxisLimits(lower, upper)
        return spec.AxisLimits(lower, upper, max(f.stiffness for f in forces), max(f.damping for f in forces))


def pose_z_up(pose: np.ndarray) -> np.ndarray:
    """(4, 4) pose between frames with y up, as pose between the same frames with z up."""
    return transform(turned_z_up(pose[:3, :3]), z_up(pose[:3, 3]))


def root_pose(driven: Driven, values: dict[str, float]) -> np.ndarray:
    """(4, 4) actor frame in the world for a free root at its default values: P X inverse(P), P the joint frame."""
    T1 = np.array(driven.joint.T1)
    return T1 @ pose_z_up(driven.mobility.pose(values)) @ inverse_transform(T1)
