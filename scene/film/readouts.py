"""Values that the overlay shows as they change: time series that a bake left on the armatures."""

import re

import bpy
import numpy as np

from ...analysis.measures.measure import FLAG
from ..base.blender_version import fcurves_of
from ..base.errors import SceneError
from ..base.playing import Playing
from ..motion.bake import playing_of
from ..store import callbacks
from ..store.actors import actors_of
from .overlay import Readout

PATH = re.compile(r'\["(.+)"\]')
DIGITS = 3
"""Digits before and after the point that a read-out shows at its peak, at least."""


FLAGGED_BY = {
    " acceleration": ("peak acceleration", "HIC15", "3 ms clip, contiguous", "chest 3 ms clip"),
    " contact force": ("peak contact force",),
}
"""Ending of a series' name to the measures whose flags it shows."""


def series_curves(scene: bpy.types.Scene) -> dict[str, tuple[bpy.types.FCurve, Playing]]:
    """Curves of all time series that play, and when they do, by "actor: series"."""
    found = {}
    for actor in actors_of(scene):
        playing = playing_of(actor)
        for curve in fcurves_of(playing.action) if playing is not None else ():
            match = PATH.fullmatch(curve.data_path)
            if match:
                found[f"{actor.name}: {match[1]}"] = curve, playing
    return found


def readout_of(scene: bpy.types.Scene, text: str) -> Readout:
    """The read-out of a time series, named by "actor: series", by the series alone, or by how one of these begins.

    It has all samples: slow motion shows what was between two frames.
    """
    curves = series_curves(scene)
    wanted = text.strip().lower()
    name = next((n for n in curves if n.lower() == wanted), None)
    name = name or next((n for n in curves if n.lower().startswith(wanted)), None)
    name = name or next((n for n in curves if n.partition(": ")[2].lower().startswith(wanted)), None)
    if name is None:
        known = ", ".join(curves) or "none: simulate or bake first"
        raise SceneError(f"there is no time series '{text.strip()}' to read out. There are: {known}")
    actor, _, series = name.partition(": ")
    label, unit = series.strip(), ""
    if series.endswith(")") and " (" in series:
        label, _, unit = series[:-1].rpartition(" (")
    mark = f" {FLAG}" if is_flagged(scene, label) else ""
    if len({n.partition(": ")[0] for n in curves}) > 1:
        label = f"{actor}: {label}"
    label += mark
    curve, playing = curves[name]
    keys = tuple((playing.scene_frame(frame), value) for frame, value in keys_of(curve))
    peak = max(abs(value) for _, value in keys)
    before = len(str(int(peak)))
    return Readout(label[:1].upper() + label[1:], unit, max(0, min(2, DIGITS - before)), keys)


def is_flagged(scene: bpy.types.Scene, series: str) -> bool:
    """Whether the results of the run say that a measure which follows from a series ("head acceleration") is beyond its
    range of trust."""
    for ending, measures in FLAGGED_BY.items():
        if series.endswith(ending):
            body = series.removesuffix(ending)
            return any(
                row.flags and row.name in measures and row.subject.rpartition(" / ")[2] == body
                for row in scene.mannequin.results.measures
            )
    return False


def keys_of(curve: bpy.types.FCurve) -> tuple[tuple[float, float], ...]:
    """(frame, value) of the keyframes of a curve."""
    points = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
    curve.keyframe_points.foreach_get("co", points)
    return tuple((float(frame), float(value)) for frame, value in points.reshape(-1, 2))


register, unregister = callbacks.answered({"readouts": series_curves})
