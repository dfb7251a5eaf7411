"""A walking person becomes a falling one: pose and velocities of an animation at the current frame, by hand.

The armature goes along x at 2 m/s and turns about z at 0.3 rad/s, the knee bends at 1.5 rad/s, the thigh turns about
bone y at 0.8 rad/s; the same through an action, through NLA strips, through a motion-capture armature that constraints
follow, and through a moving parent, at any frame rate and unit scale."""

import math

import numpy as np
import pytest
from authoring import full_model

SPEED, TURN, RATE, SPIN = 2.0, 0.3, 1.5, 0.8
FRAMES = 40
RATES = {24.0: (24, 1.0), 29.97: (30, 1.001), 120.0: (120, 1.0)}


def build(blender, scale, fps):
    from mannequin.scene.model.build import build_actor

    scene = blender.context.scene
    scene.unit_settings.scale_length = scale
    scene.render.fps, scene.render.fps_base = RATES[fps]
    actor = build_actor(full_model(), scene)
    blender.context.view_layer.objects.active = actor
    return scene, actor


def seconds_of(scene, frame):
    return frame * scene.render.fps_base / scene.render.fps


def move_object(obj, scene, scale):
    """Key an object along x, turning about z."""
    for frame in range(FRAMES):
        time = seconds_of(scene, frame)
        obj.location = (SPEED * time / scale, 0, 1 / scale)
        obj.rotation_euler = (0, 0, TURN * time)
        obj.keyframe_insert("location", frame=frame)
        obj.keyframe_insert("rotation_euler", frame=frame)


def move_bones(armature, scene):
    """Key the knee and the hip."""
    knee, hip = armature.pose.bones["shank"], armature.pose.bones["thigh"]
    for frame in range(FRAMES):
        time = seconds_of(scene, frame)
        knee.rotation_euler.x = RATE * time
        knee.keyframe_insert("rotation_euler", frame=frame)
        hip.rotation_quaternion = (math.cos(SPIN * time / 2), 0, math.sin(SPIN * time / 2), 0)
        hip.keyframe_insert("rotation_quaternion", frame=frame)


def by_action(blender, actor, scene, scale):
    move_object(actor, scene, scale)
    move_bones(actor, scene)


def by_nla(blender, actor, scene, scale):
    from mannequin.scene.base.blender_version import fcurves_of

    by_action(blender, actor, scene, scale)
    data = actor.animation_data
    action, slot = data.action, getattr(data, "action_slot", None)
    for curve in fcurves_of(action):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    data.action = None
    strip = data.nla_tracks.new().strips.new("walk", 0, action)
    if slot is not None:
        strip.action_slot = slot


def by_motion_capture(blender, actor, scene, scale):
    """Another armature with the same bones and nothing of ours, as a capture is retargeted: constraints follow it."""
    source = blender.data.objects.new("capture", actor.data.copy())
    source.data.mannequin.is_model = False
    scene.collection.objects.link(source)
    blender.context.view_layer.update()
    for bone in source.pose.bones:
        bone.rotation_mode = actor.pose.bones[bone.name].rotation_mode
    move_object(source, scene, scale)
    move_bones(source, scene)
    follow = actor.constraints.new("COPY_TRANSFORMS")
    follow.target = source
    for name in ("shank", "thigh"):
        follow = actor.pose.bones[name].constraints.new("COPY_ROTATION")
        follow.target, follow.subtarget = source, name
        follow.owner_space = follow.target_space = "LOCAL"


def by_parent(blender, actor, scene, scale):
    empty = blender.data.objects.new("cart", None)
    scene.collection.objects.link(empty)
    actor.parent = empty
    move_object(empty, scene, scale)
    move_bones(actor, scene)


SOURCES = {"action": by_action, "nla": by_nla, "motion capture": by_motion_capture, "parent": by_parent}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(("fps", "scale"), [(24.0, 1.0), (29.97, 0.01), (120.0, 0.001)])
def test_take_motion(blender, source, fps, scale):
    from mannequin.scene.scenario.scenario import read_scenario
    from mannequin.scene.store.actors import bone_axes

    scene, actor = build(blender, scale, fps)
    SOURCES[source](blender, actor, scene, scale)
    scene.frame_set(20)
    time = seconds_of(scene, 20)
    blender.context.view_layer.objects.active = actor
    blender.ops.mannequin.take_motion()
    scene.frame_set(35)  # nothing moves it any more
    found = read_scenario(scene).actors[0]
    near = 5e-3  # 32-bit poses, half a frame apart
    assert found.position == pytest.approx((SPEED * time, 0, 1), abs=1e-5)
    assert found.orientation == pytest.approx((math.degrees(TURN * time), 0, 0), abs=1e-3)
    assert found.joint_angles["knee"][0] == pytest.approx(math.degrees(RATE * time), abs=2e-3)
    assert found.joint_velocities["knee"] == pytest.approx((RATE, 0, 0), abs=near)
    assert found.angular_velocity == pytest.approx((0, 0, TURN), abs=near)
    expected = bone_axes(actor.data.bones["thigh"]) @ (0, SPIN, 0)
    assert found.joint_velocities["hip"] == pytest.approx(tuple(expected), abs=near)
    root = next(j for j in full_model().joints if j.parent is None)
    origin = (np.array(root.T1) @ np.linalg.inv(np.array(root.T2)))[:3, 3]
    cos, sin = math.cos(TURN * time), math.sin(TURN * time)
    turned = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]]) @ origin
    velocity = np.array([SPEED, 0, 0]) + np.cross((0, 0, TURN), turned)
    assert found.velocity == pytest.approx(tuple(velocity), abs=near)


