"""Somebody's own character with its own armature on an actor: its rig and weights stay, its bones follow the bodies.

Between both stands an armature of ours with the character's joints: each of its bones is turned as the body that it
stands for, from the character's own rest pose (`models.people.skeletons.rest_match`). Lengths are the character's,
scaled as a whole so that its legs reach the ground; its hips are the actor's, and its legs are bent that little which
brings its ankles over the actor's feet. The character's bones copy these by constraints, so that it moves live and in
baked motion, also without the extension; bones that stand for no body (fingers, face, twist bones) ride along and are
free.
"""

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...models.editing.rest_layout import BodyPlace, joints_at_rest, lay_out
from ...models.people.skeletons.driven import Driven, driven_bones
from ...models.people.skeletons.rest_match import RestMatch, match_rest
from ...models.people.skeletons.skeleton import BoneMap, Skeleton
from ..base.errors import SceneError
from ..base.units import Units, units_of
from ..model.build import edit_bones
from ..model.read import read_model
from ..rig.objects import add_carriers, mesh_points
from ..rig.own_rigs import CHARACTER_RIG, FOLLOWS, keep_before, meshes_of, put_aside
from ..rig.skeletons import bone_map_of, reaches_of, read_skeleton, require_person
from ..rig.skins import remove_skin, render_parts
from .skin import actor_bounds, spread_frames

CARRIED, LEG, ANKLE, LIFT = "body ", "leg ", "ankle ", "lift"
"""Beginnings of the names of our bones: turned by a body, of a leg that is bent, where an ankle is to be, the lift."""
BONE = 0.05
"""Metres: length of our bones that have no end of their own."""
UNEQUAL = 0.01
"""Share by which the scales of an armature along its axes may differ."""


@dataclass(frozen=True, eq=False)
class Placed:
    """A character's skeleton as it stands on an actor at rest, in the actor frame, m."""

    skeleton: Skeleton
    found: BoneMap
    match: RestMatch
    driven: dict[str, Driven]
    """Bones that follow, those that carry others first"""
    frames: dict[str, np.ndarray]
    """Driven bone to its (4, 4) rest: axes, and where it begins"""
    ends: dict[str, np.ndarray]
    """Body of a leg to (3,) where its joint is; `ankle` and side: where the ankle is to be"""
    move: np.ndarray
    """(4, 4) from the world to the actor frame: turn, scale and shift of the whole character"""
    scale: float


def make_follow(
    actor: bpy.types.Object, armature: bpy.types.Object, scene: bpy.types.Scene
) -> tuple[bpy.types.Object, float]:
    """Let a character's own armature follow an actor; returns the armature between both, and the character's scale."""
    require_free(armature)
    places = lay_out(read_model(actor))
    require_person(actor, places)
    found = {body: bone for body, bone in bone_map_of(armature).items() if body in places}
    units = units_of(scene)
    bpy.context.view_layer.update()
    placed = place_character(armature, found, places, units)
    remove_skin(actor)
    rig = make_rig(actor, armature, placed, units)
    moved = keep_before(rig, armature, placed.driven)
    put_aside(armature, placed.driven)
    move_objects(actor, moved, placed.move, units)
    constrain(armature, rig, placed)
    render_parts(actor, False)
    rig.hide_set(True)
    bpy.context.view_layer.update()
    return rig, placed.scale


def require_free(armature: bpy.types.Object) -> None:
    """Refuse an armature that cannot follow."""
    if armature.mode == "EDIT" or armature.data.is_editmode:
        raise SceneError(f"'{armature.name}' is in Edit Mode: leave it (Tab) first")
    if any(c.name.startswith(FOLLOWS) for bone in armature.pose.bones for c in bone.constraints):
        raise SceneError(f"'{armature.name}' follows an actor already: press Remove Skin there first")
    if armature.library is not None:
        raise SceneError(
            f"'{armature.name}' is linked from another file: make it local first (Object, Relations)"
        )
    scale = np.array(armature.matrix_world.to_scale())
    if np.ptp(scale) > UNEQUAL * scale.mean():
        raise SceneError(
            f"'{armature.name}' is scaled unequally along its axes: apply its scale (Ctrl A) first"
        )


