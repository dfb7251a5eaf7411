"""Curves and fillets that a surface is lofted from."""

import math
from collections.abc import Sequence

import numpy as np

STEP = 0.002
"""m between the samples of a curve."""
REACH = 1.0
"""m by which the ends of a curve are prolonged."""


class Blurred:
    """A smooth function through (place, value) knots: straight runs, corners rounded by a Gaussian of `sigma` m."""

    def __init__(self, knots: Sequence[tuple[float, float]], sigma: float) -> None:
        p = np.array(sorted(knots), dtype=float)
        place = np.arange(p[0, 0] - REACH, p[-1, 0] + REACH, STEP)
        value = np.interp(place, p[:, 0], p[:, 1])
        for past, (near, far) in ((place < p[0, 0], (0, 1)), (place > p[-1, 0], (-1, -2))):
            slope = (p[far, 1] - p[near, 1]) / (p[far, 0] - p[near, 0])
            value[past] += (place[past] - p[near, 0]) * slope
        half = int(3.5 * sigma / STEP)
        weights = np.exp(-0.5 * (np.arange(-half, half + 1) * STEP / sigma) ** 2)
        padded = np.pad(value, half, mode="reflect", reflect_type="odd")
        self.value = np.convolve(padded, weights / weights.sum(), "valid")
        self.place = place

    def __call__(self, at: np.ndarray) -> np.ndarray:
        """Value at places of any shape; beyond the prolonged ends the last value."""
        return np.interp(at, self.place, self.value)


def smooth_max(a: np.ndarray, b: np.ndarray, width: float) -> np.ndarray:
    """The larger of two, with a fillet where they differ by less than `width`; twice differentiable."""
    near = np.maximum(width - np.abs(a - b), 0.0) / width
    return np.maximum(a, b) + near**3 * (width / 6.0)


def smooth_min(a: np.ndarray, b: np.ndarray, width: float) -> np.ndarray:
    """The smaller of two, with a fillet where they differ by less than `width`; twice differentiable."""
    return -smooth_max(-a, -b, width)


def cot(degrees: float) -> float:
    """Cotangent of an angle in degrees."""
    return 1.0 / math.tan(math.radians(degrees))


def rounded(
    points: Sequence[tuple[float, float]], radius: float | Sequence[float], steps: int = 5
) -> np.ndarray:
    """(n, 2) closed outline with an arc of `radius` (m), or one of each, at its corners."""
    p = np.array(points, dtype=float)
    radii = np.broadcast_to(radius, len(p))
    t = np.linspace(0.0, 1.0, steps)[:, None]
    out = []
    for i in range(len(p)):
        before, corner, after = p[i - 1], p[i], p[(i + 1) % len(p)]
        u, w = before - corner, after - corner
        long_u, long_w = np.linalg.norm(u), np.linalg.norm(w)
        u, w = u / long_u, w / long_w
        half = 0.5 * math.acos(float(np.clip(u @ w, -1.0, 1.0)))
        cut = min(radii[i] / max(math.tan(half), 1e-3), 0.48 * long_u, 0.48 * long_w)
        out.append((1 - t) ** 2 * (corner + cut * u) + 2 * t * (1 - t) * corner + t**2 * (corner + cut * w))
    return np.concatenate(out)


class Outline:
    """Signed distance (m) to a closed outline (n, 2), negative inside; far outside the distance to its box."""

    FAR = 0.06
    """m outside the box from which on the distance to the box serves."""

    def __init__(self, polygon: np.ndarray) -> None:
        self.a, self.b = polygon, np.roll(polygon, -1, axis=0)
        self.low, self.high = polygon.min(axis=0), polygon.max(axis=0)

    def __call__(self, q: np.ndarray) -> np.ndarray:
        """(m,) distance of points (m, 2)."""
        outside = np.maximum(np.maximum(self.low - q, q - self.high), 0.0)
        out = np.hypot(outside[:, 0], outside[:, 1])
        near = out < self.FAR
        if near.any():
            out[near] = self.exact(q[near])
        return out

    def exact(self, q: np.ndarray) -> np.ndarray:
        """Distance by all segments; the sign by counting crossings of a ray."""
        (along_x, along_y), (a_x, a_y) = (self.b - self.a).T, self.a.T
        w_x, w_y = q[:, :1] - a_x, q[:, 1:] - a_y
        t = np.clip((w_x * along_x + w_y * along_y) / np.maximum(along_x**2 + along_y**2, 1e-12), 0.0, 1.0)
        distance = np.sqrt(((w_x - t * along_x) ** 2 + (w_y - t * along_y) ** 2).min(axis=1))
        crosses = (a_y > q[:, 1:]) != (self.b[:, 1] > q[:, 1:])
        rise = np.where(np.abs(along_y) > 1e-12, along_y, 1.0)
        at = a_x + w_y * along_x / rise
        inside = (crosses & (q[:, :1] < at)).sum(axis=1) % 2 == 1
        return np.where(inside, -distance, distance)
