"""Baked motion against the recording: what Blender plays is what was computed, at every rate and first frame."""

import math

import numpy as np
import pytest

from mannequin.engine import run
from mannequin.engine.maths.rotations import matrix_from_quaternion
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path

RATES = {24: (24, 1.0), 25: (25, 1.0), 29.97: (30, 1.001), 60: (60, 1.0), 1000: (1000, 1.0)}
NEAR = 1e-5


@pytest.fixture(scope="module")
def scenario():
    """A standing fall, cut to 0.3 s; output every 2 ms."""
    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.duration, scenario.settings.output_step = 0.3, 0.002
    scenario.actors[0].velocity = (1.5, 0.4, 0.0)
    scenario.actors[0].angular_velocity = (0.5, 3.0, 8.0)
    return scenario


@pytest.fixture(scope="module")
def recording(scenario):
    """What the engine makes of it."""
    return run(scenario)


@pytest.fixture
def scene(blender, scenario):
    """The scenario in Blender."""
    from mannequin.scene.scenario.scenario import build_scenario

    build_scenario(scenario, blender.context.scene)
    return blender.context.scene


def provenance(run="fall_1"):
    from mannequin.scene.motion.bake import Provenance

    return Provenance(run, "1.2.3", "abc")


def worst_errors(scene, recording, frames, samples):
    """Largest distance (m) and angle (rad) between played and recorded body frames over all bodies and the samples."""
    from mannequin.scene.base.units import units_of
    from mannequin.scene.store.actors import actors_of, rest_frame

    units, actors = units_of(scene), actors_of(scene)
    origins = np.stack([recording.origin(b) for b in range(len(recording.body_names))], axis=1)
    rotations = matrix_from_quaternion(recording.quaternion)
    bones = [
        actors[owner].pose.bones[name]
        for name, owner in zip(recording.body_names, recording.body_actor, strict=True)
    ]
    rest = np.array([np.linalg.inv(bone.bone.matrix_local) for bone in bones])
    rest[:, :3, 3] *= units.metres
    bodies = rest @ np.array([rest_frame(bone.bone) for bone in bones])
    far = turned = 0.0
    for frame, sample in zip(frames, samples, strict=True):
        frame = np.float32(frame)
        whole = math.floor(frame)
        scene.frame_set(whole, subframe=float(frame - np.float32(whole)))
        posed = np.array([bone.id_data.matrix_world @ bone.matrix for bone in bones])
        posed[:, :3, 3] *= units.metres
        played = posed @ bodies
        far = max(far, np.abs(played[:, :3, 3] - origins[sample]).max())
        off = np.swapaxes(played[:, :3, :3], 1, 2) @ rotations[sample] - np.eye(3)
        turned = max(turned, np.linalg.norm(off, axis=(1, 2)).max() / math.sqrt(2.0))
    return far, turned


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("first", [1, -37, 1001])
def test_every_body_plays_every_sample_as_recorded(scene, recording, rate, first):
    from mannequin.scene.base.units import frame_of_time
    from mannequin.scene.motion.bake import bake

    scene.render.fps, scene.render.fps_base = RATES[rate]
    scene.frame_start = first
    bake(recording, scene, provenance(), every_sample=True)
    frames = [frame_of_time(t, scene) for t in recording.times]
    far, turned = worst_errors(scene, recording, frames, range(recording.frames))
    assert far < NEAR and turned < NEAR


@pytest.mark.parametrize("name", ["car_bicycle", "rugby_tackle"])
def test_every_actor_plays_as_recorded(blender, name):
    """Several actors with fixed, revolute and spherical joints, at a crooked rate."""
    from mannequin.scene.base.units import frame_of_time
    from mannequin.scene.motion.bake import bake
    from mannequin.scene.scenario.scenario import build_scenario

    scenario, scene = read_scenario(scenario_path(name)), blender.context.scene
    scenario.settings.duration = 0.1
    build_scenario(scenario, scene)
    recording = run(scenario)
    assert len(recording.actor_names) > 1
    scene.render.fps, scene.render.fps_base = RATES[29.97]
    bake(recording, scene, provenance(), every_sample=True)
    frames = [frame_of_time(t, scene) for t in recording.times]
    far, turned = worst_errors(scene, recording, frames, range(recording.frames))
    assert far < NEAR and turned < NEAR


@pytest.mark.parametrize(("first", "rate"), [(1_000_000, 24), (1, 5)])
def test_samples_that_keyframes_cannot_tell_apart_are_refused(scene, recording, first, rate):
    """Frames are 32-bit numbers, and Blender merges keyframes within a hundredth of a frame."""
    import bpy

    from mannequin.scene.base.errors import SceneError
    from mannequin.scene.motion.bake import bake

    scene.frame_start, scene.render.fps = first, rate
    with pytest.raises(SceneError, match="too close for keyframes"):
        bake(recording, scene, provenance(), every_sample=True)
    assert not bpy.data.actions
    bake(recording, scene, provenance())


