"""The history of benchmarks and the table of targets in the documentation. No timings."""

import json

import pytest

from mannequin.benchmarks import __main__ as bench
from mannequin.benchmarks import history, targets

RUN = targets.TARGETS[0]
FLIGHT = next(target for target in targets.TARGETS if target.case == "free flight")


def entry(target: targets.Target, number: float, date: str = "2026-01-01T00:00Z", machine: str = "one"):
    return history.Entry(date, "0.1.0", machine, target.case, number, target.unit)


def row_of(target: targets.Target, entries: list[history.Entry]) -> list[str]:
    """Cells of a target's row."""
    line = next(line for line in history.target_table(entries).splitlines() if f"| {target.case} " in line)
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_page_has_the_table_of_the_stored_history() -> None:
    assert history.section_of() == history.section(history.read()), (
        "run: python -m mannequin.benchmarks.history"
    )


def test_what_is_shown_is_what_is_stored(tmp_path) -> None:
    """7.06499 is stored as 7.065: two digits of the one and of the other differ."""
    path = tmp_path / "history.csv"
    known = history.append({FLIGHT.case: (7.06499, FLIGHT.unit)}, "one", path)
    assert known == history.read(path)
    assert row_of(FLIGHT, known)[2].startswith("7.07 ")


def test_every_stored_case_is_a_target_and_every_target_has_a_row() -> None:
    cases = {target.case for target in targets.TARGETS}
    assert {stored.case for stored in history.read()} <= cases
    assert all(f"| {case} " in history.target_table(history.read()) for case in cases)


def test_every_section_of_a_target_is_measured() -> None:
    assert {target.section for target in targets.TARGETS} - {""} <= set(bench.SECTIONS)


@pytest.mark.parametrize(
    ("target", "number", "words"),
    [
        (RUN, 0.9, "met"),
        (RUN, 1.0, "met"),
        (RUN, 1.1, "MISSED"),
        (FLIGHT, 5.0, "met"),
        (FLIGHT, 4.9, "MISSED"),
    ],
)
def test_verdicts(target, number, words) -> None:
    assert row_of(target, [entry(target, number)])[-1] == words


def test_a_loss_is_seen_on_the_same_machine_only() -> None:
    slower = [entry(RUN, 0.5), entry(RUN, 0.8, "2026-02-01T00:00Z")]
    assert row_of(RUN, slower)[-1] == "met, LOSS of 60 %"
    assert row_of(RUN, [slower[0]._replace(machine="two"), slower[1]])[-1] == "met"
    assert row_of(FLIGHT, [entry(FLIGHT, 6.0), entry(FLIGHT, 4.5)])[-1] == "MISSED, LOSS of 25 %"
    assert row_of(FLIGHT, [entry(FLIGHT, 6.0), entry(FLIGHT, 8.0)])[-1] == "met"


def test_what_nobody_measured_says_so() -> None:
    assert row_of(RUN, [])[2:] == ["-", "-", "not measured"]


def test_numbers_are_added_and_read_back_and_the_page_follows(tmp_path) -> None:
    path, page = tmp_path / "history.csv", tmp_path / "page.md"
    page.write_text(f"before\n{history.BEGIN}\n{history.END}\nafter\n", encoding="utf-8")
    for number in (4.0, 6.0):
        known = history.append({FLIGHT.case: (number, FLIGHT.unit)}, "one", path)
        history.write_section(known, page)
    stored = history.read(path)
    assert [(each.case, each.number) for each in stored] == [(FLIGHT.case, 4.0), (FLIGHT.case, 6.0)]
    assert history.section_of(page) == history.section(stored)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n") and text.endswith("\nafter\n") and text.count(history.BEGIN) == 1


def test_numbers_are_found_in_what_sections_measure() -> None:
    found = {
        "cases": [{"case": "free flight", "ratio": {"median": 4.5}}],
        "whole_runs": {"command": {"wall_s": {"median": 1.5}}},
        "start_up": {"cold": {}},
    }
    measured = targets.numbers(json.loads(json.dumps(found)))
    assert measured == {FLIGHT.case: (4.5, FLIGHT.unit), RUN.case: (1.5, "s")}


def test_a_quick_run_leaves_no_trace(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(history, "append", lambda *_: pytest.fail("a quick run is kept"))
    monkeypatch.setitem(
        bench.SECTIONS, "memory", lambda *_: {"imported_mb": 1.0, "run_2_s_mb": 2.0, "run_20_s_mb": 3.0}
    )
    assert bench.main(["--quick", "--only", "memory", "--out", str(tmp_path)]) == 0
