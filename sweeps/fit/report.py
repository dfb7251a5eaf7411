"""The report of a fit: what agrees with the evidence, what it cannot decide, and how that was found."""

import numpy as np
from matplotlib.figure import Figure

from ...analysis.pages import html_page as page
from ...analysis.pages.limitations import LIMITATIONS
from ...analysis.plots.figures import SIZE, png_bytes, styled
from ..plan import DIGEST_SHOWN, facts
from ..plots import BLUE, DARK, PALE, canvas
from .answer import OPEN, Answer, statements
from .evaluate import Evaluator
from .plan import FitPlan

RESOLUTION = 110
MOST_UNKNOWNS = 6
"""Unknowns drawn against each other."""
FIT_LIMITATION = (
    "The set is that of the starts found to agree: a start outside it that agrees may exist. It holds for this model, "
    "for the ranges given to the unknowns, and for everything else in the scenario being as stated."
)


def build_fit_report(plan: FitPlan, evaluator: Evaluator, answer: Answer) -> str:
    """The HTML text."""
    sections = [
        ("answer", "What the evidence says", _answer(answer)),
        ("evidence", "The evidence", _evidence(plan, answer)),
        ("unknowns", "The unknowns", _unknowns(plan, answer)),
        ("set", "The starts that agree", _set(plan, evaluator)),
        ("limits", "Limitations", page.bullets([FIT_LIMITATION, *LIMITATIONS])),
        ("record", "How to repeat it", _record(plan)),
    ]
    summary = (
        f"Fit of the scenario {plan.scenario.name} to {len(plan.evidence.targets)} pieces of evidence: {answer.runs} "
        f"runs, {answer.agreeing} agree with all of it. Digest {plan.digest[:DIGEST_SHOWN]}."
    )
    warning = (
        "This is the result of computer simulations. That a start agrees with the evidence does not show that it was "
        "so: all starts in the set agree alike."
    )
    opening = (
        f"<h1>{page.text(plan.evidence.name)}</h1>{page.paragraph(summary, 'faint')}{page.box([warning])}"
    )
    if not answer.is_complete and answer.is_consistent:
        lines = ["The search ended before the ranges had settled: the set is likely wider. Allow more runs."]
        opening += page.box(lines, alarm=True)
    if plan.evidence.description:
        opening += page.paragraph(plan.evidence.description)
    return page.page(f"{plan.evidence.name}: fit to evidence", opening, sections)


def _answer(answer: Answer) -> str:
    if not answer.is_consistent:
        return page.box(statements(answer), alarm=True)
    return page.bullets(statements(answer))


def _evidence(plan: FitPlan, answer: Answer) -> str:
    rows = [
        (
            target.name,
            target.kind.replace("_", " "),
            f"{target.tolerance:g}",
            f"{off:.3g}",
            target.source or "assumed",
        )
        for target, off in zip(plan.evidence.targets, answer.best_deviations, strict=True)
    ]
    classes = ["" if target.source else "assumed" for target in plan.evidence.targets]
    header = ("evidence", "kind", "tolerance", "best start is off by (tolerances)", "source")
    return page.table(header, rows, numbers=(2, 3), row_classes=classes)


def _unknowns(plan: FitPlan, answer: Answer) -> str:
    findings = {finding.name: finding for finding in answer.findings}
    rows, classes = [], []
    for unknown, best in zip(plan.evidence.unknowns, answer.best, strict=True):
        finding = findings.get(unknown.name)
        agree = f"{finding.low:.5g} to {finding.high:.5g}" if finding else "none"
        rows.append(
            (
                unknown.name,
                unknown.address,
                f"{unknown.low:g} to {unknown.high:g}",
                agree,
                f"{best:.5g}",
                unknown.unit,
                finding.verdict if finding else "",
            )
        )
        classes.append("assumed" if finding and finding.verdict == OPEN else "")
    header = ("unknown", "where", "range given", "range that agrees", "best start", "unit", "")
    return page.table(header, rows, numbers=(2, 3, 4), row_classes=classes)


def _set(plan: FitPlan, evaluator: Evaluator) -> str:
    points = np.array(evaluator.points)
    agree = np.zeros(len(points), dtype=bool)
    agree[evaluator.agreeing()] = True
    names = [f"{u.name} ({u.unit})" if u.unit else u.name for u in plan.evidence.unknowns][:MOST_UNKNOWNS]
    figure = plot_set(names, points[:, : len(names)], agree, _limits(plan))
    caption = "All runs (pale) and those that agree with all of the evidence (dark), over the ranges given."
    return page.picture(png_bytes(figure, RESOLUTION), caption)


def _limits(plan: FitPlan) -> list[tuple[float, float]]:
    return [(unknown.low, unknown.high) for unknown in plan.evidence.unknowns]


@styled
def plot_set(
    names: list[str], points: np.ndarray, agree: np.ndarray, limits: list[tuple[float, float]]
) -> Figure:
    """Unknowns against each other, and each alone on the diagonal."""
    count = len(names)
    figure = canvas(SIZE[0], max(2.6, 1.9 * count))
    panels = figure.subplots(count, count, squeeze=False)
    for row in range(count):
        for column in range(count):
            axes = panels[row, column]
            if column > row:
                axes.set_visible(False)
            elif column == row:
                axes.hist(points[agree, row], bins=20, range=limits[row], color=BLUE)
                axes.set(xlim=limits[row], yticks=[])
            else:
                axes.plot(points[:, column], points[:, row], ".", color=PALE, markersize=2)
                axes.plot(points[agree, column], points[agree, row], ".", color=DARK, markersize=3)
                axes.set(xlim=limits[column], ylim=limits[row])
            if row == count - 1:
                axes.set(xlabel=names[column])
            if column == 0 and row:
                axes.set(ylabel=names[row])
    return figure


def _record(plan: FitPlan) -> str:
    known = facts()
    rows = [("digest", plan.digest), ("seed", plan.evidence.search.seed)]
    rows += [*known["versions"].items(), *known["platform"].items()]
    return page.table(("fact", "value"), rows, labels=(0,), digests=(1,))
