"""Posed bones and joint angles; where an actor stands."""

import math
import random

import numpy as np
import pytest
from authoring import full_model, random_rotation, zyx_close

from mannequin.engine.maths.rotations import matrix_from_zyx, zyx_from_matrix


def build(blender, scale=1.0):
    from mannequin.scene.base.units import units_of
    from mannequin.scene.model.build import build_actor

    scene = blender.context.scene
    scene.unit_settings.scale_length = scale
    return build_actor(full_model(), scene), units_of(scene)


def world_frames(model, start):
    """Body frames in the world by the format's formula, from angles in degrees; revolute turns by Rodrigues."""
    actor = np.identity(4)
    actor[:3, :3], actor[:3, 3] = matrix_from_zyx(start.orientation), start.position
    frames, todo = {None: actor}, list(model.joints)
    while todo:
        joint = todo.pop(0)
        if joint.parent not in frames:
            todo.append(joint)
            continue
        turn = np.identity(4)
        angles = start.joint_angles.get(joint.name, (0, 0, 0))
        if joint.type == "revolute":
            x, y, z = joint.axis
            k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
            a = math.radians(angles[0])
            turn[:3, :3] += math.sin(a) * k + (1 - math.cos(a)) * k @ k
        else:
            turn[:3, :3] = matrix_from_zyx(angles)
        frames[joint.child] = (
            frames[joint.parent] @ np.array(joint.T1) @ turn @ np.linalg.inv(np.array(joint.T2))
        )
    return frames


@pytest.mark.parametrize("scale", [1.0, 0.01, 0.001])
def test_random_poses_round_trip_and_look_as_they_should(blender, scale):
    from mannequin.scene.rig.pose import Start, read_start, write_start

    actor, units = build(blender, scale)
    model, rng = full_model(), random.Random(3)
    for _ in range(10):
        start = Start(
            tuple(rng.uniform(-5, 5) for _ in range(3)),
            tuple(float(a) for a in zyx_from_matrix(random_rotation(rng))),
            {
                "hip": tuple(float(a) for a in zyx_from_matrix(random_rotation(rng))),
                "knee": (rng.uniform(-170, 170), 0.0, 0.0),
            },
        )
        write_start(actor, start, units)
        frames = world_frames(model, start)
        for body in model.bodies:
            for ellipsoid in body.ellipsoids:
                seen = np.array(blender.data.objects[ellipsoid.name].matrix_world.translation) * scale
                expected = (frames[body.name] @ np.append(ellipsoid.position, 1.0))[:3]
                assert seen == pytest.approx(expected, abs=5e-6)
        found = read_start(actor, units)
        assert found.position == pytest.approx(start.position, abs=3e-6)
        assert zyx_close(found.orientation, start.orientation, 2e-6)
        assert zyx_close(found.joint_angles["hip"], start.joint_angles["hip"], 2e-6)
        assert found.joint_angles["knee"][0] == pytest.approx(start.joint_angles["knee"][0], abs=2e-5)
        assert read_start(actor, units, start) == start


def test_turning_the_bone_is_turning_the_joint(blender):
    """A bone turned by hand about the world: the angle is what was turned."""
    from mannequin.scene.rig.pose import read_start

    actor, units = build(blender)
    bone = actor.pose.bones["shank"]
    bone.rotation_euler = (math.radians(400), 0, 0)
    angle = read_start(actor, units).joint_angles["knee"][0]
    assert angle == pytest.approx(400, abs=1e-4)  # whole turns count: wheels


def test_moving_the_root_bone_is_moving_the_actor(blender):
    from mathutils import Quaternion

    from mannequin.scene.rig.pose import read_start, write_start

    actor, units = build(blender)
    actor.location = (1, 2, 3)
    root = actor.pose.bones["trunk"]
    root.location = (0.1, 0.2, -0.3)
    root.rotation_quaternion = Quaternion((1, 2, 3), 0.7)
    blender.context.view_layer.update()
    seen = {o.name: np.array(o.matrix_world) for o in blender.data.objects if o.mannequin.kind == "ELLIPSOID"}
    start = read_start(actor, units)
    assert start.joint_angles == {}
    write_start(actor, start, units)
    assert tuple(root.location) == (0, 0, 0)
    for name, matrix in seen.items():
        assert np.array(blender.data.objects[name].matrix_world) == pytest.approx(matrix, abs=5e-6)


