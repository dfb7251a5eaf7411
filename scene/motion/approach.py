"""From animation into simulation: the frames before the first simulated one are kept and baked before the run.

Body frames of the animation are kept with the actor, in its own frame, so that they go along when it is moved. An actor
without any that starts with a velocity comes in a straight line: vehicles drive up.
"""

import json

import bpy
import numpy as np

from ...analysis.resample import Motion
from ...engine.maths.rotations import matrix_from_quaternion, quaternion_from_matrix
from ..base.blender_version import action_ranges
from ..base.errors import SceneError
from ..base.units import Units, first_frame, frames_per_second, units_of
from ..scenario import start_motion
from ..store.actors import actors_of, body_bones, rest_frame
from .follow import Followed, follow, followed_motion

ANIMATED_UNTIL = "mannequin_animated_until"
"""Custom property of a baked action: frames before this one were animated or extrapolated, not computed."""
DIGITS = 8


def take_motion(actor: bpy.types.Object, scene: bpy.types.Scene, goes_on: bool = False) -> int:
    """Start the actor as its animation shows it at the current frame, and keep the frames before; returns how many.

    The run is baked from this frame on, for all actors. goes_on: the actor follows its animation in the simulation
    until it is touched (`follow`).
    """
    frame, units = scene.frame_current, units_of(scene)
    others = [obj for obj in actors_of(scene) if obj is not actor and obj.mannequin.actor.approach]
    if others and scene.mannequin.use_approach and scene.mannequin.first_frame != frame:
        raise SceneError(
            f"the motion of '{others[0].name}' was taken at frame {scene.mannequin.first_frame}: take that of "
            f"'{actor.name}' there too"
        )
    start_motion.require_animated(actor)
    frames = range(scene.frame_start, frame)
    seen = [body_frames(actor, scene, number, units) for number in frames]
    last = max((int(b) for _, b in action_ranges(actor)), default=scene.frame_end)
    followed = followed_motion(actor, scene, frame, last) if goes_on and last > frame else Followed([], {})
    scene.frame_set(frame)
    start_motion.take_motion(actor, scene)
    follow(actor, followed)
    keep_approach(actor, frames, seen, units)
    scene.mannequin.use_approach = len(frames) > 0
    scene.mannequin.first_frame = frame
    return len(frames)


def body_frames(
    actor: bpy.types.Object, scene: bpy.types.Scene, frame: int, units: Units
) -> dict[str, np.ndarray]:
    """(4, 4) world frame of each body at a frame of the animation, metres."""
    scene.frame_set(frame)
    seen = actor.evaluated_get(bpy.context.evaluated_depsgraph_get())
    found = {}
    for bone in body_bones(actor.data):
        moved = seen.matrix_world @ seen.pose.bones[bone.name].matrix @ bone.matrix_local.inverted()
        found[bone.name] = units.frame_to_si(moved) @ rest_frame(bone)
    return found


def keep_approach(
    actor: bpy.types.Object, frames: range, seen: list[dict[str, np.ndarray]], units: Units
) -> None:
    """Keep body frames with the actor, in its own frame."""
    if not seen:
        actor.mannequin.actor.approach = ""
        return
    inverse = np.linalg.inv(units.frame_to_si(actor.matrix_world))
    rows = {
        name: [
            [round(float(x), DIGITS) for x in (*frame[:3, 3], *quaternion_from_matrix(frame[:3, :3]))]
            for frame in (inverse @ placed[name] for placed in seen)
        ]
        for name in seen[0]
    }
    actor.mannequin.actor.approach = json.dumps({"first": frames[0], "bodies": rows})


def frames_before(scene: bpy.types.Scene) -> np.ndarray:
    """Frames from the scene's first one to the last before the simulation."""
    return np.arange(scene.frame_start, first_frame(scene), dtype=float)


def with_approach(
    actor: bpy.types.Object, scene: bpy.types.Scene, motion: Motion, bodies: dict[str, int]
) -> Motion:
    """The motion of an actor with what comes before it, one sample per frame of `frames_before`."""
    frames = frames_before(scene)
    if len(frames) == 0:
        return motion
    times = (frames - first_frame(scene)) / frames_per_second(scene)
    origin = np.repeat(motion.origin[:1], len(frames), axis=0)
    quaternion = np.repeat(motion.quaternion[:1], len(frames), axis=0)
    kept = actor.mannequin.actor.approach
    if kept:
        fill_kept(
            origin,
            quaternion,
            json.loads(kept),
            frames,
            bodies,
            units_of(scene).frame_to_si(actor.matrix_world),
        )
    else:
        origin += times[:, None, None] * np.array(actor.mannequin.actor.velocity, dtype=float)
    quaternion = same_side(np.concatenate([quaternion, motion.quaternion]), len(frames))
    return Motion(np.concatenate([times, motion.times]), np.concatenate([origin, motion.origin]), quaternion)


def fill_kept(
    origin: np.ndarray,
    quaternion: np.ndarray,
    kept: dict,
    frames: np.ndarray,
    bodies: dict[str, int],
    world: np.ndarray,
) -> None:
    """Write kept body frames into (K, B, 3) and (K, B, 4); frames before the first kept one show that one."""
    places = np.maximum(frames.astype(int) - int(kept["first"]), 0)
    for name, body in bodies.items():
        rows = np.array(kept["bodies"].get(name, ()), dtype=float).reshape(-1, 7)
        if len(rows) == 0:
            continue
        chosen = rows[np.minimum(places, len(rows) - 1)]
        origin[:, body] = chosen[:, :3] @ world[:3, :3].T + world[:3, 3]
        turns = world[:3, :3] @ matrix_from_quaternion(chosen[:, 3:])
        quaternion[:, body] = [quaternion_from_matrix(turn) for turn in turns]


def same_side(quaternion: np.ndarray, count: int) -> np.ndarray:
    """The first `count` of (K, B, 4) quaternions, each on its successor's side of the sphere; the others stay."""
    for k in range(count - 1, -1, -1):
        flip = np.einsum("bi,bi->b", quaternion[k], quaternion[k + 1]) < 0.0
        quaternion[k, flip] *= -1.0
    return quaternion
