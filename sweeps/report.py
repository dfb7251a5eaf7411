"""The report of a sweep: one HTML file with what was varied, the results, and their confidence."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ..analysis.measures.measure import FLAG
from ..analysis.measures.trust import bound_text, bounds_of, exceeds
from ..analysis.pages import html_page as page
from ..analysis.pages.limitations import LIMITATIONS
from ..analysis.plots.figures import png_bytes
from . import plots
from .bench import COMPLETED
from .distributions import describe
from .inputs import input_at
from .plan import DIGEST_SHOWN, Plan
from .spec import Quantity
from .statistics import (
    PERCENTILES,
    Estimate,
    convergence,
    one_at_a_time_ends,
    percentile,
    rank_correlation,
    share,
    sobol,
)
from .table import Table

RESOLUTION = 110
CONVERGENCE_OF = (5, 50, 95)
LISTED_FAILURES = 40
RANDOM_DESIGNS = ("latin_hypercube", "sobol", "saltelli")
"""Designs whose runs are spread as the inputs are, so that percentiles and shares mean something."""
DESIGN_WORDS = {
    "latin_hypercube": "Latin hypercube",
    "sobol": "scrambled Sobol points",
    "saltelli": "Saltelli's scheme on scrambled Sobol points",
    "grid": "full grid",
    "one_at_a_time": "one input at a time",
}


def representative(plan: Plan, values: np.ndarray) -> np.ndarray:
    """The runs that are spread as the inputs are: of a saltelli design the two base sets, else all."""
    if plan.sweep.design.kind != "saltelli":
        return values
    return values[: 2 * plan.sweep.design.runs]


def build_report(plan: Plan, table: Table, content: dict[str, Any]) -> str:
    """The HTML text. `content`: versions, platform and inputs from the plan's file."""
    sections = [
        ("inputs", "What was varied", _inputs(plan)),
        ("events", "What happened how often", _events(plan, table)),
        (
            "measures",
            "Measures",
            "".join(_measure(plan, table, quantity) for quantity in plan.sweep.measures),
        ),
        ("inputs_matter", "Which input matters", _sensitivity(plan, table)),
        ("failures", "Runs that did not complete", _failures(plan, table)),
        ("limits", "Limitations", page.bullets([SWEEP_LIMITATION, *LIMITATIONS])),
        ("record", "How to repeat it", _record(plan, content)),
    ]
    return page.page(f"{plan.sweep.name}: report of a sweep", _opening(plan, table), sections)


SWEEP_LIMITATION = (
    "The spread of the results follows from the spreads given to the inputs, and from nothing else. Inputs that were "
    "not varied, and the error of the model itself, are not in it."
)


def _opening(plan: Plan, table: Table) -> str:
    done = int(np.count_nonzero(table.completed))
    design = plan.sweep.design
    remark = (
        f"Report of a sweep over {len(plan.sweep.parameters)} inputs of the scenario {plan.scenario.name}: "
        f"{plan.runs} runs ({DESIGN_WORDS[design.kind]}, seed {design.seed}), {done} completed. "
        f"Digest {plan.digest[:DIGEST_SHOWN]}."
    )
    lines = [
        "These are results of computer simulations, not of observations. A share of runs is the probability of "
        "nothing but the inputs as they were spread here.",
    ]
    if design.kind not in RANDOM_DESIGNS:
        lines.append(
            "The runs of this design are not spread as the inputs are: shares and percentiles describe the design, "
            "not a probability, and no confidence is given for them."
        )
    parts = [f"<h1>{page.text(plan.sweep.name)}</h1>", page.paragraph(remark, "faint"), page.box(lines)]
    if plan.sweep.description:
        parts.append(page.paragraph(plan.sweep.description))
    return "".join(parts)


