"""Cone of feasible motion (docs/derivations.md, Cone of motion): the spline against SciPy's, the torque as the gradient
of an energy written down here again.
"""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicHermiteSpline, CubicSpline
from scipy.spatial.transform import Rotation

from mannequin.engine import Actor, Body, Joint, Model, Scenario, Settings, run
from mannequin.engine.joints.cone import bounded_slopes, cone_limit, penalty, spline_slopes
from mannequin.engine.spec import ConeLimits

LONGITUDES = (0, 30, 45, 60, 90, 135, 180, 225, 270, 315)
SPLINES = {
    (140, 90, 30, 90): (140, 133.1481, 125.3125, 115.1852, 90, 49.6875, 30, 49.6875, 90, 125.3125),
    (10, 120, 50, 45): (10, 44.6296, 68.2812, 91.2037, 120, 95.7812, 50, 44.2188, 45, 16.7188),
}
SHOULDER = ConeLimits(quadrant_angles=(140.0, 90.0, 30.0, 90.0))
HIP = ConeLimits(
    quadrant_angles=(10.0, 120.0, 50.0, 45.0),
    axis=(0.1, -0.2, 1.0),
    zero_longitude=(1.0, 0.5, 0.0),
    limb_axis=(0.0, 0.3, 1.0),
    torque=452.0,
)


def limit_at(knots, slopes, theta):
    return cone_limit(np.radians([knots]), np.radians([slopes]), 0, float(theta))


@pytest.mark.parametrize("knots", SPLINES)
def test_spline_of_four_quadrants(knots):
    slopes = spline_slopes(np.array(knots, dtype=float))
    for degrees, expected in zip(LONGITUDES, SPLINES[knots], strict=True):
        value, _ = limit_at(knots, slopes, np.radians(degrees))
        assert np.degrees(value) == pytest.approx(expected, abs=5.1e-5)  # the table prints four decimals


@pytest.mark.parametrize("knots", [*SPLINES, (40, 35, 30, 35), (60, 40, 60, 40), (3, 170, 90, 20)])
def test_spline_is_scipys_periodic_cubic_spline(knots):
    spline = CubicSpline(np.arange(5) * np.pi / 2, np.radians([*knots, knots[0]]), bc_type="periodic")
    slopes = spline_slopes(np.array(knots, dtype=float))
    for theta in np.linspace(-3.0, 9.0, 60):
        value, slope = limit_at(knots, slopes, theta)
        assert value == pytest.approx(float(spline(theta % (2 * np.pi))), abs=1e-12)
        assert slope == pytest.approx(float(spline(theta % (2 * np.pi), 1)), abs=1e-12)


def test_bounded_spline_stays_between_its_knots():
    """The plain spline of the hip dips to 5.38 and rises to 121.1 degrees; the bounded one does not."""
    knots = np.array([10.0, 120.0, 50.0, 45.0])
    theta = np.linspace(0.0, 2 * np.pi, 721)
    plain = np.degrees([limit_at(knots, spline_slopes(knots), x)[0] for x in theta])
    assert (plain.min(), plain.max()) == pytest.approx((5.38, 121.1), abs=0.05)
    bounded = np.degrees([limit_at(knots, bounded_slopes(knots), x)[0] for x in theta])
    assert bounded.min() >= 10.0 - 1e-12 and bounded.max() <= 120.0 + 1e-12
    for k in range(4):
        segment = np.diff(bounded[k * 180 : (k + 1) * 180 + 1])
        assert (segment >= -1e-12).all() or (segment <= 1e-12).all()


def test_bounds_leave_a_spline_without_overshoot_alone():
    knots = np.array([140.0, 90.0, 30.0, 90.0])
    assert bounded_slopes(knots) == pytest.approx(spline_slopes(knots), abs=1e-15)


def test_penalty_polynomial():
    """p(0.5) = 0.5, p(1) = 1, p'(0) = p'(1) = 0; past 1 it goes on growing instead of falling."""
    assert penalty(-0.1) == (0.0, 0.0)
    assert penalty(0.5) == pytest.approx((0.5, 1.5), abs=1e-15)
    assert penalty(1.0 - 1e-12)[0] == pytest.approx(1.0, abs=1e-12)
    assert penalty(1.0 - 1e-12)[1] == pytest.approx(0.0, abs=1e-11)
    for x in (0.1, 0.3, 0.7, 0.9):
        assert penalty(x)[0] == pytest.approx(3 * x**2 - 2 * x**3, abs=1e-15)
        assert penalty(x)[1] == pytest.approx((penalty(x + 1e-6)[0] - penalty(x - 1e-6)[0]) / 2e-6, abs=1e-8)
    assert penalty(1.5)[0] == 1.5


