"""Shipped scenarios of vehicles that are driven and ridden."""

from ...engine.spec import Actor, Drive, PairMaterial, Scenario, Settings
from ..library import load_model
from ..vehicles.chassis import build_sprung_vehicle
from ..vehicles.light.build import build_light_vehicle
from ..vehicles.road_vehicle import build_vehicle, rolling_wheels
from .falls import FRICTION
from .riding import add_rider

FIFTY, FORTY, THIRTY = (round(speed / 3.6, 4) for speed in (50.0, 40.0, 30.0))


def saloon_braking() -> Scenario:
    """A saloon brakes from 50 km/h to a stop; its nose dives."""
    car = Actor(
        "car",
        build_sprung_vehicle("saloon"),
        model_reference="saloon_sprung",
        drive=Drive(
            speed=FIFTY,
            braking=0.7,
            pedal_time=0.2,
            source="50 km/h, 0.7 g: firm braking on a dry road; assumed",
        ),
    )
    return Scenario(
        "saloon_braking",
        [car],
        pairs=[PairMaterial("tyre", "ground", 0.9, 0.75, source="Dry asphalt, peak and locked; assumed")],
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


ROAD = [PairMaterial("tyre", "ground", 0.9, 0.75, source="Dry asphalt, peak and locked; assumed")]


def _ridden(kind: str, name: str, place: tuple[float, float], heading: float, drive: Drive) -> Actor:
    """A two-wheeler of a kind at a place, heading (degrees)."""
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
    car = Actor(
        "car",
        build_sprung_vehicle("saloon"),
        model_reference="saloon_sprung",
        drive=Drive(speed=round(40.0 / 3.6, 4), braking=0.7, brake_start=0.2, pedal_time=0.2),
    )
    drive = Drive(speed=4.0, keep_speed=True, balance=True, source="4 m/s, crossing; assumed")
    bicycle = _ridden("city_bicycle", "bicycle", (6.0, -1.55), 90.0, drive)
    rider = Actor("rider", load_model("male"), model_reference="male")
    scenario = Scenario(
        "cyclist_struck",
        [car, bicycle, rider],
        pairs=ROAD,
        settings=Settings(duration=2.5, friction=FRICTION, ground_friction=0.7),
        description="A saloon at 40 km/h, braking, strikes a cyclist who crosses from its right at 4 m/s.",
        sources={
            "actors.car.drive": "40 km/h, 0.7 g from 0.2 s on; assumed",
            "actors.bicycle.drive": "4 m/s, balanced by the rider; assumed",
            "settings.start_overlap_limit": "Rider and saddle, pedals and grips overlap where flesh yields",
        },
    )
    return add_rider(scenario, "rider", "bicycle")


def scooter_car_side() -> Scenario:
    """A scooter at 30 km/h runs into the side of a saloon that crosses slowly."""
    car = Actor(
        "car",
        build_sprung_vehicle("saloon"),
        model_reference="saloon_sprung",
        position=(5.5, -1.2, 0.0),
        orientation=(90.0, 0.0, 0.0),
        drive=Drive(speed=2.0, keep_speed=True, source="2 m/s, pulling out; assumed"),
    )
    drive = Drive(
        speed=round(30.0 / 3.6, 4),
        braking=0.4,
        brake_start=0.15,
        pedal_time=0.2,
        balance=True,
        anti_lock=False,
    )
    scooter = _ridden("scooter", "scooter", (0.0, 0.0), 0.0, drive)
    rider = Actor("rider", load_model("male"), model_reference="male")
    scenario = Scenario(
        "scooter_car_side",
        [car, scooter, rider],
        pairs=ROAD,
        settings=Settings(duration=2.5, friction=FRICTION, ground_friction=0.7),
        description="A scooter at 30 km/h, braking late, runs into the side of a saloon that pulls out at 2 m/s.",
        sources={
            "actors.scooter.drive": "30 km/h, 0.4 g from 0.15 s on; assumed",
            "actors.car.drive": "2 m/s; assumed",
            "settings.start_overlap_limit": "Rider and seat, floor and grips overlap where flesh yields",
        },
    )
    return add_rider(scenario, "rider", "scooter")
