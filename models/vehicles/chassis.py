"""A road vehicle on wheels that are sprung, steered and braked: the body of `road_vehicle` on four suspensions.

Every wheel turns on a hub that slides in a guide of the body, on a spring and a damper; the front wheels are steered
between the two. At rest at the start every spring and tyre carries its share of the weight: the actor frame stands on
the road at z = 0, the tyres already deflected. Springs of the two wheels of an axle are tied by an anti-roll bar.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from ...engine.spec import (
    AxisLimits,
    Body,
    Coupler,
    Joint,
    JointSpring,
    Material,
    Model,
    Motor,
    Vehicle,
    Wheel,
)
from ..parts import frames
from ..parts.bodies import make_body, make_ellipsoid, tidy
from ..parts.rigid import Piece, cut
from .car import disc_wheel, free_root, wheel_joint
from .crush import with_structure
from .form.parts import wheel_centres
from .materials import car_materials, tread
from .road_vehicle import (
    FROM_MEMORY,
    WHEEL_MASSES,
    contact_surface,
    vehicle_and_mass,
    whole_vehicle,
)

GRAVITY = 9.81


@dataclass(frozen=True)
class Chassis:
    """What the suspensions, tyres and brakes of a vehicle are. Every number is assumed, usual for cars, unless a source
    stands beside it."""

    front_frequency: float = 1.2
    rear_frequency: float = 1.35
    """Hz of the body on its springs at an axle, tyres included: 1 to 1.5 in passenger cars (Audi, Self-Study Programme
    242, as quoted)."""
    damping_ratio: float = 0.3
    anti_roll: float = 0.5
    """Stiffness of the anti-roll bar over that of a spring."""
    bump: float = 0.08
    rebound: float = 0.10
    """m to the stops."""
    anti_dive: float = 0.4
    """Share of the load that braking moves to the front which the guides carry in place of the springs."""
    tyre_stiffness: float = 55.0
    """Vertical, over load, 1/m: 4 kN on 220 kN/m, 18 mm."""
    brake_balance: float = 0.70
    """Share of the front axle in the brake torque."""
    brake_reach: float = 1.3
    """Deceleration (over g) for which the torque of the full pedal would be good."""
    front_cornering: float = 9.0
    rear_cornering: float = 12.0
    """1/rad: 16 and 21 % of the load per degree; radial tyres have 11 to 19, low ones up to 30 (Gillespie 1992)."""
    peak_friction: float = 0.9
    sliding_friction: float = 0.75
    """On a dry road, before they are combined with those of the road."""


def tyre_material(chassis: Chassis, load: float) -> Material:
    """Tread of a car's tyre that carries a load (N)."""
    frictions = (chassis.peak_friction, chassis.sliding_friction)
    return tread(tidy(chassis.tyre_stiffness * load), *frictions, "usual for car tyres")


def hub_joint(wheel: str) -> str:
    """Name of the joint in which the hub of a wheel slides on the body."""
    return f"hub{wheel}Jnt"


def steering_joint(wheel: str) -> str:
    """Name of the joint that steers a front wheel."""
    return f"steer{wheel}Jnt"


def corner_loads(vehicle: Vehicle, mass: float) -> tuple[float, float]:
    """N on one front and one rear wheel at rest."""
    front, rear = vehicle.axles
    centre = whole_vehicle(vehicle, mass).centre[0]
    share = (centre - rear) / (front - rear)
    return 0.5 * share * mass * GRAVITY, 0.5 * (1.0 - share) * mass * GRAVITY


