"""Operators on results: jump to a contact, report, export."""

from pathlib import Path

import bpy
from bpy.props import IntProperty, StringProperty

from ..scene import results
from .base import MannequinOperator


class NeedsRun(MannequinOperator):
    """Mixin: off unless there is a run."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a run."""
        if not context.scene.mannequin.film.results.folder:
            cls.poll_message_set("Simulate first; there is no run")
            return False
        return True


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


class MANNEQUIN_OT_make_report(NeedsRun, bpy.types.Operator):
    """Write the report of the last run into its folder.

    bpy.ops.mannequin.make_report()"""

    bl_idname = "mannequin.make_report"
    bl_label = "Make Report"
    bl_description = "Write the report of the last run, with a check of the time step, into its folder"

    def run(self, context: bpy.types.Context) -> str:
        """Write."""
        return f"Wrote {results.make_report(context.scene)}"


class MANNEQUIN_OT_export_run(NeedsRun, bpy.types.Operator):
    """Copy the run folder (recording, CSV tables, summary, manifest) to another place.

    bpy.ops.mannequin.export_run(directory="/tmp/case_12")"""

    bl_idname = "mannequin.export_run"
    bl_label = "Export Run"
    bl_description = "Copy the run folder (recording, CSV tables, summary, manifest) to another place"

    directory: StringProperty(name="Folder", description="Where the copy goes", subtype="DIR_PATH")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask where."""
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def run(self, context: bpy.types.Context) -> str:
        """Copy."""
        return f"Wrote {results.export_run(context.scene, Path(bpy.path.abspath(self.directory)))}"


CLASSES = (MANNEQUIN_OT_jump_to_contact, MANNEQUIN_OT_make_report, MANNEQUIN_OT_export_run)
