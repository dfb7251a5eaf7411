"""The page docs/validation.md: measured against published, printed from runs of the checks."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path

from ..pages.models_page import table
from .errors import errors_lines
from .experiment import experiment
from .row import AREAS, SURE, Row
from .score import LEAST_PREDICTIONS, LEAST_SCORE, fitted_parts, history_with, read_history, scores

MOST_ERROR = 0.1
"""Share of a band by which half the step may move a value"""

INTRODUCTION = """# Validation

This page is written by `python -m mannequin models validation`, which runs every check; do not edit it by
hand.

Each row repeats a published test or compares with a published range. What was used to set the model is listed
apart and not counted, and neither is a number that nobody has read in its source. A miss is stated with its
size and with its cause, as far as that was examined; what begins with "Reasoned" was not tried by changing
the model. The column *half step* has the change at half the time step, in
% of the width of the published band; what is above a tenth of it is bold. The models are rigid bodies with contact
curves that are not of one person; read the limits below before leaning on a number.
"""

FALLS_TEXT = """Every combination of lean (5 and 8 degrees), direction and muscle tone (none, half, full) or response is
listed, not a choice of them. Dummies, their joints set to hold one g, are compared with falls of dummies in
all five quantities that were published, people with falls of older adults. A passive person folds at the
knees; tone keeps the legs straight and the fall long; only responses are what people do.
"""

KNOWN_LIMITS = """## What the checks do not show

