"""Import and export of other programs' model files: Hyfydy, OpenSim, MuJoCo."""

from collections.abc import Sequence

import bpy
from bpy.props import BoolProperty

from ..scene.scenario import foreign_files
from ..scene.store.actors import active_actor
from .base import DropsOnViewport, ReadsFile, WritesModel, file_menus, select_only

MOST_REPORTED = 12
"""Findings shown one by one; the model's notes keep them all."""


class FromForeignFile(ReadsFile):
    """Mixin of operators that read another program's model."""

    takes_long = True
    whole_scenario: BoolProperty(
        description="Also set up the file's start, surroundings and gravity, in place of the present scenario"
    )

    def run(self, context: bpy.types.Context) -> str:
        """Import, select, and report what was not carried over exactly."""
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
    """Add an actor from a Hyfydy model (.hfd), and report what could not be carried over exactly.

    bpy.ops.mannequin.import_hyfydy(filepath="leg.hfd")
    """

    bl_label = "Import Hyfydy Model"
    filename_ext = ".hfd"


class MANNEQUIN_OT_import_opensim(FromForeignFile, bpy.types.Operator):
    """Add an actor from an OpenSim model (.osim), and report what could not be carried over exactly.

    bpy.ops.mannequin.import_opensim(filepath="arm.osim")
    """

    bl_label = "Import OpenSim Model"
    filename_ext = ".osim"


class MANNEQUIN_OT_import_mujoco(FromForeignFile, bpy.types.Operator):
    """Add an actor from a MuJoCo model (MJCF), and report what could not be carried over exactly.

    bpy.ops.mannequin.import_mujoco(filepath="humanoid.xml")
    """

    bl_label = "Import MuJoCo Model"
    filename_ext = ".xml"


class ToForeignFile(WritesModel):
    """Mixin of operators that write the actor's model for another program."""

    @property
    def writer_options(self) -> dict[str, bool]:
        """What the person chose, as the writer names it."""
        return {}

    def run(self, context: bpy.types.Context) -> str:
        """Export, and report what was not carried over exactly."""
        findings = foreign_files.export_foreign_model(
            active_actor(context), self.filepath, **self.writer_options
        )
        for finding in shortened(findings):
            self.report({"WARNING"}, finding)
        return f"Wrote {self.filepath}"


class MANNEQUIN_OT_export_hyfydy(ToForeignFile, bpy.types.Operator):
    """Write the actor's model for Hyfydy (.hfd), and report what could not be carried over exactly.

    bpy.ops.mannequin.export_hyfydy(filepath="leg.hfd")
    """

    bl_label = "Export Hyfydy Model"

    filename_ext = ".hfd"


class MANNEQUIN_OT_export_mujoco(ToForeignFile, bpy.types.Operator):
    """Write the actor's model for MuJoCo (MJCF), and report what could not be carried over exactly.

    bpy.ops.mannequin.export_mujoco(filepath="leg.xml")
    """

    bl_label = "Export MuJoCo Model"

    filename_ext = ".xml"
    ball_hinges: BoolProperty(
        name="Ball Joints as Hinges",
        description="Write ball joints that have limits as three hinges with a range each; MuJoCo's ball has one",
    )

    @property
    def writer_options(self) -> dict[str, bool]:
        """Whether ball joints become hinges."""
        return {"ball_hinges": self.ball_hinges}


class MANNEQUIN_FH_hyfydy(DropsOnViewport, bpy.types.FileHandler):
    """Dropping a Hyfydy file on the viewport imports it."""

    bl_label = "Hyfydy Model"
    bl_import_operator = "mannequin.import_hyfydy"
    bl_file_extensions = ".hfd"


class MANNEQUIN_FH_opensim(DropsOnViewport, bpy.types.FileHandler):
    """Dropping an OpenSim file on the viewport imports it."""

    bl_label = "OpenSim Model"
    bl_import_operator = "mannequin.import_opensim"
    bl_file_extensions = ".osim"


def shortened(findings: Sequence[str]) -> list[str]:
    """The first few findings, and how many more there are."""
    if len(findings) <= MOST_REPORTED:
        return list(findings)
    return [*findings[:MOST_REPORTED], f"and {len(findings) - MOST_REPORTED} more"]


register, unregister = file_menus(
    {
        "import_hyfydy": "Hyfydy Model (.hfd)",
        "import_opensim": "OpenSim Model (.osim)",
        "import_mujoco": "MuJoCo Model (.xml)",
    },
    {"export_hyfydy": "Hyfydy Model (.hfd)", "export_mujoco": "MuJoCo Model (.xml)"},
)
