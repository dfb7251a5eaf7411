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
"""Our types for a joint of the file with no turn that moves, one, several; a root that also slides."""
LOCKED = (0.0, 0.0)
OPEN = (-360.0, 360.0)
"""Degrees: a range that never acts."""
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
    """(Z, Y, X) degrees at the default values, where these are not zero."""


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
            self.findings.add(
                "joint", record.name, "it slides in the file; here it is held at the default value"
            )
        if not turns:
            return self._fixed(record, mobility)
        if len(turns) == 1:
            return self._hinge(record, mobility, turns[0])
        return self._ball(record, mobility, turns)

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
