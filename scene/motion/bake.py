"""Bake a recording: plain keyframes on the armatures, one new named action per actor and run.

What the bones do is computed in `bone_channels`; here it is written in bulk, with where it comes from. Between
keyframes curves are straight: a baked film shows no overshoot that was not computed.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import bpy
import numpy as np

from ...analysis.resample import resample
from ...analysis.time_map import TimeMap, load_time_map
from ...engine.runs.recording import Recording
from ...engine.spec import Actor
from ...io_json import exact_copy
from ..base.blender_version import assign_action, new_action, new_fcurve
from ..base.errors import SceneError
from ..base.playing import Playing, played
from ..base.units import Units, first_frame, frame_of_time, frames_per_second, units_of
from ..rig import pose
from ..scenario.scenario import scenario_names
from ..store.actors import actors_of, body_bones
from .approach import ANIMATED_UNTIL, frames_before, with_approach
from .bone_channels import Channel, actor_channels
from .edited import CURVES_DIGEST, CurveContent, digest_of, keep_facts
from .series import Series, make_properties

RUN, TIME_MAP = "mannequin_run", "mannequin_time_map"
FRAME_RATE = "mannequin_frame_rate"
"""Frames per second that a motion was baked at."""
CLOSEST_KEYS = 0.0105
"""Frames between two keyframes of a curve, at least."""
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


def bake(
    recording: Recording,
    scene: bpy.types.Scene,
    provenance: Provenance,
    time_map: TimeMap | None = None,
    every_sample: bool = False,
    fit_timeline: bool = False,
    series: Mapping[str, Series] | None = None,
) -> list[bpy.types.Action]:
    """Bake a recording onto the actors of a scene and return the new actions.

    One keyframe per frame of the scene's rate from the first simulated frame on, or one per output sample;
    before it what was animated (`approach`).
    fit_timeline: the scene ends with the motion, also where it was longer. series: of each actor, by name.
    """
    if recording.frames == 0:
        raise SceneError("the run has no output to bake: simulate again")
    time_map = time_map or TimeMap()
    frames, times = key_frames(recording, scene, time_map, every_sample)
    motion = resample(recording, times)
    keyed = np.concatenate([frames_before(scene), frames])
    units, objects = units_of(scene), actors_by_name(scene, recording)
    made = []
    for number, name in enumerate(recording.actor_names):
        actor = objects[name]
        start = start_of(actor, units)
        bodies = bodies_of(recording, number)
        channels = list(actor_channels(actor, with_approach(actor, scene, motion, bodies), bodies, units))
        shown = (series or {}).get(name, {})
        make_properties(actor, shown, provenance.run)
        track = series_track(shown, recording, scene, time_map)
        action = write_action(actor, f"{provenance.run} {actor.name}", (keyed, channels), track)
        if len(keyed) > len(frames):
            action[ANIMATED_UNTIL] = first_frame(scene)
        keep_provenance(action, provenance, time_map)
        action[FRAME_RATE] = frames_per_second(scene)
        play(actor, action)
        pose.keep_start(actor, start, action)
        keep_facts(actor, scene, action, frames, motion, bodies)
        made.append(action)
    last = int(np.ceil(frames[-1] - 1e-6))
    scene.frame_end = last if fit_timeline else max(scene.frame_end, last)
    return made


def start_of(actor: bpy.types.Object, units: Units) -> pose.Start:
    """Place and pose at the start, with all digits of the file where nothing was moved since."""
    group = actor.mannequin.actor
    original = exact_copy.load(Actor, group.original)
    was = pose.start_of_spec(original) if group.original else None
    return pose.read_start(actor, units, was)


def key_frames(
    recording: Recording, scene: bpy.types.Scene, time_map: TimeMap, every_sample: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Frames of the keyframes and the simulated times (s) they show. Frames count from the first simulated one."""
    if every_sample:
        frames = sample_frames(recording, scene, time_map)
        if not distinct_keys(frames).all():
            raise SceneError(
                f"samples {1000.0 * np.diff(recording.times).min():.3g} ms apart are too close for keyframes of their "
                "own here: switch Every Sample off, play slower or at more frames a second, or start nearer to frame 0"
            )
        return frames, recording.times.copy()
    length = float(time_map.film_time(recording.times[-1]))
    count = int(np.floor(length * frames_per_second(scene) + 1e-6)) + 1
    frames = first_frame(scene) + np.arange(count, dtype=float)
    times = time_map.simulated_time(np.arange(count) / frames_per_second(scene))
    return frames, np.minimum(times, recording.times[-1])


def sample_frames(recording: Recording, scene: bpy.types.Scene, time_map: TimeMap) -> np.ndarray:
    """Frames (with fractions) that show the output samples."""
    return first_frame(scene) + time_map.film_time(recording.times) * frames_per_second(scene)


