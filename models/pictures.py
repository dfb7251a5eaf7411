"""Pictures of models and of moments of a run: outlines of the ellipsoids, seen along an axis, drawn with Matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..engine.recording import Recording
from ..engine.spec import Model, Obstacle, Scenario
from .placement import Posture, Shape, body_transforms, ellipsoid_shapes, rotation_zyx

VIEWS = {"front": (1, 2, 0), "side": (0, 2, 1), "top": (0, 1, 2)}
"""View name to the world axes that run right, up and towards the eye (front is seen from +x, left of the figure to
the right)."""

COLOURS = ("#c98f6b", "#7d93b2", "#8fae7f", "#b58ab0")


def outline(half: np.ndarray, right: int, up: int, points: int = 48) -> np.ndarray:
    """(points, 2) silhouette of an ellipsoid (half-axis matrix) on the plane of two world axes, about its centre.

    The silhouette of centre + H u along an axis is the ellipse with matrix (H H^T) restricted to the plane.
    """
    shadow = (half @ half.T)[np.ix_((right, up), (right, up))]
    root = np.linalg.cholesky(shadow + 1e-15 * np.eye(2))
    angle = np.linspace(0.0, 2.0 * np.pi, points, endpoint=False)
    return (root @ np.vstack([np.cos(angle), np.sin(angle)])).T


def _draw_shapes(axes, shapes, view: str, colour: str, alpha: float = 1.0) -> None:
    from matplotlib.patches import Polygon

    right, up, depth = VIEWS[view]
    away = -1.0 if view == "side" else 1.0  # the side view looks from the right of the figure, -y, along +y
    for _, _, centre, half in sorted(shapes, key=lambda shape: away * shape[2][depth]):
        edge = outline(half, right, up) + centre[[right, up]]
        axes.add_patch(Polygon(edge, facecolor=colour, edgecolor="#30302e", linewidth=0.4, alpha=alpha))


def _frame(axes, low, high, view: str, title: str) -> None:
    right, up, _ = VIEWS[view]
    axes.set_xlim(low[right] - 0.05, high[right] + 0.05)
    axes.set_ylim(low[up] - 0.05, high[up] + 0.05)
    axes.set_aspect("equal")
    axes.set_title(title, fontsize=8)
    axes.tick_params(labelsize=6)
    if up == 2:
        axes.axhline(0.0, color="#808080", linewidth=0.6)


def _save(figure, path: Path) -> None:
    """Write beside the target, then move it there, so that no half picture stays."""
    import os

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
        _draw_shapes(axes, shapes, view, COLOURS[0])
        _frame(axes, low, high, view, view)
    _save(figure, Path(path))


def recorded_shapes(recording: Recording, scenario: Scenario, frame: int) -> list[list[Shape]]:
    """Per actor the ellipsoid shapes (see `ellipsoid_shapes`) at an output time of a run."""
    result = []
    for actor in scenario.actors:
        transforms = {}
        for body in actor.model.bodies:
            index = recording.body_index(actor.name, body.name)
            transform = np.eye(4)
            transform[:3, :3] = recording.rotation(index)[frame]
            transform[:3, 3] = recording.origin(index)[frame]
            transforms[body.name] = transform
        result.append(ellipsoid_shapes(actor.model, transforms))
    return result


def _draw_obstacle(axes, obstacle: Obstacle, view: str) -> None:
    from matplotlib.patches import Polygon

    right, up, _ = VIEWS[view]
    turn = rotation_zyx(obstacle.orientation)
    if obstacle.shape == "box":
        signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
        corners = signs * np.array(obstacle.half_size)
        faces = [
            corners[[i for i in range(8) if signs[i, a] == s]][[0, 1, 3, 2]]
            for a in range(3)
            for s in (-1, 1)
        ]
    elif obstacle.shape == "mesh" and obstacle.vertices is not None:
        vertices = np.asarray(obstacle.vertices, float)
        faces = [vertices[list(t)] for t in obstacle.triangles]
    else:
        return
    for face in faces:
        world = np.asarray(face) @ turn.T + np.array(obstacle.position)
        axes.add_patch(
            Polygon(world[:, [right, up]], facecolor="#d8d6d0", edgecolor="#a0a09a", linewidth=0.3)
        )


def draw_run(
    recording: Recording, scenario: Scenario, path: str | Path, times: Sequence[float], view: str = "side"
) -> None:
    """Write a PNG with the run at several times (s), one picture each, from one view and to one scale."""
    from matplotlib.figure import Figure

    frames = [int(np.abs(recording.times - t).argmin()) for t in times]
    moments = [recorded_shapes(recording, scenario, frame) for frame in frames]
    every = [shape for moment in moments for actor in moment for shape in actor]
    low = np.min([c - np.linalg.norm(h, axis=1) for _, _, c, h in every], axis=0)
    high = np.max([c + np.linalg.norm(h, axis=1) for _, _, c, h in every], axis=0)
    columns = min(4, len(frames))
    rows = -(-len(frames) // columns)
    right, up, _ = VIEWS[view]
    aspect = (high[up] - low[up] + 0.1) / (high[right] - low[right] + 0.1)
    figure = Figure(figsize=(12.0, max(1.5, 12.0 / columns * aspect + 0.3) * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes in grid[len(frames) :]:
        axes.set_axis_off()
    for axes, frame, moment in zip(grid, frames, moments, strict=False):
        for obstacle in scenario.obstacles:
            _draw_obstacle(axes, obstacle, view)
        for index, shapes in enumerate(moment):
            _draw_shapes(axes, shapes, view, COLOURS[index % len(COLOURS)])
        _frame(axes, low, high, view, f"{recording.times[frame]:.3f} s")
    _save(figure, Path(path))
