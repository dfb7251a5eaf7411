"""Motion of other programs' skeletons on an actor: found by their names or shape, carried over, simulated, blended
back.

Truth is by construction: rigs are made of known joints with their arms spread about the fore-aft axis, and posed by
known turns of the bodies; a BVH file is written by a formula of a walk."""

import math

import bvh_files
import numpy as np
import pytest
from foreign_rigs import NAMINGS, make_rig, turned_about_x
from responses_seen import events_of

from mannequin.engine.maths.rotations import matrix_from_quaternion
from mannequin.models.library import load_model

TURNS = {
    "LowerBack": (0.1, 0.2, -0.1),
    "UpperBack": (0.0, 0.3, 0.2),
    "head": (0.1, -0.3, 0.4),
    "UpperArmL": (0.9, -0.7, 0.3),
    "ForearmL": (0.2, -1.2, 0.1),
    "UpperArmR": (-0.4, -1.1, 0.0),
    "ForearmR": (0.1, -0.6, 0.3),
    "HandR": (0.3, 0.1, 0.0),
    "ThighL": (0.1, -0.8, 0.1),
    "ShankL": (0.0, 0.9, 0.0),
    "FootL": (0.0, -0.2, 0.1),
    "ThighR": (-0.1, 0.4, 0.0),
    "ShankR": (0.0, 0.5, 0.0),
}
"""Body to its turn beyond that of the pelvis: a rotation vector."""


def rotation(vector):
    """(3, 3) of a rotation vector."""
    from mathutils import Matrix, Vector

    vector = Vector(vector)
    return np.array(Matrix.Rotation(vector.length, 3, vector) if vector.length else Matrix.Identity(3))


def body_turn(body):
    """(3, 3) turn of a body from its rest, in the axes of the person: the pelvis turns too."""
    return rotation((0.1, 0.2, 0.5)) @ rotation(TURNS.get(body, (0.0, 0.0, 0.0)))


def pose_rig(rig, bones, arms, update):
    """Pose a rig so that its bodies are turned as `body_turn` says, whatever its rest: P = D S' R, S the spread."""
    from mathutils import Matrix

    frame = np.array(rig.matrix_world)
    own = frame[:3, :3] / np.linalg.norm(frame[:3, 0])
    for body, bone in bones.items():
        if body.startswith("Clavicle"):
            continue
        sign = (
            {"L": 1.0, "R": -1.0}.get(body[-1], 0.0) if body[:-1] in ("UpperArm", "Forearm", "Hand") else 0.0
        )
        posed, rest = rig.pose.bones[bone], np.array(rig.data.bones[bone].matrix_local)[:3, :3]
        turn = body_turn(body) @ turned_about_x(-sign * math.radians(arms))
        world = facing_rig(rig) @ turn @ facing_rig(rig).T @ own @ rest
        matrix = posed.matrix.copy()
        local = Matrix((own.T @ world).tolist()).to_4x4()
        local.translation = matrix.translation
        posed.matrix = local
        update()


