"""Motion of another skeleton on an actor: of an imported capture, of an animated character, of anything Blender shows.

The bones are looked at as they are seen at each frame, so actions, strips, constraints and drivers all count. Each
body takes the turn of its bone from the skeleton's rest pose (`models.people.skeletons.rest_match`); lengths are the
actor's own, the way of the hips is scaled by the length of the legs. The result is an action like one made by hand:
Take Motion takes it from there.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import bpy
import numpy as np

from ...analysis.resample import Motion, continuous
from ...engine.maths.rotations import matrix_from_quaternion, quaternion_from_matrix
from ...models.editing.rest_layout import BodyPlace, lay_out, part_frame
from ...models.people.skeletons.rest_match import RestMatch, match_rest
from ...models.people.skeletons.skeleton import BoneMap
from ..base.blender_version import action_ranges, new_action
from ..base.errors import SceneError
from ..base.units import frames_per_second, rotation_to_si, units_of
from ..model.read import read_model
from ..rig.skeletons import bone_map_of, is_skeleton, reaches_of, read_skeleton, require_person
from .bake import play, write_curves
from .bone_channels import actor_channels

SOURCE = "mannequin_animated_from"
"""Custom property of an action that was carried over: the armature it comes from."""
HALFWAY = {"LowerBack": ("pelvis", "UpperBack"), "Neck": ("UpperBack", "head")}
"""Bodies that are turned halfway between two others where the skeleton has no bone for them."""
MOST_FRAMES = 20000


@dataclass(frozen=True)
class Carried:
    """The result of carrying a motion over."""

    action: bpy.types.Action
    scale: float
    """Metres of the actor's way per metre of the skeleton's"""
    lift: float
    """Metres by which all of it was raised onto the ground"""
    first: int
    last: int


def retarget(
    actor: bpy.types.Object,
    source: bpy.types.Object,
    scene: bpy.types.Scene,
    scale: float = 0.0,
    on_ground: bool = True,
) -> Carried:
    """Give an actor the motion of another armature, as a new action that plays.

    scale: of the way; 0 takes the ratio of the lengths of the legs. on_ground: raise or lower all of it so that the
    lowest point of all frames is at z = 0.
    """
    if not is_skeleton(source):
        raise SceneError("select the armature that moves, then the actor")
    places = lay_out(read_model(actor))
    require_person(actor, places)
    found = {body: bone for body, bone in bone_map_of(source).items() if body in places}
    match = match_rest(read_skeleton(source), found, reaches_of(places))
    frames = frames_of(source, scene)
    turns, hips, start = seen_bones(source, found, scene, frames)
    units = units_of(scene)
    own_scale = float(np.mean(source.matrix_world.to_scale()))
    scale = scale or match.scale / (units.metres * own_scale)
    origin, rotation = placed_bodies(
        places, body_turns(places, found, match, turns, source), start, hips, scale
    )
    lift = -lowest(places, origin, rotation) if on_ground else 0.0
    origin[..., 2] += lift
    bodies = {body: number for number, body in enumerate(places)}
    quaternion = continuous(np.stack([quaternions(rotation[:, b]) for b in range(len(places))], axis=1))
    motion = Motion((frames - frames[0]) / frames_per_second(scene), origin, quaternion)
    action, curves = new_action(f"{source.name} on {actor.name}", actor)
    write_curves(curves, frames, list(actor_channels(actor, motion, bodies, units)))
    action[SOURCE], action.use_fake_user = source.name, True
    play(actor, action)
    return Carried(action, scale, lift, int(frames[0]), int(frames[-1]))


def frames_of(source: bpy.types.Object, scene: bpy.types.Scene) -> np.ndarray:
    """Frames at which an armature moves: of its action and strips, else those of the scene."""
    ranges = action_ranges(source)
    first = min((a for a, _ in ranges), default=scene.frame_start)
    last = max((b for _, b in ranges), default=scene.frame_end)
    frames = np.arange(np.floor(first), np.ceil(last) + 1.0)
    if len(frames) > MOST_FRAMES:
        raise SceneError(
            f"'{source.name}' moves over {len(frames)} frames, more than {MOST_FRAMES}: shorten its action"
        )
    return frames


def seen_bones(
    source: bpy.types.Object, found: BoneMap, scene: bpy.types.Scene, frames: Iterable[float]
) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray]:
    """(K, 3, 3) turn of each body's bone in the world, (K, 3) middle between the hip joints and (3,) place of the
    armature at the first frame, m. The scene's frame is put back."""
    kept, units = (scene.frame_current, scene.frame_subframe), units_of(scene)
    turns, hips, start = {body: [] for body in found}, [], None
    try:
        for frame in frames:
            scene.frame_set(int(frame))
            seen = source.evaluated_get(bpy.context.evaluated_depsgraph_get())
            world = seen.matrix_world
            start = units.point_to_si(world.translation) if start is None else start
            for body, bone in found.items():
                turns[body].append(rotation_to_si((world @ seen.pose.bones[bone].matrix).to_quaternion()))
            ends = [world @ seen.pose.bones[found[body]].head for body in ("ThighL", "ThighR")]
            hips.append(units.point_to_si((ends[0] + ends[1]) / 2.0))
    finally:
        scene.frame_set(kept[0], subframe=kept[1])
    return {body: np.array(rows) for body, rows in turns.items()}, np.array(hips), start


