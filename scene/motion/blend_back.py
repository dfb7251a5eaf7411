"""From simulation back into animation: after the last simulated frame an action of the actor takes over.

The animation is moved as one piece, along the ground and about the vertical, to where the person is. Over some frames
each body's turn goes from the simulated one, which runs out, to the animated one; the root's place too. These
keyframes lie behind the simulated part of the baked action, so the film and the report say of them "animated, not
simulated" (`edited`).
"""

import math

import bpy
import numpy as np

from ...analysis.resample import Motion, continuous, quaternion_product
from ...engine.maths.rotations import matrix_from_quaternion
from ...models.editing.rest_layout import BodyPlace, lay_out
from ..base.blender_version import assign_action, fcurves_of
from ..base.errors import SceneError
from ..base.units import frames_per_second, units_of
from ..model.read import read_model
from ..scenario.start_motion import rotation_vector
from .approach import body_frames
from .bake import LINEAR, playing_action
from .bone_channels import Channel, actor_channels
from .edited import simulated_range
from .retarget import joined_origins, quaternions

RUN_OUT = 0.15
"""Seconds in which what is left of the simulated motion runs out (assumed; for looks only)."""


def blend_back(
    actor: bpy.types.Object, scene: bpy.types.Scene, name: str, begin: float, frames: int
) -> tuple[int, int]:
    """Let the action of a name take over after the simulated part, from its frame `begin` on, blended over some
    frames; returns the first and the last animated frame."""
    baked, action = playing_action(actor), bpy.data.actions.get(name)
    if action is None:
        raise SceneError(f"there is no action '{name}': choose an animation of '{actor.name}'")
    if baked is None:
        raise SceneError(f"actor '{actor.name}' plays no baked motion: simulate first")
    if action == baked:
        raise SceneError(
            f"'{action.name}' is the simulated motion itself: choose an animation of '{actor.name}'"
        )
    end = float(action.frame_range[1])
    if begin > end - 1.0:
        raise SceneError(f"'{action.name}' ends at frame {end:g}: begin before it")
    last = math.ceil(simulated_range(baked)[1])
    count = int(end - begin)
    places = lay_out(read_model(actor))
    before = poses(actor, scene, places, [last - 1, last])
    assign_action(actor, action)
    try:
        after = poses(actor, scene, places, [int(begin) + k for k in range(count + 1)])
    finally:
        assign_action(actor, baked)
    motion = blended(places, before, moved_to(after, before[0][-1]), frames, 1.0 / frames_per_second(scene))
    bodies = {body: number for number, body in enumerate(places)}
    channels = list(actor_channels(actor, motion, bodies, units_of(scene)))
    append_keys(baked, channels, last)
    scene.frame_end = max(scene.frame_end, last + count)
    scene.frame_set(scene.frame_current)
    return last + 1, last + count


