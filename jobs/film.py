"""The process that renders a film: a Blender without a window, or a Python that has Blender as a module."""

import re
import shutil
from importlib.util import find_spec
from pathlib import Path

from . import interpreter, protocol
from .child import ChildProcess
from .worker import Job, Worker

PARTIAL = ".film-"
"""Name of a folder beside the film in which it is written, before the number of the process that writes."""
PACKAGE = __package__.rpartition(".")[0]
"""This package, under whatever name it was loaded"""
SCRIPT = interpreter.FOLDER / "scene" / "film" / "render_child.py"

HARMLESS = re.compile(
    r"EGL Error \(0x3009\): EGL_BAD_MATCH"  # Blender tries newer contexts first, and says so for each it cannot get
    r"|^libEGL warning: "  # Mesa looks for a screen where there is none
    r"|^MESA-LOADER: failed to open"
    r"|^(MESA|ZINK): (warning|info)"
    r"|^\s*$"
)
"""Lines on standard error that mean nothing to anybody who renders without a screen."""


class RenderWorker(Worker):
    """A Blender that renders one film. Raises ProcessLost where it cannot be started.

    blender: program to start; "" for this Python, which then has Blender as a module (`has_blender`).
    """

    def __init__(self, blender: str = "") -> None:
        child = ChildProcess(
            "the Blender that renders",
            lambda folder: command(blender, folder),
            interpreter.environment(),
            lambda line: HARMLESS.search(line) is not None,
        )
        super().__init__(child, "Starting a Blender that renders", "Preparing the film")
        self._target: Path | None = None

    def render_scene(self, blend: Path, scene: str, film: protocol.Film) -> Job:
        """Render a scene of a Blender file. Raises ProcessLost."""
        job, self._target = Job(self, self.next_number()), film.target
        return self.give(protocol.RenderScene(job.number, blend, scene, film), job)

    def render_runs(self, **asked: object) -> Job:
        """Render runs, as `protocol.RenderRuns` says. Raises ProcessLost."""
        job, self._target = Job(self, self.next_number()), asked["film"].target
        return self.give(protocol.RenderRuns(job.number, **asked), job)

    def close(self) -> None:
        """End it; of a film that is not finished nothing is left."""
        super().close()
        if self._target is not None:
            remove_partial(self._target, self.child.id)


def remove_partial(target: Path, process: int) -> None:
    """Remove what a process that ended in the middle of writing a film has left beside it."""
    for left_over in target.parent.glob(f"{PARTIAL}{process}-*"):
        shutil.rmtree(left_over, ignore_errors=True)


def has_blender() -> bool:
    """Whether this Python has Blender as a module."""
    return find_spec("bpy") is not None


def command(blender: str, folder: Path) -> list[str]:
    """Command line of the process that renders."""
    arguments = ["--", str(folder), PACKAGE]
    if not blender:
        return [interpreter.python(), "-P", str(SCRIPT), *arguments]
    # files are opened by the script, after the extension is there to understand them
    addons = ["--addons", PACKAGE] if PACKAGE.startswith("bl_ext.") else []
    return [blender, "--background", *addons, "--python", str(SCRIPT), *arguments]
