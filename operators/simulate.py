"""Simulate: in a window bit by bit with progress and Esc, in scripts and background mode at once."""

import time

import bpy

from ..scene import activity, compile_engine
from ..scene.errors import USER_ERRORS
from ..scene.simulate import SceneRun, simulate_scene
from .base import NeedsScenario


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
        context.scene.frame_set(context.scene.frame_start)
        return outcome.text

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Simulate bit by bit; without a window at once."""
        if bpy.app.background or context.window is None:
            return self.execute(context)
        self._scene, self._job, self._compiling = context.scene.name, None, None
        self._begun = time.monotonic()
        try:
            if compile_engine.is_ready():
                self._job = SceneRun(context.scene)
            else:
                self._compiling = compile_engine.start_compiling()
        except USER_ERRORS as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self._timer = context.window_manager.event_timer_add(0.05, window=context.window)
        context.window_manager.modal_handler_add(self)
        self._tell(context, "Starting the simulation", 0.0)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Go on computing at each tick of the timer."""
        scene = bpy.data.scenes.get(self._scene)
        if event.type == "ESC" or scene is None:
            return self._end(context, scene, cancelled=True)
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        try:
            return self._tick(context, scene)
        except USER_ERRORS as error:
            self.report({"ERROR"}, str(error))
            return self._end(context, scene, cancelled=True)
        except Exception:
            self._end(context, scene, cancelled=True)
            raise

    def _tick(self, context: bpy.types.Context, scene: bpy.types.Scene) -> set[str]:
        if self._compiling is not None and self._compiling.poll() is None:
            waited = time.monotonic() - self._begun
            text = f"Compiling the engine, once after installing: {waited:.0f} s, usually less than a minute"
            self._tell(context, text, min(0.95, waited / 60.0))
            return {"RUNNING_MODAL"}
        if self._job is None:
            self._compiling = None
            self._job = SceneRun(scene)
        ended = self._job.tick()
        self._tell(context, self._job.text, self._job.share)
        if not ended:
            if scene.mannequin.film.follow:
                self._job.view(scene)
            return {"RUNNING_MODAL"}
        outcome = self._job.finish(scene)
        scene.frame_set(scene.frame_start)
        good = outcome.run.recording.status == "completed"
        self.report({"INFO"} if good else {"WARNING"}, outcome.text)
        return self._end(context, scene, cancelled=False)

    def _tell(self, context: bpy.types.Context, text: str, share: float) -> None:
        """Progress in the status bar and in the panel."""
        activity.tell(text, share)
        context.workspace.status_text_set(f"{text}    Esc: cancel")
        for area in context.screen.areas if context.screen else ():
            if area.type == "VIEW_3D":
                area.tag_redraw()

    def _end(self, context: bpy.types.Context, scene: bpy.types.Scene | None, cancelled: bool) -> set[str]:
        context.window_manager.event_timer_remove(self._timer)
        context.workspace.status_text_set(None)
        if self._compiling is not None:
            compile_engine.stop(self._compiling)
        activity.tell("")
        if scene is not None and cancelled and self._job is not None:
            self._job.restore_view(scene)
        if cancelled:
            self.report({"INFO"}, "Simulation cancelled; the scene is as it was")
        return {"CANCELLED"} if cancelled else {"FINISHED"}


CLASSES = (MANNEQUIN_OT_simulate,)
