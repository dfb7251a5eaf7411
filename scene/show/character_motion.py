"""What of a character with its own armature depends on the motion of its actor: the lift, and keyframes where wanted.

A character is thinner or thicker than the ellipsoids that were computed with: lying, it would float or sink in. Where
the trunk, the head or an arm of the actor is near its lowest point, the character's hips are raised or lowered so
that its lowest point there is at the same height; its feet stay on the actor's. Both are written again with every
bake.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
import numpy as np

from ...analysis.resample import continuous
from ...models.editing.rest_layout import lay_out
from ..base.blender_version import assign_action, new_action
from ..base.errors import SceneError
from ..base.units import units_of
from ..model.read import read_model
from ..motion.approach import body_frames
from ..motion.bake import write_curves
from ..motion.bone_channels import Channel
from ..motion.edited import CURVES_DIGEST, digest_of
from ..motion.retarget import lowest_points
from ..rig.objects import mesh_points
from ..rig.own_rigs import FOLLOWS, KEYED, character_meshes, character_of, character_rigs_of, driven_bones
from ..store.actors import actors_of
from .character_rig import LIFT, world_up

LEGS = ("Thigh", "Shank", "Foot")
NEAR, FAR = 0.05, 0.25
"""Metres over the actor's lowest point below which the upper body counts as lying, and above which it does not."""
MOST = 0.15
"""Metres of lift, at most."""


def refresh_characters(scene: bpy.types.Scene) -> None:
    """Bring all characters that follow actors in line with the motion that plays now."""
    for actor in actors_of(scene):
        for rig in character_rigs_of(actor):
            if character_of(rig) is not None:
                set_live(rig)
                lift_character(actor, rig, scene)
                if rig.get(KEYED):
                    key_character(actor, rig, scene)


def frames_of(actor: bpy.types.Object) -> np.ndarray:
    """Whole frames of the action that plays; none where nothing does."""
    action = actor.animation_data.action if actor.animation_data else None
    if action is None:
        return np.zeros(0)
    first, last = action.frame_range
    return np.arange(np.floor(first), np.ceil(last) + 1.0)


def lift_character(actor: bpy.types.Object, rig: bpy.types.Object, scene: bpy.types.Scene) -> float:
    """Key the lift of a character over the motion of its actor, or set it for the pose; returns the largest, m."""
    if rig.animation_data is not None and rig.animation_data.action is not None:
        bpy.data.actions.remove(rig.animation_data.action)
    lift = rig.pose.bones[LIFT]
    lift.location = (0.0, 0.0, 0.0)
    frames = frames_of(actor)
    whole = frames if len(frames) else np.array([scene.frame_current])
    with as_bound(character_meshes(rig)):
        heights = lifts(actor, rig, scene, whole)
    ways = np.outer(heights, world_up(rig)) / units_of(scene).metres
    if len(frames):
        action, curves = new_action(f"{rig.name} lift", rig)
        write_curves(curves, frames, [Channel(LIFT, "location", k, ways[:, k]) for k in range(3)])
        assign_action(rig, action)
    else:
        lift.location = ways[0]
    bpy.context.view_layer.update()
    return float(np.abs(heights).max(initial=0.0))


def lifts(
    actor: bpy.types.Object, rig: bpy.types.Object, scene: bpy.types.Scene, frames: np.ndarray
) -> np.ndarray:
    """(K,) how far the character's hips have to be raised at each frame, m. The scene's frame is put back."""
    places, units = lay_out(read_model(actor)), units_of(scene)
    upper = tuple(body for body in places if not body.startswith(LEGS))
    shown = [mesh for mesh in character_meshes(rig) if mesh.visible_get()]  # Blender moves no others
    parts = [(mesh, upper_vertices(mesh, rig)) for mesh in shown]
    kept, found = (scene.frame_current, scene.frame_subframe), []
    try:
        for frame in frames:
            seen = body_frames(actor, scene, int(frame), units)
            origin = np.array([[seen[body][:3, 3] for body in places]])
            rotation = np.array([[seen[body][:3, :3] for body in places]])
            whole, above = (
                float(lowest_points(places, origin, rotation, bodies)[0]) for bodies in (tuple(places), upper)
            )
            own = [units.metres * lowest_vertex(mesh, mask) for mesh, mask in parts if mask.any()]
            lying = float(np.clip((FAR - (above - whole)) / (FAR - NEAR), 0.0, 1.0))
            found.append(lying * float(np.clip(above - min(own), -MOST, MOST)) if own else 0.0)
    finally:
        scene.frame_set(kept[0], subframe=kept[1])
    return np.array(found)


