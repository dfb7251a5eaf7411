"""Panel of the film."""

from typing import Any

import bpy

from ..scene.base.paths import draw_path
from ..scene.base.text_layout import draw_text
from ..scene.film import background
from ..scene.film.side_by_side import is_side_by_side
from ..scene.rig.own_rigs import character_rigs_of
from ..scene.store.actors import active_actor
from .base import ORDER, ClosedPanel, MannequinPanel, RowList, draw_list, draw_properties, use_columns


class MANNEQUIN_PT_render(MannequinPanel, bpy.types.Panel):
    """Set-up, quality, output."""

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
        if is_side_by_side(context.scene):
            draw_properties(column, film, ("compare", "wipe") if film.compare == "wipe" else ("compare",))
        column.prop(film, "stage")
        look = column.column()
        look.active = film.stage not in ("grid", "studio")
        look.prop(film, "ground")
        for name in ("case", "subject", "camera", "replay", "preset", "format", "width", "height"):
            column.prop(film, name)
        draw_path(column, film, "output")
        draw_properties(column, film, ("inset", "rate", "motion_blur", "transparent", "sheet", "keep_frames"))
        column.prop(film, "overlay")
        shown = column.column()
        shown.active = film.overlay
        draw_properties(shown, film, ("readout", "second_readout", "plot", "labels"))
        draw_render(layout, film)


class MANNEQUIN_UL_shots(RowList, bpy.types.UIList):
    """Shots: view, and which part of the motion."""

    def draw_row(self, layout: bpy.types.UILayout, item: Any, index: int) -> None:
        """View, range and how slow it is."""
        row = layout.row(align=True)
        row.label(text=item.bl_rna.properties["kind"].enum_items[item.kind].name, icon="CAMERA_DATA")
        end = f"{item.end:.4g}" if item.end else "end"
        slow = f", 1/{item.slowness:.3g}" if item.slowness != 1.0 else ""
        row.label(text=f"{item.start:.4g} to {end} s{slow}")


class MANNEQUIN_PT_shots(ClosedPanel, bpy.types.Panel):
    """List of the film's shots."""

    bl_parent_id = "MANNEQUIN_PT_render"

    def draw_header(self, context: bpy.types.Context) -> None:
        """Switch that makes the film of the list."""
        self.layout.prop(context.scene.mannequin.film, "use_shots", text="")

    def draw(self, context: bpy.types.Context) -> None:
        """The list, and the active shot."""
        layout, film = self.layout, context.scene.mannequin.film
        layout.operator("mannequin.propose_shots", icon="SEQUENCE")
        shot = draw_list(layout, film, "shots", "film_shots", "MANNEQUIN_UL_shots")
        if shot is None:
            return
        names = ["kind"]
        names += {"camera": ["camera"], "contact": ["subject", "contact"]}.get(shot.kind, ["subject"])
        names += ["start", "end", "slowness", "ease", "hold"]
        if shot.kind != "camera":
            names += ["orbit", "lens", "f_stop"]
        draw_properties(use_columns(layout), shot, (*names, "title"))


def draw_render(layout: bpy.types.UILayout, film: bpy.types.PropertyGroup) -> None:
    """The button, or the progress of the render."""
    job = background.current()
    if job is None:
        row = layout.row(align=True)
        row.operator("mannequin.render_film", icon="RENDER_ANIMATION")
        row.operator("mannequin.estimate_film", text="", icon="TIME")
        if film.estimate:
            draw_text(layout, film.estimate, icon="TIME")
        if background.last_words():
            draw_text(layout, background.last_words(), icon="INFO")
        return
    layout.progress(factor=job.share, text=job.text)
    layout.operator("mannequin.cancel_render", icon="CANCEL")
