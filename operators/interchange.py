"""Import and export of other programs' model files: Hyfydy, OpenSim, MuJoCo."""

from collections.abc import Sequence

import bpy
from bpy.props import BoolProperty, StringProperty

from ..scene import foreign_files
from ..scene.actors import active_actor
from .base import DropsOnViewport, ReadsFile, WritesModel, select_only

MOST_TOLD = 12
"""Findings shown one by one; the model's notes keep them all."""


class FromForeignFile(ReadsFile):
    """Mixin of operators that read another program's model."""

    whole_scenario: BoolProperty(
        name="Whole Scenario",
        description="Also set up the file's start, surroundings and gravity, in place of the scenario there is",
    )

    def run(self, context: bpy.types.Context) -> str:
        """Import, select, and tell what was not carried over exactly."""
        read = (
            foreign_files.import_foreign_scenario
            if self.whole_scenario
            else foreign_files.import_foreign_model
        )
        actor, findings = read(self.filepath, context.scene)
        select_only(context, actor)
        self.show_actors(context, shortened(findings))
        return f"Imported '{actor.name}'"


class MANNEQUIN_OT_import_hyfydy(FromForeignFile, bpy.types.Operator):
    """Add an actor of a Hyfydy model.

    bpy.ops.mannequin.import_hyfydy(filepath="leg.hfd")"""

    bl_idname = "mannequin.import_hyfydy"
    bl_label = "Import Hyfydy Model"
    takes_long = True
    bl_description = "Add an actor of a Hyfydy model (.hfd), and tell what could not be carried over exactly"

    filename_ext = ".hfd"
    filter_glob: StringProperty(default="*.hfd", options={"HIDDEN"})


class MANNEQUIN_OT_import_opensim(FromForeignFile, bpy.types.Operator):
    """Add an actor of an OpenSim model.

    bpy.ops.mannequin.import_opensim(filepath="arm.osim")"""

    bl_idname = "mannequin.import_opensim"
    bl_label = "Import OpenSim Model"
    takes_long = True
    bl_description = (
        "Add an actor of an OpenSim model (.osim), and tell what could not be carried over exactly"
    )

    filename_ext = ".osim"
    filter_glob: StringProperty(default="*.osim", options={"HIDDEN"})


class ToForeignFile(WritesModel):
    """Mixin of operators that write the actor's model for another program."""

    def run(self, context: bpy.types.Context) -> str:
        """Export, and tell what was not carried over exactly."""
        findings = foreign_files.export_foreign_model(active_actor(context), self.filepath)
        for told in shortened(findings):
            self.report({"WARNING"}, told)
        return f"Wrote {self.filepath}"


class MANNEQUIN_OT_export_hyfydy(ToForeignFile, bpy.types.Operator):
    """Write the actor's model for Hyfydy.

    bpy.ops.mannequin.export_hyfydy(filepath="leg.hfd")"""

    bl_idname = "mannequin.export_hyfydy"
    bl_label = "Export Hyfydy Model"
    bl_description = (
        "Write the actor's model for Hyfydy (.hfd), and tell what could not be carried over exactly"
    )

    filename_ext = ".hfd"
    filter_glob: StringProperty(default="*.hfd", options={"HIDDEN"})


class MANNEQUIN_OT_export_mujoco(ToForeignFile, bpy.types.Operator):
    """Write the actor's model for MuJoCo.

    bpy.ops.mannequin.export_mujoco(filepath="leg.xml")"""

    bl_idname = "mannequin.export_mujoco"
    bl_label = "Export MuJoCo Model"
    bl_description = (
        "Write the actor's model for MuJoCo (MJCF), and tell what could not be carried over exactly"
    )

    filename_ext = ".xml"
    filter_glob: StringProperty(default="*.xml", options={"HIDDEN"})


class MANNEQUIN_FH_hyfydy(DropsOnViewport, bpy.types.FileHandler):
    """Dropping a Hyfydy file on the viewport imports it."""

    bl_idname = "MANNEQUIN_FH_hyfydy"
    bl_label = "Hyfydy Model"
    bl_import_operator = "mannequin.import_hyfydy"
    bl_file_extensions = ".hfd"


class MANNEQUIN_FH_opensim(DropsOnViewport, bpy.types.FileHandler):
    """Dropping an OpenSim file on the viewport imports it."""

    bl_idname = "MANNEQUIN_FH_opensim"
    bl_label = "OpenSim Model"
    bl_import_operator = "mannequin.import_opensim"
    bl_file_extensions = ".osim"


def shortened(findings: Sequence[str]) -> list[str]:
    """The first few findings, and how many more there are."""
    if len(findings) <= MOST_TOLD:
        return list(findings)
    return [*findings[:MOST_TOLD], f"and {len(findings) - MOST_TOLD} more"]


def draw_import(self: bpy.types.Menu, context: bpy.types.Context) -> None:
    """Entries of File > Import."""
    self.layout.operator("mannequin.import_hyfydy", text="Hyfydy Model (.hfd)")
    self.layout.operator("mannequin.import_opensim", text="OpenSim Model (.osim)")


def draw_export(self: bpy.types.Menu, context: bpy.types.Context) -> None:
    """Entries of File > Export."""
    self.layout.operator("mannequin.export_hyfydy", text="Hyfydy Model (.hfd)")
    self.layout.operator("mannequin.export_mujoco", text="MuJoCo Model (.xml)")


CLASSES = (
    MANNEQUIN_OT_import_hyfydy,
    MANNEQUIN_OT_import_opensim,
    MANNEQUIN_OT_export_hyfydy,
    MANNEQUIN_OT_export_mujoco,
    MANNEQUIN_FH_hyfydy,
    MANNEQUIN_FH_opensim,
)


def register() -> None:
    """Add the menu entries."""
    bpy.types.TOPBAR_MT_file_import.append(draw_import)
    bpy.types.TOPBAR_MT_file_export.append(draw_export)


def unregister() -> None:
    """Take the menu entries away."""
    bpy.types.TOPBAR_MT_file_export.remove(draw_export)
    bpy.types.TOPBAR_MT_file_import.remove(draw_import)
