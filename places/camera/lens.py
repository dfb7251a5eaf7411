"""A camera: where it is, how it is turned, and how its lens draws.

Derivation: docs/derivations.md, A camera and its lens.
"""

from dataclasses import dataclass

import numpy as np

from ...engine.maths.rotations import matrix_from_quaternion

NEWTON_STEPS = 20
"""Steps at most when distortion is taken out; four or five are enough for lenses that make pictures."""


@dataclass
class Camera:
    """A camera with square pixels. Pixels are counted from the upper left corner, x to the right, y down."""

    name: str
    position: tuple[float, float, float]
    """m, world."""
    rotation: tuple[float, float, float, float]
    """Unit quaternion (w, x, y, z), camera to world; the camera looks along its -z, its +y is up in the picture."""
    focal_px: float
    center_px: tuple[float, float]
    """Where the optical axis meets the picture."""
    size_px: tuple[int, int]
    """Width and height of the picture."""
    picture: str = ""
    """File name beside the camera's file; empty: none."""
    distortion: tuple[float, float] = (0.0, 0.0)
    """Radial terms k1, k2 of the lens."""

    def project(self, points: np.ndarray) -> np.ndarray:
        """(n, 2) pixels of (n, 3) world points (m) in the picture as taken; NaN behind the camera."""
        inside = (np.asarray(points, dtype=float) - self.position) @ self.axes
        depth = np.where(inside[:, 2] < 0.0, -inside[:, 2], np.nan)
        flat = np.column_stack([inside[:, 0], -inside[:, 1]]) / depth[:, None]
        return self.center_px + self.focal_px * distorted(flat, self.distortion)

    def rays(self, pixels: np.ndarray) -> np.ndarray:
        """(n, 3) unit directions in the world of (n, 2) pixels of the picture as taken; NaN beyond the lens."""
        flat = (np.asarray(pixels, dtype=float) - self.center_px) / self.focal_px
        flat = undistorted(flat, self.distortion)
        rays = np.column_stack([flat[:, 0], -flat[:, 1], -np.ones(len(flat))]) @ self.axes.T
        return rays / np.linalg.norm(rays, axis=1)[:, None]

    @property
    def axes(self) -> np.ndarray:
        """(3, 3) right, up and backward of the camera in the world, as columns."""
        return matrix_from_quaternion(np.asarray(self.rotation, dtype=float))

    @property
    def view(self) -> np.ndarray:
        """(3,) direction of view in the world."""
        return -self.axes[:, 2]


def distorted(flat: np.ndarray, terms: tuple[float, float]) -> np.ndarray:
    """(n, 2) points of the plane at distance 1 as the lens draws them: x (1 + k1 r^2 + k2 r^4)."""
    square = (flat**2).sum(axis=-1, keepdims=True)
    return flat * (1.0 + square * (terms[0] + square * terms[1]))


def undistorted(drawn: np.ndarray, terms: tuple[float, float]) -> np.ndarray:
    """The opposite of `distorted`, (n, 2); NaN where no point within the lens's range is drawn there.

    Newton's method on the radius; beyond the radius where the drawn radius stops growing, the model has no meaning.
    """
    drawn = np.asarray(drawn, dtype=float)
    if not any(terms):
        return drawn.copy()
    wanted = np.sqrt((drawn**2).sum(axis=-1))
    most = largest_radius(terms)
    radius = np.minimum(wanted, most)
    k1, k2 = terms
    for _ in range(NEWTON_STEPS):
        square = radius**2
        error = radius * (1.0 + square * (k1 + square * k2)) - wanted
        slope = 1.0 + square * (3.0 * k1 + 5.0 * square * k2)
        radius = np.clip(radius - error / np.maximum(slope, 1e-6), 0.0, most)
    square = radius**2
    reached = np.abs(radius * (1.0 + square * (k1 + square * k2)) - wanted) < 1e-9 * (1.0 + wanted)
    scale = np.where(wanted > 0.0, radius / np.where(wanted > 0.0, wanted, 1.0), 1.0)
    return np.where(reached[..., None], drawn * scale[..., None], np.nan)


def largest_radius(terms: tuple[float, float]) -> float:
    """Radius, at distance 1, up to which the drawn radius grows: the first root of 1 + 3 k1 r^2 + 5 k2 r^4."""
    k1, k2 = terms
    roots = np.roots([5.0 * k2, 3.0 * k1, 1.0]) if k2 else np.roots([3.0 * k1, 1.0])
    real = [root.real for root in roots if abs(root.imag) < 1e-12 and root.real > 0.0]
    return float(np.sqrt(min(real))) if real else 1e6
