"""Motions whose solution is known from elsewhere: docs/derivations.md, Motions with a closed solution."""

from dataclasses import replace

import numpy as np
import pytest
from mechanisms import energies, free_space, momenta, point_pendulum, scenario_of, shifted, single_body
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation
from scipy.special import ellipk, ellipkinc

from mannequin.engine import Actor, Body, Joint, Model, Point, Scenario, TorquePulse, Weld, run
from mannequin.engine.spec import INTEGRATORS

G = 9.81


def frame_at(recording, t):
    index = round(t / (recording.times[1] - recording.times[0]))
    assert recording.times[index] == pytest.approx(t, abs=1e-12)
    return index


class TestProjectile:
    """docs/derivations.md, Projectile."""

    START = {"position": (0.0, 0.0, 2.0), "velocity": (3.0, -1.0, 4.0)}

    @pytest.mark.parametrize("integrator", INTEGRATORS)
    def test_follows_the_law_of_its_integrator(self, integrator):
        h = 1e-3
        settings = free_space(time_step=h, output_step=1e-2, integrator=integrator)
        recording = run(scenario_of(single_body(), settings, **self.START))
        t = recording.times
        # speeds are exact; positions of the first-order methods differ by g h t / 2, the others are exact
        error = {"symplectic_euler": -0.5, "forward_euler": 0.5}.get(integrator, 0.0) * G * h * t
        assert recording.velocity[:, 0, 2] == pytest.approx(4.0 - G * t, abs=1e-11)
        assert recording.position[:, 0, 2] == pytest.approx(2.0 + 4.0 * t - G * t**2 / 2 + error, abs=1e-11)
        assert recording.position[:, 0, :2] == pytest.approx(np.outer(t, [3.0, -1.0]), abs=1e-11)
        assert recording.acceleration[:, 0] == pytest.approx(np.tile([0.0, 0.0, -G], (len(t), 1)), abs=1e-12)

    def test_default_step_is_a_millimetre_off_after_a_second(self):
        recording = run(scenario_of(single_body(), free_space(), **self.START))
        assert recording.position[-1, 0, 2] == pytest.approx(2.0 + 4.0 - G / 2, abs=1e-3)


PERIOD = 2.3678419476
# IFToMM A01: (t, x, y) of the mass, y up, released from the horizontal
PENDULUM = [
    (0.5, -0.3910487916, -0.9203699488),
    (1.0, 0.9862917511, -0.1650108531),
    (2.0, -0.7935661953, -0.6084839304),
    (5.0, -0.9423054350, -0.3347543384),
    (10.0, -0.2750874626, -0.9614192051),
]


class TestPendulum:
    """docs/derivations.md, Pendulums, with a hinge and with a ball joint to the ground.

    A ball of 0.09 kg m2 at 0.9 m swings as a point at 1 m does, exactly: (m d^2 + I) / (m d) = 1.
    """

    def swing(self, joint_type, **settings):
        # the y turn is the first angle of a hinge about y, the second of a ball joint (Z, Y, X)
        angles = (90.0, 0.0, 0.0) if joint_type == "revolute" else (0.0, 90.0, 0.0)
        joint = Joint("pivot", joint_type, None, "body", axis=(0.0, 1.0, 0.0))
        scenario = scenario_of(
            single_body(1.0, (0.09, 0.09, 0.09, 0, 0, 0), joint, center_of_mass=(0.0, 0.0, -0.9)),
            free_space(duration=10.0, output_step=1e-2, **settings),
            joint_angles={"pivot": angles},
        )
        recording = run(scenario)
        return scenario, recording, recording.position[:, 0] / 0.9

    @pytest.mark.parametrize("joint_type", ["revolute", "spherical"])
    def test_benchmark_positions_and_energy_at_the_default_step(self, joint_type):
        scenario, recording, point = self.swing(joint_type)
        # a turn of +90 degrees about y takes -z to -x: the benchmark starts there
        assert point[0] == pytest.approx([-1.0, 0.0, 0.0], abs=1e-12)
        for t, x, y in PENDULUM:
            assert point[frame_at(recording, t)] == pytest.approx([x, 0.0, y], abs=1e-3)
        kinetic, gravity = energies(scenario, recording)
        change = (kinetic + gravity - kinetic[0] - gravity[0]) / G
        # the first-order method's energy swings by O(h) within a period and does not drift
        assert abs(change[round(4 * PERIOD / 1e-2)]) < 1e-4
        assert np.abs(change).max() < 5e-4

    @pytest.mark.parametrize("joint_type", ["revolute", "spherical"])
    def test_benchmark_to_nine_digits_with_runge_kutta(self, joint_type):
        scenario, recording, point = self.swing(joint_type, time_step=1e-3, integrator="runge_kutta_4")
        for t, x, y in PENDULUM:
            assert point[frame_at(recording, t)] == pytest.approx([x, 0.0, y], abs=1e-9)
        kinetic, gravity = energies(scenario, recording)
        assert np.abs(kinetic + gravity).max() < 1e-9

    def test_period(self):
        _, recording, _ = self.swing("revolute", time_step=1e-3, integrator="runge_kutta_4")
        rate, t = recording.joint_rate[:, 0, 1], recording.times
        # back at the start the rate passes zero upwards: the swing sets out with a negative rate
        i = next(i for i in range(10, len(t)) if rate[i - 1] > 0.0 >= rate[i])
        crossing = t[i - 1] - rate[i - 1] * (t[i] - t[i - 1]) / (rate[i] - rate[i - 1])
        assert crossing == pytest.approx(PERIOD, abs=1e-5)


