"""Operators on results: jump to a contact, plots, traces in the scene, report, export."""

from pathlib import Path

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty

from ..scene import results, traces
from ..scene.report_run import ReportRun
from ..scene.result_plots import PLOTS, active_body, plot_image, show_image
from .base import MannequinOperator
from .beside import Beside


class NeedsRun(MannequinOperator):
    """Mixin: off unless there is a run."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a run."""
        if not context.scene.mannequin.film.results.folder:
            cls.poll_message_set("Simulate first; there is no run")
            return False
        return True


class AsksForFolder(NeedsRun):
    """Mixin: asks for a folder in a window."""

    directory: StringProperty(name="Folder", description="Where the copy goes", subtype="DIR_PATH")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask where."""
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    @property
    def target(self) -> Path:
        """The chosen folder."""
        return Path(bpy.path.abspath(self.directory))


class MANNEQUIN_OT_jump_to_contact(NeedsRun, bpy.types.Operator):
    """Show the moment of a contact's largest force.

    bpy.ops.mannequin.jump_to_contact(index=0)"""

    bl_idname = "mannequin.jump_to_contact"
    bl_label = "Jump to Contact"
    bl_description = "Show the moment of the contact's largest force"

    index: IntProperty(name="Contact", description="Place in the list; -1: the active one", default=-1)

    def run(self, context: bpy.types.Context) -> str:
        """Jump."""
        shown = context.scene.mannequin.film.results
        index = self.index if self.index >= 0 else shown.contacts_index
        time = results.jump_to_contact(context.scene, index)
        return f"{shown.contacts[index].name} at {1000.0 * time:.1f} ms"


class MANNEQUIN_OT_show_plot(NeedsRun, bpy.types.Operator):
    """Draw a plot of the last run into a picture of the file, and show it in an image editor.

    bpy.ops.mannequin.show_plot(plot="acceleration", body="man/head")"""

    bl_idname = "mannequin.show_plot"
    bl_label = "Show Plot"
    bl_description = "Draw a plot of the last run; of the active body, or of the head, where it is of a body"

    plot: EnumProperty(
        name="Plot",
        description="What is drawn over time",
        items=[(kind, label, f"{label} over time") for kind, label in PLOTS.items()],
    )
    body: StringProperty(
        name="Body",
        description="Body as actor/body; empty: the active one, else the head",
        options={"SKIP_SAVE"},
    )

    def run(self, context: bpy.types.Context) -> str:
        """Draw, and show where there is a window."""
        image = plot_image(context.scene, self.plot, self.body or active_body(context))
        if not bpy.app.background and context.window is not None:
            show_image(context, image)
        return f"Drew '{image.name}'"


class MANNEQUIN_OT_toggle_trace(NeedsRun, bpy.types.Operator):
    """Show or remove what the last run left: forces, paths, ghosts, contact marks.

    bpy.ops.mannequin.toggle_trace(kind="marks")"""

    bl_idname = "mannequin.toggle_trace"
    bl_label = "Show in Scene"
    bl_description = "Show it as objects in the collection of the run; remove them where they are shown"

    kind: EnumProperty(
        name="Kind",
        description="What is shown",
        items=[
            ("forces", "Forces", "Contact forces as animated arrows"),
            ("paths", "Paths", "Ways of bodies as curves"),
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
        if traces.remove_trace(scene, scene.mannequin.film.results.run, self.kind):
            return f"Removed {self.kind}"
        run = results.last_run(scene)
        count = traces.add_trace(run, scene, self.kind, results.scene_time_map(scene))
        return f"Added {count} objects: {self.kind}"


class MANNEQUIN_OT_make_report(Beside, NeedsRun, bpy.types.Operator):
    """Write the report of the last run into its folder.

    bpy.ops.mannequin.make_report()"""

    bl_idname = "mannequin.make_report"
    bl_label = "Make Report"
    bl_description = (
        "Write the report of the last run into its folder, with a check of the time step: the run is computed once "
        "more at half the step. Esc cancels"
    )
    stopped = "Cancelled; no report was written"

    def begin(self, scene: bpy.types.Scene) -> ReportRun:
        """Hand the run to the worker."""
        return ReportRun(scene)

    def conclude(self, scene: bpy.types.Scene, work: ReportRun) -> str:
        """Say where it is."""
        return f"Wrote {work.finish()}"


class MANNEQUIN_OT_export_tables(AsksForFolder, bpy.types.Operator):
    """Copy the CSV tables of the last run to another place.

    bpy.ops.mannequin.export_tables(directory="/tmp/case_12")"""

    bl_idname = "mannequin.export_tables"
    bl_label = "Export CSV"
    bl_description = "Copy the CSV tables of the last run (motion, joints, contacts, energy) to another place"

    def run(self, context: bpy.types.Context) -> str:
        """Copy."""
        return f"Wrote {len(results.export_tables(context.scene, self.target))} tables to {self.target}"


class MANNEQUIN_OT_export_run(AsksForFolder, bpy.types.Operator):
    """Copy the run folder (recording, CSV tables, summary, manifest) to another place.

    bpy.ops.mannequin.export_run(directory="/tmp/case_12")"""

    bl_idname = "mannequin.export_run"
    bl_label = "Export Run"
    bl_description = "Copy the run folder (recording, CSV tables, summary, manifest) to another place"

    def run(self, context: bpy.types.Context) -> str:
        """Copy."""
        return f"Wrote {results.export_run(context.scene, self.target)}"


CLASSES = (
    MANNEQUIN_OT_jump_to_contact,
    MANNEQUIN_OT_show_plot,
    MANNEQUIN_OT_toggle_trace,
    MANNEQUIN_OT_make_report,
    MANNEQUIN_OT_export_tables,
    MANNEQUIN_OT_export_run,
)
