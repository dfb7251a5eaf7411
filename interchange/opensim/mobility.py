"""How an OpenSim joint moves, and which joint of ours is nearest.

Every joint is put as OpenSim's custom joint is: three turns about axes in sequence and three shifts, each a function of
a coordinate. Where every coordinate moves one axis in proportion, one turn makes a hinge, two at right angles a
universal joint, three a ball joint, none a fixed one; one shift a slider, one along the axis of a turn a cylindrical
joint, two across it a planar one; three turns and three shifts a free one. Everything else (the sliding knee, a
coordinate that moves two axes, a root in a plane that none of these is) is a custom joint with the file's functions.
"""

from dataclasses import dataclass

import numpy as np

from ...engine.maths.vector import axis_angle_matrix
from ..common.axes import transform
from ..common.findings import Findings
from ..common.xml_tree import Node, is_true, numbers
from .document import Coordinate, JointRecord, name_list
from .functions import CONSTANT_ZERO, NAMES, Function, read_function

X, Y, Z = (tuple(row) for row in np.eye(3))
LINE = Function("line", coefficients=(1.0, 0.0))

TURNS = {
    "PinJoint": (Z,),
    "UniversalJoint": (X, Y),
    "BallJoint": (X, Y, Z),
    "GimbalJoint": (X, Y, Z),
    "EllipsoidJoint": (X, Y, Z),
    "FreeJoint": (X, Y, Z),
    "PlanarJoint": (Z,),
}
SHIFTS = {"SliderJoint": (X,), "FreeJoint": (X, Y, Z), "PlanarJoint": (X, Y)}
"""Axes of the coordinates of each simple joint, turns first."""


@dataclass(frozen=True)
class Axis:
    """A turn about or a shift along a direction, by a function of a coordinate (None: of nothing)."""

    direction: tuple[float, float, float]
    coordinate: Coordinate | None
    function: Function

    def at(self, values: dict[str, float]) -> float:
        """rad or m at given values of the coordinates."""
        name = None if self.coordinate is None else self.coordinate.name
        return self.function(values.get(name, 0.0 if name is None else self.coordinate.default))

    def follows(self, held: set[str]) -> bool:
        """Whether it follows a free coordinate, in proportion or by a curve."""
        line = self.function.line
        free = self.coordinate is not None and self.coordinate.name not in held
        return free and (line is None or line[0] != 0.0)

    def moves(self, held: set[str]) -> bool:
        """Whether it follows a free coordinate in proportion."""
        return self.follows(held) and self.function.line is not None


@dataclass(frozen=True)
class Mobility:
    """Turns and shifts of a joint."""

    turns: list[Axis]
    shifts: list[Axis]
    radii: tuple[float, float, float] | None = None
    """m: ellipsoid over which the child's joint frame slides, its z axis along the normal."""

    def rotation(self, values: dict[str, float], first: int = 0, last: int = 3) -> np.ndarray:
        """(3, 3) product of the turns [first, last) at given values."""
        result = np.eye(3)
        for axis in self.turns[first:last]:
            result = result @ turn(axis.direction, axis.at(values))
        return result

    def shift(self, values: dict[str, float]) -> np.ndarray:
        """(3,) sum of the shifts, in the parent's joint frame, m."""
        total = sum((np.array(axis.direction) * axis.at(values) for axis in self.shifts), np.zeros(3))
        return total if self.radii is None else total + np.array(self.radii) * self.rotation(values)[:, 2]

    def pose(self, values: dict[str, float]) -> np.ndarray:
        """(4, 4) child joint frame in the parent's joint frame."""
        return transform(self.rotation(values), self.shift(values))


def turn(direction: tuple[float, float, float], angle: float) -> np.ndarray:
    """(3, 3) rotation about a unit direction."""
    return np.array(axis_angle_matrix(tuple(float(v) for v in direction), float(angle))).reshape(3, 3)


def mobility_of(joint: JointRecord, findings: Findings) -> Mobility:
    """Turns and shifts of any joint; one of a kind that is not known does not move."""
    tag = joint.node.tag
    if is_true(joint.node.child("reverse"), False):
        findings.add(
            "joint", joint.name, "it is marked as reversed in the file; here it goes from parent to child"
        )
    if tag == "CustomJoint":
        return _custom(joint)
    if tag not in TURNS and tag not in SHIFTS and tag != "WeldJoint":
        findings.add("joint", joint.name, f"a {tag} is not known here: it does not move")
    directions = [*TURNS.get(tag, ()), *SHIFTS.get(tag, ())]
    coordinates: list[Coordinate | None] = [*joint.coordinates, *[None] * len(directions)]
    axes = [Axis(d, c, LINE if c else CONSTANT_ZERO) for d, c in zip(directions, coordinates, strict=False)]
    count = len(TURNS.get(tag, ()))
    radii = joint.node.child("radii_x_y_z") if tag == "EllipsoidJoint" else None
    return Mobility(axes[:count], axes[count:], None if radii is None else tuple(numbers(radii, 3)))


def _custom(joint: JointRecord) -> Mobility:
    spatial = joint.node.child("SpatialTransform")
    axes = {
        node.name: _axis(node, joint)
        for node in (spatial.children if spatial else ())
        if node.tag == "TransformAxis"
    }
    return Mobility(
        [axes[name] for name in ("rotation1", "rotation2", "rotation3") if name in axes],
        [axes[name] for name in ("translation1", "translation2", "translation3") if name in axes],
    )


def _axis(node: Node, joint: JointRecord) -> Axis:
    by_name = {coordinate.name: coordinate for coordinate in joint.coordinates}
    names = name_list(node.child("coordinates"))
    for name in names:
        if name not in by_name:
            raise node.error(f"joint '{joint.name}' has no coordinate '{name}'", "Correct the name")
    given = node.child("axis")
    direction = np.array(numbers(given, 3) if given is not None else X)
    length = np.linalg.norm(direction)
    if not length > 1e-9:
        raise node.error("this axis has no length", "Give a direction")
    function = read_function(next((c for c in node.children if c.tag in (*NAMES, "function")), None))
    unit = tuple(float(value) for value in direction / length)
    return Axis(unit, by_name[names[0]] if names else None, function or CONSTANT_ZERO)
