"""Marker trials of .trc files (Motion Analysis, OpenSim).

Line 1 names the type, lines 2 and 3 have names and values of the header (DataRate, NumMarkers, Units), line 4 the names
of the markers (after Frame# and Time, every third column), line 5 the axes; rows have a frame, a time and three numbers
a marker, nothing where it was not seen.
"""

import os
from pathlib import Path

import numpy as np

from ...io_json.atomic import write_text
from ...io_json.errors import FileError, in_file
from .text_table import read_lines
from .trial import Trial, unit_factor

HEADER_LINES = 5
HEADER_NAMES = [
    "DataRate",
    "CameraRate",
    "NumFrames",
    "NumMarkers",
    "Units",
    "OrigDataRate",
    "OrigDataStartFrame",
    "OrigNumFrames",
]


def read_trc(path: str | os.PathLike) -> Trial:
    """The trial in a .trc file, in its own axes (see `Trial.turned`). Raises FileError."""
    with in_file(path):
        lines = read_lines(path)
        if len(lines) <= HEADER_LINES or not lines[0].startswith("PathFileType"):
            raise FileError("is no .trc file", remedy="Its first line begins with PathFileType")
        header = dict(zip(lines[1].split(), lines[2].split(), strict=False))
        names = [name.strip() for name in lines[3].split("\t")[2:] if name.strip()]
        if not names:
            raise FileError(
                "names no markers", place="line 4", remedy="Export the trial again, parted by tabs"
            )
        rows = [
            _row(line, len(names), number)
            for number, line in enumerate(lines[HEADER_LINES:], HEADER_LINES + 1)
            if line.strip()
        ]
        if not rows:
            raise FileError("has no rows", remedy="Export the trial again")
        data = np.array(rows)
        factor = unit_factor(header.get("Units", "mm"), "Units")
        positions = factor * data[:, 2:].reshape(len(rows), len(names), 3)
        return Trial(Path(path).stem, tuple(names), data[:, 1], positions)


def _row(line: str, markers: int, number: int) -> list[float]:
    """Frame, time and coordinates of a line; NaN for empty cells. Raises FileError."""
    cells = [cell.strip() for cell in line.rstrip("\r\n").split("\t")]
    width = 2 + 3 * markers
    cells += [""] * (width - len(cells))
    if any(cells[width:]):
        remedy = "Name every marker in line 4"
        raise FileError(
            f"has more numbers than {markers} markers have", place=f"line {number}", remedy=remedy
        )
    try:
        return [float(cell) if cell else np.nan for cell in cells[:width]]
    except ValueError:
        raise FileError(
            "has text where a number must be",
            place=f"line {number}",
            remedy="Put a number there, or nothing",
        ) from None


def trc_text(trial: Trial) -> str:
    """The text of a .trc file in mm, in the trial's own axes; nothing where a marker was not seen."""
    count = len(trial.times)
    rate = (count - 1) / float(trial.times[-1] - trial.times[0]) if count > 1 else 1.0
    numbers = [f"{rate:.9g}", f"{rate:.9g}", count, len(trial.markers), "mm", f"{rate:.9g}", 1, count]
    axes = [f"{axis}{k + 1}" for k in range(len(trial.markers)) for axis in "XYZ"]
    head = [
        ["PathFileType", "4", "(X/Y/Z)", f"{trial.name}.trc"],
        HEADER_NAMES,
        numbers,
        ["Frame#", "Time", *(cell for name in trial.markers for cell in (name, "", ""))],
        ["", "", *axes],
    ]
    rows = [
        [frame + 1, f"{time:.9g}", *("" if np.isnan(x) else f"{1000.0 * x:.6f}" for x in places.ravel())]
        for frame, (time, places) in enumerate(zip(trial.times, trial.positions, strict=True))
    ]
    return "".join("\t".join(map(str, row)) + "\n" for row in [*head, *rows])


def write_trc(trial: Trial, path: str | os.PathLike) -> None:
    """Write a .trc file, whole or not at all. Raises FileError."""
    write_text(path, trc_text(trial))
