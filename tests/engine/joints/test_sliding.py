"""Joints that slide, in metres and newtons, against closed forms."""

import numpy as np
import pytest
import toy_joints

from mannequin.engine import AxisLimits, JointFriction, JointSpring, run

MASS, G = toy_joints.MASS, toy_joints.G
WEIGHTLESS = {"gravity": (0.0, 0.0, 0.0)}
MOVING = {"joint_velocities": {"joint": (1.0, 0.0, 0.0)}}


def test_a_slider_falls_freely():
    """z = v t - g t^2 / 2, and its guide carries nothing along the axis."""
    recording = run(toy_joints.falling("prismatic"))
    toy_joints.check_fall(recording, 1.0, MASS, 0.0)
    t = recording.times
    np.testing.assert_allclose(recording.joint_slide[:, 0, 2], t - 0.5 * G * t**2, rtol=0, atol=1e-12)
    np.testing.assert_allclose(recording.joint_slide_rate[:, 0, 2], 1.0 - G * t, rtol=0, atol=1e-12)


def test_a_mass_on_a_spring_in_metres():
    """x = v sin(w t) / w with w^2 = k / m: 1e-10 m of 50 mm, in steps of 0.1 ms with Runge-Kutta 4."""
    spring = JointSpring("z", ((-1.0, 800.0), (1.0, -800.0)))
    steps = WEIGHTLESS | {"time_step": 1e-4, "duration": 0.5}
    recording = run(toy_joints.one_joint("prismatic", MOVING, steps, springs=[spring]))
    t = recording.times
    np.testing.assert_allclose(recording.joint_slide[:, 0, 2], np.sin(20.0 * t) / 20.0, rtol=0, atol=1e-10)
    np.testing.assert_allclose(recording.joint_slide_rate[:, 0, 2], np.cos(20.0 * t), rtol=0, atol=2e-9)
    assert np.abs(recording.energy[:, -1]).max() < 1e-9


def test_limits_are_in_metres():
    """Thrown against a stop 20 mm away it goes past it by v sqrt(m / k)."""
    limits = AxisLimits((-0.05, 0.0, 0.0), (0.02, 0.0, 0.0), stiffness=2e5, damping=0.0)
    steps = WEIGHTLESS | {"time_step": 1e-5, "output_step": 1e-5, "duration": 0.03}
    recording = run(toy_joints.one_joint("prismatic", MOVING, steps, limits=limits))
    deepest = recording.joint_slide[:, 0, 2].max()
    assert deepest == pytest.approx(0.02 + np.sqrt(MASS / 2e5), rel=1e-6)
    assert recording.joint_slide_rate[-1, 0, 2] == pytest.approx(-1.0, rel=1e-6)


def test_no_damping_unless_given():
    """The scenario's default joint damping is for turning, in N m s/rad: a slider has its own or none."""
    recording = run(toy_joints.one_joint("prismatic", MOVING, WEIGHTLESS | {"default_joint_damping": 5.0}))
    np.testing.assert_allclose(recording.joint_slide_rate[:, 0, 2], 1.0, rtol=0, atol=1e-12)


def test_friction_is_in_newtons():
    """A slider at 1 m/s comes to rest after m v^2 / (2 F)."""
    steps = WEIGHTLESS | {"duration": 0.2}
    recording = run(
        toy_joints.one_joint(
            "prismatic", MOVING, steps | {"integrator": "symplectic_euler"}, friction=JointFriction(20.0)
        )
    )
    assert recording.joint_slide[-1, 0, 2] == pytest.approx(MASS / 40.0, rel=0.03)
