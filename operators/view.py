"""Operators on what the viewport shows."""

import bpy
from bpy.props import EnumProperty

from ..scene.colors import color_ellipsoids
from .base import NeedsScenario


class MANNEQUIN_OT_color_ellipsoids(NeedsScenario, bpy.types.Operator):
    """Colour ellipsoids by actor or by contact material.

    bpy.ops.mannequin.color_ellipsoids(by="MATERIAL")"""

    bl_idname = "mannequin.color_ellipsoids"
    bl_label = "Colour Ellipsoids"
    bl_description = (
        "Colour ellipsoids by actor or by contact material, and show object colours in the viewport"
    )

    by: EnumProperty(
        name="By",
        description="What the colour tells",
        items=[
            ("ACTOR", "Actor", "One colour per actor"),
            ("MATERIAL", "Material", "One colour per contact material"),
        ],
    )

    def run(self, context: bpy.types.Context) -> str:
        """Colour."""
        count = color_ellipsoids(context.scene, self.by)
        if context.space_data is not None and context.space_data.type == "VIEW_3D":
            context.space_data.shading.color_type = "OBJECT"
        return f"Coloured {count} ellipsoids"


CLASSES = (MANNEQUIN_OT_color_ellipsoids,)
