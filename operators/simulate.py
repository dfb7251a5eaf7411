"""Simulate: in a window beside the interface, with progress and Esc; in scripts and background mode at once."""

import bpy

from ..scene import activity
from ..scene.errors import USER_ERRORS
from ..scene.simulate import SceneRun, simulate_scene
from .base import NeedsScenario

SECONDS_PER_TICK = 0.05


class MANNEQUIN_OT_simulate(NeedsScenario, bpy.types.Operator):
    """Simulate the scenario, write its run folder and bake the motion.

    bpy.ops.mannequin.simulate()"""

    bl_idname = "mannequin.simulate"
    bl_label = "Simulate"
    bl_description = (
        "Compute the motion, write the run folder and bake the motion onto the actors. Esc cancels"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is something to simulate, and no simulation going on."""
        if activity.CURRENT.text:
            cls.poll_message_set("A simulation is going on: wait, or press Esc")
            return False
        return super().poll(context)

    def run(self, context: bpy.types.Context) -> str:
        """Simulate at once."""
        outcome = simulate_scene(context.scene)
        if outcome.warning:
            self.report({"WARNING"}, outcome.warning)
        context.scene.frame_set(context.scene.frame_start)
        return outcome.text

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Simulate beside the interface; without a window at once."""
        if bpy.app.background or context.window is None:
            return self.execute(context)
        try:
            self._scene, self._job, self._warned = context.scene.name, SceneRun(context.scene), False
        except USER_ERRORS as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self._timer = context.window_manager.event_timer_add(SECONDS_PER_TICK, window=context.window)
        context.window_manager.modal_handler_add(self)
        self._tell(context)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Look after the run at each tick of the timer."""
        scene = bpy.data.scenes.get(self._scene)
        if event.type == "ESC" or scene is None:
            self.report({"INFO"}, "Simulation cancelled; the scene is as it was")
            return self._give_up(context)
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        try:
            return self._tick(context, scene)
        except USER_ERRORS as error:
            self.report({"ERROR"}, str(error))
            return self._give_up(context)
        except Exception:
            self._give_up(context)
            raise

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender ends the operator itself, as when another file is opened."""
        self._give_up(context)

    def _tick(self, context: bpy.types.Context, scene: bpy.types.Scene) -> set[str]:
        ended = self._job.tick()
        self._tell(context)
        if self._job.warning and not self._warned:
            self._warned = True
            self.report({"WARNING"}, self._job.warning)
        if not ended:
            if scene.mannequin.film.follow:
                self._job.view(scene)
            return {"RUNNING_MODAL"}
        outcome = self._job.finish(scene)
        scene.frame_set(scene.frame_start)
        good = outcome.run.recording.status == "completed"
        self.report({"INFO"} if good else {"WARNING"}, outcome.text)
        self._clear(context)
        return {"FINISHED"}

    def _tell(self, context: bpy.types.Context) -> None:
        """Progress in the status bar and in the panel; drawn where it has changed, and the panel only."""
        text, share = self._job.text, round(self._job.share, 3)
        if (text, share) == (activity.CURRENT.text, activity.CURRENT.share):
            return
        activity.tell(text, share)
        context.workspace.status_text_set(f"{text}    Esc: cancel")
        for area in context.screen.areas if context.screen else ():
            for region in area.regions if area.type == "VIEW_3D" else ():
                if region.type == "UI":
                    region.tag_redraw()

    def _give_up(self, context: bpy.types.Context) -> set[str]:
        """Stop, and put everything back."""
        self._clear(context)
        self._job.cancel(bpy.data.scenes.get(self._scene))
        return {"CANCELLED"}

    def _clear(self, context: bpy.types.Context) -> None:
        context.window_manager.event_timer_remove(self._timer)
        if context.workspace is not None:
            context.workspace.status_text_set(None)
        activity.tell("")


CLASSES = (MANNEQUIN_OT_simulate,)
