"""How far results are spread in space: ellipses and tubes that hold a given share of the runs, density of points.

Shapes follow the covariance of the points; their size is the smallest that holds the share asked for, counted, so that
nothing is assumed about the distribution.
"""

import numpy as np

SIDES = 32


def _finite(points: np.ndarray) -> np.ndarray:
    return points[np.all(np.isfinite(points), axis=-1)]


def ellipse(points: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    """(2,) centre and (2, 2) half axes (columns) of the ellipse about the mean of (n, 2) points that holds a share.

    A direction in which the points do not vary has a half axis of no length.
    """
    points = _finite(points)
    if len(points) < 2:
        raise ValueError(f"{len(points)} runs have a place: an ellipse needs at least 2")
    centre = points.mean(axis=0)
    sizes, axes = np.linalg.eigh(np.cov(points.T, bias=True))
    spread = np.sqrt(np.maximum(sizes, 0.0))
    away = (points - centre) @ axes
    scaled = np.divide(away, spread, out=np.zeros_like(away), where=spread > 1e-12)
    reach = float(np.quantile(np.linalg.norm(scaled, axis=-1), share))
    return centre, axes * (reach * spread)


def outline(centre: np.ndarray, half_axes: np.ndarray, sides: int = SIDES) -> np.ndarray:
    """(sides, 2) points of an ellipse, in order."""
    turn = np.arange(sides) * 2.0 * np.pi / sides
    return centre + np.column_stack([np.cos(turn), np.sin(turn)]) @ half_axes.T


def tube(paths: np.ndarray, share: float, sides: int = SIDES) -> np.ndarray:
    """(times, sides, 3) rings about the mean of (runs, times, 3) paths, each across the mean path and holding a share.

    A ring is the ellipse of the places at one moment, seen along the direction in which the mean then moves.
    """
    paths = paths[np.all(np.isfinite(paths), axis=(1, 2))].astype(float)
    mean = paths.mean(axis=0)
    along = _directions(mean)
    rings = np.empty((len(mean), sides, 3))
    for moment in range(len(mean)):
        across = _across(along[moment])
        centre, half_axes = ellipse((paths[:, moment] - mean[moment]) @ across.T, share)
        rings[moment] = mean[moment] + outline(centre, half_axes, sides) @ across
    return rings


def _directions(path: np.ndarray) -> np.ndarray:
    """(times, 3) unit directions of a path; upwards where it stands still."""
    step = np.gradient(path, axis=0)
    size = np.linalg.norm(step, axis=-1, keepdims=True)
    return np.where(size > 1e-9, step / np.maximum(size, 1e-9), [[0.0, 0.0, 1.0]])


def _across(direction: np.ndarray) -> np.ndarray:
    """(2, 3) rows: two unit vectors across a direction, the first level wherever that can be."""
    first = np.cross(direction, (0.0, 0.0, 1.0))
    if np.linalg.norm(first) < 1e-6:
        first = np.array([1.0, 0.0, 0.0])
    first = first / np.linalg.norm(first)
    return np.array([first, np.cross(direction, first)])


def density(points: np.ndarray, radius: float) -> np.ndarray:
    """(n,) share of (n, 3) points that lie within a radius (m) of each, itself included; the largest made 1."""
    from scipy.spatial import cKDTree

    tree = cKDTree(points)
    counts = np.asarray(tree.query_ball_point(points, radius, return_length=True), dtype=float)
    return counts / counts.max()


def runs_at(values: np.ndarray, percents: tuple[float, ...]) -> list[int]:
    """Numbers of the runs whose value is nearest to each percentile, each once."""
    known = np.flatnonzero(np.isfinite(values))
    if not len(known):
        return []
    wanted = np.percentile(values[known], percents)
    nearest = [int(known[np.argmin(np.abs(values[known] - value))]) for value in wanted]
    return list(dict.fromkeys(nearest))


def runs_over(values: np.ndarray, count: int) -> list[int]:
    """Numbers of about `count` runs from the 5th to the 95th percentile of the values; one is the median's."""
    return runs_at(values, tuple(np.linspace(5.0, 95.0, count)) if count > 1 else (50.0,))
