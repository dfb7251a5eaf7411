"""What is known of a picture: marked points of known position, lines of known direction, the lens. Their file."""

import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...io_json.declarations import record_of
from ...io_json.documents import read_document, require_names
from ...io_json.errors import FileError, in_file

FORMAT = "mannequin-camera-points"
FORMAT_VERSION = 1
MOST_POINTS = 500
"""More are not marked by hand; the search for outliers solves once for each."""
_SIGMA = "Say how well it was marked"
PICTURE_SIZES = (16, 100_000)
"""Smallest and largest width or height of a picture, pixels."""


@dataclass
class MarkedPoint:
    """A point of the place that was found in the picture."""

    name: str
    position: tuple[float, float, float]
    """m, world."""
    pixel: tuple[float, float]
    """x to the right, y down, from the upper left corner."""
    sigma_px: float = 1.0
    """How well it was marked: standard deviation of x and of y, pixels."""
    sigma_m: float = 0.0
    """How well its position is known: standard deviation of each coordinate, m."""
    check: bool = False
    """Whether it is kept out of the match and only compared with it."""


@dataclass
class MarkedLine:
    """A straight edge in the picture whose direction in the place is known."""

    name: str
    pixels: tuple[tuple[float, float], tuple[float, float]]
    """Both ends."""
    direction: tuple[float, float, float]
    """In the world; its length and sign do not matter."""
    sigma_px: float = 1.0


@dataclass
class KnownLens:
    """What is known of the lens. Whatever is not given is found, within what is assumed of it."""

    focal_px: float | None = None
    center_px: tuple[float, float] | None = None
    distortion: tuple[float, float] | None = None


@dataclass
class Sightings:
    """A file of marked points and lines of one picture."""

    name: str
    size_px: tuple[int, int]
    points: list[MarkedPoint] = field(default_factory=list)
    lines: list[MarkedLine] = field(default_factory=list)
    lens: KnownLens = field(default_factory=KnownLens)
    picture: str = ""


def read_sightings(path: str | os.PathLike) -> Sightings:
    """Read a file of marked points. Raises FileError."""
    document = read_document(path, FORMAT, FORMAT_VERSION)
    with in_file(path):
        sightings = record_of(Sightings).read(document, "")
        check(sightings)
    return sightings


def document_of(sightings: Sightings) -> dict[str, Any]:
    """The sightings as their file holds them."""
    head = {"format": FORMAT, "format_version": FORMAT_VERSION}
    return head | record_of(Sightings).write(sightings, "")


def check(sightings: Sightings) -> None:
    """What the marks alone can show to be wrong. Raises FileError."""
    if not all(PICTURE_SIZES[0] <= edge <= PICTURE_SIZES[1] for edge in sightings.size_px):
        low, high = PICTURE_SIZES
        raise FileError(
            f"the picture is not {low} to {high} pixels wide and high",
            place="/size_px",
            remedy="Give its size",
        )
    if len(sightings.points) + len(sightings.lines) > MOST_POINTS:
        raise FileError(f"there are more than {MOST_POINTS} points and lines", remedy="Leave some out")
    for kind in ("points", "lines"):
        require_names([entry.name for entry in getattr(sightings, kind)], f"/{kind}")
    for index, point in enumerate(sightings.points):
        if not point.sigma_px > 0.0 or point.sigma_m < 0.0:
            raise FileError(
                f"{point.name}: a standard deviation is not above 0", place=f"/points/{index}", remedy=_SIGMA
            )
    for index, line in enumerate(sightings.lines):
        _check_line(line, f"/lines/{index}")
    focal = sightings.lens.focal_px
    if focal is not None and not focal > 0.0:
        raise FileError("the focal length is not above 0", place="/lens/focal_px", remedy="Give pixels")
    _check_enough(sightings)


def _check_line(line: MarkedLine, place: str) -> None:
    if not np.linalg.norm(line.direction) > 0.0:
        raise FileError(
            f"{line.name}: the direction is zero", place=place, remedy="Give it, such as [0, 0, 1]"
        )
    if not np.linalg.norm(np.subtract(*line.pixels)) >= 2.0:
        raise FileError(
            f"{line.name}: the ends are less than 2 pixels apart", place=place, remedy="Mark a longer edge"
        )
    if not line.sigma_px > 0.0:
        raise FileError(f"{line.name}: the standard deviation is not above 0", place=place, remedy=_SIGMA)


def _check_enough(sightings: Sightings) -> None:
    """Six points; four with a known lens; two with lines along two directions at least."""
    points = sum(not point.check for point in sightings.points)
    known = sightings.lens.focal_px is not None
    if points >= (4 if known else 6):
        return
    if points >= 2 and _directions(sightings.lines) >= 2:
        return
    raise FileError(
        f"{points} points do not decide a camera",
        place="/points",
        remedy="Mark six, or four and give the focal length, or two and lines along two directions, two of each",
    )


def _directions(lines: list[MarkedLine]) -> int:
    """How many directions at right angles, nearly, have two lines."""
    found: list[np.ndarray] = []
    units = [np.asarray(line.direction, dtype=float) / np.linalg.norm(line.direction) for line in lines]
    for unit in units:
        alike = sum(abs(unit @ other) > 0.99 for other in units)
        if alike >= 2 and all(abs(unit @ other) < 0.7 for other in found):
            found.append(unit)
    return len(found)
