"""Plots of a sweep: distributions, convergence, tornado, scatter, fan."""

from collections.abc import Sequence

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, ScalarFormatter

from ..analysis.colors import SHADES
from ..analysis.plots.figures import SIZE, styled
from .statistics import Convergence, Estimate, finite

BLUE, DARK, PALE = "#5b7f9f", "#33404d", "#b8c9d9"
MOST_DOTS = 5000
"""Dots of a scatter plot; of more runs every so-manieth is drawn."""


def canvas(width: float, height: float) -> Figure:
    """An empty figure, size in inches."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


@styled
def plot_distribution(label: str, values: np.ndarray, percentiles: dict[int, Estimate]) -> Figure:
    """Histogram of a measure with its percentiles and their confidence intervals."""
    figure = canvas(SIZE[0], SIZE[1])
    axes = figure.subplots()
    values = finite(values)
    axes.hist(
        values, bins=min(60, max(8, int(np.sqrt(len(values))))), color=PALE, edgecolor=BLUE, linewidth=0.5
    )
    top = axes.get_ylim()[1]
    for percent, estimate in percentiles.items():
        axes.axvline(estimate.value, color=DARK, linewidth=1.0)
        if np.isfinite(estimate.low) and np.isfinite(estimate.high):
            axes.axvspan(estimate.low, estimate.high, color=DARK, alpha=0.12, linewidth=0)
        axes.annotate(f"{percent} %", (estimate.value, top), ha="center", va="bottom", fontsize=8)
    axes.set(xlabel=label, ylabel="runs")
    return figure


@styled
def plot_convergence(label: str, curves: Sequence[Convergence]) -> Figure:
    """Percentiles as runs accumulate, with their confidence intervals as bands."""
    figure = canvas(SIZE[0], SIZE[1])
    axes = figure.subplots()
    for curve, color in zip(curves, SHADES, strict=False):
        values = [estimate.value for estimate in curve.estimates]
        axes.plot(curve.runs, values, color=color, label=f"{curve.percent:g} %")
        low, high = ([getattr(e, end) for e in curve.estimates] for end in ("low", "high"))
        axes.fill_between(curve.runs, low, high, color=color, alpha=0.13, linewidth=0)
    axes.set(xlabel="runs", ylabel=label, xscale="log")
    axes.xaxis.set_major_formatter(ScalarFormatter())
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
    return figure


@styled
def plot_tornado(
    title: str, names: Sequence[str], bars: Sequence[tuple[float, float]], middle: float
) -> Figure:
    """Bars from low to high about a middle, the longest on top."""
    order = sorted(range(len(names)), key=lambda i: -max(abs(end - middle) for end in bars[i]))
    figure = canvas(SIZE[0], 0.9 + 0.32 * len(names))
    axes = figure.subplots()
    axes.set_axisbelow(True)
    for row, index in enumerate(order):
        for end, color in zip(bars[index], (PALE, BLUE), strict=True):
            axes.barh(row, end - middle, left=middle, color=color, edgecolor=DARK, linewidth=0.4, height=0.62)
    axes.axvline(middle, color=DARK, linewidth=1.0)
    axes.set_yticks(range(len(order)), [names[index] for index in order])
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.set(xlabel=title)
    axes.grid(axis="y", visible=False)
    return figure


@styled
def plot_indices(
    title: str, names: Sequence[str], first: Sequence[Estimate], total: Sequence[Estimate]
) -> Figure:
    """First-order and total Sobol indices, the largest on top, with their confidence intervals."""
    order = sorted(range(len(names)), key=lambda i: -total[i].value)
    figure = canvas(SIZE[0], 0.9 + 0.42 * len(names))
    axes = figure.subplots()
    axes.set_axisbelow(True)
    for shift, color, label, estimates in ((-0.18, BLUE, "alone", first), (0.18, PALE, "with others", total)):
        chosen = [estimates[index] for index in order]
        values = np.array([estimate.value for estimate in chosen])
        rows = np.arange(len(order)) + shift
        axes.barh(rows, values, height=0.34, color=color, edgecolor=DARK, linewidth=0.4, label=label)
        reach = [
            np.maximum(0.0, values - [e.low for e in chosen]),
            np.maximum(0.0, [e.high for e in chosen] - values),
        ]
        axes.errorbar(
            values, rows, xerr=np.nan_to_num(reach), fmt="none", ecolor=DARK, elinewidth=1.0, capsize=2
        )
    axes.set_yticks(range(len(order)), [names[index] for index in order])
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.set(xlabel=title)
    axes.legend(loc="lower right")
    axes.grid(axis="y", visible=False)
    return figure


@styled
def plot_scatter(name: str, inputs: dict[str, np.ndarray], values: np.ndarray) -> Figure:
    """A measure over each input, one small plot each."""
    columns = min(3, len(inputs))
    rows = -(-len(inputs) // columns)
    figure = canvas(SIZE[0], 0.4 + 2.1 * rows)
    every = max(1, len(values) // MOST_DOTS)
    panels = figure.subplots(rows, columns, squeeze=False, sharey=True).ravel()
    for axes, (label, column) in zip(panels, inputs.items(), strict=False):
        axes.plot(column[::every], values[::every], ".", color=BLUE, markersize=2.5, alpha=0.6)
        axes.set(xlabel=label)
    for axes in panels[len(inputs) :]:
        axes.set_visible(False)
    for axes in panels[::columns]:
        axes.set(ylabel=name)
    return figure


@styled
def plot_fan(times: np.ndarray, values: dict[str, np.ndarray], label: str) -> Figure:
    """Middle run over time, and bands that hold a half and nine tenths of all; values (runs, times) by name."""
    figure = canvas(SIZE[0], 0.5 + 2.0 * len(values))
    panels = figure.subplots(len(values), 1, squeeze=False, sharex=True).ravel()
    for axes, (name, runs) in zip(panels, values.items(), strict=True):
        for low, high, shade in ((5, 95, 0.25), (25, 75, 0.45)):
            axes.fill_between(
                times, *np.nanpercentile(runs, (low, high), axis=0), color=BLUE, alpha=shade, linewidth=0
            )
        axes.plot(times, np.nanmedian(runs, axis=0), color=DARK)
        axes.set(title=name, ylabel=label)
    panels[-1].set(xlabel="time (s)")
    return figure
