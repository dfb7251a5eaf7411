"""Responses to falls: what is noticed, aimed at and done, against hand calculations, against the same person without a
response, and against what the preset says."""

import dataclasses

import numpy as np
import pytest
from responses_seen import events_of

from mannequin.engine import (
    Actor,
    ForcePulse,
    Motor,
    PrescribedMotion,
    Response,
    Scenario,
    Settings,
    Simulation,
    compile_system,
    run,
    run_many,
    validate,
)
from mannequin.engine.responses.arrays import PHASES
from mannequin.engine.responses.compile import PERIOD, sole_corners, strength_of
from mannequin.engine.spec.response import PRESET_SOURCES, PRESETS, RESPONSE_PRESETS
from mannequin.engine.spec.response_joints import RESPONSE_JOINTS
from mannequin.models.library import load_model
from mannequin.models.people.acts import shove
from mannequin.models.people.posture import both
from mannequin.models.scenarios.falls import stand
from mannequin.models.validation.active_falls import DIRECTIONS, fall_scenario, first_strike, imbalance_time


@pytest.fixture(scope="module")
def falls():
    """(scenario, recording) of an adult by direction, leaning by 8 degrees."""
    scenarios = [
        fall_scenario(Response("adult"), "male", degrees, 8.0, 2.0) for degrees in DIRECTIONS.values()
    ]
    runs = {outcome.index: outcome.result for outcome in run_many(scenarios)}
    return {name: (scenarios[k], runs[k]) for k, name in enumerate(DIRECTIONS)}


def standing(response, duration=1.0, **fields):
    person = stand("person", "male", both({"knee": (0.0, 2.0, 0.0)}), response=response, **fields)
    settings = Settings(duration=duration, ground_friction=0.7, reactions=False)
    return Scenario("stand", [person], settings=settings, default_sensors=False)


def test_every_preset_and_joint_has_a_source():
    assert set(PRESETS) == set(RESPONSE_PRESETS) == set(PRESET_SOURCES)
    for preset, sources in PRESET_SOURCES.items():
        assert set(sources) == {field.name for field in dataclasses.fields(PRESETS[preset])}
        assert all(sources.values())
    assert all(joint.source for joint in RESPONSE_JOINTS)
    assert Response("elderly", latency=0.4).number("latency") == 0.4
    assert Response("elderly").number("strength") == PRESETS["elderly"].strength


def test_strength_goes_with_sex_and_size():
    """Mass times height against 75 kg and 1.75 m, or 62 kg and 1.62 m; of women 0.52 and 0.66 of a man's."""
    references = {"male": (75.0, 1.75), "female": (62.0, 1.62), "child_6": (75.0, 1.75)}
    found = {}
    for name, (mass, height) in references.items():
        model = load_model(name)
        found[name] = strength_of(model)
        size = sum(body.mass for body in model.bodies) * model.height / (mass * height)
        assert found[name].size == pytest.approx(size)
    assert found["male"].upper == found["male"].lower == found["male"].size
    woman = found["female"]
    assert woman.upper / woman.size == pytest.approx(0.52) and woman.lower / woman.size == pytest.approx(0.66)
    assert found["child_6"].upper < 0.25


def test_balance_is_lost_when_the_pendulum_says(falls):
    """The engine's moment against the extrapolated centre of mass of the recording, computed apart in NumPy."""
    for scenario, recording in falls.values():
        lost = events_of(recording, "person")["loses balance"]
        assert lost == pytest.approx(imbalance_time(scenario, recording), abs=PERIOD + 1e-3)


def test_phases_come_in_their_order_and_after_the_latency(falls):
    for _, recording in falls.values():
        times = events_of(recording, "person")
        assert times["responds"] - times["loses balance"] == pytest.approx(0.15, abs=PERIOD + 1e-9)
        assert times["responds"] <= times["bends the legs"]
        assert list(recording.responses["time"]) == sorted(recording.responses["time"])


