"""Skins that an actor wears: finding and removing them. They are made in `show`."""

import bpy

from ...models.people.load import LOAD
from .objects import remove_object
from .own_rigs import character_meshes, character_rigs_of, release

SKIN = "mannequin_skin"
SKIN_RIG = "mannequin_skin_rig"
"""On the armature of a person's picture, which the actor's bones carry."""
ORIGINAL = "mannequin_original"
"""On a skin that is a copy of the user's own character: that character."""


def skins_of(actor: bpy.types.Object) -> list[bpy.types.Object]:
    """Surfaces of an actor: those made for it, and those of the user's own character that follows it."""
    own = [mesh for rig in character_rigs_of(actor) for mesh in character_meshes(rig)]
    return [*made_skins_of(actor), *own]


def made_skins_of(actor: bpy.types.Object) -> list[bpy.types.Object]:
    """Surfaces that were made for an actor, copies of the user's character included."""
    return [child for child in actor.children if child.get(SKIN)]


def skin_rigs_of(actor: bpy.types.Object) -> list[bpy.types.Object]:
    """Armatures between an actor and its surfaces."""
    return [child for child in actor.children if child.get(SKIN_RIG)]


def remove_skin(actor: bpy.types.Object) -> None:
    """Remove an actor's surface, or put the user's own character back as it was, and show the ellipsoids in renders
    again."""
    for rig in character_rigs_of(actor):
        release(rig)
    for obj in made_skins_of(actor):
        original = obj.get(ORIGINAL)
        if original is not None:  # a character whose copy was bound
            original.hide_render = False
            original.hide_set(False)
        remove_object(obj)
    for rig in skin_rigs_of(actor):
        remove_object(rig)
    render_parts(actor, True)


def render_parts(actor: bpy.types.Object, is_rendered: bool) -> None:
    """Let renders show what a skin covers, or not: ellipsoids, muscles and the surfaces they wrap around. What is
    carried is outside the skin."""
    for child in actor.children:
        if child.mannequin.kind in ("ELLIPSOID", "MUSCLE", "WRAP"):
            child.hide_render = not (is_rendered or child.parent_bone.startswith(LOAD))
