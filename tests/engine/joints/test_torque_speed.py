"""Motors whose largest torque goes with the speed: against closed forms, and the published points of the curves."""

import numpy as np
import pytest
from scipy.integrate import quad

from mannequin.engine import Actor, Body, Joint, Model, Motor, Scenario, Settings, run
from mannequin.engine.spec.response_joints import MAN, RESPONSE_JOINTS
from mannequin.engine.spec.torque_speed import ARMS_AND_TRUNK, LEGS, MEASURED, RATES, torque_over_speed
from mannequin.engine.spec.values import STANDARD_GRAVITY

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
LAW = ((-4.0, 1.5), (0.0, 1.0), (10.0, 0.0))


def test_the_cap_goes_with_the_rate_along_the_torque(bench):
    """Shortening at 2 rad/s leaves 0.8 of 10 N m, giving way at 2 rad/s 1.25, beyond the curve its ends are held."""
    push = Motor(base_torque=(100.0, 0.0, 0.0), max_torque=10.0, torque_over_speed=LAW)
    hinge = bench("revolute", axis=(1.0, 0.0, 0.0), motor=push)
    for rate, expected in ((0.0, 10.0), (2.0, 8.0), (-2.0, 12.5), (-9.0, 15.0), (12.0, 0.0)):
        assert hinge([0.0], [rate]).total()[0] == pytest.approx(expected)
    pull = Motor(base_torque=(-100.0, 0.0, 0.0), max_torque=10.0, torque_over_speed=LAW)
    assert bench("revolute", axis=(1.0, 0.0, 0.0), motor=pull)([0.0], [-2.0]).total()[0] == pytest.approx(
        -8.0
    )


def test_a_ball_looks_at_the_rate_along_its_torque(bench):
    """Turning across the torque changes nothing; 5 rad/s along (3, 4, 0) / 5 are 3 and 4 rad/s."""
    motor = Motor(base_torque=(30.0, 40.0, 0.0), max_torque=10.0, torque_over_speed=LAW)
    joint = bench(motor=motor)
    assert joint(IDENTITY, [4.0, -3.0, 7.0]).total() == pytest.approx([6.0, 8.0, 0.0])
    assert joint(IDENTITY, [3.0, 4.0, 0.0]).total() == pytest.approx([3.0, 4.0, 0.0])


def test_what_is_below_the_cap_is_not_cut(bench):
    joint = bench(motor=Motor(base_torque=(3.0, 0.0, 0.0), max_torque=10.0, torque_over_speed=LAW))
    assert joint(IDENTITY, [2.0, 0.0, 0.0]).total()[0] == pytest.approx(3.0)


def test_impedance_has_the_slope_of_the_cap(bench):
    """Against differences of the torque over the rate: h times its fall, about the axis of the torque only."""
    motor = Motor(base_torque=(30.0, 40.0, 0.0), max_torque=10.0, torque_over_speed=LAW)
    joint, omega, h, d = bench(motor=motor), np.array([0.6, 0.8, 0.0]), 1e-3, 1e-6
    slope = np.column_stack(
        [
            (joint(IDENTITY, omega + d * e).total() - joint(IDENTITY, omega - d * e).total()) / (2 * d)
            for e in np.eye(3)
        ]
    )
    assert joint(IDENTITY, omega, h=h).total_impedance() == pytest.approx(-h * slope, abs=1e-9)


def wheel(motor: Motor, rate: float, duration: float, step: float = 1e-4):
    """Turn rates (rad/s) over time of a flywheel of 0.5 kg m2 on a hinge, driven by a motor."""
    disc = Body("disc", 1.0, inertia=(0.5, 0.5, 0.5, 0.0, 0.0, 0.0))
    model = Model(
        "wheel", [disc], [Joint("axle", "revolute", None, "disc", axis=(0.0, 0.0, 1.0), damping=0.0)]
    )
    actor = Actor("wheel", model, motors={"axle": motor}, joint_velocities={"axle": (rate, 0.0, 0.0)})
    settings = Settings(
        duration=duration,
        time_step=step,
        output_step=duration,
        gravity=(0.0, 0.0, 0.0),
        default_joint_damping=0.0,
    )
    return run(Scenario("wheel", [actor], settings=settings, default_sensors=False))


