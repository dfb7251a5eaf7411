"""Render a film beside Blender: a second Blender without a window renders a copy of the file, this one stays free.

One render runs at a time. A timer polls it and shows its progress in the status bar and in the panel; nothing waits.
"""

from dataclasses import replace
from pathlib import Path

import bpy

from ...jobs.film import RenderWorker
from ..base.errors import USER_ERRORS, SceneError
from ..base.redraw import redraw_viewports
from ..base.scene_job import SceneJob
from .produce import Film

SECONDS_PER_LOOK = 0.5


class BackgroundRender(SceneJob):
    """A render in a process of its own. At the end, `result`."""

    def __init__(self, scene: bpy.types.Scene, film: Film) -> None:
        self._worker = RenderWorker(bpy.app.binary_path)
        try:
            copy = self._worker.child.folder / "scene.blend"
            bpy.ops.wm.save_as_mainfile(filepath=str(copy), copy=True, relative_remap=True)
            film = replace(film, target=film.target.resolve())
            self.job = self._worker.render_scene(copy, scene.name, film)
        except BaseException as error:
            self._worker.close()
            if isinstance(error, RuntimeError):  # what Blender's operators raise
                raise SceneError(f"the file cannot be copied for rendering: {error}") from error
            raise

    def result(self) -> Path:
        """The film; raises the reason where there is none. The render must have ended."""
        try:
            return self.job.result()
        finally:
            self._worker.close()

    def cancel(self) -> None:
        """End the process; a film that was there before stays as it was."""
        self._worker.close()


_current: BackgroundRender | None = None
_told = ""


def current() -> BackgroundRender | None:
    """The render that is running."""
    return _current


def last_words() -> str:
    """Result of the last render, for the panel."""
    return _told


def start(scene: bpy.types.Scene, film: Film) -> BackgroundRender:
    """Start a render that shows its progress in the status bar."""
    global _current, _told
    if _current is not None:
        raise SceneError("a film is being rendered already: wait, or cancel it")
    _current, _told = BackgroundRender(scene, film), ""
    bpy.app.timers.register(_look, first_interval=SECONDS_PER_LOOK, persistent=True)
    _show(_current.text)
    return _current


def cancel() -> None:
    """Cancel the running render."""
    global _current, _told
    if _current is None:
        raise SceneError("no film is being rendered")
    _current.cancel()
    _current, _told = None, "Render cancelled"
    _show(None)


def _look() -> float | None:
    """Called by Blender's timer; returns when to look again, or None at the end."""
    global _current, _told
    if _current is None:
        return None
    try:
        if not _current.poll():
            _show(f"{_current.text}. The panel Render can cancel it")
            return SECONDS_PER_LOOK
        _told = f"Wrote {_current.result()}"
    except USER_ERRORS as error:
        _told = f"No film: {error}"
        _current.cancel()
    _current = None
    _show(None)
    return None


def _show(text: str | None) -> None:
    """A text in the status bar, or Blender's own again; and redraw the panels."""
    for workspace in bpy.data.workspaces:
        workspace.status_text_set(text)
    redraw_viewports()


def stop() -> None:
    """End the running render: the extension is being disabled."""
    if _current is not None:
        cancel()
    if bpy.app.timers.is_registered(_look):
        bpy.app.timers.unregister(_look)
