"""Joints that only resist: in whole runs they take energy and never give any."""

import numpy as np
import pytest
from impacts import term
from scipy.spatial.transform import Rotation

from mannequin.engine import Actor, Scenario, Settings, run
from mannequin.models.library import load_model

JOINT_TERMS = ("joint_damping", "joint_limits", "joint_passive")


def thrown(name: str, seed: int, **settings):
    """A person or dummy in free flight, every joint turning at random, some of them towards their limits."""
    rng = np.random.default_rng(seed)
    model = load_model(name)
    turning = {
        joint.name: tuple(rng.uniform(-12, 12, 3)) for joint in model.joints if joint.parent is not None
    }
    actor = Actor(
        "person",
        model,
        position=(0, 0, 5),
        velocity=tuple(rng.uniform(-3, 3, 3)),
        angular_velocity=tuple(rng.uniform(-5, 5, 3)),
        joint_velocities=turning,
    )
    chosen = {"duration": 0.6, "ground": False, **settings}
    return run(Scenario("thrown", [actor], settings=Settings(**chosen)))


@pytest.mark.parametrize("name", ["male", "hybrid3_50th", "child_3", "ambrosio"])
@pytest.mark.parametrize("seed", range(3))
def test_passive_joints_never_add_energy(name, seed):
    """The work of damping, limits, friction and passive springs together never rises above zero: what limits and
    springs give back they were given before. Damping alone takes energy in every step."""
    recording = thrown(name, seed)
    assert recording.status == "completed"
    work = sum(term(recording, part) for part in JOINT_TERMS)
    start = term(recording, "kinetic")[0]
    assert work.max() <= 1e-6 * start
    assert work[-1] < -0.05 * start, "they took something"
    assert (np.diff(term(recording, "joint_damping")) <= 1e-9 * start).all()
    assert (term(recording, "joint_limits") <= 1e-6 * start).all()
    total = term(recording, "kinetic") + term(recording, "gravity")
    assert total.max() <= total[0] + np.abs(term(recording, "residual")).max() + 1e-9
    assert np.abs(term(recording, "residual")).max() < 0.01 * (total[0] - total[-1])


@pytest.mark.parametrize("seed", range(2))
def test_limits_hold_against_thrown_limbs(seed):
    """After the throw no revolute-like axis is far outside its box: knees and elbows of the male model."""
    recording = thrown("male", seed, duration=1.0)
    model = load_model("male")
    for k, name in enumerate(recording.joint_names):
        joint = next(joint for joint in model.joints if joint.name == name)
        if joint.limits is None:
            continue
        zyx = np.degrees(recording.joint_angle[-200:, k])[:, ::-1]
        past = np.maximum(zyx - joint.limits.upper, np.array(joint.limits.lower) - zyx).max(axis=1)
        assert past.mean() < 10.0, name


def test_recorded_joint_angle_is_the_turn_between_the_bodies():
    """The rotation vector that limits are measured in, against the recorded orientations of parent and child."""
    recording = thrown("male", 5, duration=0.2)
    model = load_model("male")
    checked = 0
    for joint in model.joints:
        if joint.type != "spherical":
            continue
        parent, child = (recording.body_index("person", name) for name in (joint.parent, joint.child))
        T1, T2 = (np.array(matrix)[:3, :3] for matrix in (joint.T1, joint.T2))
        turn = (recording.rotation(parent)[-1] @ T1).T @ recording.rotation(child)[-1] @ T2
        k = recording.joint_index("person", joint.name)
        expected = Rotation.from_matrix(turn).as_matrix()
        found = Rotation.from_rotvec(recording.joint_angle[-1, k]).as_matrix()
        assert found == pytest.approx(expected, abs=1e-9), joint.name
        checked += 1
    assert checked >= 15
