"""Shipped scenarios and component checks, run by the engine: they finish, keep their energy books, and hold the
published bands that the validation page says they hold."""

from functools import cache

import numpy as np
import pytest
from responses_seen import events_of

from mannequin.analysis.measures.catalogue import HEAD_FAMILY, family_of
from mannequin.analysis.measures.trust import flagged
from mannequin.engine import ENERGY_TERMS
from mannequin.engine.muscles.arrays import MUSCLE_CHANNELS
from mannequin.engine.runs.simulation import run
from mannequin.models.scenarios.library import SCENARIOS
from mannequin.models.validation import active_falls
from mannequin.models.validation.falls import fall_scenario, ground_impact
from mannequin.models.validation.head import head_drop
from mannequin.models.validation.pedestrians import pedestrian
from mannequin.models.validation.tackle import to_ground
from mannequin.models.validation.torso import thorax_pendulum
from mannequin.models.validation.vehicle import braking

pytestmark = pytest.mark.timeout(900)  # the first run compiles the engine


LONG_RUNS = {
    "car_bicycle",
    "carried_child",
    "cyclist_struck",
    "pedestrian_response",
    "pedestrian_walking",
    "scooter_car_side",
    "shove_stairs",
    "trip_braced",
    "trip_limp",
}
"""Scenarios of more than about three seconds that no other test of this file looks at."""
EVERY_SCENARIO = pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] if name in LONG_RUNS else []) for name in SCENARIOS],
)


@pytest.fixture(scope="module")
def scenarios():
    """Scenario name to the scenario, built once."""
    return cache(lambda name: SCENARIOS[name]())


@pytest.fixture(scope="module")
def recordings(scenarios):
    """Scenario name to its recording, run once."""
    return cache(lambda name: run(scenarios(name)))


@EVERY_SCENARIO
def test_runs_to_the_end_with_closed_energy_books(recordings, name):
    recording = recordings(name)
    assert recording.status == "completed", recording.message
    energy = dict(zip(ENERGY_TERMS, recording.energy.T, strict=True))
    exchanged = np.ptp(energy["kinetic"]) + np.ptp(energy["gravity"])
    assert np.abs(energy["residual"]).max() < 0.01 * exchanged


@EVERY_SCENARIO
def test_a_great_neck_compression_is_not_printed_without_a_flag(scenarios, recordings, name):
    run_of = scenarios(name), recordings(name)
    for measure in flagged(*run_of, family_of(HEAD_FAMILY, *run_of, ["neck compression"])):
        if measure.name == "neck compression":
            assert measure.value < 8000.0 or measure.flags, measure.value


@pytest.mark.parametrize("name", ["fall_standing", "slip", "trip", "ladder_fall"])
def test_people_end_on_the_ground(recordings, name):
    recording = recordings(name)
    actor = recording.actor_names[0]
    height = {
        body: recording.position[-1, recording.body_index(actor, body), 2] for body in ("head", "pelvis")
    }
    assert max(height.values()) < 0.45
    assert np.linalg.norm(recording.velocity[-1, recording.body_index(actor, "pelvis")]) < 1.5


def test_head_never_falls_faster_than_free_fall_and_toppling_allow(recordings):
    """Standing fall: below the rigid toppling bound of 7.2 m/s (docs/derivations.md, Toppling rod); ladder: below free
    fall of the head from 3.6 m."""
    fall = recordings("fall_standing")
    assert np.linalg.norm(fall.velocity[:, fall.body_index("woman", "head")], axis=1).max() < 7.2
    ladder = recordings("ladder_fall")
    head = ladder.body_index("man", "head")
    drop = ladder.position[0, head, 2]
    assert np.abs(ladder.velocity[:, head, 2]).max() < np.sqrt(2 * 9.81 * drop) + 1.0


def test_belt_keeps_the_driver_in_the_seat(recordings):
    """Ambrosio's occupant, in words: stays seated, the torso turns towards the free shoulder, the head moves
    forward."""
    recording = recordings("seated_crash")
    seat, pelvis, head, chest = (
        recording.body_index(*pair)
        for pair in (("seat", "seat"), ("driver", "pelvis"), ("driver", "head"), ("driver", "Chest"))
    )
    relative = recording.position - recording.position[:, [seat]]
    assert np.abs(relative[:, pelvis] - relative[0, pelvis]).max() < 0.20
    assert relative[:, head, 0].max() - relative[0, head, 0] > 0.15
    # The belt holds the left shoulder: the right, free one goes forward, a turn to the left about the vertical.
    forward = recording.rotation(chest)[:, :, 0]
    assert forward[200:300, 1].max() > 0.02


