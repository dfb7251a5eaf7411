"""People who stand as people do, and walkers who catch a foot and recover, or not."""

from dataclasses import replace

import numpy as np
import pytest
from responses_seen import events_of

from mannequin.engine import Actor, Response, Scenario, Settings, run, run_many
from mannequin.engine.responses.compile import PERIOD
from mannequin.engine.spec import Gait
from mannequin.models.library import load_model
from mannequin.models.people.gait import walking
from mannequin.models.scenarios.falls import FRICTION
from mannequin.models.scenarios.library import SCENARIOS
from mannequin.models.scenarios.obstacles import kerb, moved

CAUGHT = [(1.12, 0.59, 0.92), (1.39, 0.30, 0.62), (1.29, 0.03, 0.89), (1.09, 0.09, 0.86), (0.96, 0.39, 0.76)]
"""Speed (m/s), share of the stride at the start and place of the bar (m), of walkers drawn at random."""


def walker(speed: float, phase: float, bar: float, duration: float = 5.0, **response) -> Scenario:
    """A man who walks along x and catches a foot on a bar of 3 cm."""
    man = Actor(
        "man",
        load_model("male"),
        model_reference="male",
        gait=Gait(speed=speed, phase=phase, heading=0.0),
        response=Response("adult", arming="touch", steps=6, **response),
    )
    settings = Settings(duration=duration, friction=FRICTION, ground_friction=0.7, reactions=False)
    bars = moved(kerb(0.03, depth=0.03), x=bar)
    return Scenario("trip", [walking(man)], obstacles=bars, settings=settings, default_sensors=False)


def test_a_caught_foot_is_lifted_a_tenth_of_a_second_later():
    """Legs walk on until the touch, with balance in reserve too; then the other leg bears and the foot rises."""
    case = walker(1.39, 0.30, 0.62, duration=0.8)
    recording, balancing = run(case), run(walker(1.39, 0.30, 0.62, duration=0.8, balance=True))
    times = events_of(recording, "man")
    assert times["steps"] - times["is touched"] == pytest.approx(0.10, abs=2.0 * PERIOD)
    before = recording.times < times["is touched"]
    np.testing.assert_allclose(recording.position[before], balancing.position[before], atol=0.02)
    feet = [recording.body_index("man", f"Foot{side}") for side in "LR"]
    at = np.searchsorted(recording.times, times["steps"])
    after = np.searchsorted(recording.times, times["steps"] + 0.12)
    rise = [recording.origin(foot)[after, 2] - recording.origin(foot)[at, 2] for foot in feet]
    lifted, bears = int(np.argmax(rise)), int(np.argmin(rise))
    assert rise[lifted] > 0.05
    span = (recording.times > times["steps"]) & (recording.times < times["steps"] + 0.12)
    weight = 9.81 * recording.body_mass.sum()
    assert recording.contact_force[span, feet[bears], 2].mean() > 0.6 * weight


@pytest.mark.slow
@pytest.mark.parametrize("name", ["trip_recovered", "stumble_recovered", "stumble_fallen"])
def test_shipped_stumbles_end_as_their_names_say(name):
    """At their own time steps: on the feet and calm, or on the ground."""
    recording = run(SCENARIOS[name]())
    times, head = events_of(recording, "man"), recording.body_index("man", "head")
    if name == "stumble_fallen":
        assert "responds" in times and recording.position[-1, head, 2] < 1.0
        return
    assert times["steps"] < times["regains balance"] and "responds" not in times
    assert recording.position[-1, head, 2] > 1.5
    assert np.linalg.norm(recording.velocity[-1], axis=1).max() < 0.3


@pytest.mark.slow
def test_most_walkers_who_catch_a_foot_stay_on_their_feet():
    """Of five at 1.0 to 1.4 m/s at least three stand after five seconds, and nobody who only follows the gait does."""
    cases = [walker(*case) for case in CAUGHT]
    runs = {o.index: o.result for o in run_many(cases)}
    standing = [
        runs[k].position[-1, runs[k].body_index("man", "head"), 2] > 0.8 * cases[k].actors[0].model.height
        for k in range(len(cases))
    ]
    assert sum(standing) >= 3
    steps = replace(cases[1].actors[0], response=replace(cases[1].actors[0].response, steps=0))
    without = run(replace(cases[1], actors=[steps]))
    assert without.position[-1, without.body_index("man", "head"), 2] < 1.0
