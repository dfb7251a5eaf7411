"""Posed bones to joint angles and back, and where an actor stands.

Turning a bone from rest by R_bone turns its joint by R = C R_bone C', with C the rotation from bone axes to joint axes
(see `rest_layout`). Joint angles are ZYX degrees, R = Rz Ry Rx; a joint with an axis has one angle about it, or one way
along it in metres. A joint that slides moves its bone by C' s for the slide s in joint axes. A free root's pose belongs
to the actor's place: the actor frame A is where A T1 is the posed joint frame.
"""

import json
import math
from dataclasses import dataclass, field

import bpy
import numpy as np

from ...engine.bodies.posture import joint_rotation, joint_shift, typed_coordinates
from ...engine.maths.rotations import cross_matrix, matrix_from_zyx, zyx_from_matrix
from ...engine.spec import IDENTITY4, Actor
from ...engine.spec.joint_types import Motion
from ...io_json import exact_copy
from ..base.errors import SceneError
from ..base.playing import played, strips_that_play
from ..base.units import Units, rotation_to_blender, rotation_to_si
from ..store.actors import (
    body_bones,
    bone_axes,
    joint_by_functions,
    joint_kind,
    parent_body,
    require_unit_scale,
    require_unscaled,
    rest_frame,
)

SAME_ROTATION = 1e-6
"""Radians: rotations closer than this are one, as Blender holds them in 32 bits."""
SAME_SHIFT = 2e-6
"""Metres: slides closer than this are one."""
NO_TURN = (0.0, 0.0, 0.0)
LARGEST_SHIFT, LARGEST_OFF_AXIS = 1e-4, 1e-3
"""Metres and radians a bone may be off what its joint allows, for the rounding of long chains and constraints."""
VISUAL_DIFFERENCE = 1e-4
"""Difference of matrix elements from which on a bone counts as moved by a constraint."""


@dataclass
class JointTransform:
    """Turn and shift of one joint from rest, in its joint frame."""

    rotation: np.ndarray
    """(3, 3)"""
    shift: np.ndarray
    """(3,) metres"""
    angle: float
    """Radians about bone x, whole turns included: the angle of a joint with an axis."""


@dataclass
class Start:
    """Place and pose of an actor when the scenario starts, as an `Actor` spec has them."""

    position: tuple[float, float, float]
    orientation: tuple[float, float, float]
    joint_angles: dict[str, tuple[float, float, float]]
    joint_slides: dict[str, tuple[float, float, float]] = field(default_factory=dict)


def start_of_spec(spec: Actor) -> Start:
    """The start that a scenario says."""
    return Start(spec.position, spec.orientation, spec.joint_angles, spec.joint_slides)


def read_joint_transforms(actor: bpy.types.Object, units: Units) -> dict[str, JointTransform]:
    """What each joint does in the pose that is seen, by body name."""
    if actor.pose is None:
        return {}
    bpy.context.view_layer.update()
    return {bone.name: read_joint_transform(actor, bone.name, units) for bone in body_bones(actor.data)}


def read_joint_transform(actor: bpy.types.Object, name: str, units: Units) -> JointTransform:
    """What one joint does. Bones moved by constraints or inverse kinematics are read as they are seen."""
    pose_bone = actor.pose.bones[name]
    rotation, shift = basis_rotation(pose_bone), pose_bone.location
    if any(bone.constraints for bone in actor.pose.bones):
        seen = actor.convert_space(
            pose_bone=pose_bone, matrix=pose_bone.matrix, from_space="POSE", to_space="LOCAL"
        )
        basis = pose_bone.matrix_basis
        if max(abs(seen[i][j] - basis[i][j]) for i in range(3) for j in range(4)) > VISUAL_DIFFERENCE:
            rotation, shift = rotation_to_si(seen.to_quaternion()), seen.translation
    axes = bone_axes(pose_bone.bone)
    return JointTransform(
        axes @ rotation @ axes.T, axes @ units.point_to_si(shift), turn_about_x(pose_bone, rotation)
    )


