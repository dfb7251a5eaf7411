"""Operators of sweeps: run, open, show in the scene, bake a run."""

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty

from ..scene.run import sweep_charts, sweep_traces, sweeps
from ..scene.show.result_plots import show_image
from .base import AsksForFolder, MannequinOperator, Need, NeedsScenario
from .beside import Beside

HAS_SCIPY: Need = (lambda context: sweeps.is_available(), "SciPy, which sweeps need, is not installed")


class NeedsSweep(MannequinOperator):
    """Mixin: disabled unless the results of a sweep are shown."""

    needs = (
        HAS_SCIPY,
        (lambda context: context.scene.mannequin.sweep.folder, "Run a sweep first, or open one"),
    )


class MANNEQUIN_OT_run_sweep(Beside, NeedsScenario, bpy.types.Operator):
    """Simulate the scene over the ranges of the inputs, on all cores, beside Blender; Esc stops the sweep, and running
    it again continues where it stopped."""

    stopped = "Sweep stopped; run it again to continue"

    needs = (
        HAS_SCIPY,
        (lambda context: context.scene.mannequin.sweep.inputs, "Add an input to vary first"),
    )

    def begin(self, scene: bpy.types.Scene) -> sweeps.SweepRun:
        """Start the sweep."""
        return sweeps.SweepRun(scene)

    def conclude(self, scene: bpy.types.Scene, work: sweeps.SweepRun) -> str:
        """Show the results."""
        return f"Sweep finished: {sweeps.show_sweep(scene, work.result())}"


class MANNEQUIN_OT_open_sweep(AsksForFolder, bpy.types.Operator):
    """Show the results of a sweep that was run before, here or on the command line.

    bpy.ops.mannequin.open_sweep(directory="/path/to/sweep")
    """

    directory: StringProperty(name="Folder", description="Folder of the sweep", subtype="DIR_PATH")

    needs = (HAS_SCIPY,)

    def run(self, context: bpy.types.Context) -> str:
        return f"Opened {sweeps.show_sweep(context.scene, self.target)}"


class MANNEQUIN_OT_toggle_sweep_trace(NeedsSweep, bpy.types.Operator):
    """Show envelopes, rest ellipses, first touches or ghosts of the sweep as objects, or remove them where they are
    shown.

    bpy.ops.mannequin.toggle_sweep_trace(kind="envelopes")
    """

    bl_label = "Show Sweep in Scene"
    takes_long = True

    kind: EnumProperty(
        description="What is shown",
        items=[(kind, label, tip) for kind, (label, _, tip) in sweep_traces.KINDS.items()],
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """What this button shows."""
        return f"{sweep_traces.KINDS[properties.kind][2]}. Press again to remove them"

    def run(self, context: bpy.types.Context) -> str:
        """Show or remove."""
        return sweep_traces.toggle_sweep_trace(context.scene, self.kind)


class MANNEQUIN_OT_show_sweep_chart(NeedsSweep, bpy.types.Operator):
    """Draw a chart of the sweep as an image in the file.

    bpy.ops.mannequin.show_sweep_chart(chart="tornado")
    """

    takes_long = True

    chart: EnumProperty(
        description="What is drawn",
        items=[(kind, label, tip) for kind, (label, _, tip) in sweep_charts.CHARTS.items()],
    )

    def run(self, context: bpy.types.Context) -> str:
        """Draw, and show where there is a window."""
        image = sweep_charts.chart_image(context.scene, self.chart)
        show_image(context, image)
        return f"Drew '{image.name}'"


class MANNEQUIN_OT_bake_sweep_run(NeedsSweep, bpy.types.Operator):
    """Repeat this run of the sweep exactly, write its run folder inside the sweep's, and bake its motion.

    bpy.ops.mannequin.bake_sweep_run(run_number=17)
    """

    bl_label = "Bake Run of Sweep"
    takes_long = True

    run_number: IntProperty(
        name="Run", description="Number of the run; -1: the one chosen in the list", default=-1
    )

    def run(self, context: bpy.types.Context) -> str:
        group = context.scene.mannequin.sweep
        index = self.run_number
        if index < 0 and group.found_index < len(group.found):
            index = group.found[group.found_index].run
        run = sweeps.bake_sweep_run(context.scene, index)
        context.scene.frame_set(context.scene.frame_start)
        return f"Baked run {index} of the sweep as {run.stem}"
