"""Panel of the film."""

import bpy

from ..scene.film import background
from ..scene.rig.own_rigs import character_rigs_of
from ..scene.store.actors import active_actor
from .base import ORDER, MannequinPanel, draw_properties, use_columns


class MANNEQUIN_PT_render(MannequinPanel, bpy.types.Panel):
    """Set-up, quality, output."""

    bl_label = "Render"
    bl_order = ORDER["render"]

    def draw(self, context: bpy.types.Context) -> None:
        """In the order of work."""
        layout, film = self.layout, context.scene.mannequin.film
        row = layout.row(align=True)
        row.operator("mannequin.make_skin", icon="OUTLINER_OB_MESH")
        row.operator("mannequin.bind_character", icon="ARMATURE_DATA")
        row.operator("mannequin.remove_skin", text="", icon="X")
        actor = active_actor(context)
        if actor is not None and character_rigs_of(actor):
            layout.operator("mannequin.bake_character", icon="KEYFRAME")
        layout.operator("mannequin.setup_render", icon="SCENE")
        layout.operator("mannequin.side_by_side", icon="ARROW_LEFTRIGHT")
        column = use_columns(layout)
        draw_properties(column, film, ("stage",))
        look = column.column()
        look.active = film.stage not in ("grid", "studio")
        look.prop(film, "ground")
        for name in ("case", "subject", "camera", "replay", "preset", "format", "width", "height", "output"):
            column.prop(film, name)
        column.prop(film, "overlay")
        shown = column.column()
        shown.active = film.overlay
        draw_properties(shown, film, ("readout", "second_readout"))
        draw_render(layout)


def draw_render(layout: bpy.types.UILayout) -> None:
    """The button, or the progress of the render."""
    job = background.current()
    if job is None:
        layout.operator("mannequin.render_film", icon="RENDER_ANIMATION")
        if background.last_words():
            layout.label(text=background.last_words(), icon="INFO")
        return
    layout.progress(factor=job.share, text=job.text)
    layout.operator("mannequin.cancel_render", icon="CANCEL")
