"""Axis limits: gradient of an energy, passive, continuous, blind to Euler angles."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from mannequin.engine.bodies.coordinates import rate_map, turn_and_map
from mannequin.engine.spec import AxisLimits, Settings

LIMITS = AxisLimits(lower=(-20.0, -30.0, -10.0), upper=(25.0, 60.0, 15.0), stiffness=800.0, damping=6.0)
LOWER, UPPER = np.radians(LIMITS.lower[::-1]), np.radians(LIMITS.upper[::-1])
REVOLUTE, SPHERICAL, FREE = "revolute", "spherical", "free"


def rotation_vector(q):
    """Rotation vector of (w, x, y, z), sign respected: angles from 0 to 360 degrees."""
    size = np.linalg.norm(q[1:])
    return 2.0 * np.arctan2(size, q[0]) * q[1:] / size


def energy(q):
    phi = rotation_vector(q)
    violation = np.maximum(0.0, phi - UPPER) + np.maximum(0.0, LOWER - phi)
    return 0.5 * LIMITS.stiffness * violation @ violation


def random_vectors(count, low, high, seed):
    rng = np.random.default_rng(seed)
    directions = rng.normal(size=(count, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    return directions * np.radians(rng.uniform(low, high, (count, 1)))


@pytest.mark.parametrize(
    ("low", "high"), [(1, 60), (60, 89), (89.9, 90.1), (91, 179), (179.9, 180.1), (181, 300)]
)
def test_torque_is_minus_the_gradient_of_the_energy(bench, rotations, low, high):
    joint = bench(limits=LIMITS)
    for phi in random_vectors(25, low, high, seed=int(low)):
        half = 0.5 * np.linalg.norm(phi)
        q = np.concatenate([[np.cos(half)], np.sin(half) * phi / (2 * half)])
        expected = -rotations.gradient(energy, q)
        assert joint(q, np.zeros(3)).total() == pytest.approx(expected, rel=1e-5, abs=1e-4)


def test_rate_map_against_scipy():
    """phi_dot = J omega, by composing with a small turn in body axes."""
    for phi in random_vectors(30, 0.001, 170, seed=5):
        omega = np.array([0.3, -0.7, 0.5])
        step = 1e-6
        turned = [
            (Rotation.from_rotvec(phi) * Rotation.from_rotvec(s * step * omega)).as_rotvec() for s in (1, -1)
        ]
        expected = (turned[0] - turned[1]) / (2 * step)
        J = np.array(rate_map(tuple(float(x) for x in phi))).reshape(3, 3)
        assert J @ omega == pytest.approx(expected, abs=1e-8)


def test_turn_and_map_of_a_quaternion():
    """Against SciPy's rotation vector, and the rate map of that; small, large and past half a turn."""
    for degrees in (0.0, 1e-9, 0.5, 2.864, 2.866, 30.0, 179.0, 200.0, 340.0, 349.9, 350.1, 359.0):
        for axis in np.eye(3)[[0, 2]], np.array([[0.6, -0.48, 0.64]]):
            phi = np.radians(degrees) * axis[0]
            half = 0.5 * np.radians(degrees)
            q = (float(np.cos(half)), *(float(x) for x in np.sin(half) * axis[0]))
            found, J = turn_and_map(q)
            assert np.array(found) == pytest.approx(phi, abs=1e-12)
            if degrees <= 179.0:
                assert np.array(found) == pytest.approx(
                    Rotation.from_quat([*q[1:], q[0]]).as_rotvec(), abs=1e-12
                )
            assert np.array(J) == pytest.approx(np.array(rate_map(tuple(phi.tolist()))), rel=1e-9, abs=1e-12)


def test_series_and_closed_form_meet():
    below, above = (np.array(rate_map((0.0, x, 0.0))) for x in (0.05 - 1e-12, 0.05 + 1e-12))
    assert below == pytest.approx(above, abs=1e-12)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_single_axis_closed_form(bench, axis):
    """Turning about one axis only, the torque is -k violation about it and nothing else."""
    joint = bench(limits=LIMITS)
    for degrees in (-100.0, -40.0, 10.0, 90.0, 140.0):
        angle = np.radians(degrees)
        q = np.zeros(4)
        q[0], q[1 + axis] = np.cos(angle / 2), np.sin(angle / 2)
        violation = max(0.0, angle - UPPER[axis]) + min(0.0, angle - LOWER[axis])
        expected = np.zeros(3)
        expected[axis] = -LIMITS.stiffness * violation
        assert joint(q, np.zeros(3)).total() == pytest.approx(expected, abs=1e-9)


def test_revolute_uses_the_first_pair(bench):
    joint = bench(REVOLUTE, limits=LIMITS)
    assert joint([np.radians(35.0)], [0.0]).total()[0] == pytest.approx(-800.0 * np.radians(10.0))
    assert joint([np.radians(-30.0)], [0.0]).total()[0] == pytest.approx(800.0 * np.radians(10.0))
    assert joint([np.radians(20.0)], [3.0]).total()[0] == 0.0


