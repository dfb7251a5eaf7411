"""The armature of a user's own character while it follows an actor: what it was like before is kept, and put back.

All that is kept lies on the armature between both (`CHARACTER_RIG`), so that nothing of ours stays with the character
when that is removed, but for the constraints, which are removed too.
"""

import json
from collections.abc import Iterable
from typing import Any

import bpy
from mathutils import Matrix

from .animation import put_actions_aside
from .objects import remove_object

CHARACTER_RIG = "mannequin_character_rig"
"""On the armature between an actor and the armature of the user's own character, which follows it."""
CHARACTER, OBJECTS, BEFORE = "mannequin_character", "mannequin_objects", "mannequin_before"
KEYED = "mannequin_keyed"
"""On the armature between an actor and a character: the character has keyframes of its own."""
FOLLOWS = "Mannequin"
"""Beginning of the names of our constraints on bones of the character."""
CHANNELS = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")


def character_rigs_of(actor: bpy.types.Object) -> list[bpy.types.Object]:
    """Armatures between an actor and its characters."""
    return [child for child in actor.children if child.get(CHARACTER_RIG)]


def character_of(rig: bpy.types.Object) -> bpy.types.Object | None:
    """The character's own armature that follows a rig."""
    return rig.get(CHARACTER)


def character_meshes(rig: bpy.types.Object) -> list[bpy.types.Object]:
    """Meshes that the character's armature moves."""
    armature = character_of(rig)
    return [] if armature is None else meshes_of(armature)


def driven_bones(armature: bpy.types.Object) -> list[bpy.types.PoseBone]:
    """Bones of a character that follow."""
    return [bone for bone in armature.pose.bones if any(c.name.startswith(FOLLOWS) for c in bone.constraints)]


def is_free_to_follow(armature: bpy.types.Object) -> bool:
    """Whether our constraints alone move the bones of a character that follow, with all of their influence."""
    return armature.data.pose_position == "POSE" and all(
        c.mute != c.name.startswith(FOLLOWS) and (c.mute or c.influence == 1.0)
        for bone in driven_bones(armature)
        for c in bone.constraints
    )


def meshes_of(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Meshes that an armature moves."""
    return [
        obj
        for obj in bpy.data.objects
        if obj.type == "MESH"
        and any(modifier.type == "ARMATURE" and modifier.object == armature for modifier in obj.modifiers)
    ]


def keep_before(
    rig: bpy.types.Object, armature: bpy.types.Object, bones: Iterable[str]
) -> list[bpy.types.Object]:
    """Keep on a rig what the character is like that will follow it; returns the objects that have to be moved along."""
    loose = [obj for obj in meshes_of(armature) if not is_below(obj, armature)]
    moved = [armature, *loose]
    rig[CHARACTER] = armature
    rig[OBJECTS] = {str(number): obj for number, obj in enumerate(moved)}
    parents = {f"parent {number}": obj.parent for number, obj in enumerate(moved) if obj.parent is not None}
    for name, parent in parents.items():
        rig[name] = parent
    data = armature.animation_data
    if data is not None and data.action is not None:
        rig["action"] = data.action
    state = {
        "objects": [place_of(obj) for obj in moved],
        "bones": {name: channels_of(armature.pose.bones[name]) for name in bones},
        "muted": {
            name: [c.name for c in armature.pose.bones[name].constraints if not c.mute] for name in bones
        },
        "slot": slot_of(armature),
        "tracks": [track.name for track in data.nla_tracks if not track.mute] if data is not None else [],
        "pose": armature.data.pose_position,
        "animated": data is not None,
    }
    rig[BEFORE] = json.dumps(state)
    return moved


def is_below(obj: bpy.types.Object, above: bpy.types.Object) -> bool:
    """Whether an object is a child of another, or a child of its children."""
    while obj is not None and obj != above:
        obj = obj.parent
    return obj is not None


def slot_of(armature: bpy.types.Object) -> str:
    """Identifier of the slot of the action that plays; Blender before 4.4 has none."""
    slot = getattr(armature.animation_data, "action_slot", None)
    return slot.identifier if slot is not None else ""


def place_of(obj: bpy.types.Object) -> dict[str, Any]:
    """Where an object is, by its channels."""
    inverse = [value for row in obj.matrix_parent_inverse for value in row]
    return channels_of(obj) | {"type": obj.parent_type, "bone": obj.parent_bone, "inverse": inverse}


def channels_of(owner: bpy.types.Object | bpy.types.PoseBone) -> dict[str, Any]:
    """Location, rotation and scale of an object or a bone as they are typed."""
    return {name: list(getattr(owner, name)) for name in CHANNELS} | {"mode": owner.rotation_mode}


def write_channels(owner: bpy.types.Object | bpy.types.PoseBone, kept: dict[str, Any]) -> None:
    """Put back what `channels_of` read."""
    owner.rotation_mode = kept["mode"]
    for name in CHANNELS:
        setattr(owner, name, kept[name])


def put_aside(armature: bpy.types.Object, bones: Iterable[str]) -> None:
    """Let nothing move the bones of a character but what follows."""
    put_actions_aside(armature)
    armature.data.pose_position = "POSE"
    for name in bones:
        bone = armature.pose.bones[name]
        for constraint in bone.constraints:
            constraint.mute = True
        bone.matrix_basis = Matrix()


def release(rig: bpy.types.Object) -> None:
    """Put a character back as it was, and remove the rig it followed."""
    armature = character_of(rig)
    if armature is not None:
        put_back(rig, armature, json.loads(rig[BEFORE]))
    action = rig.animation_data.action if rig.animation_data else None
    remove_object(rig)
    if action is not None:
        bpy.data.actions.remove(action)


def put_back(rig: bpy.types.Object, armature: bpy.types.Object, state: dict[str, Any]) -> None:
    """Undo all that was done to a character."""
    for bone in armature.pose.bones:
        for constraint in [c for c in bone.constraints if c.name.startswith(FOLLOWS)]:
            bone.constraints.remove(constraint)
    for name, kept in state["bones"].items():
        bone = armature.pose.bones.get(name)
        if bone is None:
            continue
        for constraint in bone.constraints:
            constraint.mute = constraint.name not in state["muted"][name]
        write_channels(bone, kept)
    for number, kept in enumerate(state["objects"]):
        obj = rig[OBJECTS].get(str(number))
        if obj is None:
            continue
        obj.parent = rig.get(f"parent {number}")
        obj.parent_type = kept["type"]
        obj.parent_bone = kept["bone"]
        values = kept["inverse"]
        obj.matrix_parent_inverse = Matrix([values[4 * row : 4 * row + 4] for row in range(4)])
        write_channels(obj, kept)
    armature.data.pose_position = state["pose"]
    restore_animation(rig, armature, state)


def restore_animation(rig: bpy.types.Object, armature: bpy.types.Object, state: dict[str, Any]) -> None:
    """Let the character's own action and strips play again."""
    data = armature.animation_data
    if data is None:
        return
    if not state["animated"]:
        armature.animation_data_clear()
        return
    data.action = rig.get("action")
    slots = getattr(data.action, "slots", None) if data.action is not None else None
    if slots is not None and state["slot"]:
        data.action_slot = next((slot for slot in slots if slot.identifier == state["slot"]), None)
    for track in data.nla_tracks:
        track.mute = track.name not in state["tracks"]