@dataclass(frozen=True)
class Corner:
    """One wheel with what carries it."""

    name: str
    centre: np.ndarray
    """m, of the wheel at rest"""
    load: float
    """N on the road at rest"""
    wheel_mass: float
    hub_mass: float
    tilt: float
    """rad by which the guide leans, forward positive, so that braking lifts the body (front) or pulls it down (rear)"""
    frequency: float

    @property
    def is_front(self) -> bool:
        """Whether it is steered."""
        return self.name.startswith("F")

    @property
    def sprung(self) -> float:
        """kg on its spring."""
        return self.load / GRAVITY - self.wheel_mass - self.hub_mass

    def ride_rate(self) -> float:
        """N/m of spring and tyre in series."""
        return self.sprung * (2.0 * math.pi * self.frequency) ** 2

    def spring_rate(self, tyre: float) -> float:
        """N/m of the spring at the wheel, for a tyre of this stiffness (N/m)."""
        ride = self.ride_rate()
        return ride * tyre / (tyre - ride)


def corners(vehicle: Vehicle, mass: float, chassis: Chassis) -> list[Corner]:
    """The four wheels with their loads at rest."""
    wheel_mass = WHEEL_MASSES.get(vehicle.kind, 20.0)
    front, rear = corner_loads(vehicle, mass)
    height = whole_vehicle(vehicle, mass).centre[2]
    found = []
    for name, centre in wheel_centres(vehicle).items():
        is_front = name.startswith("F")
        load = front if is_front else rear
        share = chassis.brake_balance if is_front else 1.0 - chassis.brake_balance
        lean = math.atan(chassis.anti_dive * height / (vehicle.wheelbase * share))
        found.append(
            Corner(
                name,
                centre - np.array([0.0, 0.0, load / (chassis.tyre_stiffness * 0.5 * (front + rear))]),
                load,
                wheel_mass,
                0.6 * wheel_mass,
                lean if is_front else -lean,
                chassis.front_frequency if is_front else chassis.rear_frequency,
            )
        )
    return found


def _hub_pieces(corner: Corner) -> dict[str, Piece]:
    """Bodies between car body and wheel, by name: a hub that slides, and in front a knuckle that is steered."""
    shares = (
        {f"hub{corner.name}": 0.5, f"knuckle{corner.name}": 0.5}
        if corner.is_front
        else {f"hub{corner.name}": 1.0}
    )
    pieces = {}
    for name, share in shares.items():
        mass = share * corner.hub_mass
        pieces[name] = Piece(mass, corner.centre, np.eye(3) * 0.4 * mass * 0.1**2)
    return pieces


def _joints(corner: Corner, chassis: Chassis, tyre: float) -> list[Joint]:
    """Guide with spring, damper and stops; steering; axle."""
    name, at = corner.name, frames.transform(frames.CENTRAL, [tidy(v) for v in corner.centre])
    rate = corner.spring_rate(tyre)
    rest = corner.sprung * GRAVITY * math.cos(corner.tilt)
    reach = 0.2
    spring = JointSpring(
        "z",
        ((-reach, tidy(rate * reach - rest)), (reach, tidy(-rate * reach - rest))),
        source="From the frequency of the body on its springs",
    )
    found = [
        Joint(
            hub_joint(name),
            "prismatic",
            "car_body",
            f"hub{name}",
            T1=at,
            axis=(tidy(math.sin(corner.tilt)), 0.0, tidy(math.cos(corner.tilt))),
            damping=tidy(2.0 * chassis.damping_ratio * math.sqrt(rate * corner.sprung)),
            limits=AxisLimits(
                (-chassis.rebound, 0.0, 0.0), (chassis.bump, 0.0, 0.0), stiffness=2.0e5, damping=2.0e3
            ),
            springs=[spring],
            note="Positive where the wheel goes up. Its lean is what keeps the body from diving by that share.",
            source="Damping ratio, travel and lean of the guide assumed",
        )
    ]
    carrier = f"hub{name}"
    if corner.is_front:
        carrier = f"knuckle{name}"
        found.append(
            Joint(
                steering_joint(name),
                "revolute",
                f"hub{name}",
                carrier,
                axis=(0.0, 0.0, 1.0),
                damping=0.0,
                motor=Motor(stiffness=5.0e4, damping=500.0, source="Steering gear, held; assumed"),
                note="Positive to the left.",
            )
        )
    found.append(
        Joint(
            wheel_joint(name),
            "revolute",
            carrier,
            f"wheel{name}",
            axis=(0.0, 1.0, 0.0),
            damping=0.0,
            note="Positive turns roll the vehicle forward.",
        )
    )
    return found


