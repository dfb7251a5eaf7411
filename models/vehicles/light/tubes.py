"""Surfaces that two-wheelers are drawn with: tubes along curves, bodies lofted through sections, arched sheets."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..form.assembly import Assembly

Surface = tuple[np.ndarray, np.ndarray]
"""Points (n, 3), m, and quads (m, 4)."""
UP = np.array([0.0, 0.0, 1.0])


def smooth(points: ArrayLike, steps: int = 6) -> np.ndarray:
    """Points of a curve through points (n, 3), `steps` from one to the next (Catmull-Rom)."""
    p = np.asarray(points, float)
    if len(p) < 3:
        return p
    ends = np.concatenate([[2.0 * p[0] - p[1]], p, [2.0 * p[-1] - p[-2]]])
    t = np.linspace(0.0, 1.0, steps, endpoint=False)[:, None]
    pieces = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        pieces.append(
            0.5
            * (
                2.0 * b
                + (c - a) * t
                + (2.0 * a - 5.0 * b + 4.0 * c - d) * t**2
                + (3.0 * (b - c) + d - a) * t**3
            )
        )
    return np.concatenate([*pieces, p[-1:]])


def sections_of(path: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors (n, 3) across a path at each of its points, carried along without twist."""
    along = np.gradient(path, axis=0)
    along = along / np.linalg.norm(along, axis=1, keepdims=True)
    first = np.cross(along[0], np.identity(3)[int(np.argmin(np.abs(along[0])))])
    across = [first / np.linalg.norm(first)]
    for direction in along[1:]:
        kept = across[-1] - direction * float(direction @ across[-1])
        across.append(kept / np.linalg.norm(kept))
    across = np.array(across)
    return across, np.cross(along, across)


def skinned(rings: np.ndarray) -> Surface:
    """Points and quads of a tube through rings (n, count, 3) in order, its ends closed by their middles."""
    n, count, _ = rings.shape
    ends = [np.repeat(rings[[k]].mean(axis=1, keepdims=True), count, axis=1) for k in (0, -1)]
    rings = np.concatenate([ends[0], rings[:1], rings, rings[-1:], ends[1]])
    i, j = np.meshgrid(np.arange(n + 3), np.arange(count), indexing="ij")
    after = (j + 1) % count
    quads = np.stack(
        [i * count + j, i * count + after, (i + 1) * count + after, (i + 1) * count + j], axis=-1
    )
    real = np.ones(n + 3, dtype=bool)
    real[[1, n + 1]] = False
    return rings.reshape(-1, 3), quads[real].reshape(-1, 4)


def tube(path: ArrayLike, radius: float | Sequence[float], count: int = 12) -> Surface:
    """A tube along a path (n, 3); radius: m, or one for every point."""
    p = np.asarray(path, float)
    across, other = sections_of(p)
    r = np.broadcast_to(np.asarray(radius, float), len(p))[:, None, None]
    angle = np.arange(count) * 2.0 * np.pi / count
    circle = np.cos(angle)[None, :, None] * across[:, None] + np.sin(angle)[None, :, None] * other[:, None]
    return skinned(p[:, None] + r * circle)


def loft(
    sections: Sequence[tuple[ArrayLike, float, float]], power: float = 2.6, count: int = 28, steps: int = 4
) -> Surface:
    """A body through sections (centre, half width along y, half height), smooth from one to the next.

    Sections stand square to the curve of their centres in the plane of symmetry; power: 2 is an ellipse, more a box
    with round edges."""
    rows = np.array([[*np.asarray(centre, float), wide, high] for centre, wide, high in sections])
    rows = smooth(rows, steps)
    path, wide, high = rows[:, :3], np.maximum(rows[:, 3], 1e-3), np.maximum(rows[:, 4], 1e-3)
    along = np.gradient(path, axis=0)
    along[:, 1] = 0.0
    along = along / np.linalg.norm(along, axis=1, keepdims=True)
    side = np.array([0.0, 1.0, 0.0])
    up = np.cross(along, side)
    angle = np.arange(count) * 2.0 * np.pi / count
    c, s = np.cos(angle), np.sin(angle)
    size = (np.abs(c) ** power + np.abs(s) ** power) ** (1.0 / power)
    y, z = c / size, s / size
    rings = (
        path[:, None] + (wide[:, None] * y)[:, :, None] * side + (high[:, None] * z)[:, :, None] * up[:, None]
    )
    return skinned(rings)