def test_chain_keeps_its_energy(recordings):
    energy = dict(zip(ENERGY_TERMS, recordings("pendulum_chain").energy.T, strict=True))
    total = energy["kinetic"] + energy["gravity"]
    assert np.abs(total - total[0]).max() < 0.01 * np.ptp(energy["gravity"])


def inside(rows, quantity):
    row = next(row for row in rows if row.quantity == quantity)
    return row.inside, f"{row.quantity}: {row.measured}, published {row.published}"


def test_head_drop_passes_572_32():
    rows = head_drop()
    assert all(row.inside for row in rows), rows


def test_thorax_passes_572_34():
    rows = thorax_pendulum()
    assert all(row.inside for row in rows), rows


def test_pedestrians_head_meets_the_windscreen_in_time(recordings):
    rows = pedestrian(lambda scenario: recordings("car_pedestrian"))
    for quantity in ("head impact time", "throw distance"):
        ok, text = inside(rows, quantity)
        assert ok, text


def test_tackled_player_meets_the_ground_in_time(recordings):
    """Ambrosio 0.63 s; nothing falls faster than freely (0.56 s)."""
    assert 0.56 < to_ground(recordings("ambrosio_tackle"), "head") < 0.75


def test_braked_car_stops_as_friction_says():
    ok, text = inside(braking(), "stopping distance")
    assert ok, text


@pytest.mark.long
def test_dummy_falls_forward_and_sideways_inside_the_published_interval():
    for direction in ("forward", "sideways"):
        recording = run(fall_scenario("hybrid3_50th", direction, 8.0, None))
        time, speed = ground_impact(recording, "person", "head")
        assert 2.02 < speed < 7.41, (direction, time, speed)


def test_the_one_who_reaches_keeps_the_head_off_the_road_that_the_other_strikes(recordings):
    reaches, falls = recordings("trip_reach"), recordings("trip")
    assert active_falls.first_strike(reaches, "head") is None
    assert active_falls.first_strike(falls, "head")[1] > 3.0
    times = events_of(reaches, "man")
    assert times["is touched"] <= times["loses balance"] < times["responds"]
    for hand in ("HandL", "HandR"):
        assert reaches.position[-1, reaches.body_index("man", hand), 2] < 0.3


def test_a_grip_holds_a_child_that_falls_until_its_force_is_reached(recordings):
    """A child of 20 kg that hangs on a hand: its weight is about what the hand bears."""
    recording = recordings("hand_in_hand")
    (broken,) = recording.breaks
    assert broken["time"] > events_of(recording, "child")["loses balance"]
    assert broken["load"] == pytest.approx(200.0, rel=0.02)
    assert recording.position[-1, recording.body_index("child", "head"), 2] < 0.5


@pytest.fixture(scope="module")
def trips(recordings):
    return {kind: recordings(f"trip_{kind}") for kind in ("limp", "toned", "braced")}


def test_limp_toned_and_braced_fall_differently(trips):
    """Stiffer muscles: the tripping leg folds less, and the body is still higher a moment into the fall."""
    assert all(recording.status == "completed" for recording in trips.values())
    fold, height, pull = [], [], []
    for recording in trips.values():
        knee = recording.joint_index("man", "kneelJnt")
        fold.append(np.degrees(recording.joint_angle[:, knee, 1].max()))
        height.append(recording.position[400, recording.body_index("man", "pelvis"), 2])
        pull.append(recording.muscle[:, :, MUSCLE_CHANNELS.index("force")].max())
    assert fold[0] > fold[1] + 10.0 > fold[2] + 20.0
    assert height[0] + 0.05 < height[1] < height[2] - 0.05
    assert pull[0] < pull[1] < pull[2]


def test_only_the_excitation_differs_at_the_start(trips):
    limp, toned, braced = trips.values()
    for other in (toned, braced):
        assert np.array_equal(limp.position[0], other.position[0])
        assert np.array_equal(limp.velocity[0], other.velocity[0])
    assert limp.muscle_channel("activation").max() == 0.0
    assert toned.muscle_channel("excitation").max() > 0.2  # the reflex
    assert braced.muscle_channel("activation")[-1].min() > 0.75
