"""The shipped car: braking."""

from ...engine.spec import Actor, Scenario, Settings
from ..library import load_model
from ..scenarios.falls import FRICTION
from ..vehicles import car
from .row import ARITHMETIC, Comparison, Row, Source
from .running import AS_GIVEN, Runner


def braking(run: Runner = AS_GIVEN) -> list[Row]:
    """The car braked from 40 km/h with locked wheels stops in v^2 / (2 mu g)."""
    speed = 40.0 / 3.6
    actor = Actor(
        "car",
        load_model("car"),
        velocity=(speed, 0.0, 0.0),
        joint_velocities=car.rolling(speed),
        motors=car.brake_motors(),
    )
    settings = Settings(duration=2.2, friction=FRICTION, ground_friction=0.8, output_step=0.005)
    recording = run(Scenario("braking", [actor], settings=settings))
    index = recording.body_index("car", "car_body")
    path = float(recording.position[-1, index, 0] - recording.position[0, index, 0])
    expected = speed**2 / (2 * 0.8 * 9.81)
    band = (0.9 * expected, 1.1 * expected)
    test = Comparison("vehicle", "Braking from 40 km/h", Source("v^2 / (2 mu g), mu 0.8, 10 %", ARITHMETIC))
    return [test.row("stopping distance", path, "m", band)]
