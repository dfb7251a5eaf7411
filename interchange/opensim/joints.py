"""OpenSim's joints as ours."""

from dataclasses import dataclass, field

import numpy as np

from ...engine import spec
from ...engine.maths.rotations import inverse_transform, zyx_from_matrix
from ...engine.spec.joint_functions import SHIFT, TURN, coordinates_of
from ...engine.spec.joint_types import joint_type
from ..common.axes import Z_UP_FROM_Y_UP, rows, signed_axis, transform, turned_z_up, vector3, z_up
from ..common.findings import Findings
from .document import JointRecord
from .functions import Function
from .mobility import Axis, Mobility, turn

FIXED, HINGE, BALL, FREE = "fixed", "revolute", "spherical", "free"
SLIDER, CYLINDER, PLANE, UNIVERSAL = "prismatic", "cylindrical", "planar", "universal"
LOOSE, CUSTOM = "bushing", "custom"
"""Our types: for a joint of the file with no turn that moves, one, three, a free root; what slides; six degrees of
freedom on a body; all others."""
OPEN = (-360.0, 360.0)
"""Degrees: a range that never acts."""
NOTHING = ((0.0, 0.0),)
"""Terms of a function that is zero."""
ALIGNED = 1e-9
"""Difference of directions up to which they are one."""
FARTHEST = 1e3
"""m: range of a way that has none."""
WAY_GAINS = (1.0e5, 100.0)
"""N/m and N s/m past the end of a way, which the file does not give; assumed."""
PARTS = 10
"""Straight stretches over the transition of a limit force: it is met within a hundredth of what it is at its end."""
RANGE_ACTS = (
    "its range of motion acts as a limit here, with our own stiffness (in the file it is a number only)"
)


@dataclass(frozen=True)
class Followed:
    """A coordinate of a joint of ours that is one of the file's."""

    joint: str
    axis: str
    """As springs name it."""
    factor: float
    """Ours per unit of the file's, rad or m."""
    is_angle: bool

    def typed(self, value: float) -> float:
        """The file's value as ours in degrees or m."""
        return float(np.degrees(self.factor * value) if self.is_angle else self.factor * value)

    def function(self, function: Function) -> tuple[spec.Curve, spec.Curve]:
        """(terms, points) of a function of the file's coordinate as one of ours."""
        terms = tuple((power, c / self.factor**power) for power, c in function.terms)
        return terms, tuple((x * self.factor, y) for x, y in function.points)


@dataclass(frozen=True)
class LimitForce:
    """A CoordinateLimitForce, in rad or m: past an end a spring whose stiffness rises over the transition from nothing
    (Simbody's step, a polynomial of the fifth degree), and a damper which rises with it."""

    name: str
    lower: float
    upper: float
    stiffness: tuple[float, float]
    """Past the lower and past the upper end, N m/rad or N/m."""
    damping: float
    transition: float

    def curve(self, own: Followed) -> spec.Curve:
        """Force over our coordinate (degrees, m): `PARTS` straight stretches over each transition."""
        reach = np.append(self.transition * np.linspace(0.0, 1.0, PARTS + 1), FARTHEST)
        share = np.minimum(reach / self.transition, 1.0)
        rising = share**3 * (10.0 + share * (6.0 * share - 15.0))
        rows = [
            (self.lower - x, k * x)
            for x, k in zip(reach[::-1], self.stiffness[0] * rising[::-1], strict=True)
        ]
        rows += [(self.upper + x, -k * x) for x, k in zip(reach, self.stiffness[1] * rising, strict=True)]
        return tuple((own.typed(x), float(force / own.factor)) for x, force in rows)


