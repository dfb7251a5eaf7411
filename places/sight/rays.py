"""Straight lines from an eye to points, and what they meet on the way. All in world coordinates, m."""

import numpy as np

NEAR = 1e-6
"""Share of a line that is left out at both ends: a point lies on its own surface."""
AT_ONCE = 2_000_000
"""Pairs of lines and triangles that are looked at together."""


def meets_ellipsoids(
    eye: np.ndarray, points: np.ndarray, centres: np.ndarray, shapes: np.ndarray
) -> np.ndarray:
    """(n, k) whether the line from the eye to each of (n, 3) points passes through each of k ellipsoids.

    centres (k, 3); shapes (k, 3, 3) take world vectors to those of the unit sphere.
    """
    start = np.einsum("kij,kj->ki", shapes, eye - centres)
    way = np.einsum("kij,nj->nki", shapes, points - eye)
    a = (way**2).sum(axis=-1)
    b = (way * start).sum(axis=-1)
    c = (start**2).sum(axis=-1) - 1.0
    root = b**2 - a * c
    far = np.sqrt(np.maximum(root, 0.0))
    first, last = (-b - far) / a, (-b + far) / a
    return (root > 0.0) & (first < 1.0 - NEAR) & (last > NEAR)


def meets_box(eye: np.ndarray, points: np.ndarray, half_size: np.ndarray) -> np.ndarray:
    """(n,) whether lines pass through a box about the origin, in whose axes eye and points are given."""
    way = points - eye
    way = np.where(np.abs(way) < 1e-12, 1e-12, way)
    one, two = (-half_size - eye) / way, (half_size - eye) / way
    enter, leave = np.minimum(one, two).max(axis=1), np.maximum(one, two).min(axis=1)
    return (enter < leave) & (enter < 1.0 - NEAR) & (leave > NEAR)


def meets_capsule(eye: np.ndarray, points: np.ndarray, radius: float, half_length: float) -> np.ndarray:
    """(n,) whether lines come nearer than the radius to the middle line of a capsule along z about the origin."""
    way, axis = points - eye, np.array([0.0, 0.0, 2.0 * half_length])
    start = eye - np.array([0.0, 0.0, -half_length])
    a, e = (way**2).sum(axis=1), max(float(axis @ axis), 1e-12)
    b, c, f = way @ axis, way @ start, float(axis @ start)
    s = np.clip((b * f - c * e) / np.maximum(a * e - b * b, 1e-12), 0.0, 1.0)
    t = np.clip((b * s + f) / e, 0.0, 1.0)
    s = np.clip((b * t - c) / a, 0.0, 1.0)
    apart = start + s[:, None] * way - t[:, None] * axis
    return (apart**2).sum(axis=1) < radius**2


def meets_plane(eye: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(n,) whether lines cross the plane z = 0 of the axes they are given in."""
    return (eye[2] > NEAR) & (points[:, 2] < -NEAR) | (eye[2] < -NEAR) & (points[:, 2] > NEAR)


def meets_triangles(eye: np.ndarray, points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """(n,) whether lines cross any of (m, 3, 3) triangles, from either side (Moeller and Trumbore 1997)."""
    hit = np.zeros(len(points), dtype=bool)
    edge_1, edge_2 = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    start = eye - corners[:, 0]
    cross = np.cross(start, edge_1)
    reach = (edge_2 * cross).sum(axis=1)
    step = max(1, AT_ONCE // max(1, len(corners)))
    for begin in range(0, len(points), step):
        way = points[begin : begin + step] - eye
        normal = np.cross(way[:, None], edge_2)
        size = (edge_1 * normal).sum(axis=-1)
        with np.errstate(divide="ignore", invalid="ignore"):
            u = (start * normal).sum(axis=-1) / size
            v = (way @ cross.T) / size
            t = reach / size
        inside = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (t > NEAR) & (t < 1.0 - NEAR)
        hit[begin : begin + step] = inside.any(axis=1)
    return hit
