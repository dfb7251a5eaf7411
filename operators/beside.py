"""Operators whose work runs beside the interface: polled from a timer, shown in the status bar, cancelled with Esc."""

from typing import Protocol

import bpy

from ..scene.base import activity
from ..scene.base.errors import USER_ERRORS
from .base import MannequinOperator

SECONDS_PER_TICK = 0.05


class Work(Protocol):
    """A running computation that an operator polls."""

    text: str
    """What it is doing, for the user."""
    share: float
    warning: str
    """A problem that did not end it, for the user; empty where there is none."""

    def poll(self) -> bool:
        """Take in new results; true at the end. Never waits."""

    def wait(self) -> None:
        """Wait for the end."""

    def cancel(self) -> None:
        """Stop, and restore the scene."""

    is_kept: bool
    """Whether the result is in the scene already and its files are being written: Esc does nothing then."""


class Beside(MannequinOperator):
    """Mixin: `begin` starts the work, `conclude` takes its result; in scripts and background mode both at once."""

    stopped = "Cancelled; the scene is as it was"
    """Message after Esc."""

    def begin(self, scene: bpy.types.Scene) -> Work:
        """Start the work."""
        raise NotImplementedError

    def conclude(self, scene: bpy.types.Scene, work: Work) -> str | None:
        """Use the result of the work and return the text to report."""
        raise NotImplementedError

    def watch(self, scene: bpy.types.Scene, work: Work) -> None:
        """Show intermediate results, where there are any."""

    def asks_about(self, error: Exception) -> bool:
        """Whether a dialog tells of the error that ended work beside the interface; else it is reported."""
        return False

    needs = (
        (lambda context: not activity.CURRENT.text, "Another computation is running: wait, or press Esc"),
    )

    def run(self, context: bpy.types.Context) -> str | None:
        """Compute to the end at once."""
        work = self.begin(context.scene)
        try:
            work.wait()
        except BaseException:
            work.cancel()
            raise
        self._warn(work)
        return self.conclude(context.scene, work)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Compute beside the interface; without a window at once."""
        if bpy.app.background or context.window is None:
            return self.execute(context)
        try:
            self._scene, self._work, self._warned = context.scene.name, self.begin(context.scene), ""
        except USER_ERRORS as error:
            if not self.asks_about(error):
                self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self._timer = context.window_manager.event_timer_add(SECONDS_PER_TICK, window=context.window)
        context.window_manager.modal_handler_add(self)
        self._show_progress(context)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Poll the work at each tick of the timer."""
        scene = bpy.data.scenes.get(self._scene)
        if event.type == "ESC" and self._work.is_kept:
            return {"RUNNING_MODAL"}
        if event.type == "ESC" or scene is None:
            self.cancel(context)
            self.report({"INFO"}, self.stopped)
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        try:
            return self._tick(context, scene)
        except USER_ERRORS as error:
            self.cancel(context)
            if not self.asks_about(error):
                self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        except Exception:
            self.cancel(context)
            raise

    def cancel(self, context: bpy.types.Context) -> None:
        """Stop, and restore the scene; also when Blender ends the operator, as when another file is opened."""
        self._clear(context)
        self._work.cancel()

    def _tick(self, context: bpy.types.Context, scene: bpy.types.Scene) -> set[str]:
        ended = self._work.poll()
        self._show_progress(context)
        if self._work.warning != self._warned:
            self._warned = self._work.warning
            self._warn(self._work)
        if not ended:
            self.watch(scene, self._work)
            return {"RUNNING_MODAL"}
        message = self.conclude(scene, self._work)
        if message:
            self.report({"INFO"}, message)
        self.log(scene, message)
        self._clear(context)
        return {"FINISHED"}

    def _warn(self, work: Work) -> None:
        if work.warning:
            self.report({"WARNING"}, work.warning)

    def _show_progress(self, context: bpy.types.Context) -> None:
        """Progress in the status bar and in the panel; drawn where it has changed, and the panel only."""
        text, share = self._work.text, round(self._work.share, 3)
        if (text, share) == (activity.CURRENT.text, activity.CURRENT.share):
            return
        activity.set_activity(text, share)
        context.workspace.status_text_set(text if self._work.is_kept else f"{text}    Esc: cancel")
        for area in context.screen.areas if context.screen else ():
            for region in area.regions if area.type == "VIEW_3D" else ():
                if region.type == "UI":
                    region.tag_redraw()

    def _clear(self, context: bpy.types.Context) -> None:
        context.window_manager.event_timer_remove(self._timer)
        if context.workspace is not None:
            context.workspace.status_text_set(None)
        activity.set_activity("")
