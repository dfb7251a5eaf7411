"""Pieces of a drawn surface put together: points with normals, faces with a finish."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..finishes import NAMES

MIRROR = np.array([1.0, -1.0, 1.0])


@dataclass(frozen=True)
class Drawn:
    """A surface to draw: (n, 3) points (m) and unit normals, (m, 4) faces whose fourth is -1 in a triangle, and the
    number of each face's finish."""

    points: np.ndarray
    normals: np.ndarray
    faces: np.ndarray
    finishes: np.ndarray


def as_faces(faces: np.ndarray) -> np.ndarray:
    """(m, 4) faces, triangles with -1 as their fourth."""
    return faces if faces.shape[1] == 4 else np.pad(faces, ((0, 0), (0, 1)), constant_values=-1)


def turned(faces: np.ndarray) -> np.ndarray:
    """Faces seen from the other side."""
    is_triangle = faces[:, 3] < 0
    return np.where(is_triangle[:, None], faces[:, [0, 2, 1, 3]], faces[:, ::-1])


def smooth_normals(points: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """(n, 3) normals of points: those of the faces around them, by area."""
    corner = np.where(faces < 0, faces[:, [2]], faces)
    a, b, c, d = (points[corner[:, k]] for k in range(4))
    area = np.cross(c - a, d - b)
    out = np.zeros_like(points)
    for k in range(4):
        for axis in range(3):
            out[:, axis] += np.bincount(corner[:, k], area[:, axis], len(points))
    return out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-12)


class Assembly:
    """Collects pieces; `drawn` joins them."""

    def __init__(self) -> None:
        self.pieces: list[tuple[np.ndarray, np.ndarray, np.ndarray, int]] = []

    def add(
        self,
        points: np.ndarray,
        faces: np.ndarray,
        finish: str | tuple[str, str],
        normals: np.ndarray | None = None,
        flat: bool = False,
        mirror: bool = False,
    ) -> None:
        """Add a piece. Without normals its own are used, rounded, or those of its faces (`flat`); `mirror` adds its
        image on the right, whose finish is the second of two."""
        if not len(faces):
            return
        left, right = (finish, finish) if isinstance(finish, str) else finish
        points, faces = np.asarray(points, float), as_faces(np.asarray(faces))
        if flat:
            corner = np.where(faces < 0, faces[:, [2]], faces)
            points = points[corner.ravel()]
            whole = np.arange(len(points)).reshape(-1, 4)
            faces = np.where(faces < 0, -1, whole)
        if normals is None:
            normals = smooth_normals(points, faces)
        self.pieces.append((points, normals, faces, NAMES.index(left)))
        if mirror:
            self.pieces.append((points * MIRROR, normals * MIRROR, turned(faces), NAMES.index(right)))

    def pebble(self, finish: str | tuple[str, str], *shape: Any, mirror: bool = False, **more: Any) -> None:
        """Add a box with round edges, see `pebble`."""
        self.add(*pebble(*shape, **more), finish, mirror=mirror)

    def box(self, finish: str | tuple[str, str], *shape: Any, **how: Any) -> None:
        """Add a box, see `box`; how: as in `add`."""
        self.add(*box(*shape), finish, **how)

    def revolve(
        self, finish: str, profile: list[tuple[float, float]], count: int, at: ArrayLike | None = None
    ) -> None:
        """Add a profile turned about y, see `revolve`; at: where its origin is put, m."""
        points, faces = revolve(profile, count)
        self.add(points if at is None else points + np.asarray(at, float), faces, finish)

    def strip(
        self, finish: str, path: np.ndarray, width: ArrayLike, depth: ArrayLike, mirror: bool = False
    ) -> None:
        """Add a bar with flat sides, see `strip`."""
        self.add(*strip(path, width, depth), finish, flat=True, mirror=mirror)

    def drawn(self) -> Drawn:
        """All pieces as one surface, without points that no face has."""
        start = np.cumsum([0] + [len(p) for p, *_ in self.pieces])
        faces = np.concatenate(
            [np.where(f < 0, -1, f + base) for (_, _, f, _), base in zip(self.pieces, start, strict=False)]
        )
        finishes = np.concatenate([np.full(len(f), kind) for _, _, f, kind in self.pieces])
        points = np.concatenate([p for p, *_ in self.pieces])
        normals = np.concatenate([n for _, n, *_ in self.pieces])
        used = np.unique(faces[faces >= 0])
        number = np.full(len(points) + 1, -1)
        number[used] = np.arange(len(used))
        return Drawn(points[used], normals[used], number[faces], finishes)


