"""The page docs/validation.md: measured against published, printed from runs of the checks."""

import math
from collections.abc import Sequence
from pathlib import Path

from ..pages.models_page import table
from .falls import DUMMY_FALLS, REAL_FALLS
from .row import SURE, Row
from .score import LEAST_PREDICTIONS, LEAST_SCORE, fitted_parts, history_with, read_history, scores

INTRODUCTION = """# Validation

This page is written by `python -m mannequin models validation`, which runs every check; do not edit it by
hand.

Each row repeats a published test or compares with a published range. What was used to set the model is listed
apart and not counted, and neither is a number that nobody has read in its source. A miss is stated with its
size; where the reason is known it is given. The models are passive rigid bodies with contact curves that are not of one
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


SCORE_TEXT = """Only predictions of numbers that were read in their source, follow from arithmetic, or are general
knowledge of high confidence count. Each published number counts once: where several set-ups are held against
it (leans, directions, tones), it counts by the share of them inside.
"""

FITTED_TEXT = """These tests were used to set the models, so that the engine repeats them shows no more than that it
does. They are not counted.
"""


def _verdict(row: Row) -> str:
    words = {True: "inside", False: "**misses**", None: "for information"}[row.inside]
    is_unread = row.inside is not None and not row.fitted and row.source.mark not in SURE
    return f"{words}, not counted" if is_unread else words


def _count(rows: Sequence[Row]) -> str:
    judged = [row for row in rows if row.inside is not None]
    return (
        f"{sum(row.inside for row in judged)} of {len(judged)} comparisons lie inside their published band."
    )


def _table(rows: Sequence[Row]) -> list[str]:
    head = ["check", "quantity", "published", "measured", "", "remark"]
    return table(head, [[r.check, r.quantity, r.published, r.measured, _verdict(r), r.remark] for r in rows])


def _score_lines(rows: Sequence[Row], stamp: str) -> list[str]:
    """The score by area, and whether it is what is asked of it; stamp: a line on when it was taken, or nothing."""
    found = scores(rows)
    cells = [
        [
            s.area,
            str(s.published),
            str(s.compared),
            str(s.inside),
            f"{100 * s.value:.0f} %" if s.published else "-",
        ]
        for s in found
    ]
    columns = ["area", "published numbers predicted", "set-ups compared", "inside", "score"]
    total = found[-1]
    is_enough = total.published >= LEAST_PREDICTIONS
    is_met = not math.isnan(total.value) and total.value >= LEAST_SCORE
    verdict = (
        f"Asked for: {LEAST_PREDICTIONS} published numbers predicted ({'met' if is_enough else 'missed'}), "
        f"{100 * LEAST_SCORE:.0f} % of them inside ({'met' if is_met else 'missed'})."
    )
    when = [stamp, ""] if stamp else []
    return ["## Score", "", *when, SCORE_TEXT, *table(columns, cells), "", verdict, ""]


def _fitted_lines(rows: Sequence[Row]) -> list[str]:
    parts = [[part, "; ".join(checks)] for part, checks in fitted_parts(rows).items()]
    return [
        "## Fitted, not predicted", "", FITTED_TEXT, *table(["what was set", "from"], parts), "",
        _count(rows), "", *_table(rows), "",
    ]  # fmt: skip


def page_text(rows: Sequence[Row], active: Sequence[str] = (), stamp: str = "") -> str:
    """The page: predictions, then falls in a table of their own, because every lean and tone tried is listed, then what
    was fitted.

    active: lines about falls with a response (`active_falls.section`). stamp: date and version, in words.
    """
    falls = [row for row in rows if row.source in (DUMMY_FALLS, REAL_FALLS)]
    fitted = [row for row in rows if row.fitted]
    others = [row for row in rows if row not in falls and row not in fitted]
    sources = [f"- {s.text} ({s.mark})" for s in dict.fromkeys(row.source for row in rows)]
    lines = [INTRODUCTION, *_score_lines(rows, stamp)]
    if others:
        lines += ["## Predictions", "", _count(others), "", *_table(others), ""]
    if falls:
        lines += ["## Falls from standing", "", FALLS_TEXT, _count(falls), "", *_table(falls), ""]
    lines += active
    if fitted:
        lines += _fitted_lines(fitted)
    return "\n".join([*lines, KNOWN_LIMITS, "## Sources", "", *sources]) + "\n"


def write_page(
    folder: str | Path, rows: Sequence[Row], date: str, version: str, active: Sequence[str] = ()
) -> list[Path]:
    """Write validation.md and its history into `folder`. date: as 2026-01-31."""
    from ...io_json.atomic import write_text

    page, history = Path(folder) / "validation.md", Path(folder) / "validation_history.csv"
    stamp = (
        f"Run on {date} with version {version}; `validation_history.csv` has the scores of earlier versions."
    )
    write_text(page, page_text(rows, active, stamp))
    write_text(history, history_with(read_history(history), rows, date, version))
    return [page, history]
