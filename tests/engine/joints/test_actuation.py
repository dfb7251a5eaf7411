"""Torque pulses, motors and couplers."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from mannequin.engine.joints.arrays import JointEntry
from mannequin.engine.spec import Coupler, Joint, Motor, TorquePulse

FREE, SPHERICAL, REVOLUTE = "free", "spherical", "revolute"
IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    start=st.floats(0.0, 0.05),
    duration=st.floats(1e-4, 0.1),
    step=st.sampled_from([1e-4, 3.3e-4, 1e-3, 7e-3]),
)
def test_impulse_of_a_pulse_is_exact(bench, start, duration, step):
    """The impulses of the steps add up to 2 peak T / pi for any step (docs/derivations.md, Pulses)."""
    joint = bench(entry={"pulses": [TorquePulse("joint", (100.0, -50.0, 25.0), start, duration)]})
    count = int(np.ceil(0.2 / step))
    impulse = step * sum(joint(IDENTITY, np.zeros(3), t=k * step, h=step).total() for k in range(count))
    assert impulse == pytest.approx(np.array([100.0, -50.0, 25.0]) * 2 * duration / np.pi, rel=1e-11)


def test_pulse_of_the_reference():
    """100 N m over 0.1 s gives 6.366198 N m s."""
    assert 100.0 * 2 * 0.1 / np.pi == pytest.approx(6.366198, abs=5e-7)


def test_pulse_value_at_an_instant_and_several_at_once(bench):
    pulses = [
        TorquePulse("joint", (10.0, 0.0, 0.0), 0.1, 0.2),
        TorquePulse("joint", (0.0, 4.0, 0.0), 0.2, 0.1),
    ]
    joint = bench(entry={"pulses": pulses})
    assert joint(IDENTITY, np.zeros(3), t=0.05).total() == pytest.approx(np.zeros(3))
    assert joint(IDENTITY, np.zeros(3), t=0.15).total() == pytest.approx([10.0 * np.sin(np.pi / 4), 0.0, 0.0])
    assert joint(IDENTITY, np.zeros(3), t=0.25).total() == pytest.approx(
        [10.0 * np.sin(0.75 * np.pi), 4.0 * np.sin(np.pi / 2), 0.0]
    )
    assert joint(IDENTITY, np.zeros(3), t=0.31).total() == pytest.approx(np.zeros(3))


def test_root_pulse_is_a_torque(bench):
    """In OpenMBD it lands in the translation (docs/derivations.md, Differences from OpenMBD).

    Here the kernel's torque slots are rotation slots only.
    """
    root = bench(FREE, entry={"pulses": [TorquePulse("joint", (1.0, 2.0, 3.0), 0.0, 1.0)]})
    q = np.concatenate([[5.0, 6.0, 7.0], IDENTITY])
    assert root(q, np.zeros(6), t=0.5).total() == pytest.approx([1.0, 2.0, 3.0])


def test_revolute_pulse_acts_along_the_axis(bench):
    pulse = TorquePulse("joint", (3.0, 4.0, 0.0), 0.0, 1.0)
    hinge = bench(REVOLUTE, axis=(0.6, 0.8, 0.0), entry={"pulses": [pulse]})
    assert hinge([0.3], [0.0], t=0.5).total() == pytest.approx([5.0, 0.0, 0.0])


def test_motor_formula(bench):
    """Hyfydy's formula with SciPy's rotations; targets are ZYX degrees."""
    motor = Motor(
        stiffness=120.0, damping=4.0, target=(20.0, -35.0, 50.0), target_velocity=(0.2, 0.1, -0.3),
        base_torque=(1.0, 2.0, 3.0),
    )  # fmt: skip
    joint = bench(motor=motor, entry={"tone": 0.5})
    pose = Rotation.from_rotvec([0.4, -0.2, 0.9])
    target = Rotation.from_euler("ZYX", motor.target, degrees=True)
    omega = np.array([1.0, -0.5, 0.25])
    turn = (pose.inv() * target).as_rotvec()
    expected = 0.5 * (
        np.array(motor.base_torque) + 120.0 * turn + 4.0 * (np.array(motor.target_velocity) - omega)
    )
    q = np.roll(pose.as_quat(), 1)
    assert joint(q, omega).total() == pytest.approx(expected)
    assert joint(-q, omega).total() == pytest.approx(expected), "both signs of q are the same posture"


def test_motor_cap_is_on_the_whole_torque(bench):
    joint = bench(motor=Motor(base_torque=(30.0, 40.0, 0.0), max_torque=10.0))
    assert joint(IDENTITY, np.zeros(3)).total() == pytest.approx([6.0, 8.0, 0.0])


def test_revolute_motor(bench):
    motor = Motor(stiffness=50.0, damping=2.0, target=(90.0, 5.0, 5.0), base_torque=(1.0, 9.0, 9.0))
    hinge = bench(REVOLUTE, motor=motor)
    assert hinge([np.radians(30.0)], [0.5]).total() == pytest.approx([1.0 + 50.0 * np.pi / 3 - 1.0, 0.0, 0.0])


def test_the_actors_motor_replaces_the_models(bench):
    hinge = bench(
        REVOLUTE, motor=Motor(base_torque=(5.0, 0, 0)), entry={"motor": Motor(base_torque=(7.0, 0, 0))}
    )
    assert hinge([0.0], [0.0]).total()[0] == 7.0


def test_gain_and_target_over_time(bench):
    motor = Motor(
        stiffness=10.0,
        gain_over_time=((1.0, 0.0), (2.0, 1.0), (4.0, 3.0)),
        target_over_time=((0.0, 0.0, 0.0, 0.0), (4.0, 0.0, 0.0, 80.0), (5.0, 60.0, 0.0, 0.0)),
    )
    joint = bench(motor=motor)
    assert joint(IDENTITY, np.zeros(3), t=0.5).total() == pytest.approx(np.zeros(3))
    assert joint(IDENTITY, np.zeros(3), t=2.0).total() == pytest.approx([10.0 * np.radians(40.0), 0.0, 0.0])
    assert joint(IDENTITY, np.zeros(3), t=3.0).total() == pytest.approx([20.0 * np.radians(60.0), 0.0, 0.0])
    first, second = Rotation.from_euler("x", 80, degrees=True), Rotation.from_euler("z", 60, degrees=True)
    halfway = first * Rotation.from_rotvec(0.5 * (first.inv() * second).as_rotvec())
    assert joint(IDENTITY, np.zeros(3), t=4.5).total() == pytest.approx(30.0 * halfway.as_rotvec())
    assert joint(IDENTITY, np.zeros(3), t=9.0).total() == pytest.approx([0.0, 0.0, 30.0 * np.radians(60.0)])


def test_motor_impedance_against_differences(bench):
    """h D + h^2 K with K the symmetric part of minus the difference of the torque over a small turn."""
    joint = bench(motor=Motor(stiffness=90.0, damping=3.0, target=(30.0, 70.0, -40.0)))
    pose = Rotation.from_rotvec([0.7, -0.4, 0.3])
    h, step = 1e-4, 1e-6
    K = np.zeros((3, 3))
    for k in range(3):
        turn = step * np.eye(3)[k]
        ahead, behind = (
            joint(np.roll((pose * Rotation.from_rotvec(s * turn)).as_quat(), 1), np.zeros(3)).total()
            for s in (1, -1)
        )
        K[:, k] = -(ahead - behind) / (2 * step)
    B = joint(np.roll(pose.as_quat(), 1), np.zeros(3), h=h).total_impedance()
    assert B == pytest.approx(h * 3.0 * np.eye(3) + h * h * 0.5 * (K + K.T), rel=1e-6)


def coupled(bench, coupler, types=(SPHERICAL, REVOLUTE)):
    names = ("leader", "follower")
    entries = [JointEntry(Joint(name, kind, None, name)) for kind, name in zip(types, names, strict=True)]
    entries[1].couplers.append((coupler, 0))
    return bench.of(*entries)


def test_coupler_power_is_minus_the_rate_of_its_energy(bench):
    """tau . omega over both joints = -dV/dt - d c_dot^2, V = k c^2 / 2, c = follower - ratio * leader - offset."""
    coupler = Coupler(
        "bend", "leader", "follower", axis="y", ratio=0.6, offset=10.0, stiffness=300.0, damping=2.0
    )
    pair = coupled(bench, coupler)
    rng = np.random.default_rng(1)
    for _ in range(10):
        pose, omega = Rotation.from_rotvec(rng.uniform(-1, 1, 3)), rng.uniform(-3, 3, 3)
        angle, rate = rng.uniform(-1, 1), rng.uniform(-3, 3)

        def mismatch(dt, pose=pose, omega=omega, angle=angle, rate=rate):
            leader = (pose * Rotation.from_rotvec(dt * omega)).as_rotvec()[1]
            return angle + dt * rate - 0.6 * leader - np.radians(10.0)

        c, c_dot = mismatch(0.0), (mismatch(1e-6) - mismatch(-1e-6)) / 2e-6
        result = pair([*np.roll(pose.as_quat(), 1), angle], [*omega, rate])
        power = result.total(0) @ omega + result.total(1)[0] * rate
        assert power == pytest.approx(-300.0 * c * c_dot - 2.0 * c_dot**2, rel=1e-6)


def test_coupled_hinges_keep_their_energy(bench):
    """Two hinges, a stiff coupler without damping, explicit Verlet steps: the energy stays."""
    pair = coupled(
        bench,
        Coupler("bend", "leader", "follower", ratio=2.0, stiffness=50.0, damping=0.0),
        (REVOLUTE, REVOLUTE),
    )
    inertia = np.array([0.02, 0.05])
    q, u, h = np.array([0.3, -0.2]), np.array([1.0, -2.0]), 1e-4

    def energy():
        return 0.5 * inertia @ u**2 + 25.0 * (q[1] - 2.0 * q[0]) ** 2

    before = energy()
    for _ in range(4000):
        u = u + 0.5 * h * pair(q, u).torque[:, :, 0].sum(axis=1) / inertia
        q = q + h * u
        u = u + 0.5 * h * pair(q, u).torque[:, :, 0].sum(axis=1) / inertia
    assert energy() == pytest.approx(before, rel=1e-4)


def test_stiff_coupler_is_stable_on_light_links(bench):
    """Far beyond the explicit limit (h d / I = 200): the linearly implicit step settles on the ratio."""
    pair = coupled(
        bench,
        Coupler("bend", "leader", "follower", ratio=0.5, stiffness=1e5, damping=100.0),
        (REVOLUTE, REVOLUTE),
    )
    inertia = np.array([5e-5, 5e-5])
    q, u, h = np.array([0.4, 0.2]), np.array([5.0, 0.0]), 1e-4
    start = 0.5 * inertia @ u**2
    for _ in range(2000):
        result = pair(q, u, h=h)
        B = result.impedance[:, :, 0, 0].sum(axis=1)
        u = u + h * result.torque[:, :, 0].sum(axis=1) / (inertia + B)
        q = q + h * u
        assert 0.5 * inertia @ u**2 + 0.5e5 * (q[1] - 0.5 * q[0]) ** 2 <= start * 1.001
    assert q[1] == pytest.approx(0.5 * q[0], abs=1e-6)
