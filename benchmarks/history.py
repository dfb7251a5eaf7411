"""The numbers of every `make bench` so far, one line each, and the table of targets in the documentation.

benchmarks/history.csv grows at the end only; docs/performance.md has the table between two marks.
"""

import csv
import subprocess
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from .. import __version__
from .report import table, verdict
from .targets import TARGETS, Target

ROOT = Path(__file__).resolve().parent.parent
HISTORY = ROOT / "benchmarks" / "history.csv"
PAGE = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- targets: written by make bench -->", "<!-- end of targets -->"
LOSS = 0.1
"""Share by which a number is worse than the one before it that counts as a loss; less is noise of a shared machine."""


class Entry(NamedTuple):
    """A line of the history."""

    date: str
    """UTC, to the minute"""
    version: str
    """Of the program, and the commit where it is known"""
    machine: str
    case: str
    number: float
    unit: str


def read(path: Path = HISTORY) -> list[Entry]:
    """All entries, oldest first."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [Entry(**row | {"number": float(row["number"])}) for row in csv.DictReader(file)]


def append(numbers: Mapping[str, tuple[float, str]], machine: str, path: Path = HISTORY) -> list[Entry]:
    """Add the numbers of a run of the benchmarks, measured now; returns the whole history, as it is stored."""
    now, version = f"{datetime.now(UTC):%Y-%m-%dT%H:%MZ}", _version()
    known = read(path)
    added = [Entry(now, version, machine, case, number, unit) for case, (number, unit) in numbers.items()]
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if not known:
            writer.writerow(Entry._fields)
        writer.writerows(entry._replace(number=f"{entry.number:.5g}") for entry in added)
    return read(path)


def _version() -> str:
    """Version of the program, and the commit in a checkout."""
    command = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    try:
        commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return __version__
    return f"{__version__} {commit}"


def target_table(history: Iterable[Entry]) -> str:
    """Every target with its last number, the one before on such a machine, and the verdict."""
    rows, entries = [], list(history)
    for target in TARGETS:
        of_case = [entry for entry in entries if entry.case == target.case]
        if not of_case:
            rows.append([target.case, target.asked(), "-", "-", "not measured"])
            continue
        last = of_case[-1]
        before = [entry for entry in of_case[:-1] if entry.machine == last.machine]
        shown = f"{last.number:.3g} ({last.date[:10]}, {last.version})"
        earlier = f"{before[-1].number:.3g} ({before[-1].date[:10]})" if before else "-"
        rows.append([target.case, target.asked(), shown, earlier, _verdict(target, last, before)])
    return table(["what", "asked", "measured", "before", "verdict"], rows)


def _verdict(target: Target, last: Entry, before: list[Entry]) -> str:
    """Met or missed, and whether that is a loss against the last time."""
    words = verdict(target.is_met(last.number))
    change = last.number / before[-1].number - 1.0 if before and before[-1].number > 0.0 else 0.0
    worse = change if target.is_most else -change
    return f"{words}, LOSS of {100.0 * worse:.0f} %" if worse > LOSS else words


def section(history: list[Entry]) -> str:
    """The generated part of the page, marks included."""
    machines = list(dict.fromkeys(entry.machine for entry in reversed(history)))
    where = f"Last machine: {machines[0]}." if machines else "Nothing has been measured yet."
    return "\n".join([BEGIN, "", target_table(history), "", where, "", END])


def section_of(page: Path = PAGE) -> str:
    """The generated part that a page has."""
    text = page.read_text(encoding="utf-8")
    return text[text.index(BEGIN) : text.index(END) + len(END)]


def write_section(history: list[Entry], page: Path = PAGE) -> None:
    """Put the table of targets into the page."""
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace(section_of(page), section(history)), encoding="utf-8")


if __name__ == "__main__":
    write_section(read())
