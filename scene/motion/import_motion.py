"""A file of motion capture through Blender's own importers, beside an actor and carried over to it."""

import math
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix

from ...models.editing.rest_layout import lay_out
from ...models.people.skeletons.rest_match import facing, match_rest
from ...models.people.skeletons.skeleton import BoneMap, Skeleton
from ..base.blender_version import import_bvh, import_fbx
from ..base.errors import SceneError
from ..base.units import units_of
from ..model.read import read_model
from ..rig.skeletons import bone_map_of, reaches_of, read_skeleton, require_person
from .retarget import Carried, frames_of, retarget

IMPORTERS = {".bvh": import_bvh, ".fbx": import_fbx}


def import_motion(
    path: Path, actor: bpy.types.Object, scene: bpy.types.Scene
) -> tuple[bpy.types.Object, Carried]:
    """Import the armature of a file and give an actor its motion; returns the armature and the result.

    The armature is scaled to the actor's legs, and moved so that it begins where the actor stands and faces.
    """
    if path.suffix.lower() not in IMPORTERS:
        raise SceneError(f"{path.name} is no motion capture that Blender reads: BVH and FBX are")
    if not path.is_file():
        raise SceneError(f"there is no file {path}")
    places = lay_out(read_model(actor))
    require_person(actor, places)
    armature = imported_armature(path)
    found = {body: bone for body, bone in bone_map_of(armature).items() if body in places}
    match = match_rest(read_skeleton(armature), found, reaches_of(places))
    armature.scale = (match.scale / units_of(scene).metres,) * 3
    stand_with(armature, found, actor, scene)
    return armature, retarget(actor, armature, scene)


def imported_armature(path: Path) -> bpy.types.Object:
    """The armature with the most bones of a file, imported; refused where it has none."""
    before = set(bpy.data.objects)
    try:
        IMPORTERS[path.suffix.lower()](str(path))
    except RuntimeError as error:
        raise SceneError(f"Blender cannot read {path.name}: {error}") from error
    new = [obj for obj in bpy.data.objects if obj not in before and obj.type == "ARMATURE"]
    if not new:
        raise SceneError(f"{path.name} has no skeleton")
    return max(new, key=lambda obj: len(obj.data.bones))


def stand_with(
    armature: bpy.types.Object, found: BoneMap, actor: bpy.types.Object, scene: bpy.types.Scene
) -> None:
    """Move an armature along the ground and about the vertical to where an actor stands, at its first frame."""
    kept = scene.frame_current, scene.frame_subframe
    scene.frame_set(int(frames_of(armature, scene)[0]))
    hips, forward = seen_stand(armature, found)
    scene.frame_set(kept[0], subframe=kept[1])
    facing_actor = actor.matrix_world.to_3x3().col[0]
    turn = math.atan2(facing_actor.y, facing_actor.x) - math.atan2(forward[1], forward[0])
    place = actor.matrix_world.translation
    armature.matrix_world = (
        Matrix.Translation((place.x, place.y, 0.0))
        @ Matrix.Rotation(turn, 4, "Z")
        @ Matrix.Translation((-hips[0], -hips[1], 0.0))
        @ armature.matrix_world
    )
    bpy.context.view_layer.update()


def seen_stand(armature: bpy.types.Object, found: BoneMap) -> tuple[np.ndarray, np.ndarray]:
    """(3,) middle between the hip joints and (3,) direction in which the skeleton faces now, in the world."""
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    names = tuple(found.values())
    heads = np.array([seen.matrix_world @ seen.pose.bones[bone].head for bone in names])
    posed = Skeleton(names, (-1,) * len(names), heads, heads)
    hips = (posed.head(found["ThighL"]) + posed.head(found["ThighR"])) / 2.0
    return hips, facing(posed, found)[0]
