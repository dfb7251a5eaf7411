"""Find actors and their parts in a scene. Everything is looked up when it is needed; nothing is remembered."""

import json

import bpy
import numpy as np

from ...engine.spec import Joint, JointFunction
from ...engine.spec.joint_types import ROOT_TYPE, JointType, joint_type
from ..base.errors import SceneError
from ..base.units import Units
from .fields import read_group


def is_actor(obj: bpy.types.Object | None) -> bool:
    """Whether an object is the armature of an actor."""
    return obj is not None and obj.type == "ARMATURE" and obj.mannequin.kind == "ACTOR"


def actor_of(obj: bpy.types.Object | None) -> bpy.types.Object | None:
    """Actor that an object is or belongs to."""
    while obj is not None and not is_actor(obj):
        obj = obj.parent
    return obj


def active_actor(context: bpy.types.Context) -> bpy.types.Object | None:
    """Actor of the active object, or the only actor of the scene."""
    found = actor_of(getattr(context, "object", None) or context.view_layer.objects.active)
    if found is not None:
        return found
    actors = actors_of(context.scene)
    return actors[0] if len(actors) == 1 else None


def actors_of(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Actors of a scene, in the order of the scenario."""
    found = [obj for obj in scene.objects if is_actor(obj)]
    return sorted(found, key=lambda obj: (obj.mannequin.actor.order, obj.name))


def obstacles_of(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Obstacles of a scene, in the order of the scenario."""
    found = [obj for obj in scene.objects if obj.mannequin.kind == "OBSTACLE" and obj.type == "MESH"]
    return sorted(found, key=lambda obj: (obj.mannequin.obstacle.order, obj.name))


def body_bones(armature: bpy.types.Armature) -> list[bpy.types.Bone]:
    """Bones that are bodies, in the order of the model."""
    bones = [bone for bone in armature.bones if bone.mannequin.is_body]
    return sorted(bones, key=lambda bone: bone.mannequin.order)


def parent_body(bone: bpy.types.Bone) -> bpy.types.Bone | None:
    """Bone of the parent body: the nearest ancestor that is a body."""
    bone = bone.parent
    while bone is not None and not bone.mannequin.is_body:
        bone = bone.parent
    return bone


def joint_kind(bone: bpy.types.Bone) -> JointType:
    """How a body moves against what carries it: by its joint, freely where it has none."""
    joint = bone.mannequin.joint
    kind = joint_type(joint.type if joint.exists else ROOT_TYPE)
    return joint_by_functions(bone).kind if kind.by_functions else kind


def joint_by_functions(bone: bpy.types.Bone) -> Joint:
    """The functions of a bone's custom joint, as a joint without a place."""
    group = bone.mannequin.joint
    functions = [read_group(item, JointFunction) for item in group.functions]
    ellipsoid = tuple(group.ellipsoid) if group.use_ellipsoid else None
    return Joint(group.name, group.type, None, bone.name, functions=functions, ellipsoid=ellipsoid)


def slides_along(bone: bpy.types.Bone, axis: str) -> bool:
    """Whether a bone's joint slides in the axis of this name: what acts there is in metres and newtons."""
    kind = joint_kind(bone)
    motion = kind.motion_of(axis)
    return motion is not None and not kind.motions[motion].turns


PART_KINDS = ("ELLIPSOID", "JOINT", "MESH", "MUSCLE", "WRAP")
"""Kinds of objects that ride on the bones of an actor; a muscle rides on several."""


def parts_of(actor: bpy.types.Object, kind: str) -> dict[str, list[bpy.types.Object]]:
    """Ellipsoids, joints, display meshes or wrap surfaces of an actor by bone name, in the order of the model."""
    parts: dict[str, list[bpy.types.Object]] = {}
    for child in actor.children:
        if child.mannequin.kind == kind and child.parent_type == "BONE":
            parts.setdefault(child.parent_bone, []).append(child)
    for found in parts.values():
        found.sort(key=lambda obj: (part_group(obj).order, obj.name))
    return parts


def part_group(part: bpy.types.Object) -> bpy.types.PropertyGroup:
    """Properties of an ellipsoid, a display mesh or a wrap surface (of a joint's handle: unused ones)."""
    groups = {"MESH": part.mannequin.mesh, "WRAP": part.mannequin.wrap}
    return groups.get(part.mannequin.kind, part.mannequin.ellipsoid)


def active_bone(context: bpy.types.Context) -> bpy.types.Bone | None:
    """Bone of the body that is meant: of the active ellipsoid or joint, or the active bone of the actor."""
    obj = getattr(context, "object", None)
    actor = actor_of(obj)
    if actor is None:
        return None
    if obj is not actor and obj.parent_type == "BONE":
        bone = actor.data.bones.get(obj.parent_bone)
    else:
        bone = actor.data.bones.active
    return bone if bone is not None and bone.mannequin.is_body else None


def active_of_kind(context: bpy.types.Context, kind: str) -> bpy.types.Object | None:
    """The active object, if it is of a kind."""
    obj = getattr(context, "object", None)
    return obj if obj is not None and obj.mannequin.kind == kind else None


def rest_frame(bone: bpy.types.Bone) -> np.ndarray:
    """(4, 4) body frame in the actor frame at rest, metres, in full precision."""
    return np.array(json.loads(bone.mannequin.rest_frame), dtype=float).reshape(4, 4)


def bone_axes(bone: bpy.types.Bone) -> np.ndarray:
    """(3, 3) rotation from bone axes to joint axes, orthogonal to round-off."""
    axes = np.array(bone.mannequin.bone_axes, dtype=float).reshape(3, 3)
    u, _, vt = np.linalg.svd(axes)
    nearest = u @ vt
    return np.round(nearest) if np.allclose(nearest, np.round(nearest), atol=1e-6) else nearest


def units_of_actor(actor: bpy.types.Object) -> Units:
    """Units an actor's rig was built in, whatever the scene's unit scale is now."""
    return Units(float(str(np.float32(actor.data.mannequin.unit_scale))))


def require_unit_scale(actor: bpy.types.Object, units: Units) -> None:
    """Refuse an actor whose rig was built at another unit scale than the scene has."""
    built, now = units_of_actor(actor).metres, units.metres
    if built != now:
        raise SceneError(
            f"actor '{actor.name}' was built at a unit scale of {built:g}, the scene has {now:g}: "
            "use Update Rig, or set the unit scale back"
        )


def require_no_orphans(actor: bpy.types.Object) -> None:
    """Refuse ellipsoids of the actor that belong to none of its bodies: they would silently be left out."""
    for child in actor.children:
        if child.mannequin.kind != "ELLIPSOID":
            continue
        bone = actor.data.bones.get(child.parent_bone) if child.parent_type == "BONE" else None
        if bone is None or not bone.mannequin.is_body:
            raise SceneError(
                f"ellipsoid '{child.name}' belongs to no body of '{actor.name}': parent it to a bone (Ctrl P, Bone), "
                "or delete it"
            )


def require_unscaled(actor: bpy.types.Object) -> None:
    """Refuse an actor whose armature is scaled."""
    scale = actor.matrix_world.to_scale()
    if max(abs(s - 1.0) for s in scale) > 1e-5:
        raise SceneError(
            f"actor '{actor.name}' is scaled by ({scale.x:.4g}, {scale.y:.4g}, {scale.z:.4g}): clear its scale (Alt S) "
            "and use Scale to Height and Mass, which scales mass and inertia too"
        )


def require_object_mode(actor: bpy.types.Object) -> None:
    """Refuse an armature in edit mode: its bones are not up to date there."""
    if actor.mode == "EDIT" or actor.data.is_editmode:
        raise SceneError(f"actor '{actor.name}' is in Edit Mode: leave it (Tab) first")
