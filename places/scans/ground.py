"""The ground from a cloud: outliers out, what stands on it out, a closed mesh of chosen resolution, and its error.

Derivation: docs/derivations.md, Ground from a cloud.
"""

from dataclasses import dataclass

import numpy as np

from ...io_json.errors import FileError
from ..libraries import required
from .thin import blocks

NEIGHBOURS = 8
OUTLIER = 6.0
"""Median deviations beyond the median from which on a point's mean distance to its neighbours makes it an outlier."""
STEP = 0.25
"""m: what rises less above its surroundings than this is ground: kerbs and steps are, people and cars are not."""
SLOPE = 0.3
"""Rise of the ground that is still ground, m per m."""
WIDEST = 8.0
"""m: things on the ground that are wider than this are taken for ground."""
MOST_CELLS = 4_000_000
BASE = 0.5
"""m below the lowest point: where the closed mesh ends."""


@dataclass(frozen=True)
class Ground:
    """A heightfield over a regular grid, with how well it fits the points."""

    low: np.ndarray
    """(2,) x and y of the first node, m."""
    cell: float
    """m between nodes."""
    heights: np.ndarray
    """(nx, ny) m; holes filled from their rim."""
    holes: np.ndarray
    """(nx, ny) whether a node had no points."""
    errors: np.ndarray
    """(k,) m: ground points less the surface, along z."""
    outliers: int
    """Points left out as strays."""
    above: int
    """Points left out because they stand on the ground."""

    @property
    def median_error(self) -> float:
        """m, of the sizes."""
        return float(np.median(np.abs(self.errors)))

    @property
    def error_95(self) -> float:
        """m, of the sizes."""
        return float(np.percentile(np.abs(self.errors), 95.0))

    @property
    def hole_area(self) -> float:
        """Area of the nodes without points, m2."""
        return float(self.holes.sum()) * self.cell**2

    def facts(self) -> dict[str, object]:
        """What a report says of it."""
        nx, ny = self.heights.shape
        return {
            "cell_m": self.cell,
            "nodes": [nx, ny],
            "area_m2": round((nx - 1) * (ny - 1) * self.cell**2, 3),
            "hole_area_m2": round(self.hole_area, 3),
            "ground_points": len(self.errors),
            "outliers_left_out": self.outliers,
            "points_above_left_out": self.above,
            "median_error_m": round(self.median_error, 5),
            "error_95_m": round(self.error_95, 5),
        }

    def height_at(self, points: np.ndarray) -> np.ndarray:
        """(n,) height of the triangles at (n, 2) places."""
        return _height_at(self.heights, self.low, self.cell, points)


def ground_of(points: np.ndarray, cell: float = 0.1, step: float = STEP) -> Ground:
    """The ground under (n, 3) points, m, z up. Raises FileError."""
    required("scipy", "grounds from clouds")
    points = np.asarray(points, dtype=float)
    if len(points) < 20:
        raise FileError(f"{len(points)} points are too few for a ground", remedy="Thin the cloud less")
    kept = without_outliers(points)
    low, shape = _grid(kept, cell)
    floor = _lowest(kept, low, cell, shape)
    surface = _opened(_filled(floor), cell, step)
    nodes = _nodes(kept, low, cell, shape)
    on_ground = kept[:, 2] - surface[nodes[:, 0], nodes[:, 1]] < step
    ground = kept[on_ground]
    heights = _medians(ground, low, cell, shape)
    holes = np.isnan(heights)
    heights = _filled(heights)
    errors = ground[:, 2] - _height_at(heights, low, cell, ground[:, :2])
    return Ground(low, cell, heights, holes, errors, len(points) - len(kept), int((~on_ground).sum()))


def without_outliers(points: np.ndarray) -> np.ndarray:
    """(k, 3) points without those that are alone: birds, reflections, stray returns."""
    from scipy.spatial import cKDTree

    tree, mean = cKDTree(points), np.empty(len(points))
    for block in blocks(len(points)):
        distances, _ = tree.query(points[block], k=min(NEIGHBOURS + 1, len(points)))
        mean[block] = distances[:, 1:].mean(axis=1)
    middle = np.median(mean)
    spread = max(float(np.median(np.abs(mean - middle))), 0.05 * float(middle))
    return points[mean <= middle + OUTLIER * spread]


def _grid(points: np.ndarray, cell: float) -> tuple[np.ndarray, tuple[int, int]]:
    """(2,) first node and the number of nodes, so that every point lies between nodes."""
    low = np.floor(points[:, :2].min(axis=0) / cell) * cell
    count = np.ceil((points[:, :2].max(axis=0) - low) / cell).astype(int) + 1
    if count.prod() > MOST_CELLS:
        raise FileError(
            f"a ground of {count[0]} x {count[1]} nodes is too fine",
            remedy=f"Choose a larger cell (up to {MOST_CELLS:,} nodes), or cut the scan to the place",
        )
    return low, (max(2, int(count[0])), max(2, int(count[1])))


def _nodes(points: np.ndarray, low: np.ndarray, cell: float, shape: tuple[int, int]) -> np.ndarray:
    """(n, 2) nearest node of each point."""
    nodes = np.rint((points[:, :2] - low) / cell).astype(int)
    return np.clip(nodes, 0, np.array(shape) - 1)


