"""Damping, friction and springs inside the range of motion."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mannequin.engine.joints.compile import SLIP_ANGLE
from mannequin.engine.spec import JointFriction, JointSpring, Settings

REVOLUTE = "revolute"


def quaternion(*rotation_vector):
    return np.roll(Rotation.from_rotvec(rotation_vector).as_quat(), 1)


def test_viscous_damping_and_its_factors(bench):
    omega = np.array([1.0, -2.0, 3.0])
    own = bench(damping=3.39, settings=Settings(joint_damping=2.0, default_joint_damping=7.0))
    assert own(quaternion(0.1, 0, 0), omega).total() == pytest.approx(-2.0 * 3.39 * omega)
    default = bench(settings=Settings(joint_damping=0.5, default_joint_damping=7.0))
    result = default(quaternion(0.1, 0, 0), omega, h=1e-3)
    assert result.total() == pytest.approx(-3.5 * omega)
    assert result.total_impedance() == pytest.approx(3.5e-3 * np.eye(3))
    assert default.jf.damping[0] == 3.5


def test_dummy_friction_is_constant_when_sliding_and_springs_at_rest(bench):
    joint = bench(friction=JointFriction(torque=12.0))
    joint.start(quaternion(0.0, 0.0, 0.0))
    fast = joint(quaternion(0.0, 0.0, 0.0), [0.0, 30.0, 40.0]).total()
    assert fast == pytest.approx([0.0, -12.0 * 0.6, -12.0 * 0.8], rel=1e-6)
    assert joint(quaternion(0.0, 0.0, 0.0), np.zeros(3)).total() == pytest.approx(np.zeros(3))
    half = joint(quaternion(0.5 * SLIP_ANGLE, 0.0, 0.0), np.zeros(3)).total()
    assert half == pytest.approx([-6.0, 0.0, 0.0])
    # turned far, the spring has followed: it holds 12 N m against the last motion, wherever the joint is
    joint.commit(quaternion(1.0, 0.0, 0.0))
    assert joint(quaternion(1.0, 0.0, 0.0), np.zeros(3)).total() == pytest.approx([-12.0, 0.0, 0.0])
    back = joint(quaternion(1.0 - SLIP_ANGLE, 0.0, 0.0), np.zeros(3)).total()
    assert back == pytest.approx(np.zeros(3), abs=1e-9)


@pytest.mark.long
def test_friction_takes_energy_on_any_closed_way(bench):
    """Work over random closed ways in small steps: minus what slid, never a gain."""
    rng = np.random.default_rng(4)
    for _ in range(5):
        joint = bench(REVOLUTE, friction=JointFriction(torque=7.0))
        joint.start([0.0])
        ends = np.append(rng.uniform(-0.05, 0.05, 6), 0.0)
        way = np.concatenate([np.linspace(a, b, 2000) for a, b in zip(ends[:-1], ends[1:], strict=True)])
        work = 0.0
        for before, after in zip(way[:-1], way[1:], strict=True):
            work += joint([0.5 * (before + after)], [0.0]).total()[0] * (after - before)
            joint.commit([after])
        slid = np.abs(np.diff(way)).sum()
        assert -7.0 * slid <= work < 0.0


def test_human_friction_drops_after_first_motion_and_stays_away(bench):
    joint = bench(friction=JointFriction(torque=10.0, drop_angle=8.0))
    joint.start(quaternion(0.0, 0.3, 0.0))

    def share(degrees):
        turned = Rotation.from_rotvec([0.0, 0.3, 0.0]) * Rotation.from_rotvec([np.radians(degrees), 0.0, 0.0])
        return np.linalg.norm(joint(np.roll(turned.as_quat(), 1), [0.0, 0.0, 50.0]).total()) / 10.0

    assert share(0.0) == pytest.approx(1.0, abs=1e-6)
    assert share(4.0) == pytest.approx(0.5, abs=1e-6)
    assert share(8.1) == 0.0
    assert share(2.0) > 0.5, "without a committed step the turn has not happened"
    turned = Rotation.from_rotvec([0.0, 0.3, 0.0]) * Rotation.from_rotvec([np.radians(9.0), 0.0, 0.0])
    joint.commit(np.roll(turned.as_quat(), 1))
    assert share(0.0) == 0.0


@pytest.mark.parametrize(("load", "holds"), [(6.0, True), (9.99, True), (10.5, False)])
def test_friction_holds_a_limb_below_its_size_without_creep(bench, load, holds):
    joint = bench(REVOLUTE, friction=JointFriction(torque=10.0))
    joint.start([0.0])
    inertia, h, angle, rate = 5e-3, 1e-4, 0.0, 0.0
    for step in range(6000):
        result = joint([angle], [rate], h=h)
        push = load * min(1.0, step / 4000)  # slowly, or its momentum would carry it further
        rate += h * (push + result.total()[0]) / (inertia + result.total_impedance()[0, 0])
        angle += h * rate
        joint.commit([angle])
    if holds:
        assert abs(rate) < 1e-6
        assert angle == pytest.approx(load / 10.0 * SLIP_ANGLE, rel=1e-3)
    else:
        # from when the load passes 10 N m on: the integral of (load - 10) / inertia, less h m / omega that the implicit
        # step adds to the inertia while it is slow
        seconds = 0.4 * (1.0 - 10.0 / load)
        assert rate == pytest.approx((0.5 * 0.5 * seconds + 0.5 * 0.2) / inertia, rel=0.06)


def test_spring_curve(bench):
    curve = ((-60.0, 30.0), (0.0, 0.0), (30.0, -6.0), (60.0, -30.0))
    joint = bench(springs=[JointSpring(axis="y", curve=curve, damping=0.5)])
    for degrees, torque in ((-30.0, 15.0), (15.0, -3.0), (45.0, -18.0), (70.0, -38.0), (-72.0, 36.0)):
        result = joint(quaternion(0.0, np.radians(degrees), 0.0), np.zeros(3))
        assert result.torque[0, 2] == pytest.approx([0.0, torque, 0.0], abs=1e-12)
    moving = joint(quaternion(0.0, np.radians(15.0), 0.0), [0.0, 2.0, 0.0])
    assert moving.torque[0, 2] == pytest.approx([0.0, -3.0 - 1.0, 0.0])


def test_spring_is_conservative_off_axis(bench, rotations):
    """A linear curve about z costs k phi_z^2 / 2 in every posture."""
    k = 40.0
    joint = bench(springs=[JointSpring(axis="z", curve=((-90.0, k * np.pi / 2), (90.0, -k * np.pi / 2)))])
    rng = np.random.default_rng(3)
    for _ in range(20):
        q = rotations.quaternion(Rotation.from_rotvec(rng.uniform(-1.5, 1.5, 3)))
        energy = lambda p: 0.5 * k * Rotation.from_quat(np.roll(p, -1)).as_rotvec()[2] ** 2  # noqa: E731
        assert joint(q, np.zeros(3)).total() == pytest.approx(
            -rotations.gradient(energy, q), rel=1e-5, abs=1e-6
        )


def test_springs_with_a_pushing_slope_keep_the_impedance_positive(bench):
    joint = bench(REVOLUTE, springs=[JointSpring(axis="z", curve=((-10.0, -5.0), (10.0, 5.0)))])
    result = joint([0.05], [1.0], h=1e-4)
    assert result.total()[0] > 0.0
    assert result.total_impedance()[0, 0] == 0.0
