"""Joints that slide, in metres and newtons, against closed forms."""

import numpy as np
import pytest
import toy_joints

from mannequin.engine import (
    AxisLimits,
    JointBreak,
    JointFriction,
    JointSlide,
    JointSpring,
    Motor,
    PrescribedMotion,
    SlideLimits,
    run,
    validate,
)
from mannequin.io_json.model_json import read_model, write_model

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


# ---------------------------------------------------------------- hysteresis of springs


@pytest.mark.parametrize("retention", [0.2, 0.5, 1.0])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_spring_gives_back_its_share(retention, side):
    """A mass thrown against a spring with hysteresis comes back with sqrt(r) of its speed, to either side."""
    curve = ((-1.0, 800.0), (-0.01, 20.0), (0.0, 0.0), (0.02, -30.0), (1.0, -900.0))
    spring = JointSpring("z", curve, retention=retention)
    start = {"joint_velocities": {"joint": (side, 0.0, 0.0)}}
    steps = WEIGHTLESS | {"time_step": 2e-5, "output_step": 1e-4, "duration": 0.4}
    recording = run(toy_joints.one_joint("prismatic", start, steps, springs=[spring]))
    way, rate = recording.joint_slide[:, 0, 2], recording.joint_slide_rate[:, 0, 2]
    back = np.flatnonzero(side * way[1:] <= 0.0)[0]
    assert rate[back] == pytest.approx(-side * np.sqrt(retention), rel=2e-3)
    assert np.abs(recording.energy[:, -1]).max() < 2e-4
    if retention < 1.0:
        assert recording.energy[back, 6] == pytest.approx(-0.5 * MASS * (1.0 - retention), rel=5e-3)


def test_hysteresis_with_full_retention_is_the_elastic_curve():
    curve = ((-1.0, 800.0), (0.0, 0.0), (0.02, -30.0), (1.0, -900.0))
    steps = WEIGHTLESS | {"duration": 0.3}
    first, second = (
        run(
            toy_joints.one_joint(
                "prismatic", MOVING, steps, springs=[JointSpring("z", curve, retention=share)]
            )
        )
        for share in (None, 1.0)
    )
    np.testing.assert_allclose(first.joint_slide, second.joint_slide, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("curve", "words"),
    [
        (((-1.0, 1.0), (1.0, -1.0)), "no point (0, 0)"),
        (((-1.0, 1.0), (0.0, 0.0), (1.0, 1.0)), "away from zero"),
    ],
)
def test_curves_with_hysteresis_are_checked(curve, words):
    scenario = toy_joints.one_joint("prismatic", springs=[JointSpring("z", curve, retention=0.5)])
    assert any(words in str(issue) for issue in validate(scenario))


# ---------------------------------------------------------------- joints that slide and turn


def test_planar_motion_is_that_of_a_puck():
    """On a frictionless table it slides at a constant velocity, turns at a constant rate and falls nowhere."""
    start = {
        "joint_velocities": {"joint": (0.0, 0.0, 3.0)},
        "joint_slides": {"joint": (0.1, -0.2, 0.0)},
        "joint_slide_velocities": {"joint": (1.0, 2.0, 0.0)},
    }
    recording = run(toy_joints.one_joint("planar", start, {"duration": 0.2}))
    t = recording.times[:, None]
    np.testing.assert_allclose(
        recording.position[:, 0], [0.1, -0.2, 0.0] + t * [1.0, 2.0, 0.0], rtol=0, atol=1e-12
    )
    np.testing.assert_allclose(recording.joint_angle[:, 0, 2], 3.0 * recording.times, rtol=0, atol=1e-12)
    assert np.abs(recording.reaction_force[:, 0] - [0.0, 0.0, MASS * G]).max() < 1e-9


def test_a_cylindrical_joint_falls_and_spins_independently():
    slide = JointSlide(damping=20.0)
    start = {
        "joint_velocities": {"joint": (4.0, 0.0, 0.0)},
        "joint_slide_velocities": {"joint": (1.0, 0.0, 0.0)},
    }
    recording = run(toy_joints.one_joint("cylindrical", start, WEIGHTLESS, slide=slide, damping=0.06))
    t = recording.times
    np.testing.assert_allclose(recording.joint_slide_rate[:, 0, 2], np.exp(-10.0 * t), rtol=0, atol=1e-9)
    np.testing.assert_allclose(recording.joint_rate[:, 0, 2], 4.0 * np.exp(-2.0 * t), rtol=0, atol=1e-9)


