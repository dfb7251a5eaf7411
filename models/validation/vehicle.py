"""The shipped car: braking."""

from ...engine.spec import Actor, Scenario, Settings
from ..library import load_model
from ..scenarios.falls import FRICTION
from ..vehicles import car
from .experiment import experiment
from .row import Row
from .running import AS_GIVEN, Runner


def braking(run: Runner = AS_GIVEN) -> list[Row]:
    """The car braked from 40 km/h with locked wheels stops in v^2 / (2 mu g)."""
    test = experiment("braking")
    speed, friction = test.set_up["speed"], test.set_up["friction"]
    actor = Actor(
        "car",
        load_model("car"),
        velocity=(speed, 0.0, 0.0),
        joint_velocities=car.rolling(speed),
        motors=car.brake_motors(),
    )
    settings = Settings(duration=2.2, friction=FRICTION, ground_friction=friction, output_step=0.005)
    recording = run(Scenario("braking", [actor], settings=settings))
    index = recording.body_index("car", "car_body")
    path = float(recording.position[-1, index, 0] - recording.position[0, index, 0])
    expected = speed**2 / (2 * friction * 9.81)
    return [test.row("stopping distance", path, band=(0.9 * expected, 1.1 * expected))]
