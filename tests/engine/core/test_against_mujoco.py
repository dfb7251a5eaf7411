"""The 21-body man in random states against MuJoCo: accelerations, bodies' motion, joint reactions, mass matrix.

MuJoCo builds M with the composite-rigid-body algorithm and solves it; we use the articulated-body algorithm.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from mechanisms import free_space, scenario_of

from mannequin.engine import EngineError, accelerations, compile_system, run
from mannequin.engine.bodies.kinematics import forward_kinematics
from mannequin.engine.bodies.newton_euler import inverse_dynamics
from mannequin.engine.bodies.virtual_power import mass_matrix
from mannequin.engine.bodies.workspace import new_workspace
from mannequin.engine.spec.joint_types import JOINT_TYPES
from mannequin.io_json.model_json import read_model

mujoco_twin = pytest.importorskip("mujoco_twin", reason="MuJoCo is not installed")

ROOT = Path(__file__).parents[3]
FILES = {
    "ours": ROOT / "models" / "male.json",
    "openmbd": ROOT / "tests" / "io" / "openmbd" / "openmbd_male.json",
}
GRAVITY = (0.5, -1.0, -9.81)


def prepared(model):
    settings = free_space(gravity=GRAVITY, duration=2e-3)
    system = compile_system(scenario_of(model, settings))
    return system, mujoco_twin.Twin(system)


@pytest.fixture(scope="module", params=["ours", "openmbd"])
def man(request):
    model = read_model(FILES[request.param])
    assert len(model.bodies) == {"ours": 24, "openmbd": 21}[request.param]
    return model


def relative(found, expected):
    return np.abs(found - expected).max() / np.abs(expected).max()


@pytest.mark.parametrize("root", ["free", "spherical", "prismatic", "bushing"])
@pytest.mark.parametrize("seed", range(4))
def test_accelerations_with_every_joint_type(man, root, seed):
    model = mujoco_twin.with_mixed_joints(man, seed, root)
    assert {joint.type for joint in model.joints} == set(JOINT_TYPES) - {"free", "custom"} | {root}
    system, twin = prepared(model)
    for state in range(5):
        q, u = mujoco_twin.random_state(system, 100 * seed + state)
        twin.set_state(q, u)
        assert relative(accelerations(system, q, u), twin.u_dot) < 1e-9


def test_accelerations_of_the_man_as_shipped(man):
    """All joints as in the file, but nothing acting in them."""
    bare = {"damping": 0.0, "limits": None, "cone": None, "friction": None, "springs": [], "motor": None}
    joints = [replace(joint, **bare) for joint in man.joints]
    system, twin = prepared(replace(man, joints=joints, couplers=[]))
    for seed in range(20):
        q, u = mujoco_twin.random_state(system, seed)
        twin.set_state(q, u)
        assert relative(accelerations(system, q, u), twin.u_dot) < 1e-9


def test_motion_and_reactions_of_every_body(man):
    """What a recording says of each authored body and joint, the fixed ones included."""
    system, twin = prepared(mujoco_twin.with_mixed_joints(man, 11))
    for seed in range(5):
        q, u = mujoco_twin.random_state(system, seed)
        twin.set_state(q, u)
        # a step so short that its implicit treatment of nothing cannot matter: frame 0 is the start itself
        recording = run(replace(system, q_start=q, u_start=u))
        names = ("position", "velocity", "angular_velocity", "acceleration", "angular_acceleration")
        for name, expected in zip(names, twin.motion(), strict=True):
            assert relative(getattr(recording, name)[0], expected) < 1e-9, name
        forces, moments = twin.reactions()
        assert relative(recording.reaction_force[0], forces) < 1e-9
        assert relative(recording.reaction_moment[0], moments) < 1e-9
        assert recording.energy[0, 0] == pytest.approx(twin.data.energy[1], rel=1e-11)
        assert recording.energy[0, 1] == pytest.approx(twin.data.energy[0], rel=1e-11)


@pytest.mark.parametrize("root", ["free", "spherical", "revolute"])
def test_mass_matrix_and_inverse_dynamics(man, root):
    """M from virtual power is MuJoCo's; M u_dot = Q with Q from Newton-Euler; and u_dot needs no joint force."""
    system, twin = prepared(mujoco_twin.with_mixed_joints(man, 5, root))
    for seed in range(4):
        q, u = mujoco_twin.random_state(system, seed)
        twin.set_state(q, u)
        w = new_workspace(system.tree)
        forward_kinematics(system.tree, q, u, w)
        M = mass_matrix(system.tree, w)
        assert relative(M, twin.mass_matrix) < 1e-12
        u_dot = accelerations(system, q, u)
        bias = inverse_dynamics(system.tree, q, u, np.zeros_like(u), GRAVITY)
        scale = np.abs(M) @ np.abs(u_dot) + np.abs(bias)
        assert np.abs(M @ u_dot + bias).max() < 1e-11 * scale.max()
        assert np.abs(inverse_dynamics(system.tree, q, u, u_dot, GRAVITY)).max() < 1e-11 * scale.max()


def test_two_actors_do_not_disturb_each_other(man):
    """Accelerations of two men in one scenario are those of each alone."""
    without_surfaces = replace(man, bodies=[replace(body, ellipsoids=[]) for body in man.bodies])
    system, twin = prepared(mujoco_twin.with_mixed_joints(without_surfaces, 3))
    scenario = system.scenario
    both = compile_system(
        replace(scenario, actors=[*scenario.actors, replace(scenario.actors[0], name="second")])
    )
    (q1, u1), (q2, u2) = (mujoco_twin.random_state(system, seed) for seed in (1, 2))
    together = accelerations(both, np.concatenate([q1, q2]), np.concatenate([u1, u2]))
    for q, u, part in ((q1, u1, together[: len(u1)]), (q2, u2, together[len(u1) :])):
        twin.set_state(q, u)
        assert relative(part, twin.u_dot) < 1e-9


def test_a_state_of_the_wrong_size_is_refused(man):
    system, _ = prepared(mujoco_twin.with_mixed_joints(man, 0))
    with pytest.raises(EngineError, match=r"q has shape \(3,\); this system needs \(\d+,\)"):
        accelerations(system, np.zeros(3))
