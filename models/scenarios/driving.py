"""Shipped scenarios of vehicles that are driven."""

from ...engine.spec import Actor, Drive, PairMaterial, Scenario, Settings
from ..vehicles.chassis import build_sprung_vehicle
from ..vehicles.road_vehicle import build_vehicle, rolling_wheels

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
