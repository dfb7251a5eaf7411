"""Simulate: in a window beside the interface, with progress and Esc; in scripts and background mode at once."""

import bpy

from ..scene.run.simulate import SceneRun
from .base import NeedsScenario
from .beside import Beside


class MANNEQUIN_OT_simulate(Beside, NeedsScenario, bpy.types.Operator):
    """Compute the motion, write the run folder and bake the motion onto the actors; Esc cancels."""

    stopped = "Simulation cancelled; the scene is as it was"

    def begin(self, scene: bpy.types.Scene) -> SceneRun:
        """Hand the scene to the worker."""
        return SceneRun(scene)

    def watch(self, scene: bpy.types.Scene, work: SceneRun) -> None:
        """The viewport follows."""
        if scene.mannequin.runs.follow:
            work.view(scene)

    def conclude(self, scene: bpy.types.Scene, work: SceneRun) -> str | None:
        """Bake, and go to the first frame."""
        outcome = work.finish(scene)
        scene.frame_set(scene.frame_start)
        if outcome.run.recording.status == "completed":
            return outcome.text
        self.report({"WARNING"}, outcome.text)
        return None
