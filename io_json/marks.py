"""Marks found at the place: skid, scrape, blood, glass, rest positions, each with an uncertainty ellipse.

They stand in a file of their own, or under "extras" / "marks" of a scenario, where the report finds them.
"""

import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..engine.spec import Scenario
from ..engine.spec.description import Choices, described
from . import atomic, layout
from .declarations import record_of
from .documents import read_document
from .errors import FileError, in_file

FORMAT = "mannequin-marks"
FORMAT_VERSION = 1
KEY = "marks"
"""In the extras of a scenario."""
MOST = 1000

KINDS = Choices(
    rest="Where somebody or something lay",
    skid="Tyre mark",
    scrape="Scrape or gouge",
    blood="Blood",
    glass="Glass or debris",
    fabric="Fibres or cloth",
    other="Anything else",
)


@dataclass
class Mark:
    """Something that was found, where, and how well its place is known."""

    name: str
    kind: str = described("What was found", options=KINDS)
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """m, world."""
    ellipse: tuple[float, float, float] = (0.1, 0.1, 0.0)
    """Half axes of the area in which it was, m, and the angle of the first from x towards y, degrees."""
    path: list[tuple[float, float, float]] = field(default_factory=list)
    """Of a long mark: its points in order, m, world."""
    body: str = ""
    """rest: "actor" or "actor/body" that lay there."""
    source: str = ""

    @property
    def length(self) -> float:
        """m along the path."""
        steps = np.diff(np.asarray(self.path, dtype=float).reshape(-1, 3), axis=0)
        return float(np.linalg.norm(steps, axis=1).sum())


@dataclass
class Marks:
    """A file of marks."""

    marks: list[Mark]


def read_marks(path: str | os.PathLike) -> list[Mark]:
    """Read a file of marks. Raises FileError."""
    document = read_document(path, FORMAT, FORMAT_VERSION)
    with in_file(path):
        marks = record_of(Marks).read(document, "").marks
        check(marks, "/marks")
    return marks


def write_marks(marks: list[Mark], path: str | os.PathLike) -> None:
    """Write a file of marks."""
    document = {"format": FORMAT, "format_version": FORMAT_VERSION, KEY: documents_of(marks)}
    atomic.write_text(path, layout.compact(document))


def marks_of(scenario: Scenario) -> list[Mark]:
    """The marks that a scenario holds. Raises FileError."""
    entries = scenario.extras.get(KEY, [])
    if type(entries) is not list:
        raise FileError("the marks are no list", place=f"/extras/{KEY}", remedy="Give a list of marks")
    marks = [record_of(Mark).read(entry, f"/extras/{KEY}/{i}") for i, entry in enumerate(entries[: MOST + 1])]
    check(marks, f"/extras/{KEY}")
    return marks


def documents_of(marks: list[Mark]) -> list[dict[str, Any]]:
    """Marks as files hold them."""
    return [record_of(Mark).write(mark, f"/{i}") for i, mark in enumerate(marks)]


def check(marks: list[Mark], place: str) -> None:
    """Names, ellipses and number. Raises FileError."""
    if len(marks) > MOST:
        raise FileError(f"there are more than {MOST} marks", place=place, remedy="Leave some out")
    names = [mark.name for mark in marks]
    for index, mark in enumerate(marks):
        at = f"{place}/{index}"
        if not mark.name or mark.name in names[:index]:
            raise FileError(f"the name {mark.name!r} is empty or taken", place=at, remedy="Choose another")
        if not (mark.ellipse[0] > 0.0 and mark.ellipse[1] > 0.0):
            raise FileError(
                f"{mark.name}: the ellipse has no size", place=at, remedy="Say how well it is known"
            )


def ellipses_off(offset: np.ndarray, ellipse: tuple[float, float, float]) -> np.ndarray:
    """How far (..., 2) or (..., 3) offsets (m) are off: 1 on the ellipse's edge; a height counts by the mean axis."""
    offset = np.asarray(offset, dtype=float)
    a, b, angle = ellipse
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    along, across = c * offset[..., 0] + s * offset[..., 1], c * offset[..., 1] - s * offset[..., 0]
    square = (along / a) ** 2 + (across / b) ** 2
    if offset.shape[-1] == 3:
        square = square + (offset[..., 2] / np.sqrt(a * b)) ** 2
    return np.sqrt(square)