def test_a_bushing_swings_in_every_axis_at_its_own_frequency():
    """Small oscillations: x_k = v_k sin(w_k t) / w_k with w_k^2 = k / m or k / I."""
    stiffness = np.array([800.0, 1800.0, 3200.0])
    springs = [
        JointSpring(f"along_{axis}", ((-1.0, k), (1.0, -k))) for axis, k in zip("xyz", stiffness, strict=True)
    ]
    springs += [JointSpring("x", ((-1.0, np.radians(16.0)), (1.0, -np.radians(16.0))))]
    start = {
        "joint_slide_velocities": {"joint": (0.1, 0.2, 0.3)},
        "joint_velocities": {"joint": (0.5, 0.0, 0.0)},
    }
    steps = WEIGHTLESS | {"time_step": 1e-4, "duration": 0.2}
    recording = run(toy_joints.one_joint("bushing", start, steps, springs=springs))
    t, w = recording.times[:, None], np.sqrt(stiffness / MASS)
    expected = np.array([0.1, 0.2, 0.3]) * np.sin(w * t) / w
    np.testing.assert_allclose(recording.joint_slide[:, 0], expected, rtol=0, atol=1e-10)
    np.testing.assert_allclose(recording.joint_angle[:, 0, 0], 0.5 * np.sin(40.0 * t[:, 0]) / 40.0, atol=1e-9)
    assert np.abs(recording.energy[:, -1]).max() < 1e-9


def test_slides_have_limits_friction_and_motors_of_their_own():
    limits = SlideLimits((-0.05,) * 3, (0.02,) * 3, stiffness=2e5, damping=0.0)
    start = {"joint_slide_velocities": {"joint": (1.0, 0.0, 0.0)}}
    fine = WEIGHTLESS | {"time_step": 1e-5, "output_step": 1e-5, "duration": 0.03}
    for kind in ("cylindrical", "planar", "bushing"):
        recording = run(toy_joints.one_joint(kind, start, fine, slide=JointSlide(limits=limits)))
        way = recording.joint_slide[:, 0].sum(axis=1)
        assert way.max() == pytest.approx(0.02 + np.sqrt(MASS / 2e5), rel=1e-6)
    stepped = WEIGHTLESS | {"duration": 0.2, "integrator": "symplectic_euler"}
    rubbed = run(toy_joints.one_joint("planar", start, stepped, slide=JointSlide(friction=20.0)))
    assert rubbed.joint_slide[-1, 0, 0] == pytest.approx(MASS / 40.0, rel=0.01)
    motor = Motor(stiffness=800.0, target=(0.0, 0.25, 0.0))
    driven = run(toy_joints.one_joint("planar", {}, WEIGHTLESS, slide=JointSlide(motor=motor)))
    np.testing.assert_allclose(
        driven.joint_slide[:, 0, 1], 0.25 - 0.25 * np.cos(20.0 * driven.times), rtol=0, atol=1e-8
    )


def test_prescribed_motion_of_all_axes():
    """Turn and ways follow their table, and the ledger knows what that took."""
    table = tuple((0.01 * k, 0.0, 0.0, 4.0 * k, 0.01 * k, 0.0, -0.02 * k) for k in range(4))
    start = {
        "prescribed": [PrescribedMotion("joint", table)],
        "joint_velocities": {"joint": (np.radians(400.0), 0.0, 0.0)},
        "joint_slide_velocities": {"joint": (1.0, 0.0, -2.0)},
    }
    recording = run(toy_joints.one_joint("bushing", start, {"integrator": "symplectic_euler"}))
    t = recording.times
    np.testing.assert_allclose(recording.joint_slide[:, 0, 0], t, rtol=0, atol=1e-9)
    np.testing.assert_allclose(recording.joint_slide[:, 0, 2], -2.0 * t, rtol=0, atol=1e-9)
    np.testing.assert_allclose(np.degrees(recording.joint_angle[:, 0, 0]), 400.0 * t, rtol=0, atol=1e-7)
    assert abs(recording.energy[-1, -1]) < 1e-9 * np.abs(recording.energy[-1]).max()


def test_misplaced_values_are_refused():
    def words(kind, start=None, **joint):
        found = validate(toy_joints.one_joint(kind, start, **joint))
        return " ".join(str(issue) for issue in found if issue.severity == "error")

    assert "values for its sliding apart" in words("prismatic", slide=JointSlide())
    assert "does not move in the axis 'along_z'" in words(
        "planar", springs=[JointSpring("along_z", ((-1.0, 1.0), (1.0, -1.0)))]
    )
    assert "a slide is given for the prismatic joint" in words(
        "prismatic", {"joint_slides": {"joint": (1, 0, 0)}}
    )
    assert "needs 4 or 7 columns" in words(
        "planar", {"prescribed": [PrescribedMotion("joint", ((0.0, 1.0), (1.0, 2.0)))]}
    )


def test_files_hold_every_field(tmp_path):
    """A model with everything a joint can have reads back as it was."""
    joint = {
        "springs": [JointSpring("along_x", ((-1.0, 5.0), (0.0, 0.0), (1.0, -5.0)), 2.0, retention=0.4)],
        "slide": JointSlide(3.0, SlideLimits((-0.1,) * 3, (0.2,) * 3, 1e4, 10.0), 5.0, Motor(stiffness=7.0)),
        "breaks": [JointBreak("along_x", 400.0, 20.0, 0.3), JointBreak(energy=5.0)],
    }
    model = toy_joints.one_joint("bushing", **joint).actors[0].model
    write_model(model, tmp_path / "bushing.json")
    assert read_model(tmp_path / "bushing.json").joints == model.joints