def _by_node(
    points: np.ndarray, low: np.ndarray, cell: float, shape: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes that have points, where their points begin, and heights in order of node and height."""
    nodes = _nodes(points, low, cell, shape)
    flat = nodes[:, 0] * shape[1] + nodes[:, 1]
    order = np.lexsort((points[:, 2], flat))
    flat, heights = flat[order], points[order, 2]
    starts = np.flatnonzero(np.concatenate([[True], flat[1:] != flat[:-1]]))
    return flat[starts], starts, heights


def _lowest(points: np.ndarray, low: np.ndarray, cell: float, shape: tuple[int, int]) -> np.ndarray:
    """(nx, ny) low end of the heights at each node: the tenth part, as the very lowest is the worst noise."""
    nodes, starts, heights = _by_node(points, low, cell, shape)
    counts = np.diff(np.append(starts, len(heights)))
    field = np.full(shape, np.nan)
    field.flat[nodes] = heights[starts + counts // 10]
    return field


def _medians(points: np.ndarray, low: np.ndarray, cell: float, shape: tuple[int, int]) -> np.ndarray:
    """(nx, ny) median height at each node; NaN where there is no point."""
    if not len(points):
        raise FileError("no point is on the ground", remedy="Check the up axis and the unit")
    nodes, starts, heights = _by_node(points, low, cell, shape)
    counts = np.diff(np.append(starts, len(heights)))
    field = np.full(shape, np.nan)
    field.flat[nodes] = 0.5 * (heights[starts + (counts - 1) // 2] + heights[starts + counts // 2])
    return field


def _opened(floor: np.ndarray, cell: float, step: float) -> np.ndarray:
    """The floor with what stands on it cut off: openings of growing width (Zhang 2003)."""
    from scipy.ndimage import grey_opening

    surface, width = floor, 1
    while width * cell < WIDEST:
        width = 2 * width + 1
        cut = grey_opening(surface, size=(width, width), mode="nearest")
        allowed = step + SLOPE * (width // 2) * cell
        surface = np.where(surface - cut > allowed, cut, surface)
    return surface


def _filled(field: np.ndarray) -> np.ndarray:
    """The field with its holes filled: straight between the points of their rim, beyond all points as the nearest."""
    from scipy.interpolate import griddata

    holes = np.isnan(field)
    if not holes.any():
        return field
    known = np.argwhere(~holes)
    wanted = np.argwhere(holes)
    rim = _near(holes)
    known = known[rim[known[:, 0], known[:, 1]]] if rim.sum() >= 4 else known
    values = field[known[:, 0], known[:, 1]]
    filled = np.full(len(wanted), np.nan)
    if len(known) >= 4 and (np.ptp(known, axis=0) > 0).all():
        filled = griddata(known, values, wanted, method="linear")
    rest = np.isnan(filled)
    filled[rest] = griddata(known, values, wanted[rest], method="nearest")
    result = field.copy()
    result[holes] = filled
    return result


def _near(holes: np.ndarray) -> np.ndarray:
    """Nodes beside a hole."""
    from scipy.ndimage import binary_dilation

    return binary_dilation(holes, np.ones((3, 3))) & ~holes


def _height_at(heights: np.ndarray, low: np.ndarray, cell: float, points: np.ndarray) -> np.ndarray:
    """(n,) height of the triangles (each square cut from its lower left to its upper right) at (n, 2) places."""
    at = (np.asarray(points)[:, :2] - low) / cell
    corner = np.clip(np.floor(at).astype(int), 0, np.array(heights.shape) - 2)
    u, v = (at - corner).T
    i, j = corner.T
    a, b = heights[i, j], heights[i + 1, j + 1]
    right, upper = heights[i + 1, j], heights[i, j + 1]
    return np.where(u >= v, a + u * (right - a) + v * (b - right), a + v * (upper - a) + u * (b - upper))


def mesh_of(ground: Ground, closed: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """((n, 3) points, (m, 3) triangles, counter-clockwise from outside); closed by walls and a base below."""
    nx, ny = ground.heights.shape
    x = ground.low[0] + ground.cell * np.arange(nx)
    y = ground.low[1] + ground.cell * np.arange(ny)
    top = np.column_stack([np.repeat(x, ny), np.tile(y, nx), ground.heights.ravel()])
    node = np.arange(nx * ny).reshape(nx, ny)
    a, b, c, d = node[:-1, :-1], node[1:, :-1], node[1:, 1:], node[:-1, 1:]
    faces = np.concatenate(
        [np.stack([a, b, c], axis=-1).reshape(-1, 3), np.stack([a, c, d], axis=-1).reshape(-1, 3)]
    )
    if not closed:
        return top, faces
    rim = np.concatenate([node[:, 0], node[-1, 1:], node[-2::-1, -1], node[0, -2:0:-1]])
    below = np.column_stack([top[rim, :2], np.full(len(rim), top[:, 2].min() - BASE)])
    under = len(top) + np.arange(len(rim))
    after, under_after = np.roll(rim, -1), np.roll(under, -1)
    walls = np.concatenate(
        [np.column_stack([rim, under, under_after]), np.column_stack([rim, under_after, after])]
    )
    middle = np.append(below[:, :2].mean(axis=0), below[0, 2])
    centre = len(top) + len(rim)
    base = np.column_stack([np.full(len(rim), centre), under_after, under])
    return np.concatenate([top, below, middle[None]]), np.concatenate([faces, walls, base])
