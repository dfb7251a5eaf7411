"""Muscles as a person authors them: a path over the bodies, the muscle-tendon unit along it, and what excites it.

The part of `engine.spec` that is about muscles, with its conventions: SI units, degrees, points in the frame of the
body they belong to. Specs here are frozen: change one with `dataclasses.replace`.
"""

from dataclasses import dataclass

from ..maths.piecewise import Piece, polynomial_pieces, spline_pieces
from .description import Choices, described
from .values import IDENTITY3, Curve, Matrix3, Vector

WRAP_SHAPES = Choices(
    sphere="Sphere of the radius",
    cylinder="Cylinder of the radius along its own z axis",
    ellipsoid="Ellipsoid of the semi-axes",
)
MUSCLE_FORMS = Choices(
    millard="Millard's curves in Hyfydy's fast form",
    geyer_herr="Geyer and Herr 2010",
    thelen="Thelen 2003",
    actuator="No muscle: pulls with the largest force times the excitation, at once, at every length and speed",
)
TENDONS = Choices(elastic="Stretches under load", rigid="Of constant length: quick, and robust")
ACTIVATION_FORMS = Choices(
    first_order="First order, with a rise time and a fall time",
    rate="Hyfydy's form, with a rise rate and a fall rate",
)
MUSCLE_ACTIONS = Choices(
    forces="Forces on the bodies along the path; joints are compressed",
    joint_torques="Torques at the joints: the same motion, without the compression of joints",
)


COORDINATE_AXES = Choices(
    **{axis: f"About {axis} of the joint frame, or an angle of a custom joint" for axis in ("z", "y", "x")},
    **{
        f"along_{axis}": f"Along {axis} of the joint frame, or a way of a custom joint"
        for axis in ("z", "y", "x")
    },
)


@dataclass(frozen=True)
class WrapSurface:
    """A smooth surface fixed to a body that muscle paths slide around without friction."""

    name: str
    body: str = described("Body that carries the surface")
    shape: str = described("Shape of the surface", options=WRAP_SHAPES)
    radius: float = described("Radius of a sphere or a cylinder", "m", default=0.0)
    length: float | None = described(
        "Length of a cylinder, half on each side of its centre; a path that would touch it only beyond its ends passes "
        "straight",
        "m",
        absent="without end",
        switch="Ends",
    )
    semi_axes: Vector = described(
        "Half lengths of an ellipsoid along its own axes", "m", default=(0.0, 0.0, 0.0)
    )
    position: Vector = described("Centre in the body frame", "m", default=(0.0, 0.0, 0.0))
    orientation: Matrix3 = described("Columns are the surface's axes in the body frame", default=IDENTITY3)
    ellipsoid: str = described(
        "Ellipsoid of the same body that gives shape and place in place of the four values before", default=""
    )
    source: str = ""


@dataclass(frozen=True)
class PointShift:
    """How far a path point is moved along a direction, by a function of a joint's coordinate."""

    direction: Vector = described("Direction in the body frame; unit length")
    joint: str = described("Joint whose coordinate moves the point")
    axis: str = described(
        "Which coordinate of the joint: its axis; a joint of one coordinate has that one",
        options=COORDINATE_AXES,
        default="z",
    )
    terms: Curve = described(
        "Polynomial: rows of power and coefficient, in m over rad or m", label="Polynomial", default=()
    )
    points: Curve = described(
        "Cubic spline: shift (m) over the coordinate (rad, m), in place of a polynomial; straight beyond the points",
        label="Spline",
        default=(),
    )

    @property
    def pieces(self) -> list[Piece]:
        """The function over the coordinate, m over rad or m."""
        return spline_pieces(self.points) if self.points else polynomial_pieces(self.terms or ((0.0, 0.0),))


@dataclass(frozen=True)
class PathCondition:
    """Where a joint must be for a point to be on the path."""

    joint: str = described("Joint whose coordinate decides")
    axis: str = described(
        "Which coordinate of the joint: its axis; a joint of one coordinate has that one",
        options=COORDINATE_AXES,
        default="z",
    )
    lower: float = described("Lowest coordinate: degrees, or m where the joint slides", default=-1.0e5)
    upper: float = described("Highest coordinate: degrees, or m where the joint slides", default=1.0e5)


@dataclass(frozen=True)
class PathPoint:
    """A point of a muscle's path, fixed to a body: the first is the origin, the last the insertion, the others via.

    It may move in its body's frame with the coordinates of joints, and be on the path in a range of a coordinate only.
    """

    body: str = described("Body that carries the point")
    position: Vector = described("Place in the body frame", "m")
    source: str = ""
    shifts: tuple[PointShift, ...] = described(
        "By how much it is moved from its position with joints", default=()
    )
    when: PathCondition | None = described(
        "Where a joint must be for the point to be on the path; not for the first or the last",
        label="Condition",
        absent="it always is",
    )


