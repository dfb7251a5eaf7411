"""Labels and dimension lines of a film: what they say from the run, where they stand for the camera, frame by frame."""

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Vector

from ...analysis.annotations import Annotation, annotation_of, at_times
from ..base.comma_list import comma_list
from ..base.frames import at_frames
from ..base.units import units_of
from ..show.results import last_run
from .label_layout import Box, place_labels

LETTER = 0.56
"""Width of a letter as a share of the text's height, on average; longer texts are shrunk to their plate."""


@dataclass(frozen=True)
class DrawnLabel:
    """A label over the frames of a shot, in pixels of the picture from its middle."""

    text: str
    unit: str
    decimals: int
    frames: np.ndarray
    """(n,)"""
    values: np.ndarray
    """(n,)"""
    places: np.ndarray
    """(n, 2) middle of its plate; NaN where it is not shown"""
    anchors: np.ndarray
    """(n, 2) what it is about"""
    ends: np.ndarray | None
    """(n, 2) the other end of a dimension line"""
    width: float
    """Of its plate"""

    @property
    def shown(self) -> np.ndarray:
        """(n,) whether it is in the picture."""
        return np.isfinite(self.places).all(axis=1)


def drawn_labels(
    scene: bpy.types.Scene,
    frames: Sequence[float],
    times: Sequence[tuple[float, float]],
    size: float,
    taken: list[Box],
) -> tuple[DrawnLabel, ...]:
    """Labels of the panel at frames of the scene, as its camera sees them.

    times: (frame, simulated s) corners of the clock. size: height of a line of text, pixels. taken: boxes of the
    picture that the rest of the overlay takes.
    """
    asked = comma_list(scene.mannequin.film.labels)
    if not asked:
        return ()
    recording, shown = last_run(scene).recording, np.array(frames, dtype=float)
    keys = np.array(times)
    moments = np.interp(shown, keys[:, 0], keys[:, 1])
    made = [at_times(annotation_of(recording, text), recording.times, moments) for text in asked]
    metres = units_of(scene).metres
    seen = [np.full((len(shown), len(made), 2), np.nan) for _ in range(2)]
    for row, _ in enumerate(at_frames(scene, shown)):
        matrix = view_matrix(scene)
        for column, annotation in enumerate(made):
            for found, points in zip(seen, (annotation.anchor, annotation.end), strict=True):
                if points is not None:
                    found[row, column] = in_picture(scene, matrix, points[row] / metres)
    return laid_out(scene, made, shown, seen, size, taken)


def laid_out(
    scene: bpy.types.Scene,
    made: list[Annotation],
    frames: np.ndarray,
    seen: list[np.ndarray],
    size: float,
    taken: list[Box],
) -> tuple[DrawnLabel, ...]:
    """Places of labels from frame to frame; `seen` are (frames, labels, 2) anchors and ends in the picture."""
    half = np.array([scene.render.resolution_x, scene.render.resolution_y]) / 2.0
    picture = (*(-half + 0.5 * size), *(half - 0.5 * size))
    widths = [LETTER * 0.82 * size * longest(a) + 1.2 * size for a in made]
    sizes = np.array([(width, 1.5 * size) for width in widths])
    places = np.full((len(frames), len(made), 2), np.nan)
    before = None
    for row in range(len(frames)):
        anchors, ends = seen[0][row], seen[1][row]
        about = np.where(np.isfinite(ends), (anchors + ends) / 2.0, anchors)
        off = (np.abs(about) > half).any(axis=1)
        hidden = [a.shown is not None and not a.shown[row] for a in made]
        about[off | np.array(hidden)] = np.nan
        places[row] = place_labels(about, sizes, picture, taken, before)
        before = places[row] - about
    return tuple(
        DrawnLabel(
            a.text, a.unit, a.decimals, frames, a.values, places[:, k], seen[0][:, k],
            None if a.end is None else seen[1][:, k], widths[k],
        )
        for k, a in enumerate(made)
    )  # fmt: skip


def longest(annotation: Annotation) -> int:
    """Letters of the longest text that an annotation shows."""
    largest = float(np.abs(annotation.values).max())
    return len(f"{annotation.text}  {largest:.{annotation.decimals}f} {annotation.unit}")


def view_matrix(scene: bpy.types.Scene) -> np.ndarray:
    """(4, 4) world to picture of the scene's camera at the frame that is shown."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    camera = scene.camera.evaluated_get(depsgraph)
    flat = camera.calc_matrix_camera(depsgraph, x=scene.render.resolution_x, y=scene.render.resolution_y)
    return np.array(flat @ camera.matrix_world.inverted_safe())


def in_picture(scene: bpy.types.Scene, matrix: np.ndarray, point: np.ndarray) -> np.ndarray:
    """(2,) pixels from the middle of the picture of a place in the world; NaN behind the camera."""
    x, y, _, w = matrix @ (*Vector(point), 1.0)
    if w <= 1e-9:
        return np.full(2, np.nan)
    return np.array([x / w * scene.render.resolution_x, y / w * scene.render.resolution_y]) / 2.0
