"""Points that were tracked through the frames of a video: a table with a time stamp, a body and a pixel in each row.

Columns by their names, in any order: `x`, `y` (pixels, from the upper left corner), `body` ("actor/body"), and `time`
(seconds, or a clock's hours:minutes:seconds) or `frame` (with the video's rate). `px`, `py`, `pz` may give the point in
the body's frame, m.
"""

import csv
import io
import math
import os
from dataclasses import dataclass

from ...io_json import strict_json
from ...io_json.errors import FileError, in_file

MOST_ROWS = 100_000
MOST_BYTES = 20_000_000
_POINT = ("px", "py", "pz")


@dataclass(frozen=True)
class Track:
    """One point in one frame."""

    time: float
    """s since the run began."""
    body: str
    pixel: tuple[float, float]
    point: tuple[float, float, float] | None
    """In the body's frame, m; None: its centre of mass."""


def read_tracks(path: str | os.PathLike, rate: float | None = None, zero: str = "") -> list[Track]:
    """The tracked points of a table in order of time.

    rate: frames per second, where the table has frames. zero: time stamp (or frame) at which the run begins; absent:
    the first one of the table. Raises FileError.
    """
    text = strict_json.decode(strict_json.read_bytes(path, MOST_BYTES))
    with in_file(path):
        if rate is not None and not 0.0 < rate < 1e6:
            raise FileError(f"{rate:g} frames per second are no rate", remedy="Give that of the video")
        rows = list(csv.DictReader(io.StringIO(text), restval=""))
        _check_columns(rows, rate)
        stamped = [(_stamp(row, rate, line), _track(row, line)) for line, row in enumerate(rows, start=2)]
        begin = _seconds(zero, rate if "time" not in rows[0] else None, "zero") if zero else min(stamped)[0]
        early = [line for line, (stamp, _) in enumerate(stamped, start=2) if stamp < begin - 1e-9]
        if early:
            raise FileError(
                "is from before the run begins",
                place=f"line {early[0]}",
                remedy="Leave it out, or change zero",
            )
    placed = [Track(round(stamp - begin, 6), *track) for stamp, track in stamped]
    return sorted(placed, key=lambda track: (track.time, track.body))


def _check_columns(rows: list[dict[str, str]], rate: float | None) -> None:
    if not rows:
        raise FileError("has no rows", remedy="Give a heading and a row for each point")
    if len(rows) > MOST_ROWS:
        raise FileError(f"has more than {MOST_ROWS:,} rows", remedy="Take every second frame")
    missing = [name for name in ("x", "y", "body") if name not in rows[0]]
    if missing:
        raise FileError(
            f"has no column {missing[0]!r}", place="line 1", remedy="Name x, y, body and time or frame"
        )
    if "time" not in rows[0] and "frame" not in rows[0]:
        raise FileError("has neither times nor frames", place="line 1", remedy="Name a column time or frame")
    if "time" not in rows[0] and rate is None:
        raise FileError(
            "has frames and no times", place="line 1", remedy="Give the frames per second (--rate)"
        )


def _stamp(row: dict[str, str], rate: float | None, line: int) -> float:
    """s of a row, from whatever zero the video has."""
    if "time" in row:
        return _seconds(row["time"], None, f"line {line}")
    return _seconds(row["frame"], rate, f"line {line}")


def _seconds(text: str, rate: float | None, place: str) -> float:
    """Seconds of a stamp: "12.48", "14:03:11.20", or a frame's number where a rate is given."""
    parts = text.strip().split(":")
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = []
    is_clock = len(numbers) in (2, 3) and all(0.0 <= part < 60.0 for part in numbers[1:])
    if not all(map(math.isfinite, numbers)) or not (len(numbers) == 1 or (is_clock and rate is None)):
        raise FileError(
            f"{text[:40]!r} is no time", place=place, remedy="Give seconds, hours:minutes:seconds, or a frame"
        )
    seconds = 0.0
    for number in numbers:
        seconds = 60.0 * seconds + number
    return seconds / rate if rate is not None else seconds


def _track(row: dict[str, str], line: int) -> tuple[str, tuple[float, ...], tuple[float, ...] | None]:
    """Body, pixel and point of a row."""
    if not row["body"].strip():
        raise FileError("names no body", place=f"line {line}", remedy='Write it as "actor/body"')
    has_point = any(row.get(name, "").strip() for name in _POINT)
    return (
        row["body"].strip(),
        _numbers(row, ("x", "y"), line),
        _numbers(row, _POINT, line) if has_point else None,
    )


def _numbers(row: dict[str, str], names: tuple[str, ...], line: int) -> tuple[float, ...]:
    try:
        values = tuple(float(row[name]) for name in names)
    except (KeyError, ValueError):
        values = ()
    if not values or not all(map(math.isfinite, values)):
        raise FileError(f"{', '.join(names)} are no numbers", place=f"line {line}", remedy="Give them all")
    return values