def test_constraints_are_seen(blender):
    from mannequin.scene.rig.pose import read_start

    actor, units = build(blender)
    bone = actor.pose.bones["thigh"]
    limit = bone.constraints.new("LIMIT_ROTATION")
    limit.owner_space = "LOCAL"
    limit.use_limit_x = limit.use_limit_y = limit.use_limit_z = True
    bone.rotation_quaternion = (0.8, 0.6, 0, 0)
    assert read_start(actor, units).joint_angles == {}  # held at zero by the constraint


@pytest.mark.parametrize(
    ("bone", "change", "message"),
    [
        ("thigh", lambda b: setattr(b, "scale", (1, 2, 1)), "'thigh'.*scaled.*Alt S"),
        ("shank", lambda b: setattr(b, "location", (0.1, 0, 0)), "'shank'.*pulled out.*Alt G"),
        ("shank", lambda b: setattr(b, "rotation_euler", (1, 0.2, 0)), "'shank'.*revolute joint cannot"),
        ("foot", lambda b: setattr(b, "rotation_quaternion", (0.8, 0.6, 0, 0)), "'foot'.*fixed joint cannot"),
        ("foot", lambda b: setattr(b.id_data.data, "pose_position", "REST"), "Rest Position"),
    ],
)
def test_impossible_poses_are_refused(blender, bone, change, message):
    from mannequin.scene.base.errors import SceneError
    from mannequin.scene.rig.pose import read_start

    actor, units = build(blender)
    actor.pose.bones["trunk"].location = (1, 2, 3)  # the free root may move
    read_start(actor, units)
    change(actor.pose.bones[bone])
    with pytest.raises(SceneError, match=message):
        read_start(actor, units)


def test_only_what_a_joint_allows_can_be_moved(blender):
    actor, _ = build(blender)
    locks = {
        b.name: (tuple(b.lock_location), tuple(b.lock_rotation), b.lock_rotation_w) for b in actor.pose.bones
    }
    free, held = (False,) * 3, (True,) * 3
    assert locks["trunk"] == (free, free, False)
    assert locks["thigh"] == (held, free, False)
    assert locks["shank"] == (held, (False, True, True), False)
    assert locks["foot"] == (held, held, True)


def test_pose_survives_an_update_of_the_rig(blender):
    from mannequin.scene.model.build import update_actor
    from mannequin.scene.model.read import read_model
    from mannequin.scene.rig.pose import read_start

    actor, units = build(blender)
    actor.pose.bones["thigh"].rotation_quaternion = (0.8, 0.0, 0.6, 0)
    actor.pose.bones["shank"].rotation_euler.x = 0.5
    before = read_start(actor, units)
    scene = blender.context.scene
    scene.objects["hip"].location.x += 0.2
    update_actor(actor, read_model(actor), scene)
    after = read_start(actor, units)
    assert zyx_close(after.joint_angles["hip"], before.joint_angles["hip"], 2e-6)
    assert after.joint_angles["knee"] == before.joint_angles["knee"]


def test_kept_start_stands_while_a_baked_motion_plays(blender):
    from mannequin.scene.rig.pose import keep_start, read_start, restore_start

    actor, units = build(blender)
    actor.pose.bones["shank"].rotation_euler.x = 0.5
    start = read_start(actor, units)
    action = blender.data.actions.new("baked")
    actor.animation_data_create().action = action
    keep_start(actor, start, action)
    actor.pose.bones["shank"].rotation_euler.x = 1.5
    assert read_start(actor, units) == start
    restore_start(actor, units)
    assert actor.animation_data.action is None
    assert read_start(actor, units) == start
