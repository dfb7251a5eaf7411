"""Turns and shifts of a custom joint, each a function of one of its coordinates.

docs/derivations.md, Joints by functions of coordinates.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ..maths.piecewise import Piece, polynomial_pieces, spline_pieces
from .description import Choices, described
from .joint_types import JointType, driven
from .values import Curve, Vector

TURN, SHIFT = "turn", "shift"
FUNCTION_MOTIONS = Choices(
    turn="Turns about the direction, carried by the turns before it",
    shift="Shifts along the direction in the parent's joint frame",
)
MOST = 3
"""Turns, and shifts, of one joint."""


@dataclass
class JointFunction:
    """One turn or shift of a custom joint: by how much, as a function of a coordinate.

    Given neither terms nor points, it is the coordinate itself. A coordinate that turns the joint in any of its
    functions is an angle, and any other a way.
    """

    motion: str = described("What it does", options=FUNCTION_MOTIONS, default=TURN)
    direction: Vector = described("Axis in the joint frame; unit length", default=(0.0, 0.0, 1.0))
    coordinate: str = described("Coordinate of the joint that it follows; empty: it stays", default="")
    terms: Curve = described(
        "Polynomial: rows of power and coefficient, in rad and m over rad or m",
        label="Polynomial",
        default=(),
    )
    points: Curve = described(
        "Cubic spline: turn (rad) or shift (m) over the coordinate (rad, m), in place of a polynomial; straight "
        "beyond the points",
        label="Spline",
        default=(),
    )

    @property
    def pieces(self) -> list[Piece]:
        """The function over its coordinate, rad and m."""
        if self.points or self.terms:
            return spline_pieces(self.points) if self.points else polynomial_pieces(self.terms)
        return [(0.0, (0.0, 1.0) if self.coordinate else (0.0,))]

    @property
    def is_constant(self) -> bool:
        """Whether no coordinate moves it."""
        return not self.coordinate or all(not any(coefficients[1:]) for _, coefficients in self.pieces)


def coordinates_of(functions: Sequence[JointFunction]) -> tuple[list[str], list[str]]:
    """(angles, ways): names of the coordinates in the order in which the functions name them."""
    angles = [f.coordinate for f in functions if f.coordinate and f.motion == TURN]
    ways = [f.coordinate for f in functions if f.coordinate and f.coordinate not in angles]
    return list(dict.fromkeys(angles)), list(dict.fromkeys(ways))


def function_kind(general: JointType, functions: Sequence[JointFunction]) -> JointType:
    """The type of a joint with these functions: `general` with a motion for each coordinate."""
    angles, ways = coordinates_of(functions)
    return JointType(general.name, general.description, driven(len(angles), len(ways)))


def coordinate_names(functions: Sequence[JointFunction]) -> list[str]:
    """Coordinates in the order of the motions of `function_kind`."""
    angles, ways = coordinates_of(functions)
    return [*ways, *angles]
