"""Operators whose work goes on beside the interface: asked after from a timer, told in words, cancelled with Esc."""

from __future__ import annotations

from typing import Protocol

import bpy

from ..scene import activity
from ..scene.errors import USER_ERRORS
from .base import MannequinOperator

SECONDS_PER_TICK = 0.05


class Work(Protocol):
    """Something that goes on."""

    text: str
    """What is going on, in words"""
    share: float
    warning: str
    """What went wrong on the way without ending it, in words"""

    def tick(self) -> bool:
        """Take in what has come; true at the end. Never waits."""

    def wait(self) -> None:
        """Wait for the end."""

    def cancel(self) -> None:
        """Stop, and put everything back."""


class Beside(MannequinOperator):
    """Mixin: `begin` starts the work, `conclude` takes its result; in scripts and background mode both at once."""

    stopped = "Cancelled; the scene is as it was"
    """What to tell after Esc"""

    def begin(self, scene: bpy.types.Scene) -> Work:
        """Start the work."""
        raise NotImplementedError

    def conclude(self, scene: bpy.types.Scene, work: Work) -> str | None:
        """Take the result of the work; the returned text is reported."""
        raise NotImplementedError

    def watch(self, scene: bpy.types.Scene, work: Work) -> None:
        """Show what has come so far, where there is something to show."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether nothing else is going on."""
        if activity.CURRENT.text:
            cls.poll_message_set("Something is going on: wait, or press Esc")
            return False
        return super().poll(context)

    def run(self, context: bpy.types.Context) -> str | None:
        """Do it at once."""
        work = self.begin(context.scene)
        work.wait()
        self._warn(work)
        return self.conclude(context.scene, work)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Do it beside the interface; without a window at once."""
        if bpy.app.background or context.window is None:
            return self.execute(context)
        try:
            self._scene, self._work, self._warned = context.scene.name, self.begin(context.scene), ""
        except USER_ERRORS as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self._timer = context.window_manager.event_timer_add(SECONDS_PER_TICK, window=context.window)
        context.window_manager.modal_handler_add(self)
        self._tell(context)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Look after the work at each tick of the timer."""
        scene = bpy.data.scenes.get(self._scene)
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
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        except Exception:
            self.cancel(context)
            raise

    def cancel(self, context: bpy.types.Context) -> None:
        """Stop, and put everything back; also when Blender ends the operator, as when another file is opened."""
        self._clear(context)
        self._work.cancel()

    def _tick(self, context: bpy.types.Context, scene: bpy.types.Scene) -> set[str]:
        ended = self._work.tick()
        self._tell(context)
        if self._work.warning != self._warned:
            self._warned = self._work.warning
            self._warn(self._work)
        if not ended:
            self.watch(scene, self._work)
            return {"RUNNING_MODAL"}
        told = self.conclude(scene, self._work)
        if told:
            self.report({"INFO"}, told)
        self._clear(context)
        return {"FINISHED"}

    def _warn(self, work: Work) -> None:
        if work.warning:
            self.report({"WARNING"}, work.warning)

    def _tell(self, context: bpy.types.Context) -> None:
        """Progress in the status bar and in the panel; drawn where it has changed, and the panel only."""
        text, share = self._work.text, round(self._work.share, 3)
        if (text, share) == (activity.CURRENT.text, activity.CURRENT.share):
            return
        activity.tell(text, share)
        context.workspace.status_text_set(f"{text}    Esc: cancel")
        for area in context.screen.areas if context.screen else ():
            for region in area.regions if area.type == "VIEW_3D" else ():
                if region.type == "UI":
                    region.tag_redraw()

    def _clear(self, context: bpy.types.Context) -> None:
        context.window_manager.event_timer_remove(self._timer)
        if context.workspace is not None:
            context.workspace.status_text_set(None)
        activity.tell("")
