"""Import and export of model and scenario files: operators, File menu entries, drag and drop."""

import bpy
from bpy.props import BoolProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from ..scene import files
from ..scene.actors import active_actor
from .base import DropsOnViewport, NeedsScenario, ReadsFile, WritesModel, select_only


class FromFile(ReadsFile):
    """Mixin of operators that read a JSON file."""

    filename_ext = ".json"
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})


class MANNEQUIN_OT_import_model(FromFile, bpy.types.Operator):
    """Add an actor of a model file (OpenMBD JSON, with or without Mannequin's additions).

    bpy.ops.mannequin.import_model(filepath="male.json")"""

    bl_idname = "mannequin.import_model"
    bl_label = "Import Model"
    takes_long = True
    bl_description = "Add an actor of a model file (OpenMBD JSON, with or without Mannequin's additions)"

    def run(self, context: bpy.types.Context) -> str:
        """Import and select."""
        warnings: list[str] = []
        actor, _ = files.import_model(self.filepath, context.scene, warnings)
        select_only(context, actor)
        self.show_actors(context, warnings)
        return f"Imported '{actor.name}'"


class MANNEQUIN_OT_import_scenario(FromFile, bpy.types.Operator):
    """Set up the scene of a scenario file.

    bpy.ops.mannequin.import_scenario(filepath="fall.json")"""

    bl_idname = "mannequin.import_scenario"
    bl_label = "Import Scenario"
    takes_long = True
    bl_description = "Set up the scene of a scenario file: actors, obstacles, settings"

    replace: BoolProperty(
        name="Replace",
        description="Remove the actors there are, and the obstacles that came from a file",
        default=True,
    )

    def run(self, context: bpy.types.Context) -> str:
        """Import."""
        warnings: list[str] = []
        files.import_scenario(self.filepath, context.scene, self.replace, warnings)
        self.show_actors(context, warnings)
        return f"Imported scenario '{context.scene.mannequin.name}'"


class MANNEQUIN_OT_import_file(FromFile, bpy.types.Operator):
    """Import a model or a scenario, whichever the file is.

    bpy.ops.mannequin.import_file(filepath="fall.json")"""

    bl_idname = "mannequin.import_file"
    bl_label = "Import Mannequin File"
    takes_long = True
    bl_description = "Import a model or a scenario, whichever the file is"

    def run(self, context: bpy.types.Context) -> str:
        """Look what the file is, and import it."""
        warnings: list[str] = []
        kind = files.import_any(self.filepath, context.scene, warnings)
        self.show_actors(context, warnings)
        return f"Imported a {kind}"


class MANNEQUIN_OT_export_model(WritesModel, bpy.types.Operator):
    """Write the actor's model to a file.

    bpy.ops.mannequin.export_model(filepath="mine.json")"""

    bl_idname = "mannequin.export_model"
    bl_label = "Export Model"
    bl_description = "Write the actor's model to a file"

    filename_ext = ".json"
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})
    extensions: BoolProperty(
        name="Mannequin's Additions",
        description="Write everything; off: only what OpenMBD knows",
        default=True,
    )

    def run(self, context: bpy.types.Context) -> str:
        """Export."""
        for told in files.export_model(active_actor(context), self.filepath, self.extensions):
            self.report({"WARNING"}, told)
        return f"Wrote {self.filepath}"


class MANNEQUIN_OT_export_scenario(NeedsScenario, ExportHelper, bpy.types.Operator):
    """Write the scene's scenario to a file.

    bpy.ops.mannequin.export_scenario(filepath="fall.json")"""

    bl_idname = "mannequin.export_scenario"
    bl_label = "Export Scenario"
    bl_description = "Write the scene's scenario to a file: actors, obstacles, settings"

    filename_ext = ".json"
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Propose the scenario's name."""
        self.filepath = f"{context.scene.mannequin.name or 'scenario'}.json"
        return super().invoke(context, event)

    def run(self, context: bpy.types.Context) -> str:
        """Export."""
        files.export_scenario(context.scene, self.filepath)
        return f"Wrote {self.filepath}"


class MANNEQUIN_FH_json(DropsOnViewport, bpy.types.FileHandler):
    """Dropping a JSON file on the viewport imports it, if it is one of ours."""

    bl_idname = "MANNEQUIN_FH_json"
    bl_label = "Mannequin Model or Scenario"
    bl_import_operator = "mannequin.import_file"
    bl_file_extensions = ".json"


def draw_import(self: bpy.types.Menu, context: bpy.types.Context) -> None:
    """Entries of File > Import."""
    self.layout.operator("mannequin.import_model", text="Mannequin Model (.json)")
    self.layout.operator("mannequin.import_scenario", text="Mannequin Scenario (.json)")


def draw_export(self: bpy.types.Menu, context: bpy.types.Context) -> None:
    """Entries of File > Export."""
    self.layout.operator("mannequin.export_model", text="Mannequin Model (.json)")
    self.layout.operator("mannequin.export_scenario", text="Mannequin Scenario (.json)")


CLASSES = (
    MANNEQUIN_OT_import_model,
    MANNEQUIN_OT_import_scenario,
    MANNEQUIN_OT_import_file,
    MANNEQUIN_OT_export_model,
    MANNEQUIN_OT_export_scenario,
    MANNEQUIN_FH_json,
)


def register() -> None:
    """Add the menu entries."""
    bpy.types.TOPBAR_MT_file_import.append(draw_import)
    bpy.types.TOPBAR_MT_file_export.append(draw_export)


def unregister() -> None:
    """Take the menu entries away."""
    bpy.types.TOPBAR_MT_file_export.remove(draw_export)
    bpy.types.TOPBAR_MT_file_import.remove(draw_import)