def series_track(
    series: Series, recording: Recording, scene: bpy.types.Scene, time_map: TimeMap
) -> tuple[np.ndarray, list[Channel]]:
    """Time series as channels of custom properties, keyed at every sample that can have a keyframe of its own."""
    frames = sample_frames(recording, scene, time_map)
    distinct = distinct_keys(frames)
    channels = [
        Channel("", f'["{bpy.utils.escape_identifier(name)}"]', 0, values[distinct])
        for name, values in series.items()
    ]
    return frames[distinct], channels


def distinct_keys(frames: np.ndarray) -> np.ndarray:
    """Which of rising frames stay keyframes of their own: Blender merges those within 0.01 of each other."""
    if (np.diff(frames.astype(np.float32)) > CLOSEST_KEYS).all():
        return np.ones(len(frames), dtype=bool)
    kept, last = np.zeros(len(frames), dtype=bool), -np.inf
    for number, frame in enumerate(frames.astype(np.float32)):
        if frame - last > CLOSEST_KEYS:
            kept[number], last = True, frame
    return kept


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


def write_action(
    owner: bpy.types.ID, name: str, *tracks: tuple[np.ndarray, list[Channel]]
) -> bpy.types.Action:
    """New action with the channels of each track as curves, keyed at the track's frames; kept in the file although
    nothing may play it."""
    action, curves = new_action(name, owner)
    action.use_fake_user = True
    action[CURVES_DIGEST] = digest_of(
        curve for frames, channels in tracks for curve in write_curves(curves, frames, channels)
    )
    return action


def write_curves(
    curves: bpy.types.bpy_prop_collection, frames: np.ndarray, channels: list[Channel]
) -> list[CurveContent]:
    """Write channels as curves in bulk; returns what `digest_of` takes of each."""
    points = np.empty((len(channels), len(frames), 2), dtype=np.float32)
    points[:, :, 0] = frames
    straight = np.full(len(frames), LINEAR, dtype=np.int32)
    written = []
    for channel, block in zip(channels, points, strict=True):
        block[:, 1] = channel.values
        curve = new_fcurve(curves, channel.data_path, channel.index, channel.bone)
        curve.keyframe_points.add(len(frames))
        curve.keyframe_points.foreach_set("co", block.ravel())
        curve.keyframe_points.foreach_set("interpolation", straight)
        curve.update()
        written.append((channel.data_path, channel.index, False, 0, block, straight))
    return written


def keep_provenance(action: bpy.types.Action, provenance: Provenance, time_map: TimeMap) -> None:
    """Write where a motion comes from onto its action."""
    for name, value in vars(provenance).items():
        action[f"mannequin_{name}"] = value
    action[TIME_MAP] = time_map.dump()


def complete_provenance(action: bpy.types.Action, manifest_sha256: str) -> None:
    """Add the digest of a manifest that was not written yet when the action was; other actions stay as they are."""
    if is_baked(action):
        action["mannequin_manifest_sha256"] = manifest_sha256


def forget_run_folder(action: bpy.types.Action) -> None:
    """Take back where the files of a motion are: they could not be written."""
    if is_baked(action):
        action["mannequin_run_folder"] = ""


def is_baked(action: bpy.types.Action | None) -> bool:
    """Whether an action was written by a simulation."""
    return action is not None and RUN in action


def playing_action(actor: bpy.types.Object) -> bpy.types.Action | None:
    """The baked action that moves an actor now, by itself or in a strip."""
    playing = playing_of(actor)
    return None if playing is None else playing.action


def playing_of(actor: bpy.types.Object) -> Playing | None:
    """The baked action that moves an actor now, and when."""
    return next((playing for playing in played(actor) if is_baked(playing.action)), None)


def time_map_of(action: bpy.types.Action) -> TimeMap:
    """Slow motion a motion was baked with."""
    return load_time_map(action.get(TIME_MAP, ""))


def play(actor: bpy.types.Object, action: bpy.types.Action) -> None:
    """Let an action move an actor. What else moves its bones is muted: the film shows what was computed."""
    for bone in actor.pose.bones:
        for constraint in bone.constraints:
            constraint.mute = True
    assign_action(actor, action)


def frame_of_simulated_time(moment: float, scene: bpy.types.Scene, time_map: TimeMap) -> float:
    """Frame (with fraction) that shows a simulated time (s), where the strip that plays the motion has it."""
    frame = frame_of_time(float(time_map.film_time(moment)), scene)
    playing = next(filter(None, map(playing_of, actors_of(scene))), None)
    return frame if playing is None else playing.scene_frame(frame)
