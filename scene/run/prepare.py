"""The engine compiled in the background, once after installing, so that the first simulation does not wait for it.

The worker of the session compiles when it starts. Where the folder of compiled code is empty, it is started soon after
Blender; a panel shows how far it has come, and a simulation that is asked for meanwhile goes on with the same worker.
"""

from __future__ import annotations

import bpy

from ...engine.jit import cache_folder
from ...jobs.child import ProcessLost
from ...jobs.engine import EngineWorker, shared_worker
from ..base.activity import BACKGROUND
from ..base.redraw import redraw_viewports

SHIPPED = cache_folder.PREPARED
"""Not asked of `engine.jit.prepared`, which would load LLVM into Blender."""
FIRST, EVERY = 3.0, 0.5
"""Seconds after the start of Blender, and between two looks."""


def is_compiled() -> bool:
    """Whether there is code of this version of the engine, shipped or compiled here; also where it cannot be kept."""
    if SHIPPED.is_dir():
        return True
    folder = cache_folder.choose()
    return folder is None or any(folder.iterdir())


def prepare() -> float | None:
    """Start the worker where nothing is compiled yet, and look how far it is; seconds to the next look, or None."""
    if not BACKGROUND.text and is_compiled():
        return None
    try:
        return look(shared_worker())
    except ProcessLost:  # the first simulation tries again, and says what is wrong
        BACKGROUND.text = ""
        return None


def look(worker: EngineWorker) -> float | None:
    """Take in how far a worker is, for the panel."""
    worker.listen()
    goes_on = worker.is_running and not worker.is_ready
    BACKGROUND.text, BACKGROUND.share = (worker.text, worker.share) if goes_on else ("", 0.0)
    redraw_viewports("UI")
    return EVERY if goes_on else None


def register() -> None:
    """Look for compiled code soon; in background mode whoever simulates compiles."""
    if not bpy.app.background:
        bpy.app.timers.register(prepare, first_interval=FIRST, persistent=True)


def unregister() -> None:
    """Look no more; the worker ends with the extension."""
    if bpy.app.timers.is_registered(prepare):
        bpy.app.timers.unregister(prepare)
    BACKGROUND.text = ""