def revolve(profile: list[tuple[float, float]], count: int) -> tuple[np.ndarray, np.ndarray]:
    """Points and quads of a profile of (radius, y) turned about y; sharp corners of it have points twice."""
    p = np.array(profile, dtype=float)
    along = np.diff(p, axis=0)
    long = np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    along = along / long
    kept = [0]
    for j in range(1, len(p) - 1):
        kept += [j, j] if along[j - 1] @ along[j] < 0.8 else [j]
    p = p[[*kept, len(p) - 1]]
    angle = np.arange(count) * 2.0 * np.pi / count
    rings = [
        np.outer(np.cos(angle), p[:, 0]),
        np.broadcast_to(p[:, 1], (count, len(p))),
        np.outer(np.sin(angle), p[:, 0]),
    ]
    points = np.stack(rings, axis=-1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(count), np.arange(len(p) - 1), indexing="ij")
    k, after = len(p), (i + 1) % count
    quads = np.stack([i * k + j, i * k + j + 1, after * k + j + 1, after * k + j], axis=-1)
    is_real = np.linalg.norm(np.diff(p, axis=0), axis=1) > 1e-9
    return points, quads[:, is_real].reshape(-1, 4)


def pebble(
    centre: ArrayLike, size: ArrayLike, power: float = 4.0, count: int = 10, shear: ArrayLike | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Points and quads of a box with round edges: a superellipsoid of half sizes `size`; power 2 is an ellipsoid."""
    a, b = np.meshgrid(
        np.linspace(-np.pi, np.pi, 2 * count, endpoint=False),
        np.linspace(-np.pi / 2.0, np.pi / 2.0, count),
        indexing="ij",
    )
    d = np.stack([np.cos(b) * np.cos(a), np.cos(b) * np.sin(a), np.sin(b)], axis=-1)
    d = d / (np.abs(d) ** power).sum(axis=-1, keepdims=True) ** (1.0 / power)
    points = (d * np.asarray(size, float)).reshape(-1, 3)
    if shear is not None:
        points = points @ np.asarray(shear, float).T
    i, j = np.meshgrid(np.arange(2 * count), np.arange(count - 1), indexing="ij")
    after = (i + 1) % (2 * count)
    quads = np.stack([i * count + j, after * count + j, after * count + j + 1, i * count + j + 1], axis=-1)
    return points + np.asarray(centre, float), quads.reshape(-1, 4)


BOX_FACES = np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])


def box(centre: ArrayLike, size: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Points and quads of a box of half sizes `size`."""
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    return signs * np.asarray(size, float) + np.asarray(centre, float), BOX_FACES


def strip(path: np.ndarray, width: ArrayLike, depth: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Points and quads of a bar of rectangular section along a path (n, 3); `width` and `depth` are half sizes as
    vectors."""
    corners = np.concatenate(
        [path - width - depth, path + width - depth, path + width + depth, path - width + depth]
    )
    n, i = len(path), np.arange(len(path) - 1)
    sides = [
        np.stack([i + a * n, i + 1 + a * n, i + 1 + b * n, i + b * n], axis=1)
        for a, b in ((0, 1), (1, 2), (2, 3), (3, 0))
    ]
    ends = np.array([(0, n, 2 * n, 3 * n), (4 * n - 1, 3 * n - 1, 2 * n - 1, n - 1)])
    return corners, np.concatenate([*sides, ends])