def place_character(
    armature: bpy.types.Object, found: BoneMap, places: dict[str, BodyPlace], units: Units
) -> Placed:
    """Where a character stands on an actor: as long in the legs, hips on hips, facing with it."""
    skeleton = read_skeleton(armature)
    match = match_rest(skeleton, found, reaches_of(places))
    world = np.array(armature.matrix_world, dtype=float)
    metres = np.diag([units.metres] * 3 + [1.0])
    world = metres @ world
    turn = match.axes @ np.linalg.inv(world[:3, :3] / np.cbrt(np.linalg.det(world[:3, :3])))
    heads = {body: (world @ np.append(skeleton.head(bone), 1.0))[:3] for body, bone in found.items()}
    sole = lowest_of(armature, skeleton, world, turn[2], units)
    bottom = actor_bounds(places, spread_frames(places, 0.0, 0.0))[0][2]
    joints = joints_at_rest(places)
    own, persons = (
        leg_heights(joints_, up, low)
        for joints_, up, low in ((heads, turn[2], sole), (joints, np.array([0.0, 0.0, 1.0]), bottom))
    )
    scale = persons / own
    hips = (heads["ThighL"] + heads["ThighR"]) / 2.0
    target = (joints["ThighL"] + joints["ThighR"]) / 2.0
    move = np.identity(4)
    move[:3, :3] = scale * turn
    move[:3, 3] = target - move[:3, :3] @ hips
    driven = driven_bones(skeleton, found, back_levels(joints))
    frames = {bone: rest_on_actor(armature, bone, move @ world) for bone in driven}
    ends = {body: (move @ np.append(point, 1.0))[:3] for body, point in heads.items()}
    for side in "LR":
        foot = f"Foot{side}"
        if foot in ends and foot in joints:
            height = scale * float(turn[2] @ heads[foot] - sole)
            ends[f"ankle{side}"] = np.array([*joints[foot][:2], bottom + height])
    return Placed(skeleton, found, match, driven, frames, ends, move, scale)


def back_levels(joints: dict[str, np.ndarray]) -> tuple[float, float]:
    """Where the joints of an actor's lower and upper back are between its hips (0) and shoulders (1)."""
    low, high = joints["ThighL"][2], joints["UpperArmL"][2]
    lower, upper = (joints.get(body, joints["pelvis"])[2] for body in ("LowerBack", "UpperBack"))
    return (lower - low) / (high - low), (upper - low) / (high - low)


def leg_heights(heads: dict[str, np.ndarray], up: np.ndarray, low: float) -> float:
    """Mean height (m) of the hip joints over the ground, with straight legs; to the knee where there is no foot."""
    total = 0.0
    for side in "LR":
        line = [heads[f"{limb}{side}"] for limb in ("Thigh", "Shank", "Foot") if f"{limb}{side}" in heads]
        total += float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum() + up @ line[-1] - low)
    return total / 2.0


def lowest_of(
    armature: bpy.types.Object, skeleton: Skeleton, world: np.ndarray, up: np.ndarray, units: Units
) -> float:
    """How low a character reaches along its own up at rest, m: its meshes, or its bones where it has none."""
    heights = [
        units.metres
        * (mesh_points(obj.data) @ np.array(obj.matrix_world)[:3, :3].T + obj.matrix_world.translation)
        @ up
        for obj in meshes_of(armature)
        if len(obj.data.vertices)
    ]
    if heights:
        return float(min(values.min() for values in heights))
    points = np.concatenate([skeleton.heads, skeleton.tails]) @ world[:3, :3].T + world[:3, 3]
    return float((points @ up).min())


def rest_on_actor(armature: bpy.types.Object, bone: str, move: np.ndarray) -> np.ndarray:
    """(4, 4) axes and head of a bone at rest, taken to the actor frame, m."""
    frame = move @ np.array(armature.data.bones[bone].matrix_local, dtype=float)
    u, _, vt = np.linalg.svd(frame[:3, :3])
    frame[:3, :3] = u @ vt
    return frame


def make_rig(
    actor: bpy.types.Object, armature: bpy.types.Object, placed: Placed, units: Units
) -> bpy.types.Object:
    """The armature between an actor and a character, on the actor."""
    name = f"{armature.name} on {actor.name}"
    rig = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    for collection in actor.users_collection:
        collection.objects.link(rig)
    rig.parent, rig[CHARACTER_RIG], rig.hide_render = actor, True, True
    with edit_bones(rig) as bones:
        write_bones(bones, placed, units)
    for bone in rig.pose.bones:
        bone.rotation_mode = "QUATERNION"
    for bone in placed.driven:
        carry(rig, actor, placed, bone)
    for side in "LR":
        bend_leg(rig, actor, placed, side)
    lift_root(rig, placed)
    return rig


def leg_of(placed: Placed, bone: str) -> str:
    """Body of a leg that is bent and that a bone stands for; empty for others."""
    body = placed.driven[bone].body if bone else ""
    is_bent = body[:-1] in ("Thigh", "Shank") and f"ankle{body[-1]}" in placed.ends
    return body if is_bent else ""


def write_bones(bones: bpy.types.ArmatureEditBones, placed: Placed, units: Units) -> None:
    """Our bones: of each driven one what its body carries and what it copies; of legs the ones that bend besides."""

    def new(name: str, frame: np.ndarray, length: float = BONE, parent: str = "") -> None:
        bone = bones.new(name)
        bone.tail = (0.0, length / units.metres, 0.0)
        bone.matrix = units.frame_to_blender(frame)
        bone.parent = bones[parent] if parent else None

    new(LIFT, np.identity(4))
    for bone, driven in placed.driven.items():
        leg, above = leg_of(placed, bone), driven.above
        if not leg:
            new(CARRIED + bone, placed.frames[bone])
            new(bone, placed.frames[bone], parent=above)
            continue
        after = {"Thigh": "Shank", "Shank": "Foot"}[leg[:-1]]
        frame, length = along(placed.ends[leg], placed.ends[f"{after}{leg[-1]}"])
        new(CARRIED + bone, frame, length)
        new(LEG + bone, frame, length, LEG + above if leg_of(placed, above) else above)
        new(bone, placed.frames[bone], parent=LEG + bone)
    for side in "LR":
        if f"ankle{side}" in placed.ends:
            frame = np.identity(4)
            frame[:3, 3] = placed.ends[f"ankle{side}"]
            new(ANKLE + side, frame)