def test_a_landing_is_the_first_strike_of_trunk_or_head(falls):
    trunk = ("pelvis", "Abdomen", "LowerBack", "UpperBack", "Chest", "Sternum", "head")
    for name in ("backward", "sideways"):
        recording = falls[name][1]
        touched = [e["start"] for e in recording.contacts if recording.body_names[e["body_a"]] in trunk]
        assert events_of(recording, "person")["lands"] == pytest.approx(min(touched), abs=0.02)


def test_heads_are_kept_off_the_ground_that_tone_lets_strike(falls):
    for name, degrees in DIRECTIONS.items():
        assert first_strike(falls[name][1], "head") is None
        if name != "sideways":
            struck = first_strike(run(fall_scenario(1.0, "male", degrees, 8.0, 2.0)), "head")
            assert struck is not None and struck[1] > 4.0


def test_hands_meet_the_ground_first_in_a_forward_fall(falls):
    recording = falls["forward"][1]
    hand = first_strike(recording, "hand")
    pelvis = first_strike(recording, "pelvis")
    assert hand is not None and (pelvis is None or hand[0] < pelvis[0])


def test_hands_are_not_left_in_the_air(falls):
    for _, recording in falls.values():
        for hand in ("HandL", "HandR"):
            assert recording.position[-1, recording.body_index("person", hand), 2] < 0.3


def test_nothing_is_done_while_nobody_loses_balance():
    """Upright in free space, without gravity: no phase begins and the posture stays."""
    scenario = standing(Response("adult"), 0.3)
    scenario.settings.gravity, scenario.settings.ground = (0.0, 0.0, 0.0), False
    recording = run(scenario)
    assert len(recording.responses) == 0
    assert np.abs(recording.position[-1] - recording.position[0]).max() < 2e-3


def test_somebody_unconscious_never_responds():
    recording = run(fall_scenario(Response("unconscious"), "male", 0.0, 8.0, 1.5))
    times = events_of(recording, "person")
    assert "loses balance" in times and "responds" not in times and "bends the legs" not in times
    head = first_strike(recording, "head")
    assert head is None or head[1] > 1.0


def test_before_the_start_time_nothing_is_noticed():
    late = run(fall_scenario(Response("adult", start=0.7), "male", 0.0, 8.0, 1.0))
    assert events_of(late, "person")["loses balance"] == pytest.approx(0.7, abs=PERIOD)


def test_a_touch_arms():
    quiet = run(fall_scenario(Response("adult", arming="touch"), "male", 0.0, 8.0, 1.0))
    assert "loses balance" not in events_of(quiet, "person")
    scenario = fall_scenario(Response("adult", arming="touch"), "male", 0.0, 8.0, 0.6)
    other = Actor("other", load_model("male"), position=(-0.6, 0.0, 1.0), velocity=(4.0, 0.0, 0.0))
    scenario.actors.append(other)
    recording = run(scenario)
    times = events_of(recording, "person")
    touches = [
        e["start"]
        for e in recording.contacts
        if e["body_b"] >= 0 and recording.body_actor[e["body_a"]] != recording.body_actor[e["body_b"]]
    ]
    assert times["is touched"] == pytest.approx(min(touches), abs=PERIOD + 1e-9)
    assert times["loses balance"] >= times["is touched"]


def test_a_release_arms_and_motors_are_taken_over_only_then():
    """A root carried along until 0.4 s; the knee follows its own table until the response takes it."""
    scenario = standing(Response("adult", arming="release"), 0.9, velocity=(1.0, 0.0, 0.0))
    person = scenario.actors[0]
    person.position = (0.0, 0.0, person.position[2] + 0.02)
    person.prescribed = [
        PrescribedMotion(None, ((0.0, 1.0, 0.0, 0.0), (5.0, 1.0, 0.0, 0.0)), release_time=0.4)
    ]
    table = ((0.0, 0.0, 2.0, 0.0), (0.3, 0.0, 40.0, 0.0), (5.0, 0.0, 40.0, 0.0))
    person.motors = {"kneelJnt": Motor(2000.0, 60.0, target_over_time=table, follows=True)}
    recording = run(scenario)
    times = events_of(recording, "person")
    assert 0.4 <= times["loses balance"] < 0.4 + 2 * PERIOD
    knee = recording.joint_index("person", "kneelJnt")
    angle = np.degrees(np.linalg.norm(recording.joint_angle[:, knee], axis=1))
    assert angle[350] == pytest.approx(40.0, abs=1.0)