def basis_rotation(pose_bone: bpy.types.PoseBone) -> np.ndarray:
    """(3, 3) turn of a bone from rest by its own channels, orthogonal to round-off."""
    if pose_bone.rotation_mode == "QUATERNION":
        return rotation_to_si(pose_bone.rotation_quaternion)
    if pose_bone.rotation_mode == "XYZ":
        return matrix_from_zyx(np.degrees(tuple(pose_bone.rotation_euler)[::-1]))
    return rotation_to_si(pose_bone.matrix_basis.to_quaternion())


def turn_about_x(pose_bone: bpy.types.PoseBone, rotation: np.ndarray) -> float:
    """Angle (rad) of a turn about bone x; whole turns are known where the bone has an Euler channel."""
    angle = math.atan2(rotation[2, 1], rotation[1, 1])
    if pose_bone.rotation_mode != "XYZ":
        return angle
    channel = pose_bone.rotation_euler.x
    turns = round((channel - angle) / (2.0 * math.pi))
    exact = angle + 2.0 * math.pi * turns
    return channel if abs(channel - exact) < 1e-6 * max(1.0, abs(channel)) else exact


def apply_joint_transforms(
    actor: bpy.types.Object, transforms: dict[str, JointTransform], units: Units
) -> None:
    """Pose the bones; bodies that are not named keep their pose."""
    for bone in body_bones(actor.data):
        if bone.name in transforms:
            apply_joint_transform(actor.pose.bones[bone.name], transforms[bone.name], units)
    bpy.context.view_layer.update()


def apply_joint_transform(pose_bone: bpy.types.PoseBone, transform: JointTransform, units: Units) -> None:
    """Pose one bone so that its joint has this turn and shift."""
    axes = bone_axes(pose_bone.bone)
    rotation = axes.T @ transform.rotation @ axes
    pose_bone.location = units.point_to_blender(axes.T @ transform.shift)
    if joint_kind(pose_bone.bone).has_axis and pose_bone.rotation_mode == "XYZ":
        pose_bone.rotation_euler = (transform.angle, 0.0, 0.0)
    elif pose_bone.rotation_mode == "QUATERNION":
        pose_bone.rotation_quaternion = rotation_to_blender(rotation)
    else:
        pose_bone.rotation_mode = "QUATERNION"
        pose_bone.rotation_quaternion = rotation_to_blender(rotation)


def transform_from_angles(
    bone: bpy.types.Bone, angles: tuple[float, ...], slides: tuple[float, ...] = NO_TURN
) -> JointTransform:
    """What a joint does at the given ZYX angles in degrees (a joint with an axis: the first, about it, or m along it),
    and slides along x, y, z in m of one that slides besides."""
    kind, shift = joint_kind(bone), np.zeros(3)
    if kind.by_functions:
        joint = joint_by_functions(bone)
        return JointTransform(joint_rotation(joint, angles), joint_shift(joint, angles, slides), 0.0)
    for motion in kind.motions:
        if motion.slides:
            shift += kind.typed(motion, angles, slides) * slide_axis(bone, motion)
    if not kind.turns and not kind.is_free:
        return JointTransform(np.identity(3), shift, 0.0)
    if kind.has_axis:
        angle = math.radians(angles[0])
        return JointTransform(turn_about(bone_axes(bone)[:, 0], angle), shift, angle)
    return JointTransform(matrix_from_zyx(angles), shift, 0.0)


def slide_axis(bone: bpy.types.Bone, motion: Motion) -> np.ndarray:
    """(3,) axis along which a motion of a bone's joint slides, in the joint frame."""
    return np.identity(3)[motion.place] if motion.letter else bone_axes(bone)[:, 0]


def nearest_transform(bone: bpy.types.Bone, transform: JointTransform) -> JointTransform:
    """What a joint by functions can do of a turn and a shift."""
    return transform_from_angles(bone, *coordinates_of(bone, transform))


