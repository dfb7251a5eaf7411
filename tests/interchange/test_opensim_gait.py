"""A gait model with spline knees and a root in a plane, read from a file, against OpenSim's own program at random
states: poses, accelerations, and lengths and moment arms of its muscles. Needs the package `opensim`."""

from pathlib import Path

import numpy as np
import pytest
from gait_osim import gait_osim, knee_text, one_body_osim
from osim_frames import array, their_pose

from mannequin.engine import Scenario, Settings, accelerations, compile_system, run
from mannequin.engine.bodies.posture import actor_poses
from mannequin.engine.maths.rotations import zyx_from_matrix
from mannequin.engine.runs.muscle_paths import MuscleGeometry
from mannequin.engine.spec.joint_functions import coordinates_of
from mannequin.interchange.common.axes import Z_UP_FROM_Y_UP as C
from mannequin.interchange.opensim.read import read_osim

osim = pytest.importorskip("opensim", reason="OpenSim is not installed")
osim.Logger.setLevelString("off")
SEEDS = range(20)


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


def minus_slope(model, muscle, coordinate, state) -> float:
    """m: minus the rate of their length with a coordinate, which is what a moment arm is, by central differences."""
    step, at = 1e-5, coordinate.getValue(state)
    lengths = []
    for value in (at - step, at + step, at):
        coordinate.setValue(state, value, False)
        model.realizePosition(state)
        lengths.append(muscle.getLength(state))
    return (lengths[0] - lengths[1]) / (2.0 * step)


@pytest.mark.parametrize("seed", SEEDS)
def test_path_lengths_and_moment_arms(both, seed: int) -> None:
    """Of muscles over moving and conditional points: lengths and moment arms about every knee and ankle coordinate
    within 0.1 mm (they agree to 1e-8 m).

    OpenSim's own moment arms of a path with a moving point (rectus) are not the slope of its length: they are compared
    for the other muscles, and the slope for all.
    """
    model, actor = both
    state = random_state(model, seed, 0.0)
    take_state(actor, model, state)
    geometry = MuscleGeometry(actor.model)
    system = compile_system(Scenario("posture", [actor], settings=Settings(ground=False)))
    geometry.place_coordinates(system.q_start, np.zeros(len(system.u_start)))
    for name in geometry.names:
        theirs, side = model.getMuscles().get(name), name[-1]
        assert geometry.length(geometry.index(name)) == pytest.approx(theirs.getLength(state), abs=1e-8)
        for joint in ("knee", "ankle"):
            coordinate = model.getCoordinateSet().get(f"{joint}_angle_{side}")
            speeds = geometry.joint_speeds(f"{joint}_{side}", np.array([1.0, 0.0, 0.0]))
            ours = -float(geometry.jacobian(geometry.index(name)) @ speeds)
            assert ours == pytest.approx(minus_slope(model, theirs, coordinate, state), abs=1e-8)
            if not name.startswith("rectus"):
                assert ours == pytest.approx(theirs.computeMomentArm(state, coordinate), abs=1e-8)


def velocities(model, body, state) -> np.ndarray:
    """(6,) their angular velocity and velocity of the centre of mass, z up."""
    model.realizeVelocity(state)
    linear = body.findStationVelocityInGround(state, body.getMassCenter())
    return np.concatenate([C @ array(body.getAngularVelocityInGround(state)), C @ array(linear)])


@pytest.mark.parametrize("seed", range(5))
def test_a_knee_that_turns_about_three_axes(tmp_path, seed: int) -> None:
    """Accelerations are the rates of OpenSim's velocities along the motion that we find.

    OpenSim's own accelerations of such a joint are not: the third axis that turns with the same coordinate as the first
    has a wrong rate there (by several rad/s2 at 3 rad/s). At rest they agree.
    """
    path = tmp_path / "knee.osim"
    path.write_text(single_knee(), encoding="utf-8")
    model, actor = osim.Model(str(path)), read_osim(path).actor
    rng = np.random.default_rng(seed)
    state = model.initSystem()
    coordinate, body = model.getCoordinateSet().get(0), model.getBodySet().get(0)
    q, u = float(rng.uniform(-1.9, 0.1)), float(rng.normal(scale=4.0))
    for speed in (0.0, u):
        coordinate.setValue(state, q)
        coordinate.setSpeedValue(state, speed)
        model.realizeAcceleration(state)
        take_state(actor, model, state)
        scenario = without_muscles(actor)
        recording, (rate,) = run(scenario), accelerations(compile_system(scenario))
        ours = np.concatenate([recording.angular_acceleration[0, 0], recording.acceleration[0, 0]])
        if speed == 0.0:
            assert rate == pytest.approx(coordinate.getAccelerationValue(state), abs=1e-9)
            continue
        step, around = 1e-4, []
        for h in (-step, step):
            coordinate.setValue(state, q + u * h + 0.5 * rate * h * h)
            coordinate.setSpeedValue(state, u + rate * h)
            around.append(velocities(model, body, state))
        np.testing.assert_allclose(ours, (around[1] - around[0]) / (2 * step), atol=3e-4)


def single_knee() -> str:
    """A shank on the ground by the knee that turns about three axes."""
    return one_body_osim(knee_text("r", 1.0, 3, "ground"))


KINDS = [
    ["GimbalJoint", "UniversalJoint"],
    ["BallJoint", "EllipsoidJoint"],
    ["SliderJoint", "EllipsoidJoint", "PinJoint"],
    ["PlanarJoint", "GimbalJoint", "PinJoint"],
    ["PinJoint", "FreeJoint", "PinJoint"],
]


@pytest.mark.parametrize("kinds", KINDS, ids=lambda kinds: "-".join(kind[:-5] for kind in kinds))
def test_accelerations_of_other_joints_at_rest(kinds: list[str], tmp_path) -> None:
    """Chains in a random pose, let go: accelerations of all bodies."""
    rng = np.random.default_rng(len(kinds))

    def draw(scale: float = 0.3):
        return osim.Vec3(*rng.normal(scale=scale, size=3))

    model = osim.Model()
    parent = model.getGround()
    for k, kind in enumerate(kinds):
        inertia = osim.Inertia(*rng.uniform(0.05, 0.08, size=3), *rng.uniform(-0.004, 0.004, size=3))
        body = osim.Body(f"b{k}", float(rng.uniform(1, 3)), draw(0.1), inertia)
        ends = (f"j{k}", parent, draw(), draw(1.0), body, draw(), draw(1.0))
        radii = (osim.Vec3(0.1, 0.2, 0.15),) if kind == "EllipsoidJoint" else ()
        joint = getattr(osim, kind)(*ends, *radii)
        model.addBody(body)
        model.addJoint(joint)
        for c in range(joint.numCoordinates()):
            joint.get_coordinates(c).setName(f"q{k}_{c}")
            joint.get_coordinates(c).setDefaultValue(float(rng.uniform(-0.6, 0.6)))
        parent = body
    model.finalizeConnections()
    model.printToXML(str(tmp_path / "chain.osim"))
    state = model.initSystem()
    model.realizeAcceleration(state)
    recording = run(without_muscles(read_osim(tmp_path / "chain.osim").actor))
    for b, name in enumerate(recording.body_names):
        body = model.getBodySet().get(name)
        theirs = C @ array(body.findStationAccelerationInGround(state, body.getMassCenter()))
        np.testing.assert_allclose(recording.acceleration[0, b], theirs, atol=1e-6, err_msg=name)
