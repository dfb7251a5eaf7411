"""Mass, centre of mass and inertia of a body from a density and its ellipsoids, or from a closed mesh."""

import numpy as np

from ...engine.spec import Body, Ellipsoid
from ..parts.rigid import Piece, inertia_six, join, solid_ellipsoid
from .errors import EditError


def ellipsoid_piece(ellipsoid: Ellipsoid, density: float) -> Piece:
    """Solid ellipsoid in the body frame: mass 4/3 pi a b c density."""
    a, b, c = (float(s) for s in ellipsoid.semi_axes)
    upright = solid_ellipsoid(4.0 / 3.0 * np.pi * a * b * c * density, ellipsoid.position, (a, b, c))
    turn = np.array(ellipsoid.orientation, dtype=float)
    return Piece(upright.mass, upright.centre, turn @ upright.inertia @ turn.T)


def ellipsoids_piece(body: Body, density: float) -> Piece:
    """All ellipsoids of a body together; where they overlap, mass counts twice."""
    if not body.ellipsoids:
        raise EditError(f"body '{body.name}' has no ellipsoid: add one, or use a mesh")
    return join([ellipsoid_piece(ellipsoid, density) for ellipsoid in body.ellipsoids])


def mesh_piece(vertices: np.ndarray, triangles: np.ndarray, density: float, name: str = "mesh") -> Piece:
    """Homogeneous solid inside a closed mesh: vertices (n, 3) in metres, triangles (m, 3) facing outward.

    Sum over the tetrahedra of the origin and each face. With corners a, b, c and volume V = a.(b x c) / 6 the second
    moment of a tetrahedron is V/20 (sum of v v' over its four corners + s s'), s the sum of its corners.
    """
    require_closed(triangles, name)
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    volumes = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
    volume = volumes.sum()
    if volume <= 0.0:
        raise EditError(f"'{name}' encloses no volume: recalculate its normals to the outside (Shift N)")
    corner_sum = a + b + c
    centre = (volumes[:, None] * corner_sum).sum(axis=0) / (4.0 * volume)
    second = sum(np.einsum("i,ij,ik->jk", volumes, v, v) for v in (a, b, c, corner_sum)) / 20.0
    second = density * (second - volume * np.outer(centre, centre))
    return Piece(density * volume, centre, np.trace(second) * np.identity(3) - second)


def require_closed(triangles: np.ndarray, name: str) -> None:
    """Refuse a mesh with an edge that has not exactly one face on either side."""
    edges = np.vstack([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    forward = {tuple(edge) for edge in edges.tolist()}
    if len(forward) < len(edges) or any((b, a) not in forward for a, b in forward):
        raise EditError(
            f"'{name}' is not closed, or its faces do not all look outward: fill holes, merge by distance"
        )


def set_mass_properties(body: Body, piece: Piece) -> None:
    """Give a body the mass properties of a piece in its frame."""
    body.mass = float(piece.mass)
    body.center_of_mass = tuple(float(x) + 0.0 for x in piece.centre)
    body.inertia = tuple(float(x) + 0.0 for x in inertia_six(piece.inertia))
