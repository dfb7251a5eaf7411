"""A city bicycle of 18.3 kg: frame, fork that steers about the inclined head axis, two wheels on their axles.

Actor frame: x forward, z up, on the ground under the bottom bracket. Geometry is typical of the kind (assumed):
wheelbase 1.07 m, head angle 70 degrees, wheels 700 x 35 (radius 0.346 m). Mass: 18.3 kg as OpenMBD's bicycle; its
division is assumed.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from ...engine.spec import AxisLimits, Ellipsoid, Joint, Model
from ..parts import frames
from ..parts.bodies import make_body, make_ellipsoid, tidy
from ..parts.rigid import Piece, solid_box
from .light.contact_parts import rod, rods
from .materials import bicycle_materials

WHEEL_RADIUS = 0.346
REAR_AXLE = (-0.45, 0.0, WHEEL_RADIUS)
FRONT_AXLE = (0.62, 0.0, WHEEL_RADIUS)
HEAD_ANGLE = 70.0
"""Degrees from the horizontal."""
FORK_OFFSET = 0.05
"""m, front axle ahead of the steering axis."""
MASSES = {"frame": 11.3, "fork": 2.6, "front": 2.0, "rear": 2.4}


def _lean() -> tuple[tuple[float, ...], ...]:
    """Joint frame of the steering: z along the head axis, up and backward."""
    angle = math.radians(90.0 - HEAD_ANGLE)
    c, s = tidy(math.cos(angle)), tidy(math.sin(angle))
    return ((c, 0.0, -s), (0.0, 1.0, 0.0), (s, 0.0, c))


def steering_point(height: float) -> np.ndarray:
    """Point of the steering axis at a height (m): the axle lies `FORK_OFFSET` ahead of the axis."""
    axis = np.array([-math.cos(math.radians(HEAD_ANGLE)), 0.0, math.sin(math.radians(HEAD_ANGLE))])
    across = np.array([axis[2], 0.0, -axis[0]])
    foot = np.array(FRONT_AXLE) - FORK_OFFSET * across
    return foot + (height - foot[2]) / axis[2] * axis


def _frame_shapes() -> list[Ellipsoid]:
    bracket, seat = (0.0, 0.0, 0.28), (-0.17, 0.0, 0.80)
    head_top, head_low = steering_point(0.86), steering_point(0.72)
    o = (0.0, 0.0, 0.0)
    return [
        rod("seat_tube", bracket, seat, 0.022, o),
        rod("top_tube", seat, head_top, 0.022, o),
        rod("down_tube", bracket, head_low, 0.026, o),
        rod("head_tube", head_low, head_top, 0.028, o),
        *rods("chain_stay", (0.0, 0.03, 0.28), (REAR_AXLE[0], 0.06, REAR_AXLE[2]), 0.016, o),
        *rods("seat_stay", (-0.17, 0.03, 0.78), (REAR_AXLE[0], 0.06, REAR_AXLE[2]), 0.014, o),
        make_ellipsoid("bottom_bracket", bracket, (0.05, 0.05, 0.05), o, "frame"),
        rod("seat_post", seat, (-0.20, 0.0, 0.93), 0.018, o),
        make_ellipsoid("saddle", (-0.19, 0.0, 0.95), (0.14, 0.08, 0.035), o, "saddle"),
        *rods("crank", (0.0, 0.07, 0.28), (0.0, 0.09, 0.12), 0.015, o)[:1],
        *rods("crank", (0.0, 0.07, 0.28), (0.0, 0.09, 0.44), 0.015, o)[1:],
        make_ellipsoid("pedal_l", (0.0, 0.14, 0.12), (0.05, 0.05, 0.016), o, "saddle"),
        make_ellipsoid("pedal_r", (0.0, -0.14, 0.44), (0.05, 0.05, 0.016), o, "saddle"),
    ]


def _fork_shapes(origin) -> list[Ellipsoid]:
    crown = steering_point(0.70)
    bar = steering_point(1.02)
    stem = bar + np.array([0.05, 0.0, 0.02])
    return [
        *rods(
            "fork", crown + np.array([0.0, 0.05, 0.0]), np.array(FRONT_AXLE) + (0.0, 0.06, 0.0), 0.018, origin
        ),
        rod("stem", steering_point(0.84), bar, 0.02, origin),
        *rods("handlebar", stem, stem + np.array([-0.05, 0.20, 0.03]), 0.016, origin),
        *rods(
            "grip",
            stem + np.array([-0.05, 0.20, 0.03]),
            stem + np.array([-0.16, 0.28, 0.02]),
            0.02,
            origin,
            "saddle",
        ),
    ]


def wheel_piece(mass: float, centre: ArrayLike) -> Piece:
    """A spoked wheel: 0.85 m r^2 about the axle (rim and tyre outside, hub inside; assumed), half of it across."""
    axle = 0.85 * mass * WHEEL_RADIUS**2
    return Piece(mass, np.asarray(centre, float), np.diag([axle / 2.0, axle, axle / 2.0]))


def rolling(speed: float) -> dict[str, tuple[float, float, float]]:
    """Joint velocities (rad/s) of wheels that roll at `speed` (m/s)."""
    rate = (tidy(speed / WHEEL_RADIUS), 0.0, 0.0)
    return {"front_wheel_jnt": rate, "rear_wheel_jnt": rate}


def _axle(name: str, parent: str, child: str, at, parent_origin) -> Joint:
    offset = tuple(tidy(v) for v in np.asarray(at) - np.asarray(parent_origin))
    return Joint(
        name,
        "revolute",
        parent,
        child,
        T1=frames.transform(frames.CENTRAL, offset),
        axis=(0.0, 1.0, 0.0),
        damping=0.01,
        source="Bearing drag assumed",
    )


def build_bicycle() -> Model:
    """The bicycle, standing upright."""
    origin = (0.0, 0.0, 0.0)
    head = tuple(tidy(v) for v in steering_point(0.79))
    frame_piece = solid_box(MASSES["frame"], (-0.06, 0.0, 0.58), (0.75, 0.12, 0.55))
    fork_piece = solid_box(
        MASSES["fork"], steering_point(0.80) + np.array([0.04, 0.0, 0.0]), (0.14, 0.40, 0.62)
    )
    tyre = (WHEEL_RADIUS, 0.0175, WHEEL_RADIUS)
    front = make_ellipsoid("front_wheel", FRONT_AXLE, tyre, FRONT_AXLE, "bicycle_tyre")
    rear = make_ellipsoid("rear_wheel", REAR_AXLE, tyre, REAR_AXLE, "bicycle_tyre")
    steering = Joint(
        "steering_jnt",
        "revolute",
        "Bicycle_body",
        "fork",
        T1=frames.transform(_lean(), head),
        T2=frames.transform(_lean(), origin),
        axis=(0.0, 0.0, 1.0),
        damping=0.2,
        limits=AxisLimits((-75.0, 0.0, 0.0), (75.0, 0.0, 0.0), 300.0, 3.0, "Cables and frame; assumed"),
        note="Positive turns steer to the left.",
        source="Head angle 70 degrees, drag assumed",
    )
    return Model(
        name="bicycle",
        bodies=[
            make_body(
                "Bicycle_body", frame_piece, origin, _frame_shapes(), "Frame, saddle, cranks and pedals"
            ),
            make_body("fork", fork_piece, head, _fork_shapes(head), "Fork, stem and handlebar"),
            make_body("frontwheel_body", wheel_piece(MASSES["front"], FRONT_AXLE), FRONT_AXLE, [front]),
            make_body("backwheel_body", wheel_piece(MASSES["rear"], REAR_AXLE), REAR_AXLE, [rear]),
        ],
        joints=[
            Joint("bike_free_jnt", "free", None, "Bicycle_body"),
            steering,
            _axle("front_wheel_jnt", "fork", "frontwheel_body", FRONT_AXLE, head),
            _axle("rear_wheel_jnt", "Bicycle_body", "backwheel_body", REAR_AXLE, origin),
        ],
        materials=bicycle_materials(),
        contact_exclude=[("Bicycle_body", "frontwheel_body"), ("fork", "backwheel_body")],
        description="City bicycle, 18.3 kg, with a steering fork and turning wheels.",
        version="1",
        sources=[
            "Total mass 18.3 kg: Tierney, OpenMBD, F1000Research 2026;15:601 (its bicycle model)",
            "Geometry, masses of parts and moments of inertia: typical of the kind, assumed",
        ],
        notes=["Tyres are discs with a rounded edge; contact with the road is one point under the axle."],
    )
