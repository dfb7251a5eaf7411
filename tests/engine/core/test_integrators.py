"""Order of convergence of every integrator on smooth motions, unit quaternions, and stiff systems."""

import numpy as np
import pytest
from mechanisms import energies, free_space, scenario_of, shifted, single_body, with_settings
from scipy.integrate import solve_ivp

from mannequin.engine import Body, Joint, Model, Motor, Point, SpringDamper, run
from mannequin.engine.spec import INTEGRATORS
from mannequin.engine.step.integrators.implicit import factorize, solve_factorized

ORDER = {"symplectic_euler": 1, "forward_euler": 1, "midpoint": 2, "runge_kutta_4": 4, "implicit": 2}


def smooth_chain():
    """Free root, ball joint, hinge; sprung and damped; every joint frame turned; thrown and spinning."""
    turn = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    bodies = [
        Body("a", 3.0, (0.3, 0.2, 0.25, 0.02, -0.01, 0.03), center_of_mass=(0.05, 0.0, 0.02)),
        Body("b", 1.5, (0.05, 0.06, 0.07, 0, 0, 0), center_of_mass=(0.0, 0.1, -0.2)),
        Body("c", 1.0, (0.03, 0.04, 0.05, 0, 0, 0), center_of_mass=(0.2, 0.0, 0.0)),
    ]
    joints = [
        Joint("root", "free", None, "a"),
        Joint("ball", "spherical", "a", "b", T1=shifted(0.2, 0.1, 0.3, turn), T2=shifted(0.0, 0.1, 0.2)),
        Joint("hinge", "revolute", "b", "c", T1=shifted(0.0, 0.0, -0.4), axis=(0.6, 0.0, 0.8)),
    ]
    joints[1].motor = Motor(stiffness=8.0, damping=0.3)
    return scenario_of(
        Model("chain", bodies, joints),
        free_space(duration=0.5, output_step=0.02),
        position=(0.0, 0.0, 5.0),
        orientation=(10.0, 20.0, 30.0),
        velocity=(1.0, 2.0, 3.0),
        angular_velocity=(3.0, -2.0, 4.0),
        joint_angles={"ball": (20.0, -30.0, 10.0), "hinge": (40.0, 0.0, 0.0)},
        joint_velocities={"ball": (2.0, 1.0, -3.0), "hinge": (5.0, 0.0, 0.0)},
    )


def end_state(scenario, **settings):
    """Positions and rotation matrices of all bodies at the end, as one vector."""
    recording = run(with_settings(scenario, **settings))
    assert recording.status == "completed"
    rotations = [recording.rotation(b)[-1].ravel() for b in range(len(recording.body_names))]
    return np.concatenate([recording.position[-1].ravel(), *rotations, recording.velocity[-1].ravel()])


@pytest.fixture(scope="module")
def reference():
    """The end of the motion by the variable step at a tolerance near round-off: a method that no other test uses."""
    return end_state(smooth_chain(), integrator="variable_step", tolerance=1e-13)


@pytest.mark.parametrize(("integrator", "order"), ORDER.items())
def test_order_of_convergence(integrator, order, reference):
    scenario = smooth_chain()
    steps = (0.01, 0.005, 0.0025) if order == 4 else (0.002, 0.001, 0.0005)
    errors = [
        np.abs(end_state(scenario, integrator=integrator, time_step=h) - reference).max() for h in steps
    ]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders == pytest.approx(order, abs=0.2), errors


def test_error_of_the_variable_step_follows_the_tolerance(reference):
    """Error per step is held to the tolerance, so the error at the end falls with it, as tolerance^(2/3) at least."""
    scenario = smooth_chain()
    tolerances = [1e-5, 1e-7, 1e-9]
    errors = [
        np.abs(end_state(scenario, integrator="variable_step", tolerance=tolerance) - reference).max()
        for tolerance in tolerances
    ]
    assert errors[0] < 1e-2
    for coarse, fine in zip(errors, errors[1:], strict=False):
        assert fine < coarse * 100 ** (-2 / 3) * 1.5, errors


def test_variable_step_takes_few_steps_where_little_happens():
    """A fast spin settles the step, not the output times; free flight without turning needs next to no steps."""
    still = run(scenario_of(single_body(), free_space(integrator="variable_step", output_step=0.1)))
    spinning = run(
        scenario_of(
            single_body(),
            free_space(integrator="variable_step", output_step=0.1),
            angular_velocity=(10.0, 20.0, 5.0),
        )
    )
    assert still.steps < 40 < 200 < spinning.steps


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_quaternions_stay_unit_and_continuous(integrator):
    scenario = with_settings(
        smooth_chain(), integrator=integrator, time_step=2e-3, output_step=4e-3, duration=3.0
    )
    recording = run(scenario)
    assert recording.status == "completed"
    assert np.linalg.norm(recording.quaternion, axis=-1) == pytest.approx(1.0, abs=1e-14)
    # no sign flips between frames: neighbouring quaternions point the same way
    assert (recording.quaternion[1:] * recording.quaternion[:-1]).sum(-1).min() > 0.9