def coordinates_of(bone: bpy.types.Bone, transform: JointTransform) -> tuple[tuple, tuple]:
    """(angles in degrees, ways in m) of a joint by functions that come closest to what it does."""
    joint, still = joint_by_functions(bone), (NO_TURN, NO_TURN)
    angles, ways = typed_coordinates(joint, transform.rotation, transform.shift, still)
    return tuple(tidy(x) for x in angles), tuple(tidy(x, 7) for x in ways)


def possible_shift(bone: bpy.types.Bone, shift: np.ndarray) -> np.ndarray:
    """(3,) the part of a shift (m, joint axes) that the joint can make."""
    axes = [slide_axis(bone, motion) for motion in joint_kind(bone).motions if motion.slides]
    return sum((float(axis @ shift) * axis for axis in axes), np.zeros(3))


def possible_rotation(bone: bpy.types.Bone, transform: JointTransform) -> np.ndarray:
    """(3, 3) what of a turn the joint can make."""
    kind = joint_kind(bone)
    if kind.is_ball or kind.is_free:
        return transform.rotation
    if kind.by_functions:
        return nearest_transform(bone, transform).rotation
    if not kind.turns:
        return np.identity(3)
    if kind.has_axis:
        return turn_about(bone_axes(bone)[:, 0], transform.angle)
    turned = {motion.angle_place for motion in kind.motions if motion.turns}
    angles = zyx_from_matrix(transform.rotation)
    return matrix_from_zyx([angle if k in turned else 0.0 for k, angle in enumerate(angles)])


