"""The file of hypotheses: which sweeps stand for them, and the evidence that they are held against."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ...io_json import strict_json
from ...io_json.errors import FileError, in_file

FORMAT, FORMAT_VERSION = "mannequin-hypotheses", 1


@dataclass(frozen=True)
class Hypothesis:
    """What may have happened: a finished sweep over its unknowns."""

    name: str
    folder: Path


@dataclass(frozen=True)
class Evidence:
    """A measured value of one of the sweeps' measures, with its error."""

    measure: str
    value: float
    sd: float
    """Standard deviation of the measurement, in the unit of the measure."""
    source: str = ""
    reading: Callable[[Mapping[str, np.ndarray]], np.ndarray] | None = field(default=None, compare=False)
    """(runs,) values from the columns of a sweep's table, where they are no column themselves."""
    parts: tuple[str, ...] = ()
    """Columns that the reading takes."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that a sweep must have."""
        return self.parts or (self.measure,)

    def values(self, numbers: Mapping[str, np.ndarray]) -> np.ndarray:
        """(runs,) of a sweep's table; NaN where a run has none."""
        return numbers[self.measure] if self.reading is None else self.reading(numbers)


@dataclass(frozen=True)
class Question:
    """Hypotheses and evidence."""

    name: str
    hypotheses: tuple[Hypothesis, ...]
    evidence: tuple[Evidence, ...]
    seed: int = 1
    cases: int = 200
    """Synthetic cases of the calibration."""


def read_question(path: Path) -> Question:
    """Read a file of hypotheses; folders are relative to it. Raises FileError."""
    document = strict_json.parse(strict_json.decode(strict_json.read_bytes(path)))
    with in_file(path):
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise FileError(f'does not say "format": "{FORMAT}"', remedy="See docs/hypotheses.md")
        hypotheses = tuple(
            Hypothesis(_text(entry, "name"), path.parent / _text(entry, "sweep"))
            for entry in _list(document, "hypotheses", 2)
        )
        evidence = tuple(
            Evidence(
                _text(entry, "measure"),
                _number(entry, "value"),
                _number(entry, "sd"),
                str(entry.get("source", "")),
            )
            for entry in _list(document, "evidence", 1)
        )
        if any(not item.sd > 0.0 for item in evidence):
            remedy = "Nothing is measured without an error: give its standard deviation"
            raise FileError("an error of measurement must be above zero", place="/evidence", remedy=remedy)
        if len({h.name for h in hypotheses}) != len(hypotheses):
            raise FileError("two hypotheses have one name", place="/hypotheses", remedy="Rename one")
        seed, cases = (
            int(_number(document, name)) if name in document else default
            for name, default in (("seed", 1), ("cases", 200))
        )
    return Question(str(document.get("name") or path.stem), hypotheses, evidence, seed, cases)


def _list(document: dict[str, Any], name: str, least: int) -> list[dict[str, Any]]:
    found = document.get(name)
    if (
        not isinstance(found, list)
        or len(found) < least
        or not all(isinstance(entry, dict) for entry in found)
    ):
        raise FileError(
            f"needs a list of at least {least}", place=f"/{name}", remedy="See docs/hypotheses.md"
        )
    return found


def _text(entry: dict[str, Any], name: str) -> str:
    if not isinstance(entry.get(name), str) or not entry[name]:
        raise FileError("is missing", place=f"/{name}", remedy="See docs/hypotheses.md")
    return entry[name]


def _number(entry: dict[str, Any], name: str) -> float:
    if not isinstance(entry.get(name), int | float) or isinstance(entry[name], bool):
        raise FileError("must be a number", place=f"/{name}", remedy="See docs/hypotheses.md")
    return float(entry[name])
