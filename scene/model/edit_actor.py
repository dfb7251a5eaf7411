"""Apply changes of a model to an actor, and changes of whole actors: duplicate, delete, bring the rig up to date."""

from collections.abc import Callable
from typing import TypeVar

import bpy
import numpy as np

from ...engine.spec import Model
from ...models.editing.rest_layout import lay_out
from ..base.errors import SceneError
from ..base.labels import set_label
from ..base.units import units_of
from ..muscles.build import relink_copies
from ..rig.objects import PART_COLLECTIONS, make_part_collections, new_collection, part_collection
from ..rig.pose import joint_frame_at_rest
from ..rig.skins import made_skins_of, remove_skin, skin_rigs_of
from ..store.actors import PART_KINDS, actors_of, body_bones, bone_axes, parts_of, rest_frame, units_of_actor
from ..store.same_place import SAME_PLACE
from .build import remove_rig, update_actor
from .read import read_model

Result = TypeVar("Result")


def edit_model_of(
    actor: bpy.types.Object, scene: bpy.types.Scene, change: Callable[[Model], Result]
) -> Result:
    """Read an actor's model, change it, and bring the actor in line with it. A failing change leaves all as it was."""
    model = read_model(actor)
    result = change(model)
    update_actor(actor, model, scene)
    return result


def is_current(actor: bpy.types.Object, scene: bpy.types.Scene, model: Model | None = None) -> bool:
    """Whether bones and names follow from the model as it is seen, in the scene's units (not so after a joint was
    dragged, for example). model: as it is seen, where it has been read."""
    model, units = model or read_model(actor), units_of(scene)
    if units != units_of_actor(actor):
        return False
    places = lay_out(model)
    for bone in body_bones(actor.data):
        place, group = places[bone.name], bone.mannequin
        head = units.point_to_si(bone.head_local)
        near = SAME_PLACE * max(1.0, float(np.abs(head).max()))
        moved = (
            np.abs(head - place.joint_frame[:3, 3]).max() > near
            or np.abs(rest_frame(bone) - place.frame).max() > SAME_PLACE
            or np.abs(bone_axes(bone) - place.bone_axes).max() > SAME_PLACE
        )
        joint = place.joint
        if joint is not None:
            moved = moved or np.abs(joint_frame_at_rest(bone) - place.joint_frame).max() > SAME_PLACE
        if moved or group.handle_name != bone.name or (joint is not None and joint.name != group.joint.name):
            return False
    return True


def has_dragged_joint(actor: bpy.types.Object) -> bool:
    """Whether a joint's empty and its bone's head are apart; quick enough for a panel, unlike `is_current`."""
    for name, handles in parts_of(actor, "JOINT").items():
        bone = actor.data.bones.get(name)
        if bone is not None and (handles[0].location - bone.head_local).length > 1e-5 * max(
            1.0, bone.head_local.length
        ):
            return True
    return False


def refresh(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Bring every rig of a scene up to date that is not; returns those that were not."""
    were_current = refreshed_models(scene)
    return [actor for actor in actors_of(scene) if actor.name not in were_current]


def refreshed_models(scene: bpy.types.Scene) -> dict[str, Model]:
    """Bring every rig of a scene up to date that is not; returns the models of those that were, by object name."""
    models = {actor.name: read_model(actor) for actor in actors_of(scene)}
    stale = [actor for actor in actors_of(scene) if not is_current(actor, scene, models[actor.name])]
    for actor in stale:
        update_actor(actor, models.pop(actor.name), scene)
    return models


def duplicate_actor(actor: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Object:
    """Copy of an actor with all its parts and its skin, in collections of its own, with its own model."""
    copy = actor.copy()
    copy.data = actor.data.copy()
    start = copy.mannequin.actor
    start.order = max(obj.mannequin.actor.order for obj in actors_of(scene)) + 1
    set_label(copy, start, copy.name)
    home = new_collection(copy.name, scene.collection)
    home.objects.link(copy)
    make_part_collections(copy, home, ("ELLIPSOID", "JOINT"))
    for kind in ("MESH", "MUSCLE", "WRAP"):
        if getattr(start, PART_COLLECTIONS[kind][0]) is not None:
            make_part_collections(copy, home, (kind,))
    twins = {}
    for child in actor.children:
        if child.mannequin.kind in PART_KINDS:
            twins[child] = twin = child.copy()
            twin.parent = copy
            part_collection(child.mannequin.kind, copy).objects.link(twin)
    relink_copies(twins, copy)
    rigs = {rig: duplicate_skin_rig(rig, copy, home) for rig in skin_rigs_of(actor)}
    for skin in made_skins_of(actor):
        duplicate_skin(skin, copy, home, rigs)
    bpy.context.view_layer.update()
    return copy


def duplicate_skin(
    skin: bpy.types.Object,
    actor: bpy.types.Object,
    home: bpy.types.Collection,
    rigs: dict[bpy.types.Object, bpy.types.Object],
) -> None:
    """Copy of a surface that the bones of another actor carry, or the copy of its own rig; the geometry is shared."""
    twin = skin.copy()
    twin.parent = actor
    for modifier in twin.modifiers:
        if modifier.type == "ARMATURE":
            modifier.object = rigs.get(modifier.object, actor)
    home.objects.link(twin)


def duplicate_skin_rig(
    rig: bpy.types.Object, actor: bpy.types.Object, home: bpy.types.Collection
) -> bpy.types.Object:
    """Copy of the armature of a person's picture that the bones of another actor carry."""
    twin = rig.copy()
    twin.data = rig.data.copy()
    twin.parent = actor
    home.objects.link(twin)
    for bone in twin.pose.bones:
        for constraint in bone.constraints:
            for target in getattr(constraint, "targets", ()):
                target.target = actor
    return twin


def delete_actor(actor: bpy.types.Object) -> None:
    """Remove an actor with its skin, all its parts and the collections that are empty then."""
    remove_skin(actor)
    remove_rig(actor)


def rename_body(actor: bpy.types.Object, old: str, new: str) -> None:
    """Rename a body; what refers to it follows."""
    if not new.strip():
        raise SceneError(f"body '{old}' needs a name")
    if new != old and new in actor.data.bones:
        raise SceneError(f"'{actor.name}' has a body '{new}' already: choose another name")
    bone = actor.data.bones[old]
    bone.name = new
    bone.mannequin.handle_name = bone.name
