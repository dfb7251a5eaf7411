"""A problem found in a spec."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

LONGEST_SHOWN = 60
"""Characters of a value that a message quotes."""


@dataclass(frozen=True)
class Issue:
    """One problem: where it is, what is wrong, and what to do."""

    severity: str
    """"error" stops a simulation, "warning" does not."""
    place: str
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.severity}: {self.place}: {self.message}. {self.remedy}."


class WrongType(Issue):
    """A value that is not even of the right type, so that checks which use it would fail themselves."""


def wrong_type(place: str, message: str, remedy: str) -> Issue:
    """An error because of which no further check makes sense."""
    return WrongType("error", place, message, remedy)


def error(place: str, message: str, remedy: str) -> Issue:
    """An issue that stops a simulation."""
    return Issue("error", place, message, remedy)


def warning(place: str, message: str, remedy: str) -> Issue:
    """An issue that is reported with the run."""
    return Issue("warning", place, message, remedy)


def within(place: str, issues: Iterable[Issue]) -> list[Issue]:
    """Issues of a part as issues of the whole at `place`."""
    return [replace(issue, place=f"{place}, {issue.place}") for issue in issues]


def quoted(value: Any) -> str:
    """A value in a message, cut where it is long."""
    try:
        text = repr(value)
    except ValueError:  # a whole number of thousands of digits
        text = "a number of thousands of digits"
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def repeated_names(place: str, what: str, names: Iterable[str]) -> list[Issue]:
    """Names must be unique and not empty."""
    seen: set[str] = set()
    issues = []
    for name in names:
        if not name:
            issues.append(error(place, f"a {what} has no name", f"Name every {what}"))
        elif name in seen:
            issues.append(error(place, f"the {what} name '{name}' is used twice", f"Rename one {what}"))
        seen.add(name)
    return issues
