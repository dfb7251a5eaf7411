"""Length, rate and pull of whole paths: virtual work, differences, balance of forces, moment arms."""

import numpy as np
import pytest
from muscle_rigs import ORIGIN, RADIUS, hinge_model, limb_model, pulley_muscle

from mannequin.engine.bodies.coordinates import displaced
from mannequin.engine.muscles.arrays import LENGTH, TENSION, VELOCITY
from mannequin.engine.muscles.forces import muscle_power
from mannequin.engine.runs.muscle_paths import MuscleGeometry

SEEDS = range(4)


def posed(model, seed):
    """Geometry of a model in a random posture with random speeds, and both."""
    geometry = MuscleGeometry(model)
    rng = np.random.default_rng(seed)
    q, u = geometry.system.q_start.copy(), rng.normal(0.0, 1.0, len(geometry.system.u_start))
    displaced(geometry.system.tree, geometry.system.q_start, rng.uniform(-0.4, 0.4, len(u)), q)
    geometry.place_coordinates(q, u)
    return geometry, q, u


@pytest.mark.parametrize("acts", ["forces", "joint_torques"])
@pytest.mark.parametrize("seed", SEEDS)
def test_power_on_the_bodies_is_minus_tension_times_rate(seed, acts):
    geometry, _, _ = posed(limb_model(np.random.default_rng(seed), acts), seed)
    state = geometry._state
    muscle_power(state, geometry._workspace, 0.0, 0.0, 0.0, 0.0)
    expected = -(state.output[:, TENSION] * state.output[:, VELOCITY]).sum()
    size = np.abs(state.output[:, TENSION] * state.output[:, VELOCITY]).sum()
    assert size > 1.0
    assert state.power[0] == pytest.approx(expected, abs=1e-12 * size)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_rate_is_that_of_the_length(seed):
    geometry, q, u = posed(limb_model(np.random.default_rng(seed)), seed)
    rates = geometry._state.output[:, VELOCITY].copy()
    assert geometry._state.touching.sum() >= 2
    h, lengths = 1e-6, []
    for sign in (-1.0, 1.0):
        moved = q.copy()
        displaced(geometry.system.tree, q, sign * h * u, moved)
        geometry.place_coordinates(moved, u)
        lengths.append(geometry._state.output[:, LENGTH].copy())
    assert rates == pytest.approx((lengths[1] - lengths[0]) / (2 * h), abs=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_muscles_push_a_free_body_nowhere(seed):
    geometry, _, _ = posed(limb_model(np.random.default_rng(seed)), seed)
    state, w = geometry._state, geometry._workspace
    force = state.applied_force[:-1]
    moment = state.applied_torque[:-1] + np.cross(w.position[:-1], force)
    assert np.abs(force).max() > 10.0
    assert np.abs(force.sum(axis=0)).max() < 1e-10
    assert np.abs(moment.sum(axis=0)).max() < 1e-10


@pytest.mark.parametrize("seed", SEEDS)
def test_joint_torques_have_the_generalized_forces_of_the_pull(seed):
    """Both ways to act must do the same work in every motion: compared speed by speed."""
    powers = []
    for acts in ("forces", "joint_torques"):
        geometry, q, u = posed(limb_model(np.random.default_rng(seed), acts), seed)
        powers.append([])
        for column in np.eye(len(u)):
            geometry.place_coordinates(q, column)
            muscle_power(geometry._state, geometry._workspace, 0.0, 0.0, 0.0, 0.0)
            powers[-1].append(float(geometry._state.power[0]))
    assert np.abs(powers[0]).max() > 1.0
    assert powers[1] == pytest.approx(powers[0], abs=1e-10)


@pytest.mark.parametrize("seed", SEEDS)
def test_v19_the_generalized_force_of_a_unit_tension_is_minus_the_slope_of_the_length(seed):
    geometry, q, u = posed(limb_model(np.random.default_rng(seed)), seed)
    levers = np.array([-geometry.jacobian(i) for i in range(3)])
    for column in range(6, len(u)):
        h, lengths = 1e-6, []
        for sign in (-1.0, 1.0):
            moved, delta = q.copy(), np.zeros(len(u))
            delta[column] = sign * h
            displaced(geometry.system.tree, q, delta, moved)
            geometry.place_coordinates(moved, u)
            lengths.append([geometry.length(i) for i in range(3)])
        slope = (np.array(lengths[1]) - lengths[0]) / (2 * h)
        assert levers[:, column] == pytest.approx(-slope, abs=1e-6)


def test_the_lever_over_a_pulley_is_its_radius():
    geometry = MuscleGeometry(hinge_model(pulley_muscle()))
    for angle in (-60.0, -20.0, 0.0, 5.0):
        geometry.place({"hinge": (angle, 0.0, 0.0)})
        lever = -geometry.jacobian(0) @ geometry.joint_speeds("hinge", np.array([0.0, 1.0, 0.0]))
        assert abs(lever) == pytest.approx(RADIUS, rel=1e-12)


def test_the_line_to_draw_has_the_length_of_the_path():
    geometry, _, _ = posed(limb_model(np.random.default_rng(5)), 5)
    for i in range(3):
        line = geometry.line(i, arc_points=200)
        assert np.linalg.norm(np.diff(line, axis=0), axis=1).sum() == pytest.approx(
            geometry.length(i), rel=1e-5
        )
    hinge = MuscleGeometry(hinge_model(pulley_muscle()))
    assert hinge.line(0)[0] == pytest.approx(np.array(ORIGIN))


def test_unknown_names_say_what_there_is():
    geometry = MuscleGeometry(hinge_model(pulley_muscle()))
    with pytest.raises(KeyError, match="there are muscle"):
        geometry.index("biceps")
    with pytest.raises(KeyError, match="there are hinge"):
        geometry.moving("knee")
