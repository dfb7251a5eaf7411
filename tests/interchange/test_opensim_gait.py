"""A gait model with spline knees and a root in a plane, read from a file, against OpenSim's own program at random
states: poses, accelerations, and lengths and moment arms of its muscles. Needs the package `opensim`."""

from pathlib import Path

import numpy as np
import pytest
from gait_osim import gait_osim

from mannequin.engine import Scenario, Settings, run
from mannequin.engine.bodies.posture import actor_poses
from mannequin.engine.maths.rotations import zyx_from_matrix
from mannequin.engine.runs.muscle_paths import MuscleGeometry
from mannequin.engine.spec.joint_functions import coordinates_of
from mannequin.interchange.common.axes import Z_UP_FROM_Y_UP as C
from mannequin.interchange.opensim.read import read_osim

osim = pytest.importorskip("opensim", reason="OpenSim is not installed")
osim.Logger.setLevelString("off")
SEEDS = range(20)


def array(v) -> np.ndarray:
    return np.array([v.get(i) for i in range(3)])


def their_pose(body, state) -> np.ndarray:
    """(4, 4) pose of an OpenSim frame in the ground, turned to z up."""
    where = body.getTransformInGround(state)
    result = np.eye(4)
    result[:3, :3] = C @ np.array([[where.R().get(i, j) for j in range(3)] for i in range(3)]) @ C.T
    result[:3, 3] = C @ array(where.p())
    return result


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """(their model, our actor)"""
    path: Path = tmp_path_factory.mktemp("gait") / "gait.osim"
    path.write_text(gait_osim(), encoding="utf-8")
    return osim.Model(str(path)), read_osim(path).actor


def random_state(model, seed: int, speed: float = 3.0):
    """Their state at random coordinates and rates, its muscles silent."""
    rng = np.random.default_rng(seed)
    state = model.initSystem()
    for k in range(model.getMuscles().getSize()):
        model.updMuscles().get(k).set_appliesForce(False)
    state = model.initSystem()
    for k in range(model.getCoordinateSet().getSize()):
        coordinate = model.getCoordinateSet().get(k)
        low = max(-1.2, coordinate.getRangeMin())
        high = min(1.2, coordinate.getRangeMax())
        coordinate.setValue(state, float(rng.uniform(low, high)), False)
        coordinate.setSpeedValue(state, float(rng.normal(scale=speed)))
    model.realizeAcceleration(state)
    return state


def rotation_and_rate(model, joint, state):
    """(zyx degrees, rate in child joint axes) of one of our ball joints in their state."""
    parent, child = (model.getBodySet().get(name) for name in (joint.parent, joint.child))
    first = their_pose(parent, state)[:3, :3] @ np.array(joint.T1)[:3, :3]
    second = their_pose(child, state)[:3, :3] @ np.array(joint.T2)[:3, :3]
    spin = C @ array(child.getAngularVelocityInGround(state)) - C @ array(
        parent.getAngularVelocityInGround(state)
    )
    return zyx_from_matrix(first.T @ second), second.T @ spin


def take_state(actor, model, state) -> None:
    """Put our actor into their state."""
    for joint in actor.model.joints:
        if joint.kind.is_ball:
            actor.joint_angles[joint.name], actor.joint_velocities[joint.name] = rotation_and_rate(
                model, joint, state
            )
            continue
        angles, ways = coordinates_of(joint.functions)

        def numbers(names, get):
            found = [get(model.getCoordinateSet().get(name)) for name in names]
            return tuple([*found, 0.0, 0.0, 0.0][:3])

        actor.joint_angles[joint.name] = tuple(np.degrees(numbers(angles, lambda c: c.getValue(state))))
        actor.joint_velocities[joint.name] = numbers(angles, lambda c: c.getSpeedValue(state))
        if ways:
            actor.joint_slides[joint.name] = numbers(ways, lambda c: c.getValue(state))
            actor.joint_slide_velocities[joint.name] = numbers(ways, lambda c: c.getSpeedValue(state))


def without_muscles(actor):
    settings = Settings(
        ground=False,
        gravity=(0.0, 0.0, -9.80665),
        duration=1e-4,
        output_step=1e-4,
        time_step=1e-4,
        joint_limits=False,
        self_contact=False,
    )
    actor.model.muscles, actor.model.wrap_surfaces = [], []
    return Scenario("gait", [actor], settings=settings)


@pytest.mark.parametrize("seed", SEEDS)
def test_poses_and_accelerations(both, seed: int) -> None:
    """Of every body: pose to 1e-10, acceleration of the centre of mass and angular acceleration to 1e-6."""
    model, actor = both
    state = random_state(model, seed)
    take_state(actor, model, state)
    kept = actor.model.muscles, actor.model.wrap_surfaces
    recording = run(without_muscles(actor))
    actor.model.muscles, actor.model.wrap_surfaces = kept
    poses = actor_poses(actor)
    for b, name in enumerate(recording.body_names):
        body = model.getBodySet().get(name)
        np.testing.assert_allclose(poses[name], their_pose(body, state), atol=1e-10)
        theirs = C @ array(body.findStationAccelerationInGround(state, body.getMassCenter()))
        np.testing.assert_allclose(recording.acceleration[0, b], theirs, atol=1e-6, err_msg=name)
        turning = C @ array(body.getAngularAccelerationInGround(state))
        np.testing.assert_allclose(recording.angular_acceleration[0, b], turning, atol=1e-6, err_msg=name)
