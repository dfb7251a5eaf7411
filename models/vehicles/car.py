"""A mid-size saloon of 1450 kg, kept for old files: 15 bodies, four wheels that turn, panels with their own curves.

Actor frame: x forward, z up, on the ground under the middle of the wheelbase. The outline is that of no make; sizes
are typical of the class (assumed). Panels are fixed to `car_body`, which holds what is left of mass and inertia, so
that the whole car has the totals given here. There is no suspension: the tyres carry the car and their damping stands
for its dampers.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from ...engine.spec import Body, Ellipsoid, Joint, Model, Motor
from ..parts import frames
from ..parts.bodies import make_body, make_ellipsoid, mirror_body, tidy
from ..parts.rigid import Piece, cut, solid_box
from .materials import car_materials

MASS = 1450.0
WHEELBASE = 2.70
TRACK = 1.54
CENTRE_HEIGHT = 0.55
FRONT_SHARE = 0.58
"""Of the weight on the front axle (front-wheel drive, unladen; assumed)."""
WHEEL_MASS = 20.0
WHEEL_RADIUS = 0.316
"""205/55 R 16: 0.2032 + 0.55 * 0.205 m"""
TYRE_WIDTH = 0.205
BRAKE_TORQUE = 1800.0
"""N m at one wheel; more than the road can take (friction 0.9 on 4.1 kN at 0.316 m: 1170 N m), so the wheel locks."""

FRONT_AXLE = WHEELBASE / 2.0
REAR_AXLE = -WHEELBASE / 2.0
WHEELS = ("FL", "FR", "RL", "RR")


def wheel_joint(wheel: str) -> str:
    """Name of the axle joint of a wheel ("FL", "FR", "RL", "RR")."""
    return f"wheel{wheel}Jnt"


def brake_motors(torque: float = BRAKE_TORQUE) -> dict[str, Motor]:
    """Brakes on all wheels for `Actor.motors`: each holds its wheel's turning at zero with at most `torque` (N m)."""
    return {
        wheel_joint(wheel): Motor(damping=500.0, max_torque=torque, source="Brake, torque assumed")
        for wheel in WHEELS
    }


