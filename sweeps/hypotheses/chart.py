"""Hypotheses as charts: their runs beside the evidence, and throw results under the published formulas."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ...analysis.measures.throw_formulas import REGRESSIONS, SCATTER, searle_speeds
from ...analysis.plots.figures import new_figure, styled
from .judge import Judgement

AROUND = 3.0
"""Standard deviations to both sides of the evidence that are shown at least."""
COLORS = ("#34526f", "#b0602a", "#4a7d2f", "#8f3d3d")


@styled
def plot_judgement(judgement: Judgement) -> Figure:
    """For each measure of the evidence: how the runs of each hypothesis are spread, and where the evidence lies."""
    items = judgement.question.evidence
    figure, plots = new_figure(len(items), share_x=False)
    for number, (axes, item) in enumerate(zip(plots, items, strict=True)):
        columns = [case.values[:, number] for case in judgement.cases]
        columns = [column[np.isfinite(column)] for column in columns]
        around = item.value + np.array([-AROUND, AROUND]) * item.sd
        everything = np.concatenate([*columns, around])
        edges = np.linspace(everything.min(), everything.max(), 31)
        for k, (case, column) in enumerate(zip(judgement.cases, columns, strict=True)):
            if not len(column):
                continue
            axes.hist(
                column,
                edges,
                density=True,
                alpha=0.5,
                color=COLORS[k % len(COLORS)],
                label=case.name,
            )
        axes.axvspan(item.value - 2.0 * item.sd, item.value + 2.0 * item.sd, color="#bbbbbb", alpha=0.5)
        axes.axvline(item.value, color="black", label="evidence, ± 2 standard deviations")
        axes.set(xlabel=item.measure, ylabel="density of runs")
        if number == 0:
            axes.set_title(judgement.question.name)
            axes.legend(fontsize=8)
    return figure


@styled
def plot_throw(
    speeds: np.ndarray, distances: np.ndarray, friction: float, title: str = "Throw distance"
) -> Figure:
    """Throw results (impact speed in m/s, distance in m) under Searle's bounds for a friction and the regressions."""
    figure, (axes,) = new_figure()
    way = np.linspace(0.5, max(float(np.max(distances)), 1.0) * 1.15, 200)
    low, high = searle_speeds(way, friction)
    axes.fill_between(
        way, 3.6 * low, 3.6 * high, color="#cfd8e2", label=f"Searle's bounds, friction {friction:g}"
    )
    for (name, formula), style in zip(REGRESSIONS.items(), ("-", "--"), strict=True):
        middle = formula(way)
        axes.plot(
            way,
            middle,
            style,
            color="#8f3d3d",
            linewidth=1.2,
            label=f"{name}, not verified, ± {SCATTER:.0f} km/h",
        )
        axes.fill_between(way, middle - SCATTER, middle + SCATTER, color="#8f3d3d", alpha=0.08)
    axes.plot(distances, 3.6 * speeds, ".", color="black", markersize=4, label="runs")
    axes.set(title=title, xlabel="throw distance (m)", ylabel="impact speed (km/h)")
    axes.legend(fontsize=8, loc="upper left")
    return figure
