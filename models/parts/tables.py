"""Tables of numbers as CSV files beside the module that uses them, read as one dataclass for each row."""

import csv
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

Row = TypeVar("Row")


def read_table(path: Path, row: type[Row]) -> list[Row]:
    """The rows of a file whose columns are named after fields of `row`.

    An empty cell leaves its field at the default and "yes" is true. The numbers of a tuple are parted by blanks, the
    points of a curve by semicolons.
    """
    hints = get_type_hints(row)
    with path.open(encoding="utf-8", newline="") as file:
        return [
            row(**{name: _value(hints[name], cell) for name, cell in line.items() if cell})
            for line in csv.DictReader(file)
        ]


def _value(hint: Any, cell: str) -> Any:
    if isinstance(hint, UnionType):
        hint = get_args(hint)[0]
    if get_origin(hint) is not tuple:
        return cell == "yes" if hint is bool else hint(cell)
    if get_origin(get_args(hint)[0]) is tuple:
        return tuple(_value(get_args(hint)[0], row) for row in cell.split(";"))
    return tuple(float(number) for number in cell.split())
