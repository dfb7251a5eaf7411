"""Charts of a sweep as pictures inside the file: histogram, fan, tornado."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ..base.errors import SceneError
from ..show.result_plots import packed_image
from .sweep_traces import sweep_paths
from .sweeps import open_folder, read_results

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_histogram(scene: bpy.types.Scene) -> Figure:
    """Runs by the chosen measure, with percentiles and their confidence."""
    from ...sweeps.report import distribution_figure

    plan, table = read_results(scene)
    return distribution_figure(plan, table, chosen_measure(scene, table))


def draw_tornado(scene: bpy.types.Scene) -> Figure:
    """Which input the chosen measure depends on."""
    from ...sweeps.report import tornado_figure

    plan, table = read_results(scene)
    name = chosen_measure(scene, table)
    figure = tornado_figure(plan, table, name)
    if figure is None:
        raise SceneError(f"the sweep has too few complete runs to say what '{name}' depends on: run more")
    return figure


def draw_fan(scene: bpy.types.Scene) -> Figure:
    """How far bodies have come over time: the middle run, and bands that hold a half and nine tenths of all."""
    from ...sweeps.plots import plot_fan

    plan, paths = sweep_paths(scene)
    times = np.linspace(0.0, plan.scenario.settings.duration, paths.shape[2])
    ways = np.linalg.norm(paths[..., :2] - paths[:, :, :1, :2], axis=-1)
    names = plan.sweep.traces.bodies
    return plot_fan(times, {name: ways[:, k] for k, name in enumerate(names)}, "horizontal distance (m)")


def chosen_measure(scene: bpy.types.Scene, table: object) -> str:
    """Name of the measure that is chosen in the panel. Raises SceneError."""
    name = scene.mannequin.sweep.measure
    values = table.numbers.get(name)
    if values is None or not np.any(np.isfinite(values)):
        raise SceneError(f"no run of the sweep has the measure '{name}': choose another in Sweep Results")
    if np.nanmax(values) == np.nanmin(values):
        raise SceneError(f"'{name}' is {np.nanmin(values):.4g} in every run: there is nothing to draw")
    return name


CHARTS: dict[str, tuple[str, Callable[[bpy.types.Scene], Figure], str]] = {
    "histogram": ("Histogram", draw_histogram, "How the chosen measure is spread over the runs"),
    "fan": ("Fan", draw_fan, "How far bodies have come over time: middle run, and bands of the runs"),
    "tornado": ("Tornado", draw_tornado, "Which input the chosen measure depends on"),
}
"""Kind to label, function that draws it, and tooltip."""


def chart_image(scene: bpy.types.Scene, kind: str) -> bpy.types.Image:
    """Picture of a chart, packed into the file."""
    label, draw, _ = CHARTS[kind]
    subject = "" if kind == "fan" else f" {scene.mannequin.sweep.measure}"
    return packed_image(f"{open_folder(scene).name}{subject} {label.lower()}", draw(scene))