DOUBLE = {
    30.0: (
        1e-3,
        [
            (0.25, 0.38377588, 0.50995307),
            (0.5, 0.10202235, 0.33681077),
            (1.0, -0.25455112, -0.54628348),
            (2.0, 0.03568212, -0.04183506),
        ],
    ),
    90.0: (
        5e-3,
        [
            (0.5, 0.57047205, 1.20387511),
            (1.0, -0.6250877, -1.03458509),
            (2.0, -0.48297153, -1.32404871),
        ],
    ),
}


class TestDoublePendulum:
    """Angles of both rods from the vertical (docs/derivations.md, Pendulums)."""

    @pytest.mark.parametrize("joint_type", ["revolute", "spherical"])
    @pytest.mark.parametrize("degrees", DOUBLE)
    @pytest.mark.parametrize(
        ("integrator", "time_step", "tolerance"),
        [("symplectic_euler", 1e-4, None), ("runge_kutta_4", 1e-3, 1e-6)],
    )
    def test_table(self, joint_type, degrees, integrator, time_step, tolerance):
        first = (degrees, 0.0, 0.0) if joint_type == "revolute" else (0.0, degrees, 0.0)
        scenario = scenario_of(
            point_pendulum(joint_type, count=2),
            free_space(duration=2.0, output_step=1e-2, integrator=integrator, time_step=time_step),
            joint_angles={"joint 0": first},
        )
        recording = run(scenario)
        allowed, rows = DOUBLE[degrees]
        for t, first, second in rows:
            i = frame_at(recording, t)
            rods = np.diff(np.vstack([np.zeros(3), recording.position[i]]), axis=0)
            angles = np.arctan2(-rods[:, 0], -rods[:, 2])
            assert angles == pytest.approx([first, second], abs=tolerance or allowed)


# I = (1, 2, 3), omega_0 = (.01, 5, .01): body-frame turn rates
TORQUE_FREE = [
    (2.0, (-1.16125006, 4.86329089, 0.67049775)),
    (3.0, (-3.86814181, -3.16821384, 2.23328764)),
    (5.0, (-0.01132569, -4.99999717, 0.01046058)),
]


