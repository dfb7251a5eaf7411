"""References between parts of a model that survive renaming: stored as identity numbers, shown as names.

Blender has pointers to objects, but none to bones or to items of a collection. Bodies and materials therefore carry a
`uid` that is unique in their armature, and a reference stores it. A joint is known by the uid of its child body. A name
that nothing has is kept as text, so that a faulty file can be read, validated and repaired.
"""

from collections.abc import Callable
from typing import Any

import bpy

Target = tuple[int, str]
Targets = Callable[[Any], list[Target]]
"""What a group can refer to: (uid, name) of each."""


def armature_of(group: Any) -> bpy.types.Armature | None:
    """Armature whose parts a property group refers to: of its actor link, of its owner, or of the owner's parent."""
    actor = getattr(group, "actor", None)
    if isinstance(actor, bpy.types.Object):
        return actor.data if actor.type == "ARMATURE" else None
    owner = group.id_data
    if isinstance(owner, bpy.types.Armature):
        return owner
    if isinstance(owner, bpy.types.Object):
        owner = owner if owner.type == "ARMATURE" else owner.parent
        return owner.data if owner is not None and owner.type == "ARMATURE" else None
    return None


def bodies(group: Any) -> list[Target]:
    """(uid, name) of the bodies a group can refer to."""
    armature = armature_of(group)
    return [(b.mannequin.uid, b.name) for b in armature.bones if b.mannequin.is_body] if armature else []


def joints(group: Any) -> list[Target]:
    """(uid of the child body, joint name) of the joints a group can refer to."""
    armature = armature_of(group)
    bones = armature.bones if armature else ()
    return [(b.mannequin.uid, b.mannequin.joint.name) for b in bones if b.mannequin.is_body]


def materials(group: Any) -> list[Target]:
    """(uid, name) of the contact materials a group can refer to."""
    armature = armature_of(group)
    return [(m.uid, m.name) for m in armature.mannequin.materials] if armature else []


def reference(attribute: str, label: str, description: str, targets: Targets) -> dict[str, Any]:
    """Annotations of a reference named `attribute`: the shown name and the hidden uid and text behind it."""

    def read(self: Any) -> str:
        uid = getattr(self, f"{attribute}_uid")
        return next(
            (name for number, name in targets(self) if number == uid), getattr(self, f"{attribute}_text")
        )

    def write(self: Any, name: str) -> None:
        uid = next((number for number, found in targets(self) if found == name), 0)
        setattr(self, f"{attribute}_uid", uid)
        setattr(self, f"{attribute}_text", name)

    def search(self: Any, context: bpy.types.Context, edit_text: str) -> list[str]:
        return [name for _, name in targets(self) if edit_text.lower() in name.lower()]

    return {
        attribute: bpy.props.StringProperty(
            name=label, description=description, get=read, set=write, search=search
        ),
        f"{attribute}_uid": bpy.props.IntProperty(
            name=f"{label} Number", description="Identity number of what is referred to", options={"HIDDEN"}
        ),
        f"{attribute}_text": bpy.props.StringProperty(
            name=f"{label} Text", description="Name as it was given", options={"HIDDEN"}
        ),
    }


def new_uid(armature: bpy.types.Armature) -> int:
    """A number that no body and no material of the armature has."""
    used = [bone.mannequin.uid for bone in armature.bones]
    used += [material.uid for material in armature.mannequin.materials]
    return max(used, default=0) + 1
