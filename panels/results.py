"""Panels of results: measures, contacts by time, plots, traces in the scene, export."""

from typing import Any

import bpy

from ..scene.base.text_layout import draw_text
from ..scene.base.user_units import text_shown
from ..scene.show.result_plots import OF_RUN, PLOTS, active_body
from ..scene.show.result_tables import first_touch, value_text
from ..scene.show.traces import has_trace
from .base import ORDER, ClosedPanel, MannequinPanel, RowList, use_columns


class MANNEQUIN_UL_measures(RowList, bpy.types.UIList):
    """Measures with their values."""

    def draw_row(self, layout: bpy.types.UILayout, item: Any, index: int) -> None:
        """Name in full; below it the body and the value."""
        column = layout.column(align=True)
        column.label(text=item.name)
        row = column.split(factor=0.55)
        row.label(text=item.subject.rpartition(" / ")[2])
        value = row.row()
        value.alignment = "RIGHT"
        value.alert = bool(item.flags)
        value.label(text=value_text(item, bpy.context.scene))


class MANNEQUIN_UL_contacts(RowList, bpy.types.UIList):
    """Contacts by time."""

    def draw_row(self, layout: bpy.types.UILayout, item: Any, index: int) -> None:
        """What struck what in full; below it the time as a button, and the peak force."""
        column = layout.column(align=True)
        column.label(text=item.name)
        row = column.split(factor=0.4, align=True)
        jump = row.operator("mannequin.jump_to_contact", text=f"{1000.0 * item.peak_time:.0f} ms")
        jump.index = index
        value = row.row()
        value.alignment = "RIGHT"
        value.label(text=text_shown(item.peak_force, "N", bpy.context.scene))


class MANNEQUIN_PT_results(MannequinPanel, bpy.types.Panel):
    """Results of the last run."""

    bl_order = ORDER["results"]

    def draw(self, context: bpy.types.Context) -> None:
        """Which run, how it ended, export."""
        layout, results = self.layout, context.scene.mannequin.results
        if not results.run:
            layout.label(text="No run yet: press Simulate")
            return
        draw_text(layout, results.run)
        if results.status != "completed":
            draw_text(layout, results.status, icon="ERROR")
        row = layout.row(align=True)
        row.operator("mannequin.make_report", icon="TEXT")
        self.layout.operator("mannequin.note_in_case", icon="GREASEPENCIL")
        row.operator("mannequin.make_viewer", icon="URL")
        row = layout.row(align=True)
        row.operator("mannequin.export_tables", icon="SPREADSHEET")
        row.operator("mannequin.export_run", icon="EXPORT")


class ResultsPanel(MannequinPanel):
    """Mixin of the parts of the results, which show once there is a run."""

    bl_parent_id = "MANNEQUIN_PT_results"
    needs = staticmethod(lambda context: context.scene.mannequin.results.run)


class MANNEQUIN_PT_measures(ResultsPanel, bpy.types.Panel):
    """Measures, and how the active one is defined."""

    def draw(self, context: bpy.types.Context) -> None:
        """List, and the active measure in full."""
        layout, results = self.layout, context.scene.mannequin.results
        layout.operator("mannequin.show_table", text="Wide Table", icon="SPREADSHEET").what = "MEASURES"
        layout.template_list("MANNEQUIN_UL_measures", "", results, "measures", results, "measures_index")
        if 0 <= results.measures_index < len(results.measures):
            active = results.measures[results.measures_index]
            draw_text(layout, f"{active.subject}: {value_text(active, context.scene)}")
            layout.operator("mannequin.explain_measure", icon="QUESTION").index = results.measures_index
            if active.flags:
                draw_text(layout, active.flags, icon="ERROR")
            draw_text(layout, active.definition)


class MANNEQUIN_PT_contacts(ResultsPanel, bpy.types.Panel):
    """Impacts by time; the button with the time goes there."""

    bl_label = "Impacts"

    def draw(self, context: bpy.types.Context) -> None:
        """List, and the active contact in full."""
        layout, results = self.layout, context.scene.mannequin.results
        layout.operator("mannequin.show_table", text="Wide Table", icon="SPREADSHEET").what = "IMPACTS"
        touch = first_touch(context.scene)
        if touch is not None:
            first = results.contacts[touch]
            draw_text(layout, f"First touch of two actors: {first.name}")
            jump = layout.operator("mannequin.jump_to_contact", text=f"At {1000.0 * first.time:.1f} ms")
            jump.index = touch
        layout.template_list("MANNEQUIN_UL_contacts", "", results, "contacts", results, "contacts_index")
        if 0 <= results.contacts_index < len(results.contacts):
            active = results.contacts[results.contacts_index]
            draw_text(layout, active.surfaces)
            layout.label(text=f"Touch {1000.0 * active.time:.1f} ms, peak {1000.0 * active.peak_time:.1f} ms")


class MANNEQUIN_PT_plots(ResultsPanel, ClosedPanel, bpy.types.Panel):
    """Plots over time."""

    def draw(self, context: bpy.types.Context) -> None:
        """Of the run, then of a body."""
        layout = self.layout
        row = layout.row(align=True)
        for kind in OF_RUN:
            row.operator("mannequin.show_plot", text=PLOTS[kind]).plot = kind
        layout.label(text=active_body(context) or "Of the head, or select a bone")
        grid = layout.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
        for kind in PLOTS:
            if kind not in OF_RUN:
                grid.operator("mannequin.show_plot", text=PLOTS[kind]).plot = kind


class MANNEQUIN_PT_traces(ResultsPanel, ClosedPanel, bpy.types.Panel):
    """Forces, paths, ghosts and contact marks of the run as objects."""

    bl_label = "Show in Scene"

    def draw(self, context: bpy.types.Context) -> None:
        """A switch for each kind, and what it shows."""
        traces = context.scene.mannequin.traces
        column = use_columns(self.layout)
        kinds = {
            "forces": ("Forces", ("arrow_length",)),
            "paths": ("Paths", ("path_bodies",)),
            "ghosts": (
                "Ghosts",
                (
                    *(() if traces.ghost_bodies else ("ghost_actors",)),
                    "ghost_bodies",
                    *(() if traces.ghost_times else ("ghost_count",)),
                    "ghost_times",
                ),
            ),
            "marks": ("Contact Marks", ("mark_force",)),
        }
        for kind, (label, names) in kinds.items():
            shown = has_trace(context.scene, context.scene.mannequin.results.run, kind)
            icon = "CHECKBOX_HLT" if shown else "CHECKBOX_DEHLT"
            button = column.operator("mannequin.toggle_trace", text=label, icon=icon, depress=shown)
            button.kind = kind
            for name in names:
                column.prop(traces, name)