class TestTorqueFreeRotation:
    """The unstable axis, from rest pose and from a turned one (docs/derivations.md, Free rotation)."""

    OMEGA = np.array([0.01, 5.0, 0.01])

    def tumble(self, orientation, **settings):
        turn = Rotation.from_euler("ZYX", orientation, degrees=True)
        scenario = scenario_of(
            single_body(),
            free_space(duration=5.0, output_step=1e-2, gravity=(0.0, 0.0, 0.0), **settings),
            orientation=orientation,
            angular_velocity=tuple(float(v) for v in turn.apply(self.OMEGA)),
        )
        return scenario, run(scenario), turn

    @pytest.mark.parametrize("orientation", [(0.0, 0.0, 0.0), (0.0, 0.0, 90.0), (40.0, -65.0, 130.0)])
    @pytest.mark.parametrize(
        ("integrator", "time_step", "tolerance"), [("runge_kutta_4", 1e-3, 1e-6), ("midpoint", 1e-4, 1e-3)]
    )
    def test_table(self, orientation, integrator, time_step, tolerance):
        _, recording, _ = self.tumble(orientation, integrator=integrator, time_step=time_step)
        self.check(recording, tolerance)

    def test_table_with_the_default_integrator(self):
        """This motion amplifies errors a thousandfold, so a first-order method needs very short steps."""
        _, recording, _ = self.tumble((40.0, -65.0, 130.0), time_step=1e-6)
        self.check(recording, 1e-3)

    def check(self, recording, tolerance):
        for t, omega in TORQUE_FREE:
            i = frame_at(recording, t)
            body = recording.rotation(0)[i].T @ recording.angular_velocity[i, 0]
            assert body == pytest.approx(omega, abs=tolerance)

    def test_momentum_and_energy_are_conserved(self):
        scenario, recording, turn = self.tumble((40.0, -65.0, 130.0), integrator="runge_kutta_4")
        _, angular = momenta(scenario, recording)
        expected = turn.apply([0.01, 10.0, 0.03])
        assert angular == pytest.approx(np.tile(expected, (len(angular), 1)), abs=1e-9)
        kinetic, _ = energies(scenario, recording)
        assert kinetic == pytest.approx(0.5 * (1e-4 + 50.0 + 3e-4), rel=1e-11)

    @pytest.mark.parametrize("orientation", [(0.0, 0.0, 90.0), (40.0, -65.0, 130.0)])
    def test_world_turn_rate_turns_the_root_in_world_axes(self, orientation):
        """Pre-rotated root, 1 rad/s about world z for half a second (docs/derivations.md, Differences from OpenMBD)."""
        scenario = scenario_of(
            single_body(inertia=(1.0, 1.0, 1.0, 0, 0, 0)),
            free_space(duration=0.5, gravity=(0.0, 0.0, 0.0)),
            orientation=orientation,
            angular_velocity=(0.0, 0.0, 1.0),
        )
        recording = run(scenario)
        a, b, c = orientation
        expected = Rotation.from_euler("ZYX", (a + np.degrees(0.5), b, c), degrees=True).as_matrix()
        assert recording.rotation(0)[-1] == pytest.approx(expected, abs=1e-12)


LENGTH = 1.754
TOPPLING = [
    (1.0, 1.81131, 7.184),
    (2.0, 1.57205, None),
    (5.0, 1.25594, 7.171),
    (10.0, 1.01710, 7.130),
    (15.0, 0.87748, None),
]
"""(lean in degrees, fall time in s, tip speed in m/s)"""


class TestTopplingRod:
    """A uniform rod hinged at the ground falls from a small lean until level (docs/derivations.md, Toppling rod)."""

    @pytest.mark.parametrize(("lean", "fall_time", "tip_speed"), TOPPLING)
    def test_time_and_tip_speed(self, lean, fall_time, tip_speed):
        inertia = LENGTH**2 / 12.0
        rod = single_body(
            1.0,
            (inertia, inertia, 1e-6, 0, 0, 0),
            Joint("foot", "revolute", None, "body", axis=(0.0, 1.0, 0.0)),
            center_of_mass=(0.0, 0.0, LENGTH / 2),
        )
        settings = free_space(duration=2.0)
        recording = run(scenario_of(rod, settings, joint_angles={"foot": (lean, 0.0, 0.0)}))
        angle, rate, t = recording.joint_angle[:, 0, 1], recording.joint_rate[:, 0, 1], recording.times
        i = int(np.argmax(angle > np.pi / 2))
        share = (np.pi / 2 - angle[i - 1]) / (angle[i] - angle[i - 1])
        down = t[i - 1] + share * (t[i] - t[i - 1])
        # the closed form: quarter period minus incomplete integral, with the amplitude of a swing from the lean
        k, m = 1.5 * G / LENGTH, np.sin((np.pi - np.radians(lean)) / 2) ** 2
        exact = (ellipk(m) - ellipkinc(np.arcsin(np.sin(np.pi / 4) / np.sqrt(m)), m)) / np.sqrt(k)
        assert exact == pytest.approx(fall_time, abs=1e-5)
        assert down == pytest.approx(exact, rel=5e-4)
        tip = (rate[i - 1] + share * (rate[i] - rate[i - 1])) * LENGTH
        assert tip == pytest.approx(np.sqrt(3 * G * LENGTH * np.cos(np.radians(lean))), rel=5e-4)
        if tip_speed is not None:
            assert tip == pytest.approx(tip_speed, rel=1e-3)