def turn_about(axis: np.ndarray, angle: float) -> np.ndarray:
    """(3, 3) turn about a unit axis (Rodrigues)."""
    cross = cross_matrix(axis)
    return np.identity(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * (cross @ cross)


def angles_of(bone: bpy.types.Bone, transform: JointTransform) -> tuple[float, float, float]:
    """ZYX angles in degrees of what a joint does (a joint with an axis: its angle, or its way in m, and zeros)."""
    kind = joint_kind(bone)
    if kind.by_functions:
        return coordinates_of(bone, transform)[0]
    if kind.has_axis and not kind.turns:
        return (tidy(bone_axes(bone)[:, 0] @ transform.shift, 7), 0.0, 0.0)
    if kind.has_axis:
        return (tidy(math.degrees(transform.angle)), 0.0, 0.0)
    z, y, x = zyx_from_matrix(transform.rotation)
    return (tidy(z), tidy(y), tidy(x))


def slides_of(bone: bpy.types.Bone, transform: JointTransform) -> tuple[float, float, float]:
    """Ways along x, y, z in m of what a joint does that slides and turns (along its own axis: the first)."""
    if joint_kind(bone).by_functions:
        return coordinates_of(bone, transform)[1]
    ways = [0.0, 0.0, 0.0]
    for motion in joint_kind(bone).motions:
        if motion.slides:
            ways[motion.place] = tidy(slide_axis(bone, motion) @ transform.shift, 7)
    return tuple(ways)


def shown_angles(actor: bpy.types.Object, body: str) -> tuple[float, float, float]:
    """ZYX angles in degrees of a body's joint in the pose, for reading out."""
    bone = actor.data.bones[body]
    axes = bone_axes(bone)
    rotation = basis_rotation(actor.pose.bones[body])
    shift = axes @ np.array(actor.pose.bones[body].location)
    transform = JointTransform(
        axes @ rotation @ axes.T, shift, turn_about_x(actor.pose.bones[body], rotation)
    )
    return angles_of(bone, transform)


def tidy(value: float, digits: int = 5) -> float:
    """Number without the digits that 32 bits do not carry, and without a negative zero."""
    return round(float(value), digits) + 0.0


def is_placed_by_root(bone: bpy.types.Bone) -> bool:
    """Whether a bone's pose is part of where the actor stands: a free root's."""
    return parent_body(bone) is None and joint_kind(bone).is_free


def read_start(actor: bpy.types.Object, units: Units, original: Start | None = None) -> Start:
    """Place and pose at the start. Where a baked motion moves the armature it is the kept start, else what is seen.

    Values of `original` stand as long as what is seen is their 32-bit rounding.
    """
    kept = kept_start(actor)
    if kept is not None:
        return kept
    return read_seen_start(actor, units, original)


def read_seen_start(
    actor: bpy.types.Object, units: Units, original: Start | None = None, strict: bool = True
) -> Start:
    """Place and pose as they are seen now. A pose that the joints cannot take is refused, or where not `strict` the
    joints take what they can of it."""
    require_unscaled(actor)
    require_unit_scale(actor, units)
    if actor.data.pose_position == "REST":
        raise SceneError(
            f"actor '{actor.name}' is shown in Rest Position: switch its armature to Pose Position"
        )
    transforms = read_joint_transforms(actor, units)
    if strict:
        require_possible_pose(actor, transforms)
    angles, slides = {}, {}
    for bone in body_bones(actor.data):
        joint = bone.mannequin.joint
        if not joint.exists or not joint_kind(bone).moves or is_placed_by_root(bone):
            continue
        was = original.joint_angles.get(joint.name) if original else None
        slid = original.joint_slides.get(joint.name, NO_TURN) if original else NO_TURN
        transform = transforms[bone.name]
        if same_place(transform_from_angles(bone, was or NO_TURN, slid), transform):
            if was is not None:
                angles[joint.name] = was
            if any(slid):
                slides[joint.name] = slid
        elif not same_place(transform_from_angles(bone, NO_TURN), transform):
            angles[joint.name] = angles_of(bone, transform)
            if joint_kind(bone).has_both:
                slides[joint.name] = slides_of(bone, transform)
    position, orientation = place_of(actor_frame(actor, transforms, units), original)
    known = original or Start(NO_TURN, NO_TURN, {})
    angles, slides = in_order(angles, known.joint_angles), in_order(slides, known.joint_slides)
    return Start(position, orientation, angles, slides)


def require_possible_pose(actor: bpy.types.Object, transforms: dict[str, JointTransform]) -> None:
    """Refuse bones that were scaled, pulled out of their joints or turned as their joints cannot: nothing of what is
    seen may be dropped in silence."""
    for bone in body_bones(actor.data):
        name, joint, transform = bone.name, bone.mannequin.joint, transforms[bone.name]
        if max(abs(s - 1.0) for s in actor.pose.bones[name].scale) > 1e-4:
            raise SceneError(
                f"bone '{name}' of '{actor.name}' is scaled: clear its scale in pose mode (Alt S)"
            )
        if is_placed_by_root(bone):
            continue
        by_functions = joint_kind(bone).by_functions
        shift = (
            nearest_transform(bone, transform).shift
            if by_functions
            else possible_shift(bone, transform.shift)
        )
        if np.linalg.norm(transform.shift - shift) > LARGEST_SHIFT:
            raise SceneError(
                f"bone '{name}' of '{actor.name}' is pulled out of its joint: clear its location in pose mode (Alt G)"
            )
        if np.abs(possible_rotation(bone, transform) - transform.rotation).max() > LARGEST_OFF_AXIS:
            raise SceneError(
                f"bone '{name}' of '{actor.name}' is turned as its {joint.type} joint cannot: clear its rotation in "
                "pose mode (Alt R), or change the joint's type"
            )


def in_order(found: dict[str, tuple], original: dict[str, tuple]) -> dict[str, tuple]:
    """Entries in the order of the original, new ones after it."""
    known = [name for name in original if name in found]
    return {name: found[name] for name in (*known, *(n for n in found if n not in known))}


def same_place(first: JointTransform, second: JointTransform) -> bool:
    """Whether two turns and shifts are one within 32-bit rounding."""
    turned = np.abs(first.rotation - second.rotation).max()
    return bool(turned < SAME_ROTATION and np.abs(first.shift - second.shift).max() < SAME_SHIFT)


def actor_frame(actor: bpy.types.Object, transforms: dict[str, JointTransform], units: Units) -> np.ndarray:
    """(4, 4) actor frame in the world, metres: the armature's, moved along with the pose of a free root."""
    frame = units.frame_to_si(actor.matrix_world)
    for bone in body_bones(actor.data):
        if is_placed_by_root(bone):
            joint_frame = joint_frame_at_rest(bone)
            moved = np.identity(4)
            moved[:3, :3], moved[:3, 3] = transforms[bone.name].rotation, transforms[bone.name].shift
            return frame @ joint_frame @ moved @ np.linalg.inv(joint_frame)
    return frame


def joint_frame_at_rest(bone: bpy.types.Bone) -> np.ndarray:
    """(4, 4) joint frame in the actor frame at rest, metres: of the body frame and the joint's T2."""
    original = bone.mannequin.joint.original
    T2 = json.loads(original).get("T2", IDENTITY4) if original else IDENTITY4
    return rest_frame(bone) @ np.array(T2, dtype=float)


def place_of(frame: np.ndarray, original: Start | None) -> tuple[tuple, tuple]:
    """Position (m) and ZYX orientation (degrees) of a frame; the original's where they agree within rounding."""
    position = tuple(tidy(x, 7) for x in frame[:3, 3])
    orientation = tuple(tidy(x) for x in zyx_from_matrix(frame[:3, :3]))
    if original is not None:
        near = [
            abs(x - float(o)) < 2e-6 * max(1.0, abs(x))
            for x, o in zip(frame[:3, 3], original.position, strict=True)
        ]
        position = tuple(o if n else x for n, o, x in zip(near, original.position, position, strict=True))
        if np.abs(matrix_from_zyx(original.orientation) - frame[:3, :3]).max() < SAME_ROTATION:
            orientation = tuple(original.orientation)
    return position, orientation


def write_start(actor: bpy.types.Object, start: Start, units: Units) -> None:
    """Place and pose an actor: the armature stands at the actor frame, its free root at rest in it."""
    transforms = {}
    for bone in body_bones(actor.data):
        name = bone.mannequin.joint.name
        angles, slides = start.joint_angles.get(name, NO_TURN), start.joint_slides.get(name, NO_TURN)
        transforms[bone.name] = transform_from_angles(
            bone, NO_TURN if is_placed_by_root(bone) else angles, slides
        )
    apply_joint_transforms(actor, transforms, units)
    place_actor(actor, start.position, start.orientation, units)


def place_actor(actor: bpy.types.Object, position: tuple, orientation: tuple, units: Units) -> None:
    """Put the armature at a place of the world. Blender's XYZ Euler angles are R = Rz Ry Rx, the format's ZYX."""
    actor.rotation_mode = "XYZ"
    if actor.parent is None:
        actor.location = units.point_to_blender(position)
        actor.rotation_euler = [math.radians(float(a)) for a in orientation[::-1]]
        actor.scale = (1.0, 1.0, 1.0)
    else:
        frame = np.identity(4)
        frame[:3, :3], frame[:3, 3] = matrix_from_zyx(orientation), position
        actor.matrix_world = units.frame_to_blender(frame)
    bpy.context.view_layer.update()


def keep_start(actor: bpy.types.Object, start: Start, action: bpy.types.Action) -> None:
    """Keep the start while a baked motion moves the armature. Called when a motion is baked."""
    actor.mannequin.actor.start = exact_copy.dump(start)
    actor.mannequin.actor.baked_action = action


def kept_start(actor: bpy.types.Object) -> Start | None:
    """The kept start, if the armature plays the baked motion it belongs to."""
    group = actor.mannequin.actor
    if not group.start or not any(playing.action == group.baked_action for playing in played(actor)):
        return None
    return exact_copy.load(Start, group.start)


def restore_start(actor: bpy.types.Object, units: Units) -> None:
    """Unlink the baked motion and show the start again, for editing."""
    start = kept_start(actor)
    if start is None:
        raise SceneError(f"actor '{actor.name}' plays no baked motion: its pose is the start already")
    actor.animation_data.action = None
    for _, strip in strips_that_play(actor):
        strip.mute = strip.mute or strip.action == actor.mannequin.actor.baked_action
    actor.mannequin.actor.start = ""
    write_start(actor, start, units)
