"""The score of the validation page: predictions only, each published number once, and a history that is kept."""

import csv
import io
import json
import math
from pathlib import Path

import pytest

from mannequin.models.validation.arms import energy_of_bending
from mannequin.models.validation.checks import rows_of, with_halves
from mannequin.models.validation.errors import errors_text, expected_errors
from mannequin.models.validation.experiment import NOT_EXAMINED, Cause, Experiment, Quantity
from mannequin.models.validation.page import page_text, write_page
from mannequin.models.validation.row import AREAS, MEMORY_MEDIUM, READ, Row, Source
from mannequin.models.validation.score import fitted_parts, history_with, scores

FAST = ("head_drop", "skulls", "knee", "leg_failures", "braking", "benchmark_bicycle")
"""Checks of a few seconds, which guard the score."""
READ_PAPER, QUOTED = Source("paper", READ), Source("book", MEMORY_MEDIUM)


class Comparison:
    """Rows of an experiment that has the quantities they ask for."""

    def __init__(self, area: str, check: str, source: Source, fitted: str = "") -> None:
        self.test = Experiment("", area, check, source, fitted, {}, {}, (Cause("", "", ""),))

    def row(self, quantity, value, unit, band, remark="", digits=2, number="") -> Row:
        self.test.quantities[quantity] = Quantity(quantity, unit, digits=digits)
        return self.test.row(quantity, value, remark, band, number)

    def words(self, quantity, published, measured) -> Row:
        self.test.quantities[quantity] = Quantity(quantity, published=published)
        return self.test.words(quantity, measured)


def example_rows() -> list:
    """Two set-ups of one published number, one inside; a fitted number; one that nobody has read; one without band."""
    first, second = (Comparison("falls", f"fall {k}", READ_PAPER) for k in (1, 2))
    fitted = Comparison("head", "drop", Source("law", READ), fitted="curve of the head")
    quoted = Comparison("neck", "pull", QUOTED)
    return [
        first.row("speed", 2.5, "m/s", (2.0, 3.0)),
        second.row("speed", 4.0, "m/s", (2.0, 3.0)),
        first.row("force", 5.0, "kN", (4.0, 6.0)),
        fitted.row("peak", 250.0, "g", (225.0, 275.0)),
        quoted.row("force", 9.0, "kN", (1.0, 2.0)),
        quoted.words("way", "about 3 mm", "4 mm"),
    ]


def by_area(rows) -> dict:
    return {score.area: score for score in scores(rows)}


def test_only_predictions_of_sure_numbers_count():
    found = by_area(example_rows())
    assert found["head"].published == found["neck"].published == 0
    assert (found["falls"].published, found["falls"].compared, found["falls"].inside) == (2, 3, 2)
    # one number half inside, one whole: three quarters, however many set-ups the first has
    assert found["falls"].value == pytest.approx(0.75)
    assert found["all"].value == pytest.approx(0.75)


def test_a_row_outside_says_by_how_much():
    row = Comparison("falls", "fall", READ_PAPER).row("speed", 4.0, "m/s", (2.0, 3.0), "head first", 1)
    assert row.inside is False and row.remark == "misses by 1.0 m/s (33 %). head first"
    low = Comparison("falls", "fall", READ_PAPER).row("speed", 1.0, "m/s", (2.0, 3.0))
    assert low.remark.startswith("misses by 1.00 m/s (50 %)")


def test_page_lists_what_was_fitted_apart():
    text = page_text(example_rows())
    predicted, fitted = text.split("## Fitted, not predicted")
    assert "| drop |" in fitted and "| drop |" not in predicted
    assert "| curve of the head | drop |" in fitted
    assert "| pull | force | 1 to 2 kN | 9.00 kN | **misses**, not counted |" in predicted
    assert "60 published numbers predicted (missed), 70 % of them inside (met)" in text
    assert "- paper (read in the source or its abstract)" in text


def test_history_keeps_other_days_and_replaces_this_one(tmp_path):
    rows = example_rows()
    first = history_with([], rows, "2026-01-01", "1.0")
    lines = list(csv.DictReader(io.StringIO(first)))
    assert {line["area"] for line in lines} == {"falls", "all"} and lines[0]["score"] == "0.750"
    again = history_with(lines, rows[:1], "2026-01-01", "1.0")
    assert [line["score"] for line in csv.DictReader(io.StringIO(again))] == ["1.000", "1.000"]
    later = list(csv.DictReader(io.StringIO(history_with(lines, rows[:1], "2026-01-02", "1.0"))))
    assert [line["date"] for line in later] == ["2026-01-01"] * 2 + ["2026-01-02"] * 2