def facing_rig(rig):
    """(3, 3) from the axes of a person (x forward) to the world, of a rig that faces -y where it is not turned."""
    turn = rig.rotation_euler.z
    c, s = math.cos(turn), math.sin(turn)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ np.array(
        [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    )


def new_man(blender):
    from mannequin.scene.model.build import build_actor

    actor = build_actor(load_model("hybrid3_50th"), blender.context.scene, "man")
    blender.context.view_layer.objects.active = actor
    return actor


@pytest.mark.parametrize("convention", NAMINGS)
def test_bones_are_found_and_every_body_turns_as_its_bone(blender, convention):
    """In five programs' names, plain ones and none, an A and a T, in centimetres and y up: turns of all bodies."""
    from mannequin.scene.base.units import units_of
    from mannequin.scene.motion.approach import body_frames
    from mannequin.scene.motion.retarget import retarget
    from mannequin.scene.rig.skeletons import map_armature
    from mannequin.scene.store.actors import rest_frame

    scene, actor = blender.context.scene, new_man(blender)
    for arms in (45.0, 90.0):
        rig, bones, _ = make_rig(blender, convention, arms, turn=0.6, place=(2.0, 1.0, 0.0))
        assert map_armature(rig) == bones and rig.mannequin.skeleton.convention == convention
        for frame in (1, 2):
            if frame == 2:
                pose_rig(rig, bones, arms, blender.context.view_layer.update)
            for bone in bones.values():
                rig.pose.bones[bone].rotation_mode = "QUATERNION"
                rig.pose.bones[bone].keyframe_insert("rotation_quaternion", frame=frame)
        done = retarget(actor, rig, scene)
        assert (done.first, done.last) == (1, 2) and done.scale == pytest.approx(1.0, abs=1e-3)
        seen = body_frames(actor, scene, 2, units_of(scene))
        for body in (body for body in bones if body in TURNS or body == "pelvis"):
            wanted = facing_rig(rig) @ body_turn(body)
            found = seen[body][:3, :3] @ rest_frame(actor.data.bones[body])[:3, :3].T
            off = math.degrees(math.acos(min(1.0, (np.trace(found @ wanted.T) - 1.0) / 2.0)))
            assert off < 0.2, (body, off)


def test_blenders_own_human_rig_and_makehumans_are_found(blender):
    """Rigify's human as Blender adds it, and MakeHuman's default rig as our people have it, bone by bone."""
    from mannequin.models.people.look.template import load_template
    from mannequin.models.people.skeletons.names import map_skeleton
    from mannequin.models.people.skeletons.skeleton import Skeleton
    from mannequin.scene.rig.skeletons import map_armature

    blender.ops.preferences.addon_enable(module="rigify")
    blender.ops.object.armature_human_metarig_add()
    rig = blender.context.object
    found = map_armature(rig)
    assert rig.mannequin.skeleton.convention == "Rigify metarig"
    assert found["UpperBack"] == "spine.003" and found["head"] == "spine.006" and found["pelvis"] == "spine"
    assert found["HandL"] == "hand.L" and found["ShankR"] == "shin.R" and len(found) == 19
    template = load_template()
    ends = template.base[template.ends]
    found, convention = map_skeleton(Skeleton(template.bones, template.parents, ends[:, 0], ends[:, 1]))
    assert convention == "MakeHuman" and found["pelvis"] == "root" and found["UpperBack"] == "spine01"
    assert found["HandR"] == "wrist.R" and found["ThighL"] == "upperleg01.L" and len(found) == 19


def test_what_cannot_be_mapped_is_said_and_can_be_corrected(blender):
    from mannequin.scene.base.errors import SceneError
    from mannequin.scene.motion.retarget import retarget

    scene, actor = blender.context.scene, new_man(blender)
    rig, bones, _ = make_rig(blender, "Mixamo", 90.0)
    scene.frame_start, scene.frame_end = 1, 2
    stick, _, _ = make_rig(blender, "plain names", 90.0)
    for number, bone in enumerate(list(stick.data.bones)):
        bone.name = f"bone {number}"
    stick.name = "stick"
    blender.context.view_layer.objects.active = stick
    blender.ops.object.mode_set(mode="EDIT")
    for bone in stick.data.edit_bones:
        bone.parent = None
    blender.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(SceneError, match="no bone of 'stick' is known by its name or its place"):
        retarget(actor, stick, scene)
    assert retarget(actor, rig, scene).action.name == "Mixamo on man"
    rows = rig.mannequin.skeleton.bones
    rows["ShankL"].bone = ""
    with pytest.raises(SceneError, match="no bone for ShankL: name it in the list"):
        retarget(actor, rig, scene)
    rows["ShankL"].bone = bones["ShankR"]
    with pytest.raises(SceneError, match="stands for two bodies"):
        retarget(actor, rig, scene)
    rows["ShankL"].bone = bones["ShankL"]
    retarget(actor, rig, scene)


@pytest.fixture(scope="module")
def walked(registered_blender, tmp_path_factory):
    """A man who walks as a BVH file says, follows it by his own strength for 0.2 s, is struck by a car, responds, and
    gets going again: frames of his bodies as they are played, the action, and the recording."""
    from mannequin.engine import run
    from mannequin.scene.base.units import units_of
    from mannequin.scene.model.build import build_actor
    from mannequin.scene.motion.approach import body_frames
    from mannequin.scene.motion.bake import Provenance, bake
    from mannequin.scene.motion.edited import edits_of
    from mannequin.scene.motion.follow import followed_motion
    from mannequin.scene.scenario.scenario import read_scenario

    blender = registered_blender
    blender.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = blender.context.scene
    scene.render.fps = 30
    actor = new_man(blender)
    actor.location, actor.rotation_euler = (0.0, -1.4, 0.0), (0.0, 0.0, math.pi / 2.0)
    car = build_actor(load_model("car"), scene, "car")
    car.location, car.mannequin.actor.velocity = (-4.5, 0.3, 0.0), (9.0, 0.0, 0.0)
    blender.context.view_layer.update()
    path = bvh_files.walking_bvh(tmp_path_factory.mktemp("bvh") / "walk.bvh")
    blender.ops.mannequin.import_motion(filepath=str(path))
    capture = next(o for o in scene.objects if o.type == "ARMATURE" and o.mannequin.kind == "NONE")
    animation, units = actor.animation_data.action, units_of(scene)
    frame = 31
    seen = {f: body_frames(actor, scene, f, units) for f in (1, 12, *range(30, 39))}
    halves = []
    for side in (-0.5, 0.5):
        scene.frame_set(math.floor(frame + side), subframe=0.5)
        posed = actor.evaluated_get(blender.context.evaluated_depsgraph_get())
        halves.append(np.array(posed.matrix_world @ posed.pose.bones["head"].head))
    scene.frame_set(frame)
    blender.context.view_layer.objects.active = actor
    limp = followed_motion(actor, scene, frame, frame + 3)
    scene.frame_set(frame)
    actor.mannequin.actor.use_response = True
    blender.ops.mannequin.take_motion(goes_on=True)
    scenario = read_scenario(scene)
    scenario.settings.duration = 0.5
    recording = run(scenario)
    actions = bake(recording, scene, Provenance("run", "1", ""))
    baked = {f: body_frames(actor, scene, f, units) for f in (1, 12, 30, 31, 36)}
    blender.context.view_layer.objects.active = actor
    blender.ops.mannequin.blend_into_animation(animation=animation.name, begin=5, frames=10)
    last = int(actions[0].frame_range[1])
    way = np.array([body_frames(actor, scene, f, units)["head"][:3, 3] for f in range(25, last + 1)])
    return {
        "animated": seen, "baked": baked, "halves": halves, "recording": recording, "actions": actions, "way": way,
        "limp": limp, "man": scenario.actors[0],
        "edits": [edit.text for edit in edits_of(scene)], "seconds": 1.0 / 30.0, "capture": capture.name,
    }  # fmt: skip


def test_a_walk_from_a_file_is_the_walk_of_the_formula(walked):
    """Speed along the way the actor faced, and the angle of the knee, at a frame."""
    seen, seconds = walked["animated"], walked["seconds"]
    way = seen[31]["pelvis"][:3, 3] - seen[1]["pelvis"][:3, 3]
    assert way[1] == pytest.approx(bvh_files.SPEED * 30 * seconds, rel=0.02) and abs(way[0]) < 0.01
    assert seen[1]["pelvis"][:2, 3] == pytest.approx([0.0, -1.4], abs=0.01)
    for side, word in (("L", "Left"), ("R", "Right")):
        relative = seen[31][f"Thigh{side}"][:3, :3].T @ seen[31][f"Shank{side}"][:3, :3]
        knee = math.degrees(math.acos((np.trace(relative) - 1.0) / 2.0))
        time = 30 * seconds
        assert knee == pytest.approx(abs(bvh_files.angles_at(time)[f"{word}Leg"][1]), abs=0.5)


def test_the_hand_over_shows_no_jump(walked):
    """Head below 1 mm at and before the hand-over, its velocity within 1 %; one action per person."""
    animated, baked, recording = walked["animated"], walked["baked"], walked["recording"]
    for frame in (1, 12, 30, 31):
        for body in ("head", "pelvis", "HandL", "FootR"):
            off = np.linalg.norm(baked[frame][body][:3, 3] - animated[frame][body][:3, 3])
            assert off < 1e-3, (frame, body, off)
    head = recording.body_names.index("head")
    arm = recording.origin(head)[0] - recording.position[0, head]
    found = recording.velocity[0, head] + np.cross(recording.angular_velocity[0, head], arm)
    wanted = (animated[32]["head"][:3, 3] - animated[30]["head"][:3, 3]) / (2.0 * walked["seconds"])
    assert np.linalg.norm(found - wanted) < 0.01 * np.linalg.norm(wanted)
    assert [action.name for action in walked["actions"]] == ["run man", "run car"]


def bend(frames, upper, lower):
    """Angle (degrees) between two bodies, from their frames."""
    relative = frames[upper][:3, :3].T @ frames[lower][:3, :3]
    return math.degrees(math.acos(np.clip((np.trace(relative) - 1.0) / 2.0, -1.0, 1.0)))


def test_the_walk_goes_on_by_his_own_strength_until_the_car_touches(walked):
    """Hips and knees within a degree of the animation, root as carried; torques of people; then he responds."""
    recording, animated = walked["recording"], walked["animated"]
    man, seconds = recording.actor_names.index("man"), walked["seconds"]
    touch = first_touch(recording, man)
    assert 0.18 < touch < 0.45, "the car comes while he walks"
    off = np.linalg.norm(walked["baked"][36]["pelvis"][:3, 3] - animated[36]["pelvis"][:3, 3])
    assert off < 3e-3 and 5 * seconds < touch, off
    for side in "LR":
        for pair in (("pelvis", f"Thigh{side}"), (f"Thigh{side}", f"Shank{side}")):
            lag = [bend(frames_of(recording, f - 31, seconds, pair), *pair) - bend(animated[f], *pair)
                   for f in range(31, 37)]  # fmt: skip
            assert np.sqrt(np.mean(np.square(lag))) < 1.0, pair
    events = events_of(recording, "man")
    assert touch - 0.01 < events["is touched"] <= events["loses balance"] < events["responds"]


def frames_of(recording, frame, seconds, bodies):
    """Body to its world frame in the recording, so many frames after the start."""
    k = int(np.argmin(np.abs(recording.times - frame * seconds)))
    found = {}
    for body in bodies:
        found[body] = np.eye(4)
        found[body][:3, :3] = matrix_from_quaternion(
            recording.quaternion[k, recording.body_names.index(body)]
        )
    return found


def test_only_who_responds_follows_by_motors(walked):
    """Joints of somebody without a response are carried and let go: motors would hold him as a plank."""
    limp, man = walked["limp"], walked["man"]
    assert not limp.motors and {"hiplJnt", "neckJnt"} <= {motion.joint for motion in limp.tables}
    assert man.response.arming == "release" and all(motor.follows for motor in man.motors.values())
    assert not set(man.motors) & {motion.joint for motion in man.prescribed}
    mass = sum(body.mass for body in man.model.bodies)
    ratio = man.model.height * mass / (1.75 * 75.0)  # strength goes with mass times height
    assert man.motors["hiplJnt"].max_torque == pytest.approx(207.0 * ratio, rel=1e-4)


def first_touch(recording, man):
    """Time (s) at which the man's centre of mass is first pushed hard along x."""
    bodies = np.flatnonzero(recording.body_actor == man)
    force = recording.contact_force[:, bodies, 0].sum(axis=1)
    return float(recording.times[np.argmax(force > 200.0)])


def test_he_is_thrown_and_blends_into_an_animation_that_is_called_one(walked):
    """No step of the head is longer than the fastest of the simulation; frames before and after are named."""
    recording, way = walked["recording"], walked["way"]
    head = recording.body_names.index("head")
    fastest = np.linalg.norm(recording.velocity[:, head], axis=1).max()
    steps = np.linalg.norm(np.diff(way, axis=0), axis=1) / walked["seconds"]
    assert steps.max() < 1.1 * fastest + 1.0
    first, last = 31 + int(0.5 / walked["seconds"]) + 1, int(walked["actions"][0].frame_range[1])
    assert "man: frames 1 to 30: animated, not simulated" in walked["edits"]
    assert f"man: frames {first} to {last}: animated, not simulated" in walked["edits"]
    assert not [text for text in walked["edits"] if "man" in text and "animated" not in text]


@pytest.mark.parametrize("source", ["strips", "constraints"])
def test_strips_and_constraints_move_the_skeleton_too(blender, source, tmp_path):
    """The same walk through an NLA strip, and through a second armature that follows the first by constraints."""
    from mannequin.scene.base.units import units_of
    from mannequin.scene.motion.approach import body_frames
    from mannequin.scene.motion.import_motion import import_motion
    from mannequin.scene.motion.retarget import retarget

    scene, actor = blender.context.scene, new_man(blender)
    capture, _ = import_motion(bvh_files.walking_bvh(tmp_path / "walk.bvh", 0.6), actor, scene)
    wanted = body_frames(actor, scene, 9, units_of(scene))
    moving = capture
    if source == "strips":
        data = capture.animation_data
        action, slot = data.action, getattr(data, "action_slot", None)
        data.action = None
        strip = data.nla_tracks.new().strips.new("walk", 1, action)
        if slot is not None:
            strip.action_slot = slot
    else:
        moving = blender.data.objects.new("double", capture.data)
        scene.collection.objects.link(moving)
        moving.matrix_world = capture.matrix_world
        blender.context.view_layer.update()
        for bone in moving.pose.bones:
            follow = bone.constraints.new("COPY_TRANSFORMS")
            follow.target, follow.subtarget = capture, bone.name
        scene.frame_start, scene.frame_end = 1, 14
    actor.animation_data.action = None
    retarget(actor, moving, scene)
    seen = body_frames(actor, scene, 9, units_of(scene))
    for body in ("head", "FootL", "HandR"):
        assert seen[body] == pytest.approx(wanted[body], abs=2e-3)


def test_files_that_hold_no_motion_are_refused_in_words(blender, tmp_path):
    from mannequin.scene.base.errors import SceneError
    from mannequin.scene.motion.import_motion import import_motion

    scene, actor = blender.context.scene, new_man(blender)
    (tmp_path / "walk.c3d").write_text("")
    for name, words in (("walk.c3d", "BVH and FBX are"), ("none.bvh", "there is no file")):
        with pytest.raises(SceneError, match=words):
            import_motion(tmp_path / name, actor, scene)


def test_fbx_comes_back_as_it_was_written(blender, tmp_path):
    """The walk exported as FBX by Blender and imported again."""
    from mannequin.scene.base.units import units_of
    from mannequin.scene.motion.approach import body_frames
    from mannequin.scene.motion.import_motion import import_motion

    scene, actor = blender.context.scene, new_man(blender)
    scene.frame_start, scene.frame_end = 1, 14
    capture, _ = import_motion(bvh_files.walking_bvh(tmp_path / "walk.bvh", 0.6), actor, scene)
    wanted = body_frames(actor, scene, 9, units_of(scene))
    blender.ops.mesh.primitive_cube_add()  # a skin, without which the file has no rest pose of its own
    cube = blender.context.object
    cube.parent, cube.modifiers.new("Armature", "ARMATURE").object = capture, capture
    cube.vertex_groups.new(name="Hips").add(range(8), 1.0, "REPLACE")
    for obj in scene.objects:
        obj.select_set(obj in (capture, cube))
    blender.ops.export_scene.fbx(
        filepath=str(tmp_path / "walk.fbx"), use_selection=True, add_leaf_bones=False
    )
    blender.data.objects.remove(capture)
    import_motion(tmp_path / "walk.fbx", actor, scene)
    seen = body_frames(actor, scene, 9, units_of(scene))
    start = seen["pelvis"][:3, 3] - wanted["pelvis"][:3, 3]
    for body in ("head", "FootL", "HandR", "ShankR"):
        assert seen[body][:3, 3] - start == pytest.approx(wanted[body][:3, 3], abs=5e-3)
        assert seen[body][:3, :3] == pytest.approx(wanted[body][:3, :3], abs=0.02)