IMPULSE = 2 * 100.0 * 0.1 / np.pi
"""Of a half sine of 100 N m over 0.1 s: 6.366198 N m s."""


class TestTorquePulse:
    """The change of angular momentum is the impulse 2 tau T / pi (docs/derivations.md, Pulses)."""

    def test_reference_number(self):
        assert pytest.approx(6.366198, abs=1e-6) == IMPULSE

    @pytest.mark.parametrize(
        ("integrator", "accuracy"),
        [("symplectic_euler", 1e-10), ("runge_kutta_4", 1e-6), ("variable_step", 1e-4)],
    )
    @pytest.mark.parametrize("start", [0.01, 0.01234])
    def test_on_the_root_about_body_axes(self, integrator, accuracy, start):
        """The root gets a true torque, in its own axes, not a force (docs/derivations.md, Differences from OpenMBD)."""
        pulse = TorquePulse("root", (0.0, 0.0, 100.0), start, 0.1)
        scenario = scenario_of(
            single_body(inertia=(1.0, 2.0, 3.0, 0, 0, 0)),
            free_space(duration=0.2, integrator=integrator, gravity=(0.0, 0.0, 0.0)),
            orientation=(0.0, 90.0, 0.0),
            torque_pulses=[pulse],
        )
        recording = run(scenario)
        linear, angular = momenta(scenario, recording)
        # body z is world x after a turn of 90 degrees about y
        assert angular[-1] == pytest.approx([IMPULSE, 0.0, 0.0], rel=accuracy, abs=1e-9)
        assert np.abs(linear).max() < 1e-12
        assert np.abs(angular[recording.times < start]).max() < 1e-12

    @pytest.mark.parametrize("axis", range(3))
    def test_on_a_ball_joint_is_equal_and_opposite(self, axis):
        """Two bodies that share their centre of mass: each gains the impulse, with opposite signs."""
        peak = tuple(100.0 * (k == axis) for k in range(3))
        bodies = [Body("a", 1.0, (1.0, 1.5, 2.0, 0, 0, 0)), Body("b", 2.0, (2.0, 2.5, 3.0, 0, 0, 0))]
        joints = [Joint("root", "free", None, "a"), Joint("ball", "spherical", "a", "b")]
        scenario = scenario_of(
            Model("two", bodies, joints),
            free_space(duration=0.12, gravity=(0.0, 0.0, 0.0)),
            torque_pulses=[TorquePulse("ball", peak, 0.01, 0.1)],
        )
        recording = run(scenario)
        spin = recording.angular_velocity[-1, :, axis] * [bodies[0].inertia[axis], bodies[1].inertia[axis]]
        assert spin == pytest.approx([-IMPULSE, IMPULSE], rel=1e-6)
        assert np.abs(momenta(scenario, recording)[1]).max() < 1e-9

    def test_on_a_hinge_to_the_ground(self):
        scenario = scenario_of(
            single_body(joint=Joint("hinge", "revolute", None, "body", axis=(0.0, 0.0, 1.0))),
            free_space(duration=0.2),
            torque_pulses=[TorquePulse("hinge", (0.0, 0.0, 100.0), 0.05, 0.1)],
        )
        recording = run(scenario)
        assert recording.joint_rate[-1, 0, 2] * 3.0 == pytest.approx(IMPULSE, rel=1e-9)


