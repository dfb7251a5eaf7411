"""The engine compiled in the background, once after installing, so that the first simulation does not wait for it.

The worker of the session compiles when it starts. Where the folder of compiled code is empty, it is started soon after
Blender, and a second process with it that compiles what the worker does not (`jobs.beside`); a panel shows how far they
have come, and a simulation that is asked for meanwhile goes on with the same worker.
"""

import bpy

from ...engine.jit import cache_folder
from ...jobs.beside import start_compiling_beside
from ...jobs.child import ChildProcess, ProcessLost
from ...jobs.engine import EngineWorker, shared_worker
from ..base.activity import BACKGROUND
from ..base.redraw import redraw_viewports

SHIPPED = cache_folder.PREPARED
"""Not asked of `engine.jit.prepared`, which would load LLVM into Blender."""
LAST, SHARE_OF_LAST = "Compiling muscles, responses and driving; simulations can begin", 0.95
"""Shown when the worker is ready and the second process is not."""
FIRST, EVERY = 3.0, 0.5
"""Seconds after the start of Blender, and between two looks."""


_beside: ChildProcess | None = None
"""The second process, while there is one"""


def is_compiled() -> bool:
    """Whether there is code of this version of the engine, shipped or compiled here; also where it cannot be kept."""
    if SHIPPED.is_dir():
        return True
    folder = cache_folder.choose()
    return folder is None or any(folder.iterdir())


def prepare() -> float | None:
    """Start the processes where nothing is compiled yet, and look how far they are; seconds to the next look, or
    None."""
    global _beside
    if not BACKGROUND.text:
        if is_compiled():
            return None
        _beside = start_compiling_beside()
    try:
        return look(shared_worker())
    except ProcessLost:  # the first simulation tries again, and says what is wrong
        BACKGROUND.text = ""
        return None


def look(worker: EngineWorker) -> float | None:
    """Take in how far the processes are, for the panel."""
    worker.listen()
    is_beside = _beside is not None and _beside.is_running
    if worker.is_running and not worker.is_ready:
        BACKGROUND.text, BACKGROUND.share = worker.text, worker.share
    elif is_beside:
        BACKGROUND.text, BACKGROUND.share = LAST, SHARE_OF_LAST
    else:
        BACKGROUND.text, BACKGROUND.share = "", 0.0
    redraw_viewports("UI")
    return EVERY if BACKGROUND.text else None


def end_compiling() -> None:
    """End the second process, where there is one."""
    global _beside
    if _beside is not None:
        _beside.close()
        _beside = None


def register() -> None:
    """Look for compiled code soon; in background mode whoever simulates compiles."""
    if not bpy.app.background:
        bpy.app.timers.register(prepare, first_interval=FIRST, persistent=True)


def unregister() -> None:
    """Look no more; both processes end with the extension."""
    if bpy.app.timers.is_registered(prepare):
        bpy.app.timers.unregister(prepare)
    end_compiling()
    BACKGROUND.text = ""
