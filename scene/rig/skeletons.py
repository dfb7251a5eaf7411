"""Armatures of other programs as skeletons: read, mapped onto the bodies of people, the mapping kept and corrected."""

import bpy
import numpy as np

from ...models.editing.rest_layout import BodyPlace, limb_end
from ...models.people.skeletons.names import map_skeleton
from ...models.people.skeletons.rest_match import NEXT, Reaches
from ...models.people.skeletons.skeleton import BODIES, NEEDED, BoneMap, Skeleton, missing_bodies
from ..base.errors import SceneError
from ..store.actors import actor_of, is_actor
from .own_rigs import CHARACTER_RIG
from .skins import SKIN_RIG


def is_skeleton(obj: bpy.types.Object | None) -> bool:
    """Whether an object is an armature of another program, and none of ours."""
    return (
        obj is not None
        and obj.type == "ARMATURE"
        and not is_actor(obj)
        and not obj.get(SKIN_RIG)
        and not obj.get(CHARACTER_RIG)
    )


def chosen_skeleton(context: bpy.types.Context) -> bpy.types.Object | None:
    """The selected armature of another program, or the only one of the scene that no actor carries."""
    selected = [obj for obj in context.selected_objects if is_skeleton(obj)]
    if selected:
        return selected[0]
    free = [obj for obj in context.scene.objects if is_skeleton(obj) and actor_of(obj) is None]
    return free[0] if len(free) == 1 else None


def read_skeleton(armature: bpy.types.Object) -> Skeleton:
    """Bones of an armature at rest, in its own frame and units."""
    bones = list(armature.data.bones)
    numbers = {bone.name: number for number, bone in enumerate(bones)}
    return Skeleton(
        tuple(bone.name for bone in bones),
        tuple(numbers[bone.parent.name] if bone.parent else -1 for bone in bones),
        np.array([bone.head_local for bone in bones], dtype=float).reshape(-1, 3),
        np.array([bone.tail_local for bone in bones], dtype=float).reshape(-1, 3),
    )


def map_armature(armature: bpy.types.Object) -> BoneMap:
    """Find the bone of each body, and keep the list with the armature; returns what was found."""
    found, convention = map_skeleton(read_skeleton(armature))
    keep_map(armature, found, convention)
    return found


def keep_map(armature: bpy.types.Object, found: BoneMap, convention: str) -> None:
    """Write the list of bodies with their bones."""
    kept = armature.mannequin.skeleton
    kept.bones.clear()
    for body in BODIES:
        row = kept.bones.add()
        row.name, row.bone = body, found.get(body, "")
    kept.convention = convention


def kept_map(armature: bpy.types.Object) -> BoneMap:
    """Body to bone as the list of an armature says; bones that are gone are left out."""
    rows = armature.mannequin.skeleton.bones
    return {row.name: row.bone for row in rows if row.bone and row.bone in armature.data.bones}


def bone_map_of(armature: bpy.types.Object) -> BoneMap:
    """The kept mapping, made where there is none; refused where a needed bone is missing."""
    found = kept_map(armature) if len(armature.mannequin.skeleton.bones) else map_armature(armature)
    missing = missing_bodies(found)
    if len(missing) == len(NEEDED):
        raise SceneError(
            f"no bone of '{armature.name}' is known by its name or its place: select it and name its bones in "
            "Scenario, Skeleton"
        )
    if missing:
        raise SceneError(
            f"'{armature.name}' has no bone for {', '.join(missing)}: name it in the list of Scenario, Skeleton"
        )
    twice = sorted({bone for bone in found.values() if list(found.values()).count(bone) > 1})
    if twice:
        raise SceneError(
            f"bone '{twice[0]}' of '{armature.name}' stands for two bodies: change one in the list"
        )
    return found


def maps_onto_people(armature: bpy.types.Object) -> bool:
    """Whether an armature has all bones that a person needs, by its list or by what would be found."""
    found = kept_map(armature) or map_skeleton(read_skeleton(armature))[0]
    return not missing_bodies(found)


def require_person(actor: bpy.types.Object, places: dict[str, BodyPlace]) -> None:
    """Refuse an actor that lacks bodies which bones of people move."""
    missing = [body for body in NEEDED if body not in places]
    if missing:
        raise SceneError(
            f"actor '{actor.name}' has no body '{missing[0]}': motions and characters are carried over to people and "
            "dummies of the library"
        )


def reaches_of(places: dict[str, BodyPlace]) -> Reaches:
    """Body to the way from its joint to the next one of its limb, or to its end, at rest, m."""
    found = {}
    for body in (body for body in BODIES if body in places):
        after = f"{NEXT.get(body[:-1], '')}{body[-1]}"
        start = places[body].joint_frame[:3, 3]
        end = places[after].joint_frame[:3, 3] if after in places else limb_end(places[body], places)
        found[body] = end - start
    for side in "LR":
        if f"Hand{side}" in found:
            found[f"Hand{side}"] = found[f"Forearm{side}"]  # hands hang straight
    return found
