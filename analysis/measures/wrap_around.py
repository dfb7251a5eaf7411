"""Wrap-around distance: how far along a taut tape, from the ground below the bumper over the front, a place is.

Derivation: docs/derivations.md, Wrap-around distance.
"""

import math
from collections.abc import Sequence
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
    return skin_and_normals(mesh)[0]


def skin_and_normals(mesh: ContactMesh) -> tuple[np.ndarray, np.ndarray]:
    """The points of `skin_of`, and (n, 3) the outward normals of the triangles that they are of."""
    depth = () if mesh.depth is None else tuple(mesh.depth)
    return _skin(tuple(map(tuple, mesh.vertices)), tuple(map(tuple, mesh.triangles)), depth)


@lru_cache(maxsize=8)
def _skin(vertices: tuple, triangles: tuple, depth: tuple) -> tuple[np.ndarray, np.ndarray]:
    points, corners = np.array(vertices, dtype=float), np.array(triangles, dtype=int)
    faces = points[corners]
    areas = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    normals = np.zeros_like(points)
    for corner in range(3):
        np.add.at(normals, corners[:, corner], areas)
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-12)[:, None]
    outer = points + (np.array(depth, dtype=float) if depth else np.zeros(len(points)))[:, None] * normals
    facing = areas / np.maximum(np.linalg.norm(areas, axis=1), 1e-12)[:, None]
    parts = [(_sampled(outer[corners[s == n]], n), facing[s == n]) for s, n in _sizes(outer, corners)]
    return (
        np.concatenate([sampled.reshape(-1, 3) for sampled, _ in parts]),
        np.concatenate([np.repeat(own, sampled.shape[1], axis=0) for sampled, own in parts]),
    )


def _sizes(points: np.ndarray, corners: np.ndarray) -> list[tuple[np.ndarray, int]]:
    """(number of parts of each triangle's edges, one such number) for every number there is."""
    sides = points[corners] - points[np.roll(corners, 1, axis=1)]
    sizes = np.ceil(np.linalg.norm(sides, axis=2).max(axis=1) / SPACING).astype(int).clip(1, 200)
    return [(sizes, int(n)) for n in np.unique(sizes)]


def _sampled(triangles: np.ndarray, n: int) -> np.ndarray:
    """(k, m, 3) points of (k, 3, 3) triangles on a grid of n parts."""
    i, j = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    inside = i + j <= n
    weights = np.stack([i[inside], j[inside], n - i[inside] - j[inside]], axis=1) / n
    return np.einsum("wc,tcx->twx", weights, triangles)


def wrap_around_distance(skin: np.ndarray, place: np.ndarray) -> float:
    """Metres of tape from the ground, below the foremost point of the outline, to a place of the surface.

    skin: (n, 3) points, x forward, z up from the ground. place: (3,) in the same frame. NaN where nothing of the
    vehicle is in its plane.
    """
    outline = skin[np.abs(skin[:, 1] - place[1]) <= SLAB][:, [0, 2]]
    if not len(outline):
        return float("nan")
    foremost = max(float(outline[:, 0].max()), float(place[0]))
    before, end = outline[outline[:, 0] > place[0]], place[None, [0, 2]]
    length, highest = (found[-1] for found in _tapes(np.concatenate([_in_order(before), end]), foremost))
    if highest > place[2] + OVERHANG:
        below = _in_order(before[before[:, 1] < place[2]])
        length = _tapes(np.concatenate([below, end]), foremost)[0][-1]
    return float(length)


def _in_order(outline: np.ndarray) -> np.ndarray:
    """Points of an outline as a tape from the ground meets them: from the front back, at the same x from below."""
    return outline[np.lexsort((outline[:, 1], -outline[:, 0]))]


def _tapes(outline: np.ndarray, foremost: float) -> tuple[np.ndarray, np.ndarray]:
    """(n,) lengths of taut tapes from the ground at x = `foremost` to each of (n, 2) points in order, and (n,) the
    greatest height of each tape."""
    corners, lengths, heights = [(foremost, 0.0)], [0.0], [0.0]
    found = np.empty((2, len(outline)))
    for number, (x, z) in enumerate(outline.tolist()):
        while len(corners) > 1 and _is_below(corners[-2], corners[-1], (x, z)):
            corners.pop()
            lengths.pop()
            heights.pop()
        lengths.append(lengths[-1] + math.dist(corners[-1], (x, z)))
        heights.append(max(heights[-1], z))
        corners.append((x, z))
        found[:, number] = lengths[-1], heights[-1]
    return found[0], found[1]


def _is_below(first: tuple[float, float], middle: tuple[float, float], last: tuple[float, float]) -> bool:
    """Whether a point lies below, or on, the way from one before it to one behind it."""
    along, further = first[0] - middle[0], first[0] - last[0]
    return (middle[1] - first[1]) * further - (last[1] - first[1]) * along <= 0.0


def places_on_tape(
    mesh: ContactMesh, across: float, distances: Sequence[float]
) -> list[tuple[np.ndarray, np.ndarray] | None]:
    """(place, outward normal), each (3,), of the surface at y = `across` for each wrap-around distance, m.

    None where no place that looks up or forward is within half the spacing of the points of that distance.
    """
    skin, normals = skin_and_normals(mesh)
    chosen = np.abs(skin[:, 1] - across) <= SLAB
    skin, normals = skin[chosen], normals[chosen]
    if not len(skin):
        return [None] * len(distances)
    order = np.lexsort((skin[:, 2], -skin[:, 0]))
    skin, normals = skin[order], normals[order]
    lengths, highest = _tapes(skin[:, [0, 2]], float(skin[:, 0].max()))
    faces = (normals[:, 0] + normals[:, 2] > 0.3) & (normals[:, 2] > -0.1)
    good = faces & (np.abs(skin[:, 1] - across) <= SPACING / 2.0) & (highest <= skin[:, 2] + OVERHANG)
    off = np.where(good, np.abs(lengths - np.asarray(distances)[:, None]), np.inf)
    nearest = off.argmin(axis=1)
    return [
        (skin[k], normals[k]) if row[k] <= SPACING / 2.0 else None
        for k, row in zip(nearest, off, strict=True)
    ]