@pytest.mark.parametrize("rate", [25, 1000])
@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_whole_frames_that_meet_samples_play_as_recorded(blender, scenario, recording, rate, scale):
    from mannequin.scene.motion.bake import bake
    from mannequin.scene.scenario.scenario import build_scenario

    scene = blender.context.scene
    scene.unit_settings.scale_length = scale
    build_scenario(scenario, scene)
    scene.render.fps, scene.render.fps_base = RATES[rate]
    scene.frame_start = 10
    bake(recording, scene, provenance())
    step = {25: 20, 1000: 1}[rate]  # samples per frame, or frames per sample
    pairs = [(10 + k, k * step) for k in range(8)] if rate == 25 else [(10 + 2 * k, k) for k in range(150)]
    far, turned = worst_errors(scene, recording, *zip(*pairs, strict=True))
    assert far < NEAR and turned < NEAR


def test_between_samples_the_motion_is_that_of_a_finer_recording(scenario, recording):
    from mannequin.analysis.resample import resample

    fine = run(read_with(scenario, output_step=0.0005))
    motion = resample(recording, fine.times)
    origins = np.stack([fine.origin(b) for b in range(len(fine.body_names))], axis=1)
    straight = np.stack(
        [
            np.stack(
                [np.interp(fine.times, recording.times, recording.origin(b)[:, k]) for k in range(3)], axis=-1
            )
            for b in range(len(fine.body_names))
        ],
        axis=1,
    )
    off = np.abs(motion.origin - origins).max()
    assert off < 1e-4 and off < 0.5 * np.abs(straight - origins).max()


def read_with(scenario, **settings):
    """The scenario with other settings."""
    import dataclasses

    return dataclasses.replace(scenario, settings=dataclasses.replace(scenario.settings, **settings))


def test_quaternions_keep_their_side(scene, recording):
    from mannequin.scene.base.blender_version import fcurves_of
    from mannequin.scene.motion.bake import bake

    (action,) = bake(recording, scene, provenance(), every_sample=True)
    curves = {}
    for curve in fcurves_of(action):
        if curve.data_path.endswith("rotation_quaternion"):
            values = np.array([point.co.y for point in curve.keyframe_points])
            curves.setdefault(curve.data_path, []).append(values)
    assert curves
    for path, parts in curves.items():
        q = np.stack(parts, axis=-1)
        assert (np.sum(q[1:] * q[:-1], axis=-1) > 0.9).all(), path


def test_a_second_run_keeps_the_first_action(scene, recording):
    import bpy

    from mannequin.scene.motion.bake import bake, playing_action
    from mannequin.scene.rig.pose import kept_start
    from mannequin.scene.store.actors import actors_of

    (first,) = bake(recording, scene, provenance("fall_1"))
    start = kept_start(actors_of(scene)[0])
    (second,) = bake(recording, scene, provenance("fall_2"))
    assert first.name in bpy.data.actions and first != second
    assert playing_action(actors_of(scene)[0]) == second
    assert kept_start(actors_of(scene)[0]) == start
    assert (second["mannequin_run"], second["mannequin_engine_version"]) == ("fall_2", "1.2.3")


def test_the_start_of_a_baked_scene_is_the_one_that_was_simulated(scene, scenario, recording):
    from mannequin.scene.motion.bake import bake
    from mannequin.scene.scenario.scenario import read_scenario as read_scene

    before = read_scene(scene)
    bake(recording, scene, provenance())
    scene.frame_set(5)
    assert read_scene(scene) == before


@pytest.mark.parametrize("change", ["move", "delete", "mute", "interpolation"])
def test_an_edit_by_hand_is_seen(scene, recording, change):
    from mannequin.scene.base.blender_version import fcurves_of
    from mannequin.scene.motion.bake import bake
    from mannequin.scene.motion.edited import is_edited_by_hand

    (action,) = bake(recording, scene, provenance())
    assert not is_edited_by_hand(action)
    curve = fcurves_of(action)[7]
    if change == "move":
        curve.keyframe_points[3].co.y += 1e-4
    elif change == "delete":
        curve.keyframe_points.remove(curve.keyframe_points[3])
    elif change == "mute":
        curve.mute = True
    else:
        curve.keyframe_points[3].interpolation = "BEZIER"
    assert is_edited_by_hand(action)


def test_slow_motion_shows_the_right_time(scene, recording):
    from mannequin.analysis.time_map import TimeMap
    from mannequin.scene.motion.bake import bake, time_map_of

    scene.render.fps = 100
    (action,) = bake(recording, scene, provenance(), TimeMap(((0.1, 0.2, 10.0),)))
    assert time_map_of(action).factor_at(0.15) == 10.0 and time_map_of(action).factor_at(0.05) == 1.0
    # frame 1 shows 0 s; 0.1 s later the slow part begins: 0.15 s is 0.1 + 0.05 * 10 = 0.6 s into the film
    far, turned = worst_errors(scene, recording, [11, 61, 111, 121], [50, 75, 100, 150])
    assert far < NEAR and turned < NEAR
    assert scene.frame_end >= 121
