"""Bake a recording: plain keyframes on the armatures, one new named action per actor and run.

Turning bone b from rest by q_b, with D_b the turn of body b from its place at rest and B_b the bone's axes at rest (all
in the actor frame), is q_b = B_b* D_parent* D_b B_b; a free root moves by B_b' (p_b - p_rest). All of it is computed in
double precision from the recording, rounded once to the 32 bits of a keyframe, and written in bulk. Between keyframes
curves are straight: a baked film shows no overshoot that was not computed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import bpy
import numpy as np

from ..engine.recording import Recording
from ..engine.rotations import matrix_from_quaternion, quaternion_from_matrix
from ..engine.spec import Actor
from . import plain, pose
from .actors import actors_of, body_bones, bone_axes, parent_body, rest_frame
from .blender_version import assign_action, fcurves_of, new_action, new_fcurve
from .errors import SceneError
from .resample import Motion, conjugate, continuous, quaternion_product, resample
from .scenario import scenario_names
from .time_map import TimeMap, load_time_map
from .units import Units, frame_of_time, frames_per_second, units_of

CURVES_DIGEST = "mannequin_curves_sha256"
RUN, TIME_MAP = "mannequin_run", "mannequin_time_map"
LINEAR = 1
"""Blender's number of the straight interpolation, as `foreach_set` takes it."""


@dataclass(frozen=True)
class Provenance:
    """Where a motion comes from; kept on each action as custom properties `mannequin_<field>`."""

    run: str
    """Run id"""
    engine_version: str
    settings_sha256: str
    manifest_sha256: str = ""
    run_folder: str = ""
    case: str = ""


@dataclass(frozen=True)
class Channel:
    """One keyframed property of a bone."""

    bone: str
    path: str
    index: int
    values: np.ndarray
    """(K,)"""


def bake(
    recording: Recording,
    scene: bpy.types.Scene,
    provenance: Provenance,
    time_map: TimeMap | None = None,
    every_sample: bool = False,
    fit_timeline: bool = False,
) -> list[bpy.types.Action]:
    """Bake a recording onto the actors of a scene and return the new actions.

    One keyframe per frame of the scene's rate from its first frame on, or one per output sample at sub-frames.
    fit_timeline: the scene ends with the motion, also where it was longer.
    """
    if recording.frames == 0:
        raise SceneError("the run has no output to bake: simulate again")
    time_map = time_map or TimeMap()
    frames, times = key_frames(recording, scene, time_map, every_sample)
    motion = resample(recording, times)
    units, objects = units_of(scene), actors_by_name(scene, recording)
    made = []
    for number, name in enumerate(recording.actor_names):
        actor = objects[name]
        start = start_of(actor, units)
        bodies = bodies_of(recording, number)
        channels = list(actor_channels(actor, motion, bodies, units))
        action = write_action(actor, f"{provenance.run} {actor.name}", frames, channels)
        keep_provenance(action, provenance, time_map)
        play(actor, action)
        pose.keep_start(actor, start, action)
        made.append(action)
    last = int(np.ceil(frames[-1] - 1e-6))
    scene.frame_end = last if fit_timeline else max(scene.frame_end, last)
    return made


def start_of(actor: bpy.types.Object, units: Units) -> pose.Start:
    """Place and pose at the start, with all digits of the file where nothing was moved since."""
    group = actor.mannequin.actor
    original = plain.load(Actor, group.original)
    was = (
        pose.Start(original.position, original.orientation, original.joint_angles) if group.original else None
    )
    return pose.read_start(actor, units, was)