def _inputs(plan: Plan) -> str:
    rows, classes = [], []
    for parameter in plan.sweep.parameters:
        own = input_at(plan.scenario, parameter.address)
        how = {"set": "", "add": ", added", "multiply": ", as a factor"}[parameter.mode]
        rows.append(
            (
                parameter.name,
                parameter.address,
                "" if own is None else f"{own:.6g}",
                describe(parameter.distribution) + how,
                parameter.unit,
                parameter.source or "assumed",
            )
        )
        classes.append("" if parameter.source else "assumed")
    header = ("input", "where", "in the scenario", "spread", "unit", "source")
    parts = [page.table(header, rows, numbers=(2,), row_classes=classes)]
    if plan.sweep.changes:
        changes = "; ".join(f"{name} = {value}" for name, value in plan.sweep.changes.items())
        parts.append(page.paragraph(f"Changed in the scenario for all runs: {changes}."))
    if plan.sweep.keep_on_ground:
        names = ", ".join(plan.sweep.keep_on_ground)
        parts.append(page.paragraph(f"Kept at their height above ground: {names}."))
    return "".join(parts)


def _events(plan: Plan, table: Table) -> str:
    if not plan.sweep.events:
        return page.paragraph("No events were asked for.")
    rows = []
    for event in plan.sweep.events:
        happened = representative(plan, table.numbers[event.name])
        count = int(np.nansum(happened))
        total = int(np.count_nonzero(np.isfinite(happened)))
        estimate = share(happened)
        interval = f"{100 * estimate.low:.2f} to {100 * estimate.high:.2f} %" if _is_random(plan) else ""
        rows.append((event.name, f"{count} of {total}", f"{100 * estimate.value:.2f} %", interval))
    header = ("event", "runs", "share", "95 % confidence (Wilson)")
    return page.table(header, rows, numbers=(1, 2, 3))


def _is_random(plan: Plan) -> bool:
    return plan.sweep.design.kind in RANDOM_DESIGNS


def label_of(quantity: Quantity) -> str:
    """Name and unit."""
    return f"{quantity.name} ({quantity.unit})" if quantity.unit else quantity.name


def distribution_figure(plan: Plan, table: Table, name: str) -> Figure:
    """Histogram of a measure over the runs that are spread as the inputs are, with its percentiles."""
    label = next((label_of(q) for q in plan.sweep.measures if q.name == name), name)
    values = representative(plan, table.numbers[name])
    return plots.plot_distribution(label, values, {p: percentile(values, p) for p in PERCENTILES})


def tornado_figure(plan: Plan, table: Table, name: str) -> Figure | None:
    """What a measure or an event depends on, by the design's own way; None where too few runs are complete."""
    names = [parameter.name for parameter in plan.sweep.parameters]
    inputs, values = {n: table.numbers[n] for n in names}, table.numbers[name]
    if plan.sweep.design.kind == "saltelli":
        indices = sobol(values, len(names), plan.sweep.design.seed)
        if indices is None:
            return None
        return plots.plot_indices(f"share of the variance of {name}", names, indices.first, indices.total)
    if plan.sweep.design.kind == "one_at_a_time":
        middle, ends = one_at_a_time_ends(values, len(names))
        bars = [(float(row[0]), float(row[-1])) for row in np.nan_to_num(ends, nan=middle)]
        return plots.plot_tornado(name, names, bars, middle)
    found = [rank_correlation(inputs[n], values) for n in names]
    bars = [(min(0.0, r), max(0.0, r)) for r, _ in np.nan_to_num(found)]
    return plots.plot_tornado(f"rank correlation with {name}", names, bars, 0.0)


