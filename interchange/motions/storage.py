"""Tables of OpenSim: .mot and .sto, coordinates or forces over time.

A header of lines `name=value` that ends with `endheader`, the names of the columns, and a row for each time; the first
column is `time`, in seconds. `inDegrees` says whether angles are in degrees.
"""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...io_json.atomic import write_text
from ...io_json.errors import FileError, in_file
from .text_table import numbers_of, read_lines

END = "endheader"
TIME = "time"


@dataclass(frozen=True)
class MotionTable:
    """Columns over time."""

    name: str
    columns: tuple[str, ...]
    """Without the time."""
    times: np.ndarray
    """(F,) s"""
    data: np.ndarray
    """(F, len(columns)), as the file has them"""
    in_degrees: bool = False
    """Whether columns that are angles are in degrees, else rad"""

    def column(self, name: str) -> np.ndarray:
        """(F,) a column. Raises FileError with the columns there are."""
        if name not in self.columns:
            raise FileError(f"has no column '{name}'", remedy=f"There are: {', '.join(self.columns)}")
        return self.data[:, self.columns.index(name)]


def read_storage(path: str | os.PathLike) -> MotionTable:
    """The table in a .mot or .sto file. Raises FileError."""
    with in_file(path):
        lines = read_lines(path)
        end = next((k for k, line in enumerate(lines) if line.strip().lower() == END), None)
        if end is None or end + 1 >= len(lines):
            raise FileError(
                f"has no line '{END}' before its columns", remedy="Give a .mot or .sto file of OpenSim"
            )
        header = dict(_pairs(lines[:end]))
        names = lines[end + 1].split()
        if not names or names[0].lower() != TIME:
            raise FileError(f"its first column is not '{TIME}'", place=f"line {end + 2}", remedy="Name it so")
        if len(set(names)) != len(names):
            raise FileError("has two columns of one name", place=f"line {end + 2}", remedy="Rename one")
        rows = numbers_of(lines[end + 2 :], len(names), end + 3)
        degrees = header.get("indegrees", "no").strip().lower() == "yes"
        title = lines[0].strip() if "=" not in lines[0] else Path(path).stem
        return MotionTable(title, tuple(names[1:]), rows[:, 0], rows[:, 1:], degrees)


def _pairs(lines: list[str]):
    """Names, in small letters, and values of a header."""
    for line in lines:
        name, equals, value = line.partition("=")
        if equals:
            yield name.strip().lower(), value.strip()


def storage_text(table: MotionTable) -> str:
    """The text of a .mot or .sto file: numbers that read back exactly."""
    head = [
        table.name,
        "version=1",
        f"nRows={len(table.times)}",
        f"nColumns={len(table.columns) + 1}",
        f"inDegrees={'yes' if table.in_degrees else 'no'}",
        END,
        "\t".join((TIME, *table.columns)),
    ]
    rows = np.column_stack([table.times, table.data]).tolist()
    return "\n".join([*head, *("\t".join(map(repr, row)) for row in rows), ""])


def write_storage(table: MotionTable, path: str | os.PathLike) -> None:
    """Write a .mot or .sto file, whole or not at all. Raises FileError."""
    bad = [name for name in table.columns if not name or name != "".join(name.split())]
    if bad:
        remedy = "Columns are parted by blanks: use names without"
        raise FileError(f"the column '{bad[0]}' cannot be written", path=path, remedy=remedy)
    write_text(path, storage_text(table))
