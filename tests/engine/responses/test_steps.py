"""Steps that regain balance, knees that give at a landing on the feet, and tone that fades after landing."""

import numpy as np
import pytest
from responses_seen import events_of

from mannequin.engine import (
    ForcePulse,
    Response,
    Scenario,
    Settings,
    Simulation,
    compile_system,
    run,
    run_many,
)
from mannequin.models.people.posture import both, tone_motors
from mannequin.models.scenarios.active import shove
from mannequin.models.scenarios.falls import stand

STRAIGHT = both({"knee": (0.0, 2.0, 0.0)})


def scenario_of(person, duration):
    settings = Settings(duration=duration, ground_friction=0.7, reactions=False)
    return Scenario("steps", [person], settings=settings, default_sensors=False)


def jostled(impulse: float, steps: int) -> Scenario:
    response = Response("adult", balance=True, steps=steps)
    return scenario_of(
        stand("person", "male", STRAIGHT, response=response, force_pulses=[shove(impulse)]), 4.0
    )


@pytest.fixture(scope="module")
def stumbles():
    """Recordings by (impulse in N s, steps that may be taken)."""
    cases = [(38.0, 4), (38.0, 0), (80.0, 4)]
    outcomes = {o.index: o.result for o in run_many([jostled(*case) for case in cases])}
    return {case: outcomes[k] for k, case in enumerate(cases)}


def head_height(recording, frame=-1) -> float:
    return float(recording.position[frame, recording.body_index("person", "head"), 2])


def test_steps_save_somebody_whom_ankles_and_hips_cannot(stumbles):
    """Who may step stands again, half a metre ahead and at rest; who may not falls to the same push."""
    stands, falls = stumbles[38.0, 4], stumbles[38.0, 0]
    times = events_of(stands, "person")
    assert times["loses balance"] < times["steps"] < times["regains balance"]
    assert "responds" not in times and "lands" not in times
    assert head_height(stands) > 1.55 and head_height(falls) < 1.0
    assert "steps" not in events_of(falls, "person")
    foot = stands.body_index("person", "FootL"), stands.body_index("person", "FootR")
    moved = stands.position[-1, foot, 0] - stands.position[0, foot, 0]
    assert np.all(moved > 0.4)
    assert np.linalg.norm(stands.velocity[-1], axis=1).max() < 0.3


@pytest.mark.long
def test_standing_again_does_not_hang_on_small_things():
    """Pushes, postures, friction and time steps about those of the shipped scenario: all but one of eight stand at
    rest after four seconds, and nobody regains balance to lose it again."""
    draws = np.random.default_rng(5)
    cases = []
    for k in range(8):
        elbow, arm = draws.uniform(0.0, 30.0), draws.uniform(-5.0, 15.0)
        posture = both(
            {
                "knee": (0.0, draws.uniform(0.5, 5.0), 0.0),
                "elbow": (0.0, elbow, 0.0),
                "shoulder": (0.0, arm, 0.0),
            }
        )
        pushes = [shove(draws.uniform(34.0, 41.0))]
        response = Response("adult", balance=True, steps=4)
        case = scenario_of(stand("person", "male", posture, response=response, force_pulses=pushes), 4.0)
        case.settings.ground_friction = draws.uniform(0.5, 0.9)
        case.settings.time_step = 5e-5 if k == 0 else 1e-4
        cases.append(case)
    runs = [outcome.result for outcome in run_many(cases)]
    standing = [
        r for r in runs if head_height(r) > 1.55 and np.linalg.norm(r.velocity[-1], axis=1).max() < 0.3
    ]
    assert len(standing) >= 7
    assert all("responds" not in events_of(r, "person") for r in standing)


def test_a_step_begins_when_the_foot_leaves_the_ground(stumbles):
    """The event against the contact log: one foot leaves the ground within 0.12 s of it and comes down ahead."""
    recording = stumbles[38.0, 4]
    began = events_of(recording, "person")["steps"]
    heights = [recording.origin(recording.body_index("person", f))[:, 2] for f in ("FootL", "FootR")]
    lifted = [recording.times[np.argmax(h > h[0] + 0.03)] for h in heights]
    assert began < min(lifted) < began + 0.15


def test_steps_that_fail_end_as_a_fall_with_a_response(stumbles):
    recording = stumbles[80.0, 4]
    times = events_of(recording, "person")
    assert times["loses balance"] < times["steps"] < times["responds"]
    assert "regains balance" not in times and head_height(recording) < 1.0


def mean_force(recording) -> float:
    """Largest mean of the ground's force over 30 ms, in body weights, from the motion of the centre of mass."""
    mass = recording.body_mass / recording.body_mass.sum()
    speed = np.einsum("b,fb->f", mass, recording.velocity[:, :, 2])
    return float((speed[30:] - speed[:-30]).max() / 0.03 / 9.81 + 1.0)


def test_knees_that_give_halve_the_force_of_a_landing_on_the_feet():
    found = {}
    for name, response in {
        "gives": Response("adult", soft_landing=True),
        "stiff": Response("adult", latency=1.0, neck_latency=1.0, tone=1.0),
    }.items():
        person = stand("person", "male", both({"knee": (0.0, 5.0, 0.0)}), floor=0.6, response=response)
        found[name] = run(scenario_of(person, 0.7))
    # 0.6 m are fallen through in 0.35 s
    landed = events_of(found["gives"], "person")["lands on the feet"]
    assert landed == pytest.approx(np.sqrt(2 * 0.6 / 9.81), abs=0.03)
    assert "lands on the feet" not in events_of(found["stiff"], "person")
    assert mean_force(found["gives"]) < 0.75 * mean_force(found["stiff"])
    knee = found["gives"].joint_index("person", "kneelJnt")
    bent = np.degrees(found["gives"].joint_angle[:, knee, 1])
    assert bent.max() > 70.0


def test_tone_holds_until_the_landing_and_fades_after_it():
    """Motors of the actor keep their gains up to the landing; a second later 0.1 of the trunk's is left, and of the
    arms' a fifth of that, plus what the fade of 0.3 s leaves."""
    person = stand("person", "male", STRAIGHT, lean=(0.0, 8.0, 0.0), response=Response("tone"))
    person.motors = tone_motors(person.model, STRAIGHT, 0.5)
    simulation = Simulation(compile_system(scenario_of(person, 3.0)))
    system = simulation.system
    row, before = system.arrays.joints.motors.row, system.arrays.joints.motors.gains
    for _ in simulation.advance():
        pass
    recording = simulation.recording()
    times = events_of(recording, "person")
    assert "responds" not in times
    after = recording.times[-1] - times["lands"]
    assert after > 0.8
    for joint, rest in (("shoulderlJnt", 0.02), ("lowerbackJnt", 0.1)):
        m = row[system.authored.moving_joint[system.joint_names.index(joint)]]
        left = simulation.commands.arrays.gains[m, 0] / before[m, 0]
        assert left == pytest.approx(rest + (1.0 - rest) * np.exp(-after / 0.3), abs=0.01)


def test_a_push_of_an_impulse_gives_that_momentum():
    pulse = shove(40.0, start=0.1, contact=0.15)
    times = np.linspace(0.1, 0.25, 20001)
    force = pulse.peak[0] * np.sin(np.pi * (times - 0.1) / 0.15)
    assert np.mean(force) * 0.15 == pytest.approx(40.0, rel=1e-3)
    assert isinstance(pulse, ForcePulse)