def key_frames(
    recording: Recording, scene: bpy.types.Scene, time_map: TimeMap, every_sample: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Frames of the keyframes and the simulated times (s) they show. Frames count from the scene's first frame."""
    if every_sample:
        film = time_map.film_time(recording.times)
        return scene.frame_start + film * frames_per_second(scene), recording.times.copy()
    length = float(time_map.film_time(recording.times[-1]))
    count = int(np.floor(length * frames_per_second(scene) + 1e-6)) + 1
    frames = scene.frame_start + np.arange(count, dtype=float)
    times = time_map.simulated_time(np.arange(count) / frames_per_second(scene))
    return frames, np.minimum(times, recording.times[-1])


def bodies_of(recording: Recording, actor: int) -> dict[str, int]:
    """Index of each body of an actor by name."""
    return {recording.body_names[b]: int(b) for b in np.flatnonzero(recording.body_actor == actor)}


def actors_by_name(scene: bpy.types.Scene, recording: Recording) -> dict[str, bpy.types.Object]:
    """Armature of each recorded actor."""
    names = scenario_names(scene)
    found = {names[obj.name]: obj for obj in actors_of(scene)}
    for number, name in enumerate(recording.actor_names):
        if name not in found:
            raise SceneError(
                f"the scene has no actor '{name}', which the run has: import the run's scenario first"
            )
        bones = {bone.name for bone in body_bones(found[name].data)}
        for body, owner in zip(recording.body_names, recording.body_actor, strict=True):
            if owner == number and body not in bones:
                raise SceneError(f"actor '{name}' has no body '{body}', which the run has: simulate it again")
    return found


def actor_channels(
    actor: bpy.types.Object, motion: Motion, bodies: dict[str, int], units: Units
) -> Iterator[Channel]:
    """Keyframed properties of an actor's bones; a bone that only goes along with its parent has none."""
    world = units.frame_to_si(actor.matrix_world)
    q_world = quaternion_from_matrix(world[:3, :3])
    turns: dict[str, np.ndarray] = {}
    for bone in body_bones(actor.data):
        if bone.name not in bodies:
            continue
        rest = quaternion_from_matrix(rest_frame(bone)[:3, :3])
        q_body = motion.quaternion[:, bodies[bone.name]]
        turns[bone.name] = quaternion_product(quaternion_product(conjugate(q_world), q_body), conjugate(rest))
    for bone in body_bones(actor.data):
        if bone.name not in bodies:
            continue
        parent = parent_body(bone)
        joint = bone.mannequin.joint
        axes = quaternion_from_matrix(pose.joint_frame_at_rest(bone)[:3, :3] @ bone_axes(bone))
        turn = turns[bone.name]
        if parent is not None:
            turn = quaternion_product(conjugate(turns[parent.name]), turn)
        local = continuous(quaternion_product(quaternion_product(conjugate(axes), turn), axes))
        if pose.is_placed_by_root(bone):
            shift = root_shift(bone, motion.origin[:, bodies[bone.name]], turns[bone.name], world)
            values = shift @ matrix_from_quaternion(axes) / units.metres
            yield from (Channel(bone.name, "location", k, values[:, k]) for k in range(3))
        elif joint.type == "fixed":
            continue
        yield from rotation_channels(actor.pose.bones[bone.name], local)


def root_shift(bone: bpy.types.Bone, origin: np.ndarray, turn: np.ndarray, world: np.ndarray) -> np.ndarray:
    """(K, 3) way of a root's joint centre from rest in the actor frame, m, of its body's (K, 3) world origins."""
    in_actor = (origin - world[:3, 3]) @ world[:3, :3]
    centre = pose.joint_frame_at_rest(bone)[:3, 3]
    arm = matrix_from_quaternion(turn) @ (centre - rest_frame(bone)[:3, 3])
    return in_actor + arm - centre


def rotation_channels(bone: bpy.types.PoseBone, local: np.ndarray) -> Iterator[Channel]:
    """Rotation of a bone as keyframed: the angle about x of a revolute joint, else a quaternion."""
    if bone.rotation_mode == "XYZ":
        angle = np.unwrap(2.0 * np.arctan2(local[:, 1], local[:, 0]))
        start = bone.rotation_euler.x
        yield Channel(
            bone.name, "rotation_euler", 0, angle + 2.0 * np.pi * np.round((start - angle[0]) / (2.0 * np.pi))
        )
        return
    yield from (Channel(bone.name, "rotation_quaternion", k, local[:, k]) for k in range(4))


def write_action(
    actor: bpy.types.Object, name: str, frames: np.ndarray, channels: list[Channel]
) -> bpy.types.Action:
    """New action with the channels as curves, written in bulk; kept in the file although nothing may play it."""
    action, curves = new_action(name, actor)
    action.use_fake_user = True
    points = np.empty(2 * len(frames), dtype=np.float32)
    points[0::2] = frames
    straight = np.full(len(frames), LINEAR, dtype=np.int32)
    for channel in channels:
        path = f'pose.bones["{bpy.utils.escape_identifier(channel.bone)}"].{channel.path}'
        curve = new_fcurve(curves, path, channel.index, channel.bone)
        curve.keyframe_points.add(len(frames))
        points[1::2] = channel.values
        curve.keyframe_points.foreach_set("co", points)
        curve.keyframe_points.foreach_set("interpolation", straight)
        curve.update()
    return action


def keep_provenance(action: bpy.types.Action, provenance: Provenance, time_map: TimeMap) -> None:
    """Write where a motion comes from onto its action, and what its curves look like now."""
    for name, value in vars(provenance).items():
        action[f"mannequin_{name}"] = value
    action[TIME_MAP] = time_map.dump()
    action[CURVES_DIGEST] = curves_digest(action)


def curves_digest(action: bpy.types.Action) -> str:
    """SHA-256 over all keyframes of an action, in an order of its own."""
    digest = hashlib.sha256()
    for curve in sorted(fcurves_of(action), key=lambda c: (c.data_path, c.array_index)):
        points = curve.keyframe_points
        values = np.empty(2 * len(points), dtype=np.float32)
        points.foreach_get("co", values)
        kinds = np.empty(len(points), dtype=np.int32)
        points.foreach_get("interpolation", kinds)
        digest.update(f"{curve.data_path}[{curve.array_index}]{curve.mute}{len(curve.modifiers)}".encode())
        digest.update(values.tobytes() + kinds.tobytes())
    return digest.hexdigest()


def is_baked(action: bpy.types.Action | None) -> bool:
    """Whether an action was written by a simulation."""
    return action is not None and RUN in action


def is_edited_by_hand(action: bpy.types.Action) -> bool:
    """Whether the keyframes of a baked action are no longer those that were baked."""
    return action.get(CURVES_DIGEST, "") != curves_digest(action)


def playing_action(actor: bpy.types.Object) -> bpy.types.Action | None:
    """The baked action that moves an actor now."""
    action = actor.animation_data.action if actor.animation_data else None
    return action if is_baked(action) else None


def time_map_of(action: bpy.types.Action) -> TimeMap:
    """Slow motion a motion was baked with."""
    return load_time_map(action.get(TIME_MAP, ""))


def play(actor: bpy.types.Object, action: bpy.types.Action) -> None:
    """Let an action move an actor. What else moves its bones is muted: the film shows what was computed."""
    for bone in actor.pose.bones:
        for constraint in bone.constraints:
            constraint.mute = True
    assign_action(actor, action)


def frame_of_simulated_time(time: float, scene: bpy.types.Scene, time_map: TimeMap) -> float:
    """Frame (with fraction) that shows a simulated time (s)."""
    return frame_of_time(float(time_map.film_time(time)), scene)
