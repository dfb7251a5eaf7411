"""Springs, welds and belts in whole runs, against statics worked out by hand."""

import math

import numpy as np
import pytest
from impacts import G, free_body, rubber, scene, term
from scipy.optimize import brentq

from mannequin.engine import Actor, Belt, ForcePulse, Point, SpringDamper, Weld, run

MASS = 5.0


def body(name: str = "body", **fields) -> Actor:
    return Actor(name, free_body(rubber(), MASS), **{"position": (0, 0, 3), **fields})


def on(name: str, position=(0.0, 0.0, 0.0)) -> Point:
    return Point(position, "body", name)


def settled(scenario, **changes):
    for name, value in {"ground": False, "duration": 3.0, "output_step": 0.01, **changes}.items():
        setattr(scenario.settings, name, value)
    return run(scenario)


def test_spring_carries_a_weight():
    scenario = scene(body())
    scenario.springs = [SpringDamper("spring", Point((0, 0, 4)), on("body"), 1000.0, 100.0, rest_length=1.0)]
    recording = settled(scenario)
    assert recording.position[-1, 0, 2] == pytest.approx(3.0 - MASS * G / 1000.0, abs=1e-5)


def test_rope_does_not_push():
    """Tension only: a body thrown up slackens it and flies freely."""
    scenario = scene(body(velocity=(0, 0, 2.0)))
    scenario.springs = [SpringDamper("rope", Point((0, 0, 4)), on("body"), 1e4, 10.0, tension_only=True)]
    recording = settled(scenario, duration=0.2)
    assert recording.position[-1, 0, 2] == pytest.approx(3 + 2.0 * 0.2 - 0.5 * G * 0.04, abs=2e-3)


def test_weld_holds_below_and_breaks_above_its_force():
    """The body hangs on a pin that breaks at 100 N: its weight is 49 N; a pull of 200 N breaks it, and it falls."""
    pull = ForcePulse("body", (0, 0, -200.0), 1.0, 0.2)
    scenario = scene(body(force_pulses=[pull]))
    scenario.welds = [Weld("pin", Point((0, 0, 3)), on("body"), 1e5, 500.0, break_force=100.0)]
    recording = settled(scenario, duration=1.6)
    z = recording.position[:, 0, 2]
    assert z[99] == pytest.approx(3.0 - MASS * G / 1e5, abs=1e-6)
    assert z[-1] < 2.0
    free = recording.acceleration[-1, 0]
    assert free == pytest.approx((0, 0, -G), abs=1e-9)


def test_weld_lets_go_at_its_time():
    scenario = scene(body())
    scenario.welds = [Weld("pin", Point((0, 0, 3)), on("body"), release_time=0.5)]
    recording = settled(scenario, duration=0.9)
    assert recording.position[49, 0, 2] == pytest.approx(3.0, abs=1e-3)
    assert recording.position[-1, 0, 2] == pytest.approx(3.0 - 0.5 * G * 0.4**2, abs=2e-3)


def test_body_hangs_in_a_belt_through_a_slip_ring():
    """Anchors 1 m to either side at the height of the body: 2 T sin a = m g with T = EA (length - 2) / 2."""
    stiffness = 2.0e4
    scenario = scene(body())
    scenario.belts = [
        Belt(
            "belt", [Point((-1, 0, 3)), on("body"), Point((1, 0, 3))], [False, True, False], stiffness, 4000.0
        )
    ]
    recording = settled(scenario, duration=4.0)

    def excess(drop: float) -> float:
        half = math.hypot(1.0, drop)
        tension = stiffness * (2 * half - 2.0) / 2.0
        return 2 * tension * drop / half - MASS * G

    drop = brentq(excess, 1e-3, 0.9)
    assert 3.0 - recording.position[-1, 0, 2] == pytest.approx(drop, abs=1e-4)


def test_slip_ring_lets_the_body_run_to_the_middle():
    """Anchors at different heights, slack in the band: without friction both legs end at one angle to the vertical."""
    stiffness = 5.0e4
    scenario = scene(body(position=(0.2, 0, 2.9)))
    points = [Point((-1, 0, 3.3)), on("body"), Point((1, 0, 3.0))]
    scenario.belts = [Belt("belt", points, [False, True, False], stiffness, 2000.0, slack=0.3)]
    scenario.springs = [SpringDamper("drag", Point((0, 0, -50)), on("body"), 0.0, 0.0)]
    recording = settled(scenario, duration=8.0)
    legs = np.array([(-1, 0, 3.3), (1, 0, 3.0)]) - recording.position[-400:, 0].mean(axis=0)
    rising = legs[:, 2] / np.linalg.norm(legs, axis=1)
    assert rising[0] == pytest.approx(rising[1], abs=0.05)


def test_connections_close_the_books():
    scenario = scene(body(velocity=(1.0, 0.5, 0)))
    scenario.springs = [SpringDamper("spring", Point((0, 0, 4)), on("body"), 2000.0, 20.0)]
    recording = settled(scenario)
    exchanged = np.ptp(term(recording, "kinetic")) + np.ptp(term(recording, "gravity"))
    assert np.abs(term(recording, "residual")).max() < 0.01 * exchanged


def test_two_bodies_on_a_spring_keep_their_momentum():
    actors = [body("a", velocity=(1, 0, 0)), body("b", position=(1, 0, 3.2), velocity=(0, -2, 0))]
    scenario = scene(actors, gravity=(0, 0, 0))
    scenario.springs = [SpringDamper("spring", on("a", (0.05, 0, 0)), on("b"), 3000.0, 5.0, rest_length=0.7)]
    recording = settled(scenario, duration=1.0)
    momentum = MASS * recording.velocity.sum(axis=1)
    assert np.abs(momentum - momentum[0]).max() < 1e-11
