"""People who respond in shipped scenarios, and people who follow a motion until they are struck."""

import numpy as np
import pytest
from responses_seen import events_of

from mannequin.commands.overrides import apply_overrides, parse_assignment
from mannequin.engine import Motor, Obstacle, PrescribedMotion, Scenario, Settings, run
from mannequin.models.pages import landed_hands
from mannequin.models.people.posture import both
from mannequin.models.scenarios.falls import stand
from mannequin.models.scenarios.library import SCENARIOS
from mannequin.models.validation import active_falls

INERTIA = {"hip": 2.5, "knee": 0.48}
"""kg m2: limb and rest of the body in series about the joint, of a mid-size man."""
RATE = 2.0 * np.pi * 8.0
"""rad/s of the motors' own swing: 8 Hz."""
STRIDE = 1.1
"""s"""


def walk(phase: float, times: np.ndarray) -> dict[str, np.ndarray]:
    """Flexion of hip and knee (degrees) over time: a hip that swings and a knee with two bends, as in walking."""
    turn = 2.0 * np.pi * (times / STRIDE + phase)
    knee = 22.0 - 20.0 * np.cos(turn + 0.9) - 12.0 * np.cos(2.0 * turn + 0.4)
    return {"hip": 8.0 + 22.0 * np.cos(turn), "knee": np.maximum(knee, 1.0)}


def test_a_person_follows_a_walk_within_a_degree():
    """Hips and knees with the stiffness of their inertia at 8 Hz and the rate of the table; the root is carried."""
    times = np.arange(0.0, 2.3, 0.02)
    angles = {f"{joint}{side}Jnt": curve for side, phase in (("l", 0.0), ("r", 0.5))
              for joint, curve in walk(phase, times).items()}  # fmt: skip
    start = {name: (0.0, float(curve[0]), 0.0) for name, curve in angles.items()}
    person = stand("person", "male", both({}) | start, velocity=(1.3, 0.0, 0.0), floor=0.05)
    for name, curve in angles.items():
        inertia = INERTIA[name[:-4]]
        table = tuple((float(t), 0.0, float(a), 0.0) for t, a in zip(times, curve, strict=True))
        person.motors[name] = Motor(
            inertia * RATE**2, 2.0 * inertia * RATE, target_over_time=table, follows=True, max_torque=2000.0
        )
    person.prescribed = [PrescribedMotion(None, ((0.0, 1.3, 0.0, 0.0), (5.0, 1.3, 0.0, 0.0)))]
    settings = Settings(duration=2.2, ground=False, reactions=False)
    recording = run(Scenario("walk", [person], settings=settings, default_sensors=False))
    late = recording.times > 0.3
    for name, curve in angles.items():
        index = recording.joint_index("person", name)
        found = np.degrees(recording.joint_angle[late, index, 1])
        wanted = np.interp(recording.times[late], times, curve)
        assert np.sqrt(np.mean((found - wanted) ** 2)) < 1.0, name


def test_bands_count_what_happened_only():
    values = {band.quantity: band.mean for band in active_falls.BANDS}
    fall = active_falls.Fall("kind", "male", "forward", 5.0, values)
    off = active_falls.Fall(
        "kind", "male", "forward", 5.0, values | {"head speed": 9.0, "hand speed": float("nan")}
    )
    # the lead of the hand is published for falls to the side
    assert active_falls.counts([fall], 1.0) == (5, 5)
    assert active_falls.counts([off], 2.0) == (3, 4)
    assert active_falls.counts([fall, off], 2.0, ("head speed",)) == (1, 2)


def test_random_people_are_the_same_for_the_same_seed():
    assert active_falls.population(5) == active_falls.population(5) != active_falls.population(5, seed=2)
    arms = [case[1].arms for case in active_falls.population(400)]
    assert np.mean(np.array(arms) == 0.0) == pytest.approx(0.25, abs=0.06)


