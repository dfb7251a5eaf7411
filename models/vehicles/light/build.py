"""A two-wheeler, wheelchair or pram as a model: frame, a fork or castors that turn freely, and wheels on tyres."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from ....engine.errors import EngineError
from ....engine.spec import AxisLimits, Body, Ellipsoid, Joint, LightVehicle, Model, Wheel
from ...parts import frames
from ...parts.bodies import make_body, make_ellipsoid, tidy
from ...parts.rigid import Piece
from ..materials import named, tread
from .contact_parts import fork_parts, frame_parts
from .kinds import EQUIPMENT, FROM_MEMORY, GEOMETRY_SOURCES, LIGHT_VEHICLES, WEIGHTS, Weights, total_mass
from .layout import FLIP, Layout, layout

GRAVITY = 9.81
FRAME, FORK, FRONT_WHEEL, REAR_WHEEL = "frame", "fork", "front_wheel", "rear_wheel"
STEERING = "steering"
SIDES = ("_l", "_r")


TYRE_SOURCE = "Stiffness, slip, relaxation and rolling resistance assumed, usual for the kind"
BRAKE_REACH, FRONT_BRAKE = 1.0, 0.65
"""Deceleration (over g) for which the full brakes are good, and the share of the front one. Assumed."""


def build_light_vehicle(vehicle: LightVehicle | str, mass: float | None = None, name: str = "") -> Model:
    """Model of a two-wheeler, wheelchair or pram, or of the typical one of a kind; `mass` in kg, else that of the kind.

    It stands on z = 0, its tyres without load. Two-wheelers steer freely and fall like real ones unless they roll."""
    if isinstance(vehicle, str):
        if vehicle not in LIGHT_VEHICLES:
            raise EngineError(
                f"no kind of vehicle is called '{vehicle}'; there are {', '.join(LIGHT_VEHICLES)}"
            )
        vehicle = LIGHT_VEHICLES[vehicle]
    mass = total_mass(vehicle.kind) if mass is None else mass
    weights = scaled(vehicle, mass)
    points = layout(vehicle)
    build = _two_wheeler if vehicle.is_ridden else _chair
    bodies, joints, wheels, excluded = build(vehicle, points, weights, mass)
    words = vehicle.kind.replace("_", " ")
    return Model(
        name=name or vehicle.kind,
        bodies=bodies,
        joints=[Joint("root", "free", None, FRAME), *joints],
        materials=[
            *named("frame", "saddle"),
            tread(EQUIPMENT[vehicle.kind].tyre_stiffness, 0.9, 0.75, "usual for the kind"),
        ],
        contact_exclude=excluded,
        wheels=wheels,
        description=f"{words[:1].upper()}{words[1:]}, {mass:g} kg, on tyres. Of no make.",
        version="1",
        light_vehicle=replace(vehicle),
        sources=[
            f"Dimensions: {GEOMETRY_SOURCES.get(vehicle.kind, FROM_MEMORY)}",
            f"Masses, centres of mass and moments of inertia: {WEIGHTS[vehicle.kind].source}",
            f"Tyres: {TYRE_SOURCE}",
        ],
        notes=[
            "Tyres, brakes and contact curves are assumed, usual for the kind; replace them for a given vehicle."
        ],
    )


def scaled(vehicle: LightVehicle, mass: float) -> Weights:
    """Weights of the kind for another mass (kg) and wheelbase: inertia by mass and the square of the wheelbase."""
    weights, usual = WEIGHTS[vehicle.kind], LIGHT_VEHICLES[vehicle.kind]
    share = mass / total_mass(vehicle.kind)
    size = share * (vehicle.wheelbase / usual.wheelbase) ** 2
    front = share * (vehicle.front_radius / usual.front_radius) ** 2
    rear = share * (vehicle.rear_radius / usual.rear_radius) ** 2
    return replace(
        weights,
        **{field: share * getattr(weights, field) for field in (FRAME, FORK, FRONT_WHEEL, REAR_WHEEL)},
        frame_inertia=tuple(size * value for value in weights.frame_inertia),
        fork_inertia=tuple(size * value for value in weights.fork_inertia),
        front_axle=front * weights.front_axle,
        rear_axle=rear * weights.rear_axle,
    )


def piece(mass: float, centre: ArrayLike, inertia: tuple[float, float, float, float]) -> Piece:
    """A rigid piece; inertia: xx, yy, zz and the matrix element xz."""
    xx, yy, zz, xz = inertia
    return Piece(mass, np.asarray(centre, float), np.array([[xx, 0.0, xz], [0.0, yy, 0.0], [xz, 0.0, zz]]))


def _wheel_body(name: str, mass: float, axle: float, centre: np.ndarray, radius: float, width: float) -> Body:
    tread = make_ellipsoid(f"tyre_{name}", centre, (radius, width / 2.0, radius), centre, "tyre")
    return make_body(name, piece(mass, centre, (0.55 * axle, axle, 0.55 * axle, 0.0)), centre, [tread])


def _hinge(
    name: str, parent: str, child: str, at: np.ndarray, parent_at: ArrayLike, axis: ArrayLike
) -> Joint:
    """A hinge at a point of the actor whose child has its frame there."""
    return Joint(
        name,
        "revolute",
        parent,
        child,
        T1=frames.transform(frames.CENTRAL, [tidy(v) for v in at - np.asarray(parent_at, float)]),
        axis=tuple(tidy(v) for v in axis),
        damping=0.0,
    )


def _axle_joint(wheel: str, parent: str, at: np.ndarray, parent_at: ArrayLike) -> Joint:
    made = _hinge(f"{wheel}_axle", parent, wheel, at, parent_at, (0.0, 1.0, 0.0))
    return replace(made, note="Positive turns roll forward.")


def _centre(vehicle: LightVehicle, at: tuple[float, float]) -> np.ndarray:
    """Centre of mass (3,) from its share of the wheelbase ahead of the rear axle and its height."""
    return np.array([vehicle.axles[1] + at[0] * vehicle.wheelbase, 0.0, at[1]])


def front_share(vehicle: LightVehicle, weights: Weights, mass: float) -> float:
    """Share of the weight on the front axle, with nobody on it."""
    count = 1.0 if vehicle.is_ridden else 2.0
    moment = weights.frame * weights.frame_centre[0] + count * (
        weights.fork * weights.fork_centre[0] + weights.front_wheel
    )
    return moment / mass


def _tyres(vehicle: LightVehicle, weights: Weights, mass: float) -> tuple[dict, dict]:
    """Fields of the wheels of the front and of the rear axle."""
    count = 1 if vehicle.is_ridden else 2
    tyre = EQUIPMENT[vehicle.kind]
    carried = mass + tyre.rider
    front = (front_share(vehicle, weights, mass) * mass + 0.42 * (carried - mass)) / carried
    full = BRAKE_REACH * carried * GRAVITY if vehicle.is_ridden or vehicle.kind == "wheelchair" else 0.0
    found = []
    for is_front, radius, share in (
        (True, vehicle.front_radius, FRONT_BRAKE),
        (False, vehicle.rear_radius, 1.0 - FRONT_BRAKE),
    ):
        load = (front if is_front else 1.0 - front) * carried * GRAVITY / count
        brake = full * share if vehicle.is_ridden else 0.0 if is_front else full / count
        found.append(
            {
                "radius": radius,
                "load": tidy(round(load, 3)),
                "cornering_stiffness": tyre.cornering,
                "slip_stiffness": 20.0,
                "relaxation": tyre.relaxation,
                "slip_relaxation": tyre.relaxation,
                "rolling_resistance": tyre.rolling,
                "brake_torque": tidy(round(brake * radius, 4)),
                "drive_share": 0.0 if is_front else 1.0 / count,
                "source": TYRE_SOURCE,
            }
        )
    return found[0], found[1]


def _steering(vehicle: LightVehicle, points: Layout) -> Joint:
    parts = EQUIPMENT[vehicle.kind]
    lock = parts.steering_lock
    return replace(
        _hinge(STEERING, FRAME, FORK, points.pivot, (0, 0, 0), points.axis),
        damping=parts.steering_drag,
        limits=AxisLimits((-lock, 0.0, 0.0), (lock, 0.0, 0.0), 300.0, 3.0, "Stops of the steering; assumed"),
        note="Positive turns steer to the left.",
        source="Drag and stops assumed",
    )


def _two_wheeler(
    vehicle: LightVehicle, points: Layout, weights: Weights, mass: float
) -> tuple[list[Body], list[Joint], list[Wheel], list[tuple[str, str]]]:
    """Frame, fork and two wheels."""
    frame = piece(weights.frame, _centre(vehicle, weights.frame_centre), weights.frame_inertia)
    fork = piece(weights.fork, _centre(vehicle, weights.fork_centre), weights.fork_inertia)
    bodies = [
        make_body(FRAME, frame, (0, 0, 0), frame_parts(vehicle, points)),
        make_body(FORK, fork, points.pivot, fork_parts(vehicle, points)),
        _wheel_body(
            FRONT_WHEEL,
            weights.front_wheel,
            weights.front_axle,
            points.front,
            vehicle.front_radius,
            vehicle.front_tyre,
        ),
        _wheel_body(
            REAR_WHEEL,
            weights.rear_wheel,
            weights.rear_axle,
            points.rear,
            vehicle.rear_radius,
            vehicle.rear_tyre,
        ),
    ]
    joints = [
        _steering(vehicle, points),
        _axle_joint(FRONT_WHEEL, FORK, points.front, points.pivot),
        _axle_joint(REAR_WHEEL, FRAME, points.rear, (0, 0, 0)),
    ]
    front, rear = _tyres(vehicle, weights, mass)
    wheels = [Wheel(FRONT_WHEEL, steering=STEERING, **front), Wheel(REAR_WHEEL, **rear)]
    return bodies, joints, wheels, [(FRAME, FRONT_WHEEL), (FORK, REAR_WHEEL), (FRONT_WHEEL, REAR_WHEEL)]


def _chair(
    vehicle: LightVehicle, points: Layout, weights: Weights, mass: float
) -> tuple[list[Body], list[Joint], list[Wheel], list[tuple[str, str]]]:
    """Frame, two castors that swivel and four wheels."""
    frame = piece(weights.frame, _centre(vehicle, weights.frame_centre), weights.frame_inertia)
    bodies = [make_body(FRAME, frame, (0, 0, 0), frame_parts(vehicle, points))]
    joints, wheels = [], []
    front, rear = _tyres(vehicle, weights, mass)
    for side, flip in zip(SIDES, (np.ones(3), FLIP), strict=True):
        castor, small, large = f"castor{side}", f"{FRONT_WHEEL}{side}", f"{REAR_WHEEL}{side}"
        pivot, at, behind = points.pivot * flip, points.front * flip, points.rear * flip
        middle = 0.5 * (pivot + at)
        bodies += [
            make_body(castor, piece(weights.fork, middle, weights.fork_inertia), pivot, []),
            _wheel_body(
                small, weights.front_wheel, weights.front_axle, at, vehicle.front_radius, vehicle.front_tyre
            ),
            _wheel_body(
                large, weights.rear_wheel, weights.rear_axle, behind, vehicle.rear_radius, vehicle.rear_tyre
            ),
        ]
        swivel = _hinge(f"swivel{side}", FRAME, castor, pivot, (0, 0, 0), (0.0, 0.0, 1.0))
        joints += [
            replace(swivel, damping=0.01, note="A castor: turns freely.", source="Drag assumed"),
            _axle_joint(small, castor, at, pivot),
            _axle_joint(large, FRAME, behind, (0, 0, 0)),
        ]
        wheels += [Wheel(small, **front), Wheel(large, **rear)]
    names = [body.name for body in bodies]
    excluded = [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]
    return bodies, joints, wheels, excluded


def ellipsoid_of(model: Model, name: str) -> tuple[Body, Ellipsoid]:
    """Body and ellipsoid of a name. KeyError where there is none."""
    for body in model.bodies:
        for ellipsoid in body.ellipsoids:
            if ellipsoid.name == name:
                return body, ellipsoid
    raise KeyError(name)
