"""Which parts of a mesh can be seen from outside, on a grid of cubes; interior, engine and underside of panels cannot.

Gaps that a ball of `CLOSING` cells cannot pass are closed first (panel gaps, open windows are not), and what is below
the floor is left out, so that a mesh without a floor still has an inside.
"""

import numpy as np

CELL = 0.03
"""m"""
CLOSING = 2
"""Cells by which everything is grown and shrunk again: gaps of up to twice as much are closed."""


class Outside:
    """The solid of a mesh: everything that cannot be reached from far away. Points in m."""

    def __init__(self, samples: np.ndarray, floor: float, cell: float = CELL) -> None:
        """samples: (n, 3) no farther apart than the cells; floor: m, height of the underside."""
        self.cell = cell
        edge = CLOSING + 3
        self.low = samples.min(axis=0) - edge * cell
        shape = np.ceil((samples.max(axis=0) - self.low) / cell).astype(int) + edge
        filled = np.zeros(shape, dtype=bool)
        filled[tuple(self.index(samples).T)] = True
        level = max(0, int((floor - self.low[2]) / cell))
        filled[:, :, level] |= shadow(filled[:, :, level:])
        filled[:, :, :level] = False
        free = flooded(~grown(filled, CLOSING))
        self.air = grown(free, CLOSING) & ~filled
        """Cells that are outside."""

    def index(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) numbers of the cells that hold points."""
        return ((points - self.low) / self.cell).astype(int)

    def is_inside(self, points: np.ndarray) -> np.ndarray:
        """(n,) whether points lie in the solid."""
        index = self.index(points)
        within = ((index >= 0) & (index < self.air.shape)).all(axis=1)
        index = np.clip(index, 0, np.array(self.air.shape) - 1)
        return within & ~self.air[tuple(index.T)]

    def directions(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) from points to the mean of the outside cells around them; 0 where there is none within a cell."""
        index = self.index(points)
        out = np.zeros((len(points), 3))
        for step in np.ndindex(3, 3, 3):
            way = np.array(step) - 1
            out += self.air[tuple((index + way).T)][:, None] * way
        return out

    def boundary(self) -> np.ndarray:
        """(n, 3) middles of the cells of the solid that have a neighbour outside, moved to its face."""
        found = []
        for axis in range(3):
            for way in (-1, 1):
                solid = ~self.air & np.roll(self.air, -way, axis=axis)
                middle = self.low + (np.argwhere(solid) + 0.5) * self.cell
                middle[:, axis] += 0.5 * way * self.cell
                found.append(middle)
        return np.concatenate(found)


def shadow(filled: np.ndarray) -> np.ndarray:
    """(x, y) cells between the outermost filled ones of each row and column, seen from above: a floor for a mesh."""
    seen = filled.any(axis=2)
    between = [
        np.maximum.accumulate(seen, axis=axis)
        & np.flip(np.maximum.accumulate(np.flip(seen, axis), axis=axis), axis)
        for axis in (0, 1)
    ]
    return between[0] & between[1]


def grown(filled: np.ndarray, cells: int) -> np.ndarray:
    """Cells within some cells of filled ones, along the axes one after the other."""
    out = filled.copy()
    for axis in range(3):
        for _ in range(cells):
            more = out.copy()
            head, tail = [slice(None)] * 3, [slice(None)] * 3
            head[axis], tail[axis] = slice(0, -1), slice(1, None)
            more[tuple(head)] |= out[tuple(tail)]
            more[tuple(tail)] |= out[tuple(head)]
            out = more
    return out


def flooded(free: np.ndarray) -> np.ndarray:
    """Free cells that can be reached from a corner, through faces: swept along the axes until nothing changes."""
    reached = np.zeros_like(free)
    reached[0, 0, 0] = free[0, 0, 0]
    count = -1
    while count != (now := int(reached.sum())):
        count = now
        for axis in range(3):
            cells, open_cells = np.moveaxis(reached, axis, 0), np.moveaxis(free, axis, 0)
            for order in (range(1, len(cells)), range(len(cells) - 2, -1, -1)):
                for i in order:
                    cells[i] |= cells[i - 1 if order.step > 0 else i + 1] & open_cells[i]
    return reached
