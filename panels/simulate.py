"""Panels of simulating and baking."""

import bpy

from ..scene.base.activity import BACKGROUND
from ..scene.base.paths import draw_path
from ..scene.base.text_layout import draw_text
from ..scene.motion.bake import playing_action
from ..scene.motion.edited import seems_edited
from ..scene.store.actors import actors_of
from .base import ORDER, ClosedPanel, MannequinPanel, use_columns


class MANNEQUIN_PT_simulate(MannequinPanel, bpy.types.Panel):
    """Simulate, with progress."""

    bl_order = ORDER["simulate"]

    def draw(self, context: bpy.types.Context) -> None:
        """The button, or the progress of the simulation."""
        layout, runs = self.layout, context.scene.mannequin.runs
        if runs.activity:
            draw_text(layout, runs.activity)
            layout.progress(factor=runs.progress, text=f"{100.0 * runs.progress:.0f} %")
            layout.label(text="Esc cancels")
            return
        if BACKGROUND.text:
            layout.progress(factor=BACKGROUND.share, text=BACKGROUND.text)
        layout.operator("mannequin.simulate", icon="PLAY")
        row = layout.row(align=True)
        row.operator("mannequin.validate")
        row.operator("mannequin.open_run", icon="FILE_FOLDER")
        column = use_columns(layout)
        settings = context.scene.mannequin.settings
        for name in ("duration", "time_step", "output_step"):
            column.prop(settings, name)
        column.prop(runs, "follow")
        draw_path(column, runs, "folder")


class MANNEQUIN_PT_bake(ClosedPanel, bpy.types.Panel):
    """How the motion is written as keyframes."""

    bl_parent_id = "MANNEQUIN_PT_simulate"

    def draw(self, context: bpy.types.Context) -> None:
        """Slow motion, samples, and what plays."""
        bake = context.scene.mannequin.bake
        column = use_columns(self.layout)
        for name in ("every_sample", "series", "fit_timeline", "slowness", "use_slow_range"):
            column.prop(bake, name)
        if bake.use_slow_range:
            for name in ("slow_start", "slow_end", "slow_factor", "more_slow"):
                column.prop(bake, name)
        self.layout.operator("mannequin.bake", icon="ACTION")
        for actor in actors_of(context.scene):
            action = playing_action(actor)
            if action is not None:
                draw_text(self.layout, action.name, icon="ACTION")
                if seems_edited(actor, context.scene):
                    draw_text(self.layout, "Edited by hand: no longer as simulated", icon="ERROR")
