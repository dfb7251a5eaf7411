"""A surface that runs while its shape stays (a treadmill's belt), viscous friction and constant pushes, against closed
forms."""

import numpy as np
import pytest
from impacts import STANDING, G, rubber, scene, sledge

from mannequin.engine import Actor, ForcePulse, Obstacle, run

MU, BELT, MASS = 0.4, -1.5, 10.0
BOX = {"half_size": (3.0, 1.0, 0.1), "position": (0.0, 0.0, -0.1)}


def block(velocity: float = 0.0) -> Actor:
    return Actor(
        "block", sledge(rubber()), position=(0, 0, STANDING - MASS * G / 4e5), velocity=(velocity, 0, 0)
    )


@pytest.mark.parametrize("shape", ["plane", "box"])
def test_a_belt_takes_a_block_along(shape):
    """At rest on a belt at v it is driven by mu g, reaches v after v / (mu g), and then goes with the belt, while the
    belt's shape stays."""
    sizes = BOX if shape == "box" else {}
    belt = Obstacle("belt", shape, belt_velocity=(BELT, 0.0, 0.0), **sizes)
    recording = run(scene(block(), [belt], ground=False, friction=MU, duration=0.6))
    v, times = recording.velocity[:, 0, 0], recording.times
    driven = (times > 0.02) & (times < 0.9 * abs(BELT) / (MU * G))
    np.testing.assert_allclose(v[driven], -MU * G * times[driven], rtol=0.01)
    assert v[-1] == pytest.approx(BELT, abs=2e-3)
    assert np.abs(recording.position[:, 0, 2] - recording.position[0, 0, 2]).max() < 1e-3


def test_viscous_friction_is_the_smaller_of_the_two():
    """Above mu N / eta it slows by mu g, below it the speed decays with eta / m for each of four feet."""
    viscosity, fast = 20.0, 3.0
    common = {"friction": MU, "friction_law": "viscous", "friction_viscosity": viscosity}
    edge = MU * MASS * G / (4 * viscosity)
    recording = run(scene(block(fast), duration=0.4, **common))
    v, times = recording.velocity[:, 0, 0], recording.times
    above = v > 1.02 * edge
    np.testing.assert_allclose(v[above], fast - MU * G * times[above], rtol=2e-3, atol=2e-3)
    slow = 0.5 * edge
    recording = run(scene(block(slow), duration=0.3, **common))
    expected = slow * np.exp(-4 * viscosity / MASS * recording.times)
    np.testing.assert_allclose(recording.velocity[:, 0, 0], expected, rtol=5e-3)


def test_a_constant_push_has_its_impulse_whatever_the_step():
    """Speed = F T / m after a push that begins and ends between two steps."""
    actor = block()
    actor.force_pulses = [ForcePulse("body", (50.0, 0.0, 0.0), 0.01003, 0.05007, shape="constant")]
    actor.model.joints[0].damping = 0.0
    recording = run(scene(actor, ground=False, gravity=(0, 0, 0), duration=0.1, time_step=1e-3))
    assert recording.velocity[-1, 0, 0] == pytest.approx(50.0 * 0.05007 / MASS, rel=1e-9)