@dataclass
class Driven:
    """A joint of ours, and how the file's coordinates drive it."""

    joint: spec.Joint
    mobility: Mobility
    followed: dict[str, Followed] = field(default_factory=dict)
    """Coordinate to ours, where there is a single one that is the same."""
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
    asked: set[str] = field(default_factory=set)
    """Coordinates that something refers to: they must be single ones of ours."""
    grounded: bool = False
    """Whether the ground is a body of the model, which carries what is a root in the file."""

    def joint(self, record: JointRecord, mobility: Mobility) -> Driven:
        """Our joint for a record."""
        self._note(record.name, mobility)
        if self._needs_functions(mobility):
            return self._custom(record, mobility)
        turns = [k for k, axis in enumerate(mobility.turns) if axis.moves(self.held)]
        shifting = [axis for axis in mobility.shifts if axis.moves(self.held)]
        if len(turns) == 3 and _span(shifting):
            return self._free(record, mobility)
        if shifting:
            return self._sliding(record, mobility, turns) or self._custom(record, mobility)
        if not turns:
            return self._fixed(record, mobility)
        if len(turns) == 1:
            return self._hinge(record, mobility, turns[0])
        if len(turns) == 2:
            return self._universal(record, mobility, *turns) or self._custom(record, mobility)
        if any(mobility.turns[k].coordinate.name in self.asked for k in turns):
            return self._custom(record, mobility)
        return self._ball(record, mobility, turns)

    def _needs_functions(self, mobility: Mobility) -> bool:
        """Whether a curve moves it, or one coordinate moves it in several ways."""
        following = [axis for axis in (*mobility.turns, *mobility.shifts) if axis.follows(self.held)]
        names = {axis.coordinate.name for axis in following}
        bent = any(axis.function.line is None for axis in following)
        return bent or len(names) < len(following) or (mobility.radii is not None and bool(following))

    def _custom(self, record: JointRecord, mobility: Mobility) -> Driven:
        """A joint with the functions of the file; its joint frames keep the file's axes."""
        # shifts count from the place at zero, so that bodies lie where they belong when every coordinate is zero
        place = sum(
            (axis.at(self._at_zero(axis)) * np.array(axis.direction) for axis in mobility.shifts), np.zeros(3)
        )
        T1 = record.parent.pose @ transform(np.eye(3), place)
        joint = self._spec(record, CUSTOM, T1, record.child.pose)
        own = transform(Z_UP_FROM_Y_UP, (0.0, 0.0, 0.0))
        joint.T1, joint.T2 = (rows(np.array(T) @ own) for T in (joint.T1, joint.T2))
        joint.functions = [
            *(self._function(record.name, TURN, axis) for axis in mobility.turns),
            *(self._function(record.name, SHIFT, axis) for axis in mobility.shifts),
        ]
        joint.functions = [f for f in joint.functions if f.coordinate or f.terms != NOTHING]
        joint.ellipsoid = mobility.radii
        driver = {a.coordinate.name: a for a in (*mobility.shifts, *mobility.turns) if a.follows(self.held)}
        angles, ways = coordinates_of(joint.functions)
        bounds = self._apart(record.name, angles, [self._bounds(record.name, driver[n], 1.0) for n in angles])
        if any(bounds):
            pairs = _three([pair or OPEN for pair in bounds], OPEN)
            bounded = [name for name, pair in zip(angles, bounds, strict=True) if pair]
            joint.limits = self._axis_limits(bounded, *pairs)
        ranges = [self._way_bounds(record.name, driver[name], 1.0) for name in ways]
        if any(ranges):
            far = (-FARTHEST, FARTHEST)
            pairs = _three([pair or far for pair in ranges], far)
            joint.slide = spec.JointSlide(limits=spec.SlideLimits(*pairs, *WAY_GAINS))
        start = [float(np.degrees(self.values[name])) for name in angles]
        slides = [float(self.values[name]) for name in ways]
        letters = {
            name: motion.axes[0] for name, motion in zip([*ways, *angles], joint.kind.motions, strict=True)
        }
        return Driven(
            joint,
            mobility,
            followed={
                name: Followed(record.name, axis, 1.0, name in angles) for name, axis in letters.items()
            },
            start=vector3([*start, *[0.0] * 3][:3]) if any(start) else None,
            slides=vector3([*slides, *[0.0] * 3][:3]) if any(slides) else None,
        )

    def _at_zero(self, axis: Axis) -> dict[str, float]:
        """Values of the coordinates with that of an axis at zero, unless it is held."""
        return self.values | ({axis.coordinate.name: 0.0} if axis.follows(self.held) else {})

    def _function(self, joint: str, motion: str, axis: Axis) -> spec.JointFunction:
        """One turn or shift; of a coordinate that is held the constant that it makes."""
        direction, function = vector3(axis.direction), axis.function
        if motion == SHIFT:
            function = function.lowered(axis.at(self._at_zero(axis)))
        if not axis.follows(self.held):
            constant = 0.0 if motion == SHIFT else float(axis.at(self.values))
            return spec.JointFunction(motion, direction, terms=((0.0, constant),))
        if axis.function.has_corners:
            message = "a curve of it with corners is a smooth one through the same points here"
            self.findings.add("joint", joint, message)
        return spec.JointFunction(motion, direction, axis.coordinate.name, function.terms, function.points)

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
        followed = {name: Followed(record.name, "along_z", factor, False)}
        return Driven(joint, mobility, followed, (value, 0.0, 0.0) if value else None)

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
        joint.T1, joint.T2 = (rows(np.array(T) @ own) for T in (joint.T1, joint.T2))
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
        axes = ("along_z", "z") if kind == CYLINDER else ("along_x", "along_y", "z")
        followed = {
            n: Followed(record.name, axis, f, axis == "z")
            for n, axis, f in zip(names, axes, factors, strict=True)
        }
        return Driven(joint, mobility, followed, start, vector3(ways) if any(ways) else None)

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
        joint.T1, joint.T2 = (rows(np.array(T) @ own) for T in (joint.T1, joint.T2))
        factors, names = (abs(slope), abs(inner_slope)), (outer.coordinate.name, inner.coordinate.name)
        bounds = [self._bounds(record.name, a, f) for a, f in zip((outer, inner), factors, strict=True)]
        bounds = self._apart(record.name, list(names), bounds)
        if any(bounds):
            pairs = [(0.0, 0.0), *(pair or OPEN for pair in bounds)]
            lower, upper = (tuple(float(pair[end]) for pair in pairs) for end in (0, 1))
            bounded = [name for name, pair in zip(names, bounds, strict=True) if pair]
            joint.limits = self._axis_limits(bounded, lower, upper)
        angles = [float(np.degrees(f * self.values[n])) for f, n in zip(factors, names, strict=True)]
        followed = {
            n: Followed(record.name, axis, f, True) for n, axis, f in zip(names, "yx", factors, strict=True)
        }
        return Driven(joint, mobility, followed, (0.0, *angles) if any(angles) else None)

    def _way_bounds(self, joint: str, axis: Axis, factor: float) -> tuple[float, float] | None:
        """Range in metres of our way: that of the coordinate."""
        found = axis.coordinate.range
        if found is None or not found[0] < found[1] or axis.coordinate.name in self.limits:
            return None
        self.findings.add("joint", joint, RANGE_ACTS)
        return float(factor * found[0]), float(factor * found[1])

    def _note(self, name: str, mobility: Mobility) -> None:
        axes = [*mobility.turns, *mobility.shifts]
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
            rows(pose_z_up(T1)),
            rows(pose_z_up(T2)),
            damping=damping,
        )

    def _fixed(self, record: JointRecord, mobility: Mobility) -> Driven:
        T1 = record.parent.pose @ mobility.pose(self.values)
        return Driven(self._spec(record, FIXED, T1, record.child.pose), mobility)

    def _free(self, record: JointRecord, mobility: Mobility) -> Driven:
        """Six degrees of freedom: against the world a free root, else three slides and a ball that nothing holds."""
        if record.parent.body is None and not self.grounded:
            return Driven(self._spec(record, FREE, record.parent.pose, record.child.pose), mobility)
        joint = self._spec(record, LOOSE, record.parent.pose, record.child.pose)
        pose = pose_z_up(mobility.pose(self.values))
        angles, ways = vector3(zyx_from_matrix(pose[:3, :3])), vector3(pose[:3, 3])
        return Driven(
            joint, mobility, start=angles if any(angles) else None, slides=ways if any(ways) else None
        )

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
        followed = {name: Followed(record.name, "z", factor, True)}
        return Driven(joint, mobility, followed, (angle, 0.0, 0.0) if angle else None)

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
        ranges = [OPEN] * 3
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
        if all(bounds == OPEN for bounds in ranges):
            return None
        lower, upper = (tuple(float(r[end]) for r in reversed(ranges)) for end in (0, 1))
        return self._axis_limits(coordinates, lower, upper)

    def _bounds(self, joint: str, axis: Axis, factor: float) -> tuple[float, float] | None:
        """Range in degrees of our angle: that of a limit force, or of the coordinate."""
        coordinate = axis.coordinate
        force = self.limits.get(coordinate.name)
        if force is not None:
            ends = tuple(float(np.degrees(factor * end)) for end in (force.lower, force.upper))
        elif coordinate.range is not None and coordinate.range[0] < coordinate.range[1]:
            ends = tuple(float(np.degrees(factor * end)) for end in coordinate.range)
            self.findings.add("joint", joint, RANGE_ACTS)
        else:
            return None
        return min(ends) + 0.0, max(ends) + 0.0

    def _apart(
        self, joint: str, names: list[str], bounds: list[tuple[float, float] | None]
    ) -> list[tuple[float, float] | None]:
        """Ranges of the coordinates of a joint, where limit forces and plain ranges meet without those of the forces:
        a joint has one stiffness past its limits."""
        forced = [name in self.limits for name in names]
        plain = [pair for pair, is_forced in zip(bounds, forced, strict=True) if pair and not is_forced]
        if not plain or not any(forced):
            return bounds
        self.findings.add("joint", joint, "left out the damping of its limit forces")
        return [None if is_forced else pair for pair, is_forced in zip(bounds, forced, strict=True)]

    def _axis_limits(self, names: list[str], lower: spec.Vector, upper: spec.Vector) -> spec.AxisLimits:
        """Limits of some coordinates. Limit forces are springs apart (`LimitForce.curve`); here is their damping."""
        forces = [self.limits[name] for name in names if name in self.limits]
        if len(forces) < len(names):
            return spec.AxisLimits(lower, upper)
        return spec.AxisLimits(lower, upper, 0.0, max(f.damping for f in forces))


def _span(shifts: list[Axis]) -> bool:
    """Whether shifts reach every place of space."""
    directions = np.array([axis.direction for axis in shifts])
    return len(shifts) == 3 and abs(np.linalg.det(directions)) > ALIGNED


def _three(pairs: list[tuple[float, float]], rest: tuple[float, float]) -> tuple[spec.Vector, spec.Vector]:
    """(lower, upper) of three pairs; `rest` where there are fewer."""
    whole = [*pairs, *[rest] * (3 - len(pairs))]
    return vector3([low for low, _ in whole]), vector3([high for _, high in whole])


def pose_z_up(pose: np.ndarray) -> np.ndarray:
    """(4, 4) pose between frames with y up, as pose between the same frames with z up."""
    return transform(turned_z_up(pose[:3, :3]), z_up(pose[:3, 3]))


def root_pose(driven: Driven, values: dict[str, float]) -> np.ndarray:
    """(4, 4) actor frame in the world for a free root at its default values: P X inverse(P), P the joint frame."""
    T1 = np.array(driven.joint.T1)
    return T1 @ pose_z_up(driven.mobility.pose(values)) @ inverse_transform(T1)
