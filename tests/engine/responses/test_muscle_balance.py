"""Balance by muscles of the legs: standing, pushed lightly and strongly, and what the muscles do, by statics."""

from dataclasses import replace

import numpy as np
import pytest
from responses_seen import events_of

from mannequin.analysis.muscles.moment_arms import MomentArms, joint_motion
from mannequin.engine import Response, Scenario, Settings, run, run_many, validate
from mannequin.engine.muscles.arrays import ACTIVATION, EXCITATION, TENSION
from mannequin.engine.responses.compile import turns_sideways
from mannequin.models.library import load_model
from mannequin.models.people.posture import both
from mannequin.models.scenarios.active import shove
from mannequin.models.scenarios.falls import stand

KNEES = both({"knee": (0.0, 2.0, 0.0)})


def standing(
    push: float = 0.0,
    model: str = "male_muscles",
    duration: float = 3.0,
    by: str = "muscles",
    heading: float = 0.0,
):
    """Somebody who keeps balance, pushed on the upper back after half a second (N s; heading in degrees from ahead)."""
    response = Response("adult", balance=True, balance_by=by)
    pushes = [shove(push, heading=heading)] if push else []
    person = stand("person", model, KNEES, response=response, force_pulses=pushes)
    settings = Settings(duration=duration, ground_friction=0.7, reactions=False)
    return Scenario("stands", [person], settings=settings, default_sensors=False)


def weak(scenario: Scenario) -> Scenario:
    """The same with muscles of a fiftieth of their strength."""
    (person,) = scenario.actors
    person.model = replace(
        person.model,
        muscles=[replace(m, max_isometric_force=m.max_isometric_force / 50.0) for m in person.model.muscles],
    )
    return scenario


@pytest.fixture(scope="module")
def runs():
    scenarios = {
        "calm": standing(),
        "woman": standing(model="female_muscles"),
        "forward": standing(10.0),
        "backward": standing(-10.0),
        "left": standing(10.0, heading=90.0),
        "right": standing(10.0, heading=-90.0),
        "strong": standing(60.0),
        "weak": weak(standing()),
    }
    outcomes = {o.index: o.result for o in run_many(list(scenarios.values()))}
    return {name: outcomes[k] for k, name in enumerate(scenarios)}


def head_height(recording) -> float:
    return float(recording.position[-1, recording.body_index("person", "head"), 2])


@pytest.mark.parametrize("name", ["calm", "woman", "forward", "backward", "left", "right"])
def test_muscles_hold_somebody_who_stands_or_is_pushed_lightly(runs, name):
    """10 N s move the extrapolated centre of a man of 90 kg by 4 cm, within the feet; both come to rest."""
    recording = runs[name]
    start = recording.position[0, recording.body_index("person", "head"), 2]
    assert len(recording.responses) == 0 and head_height(recording) > start - 0.04
    assert np.linalg.norm(recording.velocity[-1], axis=1).max() < 0.02


def test_a_strong_push_is_not_withstood_and_the_muscles_are_given_back(runs):
    recording = runs["strong"]
    assert events_of(recording, "person")["loses balance"] < 1.0 and head_height(recording) < 1.3
    assert recording.muscle[-1, :, EXCITATION].max() == 0.0  # the tone of the shipped muscles at rest
    assert recording.muscle[:, :, EXCITATION].max() > 0.1


def test_it_is_the_muscles_that_hold(runs):
    """The same man with muscles too weak sinks: motors do not take their part about the axes across the body."""
    assert "loses balance" in events_of(runs["weak"], "person") and head_height(runs["weak"]) < 1.3


def test_moments_of_the_ankles_are_those_of_statics(runs):
    """At rest the muscles of both ankles balance the weight in front of them: tensions times moment arms, each found
    without the controller, against m g x of all but the feet; tissue of the joint bears some."""
    recording, model = runs["calm"], load_model("male_muscles")
    posture = {
        name: np.degrees(recording.joint_angle[-1, recording.joint_index("person", name)])[[2, 1, 0]]
        for name in ("hiplJnt", "kneelJnt", "anklelJnt")
    }
    arms = MomentArms(model, {name: tuple(angles) for name, angles in posture.items()})
    names = list(recording.muscle_names)
    moment = 0.0
    for muscle in ("soleus_l", "gastrocnemius_l", "tibialis_anterior_l"):
        motion = joint_motion(model, "anklelJnt")
        curve = arms.curve(muscle, motion, [posture["anklelJnt"][1]])
        moment -= recording.muscle[-1, names.index(muscle), TENSION] * curve.moment_arm[0]
    feet = [recording.body_index("person", f"Foot{side}") for side in "LR"]
    rest = [b for b in range(len(recording.body_names)) if b not in feet]
    mass = recording.body_mass[rest]
    ahead = mass @ recording.position[-1, rest, 0] / mass.sum() - recording.origin(feet[0])[-1, 0]
    assert 0.03 < ahead < 0.07
    assert moment == pytest.approx(0.5 * mass.sum() * 9.81 * ahead, rel=0.15)


def test_calves_stand_and_shins_rest(runs):
    """Quiet standing is borne by the calves, a few hundredths of their strength (general knowledge)."""
    recording = runs["calm"]
    names = list(recording.muscle_names)
    level = {name: recording.muscle[-1, names.index(name), ACTIVATION] for name in names}
    for side in "lr":
        assert 0.01 < level[f"soleus_{side}"] < 0.2 and 0.01 < level[f"gastrocnemius_{side}"] < 0.2
        assert level[f"tibialis_anterior_{side}"] < 0.01


def test_who_is_pushed_to_a_side_is_held_by_the_muscles_at_the_side(runs):
    """Pushed to the left, his left hip turns the pelvis back by its abductors and his right by its adductor; the sets
    that have none leave the sides to motors."""
    recording = runs["left"]
    after = (recording.times > 0.6) & (recording.times < 1.0)
    levels = recording.muscle[..., ACTIVATION]
    calm = runs["calm"].muscle[..., ACTIVATION]

    def rise(muscle: str) -> float:
        k = recording.muscle_names.index(muscle)
        return float(levels[after, k].max() - calm[after, k].max())

    assert rise("gluteus_medius_middle_l") > rise("gluteus_medius_middle_r") + 0.02
    assert rise("adductor_magnus_r") > rise("adductor_magnus_l") + 0.01
    model = load_model("male_muscles")
    assert turns_sideways(model)
    sagittal = [m for m in model.muscles if not m.name.startswith(("gluteus_medius", "adductor"))]
    assert not turns_sideways(replace(model, muscles=sagittal))


def test_a_model_without_muscles_is_refused():
    (issue,) = [i for i in validate(standing(model="male")) if i.severity == "error"]
    assert "none that move the feet" in str(issue) and "male_muscles" in str(issue)


@pytest.mark.slow
def test_a_man_stands_for_a_minute_by_muscles():
    """Undisturbed for 20 s, then after a light push to a side."""
    scenario = standing(duration=60.0)
    scenario.actors[0].force_pulses = [shove(10.0, start=20.0, heading=90.0)]
    scenario.settings.output_step = 0.01
    recording = run(scenario)
    assert len(recording.responses) == 0 and head_height(recording) > 1.6
