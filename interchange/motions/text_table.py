"""Lines and rows of numbers of text files, with one clear error for what is none."""

import os
from collections.abc import Sequence

import numpy as np

from ...io_json.errors import FileError
from ...io_json.strict_json import read_bytes


def read_lines(path: str | os.PathLike) -> list[str]:
    """The lines of a text file. Raises FileError."""
    try:
        return read_bytes(path).decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise FileError("is no text file", remedy="Save it as plain text (UTF-8)") from error


def numbers_of(lines: Sequence[str], width: int, first: int) -> np.ndarray:
    """(rows, width) numbers of lines that are parted by blanks; empty lines are left out. Raises FileError.

    first: number of the first line in its file, for the message.
    """
    rows = []
    for number, line in enumerate(lines, first):
        words = line.split()
        if not words:
            continue
        try:
            row = [float(word) for word in words]
        except ValueError:
            remedy = "Put a number there"
            raise FileError(
                "has text where a number must be", place=f"line {number}", remedy=remedy
            ) from None
        if len(row) != width:
            raise FileError(
                f"has {len(row)} numbers for {width} columns",
                place=f"line {number}",
                remedy="Complete the row",
            )
        rows.append(row)
    if not rows:
        raise FileError("has no rows", remedy="Export the motion again")
    return np.array(rows)
