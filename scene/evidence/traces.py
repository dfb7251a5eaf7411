"""Agreeing runs drawn: the paths that they take, and where they end, in a colour for each hypothesis."""

import bpy
import numpy as np

from ..base.errors import SceneError
from ..base.units import units_of
from ..run.sweep_traces import LIFT, dots_object
from ..show.materials import material
from ..show.traces.collection import new_trace_collection, remove_trace, trace_collection
from ..show.traces.paths import COLORS, THICKNESS, paths_object
from .runs import Agreeing, agreeing_runs, open_folder

KIND = "agreeing"
MOST_DRAWN = 100
"""Runs of each hypothesis."""
DOT = 0.02
"""m"""


def is_drawn(scene: bpy.types.Scene) -> bool:
    """Whether the agreeing runs of what the panel shows are drawn."""
    return bool(scene.mannequin.evidence.folder) and (
        trace_collection(scene, open_folder(scene).name, KIND) is not None
    )


def toggle_agreeing(scene: bpy.types.Scene) -> str:
    """Draw the agreeing runs, or remove them where they are drawn; returns a message."""
    name = open_folder(scene).name
    if remove_trace(scene, name, KIND):
        return "Removed the agreeing runs"
    made = [
        obj
        for number, agreeing in enumerate(agreeing_runs(scene))
        for obj in _objects(agreeing, COLORS[number % len(COLORS)], scene)
    ]
    if not made:
        raise SceneError("no run agrees, or none kept its path: there is nothing to draw")
    new_trace_collection(scene, name, KIND, made)
    return f"Drew the agreeing runs as {len(made)} objects"


def _objects(agreeing: Agreeing, color: tuple, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """For each body with paths: the paths, and dots where they end."""
    from ...sweeps.table import read_traces

    kept = read_traces(agreeing.folder)
    if kept is None or not agreeing.numbers:
        return []
    metres = units_of(scene).metres
    paths = np.asarray(kept[sorted(agreeing.numbers[:MOST_DRAWN])], dtype=float)
    of = f" of {agreeing.hypothesis}" if agreeing.hypothesis else ""
    made = []
    for number, body in enumerate(agreeing.bodies):
        ends = paths[:, number, -1] + (0.0, 0.0, LIFT)
        dots = dots_object(f"{body} ends{of}", ends / metres, DOT / metres)
        dots.data.materials.append(material(f"Path {COLORS.index(color) + 1}", color, 0.5))
        made += [
            paths_object(f"{body} paths{of}", paths[:, number] / metres, 0.3 * THICKNESS / metres, color),
            dots,
        ]
    return made