def test_a_knock_out_takes_all_strength():
    """At 20 g the head of a man who is unwarned until he has struck it is knocked out, and his motors are next to
    nothing."""
    scenario = fall_scenario(
        Response("adult", latency=2.0, neck_latency=2.0, knock_out=20.0), "male", 180.0, 8.0, 1.8
    )
    simulation = Simulation(compile_system(scenario))
    for _ in simulation.advance():
        pass
    recording = simulation.recording()
    times = events_of(recording, "person")
    head = first_strike(recording, "head")
    assert times["is knocked out"] == pytest.approx(head[0], abs=0.02)
    first = simulation.commands.arrays.gains[:, 2].copy()
    caps = np.array([joint.torque for joint in RESPONSE_JOINTS for _ in joint.names])
    assert first.max() < 0.06 * caps.max() * strength_of(scenario.actors[0].model).upper


def test_a_startle_bends_the_elbows_for_a_moment_and_bracing_stiffens():
    elbow = {}
    for name, response in {
        "calm": Response("adult"),
        "startled": Response("adult", startle=0.1),
        "braced": Response("adult", brace=0.1),
    }.items():
        recording = run(standing(response, 0.5))
        index = recording.joint_index("person", "elbowlJnt")
        elbow[name] = np.degrees(np.linalg.norm(recording.joint_angle[:, index], axis=1))
        assert ("is startled" in events_of(recording, "person")) == (name == "startled")
        assert ("braces" in events_of(recording, "person")) == (name == "braced")
    assert elbow["startled"].max() > elbow["calm"].max() + 20.0
    assert elbow["braced"].max() < elbow["calm"].max() + 5.0


def test_balance_holds_a_man_whom_tone_lets_fall():
    recording = run(standing(Response("adult", balance=True), 6.0))
    fallen = run(standing(Response("adult", start=10.0), 6.0))
    head = recording.body_index("person", "head")
    assert len(recording.responses) == 0 and recording.position[-1, head, 2] > 1.6
    assert fallen.position[-1, head, 2] < 1.3


def pushed(impulse: float, direction: tuple[float, float, float], duration: float = 4.0):
    """A half-sine push of 0.2 s on the upper back after a second."""
    peak = tuple(impulse * np.pi / 2.0 / 0.2 * part for part in direction)
    pulses = [ForcePulse("UpperBack", peak, 1.0, 0.2)]
    return standing(Response("adult", balance=True), duration, force_pulses=pulses)


