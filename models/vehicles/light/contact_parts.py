"""What is touched of a two-wheeler, wheelchair or pram besides its tyres: ellipsoids of tubes, seat, bar and body."""

import numpy as np
from numpy.typing import ArrayLike

from ....engine.spec import Ellipsoid, LightVehicle
from ...parts.bodies import make_ellipsoid, tidy
from .layout import FLIP, Layout

ORIGIN = (0.0, 0.0, 0.0)
HARD, SOFT = "frame", "saddle"


def rod(
    name: str, start: ArrayLike, end: ArrayLike, radius: float, origin: ArrayLike, material: str = HARD
) -> Ellipsoid:
    """A tube between two points of the actor as an ellipsoid a little longer than it (1.08), so that tubes meet."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    along = end - start
    length = float(np.linalg.norm(along))
    x = along / length
    side = np.cross((0.0, 0.0, 1.0), x)
    size = float(np.linalg.norm(side))
    y = side / size if size > 1e-9 else np.array([0.0, 1.0, 0.0])
    turn = np.column_stack([x, y, np.cross(x, y)])
    return Ellipsoid(
        name,
        semi_axes=(tidy(0.54 * length), radius, radius),
        position=tuple(tidy(v) for v in (start + end) / 2.0 - np.asarray(origin, float)),
        orientation=tuple(tuple(tidy(v) for v in row) for row in turn),
        material=material,
    )


def rods(
    name: str, start: ArrayLike, end: ArrayLike, radius: float, origin: ArrayLike, material: str = HARD
) -> list[Ellipsoid]:
    """The left tube and its mirror image, names ending in _l and _r."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    return [
        rod(f"{name}_l", start, end, radius, origin, material),
        rod(f"{name}_r", start * FLIP, end * FLIP, radius, origin, material),
    ]


def frame_parts(vehicle: LightVehicle, points: Layout) -> list[Ellipsoid]:
    """Ellipsoids of the frame, whose body frame is the actor's."""
    make = {"motorcycle": _motorcycle, "scooter": _scooter, "wheelchair": _chair, "pram": _pram}
    return make.get(vehicle.kind, _bicycle)(vehicle, points)


def _bicycle(vehicle: LightVehicle, p: Layout) -> list[Ellipsoid]:
    top, low = p.on_axis(p.pivot[2] + 0.08), p.on_axis(p.pivot[2] - 0.09)
    below = p.crank + 0.80 * (p.seat - p.crank)
    dropout = p.rear + np.array([0.0, 0.065, 0.0])
    beside = np.array([0.0, 0.03, 0.0])
    return [
        rod("seat_tube", p.crank, below, 0.020, ORIGIN, HARD),
        rod(
            "top_tube",
            below,
            top if vehicle.kind == "race_bicycle" else low + (0.0, 0.0, 0.03),
            0.020,
            ORIGIN,
            HARD,
        ),
        rod("down_tube", p.crank, low, 0.024, ORIGIN, HARD),
        rod("head_tube", low, top, 0.026, ORIGIN, HARD),
        *rods("chain_stay", p.crank + beside, dropout, 0.014, ORIGIN, HARD),
        *rods("seat_stay", below + beside, dropout, 0.012, ORIGIN, HARD),
        rod("seat_post", below, p.seat - (0.0, 0.0, 0.04), 0.016, ORIGIN, HARD),
        make_ellipsoid("saddle", p.seat + (-0.02, 0.0, -0.025), (0.11, 0.040, 0.025), ORIGIN, SOFT),
        rod("crank_l", p.crank + (0.0, 0.06, 0.0), p.foot - (0.0, 0.05, 0.0), 0.014, ORIGIN, HARD),
        rod("crank_r", p.crank - (0.0, 0.06, 0.0), p.other_foot + (0.0, 0.05, 0.0), 0.014, ORIGIN, HARD),
        make_ellipsoid("pedal_l", p.foot - (0.0, 0.0, 0.014), (0.045, 0.045, 0.014), ORIGIN, SOFT),
        make_ellipsoid("pedal_r", p.other_foot - (0.0, 0.0, 0.014), (0.045, 0.045, 0.014), ORIGIN, SOFT),
    ]


def _motorcycle(vehicle: LightVehicle, p: Layout) -> list[Ellipsoid]:
    tail = p.seat + (-0.42, 0.0, 0.08)
    tank = 0.5 * (p.seat + p.on_axis(p.pivot[2] + 0.05)) + np.array([0.11, 0.0, 0.05])
    swing = p.rear + np.array([0.0, 0.12, 0.0])
    return [
        make_ellipsoid("engine", p.crank, (0.27, 0.17, 0.20), ORIGIN, HARD),
        make_ellipsoid("tank", tank, (0.18, 0.15, 0.13), ORIGIN, HARD),
        make_ellipsoid("saddle", p.seat + (0.0, 0.0, -0.045), (0.24, 0.14, 0.045), ORIGIN, SOFT),
        make_ellipsoid("tail", tail + (0.06, 0.0, -0.06), (0.24, 0.11, 0.075), ORIGIN, HARD),
        rod("spine", p.on_axis(p.pivot[2]), p.seat - (0.0, 0.0, 0.12), 0.05, ORIGIN, HARD),
        rod("cradle", p.on_axis(p.pivot[2] - 0.08), p.crank + (0.20, 0.0, -0.06), 0.06, ORIGIN, HARD),
        *rods("swing_arm", p.crank + (-0.22, 0.12, -0.06), swing, 0.03, ORIGIN, HARD),
        rod("exhaust_r", p.crank + (-0.05, -0.16, -0.16), p.rear + (-0.05, -0.17, 0.08), 0.05, ORIGIN, HARD),
        *rods(
            "peg",
            p.foot * (1.0, 0.6, 1.0) - (0.0, 0.0, 0.016),
            p.foot + (0.0, 0.04, -0.016),
            0.016,
            ORIGIN,
            SOFT,
        ),
    ]


