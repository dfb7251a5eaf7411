"""Joints that slide, in Blender: bones that move along, round trips, poses that cannot be, baked motion."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mannequin.engine import (
    Actor,
    AxisLimits,
    Body,
    Ellipsoid,
    Joint,
    JointBreak,
    JointFunction,
    JointSlide,
    JointSpring,
    Model,
    Motor,
    Scenario,
    Settings,
    SlideLimits,
    run,
)
from mannequin.engine.bodies.posture import actor_poses
from mannequin.engine.maths.rotations import matrix_from_quaternion
from mannequin.engine.spec.joint_types import JOINT_TYPES

KINDS = [name for name, kind in JOINT_TYPES.items() if not kind.is_free]


POINTS = ((-2.0, 0.1), (-1.0, 0.02), (0.0, 0.0), (1.0, 0.05), (2.0, -0.1))
FUNCTIONS = [
    JointFunction("turn", (0.0, 0.6, 0.8), "bend"),
    JointFunction("turn", (1.0, 0.0, 0.0), "bend", points=POINTS),
    JointFunction("turn", (0.0, 0.0, 1.0), "spin", terms=((0.0, 0.1), (1.0, 1.0))),
    JointFunction("shift", (0.0, 1.0, 0.0), "bend", points=POINTS),
    JointFunction("shift", (1.0, 0.0, 0.0), "way"),
]
"""A custom joint of two angles and a way."""


def chain() -> Scenario:
    """A body on every joint type, one after the other, in turned frames, moving."""
    rng = np.random.default_rng(5)
    bodies = [Body("b0", 2.0, (0.02, 0.02, 0.02, 0, 0, 0), ellipsoids=[Ellipsoid("e", (0.1, 0.1, 0.1))])]
    joints = [Joint("root", "free", None, "b0")]
    angles, slides, rates, slide_rates = {}, {}, {}, {}
    for k, name in enumerate(KINDS, start=1):
        axis = rng.normal(size=3)
        frames = []
        for _ in range(2):
            frame = np.eye(4)
            frame[:3, :3] = Rotation.random(random_state=rng).as_matrix()
            frame[:3, 3] = rng.normal(scale=0.1, size=3)
            frames.append(tuple(map(tuple, frame.tolist())))
        bodies.append(Body(f"b{k}", 1.0, (0.01, 0.01, 0.01, 0, 0, 0)))
        unit = tuple((axis / np.linalg.norm(axis)).tolist())
        joints.append(Joint(f"j{k}", name, f"b{k - 1}", f"b{k}", *frames, unit, damping=0.1))
        if name == "custom":
            joints[-1].functions, joints[-1].ellipsoid = FUNCTIONS, (0.05, 0.1, 0.08)
        kind = joints[-1].kind
        places = [m.angle_place for m in kind.motions if m.turns and not kind.is_ball]
        typed = rng.uniform(-60.0, 60.0, 3) if kind.turns else rng.uniform(-0.2, 0.2, 3)
        keep = [0, 1, 2] if kind.is_ball else places or [0]
        if kind.moves:
            angles[f"j{k}"] = tuple(float(x) if i in keep else 0.0 for i, x in enumerate(typed))
            rates[f"j{k}"] = tuple(rng.uniform(-1, 1, 3).tolist())
        if kind.has_both:
            used = [m.place for m in kind.motions if m.slides]
            ways = rng.uniform(-0.2, 0.2, 3)
            slides[f"j{k}"] = tuple(float(x) if i in used else 0.0 for i, x in enumerate(ways))
            slide_rates[f"j{k}"] = tuple(rng.uniform(-1, 1, 3).tolist())
    actor = Actor("chain", Model("chain", bodies, joints), position=(0.3, 0.2, 2.0))
    actor.joint_angles, actor.joint_slides = angles, slides
    actor.joint_velocities, actor.joint_slide_velocities = rates, slide_rates
    settings = Settings(duration=0.1, output_step=0.005, ground=False)
    return Scenario("sliding", [actor], settings=settings)


@pytest.fixture
def scene(blender):
    from mannequin.scene.scenario.scenario import build_scenario

    scene = blender.context.scene
    build_scenario(chain(), scene)
    return scene


def shown_poses(scene) -> dict:
    """Body name to its (4, 4) pose in the world as the bones show it, metres."""
    from mannequin.scene.base.units import units_of
    from mannequin.scene.store.actors import actors_of, body_bones, rest_frame

    (actor,), units = actors_of(scene), units_of(scene)
    poses = {}
    for bone in body_bones(actor.data):
        posed = np.array(
            actor.matrix_world @ actor.pose.bones[bone.name].matrix @ bone.matrix_local.inverted()
        )
        posed[:3, 3] *= units.metres
        poses[bone.name] = posed @ rest_frame(bone)
    return poses


def test_bones_stand_where_the_scenario_says_and_read_back(scene):
    from mannequin.scene.scenario.scenario import read_scenario

    (actor,) = chain().actors
    shown = shown_poses(scene)
    for name, pose in actor_poses(actor).items():
        np.testing.assert_allclose(shown[name], pose, atol=2e-6)
    (again,) = read_scenario(scene).actors
    assert again.joint_angles == actor.joint_angles
    assert again.joint_slides == actor.joint_slides
    assert again.joint_slide_velocities == actor.joint_slide_velocities


def test_a_moved_bone_is_a_slide(scene):
    """Moved along its free axis by hand, and then pulled out of the joint."""
    from mannequin.scene.base.errors import SceneError
    from mannequin.scene.scenario.scenario import read_scenario
    from mannequin.scene.store.actors import actors_of

    (actor,) = actors_of(scene)
    number = 1 + KINDS.index("prismatic")
    bone = actor.pose.bones[f"b{number}"]
    assert tuple(bone.lock_location) == (False, True, True)
    bone.location.x += 0.05
    before = chain().actors[0].joint_angles[f"j{number}"][0]
    after = read_scenario(scene).actors[0].joint_angles[f"j{number}"][0]
    assert after - before == pytest.approx(0.05, abs=1e-6)
    bone.location.y += 0.05
    with pytest.raises(SceneError, match="pulled out of its joint"):
        read_scenario(scene)


def test_baked_motion_is_that_of_the_recording(scene):
    from mannequin.scene.base.units import frame_of_time
    from mannequin.scene.motion.bake import Provenance, bake

    recording = run(chain())
    assert np.abs(recording.joint_slide[-1] - recording.joint_slide[0]).max() > 0.01
    bake(recording, scene, Provenance("run", "1", "abc"), every_sample=True)
    for sample in (0, 7, recording.frames - 1):
        frame = frame_of_time(recording.times[sample], scene)
        scene.frame_set(int(np.floor(frame)), subframe=float(frame - np.floor(frame)))
        shown = shown_poses(scene)
        for b, name in enumerate(recording.body_names):
            np.testing.assert_allclose(shown[name][:3, 3], recording.origin(b)[sample], atol=2e-5)
            turn = matrix_from_quaternion(recording.quaternion[sample, b])
            np.testing.assert_allclose(shown[name][:3, :3], turn, atol=2e-5)


def test_everything_a_joint_can_have_survives_blender(blender):
    from mannequin.scene.model.build import build_actor
    from mannequin.scene.model.read import read_model

    model = chain().actors[0].model
    joint = model.joints[1 + KINDS.index("bushing")]
    joint.springs = [JointSpring("along_x", ((-1.0, 5.0), (0.0, 0.0), (1.0, -5.0)), 2.0, retention=0.4)]
    joint.slide = JointSlide(3.0, SlideLimits((-0.1,) * 3, (0.2,) * 3, 1e4, 10.0), 5.0, Motor(stiffness=7.0))
    joint.breaks = [JointBreak("along_x", 400.0, 20.0, 0.3), JointBreak(energy=5.0)]
    actor = build_actor(model, blender.context.scene)
    assert read_model(actor).joints == model.joints


def test_a_sliders_range_is_typed_in_metres(blender):
    """Shown and written with the unit of length, where angles have a degree sign; kept as files have it."""
    from mannequin.scene.model.build import build_actor
    from mannequin.scene.model.read import read_model

    model = chain().actors[0].model
    number = 1 + KINDS.index("prismatic")
    model.joints[number].limits = AxisLimits((-0.03, 0.0, 0.0), (0.05, 0.0, 0.0))
    actor = build_actor(model, blender.context.scene)
    joint = actor.data.bones[f"b{number}"].mannequin.joint
    assert joint.bl_rna.properties["lowest_way"].unit == "LENGTH"
    assert (joint.lowest_way, joint.highest_way) == pytest.approx((-0.03, 0.05))
    joint.highest_way = 0.08
    assert read_model(actor).joints[number].limits.upper[0] == pytest.approx(0.08, rel=1e-6)
    assert read_model(actor).joints[number].limits.lower[0] == -0.03


def test_a_joint_that_gave_way_is_marked(blender, tmp_path):
    """A ring, a pole and a label at the joint, from the time of the break on."""
    from types import SimpleNamespace

    from mannequin.analysis.time_map import TimeMap
    from mannequin.scene.motion.bake import Provenance, bake
    from mannequin.scene.scenario.scenario import build_scenario
    from mannequin.scene.show.traces.marks import make_marks

    scenario, scene = chain(), blender.context.scene
    number = 1 + KINDS.index("bushing")
    joint = scenario.actors[0].model.joints[number]
    joint.springs = [JointSpring(f"along_{a}", ((-1.0, 2e4), (1.0, -2e4))) for a in "xyz"]
    joint.breaks = [JointBreak("along_x", load=10.0)]
    build_scenario(scenario, scene)
    recording = run(scenario)
    (event,) = recording.breaks
    assert recording.joint_names[event["joint"]] == f"j{number}"
    bake(recording, scene, Provenance("run", "1", "abc"))
    made = make_marks(SimpleNamespace(recording=recording, stem="run"), scene, TimeMap())
    assert len(made) == 3
    assert made[2].data.body == f"j{number} gave way"
    assert all(obj.parent_bone == f"b{number}" for obj in made)
