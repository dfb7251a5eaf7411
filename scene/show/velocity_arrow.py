"""The velocity arrow of an actor: where its tip is, and what velocity a dragged tip means."""

import bpy
from mathutils import Vector

from ..base.units import units_of
from ..store.actors import body_bones
from .overlay_geometry import SECONDS_OF_ARROW, body_matrix

PROPERTIES = {"LINEAR": "velocity", "ANGULAR": "angular_velocity"}


def arrow_origin(actor: bpy.types.Object, scene: bpy.types.Scene) -> Vector:
    """Origin of the root body in the world, in Blender units."""
    roots = [bone for bone in body_bones(actor.data) if bone.parent is None]
    if not roots:
        return actor.matrix_world.translation.copy()
    return body_matrix(actor, roots[0], units_of(scene)).translation.copy()


def arrow_tip(actor: bpy.types.Object, scene: bpy.types.Scene, kind: str) -> Vector:
    """Tip of an actor's arrow in the world, in Blender units."""
    value = Vector(getattr(actor.mannequin.actor, PROPERTIES[kind]))
    return arrow_origin(actor, scene) + value * SECONDS_OF_ARROW / units_of(scene).metres


def set_arrow_tip(actor: bpy.types.Object, scene: bpy.types.Scene, kind: str, tip: Vector) -> None:
    """Give an actor the velocity whose arrow ends at a point of the world."""
    value = (tip - arrow_origin(actor, scene)) * units_of(scene).metres / SECONDS_OF_ARROW
    setattr(actor.mannequin.actor, PROPERTIES[kind], [round(x, 4) for x in value])