def test_a_flywheel_is_brought_to_speed_as_the_line_says():
    """I w' = T (1 - w / w0): w = w0 (1 - exp(-T t / I w0)). A step is linearly implicit, which for a line is implicit
    Euler's, w = w0 (1 - (1 + T h / I w0)^-n) after n of them."""
    motor = Motor(
        base_torque=(100.0, 0.0, 0.0), max_torque=10.0, torque_over_speed=((-1.0, 1.1), (10.0, 0.0))
    )
    for step, count in ((1e-3, 400), (1e-4, 4000)):
        found = wheel(motor, 0.0, 0.4, step).angular_velocity[-1, 0, 2]
        assert found == pytest.approx(10.0 * (1.0 - (1.0 + 2.0 * step) ** -count), rel=1e-10)
    assert found == pytest.approx(10.0 * (1.0 - np.exp(-2.0 * 0.4)), rel=1e-4)


def test_a_flywheel_is_stopped_in_the_time_of_hills_curve():
    """Muscles that give way: t = I / T integral of dw / f(w), by quadrature over the sampled curve."""
    law = torque_over_speed("elbow", "male", False)
    rates, factors = np.array(law).T
    motor = Motor(damping=1e4, max_torque=20.0, torque_over_speed=law)
    time = 0.5 / 20.0 * quad(lambda w: 1.0 / np.interp(-w, rates, factors), 2.0, 8.0, points=[4.0])[0]
    assert wheel(motor, 8.0, time, time / 5000).angular_velocity[-1, 0, 2] == pytest.approx(2.0, abs=5e-3)


@pytest.mark.parametrize("joint", LEGS)
def test_legs_have_the_published_points(joint):
    """Anderson et al.: 3/4 and 1/2 of the isometric torque are left at C4 and C5, (1 + C6 w) times what shortening at
    that rate would leave while giving way at 60 degrees/s; it stays beyond."""
    for muscles in LEGS[joint].values():
        a, b = muscles.three_quarters, muscles.half
        assert muscles.share(a) == pytest.approx(0.75) and muscles.share(b) == pytest.approx(0.5)
        assert muscles.share(0.0) == 1.0
        stretched = muscles.share(MEASURED) * (1.0 + muscles.gain * MEASURED)
        assert muscles.share(-MEASURED) == pytest.approx(stretched)
        assert muscles.share(-9.0) == muscles.share(-MEASURED)


def test_legs_are_as_strong_as_published():
    """Anderson et al., C1 of young men's extensors times weight times height of the mid-size man."""
    strengths = {entry.muscles: entry.torque for entry in RESPONSE_JOINTS}
    for joint, share in (("hip", 0.161), ("knee", 0.163), ("ankle", 0.095)):
        assert strengths[joint] == pytest.approx(share * MAN[1] * STANDARD_GRAVITY * MAN[0], rel=0.005)


@pytest.mark.parametrize("joint", ARMS_AND_TRUNK)
def test_arms_and_trunk_have_hills_hyperbola(joint):
    """(T + a)(w + b) = const, nothing left at the fastest rate, no kink at rest, never above `most`."""
    for muscles in ARMS_AND_TRUNK[joint]:
        a, b = muscles.curvature, muscles.curvature * muscles.fastest
        products = [(muscles.share(w) + a) * (w + b) for w in np.linspace(0.0, muscles.fastest, 7)]
        assert products == pytest.approx([products[0]] * 7)
        assert muscles.share(0.5 * muscles.fastest) == pytest.approx(muscles.middle)
        slopes = [(muscles.share(s * 1e-6) - 1.0) / (s * 1e-6) for s in (1.0, -1.0)]
        assert slopes[0] == pytest.approx(slopes[1], rel=1e-4)
        assert 1.0 < muscles.share(-4.0) < muscles.most and muscles.share(-1e6) == pytest.approx(
            muscles.most, rel=1e-4
        )


def test_curves_of_arms_are_the_means_of_both_directions():
    for joint, pair in ARMS_AND_TRUNK.items():
        for rate, factor in torque_over_speed(joint, "female", True):
            assert rate in RATES and factor == pytest.approx(
                0.5 * sum(muscles.share(rate) for muscles in pair)
            )
    assert torque_over_speed("neck", "male", False) is None
    young, old = (dict(torque_over_speed("knee", "female", is_old)) for is_old in (False, True))
    assert old[-MEASURED] > young[-MEASURED] and old[4.0] < young[4.0], "what the old lose is speed"
