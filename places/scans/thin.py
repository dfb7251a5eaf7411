"""Thin a cloud while it is read: the mean point of each cell of a grid, in memory that does not grow with the file."""

from collections.abc import Iterator

import numpy as np

from ...io_json.errors import FileError

BITS = 20
"""Of each coordinate's cell number, sign apart: a million cells to either side."""
MOST_CELLS = 6_000_000
"""Cells that are kept; beyond, the cells are made twice as large."""
FARTHEST = 1e12
"""m: what is farther, or no number, is no point."""
ROWS_AT_ONCE = 250_000
PENDING = 0.5
"""Share of the kept cells that may wait before they are merged: each cell is then sorted a few times only."""

Piece = tuple[np.ndarray, np.ndarray | None]
"""(n, 3) points in metres, (n, 3) colours or None."""


class Grid:
    """Means of the points and colours in the cells of a grid."""

    def __init__(self, voxel: float, most: int = MOST_CELLS) -> None:
        self.voxel = voxel
        self.most = most
        self.read = self.left_out = 0
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
        self.left_out += int(np.count_nonzero(~finite))
        if not len(points):
            return
        self._coloured &= colours is not None
        numbers = self._numbers(points)
        values = np.zeros((len(points), 7))
        values[:, :3], values[:, 6] = points / self.voxel - numbers, 1.0
        if colours is not None:
            values[:, 3:6] = colours
        keys, sums = summed(packed(numbers), values)
        self._waiting.append((keys, sums.astype(np.float32)))
        if sum(len(keys) for keys, _ in self._waiting) > PENDING * max(len(self._keys), self.most // 4):
            self._merge()

    def result(self) -> Piece:
        """(n, 3) mean points, (n, 3) mean colours or None where the file has none."""
        self._merge()
        if not len(self._keys):
            raise FileError("has no points", remedy="Export the scan again")
        points = np.empty((len(self._keys), 3))
        colours = np.empty((len(self._keys), 3), dtype=np.uint8) if self._coloured else None
        for block in blocks(len(self._keys)):
            means = self._sums[block, :6] / self._sums[block, 6:]
            points[block] = self.voxel * (unpacked(self._keys[block]) + means[:, :3].astype(float))
            if colours is not None:
                colours[block] = np.rint(means[:, 3:])
        return points, colours

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
        """Take in what waits. Each of its parts, and what is kept, has a key once, so that sums are added in place."""
        if self._waiting:
            parts = [(self._keys, self._sums), *self._waiting]
            self._waiting = []
            self._keys = np.unique(np.concatenate([keys for keys, _ in parts]))
            self._sums = np.zeros((len(self._keys), 7), dtype=np.float32)
            while parts:
                keys, sums = parts.pop()
                for block in blocks(len(keys)):
                    self._sums[np.searchsorted(self._keys, keys[block])] += sums[block]
        while len(self._keys) > self.most:
            self._enlarge()

    def _enlarge(self) -> None:
        """Make the cells twice as large: eight go into one."""
        self.voxel *= 2.0
        for block in blocks(len(self._keys)):
            numbers, sums = unpacked(self._keys[block]), self._sums[block]
            larger = numbers >> 1
            sums[:, :3] = 0.5 * (sums[:, :3] + sums[:, 6:] * (numbers - 2 * larger))
            self._keys[block] = packed(larger)
        self._keys, self._sums = summed(self._keys, self._sums)


def blocks(count: int) -> Iterator[slice]:
    """Slices of so many rows that what is computed of one takes little memory beside the whole."""
    return (slice(start, start + ROWS_AT_ONCE) for start in range(0, count, ROWS_AT_ONCE))


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
