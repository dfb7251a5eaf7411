"""Pictures of models: outlines of the ellipsoids, seen along an axis, drawn with Matplotlib."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...engine.spec import Model
from ..parts.placement import Posture, Shape, body_transforms, ellipsoid_shapes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VIEWS = {"front": (1, 2, 0), "side": (0, 2, 1), "top": (0, 1, 2)}
"""View name to the world axes that run right, up and towards the eye (front is seen from +x, left of the figure to
the right)."""

SKIN = "#c98f6b"


def outline(half: np.ndarray, right: int, up: int, points: int = 48) -> np.ndarray:
    """(points, 2) silhouette of an ellipsoid (half-axis matrix) on the plane of two world axes, about its centre.

    The silhouette of centre + H u along an axis is the ellipse with matrix (H H^T) restricted to the plane.
    """
    shadow = (half @ half.T)[np.ix_((right, up), (right, up))]
    root = np.linalg.cholesky(shadow + 1e-15 * np.eye(2))
    angle = np.linspace(0.0, 2.0 * np.pi, points, endpoint=False)
    return (root @ np.vstack([np.cos(angle), np.sin(angle)])).T


def _draw_shapes(axes, shapes: list[Shape], view: str) -> None:
    from matplotlib.patches import Polygon

    right, up, depth = VIEWS[view]
    away = -1.0 if view == "side" else 1.0  # the side view looks from the right of the figure, -y, along +y
    for _, _, centre, half in sorted(shapes, key=lambda shape: away * shape[2][depth]):
        edge = outline(half, right, up) + centre[[right, up]]
        axes.add_patch(Polygon(edge, facecolor=SKIN, edgecolor="#30302e", linewidth=0.4))


def _frame(axes, low, high, view: str, title: str) -> None:
    right, up, _ = VIEWS[view]
    axes.set_xlim(low[right] - 0.05, high[right] + 0.05)
    axes.set_ylim(low[up] - 0.05, high[up] + 0.05)
    axes.set_aspect("equal")
    axes.set_title(title, fontsize=8)
    axes.tick_params(labelsize=6)
    if up == 2:
        axes.axhline(0.0, color="#808080", linewidth=0.6)


def save_picture(figure: Figure, path: Path) -> None:
    """Write beside the target, then move it there, so that no half picture stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".part")
    figure.savefig(temporary, dpi=90, format="png", metadata={"Software": None})
    os.replace(temporary, path)


def draw_model(model: Model, path: str | Path, joint_angles: Posture | None = None) -> None:
    """Write a PNG of a model from the front and from the side (long things also from above)."""
    from matplotlib.figure import Figure

    shapes = ellipsoid_shapes(model, body_transforms(model, joint_angles))
    low = np.min([c - np.linalg.norm(h, axis=1) for _, _, c, h in shapes], axis=0)
    high = np.max([c + np.linalg.norm(h, axis=1) for _, _, c, h in shapes], axis=0)
    size = high - low
    views = ("front", "side", "top") if size[0] > 1.0 else ("front", "side")
    widths = [size[VIEWS[view][0]] + 0.25 for view in views]
    tall = max(size[VIEWS[view][1]] for view in views) + 0.2
    scale = min(5.0 / tall, 11.0 / sum(widths))
    figure = Figure(figsize=(scale * sum(widths) + 0.2, scale * tall + 0.4), layout="constrained")
    grid = figure.subplots(1, len(views), width_ratios=widths, squeeze=False)[0]
    for axes, view in zip(grid, views, strict=True):
        _draw_shapes(axes, shapes, view)
        _frame(axes, low, high, view, view)
    save_picture(figure, Path(path))