def cone_energy(cone, q):
    """m_p times the integral of the penalty over the excess, from the definitions, with SciPy's Hermite segments."""
    axis = np.array(cone.axis) / np.linalg.norm(cone.axis)
    zero = np.array(cone.zero_longitude) - (np.array(cone.zero_longitude) @ axis) * axis
    zero /= np.linalg.norm(zero)
    limb = Rotation.from_quat(np.roll(q, -1)).apply(np.array(cone.limb_axis) / np.linalg.norm(cone.limb_axis))
    beta = np.arccos(np.clip(limb @ axis, -1.0, 1.0))
    theta = np.arctan2(limb @ np.cross(axis, zero), limb @ zero) % (2 * np.pi)
    knots = np.radians(cone.quadrant_angles)
    slopes = bounded_slopes(knots)
    limit = float(
        CubicHermiteSpline(np.arange(5) * np.pi / 2, [*knots, knots[0]], [*slopes, slopes[0]])(theta)
    )
    s = np.clip((beta - np.radians(150)) / np.radians(30), 0.0, 1.0)
    limit += (3 * s**2 - 2 * s**3) * (knots.max() - limit)
    width = np.radians(cone.width)
    x = max(0.0, (beta - limit) / width)
    area = x**3 - x**4 / 2 if x < 1.0 else 0.5 + (x**2 - 1.0) / 2
    return cone.torque * width * area


@pytest.mark.parametrize("cone", [SHOULDER, HIP], ids=["shoulder", "hip"])
@pytest.mark.parametrize(("low", "high"), [(5, 60), (60, 120), (89.9, 90.1), (120, 178), (179, 179.9)])
def test_cone_torque_is_minus_the_gradient_of_the_energy(bench, rotations, cone, low, high):
    joint = bench(cone=cone)
    rng = np.random.default_rng(int(low))
    pressed = 0
    for _ in range(40):
        direction = rng.normal(size=3)
        angle = np.radians(rng.uniform(low, high))
        q = rotations.quaternion(Rotation.from_rotvec(angle * direction / np.linalg.norm(direction)))
        expected = -rotations.gradient(lambda p: cone_energy(cone, p), q)
        assert joint(q, np.zeros(3)).total() == pytest.approx(expected, rel=2e-5, abs=2e-3)
        pressed += np.linalg.norm(expected) > 1.0
    assert pressed > 3


def test_cone_pushes_the_limb_inward(bench):
    """Swung 35 degrees to the rear where 30 are allowed: a pure torque back, of the size of the polynomial."""
    joint = bench(cone=SHOULDER)
    q = np.roll(Rotation.from_rotvec([0.0, -np.radians(35.0), 0.0]).as_quat(), 1)
    x = 5.0 / 11.5
    assert joint(q, np.zeros(3)).total() == pytest.approx([0.0, 226.0 * (3 * x**2 - 2 * x**3), 0.0], abs=1e-9)


def test_cone_is_silent_inside(bench):
    joint = bench(cone=SHOULDER)
    for vector in (
        (0.0, 0.0, 0.0),
        (0.0, np.radians(139.0), 0.0),
        (np.radians(-89.0), 0.0, 0.0),
        (0.0, 0.0, 2.0),
    ):
        q = np.roll(Rotation.from_rotvec(vector).as_quat(), 1)
        assert joint(q, [3.0, -2.0, 1.0]).total() == pytest.approx(np.zeros(3), abs=1e-12)


def test_a_limb_never_escapes(bench):
    """Past full width the torque keeps growing: 226 N m at one width, 452 at two."""
    joint = bench(cone=SHOULDER)
    for widths in (1.0, 2.0, 4.0):
        q = np.roll(Rotation.from_rotvec([0.0, -np.radians(30.0 + widths * 11.5), 0.0]).as_quat(), 1)
        assert joint(q, np.zeros(3)).total()[1] == pytest.approx(226.0 * widths)


TWISTED = ConeLimits(
    quadrant_angles=(180.0,) * 4, limb_axis=(0.2, -0.1, -1.0), axis=(0.2, -0.1, -1.0), twist=(-30.0, 50.0)
)


def twist_energy(q):
    """SciPy's view of the twist: the turn left after the smallest rotation that carries the limb axis along."""
    limb = np.array(TWISTED.limb_axis) / np.linalg.norm(TWISTED.limb_axis)
    pose = Rotation.from_quat(np.roll(q, -1))
    carried = pose.apply(limb)
    swing_axis = np.cross(limb, carried)
    size = np.linalg.norm(swing_axis)
    swing_angle = np.arctan2(size, limb @ carried)
    swing = Rotation.from_rotvec(swing_angle * swing_axis / size) if size > 1e-12 else Rotation.identity()
    twist = (swing.inv() * pose).as_rotvec() @ limb
    violation = max(0.0, twist - np.radians(50.0)) + max(0.0, np.radians(-30.0) - twist)
    fade = np.clip(np.cos(swing_angle / 2) ** 2 / 0.067, 0.0, 1.0)
    return (3 * fade**2 - 2 * fade**3) * 0.5 * TWISTED.twist_stiffness * violation**2