def test_a_strike_is_the_first_hard_touch():
    """A limp man who falls forward from 8 degrees: what is found is an event of the log."""
    scenario = active_falls.fall_scenario(None, "male", 0.0, 8.0, 1.6)
    recording = run(scenario)
    time, speed = active_falls.first_strike(recording, "hand")
    events = [e for e in recording.contacts if e["start"] == time and e["approach_speed"] == speed]
    assert events, "both hands may strike at once: he is alike on both sides"
    for event in events:
        assert recording.body_names[event["body_a"]].startswith("Hand")
        assert event["peak_force"] >= active_falls.LEAST_FORCE


def test_numbers_of_a_response_are_set_by_their_names():
    scenario = SCENARIOS["trip_reach"]()
    assignments = [
        parse_assignment(f"actors.man.response.{text}") for text in ("latency=0.33", "preset=elderly")
    ]
    changed = apply_overrides(scenario, assignments).actors[0].response
    assert (changed.latency, changed.preset, changed.arming) == (0.33, "elderly", "touch")
    assert scenario.actors[0].response.latency is None


@pytest.mark.slow
@pytest.mark.parametrize("name", list(SCENARIOS))
def test_nobody_who_lies_holds_a_hand_in_the_air(name):
    """Hands of everybody who landed, a second later, in every shipped scenario with people on the ground."""
    scenario = SCENARIOS[name]()
    hands = landed_hands.run_on(scenario) if landed_hands.has_people(scenario) else []
    assert [hand for hand in hands if hand.hangs] == []
    falls = ("fall", "slip", "trip_limp", "trip_toned", "trip_braced", "tackle", "pedestrian", "carried")
    if any(word in name for word in falls) and name != "ambrosio_tackle":
        assert hands, "somebody lands"


def test_a_hand_over_a_tilted_box_is_measured_from_its_top():
    box = Obstacle(
        "box", "box", position=(1.0, 0.0, 0.5), orientation=(0.0, 30.0, 0.0), half_size=(0.5, 0.5, 0.1)
    )
    # over the middle the upper face is half a thickness over the cosine above the centre
    middle = landed_hands.support_height([box], np.array([1.0, 0.0, 2.0]))
    assert middle == pytest.approx(0.5 + 0.1 / np.cos(np.radians(30.0)))
    assert landed_hands.support_height([box], np.array([3.0, 0.0, 2.0])) == 0.0


@pytest.mark.long
def test_a_driver_who_braces_goes_less_far_forward_than_one_who_does_not():
    heads = {}
    for name in ("braced", "slack"):
        scenario = SCENARIOS["driver_braces"]()
        if name == "slack":
            scenario.actors[1].response, scenario.welds = None, []
        recording = run(scenario)
        seat, head = recording.body_index("seat", "seat"), recording.body_index("driver", "head")
        heads[name] = float((recording.position[:, head, 0] - recording.position[:, seat, 0]).max())
        if name == "braced":
            assert events_of(recording, "driver")["braces"] == 0.0
            assert len(recording.breaks) == 2, "both hands are torn from the rim"
    assert heads["braced"] < heads["slack"] - 0.02


def test_a_walker_is_carried_until_struck_and_then_responds():
    scenario = SCENARIOS["pedestrian_walking"]()
    scenario.settings.time_step, scenario.settings.duration = 5.0e-5, 0.7
    recording = run(scenario)
    times = events_of(recording, "man")
    assert times["responds"] == pytest.approx(times["is touched"] + 0.15, abs=0.005)
    mass = recording.body_mass * (recording.body_actor == recording.actor_names.index("man"))
    speed = np.einsum("b,fb->f", mass / mass.sum(), recording.velocity[:, :, 1])
    before = recording.times < times["is touched"]
    assert speed[before].mean() == pytest.approx(1.4, rel=0.02)
    assert np.abs(speed[before] - 1.4).max() < 0.2
