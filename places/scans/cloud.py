"""A point cloud in our axes and metres, with where it came from."""

from dataclasses import dataclass

import numpy as np

from ...engine.spec.description import Choices

UNITS = Choices(
    m="Metres",
    cm="Centimetres",
    mm="Millimetres",
    ft="International feet",
    us_ft="US survey feet",
    inch="Inches",
)
METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001, "ft": 0.3048, "us_ft": 1200.0 / 3937.0, "inch": 0.0254}
"""Metres of each unit."""
UP_AXES = Choices(
    z="z is up: surveying, LAS, E57", y="y is up: glTF and many modelling programs", x="x is up"
)
_TURNS = {"z": (0, 1, 2), "y": (2, 0, 1), "x": (1, 2, 0)}
"""Axes of the file that become x, y and z: even permutations, so that nothing is mirrored."""


@dataclass(frozen=True)
class Cloud:
    """Points of a scan, thinned."""

    points: np.ndarray
    """(n, 3) m, z up, relative to the origin."""
    colours: np.ndarray | None
    """(n, 3) bytes, or None."""
    origin: tuple[float, float, float]
    """What was taken off the file's coordinates, in the file's unit and axes."""
    unit: str
    """Of the file."""
    up: str
    """Axis of the file that is up."""
    read: int
    """Points in the file that were used."""
    voxel: float
    """m: edge of the cells of which each gave one point, the mean of its points."""
    source: str
    """Name of the file."""
    left_out: int = 0
    """Points of the file that are no numbers, or farther than any place."""

    def in_file(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) coordinates in the file of points in our axes: what a report or a map asks for."""
        order = np.argsort(_TURNS[self.up])
        return np.asarray(points)[:, order] / METRES[self.unit] + self.origin

    def facts(self) -> dict[str, object]:
        """What a report says of it."""
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        return {
            "source": self.source,
            "points_in_file": self.read,
            "points_left_out": self.left_out,
            "points_kept": len(self.points),
            "voxel_m": self.voxel,
            "unit": self.unit,
            "up": self.up,
            "local_origin": list(self.origin),
            "extent_m": [round(float(x), 4) for x in high - low],
            "coloured": self.colours is not None,
        }


def to_ours(points: np.ndarray, origin: np.ndarray, unit: str, up: str) -> np.ndarray:
    """(n, 3) m, z up, of points in the unit and the axes of a file."""
    with np.errstate(over="ignore", invalid="ignore"):  # what is no place is left out by the thinning
        return (points - origin)[:, _TURNS[up]] * METRES[unit]