def test_damper_acts_on_both_sides_and_never_pulls(bench):
    """Force on the way out and back, both sides: between 0 and twice the spring's, largest while moving outward."""
    joint = bench(REVOLUTE, limits=LIMITS)
    for sign, limit in ((1.0, 25.0), (-1.0, -20.0)):
        angle = np.radians(limit + sign * 2.0)
        spring = 800.0 * np.radians(2.0)
        still, outward, back = (-sign * joint([angle], [sign * rate]).total()[0] for rate in (0.0, 1.5, -1.5))
        assert still == pytest.approx(spring)
        assert outward == pytest.approx(spring + 6.0 * 1.5)
        assert back == pytest.approx(spring - 6.0 * 1.5)
        assert -sign * joint([angle], [sign * 100.0]).total()[0] == pytest.approx(2.0 * spring)
        assert joint([angle], [-sign * 100.0]).total()[0] == 0.0


def test_torque_is_continuous_at_the_limit_at_speed(bench):
    joint = bench(REVOLUTE, limits=LIMITS)
    for rate in (-30.0, 30.0):
        assert abs(joint([np.radians(25.0) + 1e-9], [rate]).total()[0]) < 1e-5


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    phi=st.tuples(*[st.floats(-2.5, 2.5)] * 3),
    omega=st.tuples(*[st.floats(-40.0, 40.0)] * 3),
)
def test_the_damper_only_takes_energy(bench, phi, omega):
    """At any state the power of the whole torque is at most that of the elastic part."""
    joint = bench(limits=LIMITS)
    q = np.roll(Rotation.from_rotvec(phi).as_quat(), 1)
    q = q if q[0] >= 0.0 else -q
    damper = joint(q, omega).total() - joint(q, np.zeros(3)).total()
    assert damper @ np.array(omega) <= 1e-9


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000), duration=st.floats(0.2, 5.0))
def test_no_closed_motion_gains_energy(bench, seed, duration):
    joint = bench(limits=LIMITS)
    work, moved = work_over_cycle(joint, seed, duration)
    assert work <= 2e-3 * moved


def work_over_cycle(joint, seed, duration, count=500):
    """(work of the joint torque, sum of its absolute parts) over a random closed motion of 500 small turns."""
    rng = np.random.default_rng(seed)
    amplitude = rng.uniform(-1.0, 1.0, (3, 3))
    phase = rng.uniform(0.0, 2 * np.pi, (3, 3))
    s = np.arange(count + 1) / count
    phi = sum(
        amplitude[k] * np.sin(2 * np.pi * (k + 1) * s[:, None] + phase[k]) / (1 + 0.5 * k) for k in range(3)
    )
    pose = Rotation.from_rotvec(phi)
    turn = (pose[:-1].inv() * pose[1:]).as_rotvec()
    middle = pose[:-1] * Rotation.from_rotvec(0.5 * turn)
    work = moved = 0.0
    for q, step in zip(np.roll(middle.as_quat(), 1, axis=1), turn, strict=True):
        part = joint(q if q[0] >= 0 else -q, step * count / duration).total() @ step
        work, moved = work + part, moved + abs(part)
    return work, moved


def test_impedance_is_h_d_plus_h2_k(bench):
    """About one axis: torque = spring + damper + h K rate, impedance h D + h^2 K, against the explicit ones."""
    joint = bench(REVOLUTE, limits=LIMITS)
    angle, rate, h = np.radians(30.0), 2.0, 1e-3
    result = joint([angle], [rate], h=h)
    violation = np.radians(5.0) + h * rate
    assert result.total()[0] == pytest.approx(-(800.0 * violation + 6.0 * rate))
    assert result.total_impedance()[0, 0] == pytest.approx(6.0 * h + 800.0 * h * h)
    assert joint([angle], [rate]).total_impedance()[0, 0] == 0.0


def test_impedance_matches_the_torque_differences(bench):
    """Symmetric positive semidefinite, and h^2 K close to minus the difference of the torque over a small turn."""
    stiff = AxisLimits(LIMITS.lower, LIMITS.upper, stiffness=800.0, damping=0.0)
    joint = bench(limits=stiff)
    h, step = 1e-4, 1e-6
    for phi in random_vectors(20, 20, 80, seed=8):
        pose = Rotation.from_rotvec(phi)
        q = np.roll(pose.as_quat(), 1)
        B = joint(q, np.zeros(3), h=h).total_impedance()
        assert B == pytest.approx(B.T)
        assert np.linalg.eigvalsh(B).min() >= -1e-18
        difference = np.zeros((3, 3))
        for k in range(3):
            turn = step * np.eye(3)[k]
            ahead, behind = (
                joint(np.roll((pose * Rotation.from_rotvec(s * turn)).as_quat(), 1), np.zeros(3)).total()
                for s in (1, -1)
            )
            difference[:, k] = -(ahead - behind) / (2 * step)
        symmetric = 0.5 * (difference + difference.T)
        violation = np.maximum(0.0, phi - UPPER) + np.maximum(0.0, LOWER - phi)
        # what is left out is the turning of the directions themselves, of the order of the torque
        assert np.abs(B / h**2 - symmetric).max() <= 1.2 * 800.0 * np.linalg.norm(violation) + 1e-3


def test_limits_can_be_switched_off(bench):
    joint = bench(REVOLUTE, limits=LIMITS, settings=Settings(joint_limits=False, default_joint_damping=0.0))
    assert joint([2.0], [0.0]).total()[0] == 0.0


def test_a_free_root_has_no_limits_and_no_damping(bench):
    joint = bench(FREE, limits=LIMITS, damping=5.0)
    q = np.concatenate([np.zeros(3), np.roll(Rotation.from_rotvec([0.0, 2.0, 0.0]).as_quat(), 1)])
    assert joint(q, np.ones(6)).total() == pytest.approx(np.zeros(3))
