"""Moving obstacles move in the film as they did for the engine, and the scene still says where they start."""

import math

import numpy as np
import pytest

from mannequin.engine import Obstacle
from mannequin.engine.maths.rotations import matrix_from_quaternion, matrix_from_zyx
from mannequin.engine.runs.warmup import smallest_scenario

MOTION = ((0.0, 0, 0, 0, 0, 0, 0), (0.2, 1.0, 0, 0.5, 90.0, 0, 0), (0.4, 1.0, 2.0, 0.5, 90.0, 0, 60.0))


def scenario():
    """A ball, and a box that goes along and turns."""
    found = smallest_scenario()
    found.settings.duration, found.settings.output_step = 0.5, 0.01
    box = Obstacle("box", "box", (3.0, 0.0, 1.0), (30.0, 0.0, 0.0), (0.5, 0.2, 0.1), motion=MOTION)
    found.obstacles = [box]
    return found


@pytest.fixture
def scene(blender, tmp_path):
    from mannequin.scene.scenario.scenario import build_scenario

    scene = blender.context.scene
    build_scenario(scenario(), scene)
    scene.mannequin.runs.folder = str(tmp_path)
    scene.render.fps = 100
    return scene


def pose_by_hand(time):
    """Position and rotation from the table: straight lines, and turns at a constant rate about one axis."""
    base = matrix_from_zyx((30.0, 0.0, 0.0))
    if time <= 0.2:
        part = time / 0.2
        return np.array([3 + part, 0, 1 + 0.5 * part]), matrix_from_zyx((90.0 * part, 0, 0)) @ base
    part = min(1.0, (time - 0.2) / 0.2)
    # from Rz(90) to Rz(90) Rx(60): in the world a turn about Rz(90) x = y
    turned = matrix_from_zyx((0, 60.0 * part, 0)) @ matrix_from_zyx((90.0, 0, 0))
    return np.array([4.0, 2.0 * part, 1.5]), turned @ base


def test_motion_between_rows_is_the_engines():
    from mannequin.analysis.resample import obstacle_motion
    from mannequin.engine import Simulation, compile_system
    from mannequin.engine.contact.arrays import POSE_POSITION, POSE_ROTATION

    found = scenario()
    found.settings.duration = 0.25
    times = np.array([0.0, 0.05, 0.2, 0.25])
    position, quaternion = obstacle_motion(found.obstacles[0], times)
    for t, p, q in zip(times, position, quaternion, strict=True):
        expected, rotation = pose_by_hand(t)
        assert np.allclose(p, expected, atol=1e-14)
        assert np.allclose(matrix_from_quaternion(q), rotation, atol=1e-14)
    system = compile_system(found)
    simulation = Simulation(system)
    for _ in simulation.advance():
        pass
    pose = simulation._state.contact.pose[system.obstacle_names.index("box")]
    # the engine's own pose, at the last time it evaluated forces: within a step of the end
    assert np.allclose(pose[POSE_POSITION : POSE_POSITION + 3], position[-1], atol=2e-3)
    rotation = pose[POSE_ROTATION : POSE_ROTATION + 9].reshape(3, 3)
    assert np.allclose(rotation, matrix_from_quaternion(quaternion[-1]), atol=2e-3)


@pytest.mark.parametrize("slowness", [1.0, 4.0])
def test_the_object_moves_in_the_film(blender, scene, slowness):
    from mannequin.scene.store.actors import obstacles_of

    scene.mannequin.bake.slowness = slowness
    blender.ops.mannequin.simulate()
    (box,) = obstacles_of(scene)
    for frame in range(1, round(50 * slowness), 3):
        scene.frame_set(frame)
        position, rotation = pose_by_hand((frame - 1) / 100.0 / slowness)
        assert np.allclose(box.matrix_world.translation, position, atol=1e-5)
        assert np.allclose(box.matrix_world.to_quaternion().to_matrix(), rotation, atol=1e-5)
    assert box.animation_data.action.name.startswith(scene.mannequin.results.run)


def test_the_scene_still_says_where_the_obstacle_starts(blender, scene):
    from mannequin.scene.scenario.scenario import read_scenario
    from mannequin.scene.store.actors import obstacles_of

    before = read_scenario(scene)
    blender.ops.mannequin.simulate()
    scene.frame_set(31)
    assert read_scenario(scene) == before
    blender.ops.mannequin.simulate()
    scene.frame_set(31)
    (box,) = obstacles_of(scene)
    assert np.allclose(box.matrix_world.translation, pose_by_hand(0.3)[0], atol=1e-5)
    blender.ops.mannequin.restore_start()
    assert np.allclose(box.matrix_world.translation, (3.0, 0.0, 1.0), atol=1e-6)
    assert tuple(box.matrix_world.to_scale()) == pytest.approx((0.5, 0.2, 0.1), abs=1e-6)
    assert read_scenario(scene) == before


def test_an_animation_that_was_recorded_is_kept(blender, scene):
    from mannequin.scene.store.actors import obstacles_of

    (box,) = obstacles_of(scene)
    for frame in (1, 51):
        box.location = (frame / 10.0, 0.0, 5.0)
        box.keyframe_insert("location", frame=frame)
    own = box.animation_data.action
    blender.context.view_layer.objects.active = box
    blender.ops.mannequin.record_motion()
    scene.mannequin.bake.slowness = 2.0
    blender.ops.mannequin.simulate()
    assert own.name in blender.data.actions and own.use_fake_user and box.animation_data.action != own
    scene.frame_set(51)  # a quarter of a second of 0.5 s
    assert box.matrix_world.translation.x == pytest.approx(0.1 + 5.0 * ease(0.5), abs=1e-3)
    with pytest.raises(RuntimeError, match="baked motion"):
        blender.ops.mannequin.record_motion()


def ease(part):
    """Blender's own curve between two keyframes is symmetrical: half way at half time."""
    assert math.isclose(part, 0.5)
    return 0.5