def along(start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, float]:
    """(4, 4) frame at a point whose y points to another, and the distance."""
    way = end - start
    length = float(np.linalg.norm(way))
    y = way / length
    x = np.cross(y, [1.0, 0.0, 0.0])
    x /= np.linalg.norm(x)
    frame = np.identity(4)
    frame[:3, :3], frame[:3, 3] = np.column_stack([x, y, np.cross(x, y)]), start
    return frame, length


def carry(rig: bpy.types.Object, actor: bpy.types.Object, placed: Placed, bone: str) -> None:
    """Let bodies turn what a bone copies: at the actor's rest it is turned back by what its own rest pose is."""
    carried, leg = rig.pose.bones[CARRIED + bone], leg_of(placed, bone)
    rest = np.array(carried.bone.matrix_local, dtype=float)[:3, :3]
    driven = placed.driven[bone]
    back = rest.T @ placed.match.turns.get(driven.body, np.identity(3)).T @ rest
    carried.rotation_quaternion = Matrix(back.tolist()).to_quaternion()
    follow = carried.constraints.new("ARMATURE")
    follow.name, follow.use_deform_preserve_volume = FOLLOWS, True
    add_carriers(follow, actor, driven.bodies)
    turned = rig.pose.bones[LEG + bone if leg else bone]
    copy_from(turned, "COPY_ROTATION", rig, CARRIED + bone)


def copy_from(
    bone: bpy.types.PoseBone, kind: str, target: bpy.types.Object, subtarget: str
) -> bpy.types.Constraint:
    """A constraint of a bone on another."""
    constraint = bone.constraints.new(kind)
    constraint.name = FOLLOWS
    constraint.target, constraint.subtarget = target, subtarget
    return constraint


def bend_leg(rig: bpy.types.Object, actor: bpy.types.Object, placed: Placed, side: str) -> None:
    """Bring an ankle over the actor's foot by bending hip and knee a little."""
    if f"ankle{side}" not in placed.ends:
        return
    ankle = rig.pose.bones[ANKLE + side]
    follow = ankle.constraints.new("ARMATURE")
    follow.name = FOLLOWS
    add_carriers(follow, actor, {f"Foot{side}": 1.0})
    shank = rig.pose.bones[LEG + placed.found[f"Shank{side}"]]
    bend = copy_from(shank, "IK", rig, ANKLE + side)
    bend.chain_count, bend.use_stretch = 2, False


def lift_root(rig: bpy.types.Object, placed: Placed) -> None:
    """Place the pelvis where the actor's is, plus the lift (`character_ground`), which is in the axes of the rig."""
    root = placed.found["pelvis"]
    copy_from(rig.pose.bones[root], "COPY_LOCATION", rig, CARRIED + root)
    lift = copy_from(rig.pose.bones[root], "COPY_LOCATION", rig, LIFT)
    lift.target_space, lift.owner_space, lift.use_offset = "LOCAL", "POSE", True


def move_objects(
    actor: bpy.types.Object, moved: list[bpy.types.Object], move: np.ndarray, units: Units
) -> None:
    """Put the character's objects on the actor, as its children."""
    shift = np.array(move)
    shift[:3, 3] /= units.metres
    on_actor = Matrix(shift.tolist())
    places = [on_actor @ obj.matrix_world for obj in moved]
    for obj, place in zip(moved, places, strict=True):
        obj.parent, obj.parent_type = actor, "OBJECT"
        obj.matrix_parent_inverse.identity()
        obj.matrix_basis = place
    bpy.context.view_layer.update()


def constrain(armature: bpy.types.Object, rig: bpy.types.Object, placed: Placed) -> None:
    """Let the character's bones copy ours; where what carries a bone is not driven, its place too."""
    for bone, driven in placed.driven.items():
        posed, above = armature.pose.bones[bone], driven.above
        copy_from(posed, "COPY_ROTATION", rig, bone)
        if not above or driven_ancestor(posed, placed) != above:
            copy_from(posed, "COPY_LOCATION", rig, bone)


def driven_ancestor(bone: bpy.types.PoseBone, placed: Placed) -> str:
    """The nearest driven bone above another in the character's own armature; none where something else moves those
    between."""
    bone = bone.parent
    while bone is not None and bone.name not in placed.driven:
        if any(not constraint.mute for constraint in bone.constraints):
            return ""
        bone = bone.parent
    return bone.name if bone is not None else ""


def world_up(rig: bpy.types.Object) -> Vector:
    """The world's z in the axes of a rig."""
    return (rig.matrix_world.to_3x3().inverted() @ Vector((0.0, 0.0, 1.0))).normalized()
