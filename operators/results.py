"""Operators on results: jump to a contact, plots, traces in the scene, report, export."""

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty

from ..scene.base.text_layout import draw_text
from ..scene.run.case_log import note_in_case
from ..scene.run.report import ReportRun
from ..scene.show import result_tables, results, traces, viewer_page
from ..scene.show.result_plots import PLOTS, active_body, plot_image, show_image
from .base import Asks, AsksForFolder, MannequinOperator
from .beside import Beside

WIDE = 80
"""Characters that fit a line of a window of 520 pixels."""


class NeedsRun(MannequinOperator):
    """Mixin: disabled unless there is a run."""

    needs = ((lambda context: context.scene.mannequin.results.folder, "Simulate first; there is no run"),)


class CopiesToFolder(AsksForFolder, NeedsRun):
    """Mixin: copies something of the run to a folder."""

    directory: StringProperty(name="Folder", description="Where the copy goes", subtype="DIR_PATH")


class MANNEQUIN_OT_jump_to_contact(NeedsRun, bpy.types.Operator):
    """Go to the frame of the contact's largest force.

    bpy.ops.mannequin.jump_to_contact(index=0)
    """

    index: IntProperty(name="Contact", description="Place in the list; -1: the active one", default=-1)

    def run(self, context: bpy.types.Context) -> str:
        shown = context.scene.mannequin.results
        index = self.index if self.index >= 0 else shown.contacts_index
        time = results.jump_to_contact(context.scene, index)
        return f"{shown.contacts[index].name} at {1000.0 * time:.1f} ms"


class MANNEQUIN_OT_show_table(NeedsRun, bpy.types.Operator):
    """Show all measures or impacts of the run in a window as wide as they need, sorted and filtered.

    bpy.ops.mannequin.show_table(what="MEASURES", sort="VALUE", words="head")
    """

    bl_options = {"REGISTER"}
    what: EnumProperty(
        name="Table",
        description="What is listed",
        items=[
            ("MEASURES", "Measures", "Measures with their values"),
            ("IMPACTS", "Impacts", "What struck what, when and how hard"),
        ],
    )
    sort: EnumProperty(
        description="Order of the lines",
        items=[(key, label, about) for key, (label, about) in result_tables.SORTS.items()],
    )
    words: StringProperty(name="Filter", description="Words that a line must have, in any order")
    page: IntProperty(description="Page of the table", default=1, min=1)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Open the window."""
        return context.window_manager.invoke_popup(self, width=1000)

    def lines(self, scene: bpy.types.Scene) -> list[int]:
        """Places in the list of what is shown."""
        order = result_tables.measure_order if self.what == "MEASURES" else result_tables.impact_order
        return order(scene, self.sort, self.words)

    def draw(self, context: bpy.types.Context) -> None:
        """What is shown, and a page of it."""
        lines = self.lines(context.scene)
        row = self.layout.row()
        for name in ("what", "sort", "words", "page"):
            row.prop(self, name, text="Filter" if name == "words" else None)
        first = result_tables.ROWS * (self.page - 1)
        shown = lines[first : first + result_tables.ROWS]
        draw = result_tables.draw_measures if self.what == "MEASURES" else result_tables.draw_impacts
        draw(self.layout, context.scene, shown)
        self.layout.label(text=f"Lines {first + 1} to {first + len(shown)} of {len(lines)}")

    def run(self, context: bpy.types.Context) -> str:
        return f"{len(self.lines(context.scene))} lines"


class MANNEQUIN_OT_explain_measure(NeedsRun, bpy.types.Operator):
    """Explain a measure: how it is defined, what it may be used for, and what is to be read with the value.

    bpy.ops.mannequin.explain_measure(index=0)
    """

    bl_options = {"REGISTER"}
    index: IntProperty(name="Measure", description="Place in the list; -1: the active one", default=-1)

    def row(self, scene: bpy.types.Scene) -> bpy.types.PropertyGroup:
        """The measure that is meant."""
        return results.measure_row(scene, self.index)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Open the window."""
        return context.window_manager.invoke_popup(self, width=520)

    def draw(self, context: bpy.types.Context) -> None:
        """The words of the report."""
        row = self.row(context.scene)
        value = result_tables.value_text(row, context.scene)
        draw_text(self.layout, f"{row.name}, {row.subject}: {value}", "INFO", WIDE)
        for text, icon in ((row.definition, "NONE"), (row.validity, "NONE"), (row.flags, "ERROR")):
            if text:
                draw_text(self.layout, text, icon, WIDE)
        if row.remarks:
            draw_text(self.layout, row.remarks, "QUESTION", WIDE)

    def run(self, context: bpy.types.Context) -> str:
        return results.explanation(self.row(context.scene))


