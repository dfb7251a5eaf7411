"""Operators of sweeps: run, open, show in the scene, bake a run."""

from pathlib import Path

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty

from ..scene import sweep_traces, sweeps
from .base import MannequinOperator, NeedsScenario
from .beside import Beside


class NeedsSweep(MannequinOperator):
    """Mixin: off unless the results of a sweep are shown."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a sweep."""
        if not sweeps.is_available():
            cls.poll_message_set("SciPy, which sweeps need, is not installed")
            return False
        if not context.scene.mannequin.sweep.folder:
            cls.poll_message_set("Run a sweep first, or open one")
            return False
        return True


class MANNEQUIN_OT_run_sweep(Beside, NeedsScenario, bpy.types.Operator):
    """Run the scene over the ranges of the inputs in the panel.

    bpy.ops.mannequin.run_sweep()"""

    bl_idname = "mannequin.run_sweep"
    bl_label = "Run Sweep"
    bl_description = (
        "Simulate the scene over the ranges of the inputs, on all cores, beside Blender. Esc stops it; run again, it "
        "goes on where it stopped"
    )
    stopped = "Sweep stopped; run it again to go on"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is something to vary."""
        if not sweeps.is_available():
            cls.poll_message_set("SciPy, which sweeps need, is not installed")
            return False
        if not context.scene.mannequin.sweep.inputs:
            cls.poll_message_set("Add an input to vary first")
            return False
        return super().poll(context)

    def begin(self, scene: bpy.types.Scene) -> sweeps.SweepRun:
        """Start the sweep."""
        return sweeps.SweepRun(scene)

    def conclude(self, scene: bpy.types.Scene, work: sweeps.SweepRun) -> str:
        """Show the results."""
        return f"Sweep finished: {sweeps.show_sweep(scene, work.folder())}"


class MANNEQUIN_OT_open_sweep(MannequinOperator, bpy.types.Operator):
    """Show the results of a finished sweep.

    bpy.ops.mannequin.open_sweep(directory="/path/to/sweep")"""

    bl_idname = "mannequin.open_sweep"
    bl_label = "Open Sweep"
    bl_description = "Show the results of a sweep that was run before, here or on the command line"

    directory: StringProperty(name="Folder", description="Folder of the sweep", subtype="DIR_PATH")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether sweeps can be had."""
        if not sweeps.is_available():
            cls.poll_message_set("SciPy, which sweeps need, is not installed")
            return False
        return True

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask which."""
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def run(self, context: bpy.types.Context) -> str:
        """Open."""
        return f"Opened {sweeps.show_sweep(context.scene, Path(bpy.path.abspath(self.directory)))}"


class MANNEQUIN_OT_toggle_sweep_trace(NeedsSweep, bpy.types.Operator):
    """Show or remove what the sweep says: envelopes, rest ellipse, first touches, ghosts.

    bpy.ops.mannequin.toggle_sweep_trace(kind="envelopes")"""

    bl_idname = "mannequin.toggle_sweep_trace"
    bl_label = "Show Sweep in Scene"
    takes_long = True
    bl_description = "Show it as objects in the collection of the sweep; remove them where they are shown"

    kind: EnumProperty(
        name="Kind",
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


class MANNEQUIN_OT_bake_sweep_run(NeedsSweep, bpy.types.Operator):
    """Make one run of the sweep again and bake it.

    bpy.ops.mannequin.bake_sweep_run(run_number=17)"""

    bl_idname = "mannequin.bake_sweep_run"
    bl_label = "Bake Run of Sweep"
    takes_long = True
    bl_description = (
        "Make this run again, exactly, write its run folder inside the sweep's, and bake its motion"
    )

    run_number: IntProperty(
        name="Run", description="Number of the run; -1: the one chosen in the list", default=-1
    )

    def run(self, context: bpy.types.Context) -> str:
        """Bake."""
        group = context.scene.mannequin.sweep
        index = self.run_number
        if index < 0 and group.found_index < len(group.found):
            index = group.found[group.found_index].run
        run = sweeps.bake_sweep_run(context.scene, index)
        context.scene.frame_set(context.scene.frame_start)
        return f"Baked run {index} of the sweep as {run.stem}"


CLASSES = (
    MANNEQUIN_OT_run_sweep,
    MANNEQUIN_OT_open_sweep,
    MANNEQUIN_OT_toggle_sweep_trace,
    MANNEQUIN_OT_bake_sweep_run,
)
