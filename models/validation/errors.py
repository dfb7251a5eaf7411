"""The error to expect of each measure, from the rows of the validation: bias and scatter by kind of case, as a file
that reports read (`analysis.measures.expected_error`)."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..pages.models_page import table
from .row import SURE, Row

MEASURES = {
    "peak acceleration": ("peak resultant", "head acceleration", "head acceleration of the tackle"),
    "impact speed": ("head speed", "pelvis speed", "hand speed"),
    "peak contact force": (
        "head force",
        "force",
        "peak force",
        "failure force",
        "force of one hand",
        "force of one wrist",
    ),
    "BrIC": ("turn rate",),
    "chest deflection": ("sternum to spine",),
    "neck compression": ("force at C7",),
    "neck tension": ("axial Fz",),
    "head impact time": ("head impact time",),
    "throw distance": ("throw distance",),
}
"""Measure of a report to the quantities of rows that are it, or (turn rate) what it is made of."""
KINDS = {
    "tests of parts": ("head", "neck", "torso", "arms", "legs"),
    "falls": ("falls",),
    "pedestrians": ("pedestrian", "vehicle"),
    "occupants": ("occupant",),
    "tackles": ("tackle",),
}
"""Kind of case to areas of the score."""
LEAST = 2
"""Comparisons below which no scatter is stated."""


def expected_errors(rows: Sequence[Row]) -> dict[str, dict[str, dict[str, float]]]:
    """Measure to kind of case to bias and scatter (% of the middle of the published band), half width of the band (%),
    comparisons, published numbers, and how many of the comparisons are with numbers that are sure. Predictions only."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for measure, quantities in MEASURES.items():
        for kind, areas in KINDS.items():
            mine = [r for r in rows if r.area in areas and r.quantity in quantities and _is_prediction(r)]
            if len(mine) >= LEAST:
                found.setdefault(measure, {})[kind] = _statistics(mine)
    return found


def _is_prediction(row: Row) -> bool:
    return row.value is not None and row.band is not None and not row.fitted and sum(row.band) > 0.0


def _statistics(rows: Sequence[Row]) -> dict[str, float]:
    middles = np.array([0.5 * sum(row.band) for row in rows])
    values = np.array([row.value for row in rows])
    widths = np.array([0.5 * (row.band[1] - row.band[0]) for row in rows])
    off = 100.0 * (values / middles - 1.0)
    return {
        "bias": round(float(off.mean()), 1),
        "scatter": round(float(off.std(ddof=1)), 1),
        "band": round(float(np.mean(100.0 * widths / middles)), 1),
        "comparisons": len(rows),
        "numbers": len({(row.source.text, row.quantity, row.number or row.published) for row in rows}),
        "sure": sum(row.source.mark in SURE for row in rows),
    }


def errors_text(rows: Sequence[Row], date: str, version: str) -> str:
    """The file that reports read."""
    return json.dumps({"date": date, "version": version, "measures": expected_errors(rows)}, indent=1) + "\n"


def write_errors(path: str | Path, rows: Sequence[Row], date: str, version: str) -> Path:
    """Write the file that reports read."""
    from ...io_json.atomic import write_text

    write_text(Path(path), errors_text(rows, date, version))
    return Path(path)


TEXT = """Mean and standard deviation of (simulated - middle of the published band) over that middle, of predictions
only; reports print them beside each measure. The last column is the half width of the published bands: a
scatter within it is that of the experiments. A measure that is not listed (HIC, Nij, viscous criterion) has no
published prediction here.
"""


def errors_lines(rows: Sequence[Row]) -> list[str]:
    """Lines of the page."""
    cells = [
        [
            measure,
            kind,
            f"{one['bias']:+.0f} %",
            f"{one['scatter']:.0f} %",
            f"{one['comparisons']:.0f} with {one['numbers']:.0f} numbers, {one['sure']:.0f} sure",
            f"{one['band']:.0f} %",
        ]
        for measure, kinds in expected_errors(rows).items()
        for kind, one in kinds.items()
    ]
    head = ["measure", "kind of case", "bias", "scatter", "comparisons", "published +-"]
    return ["## Error to expect", "", TEXT, *table(head, cells), ""]