@dataclass(frozen=True)
class PathWrap:
    """How a path meets a wrap surface."""

    surface: str = described("Wrap surface of the model, in the way of the path")
    segment: int | None = described(
        "Stretch of the path that wraps: 0 lies between the first two points",
        label="Stretch",
        low=0,
        high=10,
        absent="every stretch that meets the surface",
        switch="One Stretch",
    )
    side: Vector | None = described(
        "Direction in the surface's own axes on whose side the path passes, the long way round if need be",
        new=(1.0, 0.0, 0.0),
        absent="the shorter way",
        switch="Fixed Side",
    )


@dataclass(frozen=True)
class Activation:
    """How activation a follows excitation u.

    first_order: da/dt = (u - a) / T, T the rise time while u > a and the fall time while u < a. rate (Hyfydy):
    da/dt = (u - a) (c1 u + c2) with c2 the fall rate and c1 + c2 the rise rate.
    """

    form: str = described(
        "Equation by which activation follows excitation", options=ACTIVATION_FORMS, default="first_order"
    )
    rise_time: float = described("First order: time constant of rising", "s", default=0.015)
    fall_time: float = described("First order: time constant of falling", "s", default=0.05)
    rise_rate: float = described("Rate form: rate at full excitation", "1/s", low=0, default=100.0)
    fall_rate: float = described("Rate form: rate at zero excitation", "1/s", low=0, default=25.0)
    minimum: float = described(
        "Activation and excitation never fall below this, 0 to 1", low=0, high=1, default=0.0
    )
    start: float | None = described(
        "Activation at the start, 0 to 1", low=0, high=1, absent="the excitation at the start"
    )


@dataclass(frozen=True)
class StretchReflex:
    """Excitation added because the fibre was longer than a threshold a delay ago (length feedback of Geyer and Herr):
    gain * max(0, length - threshold) + velocity_gain * max(0, lengthening speed)."""

    gain: float = described("Excitation per optimal fibre length of stretch past the threshold", low=0)
    threshold: float = described(
        "Fibre length, in optimal fibre lengths, past which the reflex answers", low=0, default=1.0
    )
    delay: float = described("Time from stretch to excitation, at most 1 s", "s", low=0, high=1, default=0.03)
    velocity_gain: float = described(
        "Excitation per optimal fibre length a second of lengthening, while past the threshold",
        low=0,
        default=0.0,
    )
    source: str = ""


@dataclass(frozen=True)
class Excitation:
    """What the nerve sends: a constant tone or a curve over time, plus a reflex; held within 0 and 1."""

    tone: float = described(
        "Constant excitation: 0 is limp, 1 is all the muscle can do", low=0, high=1, default=0.0
    )
    curve: Curve | None = described(
        "Excitation (0 to 1) over time (s), in place of the tone; held at its ends",
        label="Excitation",
        absent="the tone counts",
        switch="Over Time",
    )
    reflex: StretchReflex | None = described(
        "Excitation that answers a stretch of the fibre", label="Stretch Reflex", absent="none"
    )
    source: str = ""


@dataclass(frozen=True)
class Muscle:
    """A Hill-type muscle-tendon unit, or an ideal actuator, that pulls along a path.

    Equations and sources: docs/derivations.md, Muscle-tendon units.
    """

    name: str
    path: tuple[PathPoint, ...] = described("Origin, via points, insertion: two points or more")
    max_isometric_force: float = described(
        "Isometric force at full activation and optimal fibre length",
        "N",
        label="Largest Force",
        low=0,
        new=1000.0,
    )
    optimal_fibre_length: float = described(
        "Fibre length at which the muscle is strongest", "m", label="Fibre Length", low=0, digits=4, new=0.1
    )
    tendon_slack_length: float = described(
        "Tendon length at which it begins to pull; zero: no tendon (only with a rigid one)",
        "m",
        label="Tendon Slack",
        low=0,
        digits=4,
        new=0.1,
    )
    pennation: float = described(
        "Angle of fibre to tendon at optimal fibre length; the muscle's thickness stays constant",
        "degrees",
        default=0.0,
    )
    max_contraction_velocity: float = described(
        "Largest shortening speed, in optimal fibre lengths a second",
        "1/s",
        label="Max Velocity",
        low=0,
        default=10.0,
    )
    wraps: tuple[PathWrap, ...] = described(
        "Surfaces in the way, in the order in which the path meets them", default=()
    )
    form: str = described(
        "Curves of force over length and velocity", label="Curves", options=MUSCLE_FORMS, default="millard"
    )
    tendon: str = described("How the tendon behaves", options=TENDONS, default="elastic")
    damping: float = described(
        "Force per normalized fibre velocity, in largest forces; keeps a muscle without activation well defined",
        low=0,
        default=0.1,
    )
    stiffness_factor: float = described(
        "Factor on the elastic forces of tendon and parallel element", low=0, default=1.0
    )
    activation: Activation = described("How activation follows excitation", default=Activation())
    excitation: Excitation = described("What the nerve sends; an actor may replace it", default=Excitation())
    acts: str = described("What the muscle loads", label="Acts As", options=MUSCLE_ACTIONS, default="forces")
    source: str = ""
