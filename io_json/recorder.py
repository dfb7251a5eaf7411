"""The record of an event data recorder: a CSV table with named columns to the trace that a driver follows.

Recorders count time to the event (-5 s to 0) and give the speed in km/h or mph and the angle of the steering wheel. The
trace begins at zero, in m/s, with the angle of the front wheels.
"""

import csv
import io
import os
from collections.abc import Sequence
from math import isfinite

from .errors import FileError, in_file
from .nodes import nearest_hint
from .strict_json import decode, read_bytes

SPEED_UNITS = {"km/h": 1.0 / 3.6, "mph": 0.44704, "m/s": 1.0}
"""Unit of a speed to m/s."""
STEERING_RATIO = 15.0
"""Angle of the steering wheel over that of the front wheels; assumed, usual for cars."""


def read_recorder(
    path: str | os.PathLike,
    time: str,
    speed: str,
    steering: str = "",
    unit: str = "km/h",
    ratio: float = STEERING_RATIO,
) -> tuple[tuple[float, ...], ...]:
    """Rows of `Drive.trace` from the named columns of a CSV file, sorted by time, which begins at zero.

    unit: of the speed. ratio: of the steering; negative where the recorder counts angles to the right as positive.
    Raises FileError.
    """
    with in_file(path):
        if unit not in SPEED_UNITS:
            raise FileError(f"'{unit}' is no unit of speed", remedy=f"Use {', '.join(SPEED_UNITS)}")
        if not isfinite(ratio) or ratio == 0.0:
            raise FileError("the steering ratio is no use", remedy="Give a number such as 15")
        table = list(csv.reader(io.StringIO(decode(read_bytes(path)))))
        if len(table) < 3:
            raise FileError(
                "there are less than two rows below the names", remedy="Choose the recorder's table"
            )
        heads = [head.strip() for head in table[0]]
        columns = [_column(heads, name) for name in (time, speed, steering) if name]
        factors = (1.0, SPEED_UNITS[unit], 1.0 / ratio)
        rows = [_row(cells, columns, factors, k) for k, cells in enumerate(table[1:], 2) if any(cells)]
        rows.sort()
        if any(b[0] <= a[0] for a, b in zip(rows, rows[1:], strict=False)):
            raise FileError(f"two rows have one time in column '{time}'", remedy="Keep one of them")
        begin = rows[0][0]
        return tuple((round(row[0] - begin, 9), *(round(value, 9) for value in row[1:])) for row in rows)


def _column(heads: Sequence[str], name: str) -> int:
    if name not in heads:
        hint = nearest_hint(name, list(heads)) or f"Columns are {', '.join(heads)}"
        raise FileError(f"there is no column '{name}'", place="line 1", remedy=hint)
    return heads.index(name)


def _row(
    cells: Sequence[str], columns: Sequence[int], factors: Sequence[float], line: int
) -> tuple[float, ...]:
    values = []
    for column, factor in zip(columns, factors, strict=False):
        try:
            value = float(cells[column])
        except (IndexError, ValueError) as error:
            message = f"column {column + 1} holds no number"
            raise FileError(message, place=f"line {line}", remedy="Correct or remove the row") from error
        if not isfinite(value):
            raise FileError(
                f"column {column + 1} is not finite", place=f"line {line}", remedy="Remove the row"
            )
        values.append(value * factor)
    return tuple(values)
