"""Thin a cloud while it is read: the mean point of each cell of a grid, in memory that does not grow with the file."""

from collections.abc import Iterable

import numpy as np

from ...io_json.errors import FileError

BITS = 20
"""Of each coordinate's cell number, sign apart: a million cells to either side."""
MOST_CELLS = 6_000_000
"""Cells that are kept; beyond, the cells are made twice as large."""
FARTHEST = 1e12
"""m: what is farther, or no number, is no point."""
PENDING = 0.5
"""Share of the kept cells that may wait before they are merged: each cell is then sorted a few times only."""

Piece = tuple[np.ndarray, np.ndarray | None]
"""(n, 3) points in metres, (n, 3) colours or None."""


class Grid:
    """Means of the points and colours in the cells of a grid."""

    def __init__(self, voxel: float, most: int = MOST_CELLS) -> None:
        self.voxel = voxel
        self.most = most
        self.read = 0
        self._keys = np.zeros(0, dtype=np.int64)
        self._sums = np.zeros((0, 7), dtype=np.float32)
        """x, y, z from the cell's corner in cells, red, green, blue, count; single precision of a cell is plenty"""
        self._waiting: list[tuple[np.ndarray, np.ndarray]] = []
        self._coloured = True

    def add(self, points: np.ndarray, colours: np.ndarray | None) -> None:
        """Take in a piece of the cloud."""
        finite = (np.abs(points) < FARTHEST).all(axis=1)
        points, colours = points[finite], None if colours is None else colours[finite]
        self.read += len(points)
        if not len(points):
            return
        self._coloured &= colours is not None
        numbers = self._numbers(points)
        values = np.zeros((len(points), 7), dtype=np.float32)
        values[:, :3], values[:, 6] = points / self.voxel - numbers, 1.0
        if colours is not None:
            values[:, 3:6] = colours
        self._waiting.append(summed(packed(numbers), values))
        if sum(len(keys) for keys, _ in self._waiting) > PENDING * max(len(self._keys), self.most // 4):
            self._merge()

    def result(self) -> Piece:
        """(n, 3) mean points, (n, 3) mean colours or None where the file has none."""
        self._merge()
        if not len(self._keys):
            raise FileError("has no points", remedy="Export the scan again")
        count = self._sums[:, 6:]
        colours = np.rint(self._sums[:, 3:6] / count).astype(np.uint8) if self._coloured else None
        return self.voxel * (unpacked(self._keys) + self._sums[:, :3].astype(float) / count), colours

    def _numbers(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) whole numbers of the cell of each point."""
        numbers = np.floor(points / self.voxel)
        if np.abs(numbers).max() >= 2**BITS:
            reach = 2**BITS * self.voxel
            raise FileError(
                f"has points more than {reach:.0f} m from its first ones",
                remedy="Cut the scan to the place, choose larger cells, or check the unit",
            )
        return numbers.astype(np.int64)

    def _merge(self) -> None:
        keys = np.concatenate([self._keys, *(keys for keys, _ in self._waiting)])
        sums = np.concatenate([self._sums, *(sums for _, sums in self._waiting)])
        self._waiting = []
        self._keys, self._sums = summed(keys, sums)
        while len(self._keys) > self.most:
            self._enlarge()

    def _enlarge(self) -> None:
        """Make the cells twice as large: eight go into one."""
        self.voxel *= 2.0
        numbers = unpacked(self._keys)
        larger = numbers >> 1
        self._sums[:, :3] = 0.5 * (self._sums[:, :3] + self._sums[:, 6:] * (numbers - 2 * larger))
        self._keys, self._sums = summed(packed(larger), self._sums)


def packed(numbers: np.ndarray) -> np.ndarray:
    """(n,) one whole number for the three of each cell."""
    shifted = numbers + 2**BITS
    return (shifted[:, 0] << 2 * (BITS + 1)) | (shifted[:, 1] << (BITS + 1)) | shifted[:, 2]


def unpacked(keys: np.ndarray) -> np.ndarray:
    """(n, 3) the opposite of `packed`."""
    mask = 2 ** (BITS + 1) - 1
    parts = [keys >> 2 * (BITS + 1), (keys >> (BITS + 1)) & mask, keys & mask]
    return np.column_stack(parts) - 2**BITS


def summed(keys: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Keys in order, each once, and the sums of their rows."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else []
    return keys[starts], np.add.reduceat(values[order], starts, axis=0) if len(keys) else values


def thinned(pieces: Iterable[Piece], voxel: float, most: int = MOST_CELLS) -> tuple[Piece, Grid]:
    """The means of a cloud that comes in pieces, and the grid, which says how many points it read."""
    grid = Grid(voxel, most)
    for points, colours in pieces:
        grid.add(points, colours)
    return grid.result(), grid
