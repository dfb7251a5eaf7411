"""Where the pixels of a plan or an orthophoto are on the ground.

Derivation: docs/derivations.md, A picture on the ground.
"""

import os
from dataclasses import dataclass

import numpy as np

from ...io_json import strict_json
from ...io_json.errors import FileError, in_file

MOST_WORLD_FILE = 4096
"""Bytes."""


@dataclass(frozen=True)
class GroundPicture:
    """A map from pixels (x right, y down, from the upper left corner) to the ground (m)."""

    matrix: np.ndarray
    """(2, 3): ground = matrix @ (x, y, 1)"""
    residuals: np.ndarray
    """(n,) m: how far the known points are off; empty for a world file."""

    def to_ground(self, pixels: np.ndarray) -> np.ndarray:
        """(n, 2) m of (n, 2) pixels."""
        return np.asarray(pixels, dtype=float) @ self.matrix[:, :2].T + self.matrix[:, 2]

    def corners(self, width: int, height: int) -> np.ndarray:
        """(4, 2) m: lower left, lower right, upper right, upper left of the picture."""
        return self.to_ground([(0, height), (width, height), (width, 0), (0, 0)])

    @property
    def metres_per_pixel(self) -> float:
        """Mean over both directions."""
        return float(np.sqrt(abs(np.linalg.det(self.matrix[:, :2]))))

    def distance(self, first: tuple[float, float], second: tuple[float, float]) -> float:
        """m between two pixels."""
        return float(np.linalg.norm(np.subtract(*self.to_ground([first, second]))))


def from_points(pixels: np.ndarray, ground: np.ndarray) -> GroundPicture:
    """Shift, turn and scale that fit two or more known points best. Raises FileError."""
    pixels, ground = np.asarray(pixels, dtype=float), np.asarray(ground, dtype=float)[:, :2]
    if len(pixels) < 2 or len(pixels) != len(ground):
        raise FileError(f"{len(pixels)} points do not lay a picture", remedy="Mark two or more")
    z = pixels[:, 0] - 1j * pixels[:, 1]  # y down in the picture, up on the ground
    w = ground[:, 0] + 1j * ground[:, 1]
    spread = np.abs(z - z.mean()) ** 2
    if not spread.sum() > 0.0 or not np.abs(w - w.mean()).sum() > 0.0:
        raise FileError("the points are all in one place", remedy="Mark points far apart")
    a = ((z - z.mean()).conj() * (w - w.mean())).sum() / spread.sum()
    b = w.mean() - a * z.mean()
    matrix = np.array([[a.real, a.imag, b.real], [a.imag, -a.real, b.imag]])
    residuals = np.abs(a * z + b - w)
    return GroundPicture(matrix, residuals)


def from_world_file(path: str | os.PathLike, origin: tuple[float, float] = (0.0, 0.0)) -> GroundPicture:
    """A world file (.tfw, .jgw, .pgw): six lines, for the middle of the upper left pixel. Raises FileError.

    origin: local origin that is taken off, m.
    """
    with in_file(path):
        text = strict_json.decode(strict_json.read_bytes(path, MOST_WORLD_FILE))
        try:
            a, d, b, e, c, f = (float(word) for word in text.split())
        except ValueError as error:
            raise FileError("is no world file of six numbers", remedy="Export it again") from error
        numbers = np.array([[a, b, c], [d, e, f]])
        if not np.isfinite(numbers).all() or not abs(np.linalg.det(numbers[:, :2])) > 0.0:
            raise FileError("gives pixels no size", remedy="Export it again")
    shift = numbers[:, 2] - 0.5 * (numbers[:, 0] + numbers[:, 1]) - origin
    return GroundPicture(np.column_stack([numbers[:, :2], shift]), np.zeros(0))
