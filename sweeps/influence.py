"""Which inputs of a finished sweep matter, as shares of the spread of its results, and its charts for a report."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..analysis.plots.figures import png_bytes
from ..engine.spec import Scenario
from ..io_json.addresses import full_name
from . import plots
from .plan import read_plan
from .statistics import PERCENTILES, percentile, rank_correlation, sobol
from .table import read_table

RESOLUTION = 110
MOST_CHARTS = 3


def influence_of(folder: Path) -> dict[str, float]:
    """Address of each input to its largest share in the spread of any measure: the total Sobol index, else the square
    of the rank correlation. Raises FileError."""
    plan, _ = read_plan(folder)
    table = read_table(plan, folder)
    parameters, found = plan.sweep.parameters, {}
    for quantity in plan.sweep.measures:
        values = table.numbers[quantity.name]
        if not np.any(np.isfinite(values)) or np.nanmax(values) == np.nanmin(values):
            continue
        if plan.sweep.design.kind == "saltelli":
            indices = sobol(values, len(parameters), plan.sweep.design.seed)
            shares = [estimate.value for estimate in indices.total] if indices else []
        else:
            shares = [rank_correlation(table.numbers[p.name], values)[0] ** 2 for p in parameters]
        for parameter, share in zip(parameters, shares, strict=False):
            if np.isfinite(share):
                address = input_of(plan.scenario, parameter.address)
                found[address] = max(found.get(address, 0.0), float(share))
    return found


def input_of(scenario: Scenario, address: str) -> str:
    """The input of a report that a parameter belongs to: actors by name, speed and heading as the velocity."""
    parts = full_name(address).split(".")
    if parts[0] == "actors" and len(parts) > 2:
        if parts[1].isdigit() and int(parts[1]) < len(scenario.actors):
            parts[1] = scenario.actors[int(parts[1])].name
        parts[2] = "velocity" if parts[2] in ("speed", "heading") else parts[2]
    return ".".join(parts)


def sweep_charts(folder: Path) -> Iterator[tuple[bytes, str]]:
    """Spread of the first measures of a sweep, with captions. Raises FileError."""
    plan, _ = read_plan(folder)
    table = read_table(plan, folder)
    for quantity in plan.sweep.measures[:MOST_CHARTS]:
        values = table.numbers[quantity.name]
        values = values[np.isfinite(values)]
        if len(values) > 1:
            low, middle, high = np.percentile(values, [5, 50, 95])
            figure = plots.plot_distribution(
                quantity.name, values, {p: percentile(values, p) for p in PERCENTILES}
            )
            spread = (
                f"median {middle:.3g}, 90 % of the runs from {low:.3g} to {high:.3g} {quantity.unit}".rstrip()
            )
            yield (
                png_bytes(figure, RESOLUTION),
                f"{quantity.name} over {len(values)} runs of the sweep: {spread}.",
            )