@pytest.mark.parametrize(("low", "high"), [(40, 90), (89, 91), (90, 150), (150, 175)])
def test_twist_torque_is_minus_the_gradient_of_the_energy(bench, rotations, low, high):
    joint = bench(cone=TWISTED)
    rng = np.random.default_rng(int(low))
    pressed = 0
    for _ in range(60):
        limb = np.array(TWISTED.limb_axis) / np.linalg.norm(TWISTED.limb_axis)
        across = np.cross(limb, rng.normal(size=3))
        swing = Rotation.from_rotvec(np.radians(rng.uniform(low, high)) * across / np.linalg.norm(across))
        q = rotations.quaternion(swing * Rotation.from_rotvec(np.radians(rng.uniform(-170, 170)) * limb))
        if abs(q[0]) < 1e-3:
            continue
        expected = -rotations.gradient(twist_energy, q)
        assert joint(q, np.zeros(3)).total() == pytest.approx(expected, rel=1e-4, abs=2e-3)
        pressed += np.linalg.norm(expected) > 1.0
    assert pressed > 10


def test_pure_twist_closed_form(bench):
    joint = bench(cone=ConeLimits((60.0,) * 4, twist=(-20.0, 40.0), twist_stiffness=200.0, twist_damping=2.0))
    q = np.roll(Rotation.from_rotvec([0.0, 0.0, np.radians(50.0)]).as_quat(), 1)
    assert joint(q, np.zeros(3)).total() == pytest.approx([0.0, 0.0, -200.0 * np.radians(10.0)])
    assert joint(q, [0.0, 0.0, 1.0]).total()[2] == pytest.approx(-200.0 * np.radians(10.0) - 2.0)
    assert joint(q, [0.0, 0.0, -1.0]).total()[2] == pytest.approx(-200.0 * np.radians(10.0) + 2.0)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(phi=st.tuples(*[st.floats(-1.7, 1.7)] * 3), omega=st.tuples(*[st.floats(-40.0, 40.0)] * 3))
def test_cone_and_twist_dampers_only_take_energy(bench, phi, omega):
    cone = ConeLimits((60.0, 30.0, 20.0, 40.0), twist=(-10.0, 25.0))
    joint = bench(cone=cone)
    q = np.roll(Rotation.from_rotvec(phi).as_quat(), 1)
    q = q if q[0] >= 0.0 else -q
    damper = joint(q, omega).total() - joint(q, np.zeros(3)).total()
    assert damper @ np.array(omega) <= 1e-9


def test_work_around_a_circle_outside_the_cone_is_zero(bench):
    """The printed law, without its longitude part, gains energy around one of the two senses of this circle."""
    joint = bench(cone=ConeLimits((60.0, 30.0, 20.0, 40.0)))
    swing = Rotation.from_rotvec([0.0, np.radians(65.0), 0.0])
    work = moved = 0.0
    count = 400
    for k in range(count):
        # the limb axis circles the cone axis: turn by theta about z in the parent, back in the child
        theta = 2 * np.pi * (k + 0.5) / count
        pose = Rotation.from_rotvec([0.0, 0.0, theta]) * swing * Rotation.from_rotvec([0.0, 0.0, -theta])
        ahead, behind = (
            Rotation.from_rotvec([0.0, 0.0, x]) * swing * Rotation.from_rotvec([0.0, 0.0, -x])
            for x in (theta + np.pi / count, theta - np.pi / count)
        )
        q = np.roll(pose.as_quat(), 1)
        step = (behind.inv() * ahead).as_rotvec()
        part = joint(q if q[0] >= 0 else -q, np.zeros(3)).total() @ step
        work, moved = work + part, moved + abs(part)
    assert moved > 50.0
    assert abs(work) < 1e-4 * moved


@pytest.mark.parametrize("offset", [1e-5, 1e-4, 3e-4])
def test_a_limb_that_passes_the_cone_axis_is_left_alone(offset):
    """A limb swings past the cone axis, inside its cone: as if it had none. There the longitude runs round within a
    step, and what its rate calls for must not be taken as a limit reached (it made the end of a tackle jump with the
    time step)."""
    cone = ConeLimits(quadrant_angles=(10.0, 120.0, 50.0, 45.0), axis=(0, 0, -1), zero_longitude=(0, -1, 0),
                      limb_axis=(0, 0, -1), torque=452.0)  # fmt: skip
    ends = []
    for limit in (cone, None):
        body = Body("thigh", 8.0, (0.1, 0.1, 0.02, 0.0, 0.0, 0.0), center_of_mass=(0.0, 0.0, -0.2))
        joint = Joint("hip", "spherical", None, "thigh", cone=limit, damping=0.0)
        start = {
            "joint_angles": {"hip": (0.0, -2.0, np.degrees(offset))},
            "joint_velocities": {"hip": (0.0, 4.0, 0.0)},
        }
        actor = Actor("leg", Model("leg", [body], [joint]), **start)
        set_up = Settings(duration=0.02, output_step=1e-3, time_step=1e-4, ground=False)
        ends.append(run(Scenario("swing", [actor], settings=set_up)))
    turned = np.degrees(ends[0].joint_angle[:, 0, 1])
    assert turned[0] < -1.0 and turned[-1] > 1.0, "it passes the axis"
    np.testing.assert_array_equal(ends[0].angular_velocity, ends[1].angular_velocity)
