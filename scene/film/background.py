"""Render a film beside Blender: a second Blender without a window renders a copy of the file, this one stays free.

One render goes on at a time. A timer looks at it and tells in the status bar and in the panel; nothing waits.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

import bpy

from ..errors import SceneError
from .encode import PARTIAL
from .produce import Film

PACKAGE = __package__.rpartition(".scene.")[0]
FOLDER = Path(__file__).resolve().parent.parent.parent
SECONDS_PER_LOOK = 0.5
SECONDS_TO_END = 3.0


class BackgroundRender:
    """A render in a process of its own. `poll` until it is true, then `result`; or `cancel`."""

    def __init__(self, scene: bpy.types.Scene, film: Film) -> None:
        self.film = film
        self.share = 0.0
        self.text = "Starting a Blender that renders"
        self._temporary = tempfile.TemporaryDirectory(prefix="mannequin-render-", ignore_cleanup_errors=True)
        self._folder = Path(self._temporary.name)
        try:
            job = self._write_job(scene)
            with open(self._folder / "log", "wb") as log:
                self._process = subprocess.Popen(
                    command(job),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    env={**os.environ, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(self._folder))},
                    creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                )
        except BaseException as error:
            self._temporary.cleanup()
            if isinstance(error, RuntimeError):  # what Blender's operators raise
                raise SceneError(f"the file cannot be copied for rendering: {error}") from error
            raise

    def _write_job(self, scene: bpy.types.Scene) -> Path:
        copy = self._folder / "scene.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(copy), copy=True, relative_remap=True)
        job = self._folder / "job.json"
        film = {**asdict(self.film), "target": str(self.film.target.resolve())}
        told = {
            "package": PACKAGE,
            "folder": str(FOLDER),
            "blend": str(copy),
            "scene": scene.name,
            "film": film,
        }
        job.write_text(json.dumps(told), encoding="utf-8")
        return job

    def poll(self) -> bool:
        """Take in how far it has come; true when it has ended."""
        try:
            done, total = (int(part) for part in (self._folder / "progress").read_text().split())
            self.share = done / total
            self.text = (
                f"Rendering frame {done} of {total}" if done < total else f"Writing {self.film.target.name}"
            )
        except OSError:  # no frame yet
            pass
        return self._process.poll() is not None

    def result(self) -> Path:
        """The film; refused in words where there is none. The render must have ended."""
        code = self._process.wait()
        try:
            if code == 0:
                return self.film.target
            raise SceneError(self._fault(code))
        finally:
            self._temporary.cleanup()

    def _fault(self, code: int) -> str:
        error = self._folder / "error"
        if error.exists():
            return error.read_text(encoding="utf-8")
        lines = (self._folder / "log").read_text(encoding="utf-8", errors="replace").strip().splitlines()
        last = lines[-1] if lines else "it printed nothing"
        return f"the Blender that rendered has ended (code {code}): {last}"

    def cancel(self) -> None:
        """End the process; a film that was there before stays as it was."""
        self._process.terminate()
        try:
            self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for left_over in self.film.target.parent.glob(f"{PARTIAL}{self._process.pid}-*"):
            shutil.rmtree(left_over, ignore_errors=True)
        self._temporary.cleanup()


def command(job: Path) -> list[str]:
    """Command line of the process that renders: this very Blender, or this Python where Blender is its module."""
    child = str(Path(__file__).with_name("render_child.py"))
    if bpy.app.binary_path:
        # the copy is opened by the child, after the extension is there to understand it
        addons = ["--addons", PACKAGE] if PACKAGE.startswith("bl_ext.") else []
        return [bpy.app.binary_path, "--background", *addons, "--python", child, "--", str(job)]
    return [sys.executable, child, "--", str(job)]


_current: BackgroundRender | None = None
_told = ""


def current() -> BackgroundRender | None:
    """The render that goes on."""
    return _current


def last_words() -> str:
    """What came of the last render."""
    return _told


def start(scene: bpy.types.Scene, film: Film) -> BackgroundRender:
    """Start a render that tells of itself in the status bar."""
    global _current, _told
    if _current is not None:
        raise SceneError("a film is being rendered already: wait, or cancel it")
    _current, _told = BackgroundRender(scene, film), ""
    bpy.app.timers.register(_look, first_interval=SECONDS_PER_LOOK, persistent=True)
    _show(_current.text)
    return _current


def cancel() -> None:
    """Cancel the render that goes on."""
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
    if not _current.poll():
        _show(f"{_current.text}. The panel Render can cancel it")
        return SECONDS_PER_LOOK
    ended, _current = _current, None
    try:
        _told = f"Wrote {ended.result()}"
    except SceneError as error:
        _told = f"No film: {error}"
    _show(None)
    return None


def _show(text: str | None) -> None:
    """A text in the status bar, or Blender's own again; and the panels drawn anew."""
    for workspace in bpy.data.workspaces:
        workspace.status_text_set(text)
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


def stop() -> None:
    """End what goes on: the extension is being switched off."""
    if _current is not None:
        cancel()
    if bpy.app.timers.is_registered(_look):
        bpy.app.timers.unregister(_look)
