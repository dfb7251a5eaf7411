"""Random ellipsoids, and slow independent ways to find gaps, for the tests of contact geometry.

An ellipsoid is a centre and the matrix A = R diag(a^2) R^T; here A is (n, 3, 3). Nothing of this uses the engine.
"""

import numpy as np


def random_rotations(rng: np.random.Generator, count: int) -> np.ndarray:
    """Uniform rotations (count, 3, 3), by QR of random matrices."""
    q, r = np.linalg.qr(rng.normal(size=(count, 3, 3)))
    q *= np.sign(np.einsum("nii->ni", r))[:, None, :]
    q[:, :, 0] *= np.sign(np.linalg.det(q))[:, None]
    return q


def random_ellipsoids(rng, count: int, aspect: float, longest=(0.05, 0.8)) -> np.ndarray:
    """Matrices (count, 3, 3) with semi-axes spread over a ratio of up to `aspect`."""
    axes = np.exp(rng.uniform(-np.log(aspect), 0.0, (count, 3)))
    axes /= axes.max(axis=1)[:, None]
    return matrices(axes * rng.uniform(*longest, (count, 1)), random_rotations(rng, count))


def matrices(axes, rotations) -> np.ndarray:
    """R diag(a^2) R^T."""
    return np.einsum("nij,nj,nkj->nik", rotations, np.asarray(axes) ** 2, rotations)


def six(matrix) -> np.ndarray:
    """Symmetric matrices as (xx, yy, zz, xy, xz, yz)."""
    return np.ascontiguousarray(np.asarray(matrix)[..., [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]])


def as_tuple(values) -> tuple[float, ...]:
    """Floats for a kernel."""
    return tuple(float(v) for v in values)


def unit(vectors) -> np.ndarray:
    """Rows divided by their lengths."""
    return vectors / np.linalg.norm(vectors, axis=-1)[..., None]


def half_width(n, A) -> np.ndarray:
    """sqrt(n.A n) for directions (..., m, 3) and matrices (m, 3, 3)."""
    return np.sqrt(np.maximum(np.einsum("...mi,mij,...mj->...m", n, A, n), 0.0))


def spread_directions(count: int) -> np.ndarray:
    """Directions spread evenly over the sphere (golden spiral)."""
    i = np.arange(count) + 0.5
    z = 1.0 - 2.0 * i / count
    angle = np.pi * (1.0 + 5.0**0.5) * i
    r = np.sqrt(1.0 - z * z)
    return np.stack([r * np.cos(angle), r * np.sin(angle), z], axis=1)


class Separation:
    """s(n) = n.d - sum sqrt(n.A n) - sum h |n| - r for `count` problems at once, d (count, 3), each A (count, 3, 3)."""

    def __init__(self, d, ellipsoids, half_size=None, radius=0.0):
        self.d = np.asarray(d)
        self.sixes = [six(A) * np.array([1.0, 1.0, 1.0, 2.0, 2.0, 2.0]) for A in ellipsoids]
        self.half_size = half_size
        self.radius = radius

    def __call__(self, n) -> np.ndarray:
        """Values (k, count) for directions n (k, count, 3)."""
        x, y, z = n[..., 0], n[..., 1], n[..., 2]
        value = x * self.d[:, 0] + y * self.d[:, 1] + z * self.d[:, 2] - self.radius
        for s in self.sixes:
            square = (
                (x * s[:, 0] + y * s[:, 3] + z * s[:, 4]) * x
                + (y * s[:, 1] + z * s[:, 5]) * y
                + z * z * s[:, 2]
            )
            value -= np.sqrt(np.maximum(square, 0.0))
        if self.half_size is not None:
            value -= np.einsum("kmi,mi->km", np.abs(n), self.half_size)
        return value

    def sampled(self, n) -> np.ndarray:
        """Values (k, count) of every direction n (k, 3) for every problem."""
        value = n @ self.d.T - self.radius
        products = n[:, [0, 1, 2, 0, 0, 1]] * n[:, [0, 1, 2, 1, 2, 2]]
        for s in self.sixes:
            value -= np.sqrt(np.maximum(products @ s.T, 0.0))
        if self.half_size is not None:
            value -= np.abs(n) @ self.half_size.T
        return value


def largest_separation(separation: Separation, samples: int = 1000, starts: int = 4) -> np.ndarray:
    """Maximum of s over the unit sphere for every problem: dense sampling, then a compass search from the best.

    The search halves its radius where nothing is better. The coordinate axes are sampled and the coordinate planes
    tried, too: there the terms h |n| have ridges.
    """
    directions = np.concatenate([spread_directions(samples), np.eye(3), -np.eye(3)])
    values = separation.sampled(directions)
    best = np.full(values.shape[1], -np.inf)
    for _ in range(starts):
        chosen = np.argmax(values, axis=0)
        values[directions @ directions[chosen].T > 0.9] = -np.inf
        best = np.maximum(best, _compass_search(separation, directions[chosen]))
    return best


def _compass_search(separation: Separation, n, rounds: int = 60) -> np.ndarray:
    """Local maximum uphill from directions n (count, 3)."""
    each = np.arange(len(n))
    value = separation(n[None])[0]
    radius = np.full(len(n), 0.08)
    angles = np.arange(6) * np.pi / 3.0
    tries_planes = separation.half_size is not None
    for k in range(rounds):
        e1 = unit(np.cross(n, np.where(np.abs(n[:, :1]) < 0.7, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])))
        e2 = np.cross(n, e1)
        turn = angles + 0.37 * k
        trials = n + radius[:, None] * (np.cos(turn)[:, None, None] * e1 + np.sin(turn)[:, None, None] * e2)
        if tries_planes:
            trials = np.concatenate([trials, *_along_planes(n, radius)])
        trials = trials / np.maximum(np.linalg.norm(trials, axis=2), 1e-9)[..., None]
        values = separation(trials)
        chosen = np.argmax(values, axis=0)
        found = values[chosen, each]
        is_better = found > value
        n = np.where(is_better[:, None], trials[chosen, each], n)
        value = np.where(is_better, found, value)
        radius *= np.where(is_better, 1.0, 0.5)
    return value


def _along_planes(n, radius):
    """n put on each coordinate plane, and moved along each of them."""
    for i in range(3):
        axis = np.eye(3)[i]
        yield (np.where(np.abs(n[:, i : i + 1]) < 0.9, n * (1.0 - axis), n))[None]
        step = radius[:, None] * np.cross(n, axis)
        yield np.stack([n + step, n - step])
