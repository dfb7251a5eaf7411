"""A small plot in the overlay: a time series over the simulated time, and a line that goes along with the clock."""

from collections.abc import Sequence

import bpy
import numpy as np

from .label_layout import Box
from .nodes import Drawing, Socket

WIDE, HIGH = 0.30, 0.22
"""Share of the picture's width and height."""
MARGIN = 0.9
"""Lines of text between the frame of the plot and its curve, and between the plot and the edge of the picture."""


class InsetPlot:
    """Where a plot is in the picture, and its curve; pixels from the middle."""

    def __init__(self, width: float, height: float, band: float, size: float) -> None:
        self.size = size
        right, low = width / 2.0 - MARGIN * size, band + MARGIN * size
        self.box: Box = (right - WIDE * width, low, right, low + HIGH * height)
        left, bottom, right, top = self.box
        self.inner: Box = (
            left + MARGIN * size,
            bottom + MARGIN * size,
            right - MARGIN * size,
            top - 2.1 * size,
        )

    def x_of(self, times: np.ndarray, end: float) -> np.ndarray:
        """Places across of simulated times (s)."""
        left, _, right, _ = self.inner
        return left + (right - left) * np.clip(np.asarray(times) / max(end, 1e-9), 0.0, 1.0)

    def curve(self, times: np.ndarray, values: np.ndarray, end: float) -> np.ndarray:
        """(n, 2) places of the curve, its largest size at the top."""
        _, bottom, _, top = self.inner
        low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
        up = bottom + (top - bottom) * (values - low) / max(high - low, 1e-12)
        return np.stack([self.x_of(times, end), up], axis=1)


def ribbon(
    points: np.ndarray, thick: float
) -> tuple[list[tuple[float, float, float]], list[tuple[int, ...]]]:
    """Vertices and faces of a flat line along (n, 2) points."""
    vertices: list[tuple[float, float, float]] = []
    faces: list[tuple[int, ...]] = []
    for first, second in zip(points, points[1:], strict=False):
        way = second - first
        length = float(np.hypot(*way))
        if length < 1e-9:
            continue
        aside = np.array([-way[1], way[0]]) / length * thick / 2.0
        along = way / length * thick / 4.0
        base = len(vertices)
        corners = (
            first - along - aside,
            second + along - aside,
            second + along + aside,
            first - along + aside,
        )
        vertices += [(float(x), float(y), 0.0) for x, y in corners]
        faces.append(tuple(range(base, base + 4)))
    return vertices, faces


def write_curve(mesh: bpy.types.Mesh, points: np.ndarray, thick: float, look: bpy.types.Material) -> None:
    """Make the mesh of an overlay the curve of its plot."""
    vertices, faces = ribbon(points, thick)
    mesh.from_pydata(vertices, [], faces)
    mesh.materials.append(look)


def draw_frame(drawing: Drawing, plot: InsetPlot) -> tuple[Socket, Socket, Socket]:
    """The plate of a plot, its axis, and the line that goes along with the clock, each to be painted."""
    left, bottom, right, top = plot.box
    plate = drawing.rectangle((left + right) / 2.0, (bottom + top) / 2.0, right - left, top - bottom)
    low, high = plot.inner[1], plot.inner[3]
    axis = drawing.rectangle(
        (plot.inner[0] + plot.inner[2]) / 2.0, low, plot.inner[2] - plot.inner[0], max(1.0, plot.size / 16.0)
    )
    now = drawing.number("plot_now", plot.inner[0])
    cursor = drawing.rectangle(now, (low + high) / 2.0, max(1.5, plot.size / 10.0), high - low)
    return plate, axis, cursor


def cursor_keys(plot: InsetPlot, times: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """(frame, place across) keys of the line that goes along, from those of the clock."""
    end = times[-1][1]
    return [(frame, float(plot.x_of(np.array([time]), end)[0])) for frame, time in times]
