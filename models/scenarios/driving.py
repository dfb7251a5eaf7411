"""Shipped scenarios of vehicles that are driven and ridden."""

from ...engine.spec import Actor, Drive, PairMaterial, Scenario, Settings
from ..library import load_model
from ..people.shipped import shipped_person
from ..vehicles.chassis import build_sprung_vehicle
from ..vehicles.light.build import build_light_vehicle
from ..vehicles.road_vehicle import build_vehicle, rolling_wheels
from .falls import FRICTION
from .riding import add_rider

ROAD = [PairMaterial("tyre", "ground", 0.9, 0.75, source="Dry asphalt, peak and locked; assumed")]
FIFTY, FORTY, THIRTY = (round(speed / 3.6, 4) for speed in (50.0, 40.0, 30.0))


def saloon(drive: Drive, place: tuple[float, float] = (0.0, 0.0), heading: float = 0.0) -> Actor:
    """The saloon on suspensions and tyres at a place (m), heading (degrees)."""
    return Actor(
        "car",
        build_sprung_vehicle("saloon"),
        model_reference="saloon_sprung",
        position=(*place, 0.0),
        orientation=(heading, 0.0, 0.0),
        drive=drive,
    )


def saloon_braking() -> Scenario:
    """A saloon brakes from 50 km/h to a stop; its nose dives."""
    source = "50 km/h, 0.7 g: firm braking on a dry road; assumed"
    car = saloon(Drive(speed=FIFTY, braking=0.7, pedal_time=0.2, source=source))
    return Scenario(
        "saloon_braking",
        [car],
        pairs=ROAD,
        settings=Settings(duration=2.8, output_step=0.005, time_step=1.0e-4),
        description="A saloon on suspensions and tyres brakes from 50 km/h at 0.7 g to a stop; its nose dives.",
        sources={"actors.car.drive": "50 km/h, 0.7 g built up in 0.2 s; assumed"},
    )


def saloon_suv() -> Scenario:
    """A saloon at 40 km/h strikes an oncoming SUV at 30 km/h, overlapping by half its width."""
    saloon = Actor("saloon", build_vehicle("saloon"), model_reference="saloon", velocity=(FORTY, 0.0, 0.0))
    saloon.joint_velocities = rolling_wheels(saloon.model.vehicle, FORTY)
    suv = Actor(
        "suv",
        build_vehicle("suv"),
        model_reference="suv",
        position=(5.2, 0.9, 0.0),
        orientation=(180.0, 0.0, 0.0),
        velocity=(-THIRTY, 0.0, 0.0),
    )
    suv.joint_velocities = rolling_wheels(suv.model.vehicle, THIRTY)
    return Scenario(
        "saloon_suv",
        [saloon, suv],
        settings=Settings(
            duration=2.5, output_step=0.005, time_step=1.0e-4, ground_friction=0.8, friction=0.5
        ),
        description="A saloon at 40 km/h and an oncoming SUV at 30 km/h strike each other with half of their fronts.",
        sources={
            "actors.*.velocity": "40 and 30 km/h; assumed",
            "settings.ground_friction": "Dry asphalt; assumed",
        },
    )


def ridden(
    name: str,
    car: Actor,
    two_wheeler: Actor,
    description: str,
    sources: dict[str, str],
    overlaps: str,
) -> Scenario:
    """A car and a man who rides a two-wheeler, on a dry road; overlaps: what of the two-wheeler his flesh yields to."""
    rider = Actor("rider", load_model("male"), model_reference="male", person=shipped_person("male"))
    scenario = Scenario(
        name,
        [car, two_wheeler, rider],
        pairs=ROAD,
        settings=Settings(duration=2.5, friction=FRICTION, ground_friction=0.7),
        description=description,
        sources=sources
        | {"settings.start_overlap_limit": f"Rider and {overlaps} and grips overlap where flesh yields"},
    )
    return add_rider(scenario, "rider", two_wheeler.name)


def two_wheeler(
    kind: str, name: str, drive: Drive, place: tuple[float, float] = (0.0, 0.0), heading: float = 0.0
) -> Actor:
    """A two-wheeler of a kind at a place (m), heading (degrees)."""
    return Actor(
        name,
        build_light_vehicle(kind),
        model_reference=kind,
        position=(*place, 0.0),
        orientation=(heading, 0.0, 0.0),
        drive=drive,
    )


def cyclist_struck() -> Scenario:
    """A saloon at 40 km/h strikes a cyclist who crosses at 4 m/s."""
    crossing = Drive(speed=4.0, keep_speed=True, balance=True, source="4 m/s, crossing; assumed")
    return ridden(
        "cyclist_struck",
        saloon(Drive(speed=FORTY, braking=0.7, brake_start=0.2, pedal_time=0.2)),
        two_wheeler("city_bicycle", "bicycle", crossing, (6.0, -1.55), 90.0),
        "A saloon at 40 km/h, braking, strikes a cyclist who crosses from its right at 4 m/s.",
        {
            "actors.car.drive": "40 km/h, 0.7 g from 0.2 s on; assumed",
            "actors.bicycle.drive": "4 m/s, balanced by the rider; assumed",
        },
        "saddle, pedals",
    )


def scooter_car_side() -> Scenario:
    """A scooter at 30 km/h runs into the side of a saloon that crosses slowly."""
    pulling_out = Drive(speed=2.0, keep_speed=True, source="2 m/s, pulling out; assumed")
    braking = Drive(
        speed=THIRTY, braking=0.4, brake_start=0.15, pedal_time=0.2, balance=True, anti_lock=False
    )
    return ridden(
        "scooter_car_side",
        saloon(pulling_out, (5.5, -1.2), 90.0),
        two_wheeler("scooter", "scooter", braking),
        "A scooter at 30 km/h, braking late, runs into the side of a saloon that pulls out at 2 m/s.",
        {
            "actors.scooter.drive": "30 km/h, 0.4 g from 0.15 s on; assumed",
            "actors.car.drive": "2 m/s; assumed",
        },
        "seat, floor",
    )
