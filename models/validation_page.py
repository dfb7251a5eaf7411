"""The page docs/validation.md: measured against published, printed from runs of the component checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from .component_checks import CHECKS, Row
from .page import table

INTRODUCTION = """# Validation

This page is written by `python -m mannequin models validation`, which runs every check; do not edit it by
hand.

Each row repeats a published test or compares with a published range. A miss is stated with its size; where
the reason is known it is given. The models are passive rigid bodies with contact curves that are not of one
person; read the limits below before leaning on a number. General truths to keep in mind: passive models
overestimate the impact speed of living people by about 30 % (Choi 2015), and throw distance scatters widely
in reality.
"""

KNOWN_LIMITS = """## What the checks do not show

- Chest deflection is the depth of a contact curve: the trunk is rigid. Force and depth are matched at 6.71
  m/s only; the curve has no rate dependence.
- The curves of head and thorax were made from the head drop and the pendulum, so these rows show that the
  engine repeats them, not that they were predicted. All other rows are predictions with assumed inputs.
- The head's curve is matched on a rigid plate with the dummy's 4.54 kg. Its unloading (restitution 0.55) is
  assumed.
- Materials marked "assumed" (most of the body away from head, thorax and pelvis, and the whole car) have no
  test behind them; `python -m mannequin models page` lists every source.
- Muscle tone in the falls is an assumed joint spring, not a reflex: nobody steps, grabs or turns.
"""


def rows_of(names: Sequence[str] = (), progress: Callable[[str], None] | None = None) -> list[Row]:
    """Run the checks named (all where none is) and return their rows."""
    rows: list[Row] = []
    for name in names or CHECKS:
        if progress is not None:
            progress(name)
        rows += CHECKS[name]()
    return rows


def _verdict(row: Row) -> str:
    return {True: "inside", False: "**misses**", None: "for information"}[row.inside]


def page_text(rows: Sequence[Row]) -> str:
    """The page."""
    head = ["check", "quantity", "published", "measured", "", "remark"]
    cells = [[r.check, r.quantity, r.published, r.measured, _verdict(r), r.remark] for r in rows]
    judged = [row for row in rows if row.inside is not None]
    count = (
        f"{sum(row.inside for row in judged)} of {len(judged)} comparisons lie inside their published band."
    )
    sources = [f"- {source}" for source in dict.fromkeys(row.source for row in rows)]
    lines = [INTRODUCTION, count, "", *table(head, cells), "", KNOWN_LIMITS, "## Sources", "", *sources]
    return "\n".join(lines) + "\n"


def write_page(folder: str | Path, rows: Sequence[Row]) -> Path:
    """Write validation.md into `folder`."""
    from ..io_json.atomic import write_text

    page = Path(folder) / "validation.md"
    write_text(page, page_text(rows))
    return page
