"""A car seat on a sled: one body moved along a table, with cushions and a floor, and a three-point belt's anchors."""

import math

from ...engine.spec import Body, Ellipsoid, Joint, Model
from ..parts import frames
from ..parts.bodies import tidy
from .materials import named, seat_cushion

# Belt anchors in the frame of the seat body: driver on the left, shoulder belt over the left shoulder (assumed,
# typical).
SHOULDER_ANCHOR = (-0.60, 0.30, 0.95)
BUCKLE = (-0.02, -0.24, 0.33)
LAP_ANCHOR = (-0.02, 0.26, 0.28)


def _tilted(name: str, centre, semi_axes, degrees: float, material: str) -> Ellipsoid:
    """An ellipsoid turned about y; positive lowers its front end."""
    c, s = tidy(math.cos(math.radians(degrees))), tidy(math.sin(math.radians(degrees)))
    return Ellipsoid(
        name,
        semi_axes=semi_axes,
        position=centre,
        orientation=((c, 0.0, s), (0.0, 1.0, 0.0), (-s, 0.0, c)),
        material=material,
    )


def build_seat() -> Model:
    """Seat and floor as flat ellipsoids; x forward, the floor's top at z = 0."""
    shapes = [
        _tilted("cushion_rear", (0.02, 0.0, 0.18), (0.28, 0.42, 0.12), -8.0, "cushion"),
        _tilted("cushion_front", (0.24, 0.0, 0.20), (0.19, 0.42, 0.11), -8.0, "cushion"),
        _tilted("back", (-0.395, 0.0, 0.645), (0.12, 0.40, 0.55), -20.0, "cushion"),
        _tilted("floor", (0.75, 0.0, -0.10), (0.70, 0.60, 0.10), 0.0, "panel"),
        _tilted("toe_board", (1.30, 0.0, 0.10), (0.40, 0.60, 0.10), -45.0, "panel"),
    ]
    body = Body("seat", 100.0, (10.0, 10.0, 10.0, 0.0, 0.0, 0.0), (0.2, 0.0, 0.2), shapes)
    joint = Joint("seatRoot", "free", None, "seat", T1=frames.transform(frames.CENTRAL, (0.0, 0.0, 0.0)))
    return Model(
        name="seat",
        bodies=[body],
        joints=[joint],
        materials=[seat_cushion(), *named("panel")],
        description="Car seat with floor and toe board, moved along a crash pulse.",
        version="1",
        sources=["Typical car seat; sizes and cushion curve assumed"],
        notes=["Mass and inertia have no effect: the seat is moved along a table."],
    )
