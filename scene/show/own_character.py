"""Which armature of somebody's own character follows an actor, and letting it follow."""

from collections.abc import Iterable

import bpy

from ...models.editing.rest_layout import lay_out
from ...models.people.skeletons.skeleton import NEEDED
from ..base.errors import SceneError
from ..model.read import read_model
from ..rig.own_rigs import release
from ..rig.skeletons import is_skeleton, maps_onto_people
from .character import own_armature
from .character_motion import key_character, lift_character
from .character_rig import make_follow


def chosen_armature(selected: Iterable[bpy.types.Object]) -> bpy.types.Object | None:
    """The armature of the selected character: selected itself, or that which moves a selected mesh."""
    selected = list(selected)
    armatures = [obj for obj in selected if is_skeleton(obj)]
    moving = [own_armature(obj) for obj in selected if obj.type == "MESH" and obj.mannequin.kind == "NONE"]
    return next((obj for obj in (*armatures, *moving) if is_skeleton(obj)), None)


def armature_to_drive(
    actor: bpy.types.Object, selected: Iterable[bpy.types.Object], drive: str
) -> bpy.types.Object | None:
    """The armature that is to follow an actor; none where meshes get new weights."""
    armature = chosen_armature(selected)
    if drive == "WEIGHTS":
        return None
    if drive != "AUTO":
        if armature is None:
            raise SceneError("the character has no armature: choose New Weights, or select its armature")
        return armature
    places = lay_out(read_model(actor))
    is_person = all(body in places for body in NEEDED)
    return armature if armature is not None and is_person and maps_onto_people(armature) else None


def follow_actor(
    actor: bpy.types.Object, armature: bpy.types.Object, scene: bpy.types.Scene, keyframes: bool = False
) -> float:
    """Let a character's own armature follow an actor, with the lift of its motion; returns its scale."""
    rig, scale = make_follow(actor, armature, scene)
    try:
        lift_character(actor, rig, scene)
        if keyframes:
            key_character(actor, rig, scene)
    except SceneError:
        release(rig)
        raise
    return scale