def _measure(plan: Plan, table: Table, quantity: Quantity) -> str:
    values = representative(plan, table.numbers[quantity.name])
    exists = int(np.count_nonzero(np.isfinite(values)))
    parts = [page.heading(label_of(quantity)), page.paragraph(definition(quantity), "note")]
    if exists == 0:
        return "".join([*parts, page.paragraph("No run has it.")])
    parts += [page.paragraph(text, "note") for text in beyond_trust(plan, table, quantity)]
    if exists < np.count_nonzero(representative(plan, table.completed)):
        parts.append(page.paragraph(f"{exists} of {len(values)} runs have it; the others are left out here."))
    found = {percent: percentile(values, percent) for percent in PERCENTILES}
    rows = [_percentile_row(plan, percent, estimate) for percent, estimate in found.items()]
    rows.append(("mean", f"{np.nanmean(values):.5g}", ""))
    rows.append(("least and largest", f"{np.nanmin(values):.5g} to {np.nanmax(values):.5g}", ""))
    parts.append(page.table(("", "value", "95 % confidence"), rows, numbers=(1, 2)))
    if np.nanmax(values) > np.nanmin(values):
        figure = distribution_figure(plan, table, quantity.name)
        parts.append(
            page.picture(png_bytes(figure, RESOLUTION), "Runs, with percentiles and their confidence.")
        )
        if _is_random(plan):
            curves = [convergence(values, percent) for percent in CONVERGENCE_OF]
            figure = plots.plot_convergence(label_of(quantity), curves)
            parts.append(page.picture(png_bytes(figure, RESOLUTION), "The percentiles as runs accumulate."))
    return "".join(parts)


BEYOND_CURVE_TEXT = (
    "a contact of the body went deeper than its force curve has data: the force there is extrapolated or held"
)


def beyond_trust(plan: Plan, table: Table, quantity: Quantity) -> list[str]:
    """How many runs lie beyond each bound of trust of the measure, in sentences; nothing where none does."""
    if not quantity.measure:
        return []
    values = representative(plan, table.numbers[quantity.name])
    counted = [
        (sum(exceeds(float(value), bound) for value in values), bound_text(bound))
        for bound in ([] if quantity.detail else bounds_of(quantity.measure))
    ]
    beyond_curve = representative(plan, table.beyond_curve(quantity.name))
    counted.append((int(np.count_nonzero(beyond_curve)), BEYOND_CURVE_TEXT))
    total = int(np.count_nonzero(np.isfinite(values)))
    return [
        f"{FLAG} {count} of {total} runs ({100.0 * count / total:.3g} %): {text}."
        for count, text in counted
        if count
    ]


def _percentile_row(plan: Plan, percent: int, estimate: Estimate) -> tuple[str, str, str]:
    ends = ["not enough runs" if np.isnan(end) else f"{end:.5g}" for end in (estimate.low, estimate.high)]
    interval = f"{ends[0]} to {ends[1]}" if _is_random(plan) else ""
    return f"{percent} %", f"{estimate.value:.5g}", interval


def definition(quantity: Quantity) -> str:
    """Definition of a measure of a sweep, for the report."""
    if quantity.contact is not None:
        other = f" with {quantity.contact.on}" if quantity.contact.on else ""
        return f"{quantity.take or 'start'} of the contacts of {quantity.contact.of}{other}."
    if quantity.body:
        moment = f"at {quantity.time:g} s" if quantity.take == "at" else quantity.take or "end"
        return f"{quantity.component} of the {quantity.value.replace('_', ' ')} of {quantity.body}: {moment}."
    detail = f", {quantity.detail}" if quantity.detail else ""
    return f"{quantity.measure} of {quantity.of}{detail}; defined in the documentation of measures."


def _sensitivity(plan: Plan, table: Table) -> str:
    parts = [page.paragraph(_SENSITIVITY_WORDS[plan.sweep.design.kind])]
    names = [parameter.name for parameter in plan.sweep.parameters]
    outcomes = [quantity.name for quantity in plan.sweep.measures] + [
        event.name for event in plan.sweep.events
    ]
    inputs = {name: table.numbers[name] for name in names}
    for name in outcomes:
        values = table.numbers[name]
        if not np.any(np.isfinite(values)) or np.nanmax(values) == np.nanmin(values):
            continue
        parts.append(page.heading(name))
        parts.append(_tornado(plan, table, name, names, inputs, values))
        if name not in [event.name for event in plan.sweep.events]:
            figure = plots.plot_scatter(name, inputs, values)
            parts.append(page.picture(png_bytes(figure, RESOLUTION), f"{name} over each input."))
    return "".join(parts)


