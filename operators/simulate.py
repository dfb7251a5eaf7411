"""Simulate: in a window beside the interface, with progress and Esc; in scripts and background mode at once."""

import bpy
from bpy.props import BoolProperty, StringProperty

from ..scene.base.text_layout import draw_text
from ..scene.run.simulate import SceneRun
from ..scene.run.worker import LostTwice
from .base import NeedsScenario
from .beside import Beside

QUESTION = (
    "Simulate inside Blender instead? What ended the two processes may then end Blender: save the file first. Cancel "
    "leaves everything as it is."
)
TITLE, CONSENT = "The Simulation Process Was Lost Twice", "Simulate Inside Blender"
WIDTH, LETTERS = 460, 76
"""Of the dialog: pixels, and characters that fit in a line"""


class MANNEQUIN_OT_simulate(Beside, NeedsScenario, bpy.types.Operator):
    """Compute the motion, write the run folder and bake the motion onto the actors; Esc cancels."""

    stopped = "Simulation cancelled; the scene is as it was"

    inside: BoolProperty(
        name="Inside Blender",
        description="Compute in Blender's own process: a run that takes all memory or crashes takes Blender with it",
        options={"SKIP_SAVE", "HIDDEN"},
    )

    def begin(self, scene: bpy.types.Scene) -> SceneRun:
        """Hand the scene to the worker."""
        return SceneRun(scene, self.inside)

    def asks_about(self, error: Exception) -> bool:
        """Ask whether to simulate inside Blender where two processes were lost; a reported error would cover it."""
        if not isinstance(error, LostTwice):
            return False
        self.report({"WARNING"}, error.reason)
        bpy.ops.mannequin.simulate_inside("INVOKE_DEFAULT", reason=error.reason)
        return True

    def watch(self, scene: bpy.types.Scene, work: SceneRun) -> None:
        """The viewport follows; the motion is baked as soon as it is there, while its files are written."""
        if work.bake_early(scene):
            scene.frame_set(scene.frame_start)
        elif scene.mannequin.runs.follow and not work.is_kept:
            work.view(scene)

    def conclude(self, scene: bpy.types.Scene, work: SceneRun) -> str | None:
        """Bake where that is not done, and go to the first frame."""
        is_new = not work.is_kept
        outcome = work.finish(scene)
        if is_new:
            scene.frame_set(scene.frame_start)
        if outcome.run.recording.status == "completed":
            return outcome.text
        self.report({"WARNING"}, outcome.text)
        return None


class MANNEQUIN_OT_simulate_inside(NeedsScenario, bpy.types.Operator):
    """Simulate in Blender's own process, after asking: a run that takes all memory or crashes takes Blender with it.

    bpy.ops.mannequin.simulate_inside()
    """

    reason: StringProperty(description="Why it is asked", options={"SKIP_SAVE", "HIDDEN"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Show the reason and the question, with the buttons of a dialog; Enter, pressed by habit, is no consent."""
        return context.window_manager.invoke_props_dialog(
            self, width=WIDTH, title=TITLE, confirm_text=CONSENT, cancel_default=True
        )

    def draw(self, context: bpy.types.Context) -> None:
        """Write the reason and the question into the dialog."""
        draw_text(self.layout, self.reason, "ERROR", LETTERS)
        draw_text(self.layout, QUESTION, width=LETTERS)

    def run(self, context: bpy.types.Context) -> None:
        """Simulate: beside the interface where there is one."""
        how = "EXEC_DEFAULT" if bpy.app.background or context.window is None else "INVOKE_DEFAULT"
        bpy.ops.mannequin.simulate(how, inside=True)
