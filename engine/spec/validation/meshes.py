"""Checks on triangle meshes, wherever they come from."""

from typing import Any

import numpy as np

from .. import Obstacle
from ..rules import FARTHEST
from .issue import Issue, error


def mesh_fault(vertices: Any, triangles: Any) -> tuple[str, str] | None:
    """(what is wrong with a mesh, remedy) of (n, 3) vertices in metres and (m, 3) vertex indices; None if nothing."""
    try:
        points, corners = np.asarray(vertices, dtype=float), np.asarray(triangles)
    except (TypeError, ValueError, OverflowError):
        return "is not made of numbers", "Give (n, 3) vertices and (m, 3) triangles"
    if corners.ndim == 0 or len(corners) == 0:
        return "has no triangles", "Use a mesh with faces"
    if points.ndim != 2 or points.shape[1] != 3:
        return "has vertices that are not (n, 3) numbers", "Give three coordinates each"
    if corners.ndim != 2 or corners.shape[1] != 3:
        return "has triangles that are not (m, 3) numbers", "Triangulate the mesh"
    if not np.issubdtype(corners.dtype, np.integer):
        return "has triangles that are not whole numbers", "Give vertex indices"
    strays = ((corners < 0) | (corners >= len(points))).any(axis=1)
    if strays.any():
        number = int(np.flatnonzero(strays)[0])
        return f"has a triangle (number {number}) with a vertex that does not exist", "Correct the mesh"
    if not np.isfinite(points).all():
        bad = int(np.flatnonzero(~np.isfinite(points).all(axis=1))[0])
        return f"has a vertex (number {bad}) that is not finite", "Correct the mesh"
    farthest = float(np.abs(points).max())
    if farthest > FARTHEST:
        return f"has a vertex {farthest:g} m from its origin", f"Keep within {FARTHEST:g} m; check its scale"
    return None


def mesh_issues(place: str, obstacle: Obstacle) -> list[Issue]:
    """Of an obstacle that is a mesh."""
    if obstacle.vertices is None or obstacle.triangles is None:
        return [error(place, "its mesh has not been loaded", "Give vertices and triangles, or a mesh file")]
    fault = mesh_fault(obstacle.vertices, obstacle.triangles)
    return [error(place, f"its mesh {fault[0]}", fault[1])] if fault else []