@pytest.mark.parametrize("direction", [(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
def test_a_light_push_is_withstood_and_a_strong_one_not(direction):
    """10 N s leave a man of 90 kg at 0.11 m/s, whose extrapolated centre moves by 4 cm: inside the feet. 60 N s make
    0.7 m/s and 21 cm: outside in any direction."""
    light, strong = run(pushed(10.0, direction)), run(pushed(60.0, direction))
    head = light.body_index("person", "head")
    assert len(light.responses) == 0 and light.position[-1, head, 2] > 1.6
    assert events_of(strong, "person")["loses balance"] < 1.5 and strong.position[-1, head, 2] < 1.3


@pytest.mark.slow
def test_a_man_stands_for_a_minute():
    """Undisturbed for 20 s, then after a light push."""
    scenario = standing(Response("adult", balance=True), 60.0)
    scenario.actors[0].force_pulses = [shove(10.0, start=20.0)]
    scenario.settings.output_step = 0.01
    recording = run(scenario)
    assert len(recording.responses) == 0
    assert recording.position[-1, recording.body_index("person", "head"), 2] > 1.6


def test_runs_share_nothing_and_bytes_do_not_depend_on_buffers(monkeypatch):
    system = compile_system(fall_scenario(Response("adult"), "female", 90.0, 8.0, 1.0))
    first = run(system)
    monkeypatch.setattr(Simulation, "_buffer", lambda self, frames, make=Simulation._buffer: make(self, 1))
    again = run(system)
    assert first.position.tobytes() == again.position.tobytes()
    assert first.responses.tobytes() == again.responses.tobytes()


def test_many_runs_with_responses_and_controllers_are_those_of_one(monkeypatch):
    """A response and a controller of one's own in the same run: alone, and beside others on one and two threads with
    other buffers, the same bytes; another command gives others."""

    def controller(system):
        torque = 4.0 + len(system.scenario.name)
        return lambda view, commands: commands.torque("elbowlJnt", (0.0, torque * view.time, 0.0))

    scenarios = [
        fall_scenario(Response("adult"), "male", degrees, 9.0, 0.5) for degrees in (0.0, 90.0, 180.0)
    ]
    alone = [_bytes_of(run(case, controller=controller(compile_system(case)))) for case in scenarios]
    for workers, frames in ((1, 1), (2, 7)):
        monkeypatch.setattr(Simulation, "_buffer", lambda self, _, n=frames, make=BUFFER: make(self, n))
        outcomes = {o.index: o.result for o in run_many(scenarios, controller=controller, workers=workers)}
        assert [_bytes_of(outcomes[k]) for k in range(3)] == alone
    assert _bytes_of(run(scenarios[0])) != alone[0]


BUFFER = Simulation._buffer


def _bytes_of(recording) -> tuple[bytes, bytes]:
    return recording.position.tobytes(), recording.responses.tobytes()


def test_mirrored_falls_are_mirrored_but_for_the_asymmetry():
    ends = {}
    for degrees in (90.0, 270.0):
        recording = run(fall_scenario(Response("adult", asymmetry=0.0), "male", degrees, 8.0, 0.9))
        head = recording.body_index("person", "head")
        ends[degrees] = recording.position[-1, head] * (1.0, 1.0 if degrees == 90.0 else -1.0, 1.0)
    np.testing.assert_allclose(ends[90.0], ends[270.0], atol=0.02)


def test_the_sentence_names_preset_and_phases(falls):
    recording = falls["backward"][1]
    (sentence,) = [text for text in recording.warnings if "responds as" in text]
    assert "'person'" in sentence and "'adult'" in sentence and "assumption" in sentence
    for event in recording.responses:
        assert f"{PHASES[event['phase']]} at {event['time']:.3f} s" in sentence


def test_a_model_without_the_joints_is_refused():
    actor = Actor("dummy", load_model("ambrosio"), position=(0.0, 0.0, 1.0), response=Response())
    (issue,) = [i for i in validate(Scenario("x", [actor])) if i.severity == "error"]
    assert "response" in issue.message and "kneelJnt" in issue.message


@pytest.mark.parametrize(
    ("changes", "named"),
    [({"latency": -1.0}, "latency"), ({"preset": "giant"}, "preset"), ({"rest": 2.0}, "rest")],
)
def test_wrong_numbers_are_refused(changes, named):
    issues = validate(standing(Response(**changes)))
    assert any(named in issue.message for issue in issues if issue.severity == "error")


def test_corners_of_the_soles_lie_under_the_feet():
    corners = sole_corners(load_model("male"))
    places = np.array([place for _, place in corners])
    assert {name for name, _ in corners} == {"FootL", "FootR"}
    assert 0.15 < np.ptp(places[:, 0]) < 0.30 and places[:, 2].max() < 0.0
