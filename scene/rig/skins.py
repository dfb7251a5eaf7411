"""Skins that an actor wears: finding and removing them. They are made in `show`."""

import bpy

SKIN = "mannequin_skin"
ORIGINAL = "mannequin_original"
"""On a skin that is a copy of the user's own character: that character."""


def skins_of(actor: bpy.types.Object) -> list[bpy.types.Object]:
    """Surfaces of an actor."""
    return [child for child in actor.children if child.get(SKIN)]


def remove_skin(actor: bpy.types.Object) -> None:
    """Remove an actor's surface and show its ellipsoids in renders again."""
    for obj in skins_of(actor):
        mesh = obj.data
        original = obj.get(ORIGINAL)
        if original is not None:  # a character whose copy was bound
            original.hide_render = False
            original.hide_set(False)
        bpy.data.objects.remove(obj)
        if mesh.users == 0:
            bpy.data.meshes.remove(mesh)
    render_parts(actor, True)


def render_parts(actor: bpy.types.Object, is_rendered: bool) -> None:
    """Let renders show what a skin covers, or not: ellipsoids, muscles and the surfaces they wrap around."""
    for child in actor.children:
        if child.mannequin.kind in ("ELLIPSOID", "MUSCLE", "WRAP"):
            child.hide_render = not is_rendered