def test_what_is_not_animated_is_refused(blender):
    build(blender, 1.0, 24.0)
    with pytest.raises(RuntimeError, match="'full' is not animated"):
        blender.ops.mannequin.take_motion()


def body_frames_at(actor, scene, shift):
    """World frames of the bodies so many frames after frame 20, by the pose that is seen."""
    from mannequin.scene.base.units import units_of
    from mannequin.scene.store.actors import body_bones, rest_frame

    scene.frame_set(math.floor(20 + shift), subframe=(20 + shift) % 1.0)
    units = units_of(scene)
    return {
        bone.name: units.frame_to_si(
            actor.matrix_world @ actor.pose.bones[bone.name].matrix @ bone.matrix_local.inverted()
        )
        @ rest_frame(bone)
        for bone in body_bones(actor.data)
    }


def bone_places(actor, scene, frame):
    """World place of every bone's head and tail at a frame, Blender units."""
    scene.frame_set(frame)
    return np.array(
        [[actor.matrix_world @ end for end in (bone.head, bone.tail)] for bone in actor.pose.bones]
    )


@pytest.mark.parametrize("source", SOURCES)
def test_frames_before_the_taken_one_stay_and_the_run_goes_on_from_it(blender, source):
    from mannequin.engine import run
    from mannequin.scene.motion.approach import ANIMATED_UNTIL
    from mannequin.scene.motion.bake import Provenance, bake
    from mannequin.scene.scenario.scenario import read_scenario

    scene, actor = build(blender, 1.0, 24.0)
    scene.frame_start = 3
    SOURCES[source](blender, actor, scene, 1.0)
    animated = {frame: bone_places(actor, scene, frame) for frame in range(3, 22)}
    bodies = [body_frames_at(actor, scene, subframe) for subframe in (0.5, -0.5)][::-1]
    scene.frame_set(20)
    blender.context.view_layer.objects.active = actor
    blender.ops.mannequin.take_motion()
    assert scene.mannequin.use_approach and scene.mannequin.first_frame == 20
    scenario = read_scenario(scene)
    scenario.settings.duration, scenario.settings.gravity = 0.5, (0.0, 0.0, 0.0)
    recording = run(scenario)
    (action,) = bake(recording, scene, Provenance("run", "1", ""))
    assert action[ANIMATED_UNTIL] == 20 and action.frame_range[0] == 3 and action.frame_range[1] == 32
    for frame in (3, 11, 19, 20):
        np.testing.assert_allclose(bone_places(actor, scene, frame), animated[frame], atol=1e-3)
    for b, name in enumerate(recording.body_names):
        arm = recording.origin(b)[0] - recording.position[0, b]
        found = recording.velocity[0, b] + np.cross(recording.angular_velocity[0, b], arm)
        wanted = (bodies[1][name][:3, 3] - bodies[0][name][:3, 3]) / seconds_of(scene, 1)
        assert np.linalg.norm(found - wanted) < 0.01 * np.linalg.norm(wanted), name


def test_an_actor_that_only_has_a_velocity_drives_up(blender):
    from mannequin.engine import run
    from mannequin.scene.model.build import build_actor
    from mannequin.scene.motion.bake import Provenance, bake
    from mannequin.scene.scenario.scenario import read_scenario

    scene, actor = build(blender, 1.0, 24.0)
    by_action(blender, actor, scene, 1.0)
    other = build_actor(full_model(), scene)
    other.location = (5.0, 0.0, 3.0)
    other.mannequin.actor.velocity = (-6.0, 0.0, 0.0)
    scene.frame_set(20)
    blender.context.view_layer.objects.active = actor
    blender.ops.mannequin.take_motion()
    scenario = read_scenario(scene)
    scenario.settings.duration = 0.1
    bake(run(scenario), scene, Provenance("run", "1", ""))
    places = [bone_places(other, scene, frame)[0, 0, 0] for frame in (8, 20)]
    assert places[0] - places[1] == pytest.approx(6.0 * 12 / 24.0, abs=1e-3)


def test_two_motions_are_taken_at_one_frame(blender):
    from mannequin.scene.model.build import build_actor

    scene, actor = build(blender, 1.0, 24.0)
    by_action(blender, actor, scene, 1.0)
    other = build_actor(full_model(), scene)
    move_object(other, scene, 1.0)
    scene.frame_set(20)
    blender.context.view_layer.objects.active = actor
    blender.ops.mannequin.take_motion()
    scene.frame_set(25)
    blender.context.view_layer.objects.active = other
    with pytest.raises(RuntimeError, match="was taken at frame 20"):
        blender.ops.mannequin.take_motion()


def test_at_the_first_frame_there_is_nothing_before(blender):
    scene, actor = build(blender, 1.0, 24.0)
    by_action(blender, actor, scene, 1.0)
    scene.frame_start = 20
    scene.frame_set(20)
    blender.ops.mannequin.take_motion()
    assert not scene.mannequin.use_approach and actor.mannequin.actor.approach == ""
