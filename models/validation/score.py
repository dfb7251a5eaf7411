"""The score of a validation: predictions of sure numbers, by area; what it was before; and what was set from which
test."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .row import AREAS, Row

HISTORY_COLUMNS = ("date", "version", "area", "published", "compared", "inside", "score")
LEAST_PREDICTIONS = 60
LEAST_SCORE = 0.7
"""What the page is held against: so many published numbers predicted, and this share of them inside."""


@dataclass(frozen=True)
class Score:
    """Predictions of one area."""

    area: str
    published: int
    """Published numbers, each counted once however many set-ups are held against it"""
    compared: int
    inside: int
    shares: float
    """Sum over the published numbers of the share of set-ups inside"""

    @property
    def value(self) -> float:
        """Mean share inside of the published numbers; nan where there are none."""
        return self.shares / self.published if self.published else float("nan")


def score_of(area: str, rows: Iterable[Row]) -> Score:
    """The score of the rows of an area."""
    by_number: dict[tuple[str, str, str], list[bool]] = {}
    for row in rows:
        if row.counts:
            # set-ups of one test state the same number: source, quantity and band
            key = (row.source.text, row.quantity, row.number or row.published)
            by_number.setdefault(key, []).append(bool(row.inside))
    outcomes = by_number.values()
    return Score(
        area,
        len(by_number),
        sum(map(len, outcomes)),
        sum(map(sum, outcomes)),
        sum(sum(outcome) / len(outcome) for outcome in outcomes),
    )


def scores(rows: Sequence[Row]) -> list[Score]:
    """The score of every area that has rows, then of all together."""
    areas = [score_of(area, [row for row in rows if row.area == area]) for area in AREAS]
    return [*areas, score_of("all", rows)]


def fitted_parts(rows: Sequence[Row]) -> dict[str, list[str]]:
    """What of the models was set from which tests: part to its tests, in the order of the rows."""
    parts: dict[str, list[str]] = {}
    for row in rows:
        if row.fitted and row.check not in parts.setdefault(row.fitted, []):
            parts[row.fitted].append(row.check)
    return parts


def read_history(path: Path) -> list[dict[str, str]]:
    """Lines of the history, oldest first; none where there is no file."""
    if not path.exists():
        return []
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


def history_with(lines: Sequence[dict[str, str]], rows: Sequence[Row], date: str, version: str) -> str:
    """The history as text with the scores of now; a second run of the same day and version replaces the first."""
    kept = [line for line in lines if (line["date"], line["version"]) != (date, version)]
    for score in scores(rows):
        if score.published:
            numbers = (score.published, score.compared, score.inside, f"{score.value:.3f}")
            kept.append(
                dict(zip(HISTORY_COLUMNS, map(str, (date, version, score.area, *numbers)), strict=True))
            )
    text = io.StringIO()
    writer = csv.DictWriter(text, HISTORY_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(kept)
    return text.getvalue()
