"""A road vehicle of any class as a model: a body with a contact mesh in zones, and four wheels that turn on it.

Actor frame: x forward, z up, on the ground under the middle of the wheelbase. There is no suspension: the tyres carry
the vehicle and their damping stands for its dampers. Names of bodies and joints are those of the
shipped model `car`.
"""

from dataclasses import replace

import numpy as np

from ...engine.errors import EngineError
from ...engine.spec import ContactMesh, ContactZone, Model, Vehicle
from ..parts.bodies import make_body, make_ellipsoid, tidy
from ..parts.rigid import Piece, cut
from .car import axle_joint, disc_wheel, free_root, wheel_joint
from .classes import MASSES
from .crush import with_structure
from .form.contact import contact_mesh
from .form.parts import wheel_centres
from .form.styles import CLASSES
from .materials import car_materials

WHEEL_MASSES = {"truck": 28.0, "bus": 85.0}
"""kg of one wheel with its share of the axle; 20 for all others; from memory, unverified."""
FRONT_SHARES = {"van": 0.56, "pickup": 0.55, "truck": 0.50, "bus": 0.36}
"""Of the weight on the front axle, unladen; 0.58 for all others; from memory, unverified."""
CENTRE_SHARE, HIGH_CENTRE_SHARE = 0.38, 0.40
"""Height of the centre of mass over that of the roof: of cars, and of high vehicles; from memory, unverified."""
MATERIAL_OF_ZONE = {"grille": "bumper", "bonnet_edge": "leading_edge", "rear": "side"}
"""Zone to its contact material, where that is not called like the zone."""
FROM_MEMORY = "Typical of the class, from memory, unverified: replace for a case"


def whole_vehicle(vehicle: Vehicle, mass: float) -> Piece:
    """Mass properties of the complete vehicle. Moments: yaw m a b (a, b from the centre to the axles; a dynamic index
    of one), pitch 0.95 of it, roll of a box 0.77 of the width and 0.75 of the height; all assumed, usual for cars."""
    share = FRONT_SHARES.get(vehicle.kind, 0.58)
    is_high = vehicle.kind in ("suv", "van", "pickup", "truck", "bus")
    a, b = (1.0 - share) * vehicle.wheelbase, share * vehicle.wheelbase
    yaw = mass * a * b
    roll = mass * ((0.77 * vehicle.width) ** 2 + (0.75 * vehicle.height) ** 2) / 12.0
    height = (HIGH_CENTRE_SHARE if is_high else CENTRE_SHARE) * vehicle.height
    return Piece(mass, np.array([vehicle.axles[0] - a, 0.0, height]), np.diag([roll, 0.95 * yaw, yaw]))


def contact_surface(vehicle: Vehicle) -> ContactMesh:
    """Contact mesh with the materials of the car for its zones."""
    made = contact_mesh(vehicle)
    zones = [ContactZone(z.name, MATERIAL_OF_ZONE.get(z.name, z.name)) for z in made.zones]
    return replace(made, zones=zones)


def rolling_wheels(vehicle: Vehicle, speed: float) -> dict[str, tuple[float, float, float]]:
    """Joint velocities (rad/s) of wheels that roll at `speed` (m/s), for `Actor.joint_velocities`."""
    rate = (tidy(speed / vehicle.wheel_radius), 0.0, 0.0)
    return {wheel_joint(name): rate for name in wheel_centres(vehicle)}


def vehicle_and_mass(vehicle: Vehicle | str, mass: float | None) -> tuple[Vehicle, float]:
    """The vehicle, or the typical one of a class, and its mass (kg), or that of the class."""
    if isinstance(vehicle, str):
        if vehicle not in CLASSES:
            raise EngineError(f"no class of vehicles is called '{vehicle}'; there are {', '.join(CLASSES)}")
        vehicle = CLASSES[vehicle]
    return vehicle, MASSES[vehicle.kind] if mass is None else mass


@with_structure
def build_vehicle(vehicle: Vehicle | str, mass: float | None = None, name: str = "") -> Model:
    """Model of a vehicle, or of the typical one of a class; `mass` in kg, else that of the class."""
    vehicle, mass = vehicle_and_mass(vehicle, mass)
    centres = {wheel: tuple(centre) for wheel, centre in wheel_centres(vehicle).items()}
    wheel_mass = WHEEL_MASSES.get(vehicle.kind, 20.0)
    wheels = {
        wheel: disc_wheel(wheel_mass, vehicle.wheel_radius, vehicle.tyre_width, centre)
        for wheel, centre in centres.items()
    }
    body = make_body("car_body", cut(whole_vehicle(vehicle, mass), list(wheels.values())), (0, 0, 0), [])
    body.surface = contact_surface(vehicle)
    tyre = (vehicle.wheel_radius, vehicle.tyre_width / 2.0, vehicle.wheel_radius)
    bodies = [body]
    for wheel, piece in wheels.items():
        shape = make_ellipsoid(f"tyre_{wheel.lower()}", centres[wheel], tyre, centres[wheel], "tyre")
        bodies.append(make_body(f"wheel{wheel}", piece, centres[wheel], [shape]))
    return Model(
        name=name or vehicle.kind,
        bodies=bodies,
        joints=[free_root(), *(axle_joint(wheel, centre) for wheel, centre in centres.items())],
        materials=car_materials(),
        description=f"{vehicle.kind.title()}, {mass:g} kg, {vehicle.length:g} m, with turning wheels. Of no make.",
        version="1",
        vehicle=vehicle,
        sources=[f"Dimensions, masses, centre of mass and moments of inertia: {FROM_MEMORY}"],
        notes=[
            "No suspension: tyres carry the vehicle, their damping stands for the dampers.",
            "Contact curves are worked out from impactor energies or assumed, the same for all classes; replace them "
            "for a given vehicle.",
            "Dents are remembered by the body that made them: a second limb at the same place meets a fresh panel.",
        ],
    )
