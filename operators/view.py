"""Operators on what the viewport shows."""

import bpy
from bpy.props import EnumProperty

from ..scene.base.preferences import preferences
from ..scene.show.colors import color_ellipsoids
from ..scene.store.settings import COLORED_BY
from .base import MannequinOperator, NeedsScenario


class MANNEQUIN_OT_color_ellipsoids(NeedsScenario, bpy.types.Operator):
    """Colour ellipsoids by actor or by contact material, and show object colours in the viewport.

    bpy.ops.mannequin.color_ellipsoids(by="MATERIAL")
    """

    bl_label = "Colour Ellipsoids"

    by: EnumProperty(
        description="What the colour shows",
        items=COLORED_BY,
    )

    def run(self, context: bpy.types.Context) -> str:
        count = color_ellipsoids(context.scene, self.by)
        if context.space_data is not None and context.space_data.type == "VIEW_3D":
            context.space_data.shading.color_type = "OBJECT"
        return f"Coloured {count} ellipsoids"


class MANNEQUIN_OT_close_checklist(MannequinOperator, bpy.types.Operator):
    """Close the check-list for good; the preferences of Mannequin open it again.

    bpy.ops.mannequin.close_checklist()
    """

    bl_label = "Close Check-List for Good"
    needs = (
        (
            lambda context: preferences() is not None,
            "Mannequin is no extension of this Blender: it has no page",
        ),
    )

    def run(self, context: bpy.types.Context) -> None:
        preferences().show_checklist = False
