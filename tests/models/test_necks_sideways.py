"""Necks thrown to the side: the rigs do what regulations ask, and what is read from a run is what happened in it."""

from dataclasses import replace

import numpy as np
import pytest

from mannequin.engine import run
from mannequin.engine.maths.rotations import matrix_from_quaternion
from mannequin.models.scenarios import rigs, side_rigs
from mannequin.models.validation import necks_sideways
from mannequin.models.validation.experiment import experiment
from mannequin.models.validation.necks_sideways import SideSwing, side_swing

NAN = np.zeros(2)


def speeds(model_name):
    """(s, m/s that the pendulum has lost), m/s at first."""
    times, values = np.array(rigs.changing_speeds(side_rigs.SIDE_PENDULUMS[model_name].speeds)).T
    return times, values[0] - values, values[0]


def test_the_pendulum_of_the_mid_size_dummy_stays_in_the_corridor_of_49_cfr_572_183():
    times, lost, start = speeds("hybrid3_50th")
    assert start == 3.4
    for ms, upper in ((3.0, 0.25), (14.0, 3.20)):
        assert np.interp(1e-3 * ms, times, lost) >= upper
    for ms, lower in ((2.5, 0.375), (13.5, 3.7)):
        assert np.interp(1e-3 * ms, times, lost) <= lower


def test_the_pendulum_of_the_small_woman_stays_in_the_bands_of_49_cfr_572_193():
    times, lost, _ = speeds("hybrid3_5th")
    for ms, low, high in ((10, 2.2, 2.8), (15, 3.3, 4.1), (20, 4.4, 5.4), (25, 5.4, 6.1), (60, 5.5, 6.2)):
        assert low <= np.interp(1e-3 * ms, times, lost) <= high


def test_pivot_and_way_choose_where_the_pendulum_goes():
    scenario = side_rigs.neck_lateral()
    turn = np.array(scenario.actors[0].prescribed[0].table)[0, 4:]
    assert turn[0] == pytest.approx(-3.4 / rigs.PENDULUM_LENGTH, rel=1e-6) and not turn[1:].any()
    turn = np.array(rigs.neck_flexion().actors[0].prescribed[0].table)[0, 4:]
    assert turn[1] == pytest.approx(-7.01 / rigs.PENDULUM_LENGTH, rel=1e-6) and turn[0] == turn[2] == 0.0


def test_a_neck_thrown_to_its_other_side_does_the_same():
    """The dummy is symmetric: mirrored speeds make the mirrored motion, and the swing is read as the same."""
    scenario = side_rigs.neck_lateral()
    (actor,) = scenario.actors
    (motion,) = actor.prescribed
    mirrored = tuple((row[0], *(-value for value in row[1:])) for row in motion.table)
    other = replace(
        scenario,
        actors=[
            replace(actor, angular_velocity=mirrored[0][4:], prescribed=[replace(motion, table=mirrored)])
        ],
    )
    one, two = side_swing(scenario, "pendulum"), side_swing(other, "pendulum")
    assert one.peak[0] > 20.0
    assert one.peak == pytest.approx(two.peak, rel=1e-6)
    assert one.moment[1].max() == pytest.approx(two.moment[1].max(), rel=1e-4)
    np.testing.assert_allclose(one.aside, two.aside, atol=1e-4)


def test_a_head_bends_to_the_side_and_not_forward():
    """Its centre stands before the condyles, so that it twists as it bends: forward it turns less than to the side."""
    scenario = side_rigs.neck_lateral()
    recording = run(scenario)
    turns = sum(
        recording.joint_angle[:, recording.joint_names.index(name)] for name in ("neckJnt", "headJnt")
    )
    assert np.abs(turns[:, 0]).max() > 3.0 * np.abs(turns[:, 1]).max()
    swing = side_swing(scenario, "pendulum")
    top = int(swing.angle[1].argmax())
    assert swing.peak[0] == pytest.approx(np.degrees(np.abs(turns[top, 0])), rel=0.1)


@pytest.mark.parametrize("swing", [0.0, 30.0, 70.0])
def test_twist_is_the_turn_about_the_long_axis(swing):
    """A twist of 40 degrees, then a swing about an axis across: the closed form gives back the 40."""
    half_twist, half_swing = np.radians(20.0), np.radians(swing) / 2.0
    twisted = matrix_from_quaternion(np.array([np.cos(half_twist), 0.0, 0.0, np.sin(half_twist)]))
    swung = matrix_from_quaternion(np.array([np.cos(half_swing), np.sin(half_swing), 0.0, 0.0]))
    first = matrix_from_quaternion(np.array([0.5, 0.5, 0.5, 0.5]))
    turned = np.stack([first, first @ swung @ twisted])
    np.testing.assert_allclose(necks_sideways._twist(turned), [0.0, 40.0], atol=1e-9)


def test_return_is_counted_from_the_peak():
    ms, angles = np.array([0.0, 10.0, 20.0, 30.0]), np.array([0.0, 5.0, 1.0, -1.0])
    swing = SideSwing((ms, angles), NAN, NAN, NAN, (NAN, NAN), 0.0)
    assert swing.peak == (5.0, 10.0) and swing.return_time == 20.0
    assert np.isnan(replace(swing, angle=(ms[:3], angles[:3])).return_time)


def test_the_sled_pushes_as_the_volunteers_first_thoracic_vertebra_was():
    """Half a sine of 15 g at most that makes 6.9 m/s to the left; the closed form of both."""
    scenario = side_rigs.neck_sled()
    table = np.array(scenario.actors[0].prescribed[0].table)
    times, values = table[:, 0], table[:, 2]
    assert values[-1] == pytest.approx(6.9) and not table[:, [1, 3, 4, 5, 6]].any()
    rates = np.diff(values) / np.diff(times)
    assert rates.max() == pytest.approx(15.0 * rigs.G, rel=1e-3)
    assert side_rigs.side_pulse_length() * 15.0 * rigs.G * 2.0 / np.pi == pytest.approx(6.9)


def test_an_upright_head_lags_behind_its_base_and_tone_holds_it():
    """Pushed to the left the head stays behind to the right, and its centre comes lower; strength makes all of it
    less."""
    limp = side_swing(side_rigs.neck_sled(), "carriage")
    held = side_swing(side_rigs.neck_sled(tone=1.0), "carriage")
    recording = run(side_rigs.neck_sled())
    index = recording.joint_names.index("neckJnt")
    frame = int(np.searchsorted(recording.times, 0.06))
    assert recording.joint_angle[frame, index, 0] > 0.0  # leans to the right
    for swing in (limp, held):
        assert swing.aside.max() > 0.0 and swing.along.max() > 0.0
    assert held.peak[0] < limp.peak[0] and held.twist.max() < limp.twist.max()


def test_the_bands_that_count_are_those_that_were_read():
    """What is quoted is marked and does not count; a side-impact dummy's band says whose it is."""
    read = {"neck_lateral_eurosid", "neck_lateral_sid2s"}
    names = {name for tests in necks_sideways.DUMMIES.values() for name in tests}
    assert {name for name in names if experiment(name).source.mark.startswith("read")} == read
    for name in names:
        assert " as a" in experiment(name).check
    assert "medium" in experiment("neck_sled_volunteers").source.mark