def _scooter(vehicle: LightVehicle, p: Layout) -> list[Ellipsoid]:
    shield = p.on_axis(0.62)
    return [
        make_ellipsoid("leg_shield", shield + (-0.01, 0.0, 0.0), (0.09, 0.22, 0.33), ORIGIN, HARD),
        make_ellipsoid("floor", (p.foot[0], 0.0, p.foot[2] - 0.045), (0.27, 0.19, 0.045), ORIGIN, HARD),
        make_ellipsoid("body", (p.seat[0] - 0.06, 0.0, p.seat[2] - 0.26), (0.36, 0.19, 0.20), ORIGIN, HARD),
        make_ellipsoid("saddle", p.seat + (-0.05, 0.0, -0.05), (0.33, 0.15, 0.05), ORIGIN, SOFT),
        make_ellipsoid("tail", (p.rear[0] - 0.16, 0.0, p.seat[2] - 0.14), (0.16, 0.12, 0.09), ORIGIN, HARD),
        make_ellipsoid("drive", p.rear + (0.10, 0.13, 0.0), (0.24, 0.07, 0.11), ORIGIN, HARD),
    ]


def fork_parts(vehicle: LightVehicle, p: Layout) -> list[Ellipsoid]:
    """Ellipsoids of fork and bar, in the frame of the fork at the pivot."""
    o, material = p.pivot, HARD
    is_motor = vehicle.kind in ("motorcycle", "scooter")
    apart, radius = (0.10, 0.032) if is_motor else (0.055, 0.016)
    crown = p.on_axis(vehicle.front_radius * 2.0 + 0.05)
    stem_top = p.on_axis(vehicle.bar_height - (0.03 if is_motor else 0.02))
    inner = np.array([stem_top[0], 0.03, stem_top[2]])
    start = np.array([p.grip[0] * 0.7 + stem_top[0] * 0.3, 0.7 * p.grip[1], p.grip[2]])
    parts = [
        *rods("fork", crown + (0.0, apart, 0.0), p.front + (0.0, apart, 0.0), radius, o, material),
        rod("stem", p.on_axis(p.pivot[2]), stem_top, 0.02 if not is_motor else 0.04, o, material),
        *rods("handlebar", inner, start, 0.015, o, material),
        *rods("grip", start, p.grip + (-0.02, 0.05, 0.0), 0.018, o, SOFT),
    ]
    if is_motor:
        ahead = p.on_axis(vehicle.bar_height - 0.16) + np.array([0.13, 0.0, 0.0])
        parts += [make_ellipsoid("headlamp", ahead, (0.12, 0.13, 0.13), o, HARD)]
        head = p.grip + np.array([0.065, 0.01, 0.21])
        parts += rods("mirror", head - (0.0, 0.05, 0.0), head + (0.0, 0.05, 0.0), 0.03, o, HARD)
    return parts


def _chair(vehicle: LightVehicle, p: Layout) -> list[Ellipsoid]:
    half = vehicle.track / 2.0 - 0.07
    back = p.seat + np.array([-0.20, 0.0, 0.22])
    return [
        make_ellipsoid("saddle", p.seat - (0.0, 0.0, 0.03), (0.22, half, 0.03), ORIGIN, SOFT),
        make_ellipsoid("backrest", back, (0.035, half, 0.22), ORIGIN, SOFT),
        *rods("side", p.seat + (-0.20, half, -0.06), p.seat + (0.22, half, -0.06), 0.016, ORIGIN, HARD),
        *rods("post", p.seat + (-0.20, half, -0.06), p.grip + (0.08, 0.0, 0.0), 0.016, ORIGIN, HARD),
        *rods("grip", p.grip + (0.10, 0.0, 0.0), p.grip + (-0.04, 0.0, 0.0), 0.020, ORIGIN, SOFT),
        *rods(
            "front_tube",
            p.seat + (0.22, half, -0.06),
            p.foot + (-0.03, half - 0.12, 0.02),
            0.015,
            ORIGIN,
            HARD,
        ),
        make_ellipsoid("foot_rest", (p.foot[0], 0.0, p.foot[2] - 0.02), (0.08, 0.17, 0.02), ORIGIN, HARD),
        rod("axle", p.rear, p.rear * FLIP, 0.016, ORIGIN, HARD),
    ]


def _pram(vehicle: LightVehicle, p: Layout) -> list[Ellipsoid]:
    half = vehicle.track / 2.0 - 0.05
    bar = p.grip * (1.0, 0.0, 1.0)
    wide = np.array([0.0, vehicle.bar_width / 2.0, 0.0])
    return [
        make_ellipsoid("saddle", p.seat + (0.0, 0.0, 0.05), (0.42, 0.20, 0.13), ORIGIN, SOFT),
        make_ellipsoid("hood", p.seat + (0.22, 0.0, 0.24), (0.20, 0.20, 0.16), ORIGIN, SOFT),
        *rods("pusher", p.seat + (0.02, half, -0.10), bar + wide, 0.014, ORIGIN, HARD),
        *rods("leg", p.seat + (-0.02, half, 0.02), p.rear, 0.014, ORIGIN, HARD),
        *rods("front_leg", p.seat + (-0.10, half, 0.0), p.pivot + (0.0, 0.0, 0.03), 0.014, ORIGIN, HARD),
        rod("grip_bar", bar + wide, bar - wide, 0.018, ORIGIN, SOFT),
        make_ellipsoid("tray", (0.0, 0.0, 0.24), (0.26, 0.20, 0.04), ORIGIN, SOFT),
    ]
