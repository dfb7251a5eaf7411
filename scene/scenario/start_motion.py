"""Start of an actor from numbers or from an animation: velocity, place on the ground, pose and velocity at a frame."""

import math
from collections.abc import Sequence

import bpy
import numpy as np

from ...engine.spec import Model
from ...models.editing.rest_layout import lay_out
from ...models.parts.placement import lowest_point
from ..base.errors import SceneError
from ..base.units import frames_per_second, units_of
from ..model.read import read_model
from ..rig.animation import put_actions_aside
from ..rig.pose import (
    JointTransform,
    actor_frame,
    is_placed_by_root,
    read_joint_transforms,
    read_seen_start,
    read_start,
    write_start,
)
from ..store.actors import body_bones, bone_axes, joint_kind

STEP = 0.5
"""Frames before and after the current one between which a velocity is measured."""


def place_on_ground(
    actor: bpy.types.Object, scene: bpy.types.Scene, clearance: float = 0.0, model: Model | None = None
) -> float:
    """Lift or lower a posed actor until its lowest point is `clearance` metres above z = 0; returns the shift.

    `model` saves reading the actor's where it is known."""
    units, model = units_of(scene), read_model(actor) if model is None else model
    if not any(body.ellipsoids for body in model.bodies):
        raise SceneError(f"actor '{actor.name}' has no ellipsoid to stand on")
    start = read_start(actor, units)
    pose = {
        "joint_angles": start.joint_angles,
        "joint_slides": start.joint_slides,
        "position": start.position,
        "orientation": start.orientation,
    }
    shift = clearance - lowest_point(model, **pose)
    if actor.parent is None:
        actor.location.z += units.length_to_blender(shift)
    else:
        world = actor.matrix_world.copy()
        world.translation.z += units.length_to_blender(shift)
        actor.matrix_world = world
    bpy.context.view_layer.update()
    return shift


def velocity_of_heading(speed: float, heading: float) -> tuple[float, float, float]:
    """Velocity (m/s) of a speed in m/s along a heading in radians, counter-clockwise from x seen from above."""
    return (speed * math.cos(heading), speed * math.sin(heading), 0.0)


def rotation_vector(rotation: np.ndarray) -> np.ndarray:
    """(3,) rotation vector of a (3, 3) rotation by less than half a turn."""
    axis = np.array(
        [rotation[2, 1] - rotation[1, 2], rotation[0, 2] - rotation[2, 0], rotation[1, 0] - rotation[0, 1]]
    )
    sine = np.linalg.norm(axis) / 2.0
    if sine < 1e-12:
        return axis / 2.0
    return axis / (2.0 * sine) * math.atan2(sine, (np.trace(rotation) - 1.0) / 2.0)


def take_motion(actor: bpy.types.Object, scene: bpy.types.Scene) -> None:
    """Make the pose and the velocities an animation shows at the current frame the actor's start, and put the animation
    aside. Velocities are central differences over one frame."""
    require_animated(actor)
    units, frame = units_of(scene), scene.frame_current_final
    start = read_seen_start(actor, units, strict=False)
    before, after = (sample(actor, scene, frame + side) for side in (-STEP, STEP))
    scene.frame_set(int(frame), subframe=frame - int(frame))
    seconds = 2.0 * STEP / frames_per_second(scene)
    root = root_frame_at_rest(actor)
    velocity, turn = rigid_velocity(before[0] @ root, after[0] @ root, seconds)
    put_animation_aside(actor)
    write_start(actor, start, units)
    group = actor.mannequin.actor
    group.velocity, group.angular_velocity = tidy(velocity), tidy(turn)
    for bone in body_bones(actor.data):
        rate = joint_rate(bone, before[1][bone.name], after[1][bone.name], seconds)
        actor.pose.bones[bone.name].mannequin.velocity = tidy(rate)


def require_animated(actor: bpy.types.Object) -> None:
    """Refuse an actor that nothing moves."""
    if not is_animated(actor):
        raise SceneError(
            f"actor '{actor.name}' is not animated: give it an action, constraints or a moving parent"
        )


def is_animated(actor: bpy.types.Object) -> bool:
    """Whether something moves the actor over time."""
    data = actor.animation_data
    moved = data is not None and (
        data.action is not None or len(data.nla_tracks) > 0 or len(data.drivers) > 0
    )
    held = any(bone.constraints for bone in actor.pose.bones) or bool(actor.constraints)
    return moved or held or actor.parent is not None


def sample(
    actor: bpy.types.Object, scene: bpy.types.Scene, frame: float
) -> tuple[np.ndarray, dict[str, JointTransform]]:
    """Actor frame in the world and what each joint does at a frame."""
    scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))
    units = units_of(scene)
    transforms = read_joint_transforms(actor, units)
    return actor_frame(actor, transforms, units), transforms


def root_frame_at_rest(actor: bpy.types.Object) -> np.ndarray:
    """(4, 4) root body in the actor frame at rest."""
    return next(iter(lay_out(read_model(actor)).values())).frame


def rigid_velocity(before: np.ndarray, after: np.ndarray, seconds: float) -> tuple[np.ndarray, np.ndarray]:
    """World velocity (m/s) of a frame's origin and its turn rate (rad/s) between two places."""
    turn = rotation_vector(after[:3, :3] @ before[:3, :3].T)
    return (after[:3, 3] - before[:3, 3]) / seconds, turn / seconds


def joint_rate(
    bone: bpy.types.Bone, before: JointTransform, after: JointTransform, seconds: float
) -> Sequence[float]:
    """Turn rate (rad/s) of a joint in child joint axes; of a joint with an axis the first number, of a slider m/s."""
    joint = bone.mannequin.joint
    if not joint.exists or not joint_kind(bone).moves or is_placed_by_root(bone):
        return (0.0, 0.0, 0.0)
    kind = joint_kind(bone)
    if kind.has_axis and not kind.turns:
        return (bone_axes(bone)[:, 0] @ (after.shift - before.shift) / seconds, 0.0, 0.0)
    if kind.has_axis:
        return ((after.angle - before.angle) / seconds, 0.0, 0.0)
    return rotation_vector(before.rotation.T @ after.rotation) / seconds


def tidy(values: Sequence[float]) -> tuple[float, ...]:
    """Rates without the noise of 32-bit poses."""
    return tuple(round(float(x), 4) + 0.0 for x in values)


def put_animation_aside(actor: bpy.types.Object) -> None:
    """Stop what moves the actor: its action stays in the file, constraints are muted, the parent cleared in place."""
    put_actions_aside(actor)
    for constraint in (c for owner in (actor, *actor.pose.bones) for c in owner.constraints):
        constraint.mute = True
    if actor.parent is not None:
        world = actor.matrix_world.copy()
        actor.parent = None
        actor.matrix_world = world
