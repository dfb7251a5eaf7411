"""A car: braking."""

from ...engine.spec import Actor, Scenario, Settings
from ..scenarios.falls import FRICTION
from ..vehicles.car import brake_motors
from ..vehicles.road_vehicle import build_vehicle, rolling_wheels
from .experiment import experiment
from .row import Row
from .running import AS_GIVEN, Runner


def braking(run: Runner = AS_GIVEN) -> list[Row]:
    """The saloon braked from 40 km/h with locked wheels stops in v^2 / (2 mu g)."""
    test = experiment("braking")
    speed, friction = test.set_up["speed"], test.set_up["friction"]
    model = build_vehicle("saloon")
    assert model.vehicle is not None
    actor = Actor(
        "car",
        model,
        velocity=(speed, 0.0, 0.0),
        joint_velocities=rolling_wheels(model.vehicle, speed),
        motors=brake_motors(),
    )
    settings = Settings(duration=2.2, friction=FRICTION, ground_friction=friction, output_step=0.005)
    recording = run(Scenario("braking", [actor], settings=settings))
    index = recording.body_index("car", "car_body")
    path = float(recording.position[-1, index, 0] - recording.position[0, index, 0])
    expected = speed**2 / (2 * friction * 9.81)
    return [test.row("stopping distance", path, band=(0.9 * expected, 1.1 * expected))]
