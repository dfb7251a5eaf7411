"""The page docs/validation.md: measured against published, printed from runs of the component checks."""

from collections.abc import Callable, Sequence
from pathlib import Path

from .component_checks import CHECKS, DUMMY_FALLS, REAL_FALLS, Row
from .models_page import table

INTRODUCTION = """# Validation

This page is written by `python -m mannequin models validation`, which runs every check; do not edit it by
hand.

Each row repeats a published test or compares with a published range. A miss is stated with its size; where
the reason is known it is given. The models are passive rigid bodies with contact curves that are not of one
person; read the limits below before leaning on a number. General truths to keep in mind: passive models
overestimate the impact speed of living people by about 30 % (Choi 2015), and throw distance scatters widely
in reality.
"""

FALLS_TEXT = """Every combination of lean (5 and 8 degrees), direction and muscle tone (none, half, full) is listed,
not a choice of them. Dummies, their joints set to hold one g, are compared with falls of dummies in
all five quantities that were published, people with falls of older adults. A passive person folds at the
knees; tone keeps the legs straight and the fall long.
"""

KNOWN_LIMITS = """## What the checks do not show

- Chest deflection is that of one sternum on one slider. A dummy's is matched at one speed only.
- Legs break in car_pedestrian only, where they are chosen; people in other rows do not break.
- Rows marked "fitted to this test" (head, chest and neck of the dummies, the man's neck in the drop on the
  head) show that the engine repeats the test the model was made from, not that it was predicted. Legs bent to
  failure have the means of the very source as their strength; the cart and the legform's bending are predicted.
- People in the falls hold the head with motors capped by the strength of the neck (conscious, the default);
  they do not right the head by reflex as a faller does, so backward the head strikes too fast. `docs/physics.md`
  has the numbers for a conscious, an unconscious and a passive neck.
- The other rows are no blind predictions. Set-ups were chosen while results could be seen: the posture of the
  shipped tackle, the lean and tone of the falls, and where the throw is measured from. What was tried is
  therefore printed whole: both leans and all tones, eighteen more postures, both ways to measure the throw.
- Pedestrian and car rows are one run each, not an ensemble of stances.
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


def _count(rows: Sequence[Row]) -> str:
    judged = [row for row in rows if row.inside is not None]
    return (
        f"{sum(row.inside for row in judged)} of {len(judged)} comparisons lie inside their published band."
    )


def _table(rows: Sequence[Row]) -> list[str]:
    head = ["check", "quantity", "published", "measured", "", "remark"]
    return table(head, [[r.check, r.quantity, r.published, r.measured, _verdict(r), r.remark] for r in rows])


def page_text(rows: Sequence[Row], active: Sequence[str] = ()) -> str:
    """The page: falls in a table of their own, because every lean and tone tried is listed.

    active: lines about falls with a response (`active_falls.section`).
    """
    falls = [row for row in rows if row.source in (DUMMY_FALLS, REAL_FALLS)]
    others = [row for row in rows if row not in falls]
    sources = [f"- {source}" for source in dict.fromkeys(row.source for row in rows)]
    lines = [INTRODUCTION]
    if others:
        lines += [_count(others), "", *_table(others), ""]
    if falls:
        lines += ["## Falls from standing", "", FALLS_TEXT, _count(falls), "", *_table(falls), ""]
    lines += active
    return "\n".join([*lines, KNOWN_LIMITS, "## Sources", "", *sources]) + "\n"


def write_page(folder: str | Path, rows: Sequence[Row], active: Sequence[str] = ()) -> Path:
    """Write validation.md into `folder`."""
    from ...io_json.atomic import write_text

    page = Path(folder) / "validation.md"
    write_text(page, page_text(rows, active))
    return page