def arc(centre: ArrayLike, radius: float, start: float, end: float, steps: int = 24) -> np.ndarray:
    """Points (steps, 3) of an arc about y from one angle to another (degrees from ahead, upward)."""
    angle = np.radians(np.linspace(start, end, steps))
    flat = np.stack([np.cos(angle), np.zeros(steps), np.sin(angle)], axis=1)
    return np.asarray(centre, float) + radius * flat


def guard(
    centre: ArrayLike, radius: float, width: float, start: float, end: float, crown: float = 0.35
) -> Surface:
    """A mudguard: an arched sheet about y, 1.5 mm thick, between two angles (degrees from ahead, upward)."""
    angle = np.radians(np.linspace(start, end, 36))
    across = np.linspace(-1.0, 1.0, 9)
    rings = []
    for inset in (0.0, 0.0015):
        y = across * width / 2.0
        r = radius - inset - crown * width / 2.0 * (1.0 - np.sqrt(np.maximum(0.0, 1.0 - 0.9 * across**2)))
        rings.append(np.stack([r, y], axis=1) if inset == 0.0 else np.stack([r, y], axis=1)[::-1])
    profile = np.concatenate(rings)
    flat = np.stack([np.cos(angle), np.zeros(len(angle)), np.sin(angle)], axis=1)
    points = profile[None, :, :1] * flat[:, None] + profile[None, :, 1:] * np.array([0.0, 1.0, 0.0])
    return skinned(np.asarray(centre, float) + points[::-1])


def flat_ring(outer: float, inner: float, half: float, is_closed: bool = True) -> list[tuple[float, float]]:
    """Profile (radius, y), for `revolve`, of a flat ring between two radii, to `half` (m) on either side; one that is
    not closed has no left face."""
    profile = [(outer, half), (outer, -half), (inner, -half), (inner, half)]
    return [*profile, profile[0]] if is_closed else profile


def both_sides(half: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Profile (radius, y), for `revolve`, whose half at y above 0 is given, from outside inward."""
    return half + [(radius, -y) for radius, y in reversed(half)]


def chain_loop(front: ArrayLike, rear: ArrayLike, large: float, small: float) -> np.ndarray:
    """Points (n, 3) of the closed way of a chain round two sprockets of these radii (m)."""
    front, rear = np.asarray(front, float), np.asarray(rear, float)
    along = front - rear
    length = float(np.hypot(along[0], along[2]))
    lean = math.degrees(math.atan2(along[2], along[0]))
    open_angle = math.degrees(math.acos((large - small) / length))
    ahead = arc(front, large, lean + open_angle, lean - open_angle, 22)
    behind = arc(rear, small, lean - open_angle, lean + open_angle - 360.0, 14)
    behind[:, 1] = front[1]
    return np.concatenate([ahead, behind, ahead[:1]])


class Sketch(Assembly):
    """An assembly that draws tubes, bodies through sections and mudguards. The finish comes first."""

    def tube(self, finish: str, *shape: Any, mirror: bool = False) -> None:
        """Add a tube, see `tube`."""
        self.add(*tube(*shape), finish, mirror=mirror)

    def loft(self, finish: str, *shape: Any) -> None:
        """Add a body, see `loft`."""
        self.add(*loft(*shape), finish)

    def guard(self, finish: str, *shape: float | ArrayLike) -> None:
        """Add a mudguard, see `guard`."""
        self.add(*guard(*shape), finish)
