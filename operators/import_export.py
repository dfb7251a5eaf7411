"""Import and export of model and scenario files: operators, File menu entries, drag and drop."""

import bpy
from bpy.props import BoolProperty
from bpy_extras.io_utils import ExportHelper

from ..scene.scenario import files
from ..scene.store.actors import active_actor
from .base import DropsOnViewport, NeedsScenario, ReadsFile, WritesModel, file_menus, select_only


class FromFile(ReadsFile):
    """Mixin of operators that read a JSON file."""

    takes_long = True
    filename_ext = ".json"


class MANNEQUIN_OT_import_model(FromFile, bpy.types.Operator):
    """Add an actor from a model file (OpenMBD JSON, with or without Mannequin's additions).

    bpy.ops.mannequin.import_model(filepath="male.json")
    """

    def run(self, context: bpy.types.Context) -> str:
        """Import and select."""
        warnings: list[str] = []
        actor, _ = files.import_model(self.filepath, context.scene, warnings)
        select_only(context, actor)
        self.show_actors(context, warnings)
        return f"Imported '{actor.name}'"


class MANNEQUIN_OT_import_scenario(FromFile, bpy.types.Operator):
    """Set up the scene from a scenario file: actors, obstacles, settings.

    bpy.ops.mannequin.import_scenario(filepath="fall.json")
    """

    replace: BoolProperty(
        description="Remove the present actors, and the obstacles that came from a file", default=True
    )

    def run(self, context: bpy.types.Context) -> str:
        warnings: list[str] = []
        files.import_scenario(self.filepath, context.scene, self.replace, warnings)
        self.show_actors(context, warnings)
        return f"Imported scenario '{context.scene.mannequin.name}'"


class MANNEQUIN_OT_import_file(FromFile, bpy.types.Operator):
    """Import a model or a scenario, whichever the file holds.

    bpy.ops.mannequin.import_file(filepath="fall.json")
    """

    bl_label = "Import Mannequin File"

    def run(self, context: bpy.types.Context) -> str:
        """Find out what the file holds, and import it."""
        warnings: list[str] = []
        kind = files.import_any(self.filepath, context.scene, warnings)
        self.show_actors(context, warnings)
        return f"Imported a {kind}"


class MANNEQUIN_OT_export_model(WritesModel, bpy.types.Operator):
    """Write the actor's model to a file.

    bpy.ops.mannequin.export_model(filepath="mine.json")
    """

    filename_ext = ".json"
    extensions: BoolProperty(
        name="Mannequin's Additions",
        description="Write everything; off: only what OpenMBD knows",
        default=True,
    )

    def run(self, context: bpy.types.Context) -> str:
        for warning in files.export_model(active_actor(context), self.filepath, self.extensions):
            self.report({"WARNING"}, warning)
        return f"Wrote {self.filepath}"


class MANNEQUIN_OT_export_scenario(NeedsScenario, ExportHelper, bpy.types.Operator):
    """Write the scene's scenario to a file: actors, obstacles, settings.

    bpy.ops.mannequin.export_scenario(filepath="fall.json")
    """

    filename_ext = ".json"

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Propose the scenario's name."""
        self.filepath = f"{context.scene.mannequin.name or 'scenario'}.json"
        return super().invoke(context, event)

    def run(self, context: bpy.types.Context) -> str:
        files.export_scenario(context.scene, self.filepath)
        return f"Wrote {self.filepath}"


class MANNEQUIN_FH_json(DropsOnViewport, bpy.types.FileHandler):
    """Dropping a JSON file on the viewport imports it, if it is one of ours."""

    bl_label = "Mannequin Model or Scenario"
    bl_import_operator = "mannequin.import_file"
    bl_file_extensions = ".json"


register, unregister = file_menus(
    {"import_model": "Mannequin Model (.json)", "import_scenario": "Mannequin Scenario (.json)"},
    {"export_model": "Mannequin Model (.json)", "export_scenario": "Mannequin Scenario (.json)"},
)
