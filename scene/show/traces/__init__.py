"""Traces of a run, shown in the scene: force arrows, paths, ghosts and contact marks.

All of it is ordinary Blender data in one collection per run, with one collection per kind inside, so that it plays,
renders and is saved without this extension.
"""

from collections.abc import Callable

import bpy

from ....analysis.files.run_folder import Run
from ....analysis.time_map import TimeMap
from ...base.errors import SceneError
from . import arrows, ghosts, marks, paths
from .collection import hide_other_runs, new_trace_collection, remove_trace, trace_collection

KINDS: dict[str, Callable[[Run, bpy.types.Scene, TimeMap], list[bpy.types.Object]]] = {
    "forces": arrows.make_arrows,
    "paths": paths.make_paths,
    "ghosts": ghosts.make_ghosts,
    "marks": marks.make_marks,
}


def has_trace(scene: bpy.types.Scene, run: str, kind: str) -> bool:
    """Whether a kind of a run is shown."""
    return trace_collection(scene, run, kind) is not None


def add_trace(run: Run, scene: bpy.types.Scene, kind: str, time_map: TimeMap) -> int:
    """Show a kind, in place of an earlier one of the same run; returns the number of objects."""
    if run.recording.frames == 0:
        raise SceneError("the run has no output to show: simulate again")
    remove_trace(scene, run.stem, kind)
    made = KINDS[kind](run, scene, time_map)
    if not made:
        raise SceneError("nothing touched anything in this run: there is nothing to show")
    new_trace_collection(scene, run.stem, kind, made)
    return len(made)


def refresh_traces(run: Run, scene: bpy.types.Scene, time_map: TimeMap) -> None:
    """Renew what is shown of a run that was baked again, and hide the traces of other runs."""
    hide_other_runs(scene, run.stem)
    for kind in KINDS:
        if has_trace(scene, run.stem, kind):
            add_trace(run, scene, kind, time_map)
