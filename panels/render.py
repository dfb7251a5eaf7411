"""Panel of the film."""

import bpy

from .base import ORDER, MannequinPanel, use_columns


class MANNEQUIN_PT_render(MannequinPanel, bpy.types.Panel):
    """Set-up, quality, output."""

    bl_label = "Render"
    bl_order = ORDER["render"]

    def draw(self, context: bpy.types.Context) -> None:
        """In the order of work."""
        layout, film = self.layout, context.scene.mannequin.film
        row = layout.row(align=True)
        row.operator("mannequin.make_skin", icon="OUTLINER_OB_MESH")
        row.operator("mannequin.remove_skin", text="", icon="X")
        layout.operator("mannequin.set_up_film", icon="SCENE")
        column = use_columns(layout)
        for name in ("case", "camera", "preset", "format", "width", "height", "overlay", "output"):
            column.prop(film, name)
        layout.operator("mannequin.render_film", icon="RENDER_ANIMATION")


CLASSES = (MANNEQUIN_PT_render,)
