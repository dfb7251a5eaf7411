"""Hypotheses as charts: their runs beside the evidence."""

import numpy as np
from matplotlib.figure import Figure

from ...analysis.colors import SERIES
from ...analysis.plots.figures import new_figure, styled
from .judge import Judgement

AROUND = 3.0
"""Standard deviations to both sides of the evidence that are shown at least."""


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
                color=SERIES[k % len(SERIES)],
                label=case.name,
            )
        axes.axvspan(item.value - 2.0 * item.sd, item.value + 2.0 * item.sd, color="#bbbbbb", alpha=0.5)
        axes.axvline(item.value, color="black", label="evidence, ± 2 standard deviations")
        axes.set(xlabel=item.measure, ylabel="density of runs")
        if number == 0:
            axes.set_title(judgement.question.name)
            axes.legend(fontsize=8)
    return figure