_CORRELATION = (
    "Bars: Spearman's rank correlation, from -1 to 1. It shows which input a result rises or falls with; an input that "
    "works only together with others, or first up and then down, may have none."
)
_SENSITIVITY_WORDS = {
    "latin_hypercube": _CORRELATION,
    "sobol": _CORRELATION,
    "grid": _CORRELATION,
    "saltelli": "Bars: Sobol indices, the share of a result's variance that an input causes alone, and together with "
    "others (Saltelli et al. 2010), with 95 % bootstrap confidence.",
    "one_at_a_time": "Bars: the result with one input at its low (pale) and high end, all others at their medians. "
    "What inputs do together is not in it.",
}


def _tornado(
    plan: Plan, table: Table, name: str, names: list[str], inputs: dict[str, np.ndarray], values: np.ndarray
) -> str:
    kind, figure = plan.sweep.design.kind, tornado_figure(plan, table, name)
    if figure is None:
        return page.paragraph("Too few complete runs for Sobol indices.")
    picture = png_bytes(figure, RESOLUTION)
    if kind == "saltelli":
        indices = sobol(values, len(names), plan.sweep.design.seed)
        rows = [(n, f.text, t.text) for n, f, t in zip(names, indices.first, indices.total, strict=True)]
        drawn = page.picture(picture, f"Sobol indices from {indices.base} base points.")
        return drawn + page.table(("input", "alone", "with others"), rows, numbers=(1, 2))
    if kind == "one_at_a_time":
        middle, _ = one_at_a_time_ends(values, len(names))
        return page.picture(picture, f"About {middle:.5g}, the value at all medians.")
    found = [rank_correlation(inputs[n], values) for n in names]
    rows = [(n, f"{r:+.3f}", f"{p:.2g}") for n, (r, p) in zip(names, found, strict=True)]
    drawn = page.picture(picture, "Rank correlations, the strongest on top.")
    return drawn + page.table(("input", "rank correlation", "p-value"), rows, numbers=(1, 2))


def _failures(plan: Plan, table: Table) -> str:
    bad = [index for index, status in enumerate(table.status) if status != COMPLETED]
    coarse = _coarse(plan, table)
    if not bad:
        return page.paragraph("None.") + coarse
    parts = [
        coarse,
        page.paragraph(
            f"{len(bad)} of {plan.runs} runs are in no figure above. If they lie in one corner of the inputs, what is "
            "above speaks only of the rest."
        ),
    ]
    names = [parameter.name for parameter in plan.sweep.parameters]
    rows = [
        (
            index,
            table.status[index],
            ", ".join(f"{name} {plan.points[index, column]:.5g}" for column, name in enumerate(names)),
            table.texts["message"][index],
        )
        for index in bad[:LISTED_FAILURES]
    ]
    parts.append(page.table(("run", "status", "inputs", "why"), rows, numbers=(0,)))
    if len(bad) > LISTED_FAILURES:
        parts.append(page.paragraph(f"The first {LISTED_FAILURES}; all are in the table."))
    return "".join(parts)


def _coarse(plan: Plan, table: Table) -> str:
    """A warning where runs completed whose time step is long for their impacts."""
    if not table.coarse:
        return ""
    share = f"{len(table.coarse)} of {plan.runs} runs ({100 * len(table.coarse) / plan.runs:.0f} %)"
    first = table.texts["message"][table.coarse[0]]
    return page.box([f"The time step is long for the impacts of {share}. The first: {first}"], alarm=True)


def _record(plan: Plan, content: dict[str, Any]) -> str:
    facts = [("digest", plan.digest), ("seed", plan.sweep.design.seed)]
    facts += [*content["versions"].items(), *content["platform"].items()]
    facts += [(f"input file {name}", digest) for name, digest in content["inputs"].items()]
    remark = (
        "The folder holds the plan, the scenario with its models, and the table. The same sweep on the same platform "
        "gives the same table to the byte, on any number of processes."
    )
    return page.paragraph(remark) + page.table(("fact", "value"), facts, labels=(0,), digests=(1,))