def _wheel(corner: Corner, chassis: Chassis, mass: float, radius: float) -> Wheel:
    share = (chassis.brake_balance if corner.is_front else 1.0 - chassis.brake_balance) / 2.0
    return Wheel(
        f"wheel{corner.name}",
        radius=radius,
        load=tidy(corner.load),
        cornering_stiffness=chassis.front_cornering if corner.is_front else chassis.rear_cornering,
        brake_torque=tidy(chassis.brake_reach * mass * GRAVITY * share * radius),
        drive_share=0.5 if corner.is_front else 0.0,
        steering=steering_joint(corner.name) if corner.is_front else "",
        source="Assumed, usual for radial car tyres; cornering stiffness: Gillespie 1992",
    )


@with_structure
def build_sprung_vehicle(
    vehicle: Vehicle | str, mass: float | None = None, name: str = "", chassis: Chassis | None = None
) -> Model:
    """Model of a vehicle on suspensions, or of the typical one of a class; `mass` in kg, else that of the class."""
    vehicle, mass = vehicle_and_mass(vehicle, mass)
    chassis = chassis or Chassis()
    places = corners(vehicle, mass, chassis)
    mean = mass * GRAVITY / 4.0
    tyre = tyre_material(chassis, mean)
    bodies: list[Body] = []
    pieces: list[Piece] = []
    shape = (vehicle.wheel_radius, vehicle.tyre_width / 2.0, vehicle.wheel_radius)
    for corner in places:
        for body, piece in _hub_pieces(corner).items():
            pieces.append(piece)
            bodies.append(make_body(body, piece, corner.centre, []))
        piece = disc_wheel(corner.wheel_mass, vehicle.wheel_radius, vehicle.tyre_width, corner.centre)
        pieces.append(piece)
        tread = make_ellipsoid(f"tyre_{corner.name.lower()}", corner.centre, shape, corner.centre, "tyre")
        bodies.append(make_body(f"wheel{corner.name}", piece, corner.centre, [tread]))
    body = make_body("car_body", cut(whole_vehicle(vehicle, mass), pieces), (0, 0, 0), [])
    body.surface = contact_surface(vehicle)
    bars = [
        Coupler(
            f"anti_roll_{axle}",
            hub_joint(f"{axle[0].upper()}L"),
            hub_joint(f"{axle[0].upper()}R"),
            "z",
            stiffness=tidy(chassis.anti_roll * corner.spring_rate(tyre.stiffness)),
            damping=0.0,
        )
        for axle, corner in (("front", places[0]), ("rear", places[2]))
    ]
    joints = [free_root()]
    for corner in places:
        joints += _joints(corner, chassis, tyre.stiffness)
    materials = [tyre if material.name == "tyre" else material for material in car_materials()]
    return Model(
        name=name or f"{vehicle.kind}_sprung",
        bodies=[body, *bodies],
        joints=joints,
        materials=materials,
        couplers=bars,
        description=f"{vehicle.kind.title()}, {mass:g} kg, {vehicle.length:g} m, on suspensions and tyres. Of no make.",
        version="1",
        vehicle=replace(vehicle),
        wheels=[_wheel(corner, chassis, mass, vehicle.wheel_radius) for corner in places],
        sources=[
            f"Dimensions, masses, centre of mass and moments of inertia: {FROM_MEMORY}",
            "Suspension: body frequency 1 to 1.5 Hz, Audi Self-Study Programme 242, as quoted; the rest assumed",
            "Tyres: cornering stiffness by Gillespie 1992; the rest assumed",
        ],
        notes=[
            "Suspension and tyres are those usual for cars, of no make; replace them for a given vehicle.",
            "Contact curves are worked out from impactor energies or assumed, the same for all classes; replace them "
            "for a given vehicle.",
            "Dents are remembered by the body that made them: a second limb at the same place meets a fresh panel.",
        ],
    )
