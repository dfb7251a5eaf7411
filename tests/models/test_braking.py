"""Brakes for a deceleration: what the engine makes of them, loads in a closed form, and what is refused."""

import numpy as np
import pytest

from mannequin.engine import Actor, Scenario, Settings, run
from mannequin.engine.spec.values import STANDARD_GRAVITY
from mannequin.models.editing.braking import brake_motors, wheel_loads
from mannequin.models.editing.errors import EditError
from mannequin.models.editing.wheels import rolling_rates
from mannequin.models.library import load_model


def driven(asked: float, speed: float):
    """The shipped car, braked from 0.1 s on to rest, on a ground that gives enough."""
    model = load_model("car")
    rates = rolling_rates(model, np.array([speed, 0.0, 0.0]))
    actor = Actor(
        "car",
        model,
        velocity=(speed, 0.0, 0.0),
        joint_velocities={joint: (rate, 0.0, 0.0) for joint, rate in rates.items()},
        motors=brake_motors(model, asked * STANDARD_GRAVITY, begin=0.1, speed=speed),
    )
    lasts = round(0.1 + speed / (asked * STANDARD_GRAVITY), 1)
    settings = Settings(
        duration=lasts, time_step=1e-4, output_step=0.01, ground_friction=1.2, reactions=False
    )
    return run(Scenario("brake", [actor], settings=settings, default_sensors=False))


@pytest.mark.parametrize(("asked", "speed"), [(0.35, 30.0 / 3.6), (0.70, 52.0 / 3.6)])
def test_the_car_slows_down_as_asked(asked, speed):
    """Mean rate of the whole car from 0.2 s on, to a tenth of its speed, from the engine; before 0.1 s it rolls on."""
    recording = driven(asked, speed)
    share = recording.body_mass / recording.body_mass.sum()
    found, times = recording.velocity[:, :, 0] @ share, np.asarray(recording.times)
    first, last = int(np.searchsorted(times, 0.2)), int(np.argmax(found < 0.1 * speed))
    rate = (found[first] - found[last]) / (times[last] - times[first]) / STANDARD_GRAVITY
    assert last > first and rate == pytest.approx(asked, abs=0.01)
    assert found[times <= 0.1][-1] == pytest.approx(speed, rel=0.004)


def test_loads_are_those_of_the_balance():
    """At rest by the lever; at a m h / wheelbase more in front."""
    places = np.array([1.0, 1.0, -1.5, -1.5])
    assert wheel_loads(places, 1000.0, 0.5, 0.0) == pytest.approx(
        1000.0 * STANDARD_GRAVITY * np.array([0.3, 0.3, 0.2, 0.2])
    )
    moved = wheel_loads(places, 1000.0, 0.5, 5.0) - wheel_loads(places, 1000.0, 0.5, 0.0)
    assert moved == pytest.approx(np.array([1.0, 1.0, -1.0, -1.0]) * 1000.0 * 5.0 * 0.5 / 2.5 / 2.0)


def test_what_cannot_brake_is_refused():
    with pytest.raises(EditError, match="no wheel"):
        brake_motors(load_model("male"), 5.0)
    with pytest.raises(EditError, match="turn over"):
        brake_motors(load_model("bicycle"), 30.0)
