"""What could not be carried over exactly, collected while a file is read or written."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One difference between another program's file and ours."""

    place: str
    """What it concerns: "joint 'knee_r'", "3 muscles: 'a', 'b', 'c'"."""
    message: str
    """What was done instead."""

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class Findings:
    """Collects findings; the same message about several things of one kind becomes one finding."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], list[str]] = {}

    def add(self, kind: str, name: str, message: str) -> None:
        """Note a message about a thing, such as ("joint", "knee_r", "...")."""
        names = self._names.setdefault((kind, message), [])
        if name not in names:
            names.append(name)

    def leave_out(self, kind: str, part: Any, *fields: str, why: str = "") -> None:
        """Note which of some fields a part has that cannot be carried over."""
        for field in fields:
            if getattr(part, field):
                self.add(kind, part.name, f"left out its {field.replace('_', ' ')}{why}")

    def list(self) -> list[Finding]:
        """All findings in the order in which their messages came first."""
        return [Finding(_place(kind, names), message) for (kind, message), names in self._names.items()]


SHOWN = 6
"""Names written out in one finding; the others are counted."""


def _place(kind: str, names: list[str]) -> str:
    quoted = ", ".join(f"'{name}'" for name in names[:SHOWN])
    if len(names) == 1:
        return f"{kind} {quoted}" if names[0] else kind
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{len(names)} {_plural(kind)}: {quoted}{more}"


def _plural(kind: str) -> str:
    if kind.endswith("y"):
        return f"{kind[:-1]}ies"
    return f"{kind}es" if kind.endswith(("sh", "x")) else f"{kind}s"