class MANNEQUIN_OT_note_in_case(Asks, bpy.types.Operator):
    """Enter a note into the log of the case in whose folder this file lies.

    bpy.ops.mannequin.note_in_case(kind="rejected", text="Friction 0.9 does not agree with the skid mark")
    """

    bl_options = {"REGISTER"}
    kind: EnumProperty(
        description="What the note is about",
        items=[
            ("note", "Note", "A remark"),
            ("looked at", "Looked At", "What was examined"),
            ("rejected", "Rejected", "What was tried and is not used, and why"),
        ],
    )
    text: StringProperty(description="What is entered", options={"SKIP_SAVE"})

    def run(self, context: bpy.types.Context) -> str:
        return f"Entry {note_in_case(context.scene, self.kind, self.text)} of the case log"


class MANNEQUIN_OT_show_plot(NeedsRun, bpy.types.Operator):
    """Plot a quantity of the last run as an image in the file, of the active body (or of the head) where it belongs to
    a body.

    bpy.ops.mannequin.show_plot(plot="acceleration", body="man/head")
    """

    plot: EnumProperty(
        description="What is drawn over time",
        items=[(kind, label, f"{label} over time") for kind, label in PLOTS.items()],
    )
    body: StringProperty(
        description="Body as actor/body; empty: the active one, else the head", options={"SKIP_SAVE"}
    )

    def run(self, context: bpy.types.Context) -> str:
        """Draw, and show where there is a window."""
        image = plot_image(context.scene, self.plot, self.body or active_body(context))
        show_image(context, image)
        return f"Drew '{image.name}'"


class MANNEQUIN_OT_toggle_trace(NeedsRun, bpy.types.Operator):
    """Show forces, paths, ghosts or contact marks of the last run as objects, or remove them where they are shown.

    bpy.ops.mannequin.toggle_trace(kind="marks")
    """

    bl_label = "Show in Scene"

    kind: EnumProperty(
        description="What is shown",
        items=[
            ("forces", "Forces", "Contact forces as animated arrows"),
            ("paths", "Paths", "Paths of bodies as curves"),
            ("ghosts", "Ghosts", "The actors at chosen times"),
            ("marks", "Contact Marks", "Where body parts struck, with the peak force"),
        ],
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """What this button shows."""
        item = cls.bl_rna.properties["kind"].enum_items[properties.kind]
        return f"{item.description}. Press again to remove them"

    def run(self, context: bpy.types.Context) -> str:
        """Show or remove."""
        scene = context.scene
        if traces.remove_trace(scene, scene.mannequin.results.run, self.kind):
            return f"Removed {self.kind}"
        run = results.last_run(scene)
        count = traces.add_trace(run, scene, self.kind, results.scene_time_map(scene))
        return f"Added {count} objects: {self.kind}"


class MANNEQUIN_OT_make_report(Beside, NeedsRun, bpy.types.Operator):
    """Write the report of the last run into its folder, with a check of the time step (the run is computed once more at
    half the step); Esc cancels."""

    stopped = "Cancelled; no report was written"

    def begin(self, scene: bpy.types.Scene) -> ReportRun:
        """Hand the run to the worker."""
        return ReportRun(scene)

    def conclude(self, scene: bpy.types.Scene, work: ReportRun) -> str:
        """Report the path of the file."""
        return f"Wrote {work.finish()}"


class MANNEQUIN_OT_make_viewer(NeedsRun, bpy.types.Operator):
    """Write the last run as one page for any browser, into its folder; the scene's cameras become views of it.

    bpy.ops.mannequin.make_viewer()
    """

    def run(self, context: bpy.types.Context) -> str:
        return f"Wrote {viewer_page.write_viewer(context.scene)}"


class MANNEQUIN_OT_export_tables(CopiesToFolder, bpy.types.Operator):
    """Copy the CSV tables of the last run (motion, joints, contacts, energy) to another folder.

    bpy.ops.mannequin.export_tables(directory="/tmp/case_12")
    """

    bl_label = "Export CSV"

    def run(self, context: bpy.types.Context) -> str:
        return f"Wrote {len(results.export_tables(context.scene, self.target))} tables to {self.target}"


class MANNEQUIN_OT_export_run(CopiesToFolder, bpy.types.Operator):
    """Copy the run folder (recording, CSV tables, summary, manifest) to another folder.

    bpy.ops.mannequin.export_run(directory="/tmp/case_12")
    """

    def run(self, context: bpy.types.Context) -> str:
        return f"Wrote {results.export_run(context.scene, self.target)}"