def test_page_and_history_are_written(tmp_path):
    page, history = write_page(tmp_path, example_rows(), "2026-01-01", "1.0")
    assert "Run on 2026-01-01 with version 1.0" in page.read_text(encoding="utf-8")
    assert history.read_text(encoding="utf-8").startswith("date,version,area")


@pytest.fixture(scope="module")
def fast_rows():
    """Rows of the checks that take seconds, at the step and at half of it."""
    return rows_of(FAST)


def test_fast_checks_say_what_they_are(fast_rows):
    """Every row has an area of the score, a mark, and a fitted part where one is known; what was fitted still fits."""
    assert {row.area for row in fast_rows} <= set(AREAS)
    parts = fitted_parts(fast_rows)
    assert parts["force curve of the head"] == ["Head drop"]
    assert parts["force curve of the knee"] == ["Knee, 5 kg at 2.1 m/s"]
    assert all(row.inside for row in fast_rows if row.fitted)


def test_fast_checks_guard_the_score(fast_rows):
    """What the page of the last whole run has inside is inside, and a row that misses states its size and a cause."""
    page = (Path(__file__).parents[2] / "docs" / "validation.md").read_text(encoding="utf-8")
    for row in fast_rows:
        if row.value is None:
            continue
        start = f"| {row.check} | {row.quantity} | {row.published} |"
        (line,) = [line for line in page.splitlines() if line.startswith(start)]
        assert ("| inside" in line) == row.inside, (line, row.measured)
        if not row.inside:
            assert row.remark.startswith("misses by") and NOT_EXAMINED not in row.remark


def test_half_the_step_moves_fast_rows_by_less_than_a_tenth_of_their_band(fast_rows):
    errors = {
        f"{row.check}, {row.quantity}": row.numerical_error for row in fast_rows if row.value is not None
    }
    assert all(error is not None and error < 0.1 for error in errors.values()), errors


def test_expected_errors_are_those_of_predictions():
    """Bias, scatter and band by hand: head speeds 2.5 and 4.0 in 2 to 3 are 0 and 60 % off the middle."""
    test = Comparison("falls", "fall", READ_PAPER)
    rows = [test.row("head speed", value, "m/s", (2.0, 3.0)) for value in (2.5, 4.0)]
    rows.append(
        Comparison("falls", "fall", READ_PAPER, fitted="legs").row("head speed", 9.0, "m/s", (2.0, 3.0))
    )
    found = expected_errors(rows)
    assert found == {
        "impact speed": {
            "falls": {"bias": 30.0, "scatter": 42.4, "band": 20.0, "comparisons": 2, "numbers": 1, "sure": 2}
        }
    }
    assert json.loads(errors_text(rows, "2026-01-01", "1.0"))["measures"] == found


def test_rows_at_half_the_step_are_found_by_what_they_are():
    test = Comparison("falls", "fall", READ_PAPER)
    (row,) = with_halves(
        [test.row("speed", 2.5, "m/s", (2.0, 3.0))], [test.row("speed", 2.55, "m/s", (2.0, 3.0))]
    )
    assert row.numerical_error == pytest.approx(0.05)
    (row,) = with_halves(
        [test.row("speed", 2.5, "m/s", (2.0, 3.0))], [test.words("speed", "", "did not happen")]
    )
    assert row.numerical_error is None


def test_bounds_of_several_runs_are_one_number():
    """Searle's bounds differ from run to run, and are one published number for a front."""
    test = Comparison("pedestrian", "throw", READ_PAPER)
    rows = [test.row("speed", 2.5, "m/s", (2.0, high), number="bounds") for high in (3.0, 2.4)]
    (score,) = [score for score in scores(rows) if score.area == "pedestrian"]
    assert (score.published, score.compared, score.value) == (1, 2, 0.5)


def test_energy_of_an_arm_of_equal_halves():
    """Halves of length l: the force is T / (l sin(b / 2)) over 2 l (1 - cos(b / 2)), which is 2 T tan(b / 4)."""
    for bend in (30.0, 90.0, 140.0):
        expected = 2.0 * 20.0 * math.tan(math.radians(bend) / 4.0)
        assert energy_of_bending(20.0, 0.3, 0.3, bend) == pytest.approx(expected)