def _slope(degrees: float) -> np.ndarray:
    """Turn about y that raises the rear (-x) end of a panel by `degrees`: columns are its axes."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def _spread(length: float, count: int) -> tuple[list[float], float]:
    """(places, half axis) of `count` overlapping ellipsoids along `length`: the outer ones end just past the ends."""
    if count == 1:
        return [0.5 * length], 0.6 * length
    half = 1.05 * length / count
    margin = 0.75 * half
    step = (length - 2.0 * margin) / (count - 1)
    return [margin + i * step for i in range(count)], half


def _panel(name, front, rear, half_width, grid, depth, material, crown=0.0) -> list[Ellipsoid]:
    """A surface from the line through `front` (x, z) to the line through `rear`, as a grid (along, across) of flat
    ellipsoids.

    Their tops touch the surface; `depth` is the half thickness, `crown` how much lower (m) the edges lie. Positions in
    the actor frame.
    """
    (x0, z0), (x1, z1) = front, rear
    length = math.hypot(x1 - x0, z1 - z0)
    turn = _slope(math.degrees(math.atan2(z1 - z0, x0 - x1)))
    outward = turn[:, 2]
    along, half_along = _spread(length, grid[0])
    across, half_across = _spread(2.0 * half_width, grid[1])
    shapes = []
    for i, t in enumerate(along):
        for j, place in enumerate(across):
            y = place - half_width
            surface = np.array([x0, y, z0]) + t / length * np.array([x1 - x0, 0.0, z1 - z0])
            surface[2] -= crown * (y / half_width) ** 2
            shapes.append(
                Ellipsoid(
                    f"{name}_{i + 1}{'abcdefg'[j]}",
                    semi_axes=(tidy(half_along), tidy(half_across), tidy(depth)),
                    position=tuple(tidy(v) for v in surface - depth * outward),
                    orientation=tuple(tuple(tidy(v) for v in row) for row in turn),
                    material=material,
                )
            )
    return shapes


def _upright_row(name, x, z, half, half_width, count, material, sweep=0.0) -> list[Ellipsoid]:
    """A row across the car of upright ellipsoids whose fronts touch x (outer ones `sweep` further back)."""
    shapes = []
    depth, height = half
    for j in range(count):
        s = (2.0 * j + 1.0 - count) / count
        centre = (x - depth - sweep * s * s, s * half_width, z)
        axes = (depth, 0.75 * 2.0 * half_width / count, height)
        shapes.append(make_ellipsoid(f"{name}_{'abcdefg'[j]}", centre, axes, (0, 0, 0), material))
    return shapes


def _pillars() -> list[Ellipsoid]:
    """A-pillars along the edges of the windscreen, two ellipsoids a side."""
    front, rear = np.array([1.08, 0.0, 0.97]), np.array([0.34, 0.0, 1.40])
    turn = _slope(math.degrees(math.atan2(rear[2] - front[2], front[0] - rear[0])))
    half = 0.30 * float(np.linalg.norm(rear - front))
    shapes = []
    for side, sign in (("l", 1.0), ("r", -1.0)):
        for i, t in enumerate((0.25, 0.75)):
            centre = front + t * (rear - front) + np.array([0.0, sign * (0.70 - 0.10 * t), -0.04])
            shapes.append(
                Ellipsoid(
                    f"a_pillar_{i + 1}_{side}",
                    semi_axes=(tidy(half), 0.06, 0.05),
                    position=tuple(tidy(v) for v in centre),
                    orientation=tuple(tuple(tidy(v) for v in row) for row in turn),
                    material="pillar",
                )
            )
    return shapes


def _left_side() -> list[Ellipsoid]:
    """Left wing, doors and rear wing: outer faces at y = 0.89, and the glass above."""
    rows = (
        ("wing_front_l", 1.74, 0.62, (0.42, 0.16, 0.24)),
        ("wing_top_l", 1.35, 0.80, (0.45, 0.14, 0.14)),
        ("door_front_l", 0.45, 0.62, (0.62, 0.16, 0.34)),
        ("door_rear_l", -0.55, 0.62, (0.62, 0.16, 0.34)),
        ("wing_rear_l", -1.45, 0.80, (0.55, 0.16, 0.20)),
        ("quarter_l", -2.00, 0.66, (0.32, 0.16, 0.28)),
        ("sill_l", 0.0, 0.30, (1.00, 0.12, 0.12)),
    )
    shapes = [
        make_ellipsoid(name, (x, 0.89 - half[1], z), half, (0, 0, 0), "side") for name, x, z, half in rows
    ]
    glass = (("window_front_l", 0.25, (0.50, 0.10, 0.24)), ("window_rear_l", -0.55, (0.55, 0.10, 0.24)))
    return shapes + [
        make_ellipsoid(name, (x, 0.66, 1.12), half, (0, 0, 0), "side") for name, x, half in glass
    ]


def _panels() -> dict[str, tuple[float, tuple, tuple, list[Ellipsoid]]]:
    """Body name to (mass kg, centre, box size, ellipsoids); masses assumed."""
    return {
        "bumper": (
            14.0,
            (2.15, 0.0, 0.48),
            (0.2, 1.6, 0.35),
            _upright_row("bumper_upper", 2.25, 0.52, (0.12, 0.11), 0.80, 5, "bumper", 0.18)
            + _upright_row("bumper_lower", 2.22, 0.33, (0.12, 0.11), 0.78, 5, "bumper", 0.18),
        ),
        "grille": (
            8.0,
            (2.1, 0.0, 0.65),
            (0.1, 1.2, 0.2),
            _upright_row("grille", 2.20, 0.645, (0.12, 0.08), 0.72, 5, "bumper", 0.16),
        ),
        "bonnet_edge": (
            5.0,
            (2.05, 0.0, 0.72),
            (0.15, 1.4, 0.06),
            _upright_row("bonnet_edge", 2.13, 0.70, (0.12, 0.07), 0.74, 5, "leading_edge", 0.16),
        ),
        "bonnet": (
            18.0,
            (1.55, 0.0, 0.86),
            (1.0, 1.4, 0.05),
            _panel("bonnet", (2.05, 0.765), (1.08, 0.96), 0.72, (4, 4), 0.11, "bonnet", 0.04),
        ),
        "windscreen": (
            15.0,
            (0.7, 0.0, 1.17),
            (0.7, 1.3, 0.02),
            _panel("windscreen", (1.10, 0.955), (0.32, 1.41), 0.60, (3, 3), 0.10, "windscreen", 0.03),
        ),
        "a_pillars": (12.0, (0.7, 0.0, 1.15), (0.7, 1.3, 0.05), _pillars()),
        "roof": (
            20.0,
            (-0.3, 0.0, 1.42),
            (1.3, 1.1, 0.05),
            _panel("roof", (0.33, 1.43), (-1.05, 1.42), 0.56, (3, 3), 0.08, "roof", 0.04),
        ),
        "boot": (
            25.0,
            (-1.8, 0.0, 1.05),
            (0.9, 1.3, 0.1),
            _panel("rear_window", (-1.0, 1.41), (-1.65, 1.06), 0.58, (2, 3), 0.10, "windscreen", 0.03)
            + _panel("boot", (-1.60, 1.06), (-2.22, 1.02), 0.66, (1, 3), 0.12, "bonnet", 0.03),
        ),
        "rear_bumper": (
            12.0,
            (-2.2, 0.0, 0.55),
            (0.2, 1.6, 0.4),
            [
                make_ellipsoid(f"rear_bumper_{n}", (-2.20, y, 0.55), (0.15, 0.36, 0.30), (0, 0, 0), "bumper")
                for n, y in (("a", -0.5), ("b", 0.0), ("c", 0.5))
            ],
        ),
    }


def whole_car() -> Piece:
    """Mass properties of the complete car. Moments: yaw m a b (a, b from the centre to the axles; a dynamic index of
    one), pitch 0.95 of it, roll of a box 1.4 m wide and 1.1 m high; all assumed, usual for the class."""
    a, b = (1.0 - FRONT_SHARE) * WHEELBASE, FRONT_SHARE * WHEELBASE
    yaw = MASS * a * b
    roll = MASS * (1.4**2 + 1.1**2) / 12.0
    return Piece(MASS, np.array([FRONT_AXLE - a, 0.0, CENTRE_HEIGHT]), np.diag([roll, 0.95 * yaw, yaw]))


def disc_wheel(mass: float, radius: float, width: float, centre: ArrayLike) -> Piece:
    """A wheel: half of its mass as a disc, half as a ring at the radius (assumed): I = 0.75 m r^2 about the axle."""
    axle = 0.75 * mass * radius**2
    across = axle / 2.0 + mass * width**2 / 12.0
    return Piece(mass, np.asarray(centre, float), np.diag([across, axle, across]))


def wheel_piece(centre: ArrayLike) -> Piece:
    """A wheel of this car."""
    return disc_wheel(WHEEL_MASS, WHEEL_RADIUS, TYRE_WIDTH, centre)


def _underbody() -> list[Ellipsoid]:
    return [
        make_ellipsoid("engine_bay", (1.35, 0.0, 0.45), (0.65, 0.62, 0.26), (0, 0, 0), "underbody"),
        make_ellipsoid("floor", (0.0, 0.0, 0.38), (1.30, 0.72, 0.20), (0, 0, 0), "underbody"),
        make_ellipsoid("tail", (-1.55, 0.0, 0.50), (0.62, 0.66, 0.28), (0, 0, 0), "underbody"),
    ]


def free_root() -> Joint:
    """Joint by which a vehicle moves freely."""
    return Joint("carRoot", "free", None, "car_body")


def _fixed(child: str) -> Joint:
    return Joint(f"{child}Jnt", "fixed", "car_body", child)


def axle_joint(wheel: str, centre: ArrayLike) -> Joint:
    """Axle of a wheel ("FL", "FR", "RL", "RR") with its centre (m)."""
    return Joint(
        wheel_joint(wheel),
        "revolute",
        "car_body",
        f"wheel{wheel}",
        T1=frames.transform(frames.CENTRAL, centre),
        axis=(0.0, 1.0, 0.0),
        damping=0.5,
        note="Positive turns roll the car forward. Brakes: a motor that holds the rate at zero with a torque cap.",
        source="Bearing drag assumed",
    )


def build_car() -> Model:
    """The mid-size car."""
    panels = {name: (solid_box(m, at, size), shapes) for name, (m, at, size, shapes) in _panels().items()}
    left = make_body("side_l", solid_box(60.0, (-0.1, 0.80, 0.65), (3.6, 0.1, 0.7)), (0, 0, 0), _left_side())
    sides = [left, mirror_body(left, "side_r")]
    centres = {
        name: (x, y, WHEEL_RADIUS)
        for name, x, y in zip(
            WHEELS,
            (FRONT_AXLE, FRONT_AXLE, REAR_AXLE, REAR_AXLE),
            (TRACK / 2, -TRACK / 2, TRACK / 2, -TRACK / 2),
            strict=True,
        )
    }
    side_pieces = [solid_box(60.0, (-0.1, s * 0.80, 0.65), (3.6, 0.1, 0.7)) for s in (1.0, -1.0)]
    parts = [piece for piece, _ in panels.values()] + side_pieces
    parts += [wheel_piece(centre) for centre in centres.values()]
    bodies: list[Body] = [make_body("car_body", cut(whole_car(), parts), (0, 0, 0), _underbody())]
    bodies += [make_body(name, piece, (0, 0, 0), shapes) for name, (piece, shapes) in panels.items()]
    bodies += sides
    tyre = (WHEEL_RADIUS, TYRE_WIDTH / 2.0, WHEEL_RADIUS)
    for name, centre in centres.items():
        shape = make_ellipsoid(f"tyre_{name.lower()}", centre, tyre, centre, "tyre")
        bodies.append(make_body(f"wheel{name}", wheel_piece(centre), centre, [shape]))
    joints = [free_root()]
    joints += [_fixed(name) for name in (*panels, "side_l", "side_r")]
    joints += [axle_joint(name, centre) for name, centre in centres.items()]
    return Model(
        name="car",
        bodies=bodies,
        joints=joints,
        materials=car_materials(),
        description="Mid-size saloon, 1450 kg, 4.5 m, with turning wheels. Of no make.",
        version="1",
        sources=["Outline, masses of parts and moments of inertia: typical of the class, assumed"],
        notes=[
            "Kept for old files. The shipped scenarios have a generated saloon (model 'saloon'), with one surface per "
            "panel: ellipsoids of this one overlap.",
            "No suspension: tyres carry the car, their damping stands for the dampers.",
            "Contact curves are worked out from impactor energies or assumed; replace them for a given car.",
            "Brakes and steering are not part of the model: brakes are motors on the wheel joints of the actor.",
        ],
    )
