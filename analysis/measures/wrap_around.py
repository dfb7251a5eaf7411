"""Wrap-around distance: how far along a taut tape, from the ground below the bumper over the front, a place is.

Derivation: docs/derivations.md, Wrap-around distance.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ...engine.spec import ContactMesh

SPACING = 0.04
"""m: largest distance of the points that stand for the surface."""
SLAB = 0.05
"""m to either side of a place from which the outline in its plane is taken."""
OVERHANG = 0.05
"""m: a place that the tape would pass higher above than this lies under an overhang, and is reached from below."""


def skin_of(mesh: ContactMesh) -> np.ndarray:
    """(n, 3) points of what is touched of a contact mesh, in its body's frame, m: its core moved out by its depth."""
    depth = () if mesh.depth is None else tuple(mesh.depth)
    return _skin(tuple(map(tuple, mesh.vertices)), tuple(map(tuple, mesh.triangles)), depth)


@lru_cache(maxsize=8)
def _skin(vertices: tuple, triangles: tuple, depth: tuple) -> np.ndarray:
    points, corners = np.array(vertices, dtype=float), np.array(triangles, dtype=int)
    faces = points[corners]
    areas = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    normals = np.zeros_like(points)
    for corner in range(3):
        np.add.at(normals, corners[:, corner], areas)
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-12)[:, None]
    outer = points + (np.array(depth, dtype=float) if depth else np.zeros(len(points)))[:, None] * normals
    return np.concatenate([_sampled(outer[corners[sizes == n]], n) for sizes, n in _sizes(outer, corners)])


def _sizes(points: np.ndarray, corners: np.ndarray) -> list[tuple[np.ndarray, int]]:
    """(number of parts of each triangle's edges, one such number) for every number there is."""
    sides = points[corners] - points[np.roll(corners, 1, axis=1)]
    sizes = np.ceil(np.linalg.norm(sides, axis=2).max(axis=1) / SPACING).astype(int).clip(1, 200)
    return [(sizes, int(n)) for n in np.unique(sizes)]


def _sampled(triangles: np.ndarray, n: int) -> np.ndarray:
    """Points of (k, 3, 3) triangles on a grid of n parts."""
    i, j = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    inside = i + j <= n
    weights = np.stack([i[inside], j[inside], n - i[inside] - j[inside]], axis=1) / n
    return np.einsum("wc,tcx->twx", weights, triangles).reshape(-1, 3)


def wrap_around_distance(skin: np.ndarray, place: np.ndarray) -> float:
    """Metres of tape from the ground, below the foremost point of the outline, to a place of the surface.

    skin: (n, 3) points, x forward, z up from the ground. place: (3,) in the same frame. NaN where nothing of the
    vehicle is in its plane.
    """
    outline = skin[np.abs(skin[:, 1] - place[1]) <= SLAB][:, [0, 2]]
    if not len(outline):
        return float("nan")
    foremost = max(float(outline[:, 0].max()), float(place[0]))
    before = outline[outline[:, 0] > place[0]]
    tape = _taut(before, foremost, place)
    if tape[:, 1].max() > place[2] + OVERHANG:
        tape = _taut(before[before[:, 1] < place[2]], foremost, place)
    return float(np.linalg.norm(np.diff(tape, axis=0), axis=1).sum())


def _taut(outline: np.ndarray, foremost: float, place: np.ndarray) -> np.ndarray:
    """(k, 2) corners of a tape pulled over points from the ground at `foremost` to a place behind all of them."""
    ends = np.array([[foremost, 0.0], [place[0], place[2]]])
    points = np.concatenate([ends[:1], outline[np.lexsort((outline[:, 1], -outline[:, 0]))], ends[1:]])
    tape: list[np.ndarray] = []
    for point in points:
        while len(tape) > 1 and _is_below(tape[-2], tape[-1], point):
            tape.pop()
        tape.append(point)
    return np.array(tape)


def _is_below(first: np.ndarray, middle: np.ndarray, last: np.ndarray) -> bool:
    """Whether a point lies below, or on, the way from one before it to one behind it."""
    along, further = first[0] - middle[0], first[0] - last[0]
    return bool((middle[1] - first[1]) * further - (last[1] - first[1]) * along <= 0.0)