def body_turns(
    places: dict[str, BodyPlace],
    found: BoneMap,
    match: RestMatch,
    turns: dict[str, np.ndarray],
    source: bpy.types.Object,
) -> dict[str, np.ndarray]:
    """(K, 3, 3) turn of bodies from the actor's rest, in the world: D = P R' A' M, with P the bone as seen, R at
    rest, A the axes of the skeleton and M the body's turn in its rest pose."""
    found_turns = {}
    for body, bone in found.items():
        rest = rotation_to_si(source.data.bones[bone].matrix_local.to_quaternion())
        found_turns[body] = turns[body] @ (rest.T @ match.axes.T @ match.turns[body])
    for body, (first, second) in HALFWAY.items():
        if body in places and body not in found_turns and first in found_turns and second in found_turns:
            pair = np.stack([quaternions(found_turns[first]), quaternions(found_turns[second])])
            pair[1] *= np.where(np.einsum("ki,ki->k", *pair) < 0.0, -1.0, 1.0)[:, None]
            middle = pair.sum(axis=0)
            found_turns[body] = matrix_from_quaternion(middle / np.linalg.norm(middle, axis=1, keepdims=True))
    return found_turns


def placed_bodies(
    places: dict[str, BodyPlace],
    turns: dict[str, np.ndarray],
    start: np.ndarray,
    hips: np.ndarray,
    scale: float,
) -> tuple[np.ndarray, np.ndarray]:
    """(K, B, 3) origins and (K, B, 3, 3) rotations of all bodies, joints together; the hips go as the skeleton's do,
    from the armature's place `start` on, times `scale`. A body without a turn of its own moves with the one that
    carries it."""
    bodies, count = list(places), len(hips)
    whole = np.zeros((count, len(bodies), 3, 3))
    for b, (body, place) in enumerate(places.items()):
        may_turn = place.parent is None or (place.joint is not None and place.joint.kind.turns)
        carried = whole[:, bodies.index(place.parent)] if place.parent is not None else np.identity(3)
        whole[:, b] = turns[body] if body in turns and may_turn else carried
    root = next(iter(places.values()))
    middle = sum(places[thigh].joint_frame[:3, 3] for thigh in ("ThighL", "ThighR")) / 2.0
    at = start + scale * (hips - start) + whole[:, 0] @ (root.frame[:3, 3] - middle)
    return joined_origins(places, whole, at), rotations_of(places, whole)


def rotations_of(places: dict[str, BodyPlace], whole: np.ndarray) -> np.ndarray:
    """(K, B, 3, 3) rotations of bodies from their turns since rest."""
    return whole @ np.stack([place.frame[:3, :3] for place in places.values()])


def joined_origins(
    places: dict[str, BodyPlace], whole: np.ndarray, root: np.ndarray, slides: np.ndarray | None = None
) -> np.ndarray:
    """(K, B, 3) origins of bodies from their turns since rest (K, B, 3, 3) and that of the root (K, 3), joints
    together; slides (K, B, 3): how far each joint is apart, in the axes that its carrier has at rest, m."""
    bodies = list(places)
    origin = np.zeros(whole.shape[:3])
    for b, place in enumerate(places.values()):
        if place.parent is None:
            origin[:, b] = root
            continue
        parent, joint = bodies.index(place.parent), place.joint_frame[:3, 3]
        way = joint - places[place.parent].frame[:3, 3] + (slides[:, b] if slides is not None else 0.0)
        at = origin[:, parent] + np.einsum("kij,kj->ki", whole[:, parent], np.broadcast_to(way, root.shape))
        origin[:, b] = at + whole[:, b] @ (place.frame[:3, 3] - joint)
    return origin


def lowest(places: dict[str, BodyPlace], origin: np.ndarray, rotation: np.ndarray) -> float:
    """Height (m) of the lowest point of all ellipsoids over all frames."""
    return float(lowest_points(places, origin, rotation, tuple(places)).min())


def lowest_points(
    places: dict[str, BodyPlace], origin: np.ndarray, rotation: np.ndarray, bodies: tuple[str, ...]
) -> np.ndarray:
    """(K,) height of the lowest point of the ellipsoids of some bodies, m; far above where they have none."""
    low = np.full(len(origin), np.inf)
    for b, (body, place) in enumerate(places.items()):
        for ellipsoid in place.body.ellipsoids if body in bodies else ():
            frame = part_frame(ellipsoid)
            centre = origin[:, b, 2] + rotation[:, b, 2] @ frame[:3, 3]
            rows = rotation[:, b, 2] @ frame[:3, :3] * np.array(ellipsoid.semi_axes, dtype=float)
            low = np.minimum(low, centre - np.linalg.norm(rows, axis=1))
    return low


def quaternions(rotations: np.ndarray) -> np.ndarray:
    """(K, 4) of (K, 3, 3)."""
    return np.array([quaternion_from_matrix(rotation) for rotation in rotations])