def poses(
    actor: bpy.types.Object, scene: bpy.types.Scene, places: dict[str, BodyPlace], frames: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    """(K, B, 3) origins and (K, B, 3, 3) rotations of an actor's bodies as seen at frames. The scene's frame is put
    back."""
    kept, units = (scene.frame_current, scene.frame_subframe), units_of(scene)
    try:
        seen = [body_frames(actor, scene, frame, units) for frame in frames]
    finally:
        scene.frame_set(kept[0], subframe=kept[1])
    stacked = np.array([[row[body] for body in places] for row in seen])
    return stacked[..., :3, 3], stacked[..., :3, :3]


def moved_to(after: tuple[np.ndarray, np.ndarray], target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """An animation moved along the ground and about the vertical so that the bodies of its first pose lie nearest to
    (B, 3) others (least squares)."""
    origin, rotation = after
    own, wanted = origin[0, :, :2] - origin[0, :, :2].mean(axis=0), target[:, :2] - target[:, :2].mean(axis=0)
    sine = float((own[:, 0] * wanted[:, 1] - own[:, 1] * wanted[:, 0]).sum())
    angle = math.atan2(sine, float((own * wanted).sum()))
    turn = np.array(
        [[math.cos(angle), -math.sin(angle), 0.0], [math.sin(angle), math.cos(angle), 0.0], [0.0, 0.0, 1.0]]
    )
    shift = np.append(target[:, :2].mean(axis=0) - (origin[0] @ turn.T).mean(axis=0)[:2], 0.0)
    return origin @ turn.T + shift, turn @ rotation


def blended(
    places: dict[str, BodyPlace],
    before: tuple[np.ndarray, np.ndarray],
    after: tuple[np.ndarray, np.ndarray],
    frames: int,
    seconds: float,
) -> Motion:
    """Motion from the last simulated pose, its first row, into an animation over some frames."""
    count = len(after[0])
    times = seconds * np.arange(count)
    part = np.clip(np.arange(count) / max(1, frames), 0.0, 1.0)
    weight = part * part * (3.0 - 2.0 * part)
    run_out = RUN_OUT * (1.0 - np.exp(-times / RUN_OUT)) / seconds
    simulated = ran_out(before[1], run_out)
    animated = np.stack([quaternions(after[1][:, b]) for b in range(len(places))], axis=1)
    animated *= np.where(np.sum(simulated * animated, axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    quaternion = (1.0 - weight[:, None, None]) * simulated + weight[:, None, None] * animated
    quaternion = continuous(quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True))
    rest = np.stack([place.frame[:3, :3] for place in places.values()])
    whole = matrix_from_quaternion(quaternion) @ rest.transpose(0, 2, 1)
    root = before[0][-1, 0] + run_out[:, None] * (before[0][-1, 0] - before[0][-2, 0])
    root = (1.0 - weight[:, None]) * root + weight[:, None] * after[0][:, 0]
    slides = (1.0 - weight[:, None, None]) * slides_of(places, before[0][-1], before[1][-1])
    return Motion(times, joined_origins(places, whole, root, slides), quaternion)


def ran_out(rotation: np.ndarray, frames: np.ndarray) -> np.ndarray:
    """(K, B, 4) the last of (2, B, 3, 3) rotations turned on at the rate between both, for so many frames (K,)."""
    last, found = quaternions(rotation[-1]), np.empty((len(frames), rotation.shape[1], 4))
    for b in range(rotation.shape[1]):
        rate = rotation_vector(rotation[-1, b] @ rotation[-2, b].T)
        half = 0.5 * np.outer(frames, rate)
        angle = np.linalg.norm(half, axis=1)
        turn = np.column_stack([np.cos(angle), np.sinc(angle / np.pi)[:, None] * half])
        found[:, b] = quaternion_product(turn, np.broadcast_to(last[b], turn.shape))
    return found


def slides_of(places: dict[str, BodyPlace], origin: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    """(B, 3) how far each joint is apart in a pose, in the axes that its carrier has at rest, m."""
    whole = rotation @ np.stack([place.frame[:3, :3].T for place in places.values()])
    joined = joined_origins(places, whole[None], origin[None, 0])[0]
    slides, bodies = np.zeros((len(places), 3)), list(places)
    for b, place in enumerate(places.values()):
        if place.parent is not None:
            parent = bodies.index(place.parent)
            apart = (origin[b] - joined[b]) - (origin[parent] - joined[parent])
            slides[b] = whole[parent].T @ apart
    return slides


def append_keys(action: bpy.types.Action, channels: list[Channel], last: int) -> None:
    """Write channels, whose first value is that of frame `last`, behind the curves of an action, in place of what is
    there; a quaternion goes on with the sign that the curve has, an angle with its whole turns."""
    curves = {(curve.data_path, curve.array_index): curve for curve in fcurves_of(action)}
    found = [(curves.get((c.data_path, c.index)), c) for c in channels]
    signs: dict[str, float] = {}
    for curve, channel in found:
        if curve is not None and channel.path == "rotation_quaternion":
            signs[channel.bone] = signs.get(channel.bone, 0.0) + curve.evaluate(last) * channel.values[0]
    for curve, channel in found:
        if curve is None:
            continue
        values = np.array(channel.values[1:])
        if channel.path == "rotation_quaternion":
            values *= -1.0 if signs[channel.bone] < 0.0 else 1.0
        elif channel.path == "rotation_euler":
            values += 2.0 * np.pi * np.round((curve.evaluate(last) - channel.values[0]) / (2.0 * np.pi))
        replace_tail(curve, last, values)


def replace_tail(curve: bpy.types.FCurve, last: int, values: np.ndarray) -> None:
    """Give a curve keyframes at the frames after `last`, and no others there."""
    points = curve.keyframe_points
    co, kinds = np.empty(2 * len(points), dtype=np.float32), np.empty(len(points), dtype=np.int32)
    points.foreach_get("co", co)
    points.foreach_get("interpolation", kinds)
    keep = co[::2] <= last + 1e-3
    frames = last + 1.0 + np.arange(len(values))
    block = np.concatenate([co.reshape(-1, 2)[keep], np.column_stack([frames, values]).astype(np.float32)])
    points.clear()
    points.add(len(block))
    points.foreach_set("co", block.ravel())
    points.foreach_set(
        "interpolation", np.concatenate([kinds[keep], np.full(len(values), LINEAR, dtype=np.int32)])
    )
    curve.update()
