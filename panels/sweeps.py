"""Panels of what-if and of sweeps."""

from typing import Any

import bpy

from ..scene.base.text_layout import draw_text
from ..scene.run import what_if
from ..scene.run.sweep_charts import CHARTS
from ..scene.run.sweep_traces import KINDS, has_sweep_trace
from .base import ClosedPanel, RowList, draw_list, use_columns

SLOW_TO_DRAW = 0.2
"""s: where the viewport takes longer than this, its anti-aliasing is offered, which draws each change eight times."""


class MANNEQUIN_PT_what_if(ClosedPanel, bpy.types.Panel):
    """Predicted results, updated after each change."""

    bl_label = "What-If"
    bl_parent_id = "MANNEQUIN_PT_simulate"

    def draw(self, context: bpy.types.Context) -> None:
        """The switch, and the key measures."""
        layout, session = self.layout, what_if.current()
        layout.operator("mannequin.what_if", icon="PLAY", depress=session is not None)
        if session is None:
            return
        if session.prediction.problem:
            draw_text(layout, session.prediction.problem, icon="ERROR")
        for label, text in session.prediction.lines:
            draw_text(layout, f"{label}: {text}")
        if session.prediction.preview is not None:
            draw_figure_choice(layout, context.scene, session.prediction.preview)
        if session.prediction.lines:
            draw_times(layout, context, session)
            step = f"time step {1e3 * session.prediction.step:.3g} ms"
            draw_text(layout, f"Preview, {step}{': refining' * session.prediction.is_coarse}; not recorded")
        use_columns(layout).prop(context.scene.mannequin.traces, "path_bodies")


def draw_figure_choice(layout: bpy.types.UILayout, scene: bpy.types.Scene, preview: Any) -> None:
    """Whether the figure is shown, and the slider of the moment, with its simulated time."""
    runs = scene.mannequin.runs
    row = layout.row(align=True)
    row.prop(runs, "what_if_figure", toggle=True, icon="OUTLINER_OB_ARMATURE")
    row.label(text=f"at {what_if.shown_time(scene, preview):.2f} of {preview.duration:.2f} s")
    row = layout.row()
    row.active = runs.what_if_figure
    row.prop(runs, "what_if_moment", slider=True)


def draw_times(layout: bpy.types.UILayout, context: bpy.types.Context, session: Any) -> None:
    """How long after the change the first answer was there and its picture; where drawing is slow, what makes it
    faster."""
    if session.first is not None:
        layout.label(text=f"First answer {session.first.seconds:.2f} s after the change")
        if session.first.seconds_drawn is not None:
            layout.label(text=f"Drawn {session.first.seconds_drawn:.2f} s after the change")
    if session.draw_seconds > SLOW_TO_DRAW:
        use_columns(layout).prop(context.preferences.system, "viewport_aa", text="Drawing is slow")


def draw_input(layout: bpy.types.UILayout, item: Any) -> None:
    """An input that is varied, with its spread."""
    column = use_columns(layout)
    for name in ("address", "name", "mode", "spread", "low", "high"):
        column.prop(item, name)
    if item.spread != "uniform":
        column.prop(item, "middle")
    if item.spread == "truncated_normal":
        column.prop(item, "deviation")
    column.prop(item, "source")


class MANNEQUIN_UL_sweep_inputs(RowList, bpy.types.UIList):
    """Inputs that are varied."""

    def draw_row(self, layout: bpy.types.UILayout, item: Any, index: int) -> None:
        """What, from where to where."""
        row = layout.split(factor=0.6)
        row.label(text=item.name or item.address or "Choose an input below")
        row.label(text=f"{item.low:.4g} to {item.high:.4g}")


class MANNEQUIN_UL_sweep_runs(RowList, bpy.types.UIList):
    """Runs of a sweep by the chosen measure."""

    def draw_row(self, layout: bpy.types.UILayout, item: Any, index: int) -> None:
        """Number, value, inputs."""
        row = layout.split(factor=0.25)
        row.label(text=f"Run {item.run}")
        rest = row.split(factor=0.3)
        rest.label(text=item.value)
        rest.label(text=item.inputs)


class MANNEQUIN_PT_sweep(ClosedPanel, bpy.types.Panel):
    """Inputs with their ranges, and the button to run them."""

    bl_parent_id = "MANNEQUIN_PT_simulate"

    def draw(self, context: bpy.types.Context) -> None:
        """Inputs, design, run."""
        layout, group = self.layout, context.scene.mannequin.sweep
        item = draw_list(layout, group, "inputs", "sweep_inputs", "MANNEQUIN_UL_sweep_inputs")
        if item is not None:
            draw_input(layout, item)
        column = use_columns(layout)
        for name in ("design", "runs", "seed"):
            column.prop(group, name)
        row = layout.row(align=True)
        row.operator("mannequin.run_sweep", icon="PLAY")
        row.operator("mannequin.open_sweep", text="Open", icon="FILE_FOLDER")


class MANNEQUIN_PT_sweep_results(ClosedPanel, bpy.types.Panel):
    """Results of a sweep."""

    bl_parent_id = "MANNEQUIN_PT_results"
    needs = staticmethod(lambda context: context.scene.mannequin.sweep.folder)

    def draw(self, context: bpy.types.Context) -> None:
        """Main figures, what is shown, the runs."""
        layout, group = self.layout, context.scene.mannequin.sweep
        for line in group.summary.splitlines():
            draw_text(layout, line)
        column = use_columns(layout)
        column.prop(group, "measure")
        column.prop(group, "share")
        column.prop(group, "ghosts")
        row = layout.row(align=True)
        for kind, (label, _, _) in CHARTS.items():
            row.operator("mannequin.show_sweep_chart", text=label).chart = kind
        for kind, (label, _, _) in KINDS.items():
            shown = has_sweep_trace(context.scene, kind)
            icon = "CHECKBOX_HLT" if shown else "CHECKBOX_DEHLT"
            button = column.operator("mannequin.toggle_sweep_trace", text=label, icon=icon, depress=shown)
            button.kind = kind
        layout.template_list("MANNEQUIN_UL_sweep_runs", "", group, "found", group, "found_index")
        layout.operator("mannequin.bake_sweep_run", icon="ACTION")