@contextmanager
def as_bound(meshes: list[bpy.types.Object]) -> Iterator[None]:
    """Meshes as their armature leaves them: other modifiers, which may make vertices, are off meanwhile."""
    others = [m for mesh in meshes for m in mesh.modifiers if m.type != "ARMATURE" and m.show_viewport]
    for modifier in others:
        modifier.show_viewport = False
    try:
        yield
    finally:
        for modifier in others:
            modifier.show_viewport = True


def upper_vertices(mesh: bpy.types.Object, rig: bpy.types.Object) -> np.ndarray:
    """(n,) which vertices legs do not hold."""
    armature = character_of(rig)
    skeleton = armature.mannequin.skeleton
    legs = {row.bone for row in skeleton.bones if row.name.startswith(LEGS)}
    held = {
        b.name for b in armature.data.bones if b.name in legs or legs & {p.name for p in b.parent_recursive}
    }
    groups = {group.index for group in mesh.vertex_groups if group.name in held}
    share = np.array([sum(g.weight for g in v.groups if g.group in groups) for v in mesh.data.vertices])
    return share < 0.5


def lowest_vertex(mesh: bpy.types.Object, mask: np.ndarray) -> float:
    """Height of the lowest of some vertices as they are seen, Blender units."""
    seen = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    row = np.array(seen.matrix_world)[2]
    return float((mesh_points(seen.data)[mask] @ row[:3]).min() + row[3])


def our_constraints(rig: bpy.types.Object) -> list[bpy.types.Constraint]:
    """Constraints by which a character follows its rig."""
    return [
        constraint
        for bone in driven_bones(character_of(rig))
        for constraint in bone.constraints
        if constraint.name.startswith(FOLLOWS)
    ]


def set_live(rig: bpy.types.Object) -> None:
    """Let constraints move a character, and no keyframes."""
    data = character_of(rig).animation_data
    if rig.get(KEYED) and data is not None and data.action is not None:
        data.action = None
    for constraint in our_constraints(rig):
        constraint.mute = False


def key_character(actor: bpy.types.Object, rig: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Action:
    """Write what constraints make of a character as keyframes on its own bones, and mute the constraints."""
    frames = frames_of(actor)
    if not len(frames):
        raise SceneError(
            f"actor '{actor.name}' plays no motion to write as keyframes: simulate or animate it first"
        )
    armature = character_of(rig)
    driven = driven_bones(armature)
    turns, ways = seen_poses(armature, driven, scene, frames)
    channels = []
    for number, bone in enumerate(driven):
        bone.rotation_mode = "QUATERNION"
        channels += [Channel(bone.name, "rotation_quaternion", k, turns[:, number, k]) for k in range(4)]
        if any(c.type == "COPY_LOCATION" and c.name.startswith(FOLLOWS) for c in bone.constraints):
            channels += [Channel(bone.name, "location", k, ways[:, number, k]) for k in range(3)]
    playing = actor.animation_data.action.name
    action, curves = new_action(f"{playing} {armature.name}", armature)
    action.use_fake_user = True
    action[CURVES_DIGEST] = digest_of(write_curves(curves, frames, channels))
    for constraint in our_constraints(rig):
        constraint.mute = True
    assign_action(armature, action)
    rig[KEYED] = True
    bpy.context.view_layer.update()
    return action


def seen_poses(
    armature: bpy.types.Object, bones: list[bpy.types.PoseBone], scene: bpy.types.Scene, frames: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(K, bones, 4) turns and (K, bones, 3) shifts of bones against what carries them, as they are seen."""
    kept = scene.frame_current, scene.frame_subframe
    turns, ways = np.empty((len(frames), len(bones), 4)), np.empty((len(frames), len(bones), 3))
    try:
        for row, frame in enumerate(frames):
            scene.frame_set(int(frame))
            for column, bone in enumerate(bones):
                local = armature.convert_space(
                    pose_bone=bone, matrix=bone.matrix, from_space="POSE", to_space="LOCAL"
                )
                turns[row, column], ways[row, column] = local.to_quaternion(), local.translation
    finally:
        scene.frame_set(kept[0], subframe=kept[1])
    return continuous(turns), ways


def bake_characters(
    actor: bpy.types.Object, scene: bpy.types.Scene, keyframes: bool
) -> list[bpy.types.Object]:
    """Give the characters of an actor keyframes of their own, or let constraints move them again; returns them."""
    rigs = [rig for rig in character_rigs_of(actor) if character_of(rig) is not None]
    if not rigs:
        raise SceneError(
            f"no character with its own armature follows '{actor.name}': use Bind Character first"
        )
    for rig in rigs:
        set_live(rig)
        rig[KEYED] = False
        lift_character(actor, rig, scene)
        if keyframes:
            key_character(actor, rig, scene)
    return [character_of(rig) for rig in rigs]
