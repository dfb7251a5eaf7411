"""Panels of evidence: what was found, hypotheses with their unknowns, and what came out."""

from typing import Any

import bpy

from ..scene.base.text_layout import draw_text
from ..scene.evidence.traces import is_drawn
from .base import ClosedPanel, RowList, draw_buttons, draw_list, use_columns
from .sweeps import draw_input

FIELDS = {
    "rest_position": ("object", "body", "use_height", "tolerance"),
    "rest_orientation": ("object", "body", "tolerance"),
    "contact_mark": ("object", "body", "on", "tolerance"),
    "damage": ("object", "body", "on", "tolerance"),
    "throw_distance": ("body", "value", "tolerance"),
    "video_points": ("object", "body", "time", "use_point", "tolerance"),
    "measure": ("measure", "value", "tolerance"),
}
"""Kind of evidence to the properties that count."""


def draw_target(layout: bpy.types.UILayout, item: Any) -> None:
    """The properties that count for the kind of evidence."""
    column = use_columns(layout)
    column.prop(item, "kind")
    for name in FIELDS[item.kind]:
        column.prop(item, name)
    if item.kind == "video_points" and item.use_point:
        column.prop(item, "point")
    column.prop(item, "source")


class MANNEQUIN_UL_evidence(RowList, bpy.types.UIList):
    """What was found."""

    def draw_row(self, layout: bpy.types.UILayout, item: Any, index: int) -> None:
        """Whether it is used, its name, what it is."""
        row = layout.row(align=True)
        row.prop(item, "use", text="")
        row.prop(item, "name", text="", emboss=False)
        row.label(text=item.bl_rna.properties["kind"].enum_items[item.kind].name)


class MANNEQUIN_UL_agreeing_runs(RowList, bpy.types.UIList):
    """Runs that agree with the evidence."""

    def draw_row(self, layout: bpy.types.UILayout, item: Any, index: int) -> None:
        """Number, hypothesis, inputs."""
        row = layout.split(factor=0.35)
        row.label(text=f"Run {item.run} {item.hypothesis}")
        row.label(text=item.inputs)


class MANNEQUIN_PT_evidence(ClosedPanel, bpy.types.Panel):
    """Evidence, hypotheses, and what is asked of them."""

    bl_parent_id = "MANNEQUIN_PT_simulate"

    def draw(self, context: bpy.types.Context) -> None:
        """What was found, what may have happened, the questions."""
        layout, group = self.layout, context.scene.mannequin.evidence
        item = draw_list(layout, group, "targets", "evidence", "MANNEQUIN_UL_evidence")
        layout.operator_menu_enum("mannequin.add_evidence", "way", text="Add Evidence", icon="ADD")
        if item is not None:
            draw_target(layout, item)
        layout.label(text="Hypotheses")
        hypothesis = draw_list(layout, group, "hypotheses", "hypotheses")
        if hypothesis is not None:
            layout.label(text=f"Unknowns of {hypothesis.name}")
            unknown = draw_list(
                layout, hypothesis, "inputs", "hypothesis_inputs", "MANNEQUIN_UL_sweep_inputs"
            )
            if unknown is not None:
                draw_input(layout, unknown)
        column = use_columns(layout)
        for name in ("runs", "samples", "compared", "seed"):
            column.prop(group, name)
        draw_buttons(layout, fit="Fit", compare_hypotheses="Compare Hypotheses")
        draw_buttons(layout, import_evidence="Import", export_evidence="Export", open_evidence="Open Result")


class MANNEQUIN_PT_evidence_results(ClosedPanel, bpy.types.Panel):
    """What a fit or a comparison of hypotheses found."""

    bl_parent_id = "MANNEQUIN_PT_results"
    needs = staticmethod(lambda context: context.scene.mannequin.evidence.folder)

    def draw(self, context: bpy.types.Context) -> None:
        """What came out in words, the agreeing runs."""
        layout, group = self.layout, context.scene.mannequin.evidence
        for line in group.summary.splitlines():
            draw_text(layout, line)
        shown = is_drawn(context.scene)
        icon = "CHECKBOX_HLT" if shown else "CHECKBOX_DEHLT"
        layout.operator("mannequin.toggle_agreeing", icon=icon, depress=shown)
        layout.template_list("MANNEQUIN_UL_agreeing_runs", "", group, "found", group, "found_index")
        layout.operator("mannequin.bake_agreeing_run", icon="ACTION")