class TestPlasticImpact:
    """Two bodies that stay together have the speed of their common momentum (docs/derivations.md, Plastic impact)."""

    CAR, PERSON = 1450.0, 75.0

    @pytest.mark.parametrize("integrator", ["symplectic_euler", "runge_kutta_4"])
    def test_common_speed_after_a_weld(self, integrator):
        speed = 11.0
        car = single_body(self.CAR, (500.0, 500.0, 500.0, 0, 0, 0))
        person = single_body(self.PERSON, (5.0, 5.0, 5.0, 0, 0, 0))
        weld = Weld("grip", Point((0, 0, 0), "body", "car"), Point((0, 0, 0), "body", "person"), 2e5, 7500.0)
        scenario = Scenario(
            "plastic",
            [Actor("car", car, velocity=(speed, 0.0, 0.0)), Actor("person", person)],
            welds=[weld],
            settings=free_space(duration=0.6, integrator=integrator, gravity=(0.0, 0.0, 0.0)),
        )
        recording = run(scenario)
        assert recording.velocity[-1, :, 0] == pytest.approx(0.950820 * speed, rel=1e-6)
        linear, _ = momenta(scenario, recording)
        assert linear[:, 0] == pytest.approx(self.CAR * speed, rel=1e-12)
        # the energy lost is that of the common reduced mass, and the ledger books it to the connection
        lost = 0.5 * speed**2 * self.CAR * self.PERSON / (self.CAR + self.PERSON)
        assert recording.energy[-1, 0] - recording.energy[0, 0] == pytest.approx(-lost, rel=1e-6)


def test_spherical_pendulum_against_scipy():
    """A ball joint in three dimensions, with a body of three different moments: Newton-Euler integrated by SciPy."""
    inertia, com, mass = np.diag([0.3, 0.5, 0.4]), np.array([0.1, -0.2, -0.6]), 2.0
    joint = Joint("ball", "spherical", None, "body", T1=shifted(0.3, 0.1, 2.0))
    model = single_body(mass, (0.3, 0.5, 0.4, 0, 0, 0), joint, center_of_mass=tuple(com))
    omega = np.array([1.0, -2.0, 3.0])
    settings = free_space(duration=1.0, integrator="runge_kutta_4", time_step=5e-4, output_step=1e-2)
    scenario = scenario_of(
        model, settings, joint_angles={"ball": (30.0, 20.0, 10.0)}, joint_velocities={"ball": tuple(omega)}
    )
    recording = run(scenario)
    about_pivot = inertia + mass * (com @ com * np.eye(3) - np.outer(com, com))
    start = Rotation.from_euler("ZYX", (30.0, 20.0, 10.0), degrees=True)

    def rate(_t, y):
        R, w = y[:9].reshape(3, 3), y[9:]
        torque = np.cross(com, mass * R.T @ [0.0, 0.0, -G])
        skew = np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
        return np.concatenate(
            [(R @ skew).ravel(), np.linalg.solve(about_pivot, torque - np.cross(w, about_pivot @ w))]
        )

    y0 = np.concatenate([start.as_matrix().ravel(), omega])
    solution = solve_ivp(rate, (0.0, 1.0), y0, t_eval=recording.times, rtol=1e-12, atol=1e-12)
    R = solution.y[:9].T.reshape(-1, 3, 3)
    assert recording.rotation(0) == pytest.approx(R, abs=1e-8)
    assert recording.position[:, 0] == pytest.approx(R @ com + [0.3, 0.1, 2.0], abs=1e-8)
    assert recording.joint_rate[:, 0] == pytest.approx(solution.y[9:].T, abs=1e-7)


def test_hinge_axis_is_that_of_the_joint_frame():
    """A hinge about a slanted axis turns about that axis, and the dynamics agree.

    docs/derivations.md, Differences from OpenMBD.
    """
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    turn = Rotation.from_euler("ZYX", (25.0, -50.0, 70.0), degrees=True).as_matrix()
    joint = Joint("hinge", "revolute", None, "body", T1=shifted(0, 0, 0, turn), axis=tuple(axis))
    model = single_body(1.0, (1.0, 2.0, 2.5, 0, 0, 0), joint)
    scenario = scenario_of(model, free_space(duration=0.5), joint_velocities={"hinge": (4.0, 0.0, 0.0)})
    recording = run(replace(scenario))
    world_axis = turn @ axis
    assert recording.angular_velocity[:, 0] == pytest.approx(np.tile(4.0 * world_axis, (501, 1)), abs=1e-9)
    expected = Rotation.from_rotvec(2.0 * world_axis).as_matrix() @ turn
    assert recording.rotation(0)[-1] == pytest.approx(expected, abs=1e-9)
