"""Shipped scenarios of vehicles that are driven."""

from ...engine.spec import Actor, Drive, PairMaterial, Scenario, Settings
from ..vehicles.chassis import build_sprung_vehicle

FIFTY = round(50.0 / 3.6, 4)


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
