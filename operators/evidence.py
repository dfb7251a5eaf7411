"""Operators of evidence: add it, fit to it, compare hypotheses, show and bake what agrees, files."""

from pathlib import Path

import bpy
from bpy.props import EnumProperty, FloatVectorProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ..scene.evidence import build, objects, read, runs, traces
from .base import AsksForFolder, MannequinOperator, Need, NeedsScenario
from .beside import Beside
from .sweeps import HAS_SCIPY

HAS_EVIDENCE: Need = (lambda context: context.scene.mannequin.evidence.targets, "Add evidence first")


class NeedsResult(MannequinOperator):
    """Mixin: disabled unless the result of a fit or a comparison is shown."""

    needs = (
        HAS_SCIPY,
        (
            lambda context: context.scene.mannequin.evidence.folder,
            "Press Fit or Compare Hypotheses first, or open a result",
        ),
    )


class MANNEQUIN_OT_add_evidence(NeedsScenario, bpy.types.Operator):
    """Add something that was found to the evidence, as an object at its place.

    bpy.ops.mannequin.add_evidence(way="REST_POSE")
    """

    way: EnumProperty(
        name="As",
        description="What was found",
        items=[(way, label, tip) for way, (label, _, tip) in objects.WAYS.items()],
    )
    pixel: FloatVectorProperty(
        description="Of an image point: x to the right, y down in the picture; negative: where the 3D cursor is",
        size=2,
        default=(-1.0, -1.0),
        options={"SKIP_SAVE"},
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """What this entry of the menu adds."""
        return objects.WAYS[properties.way][2]

    def run(self, context: bpy.types.Context) -> str:
        if self.way == "IMAGE_POINT" and min(self.pixel) >= 0.0:
            added = objects.add_image_point(context, tuple(self.pixel))
        else:
            added = objects.WAYS[self.way][1](context)
        return f"Added {added} to the evidence: say how well it is known"


class AsksEvidence(Beside, NeedsScenario):
    """Mixin of what runs many simulations against the evidence."""

    stopped = "Stopped, without a result; press it again to go on from there"
    needs = (HAS_SCIPY, HAS_EVIDENCE)

    def conclude(self, scene: bpy.types.Scene, work: runs.EvidenceRun) -> str:
        """Show what came out."""
        runs.show_evidence(scene, work.result())
        return scene.mannequin.evidence.summary.splitlines()[0]


class MANNEQUIN_OT_fit(AsksEvidence, bpy.types.Operator):
    """Find all values of the active hypothesis's unknowns that agree with the evidence, beside Blender; Esc stops it.

    bpy.ops.mannequin.fit()
    """

    needs = (
        (
            lambda context: any(h.inputs for h in context.scene.mannequin.evidence.hypotheses),
            "Add a hypothesis with an unknown first",
        ),
    )

    def begin(self, scene: bpy.types.Scene) -> runs.EvidenceRun:
        """Start the search."""
        return runs.EvidenceRun(scene, compares=False)


class MANNEQUIN_OT_compare_hypotheses(AsksEvidence, bpy.types.Operator):
    """Run every hypothesis over its ranges and say how much better one explains the evidence than another; Esc stops.

    bpy.ops.mannequin.compare_hypotheses()
    """

    needs = (
        (
            lambda context: len(context.scene.mannequin.evidence.hypotheses) > 1,
            "Add two hypotheses or more, each with its unknowns",
        ),
    )

    def begin(self, scene: bpy.types.Scene) -> runs.EvidenceRun:
        """Start the sweeps."""
        return runs.EvidenceRun(scene, compares=True)


class MANNEQUIN_OT_open_evidence(AsksForFolder, bpy.types.Operator):
    """Show the result of a fit or of a comparison of hypotheses that was run before, here or on the command line.

    bpy.ops.mannequin.open_evidence(directory="/path/to/fit")
    """

    bl_label = "Open Result"
    directory: StringProperty(name="Folder", description="Folder of the result", subtype="DIR_PATH")

    needs = (HAS_SCIPY,)

    def run(self, context: bpy.types.Context) -> str:
        return f"Opened {runs.show_evidence(context.scene, self.target)}"


class MANNEQUIN_OT_toggle_agreeing(NeedsResult, bpy.types.Operator):
    """Draw the paths and ends of the agreeing runs, in a colour for each hypothesis, or remove them.

    bpy.ops.mannequin.toggle_agreeing()
    """

    bl_label = "Draw Agreeing Runs"

    def run(self, context: bpy.types.Context) -> str:
        return traces.toggle_agreeing(context.scene)


class MANNEQUIN_OT_bake_agreeing_run(NeedsResult, bpy.types.Operator):
    """Repeat this agreeing run exactly, write its run folder inside that of the result, and bake its motion.

    bpy.ops.mannequin.bake_agreeing_run(row=0)
    """

    takes_long = True

    row: IntProperty(description="Row of the list; -1: the chosen one", default=-1)

    def run(self, context: bpy.types.Context) -> str:
        group = context.scene.mannequin.evidence
        row = group.found_index if self.row < 0 else self.row
        run = runs.bake_agreeing(context.scene, row)
        context.scene.frame_set(context.scene.frame_start)
        return f"Baked run {group.found[row].run} as {run.stem}"


class MANNEQUIN_OT_export_evidence(NeedsScenario, ExportHelper, bpy.types.Operator):
    """Write evidence, unknowns and hypotheses to a file, with scenario and marks beside it, for the command line.

    bpy.ops.mannequin.export_evidence(filepath="case.json")
    """

    filename_ext = ".json"
    needs = (HAS_EVIDENCE,)

    def run(self, context: bpy.types.Context) -> str:
        path = Path(self.filepath)
        read.write_case(context.scene, path, f"{path.stem}_")
        return f"Wrote {path}"


class MANNEQUIN_OT_import_evidence(MannequinOperator, ImportHelper, bpy.types.Operator):
    """Put the evidence, unknowns and hypotheses of a file in place of those of the scene, as objects.

    bpy.ops.mannequin.import_evidence(filepath="case.json")
    """

    takes_long = True
    filename_ext = ".json"

    def run(self, context: bpy.types.Context) -> str:
        evidence = build.import_case(self.filepath, context.scene)
        return f"Imported {len(evidence.targets)} pieces of evidence of '{evidence.name}'"