def test_symplectic_euler_does_not_gain_energy_and_forward_euler_does():
    """Undamped spring for fifty periods: the default's amplitude stays, forward Euler's grows as exp(w^2 h t / 2).

    |1 + i w h|^n = exp(w^2 h t / 2) to first order in h.
    """
    k, h = 400.0, 1e-3
    duration = round(50 * 2 * np.pi / np.sqrt(k), 2)
    spring = SpringDamper("spring", Point((0, 0, 0)), Point((0, 0, 0), "body", "actor"), k, rest_length=10.0)
    settings = free_space(duration=duration, time_step=h, output_step=h, gravity=(0, 0, 0))
    scenario = scenario_of(single_body(), settings, position=(10.1, 0.0, 0.0))
    scenario.springs.append(spring)
    growth = {}
    for integrator in ("symplectic_euler", "forward_euler"):
        recording = run(with_settings(scenario, integrator=integrator))
        stretch = np.abs(recording.position[:, 0, 0] - 10.0)
        last = len(stretch) - 320 + int(np.argmax(stretch[-320:]))
        growth[integrator] = np.log(stretch[last] / 0.1) / recording.times[last]
    assert abs(growth["symplectic_euler"]) < 1e-4
    assert growth["forward_euler"] == pytest.approx(0.5 * k * h, rel=0.02)


class TestStiff:
    """A spring so stiff that explicit steps of this size blow up (h w = 3), with a damper."""

    H = 1e-2
    K = (3.0 / H) ** 2
    D = 60.0

    def pulled(self, **settings):
        scenario = scenario_of(
            single_body(1.0),
            free_space(**({"duration": 1.0, "time_step": self.H, "output_step": self.H} | settings)),
            position=(0.51, 0.0, 0.0),
        )
        end = Point((0, 0, 0), "body", "actor")
        scenario.springs.append(
            SpringDamper("spring", Point((0, 0, 0)), end, self.K, self.D, rest_length=0.5)
        )
        return scenario

    def test_implicit_is_stable_where_explicit_blows_up(self):
        explicit = run(self.pulled(integrator="runge_kutta_4"))
        assert explicit.status == "diverged"
        implicit = run(self.pulled(integrator="implicit"))
        assert implicit.status == "completed"
        # the spring settles; the pendulum under it swings as if the spring were a rod
        length = np.linalg.norm(implicit.position[:, 0], axis=-1)
        assert np.abs(length[50:] - 0.5).max() < 1e-3
        kinetic, gravity = energies(self.pulled(), implicit)
        assert (kinetic + gravity)[-1] <= (kinetic + gravity)[0]

    def test_implicit_converges_to_the_slow_motion(self):
        """Against SciPy's implicit solver on the plane motion."""

        def rate(_t, y):
            length = np.hypot(y[0], y[1])
            stretch_rate = (y[0] * y[2] + y[1] * y[3]) / length
            force = -(self.K * (length - 0.5) + self.D * stretch_rate) / length
            return [y[2], y[3], force * y[0], force * y[1] - 9.81]

        recording = run(self.pulled(integrator="implicit", time_step=1e-3))
        exact = solve_ivp(
            rate,
            (0, 1.0),
            [0.51, 0, 0, 0],
            method="Radau",
            t_eval=recording.times,
            rtol=1e-10,
            atol=1e-12,
        )
        assert recording.position[50:, 0, 0] == pytest.approx(exact.y[0, 50:], abs=2e-4)
        assert recording.position[50:, 0, 2] == pytest.approx(exact.y[1, 50:], abs=2e-4)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 20])
def test_linear_solver_of_the_implicit_step(size):
    """Rows are exchanged: matrices with a zero diagonal too."""
    rng = np.random.default_rng(size)
    for _ in range(20):
        matrix = rng.normal(size=(size, size))
        if size > 1:
            np.fill_diagonal(matrix, 0.0)
        right = rng.normal(size=size)
        expected = np.linalg.solve(matrix, right)
        a, pivots, b = matrix.copy(), np.zeros(size), right.copy()
        assert factorize(a, pivots)
        solve_factorized(a, pivots, b)
        assert b == pytest.approx(expected, rel=1e-8, abs=1e-10)
    assert not factorize(np.zeros((size, size)), np.zeros(size))