- Chest deflection is that of one sternum on one slider. A dummy's is matched at one speed only.
- Legs break in rows with cars and in tests of legs; people in other rows do not break. Skulls never do.
- Regulations state boxes (a peak, when, and when it is back to zero) and digitised corridors of cadavers were not
  found: curves are drawn over the boxes. A corridor in time is published only of the pendulum's own motion, which is
  rated as a whole curve (CORA's corridor method); it shows that the rig does what is asked, and no more.
- Few rows are blind predictions. Set-ups were chosen while results could be seen: the posture of the
  shipped tackle, the lean and tone of the falls, where the throw is measured from, and how arms are held in the arrest
  (held stiff they were tried first; both are listed). What was tried is printed whole.
- Distributions of the random people and tackles are assumed; a share of them is good to a few %.
- The head's curve is matched on a rigid plate with the dummy's 4.54 kg. Its unloading (restitution 0.55) is
  assumed.
- Materials marked "assumed" (most of the body away from head, thorax and pelvis, and all vehicles) have no
  test behind them; `python -m mannequin models page` lists every source.
"""

NOT_RUN = """## Published, and not run

| what | why |
| --- | --- |
| Hybrid II neck, older child dummies (49 CFR 572 subparts B, C, I) | other dummies than those of the library |
| fracture of skulls and distal radius, tension of necks to failure, strength of hips | these parts do not break |
| infants' skulls (stress), surrogates of 1.5 months on mattress and carpet | people begin at one year; no stresses |
| necks of Q dummies and WorldSID to the side, lumbar spine of a Q6 | pulses or values were not found |
| lateral blows to the trunk (Viano 1989), Kroell's corridors, back blows | published curves were not found |
| wrap-around distances and head times of Euro NCAP TB024 | reference values were not found |
| headform grids on bonnet and windscreen | only limits are published, no results of a car of ours |
| sleds with cadavers and with child seats | corridors were not found; no child seat, no booster |
| cyclist into pedestrian, sideswipes | no such scenario |
| staged cyclist throws, stairs, ladders | values were not found |
| volunteers over 65 years on the sled | the shipped sled is posed for the shipped man; nobody older was seated on it |
| hip force by how knees are held (Lim and Choi 2020), share of walkers who fall after a slip | set-ups not built |
"""

PICTURES = (
    ("score.png", "Published numbers of each area that were predicted, and how many lie inside."),
    (
        "misses.png",
        "Every prediction that counts, in half widths of its published band from the band's middle.",
    ),
    (
        "neck_pendulum.png",
        "The man's dummy under the neck pendulum over the boxes of 49 CFR 572.33 (fitted).",
    ),
    ("thorax.png", "Chests under the pendulum: dummies over their boxes (fitted), a man at three speeds."),
    ("older_adults.png", "Falls of random older adults over the published distributions (Choi 2015)."),
    ("throws.png", "Throw of a man by four classes of fronts over regressions and bounds."),
)
"""File in images/validation, and what it shows."""

SCORE_TEXT = """Only predictions of numbers that were read in their source, follow from arithmetic, or are general
knowledge of high confidence count. Each published number counts once: where several set-ups are held against
it (leans, directions, tones, speeds), it counts by the share of them inside.
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
    head = ["check", "quantity", "published", "measured", "", "half step", "remark"]
    cells = [
        [r.check, r.quantity, r.published, r.measured, _verdict(r), _half_step(r), r.remark] for r in rows
    ]
    return table(head, cells)


def _half_step(row: Row) -> str:
    error = row.numerical_error
    if error is None:
        return ""
    text = f"{100.0 * error:.1f} %"
    return f"**{text}**" if error > MOST_ERROR else text


def _numerics_line(rows: Sequence[Row]) -> str:
    """How many rows are within a tenth of their band at half the step."""
    errors = [row.numerical_error for row in rows if row.numerical_error is not None]
    if not errors:
        return ""
    fine = sum(error <= MOST_ERROR for error in errors)
    return (
        f"Half the time step moves {fine} of {len(errors)} rows by less than a tenth of their band, "
        f"the middle one by {100.0 * sorted(errors)[len(errors) // 2]:.2f} %."
    )


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
    shown = [f"{verdict} {_numerics_line(rows)}".strip(), ""]
    return ["## Score", "", *when, SCORE_TEXT, *table(columns, cells), "", *shown]


def _fitted_lines(rows: Sequence[Row]) -> list[str]:
    parts = [[part, "; ".join(checks)] for part, checks in fitted_parts(rows).items()]
    return [
        "## Fitted, not predicted", "", FITTED_TEXT, *table(["what was set", "from"], parts), "",
        _count(rows), "", *_table(rows), "",
    ]  # fmt: skip


SET_UP_TEXT = """One file each in `models/validation/experiments`, with the published numbers, how sure they are, what
was set from them, and the causes of misses.
"""


def _set_up_lines(rows: Sequence[Row]) -> list[str]:
    """How each published test that has rows is simulated."""
    names = [name for name in dict.fromkeys(row.experiment for row in rows) if name]
    cells = [[f"`{name}`", " ".join(experiment(name).set_up["text"].split())] for name in names]
    head = ["## How the tests are set up", "", SET_UP_TEXT]
    return [*head, *table(["experiment", "set-up"], cells), ""] if cells else []


def _picture_lines(names: Sequence[str]) -> list[str]:
    lines = []
    for name, words in PICTURES:
        if name in names:
            lines += [f"![{words}](images/validation/{name})", "", f"*{words}*", ""]
    return lines


def page_text(
    rows: Sequence[Row], active: Sequence[str] = (), stamp: str = "", pictures: Sequence[str] = ()
) -> str:
    """The page: predictions, then falls in a table of their own, because every lean and tone tried is listed, then what
    was fitted.

    active: lines about falls with a response (`active_falls.section`). stamp: date and version, in words. pictures:
    names of the files of `PICTURES` that there are.
    """
    falls = [row for row in rows if row.experiment in ("dummy_falls", "real_falls")]
    fitted = [row for row in rows if row.fitted]
    others = [row for row in rows if row not in falls and row not in fitted]
    sources = [f"- {s.text} ({s.mark})" for s in dict.fromkeys(row.source for row in rows)]
    set_ups = _set_up_lines(rows)
    lines = [INTRODUCTION, *_score_lines(rows, stamp), *_picture_lines(pictures), *errors_lines(rows)]
    for area in AREAS:
        mine = [row for row in others if row.area == area]
        if mine:
            lines += [f"## Predictions: {area}", "", _count(mine), "", *_table(mine), ""]
    if falls:
        lines += ["## Falls from standing", "", FALLS_TEXT, _count(falls), "", *_table(falls), ""]
    lines += active
    if fitted:
        lines += _fitted_lines(fitted)
    return "\n".join([*lines, KNOWN_LIMITS, NOT_RUN, *set_ups, "## Sources", "", *sources]) + "\n"


def write_page(
    folder: str | Path,
    rows: Sequence[Row],
    date: str,
    version: str,
    active: Sequence[str] = (),
    draw: Callable[[Path, Sequence[Row]], list[Path]] | None = None,
) -> list[Path]:
    """Write validation.md, its history and, where `draw` is given (`pictures.draw_all`), its pictures into `folder`.
    date: as 2026-01-31."""
    from ...io_json.atomic import write_text

    page, history = Path(folder) / "validation.md", Path(folder) / "validation_history.csv"
    stamp = (
        f"Run on {date} with version {version}; `validation_history.csv` has the scores of earlier versions."
    )
    drawn = draw(Path(folder) / "images" / "validation", rows) if draw is not None else []
    write_text(page, page_text(rows, active, stamp, [path.name for path in drawn]))
    write_text(history, history_with(read_history(history), rows, date, version))
    return [page, history, *drawn]
