"""Ellipsoid against a plane.

An ellipsoid is its centre c and the symmetric matrix A = R diag(a^2) R^T (xx, yy, zz, xy, xz, yz) in m^2, whose point
farthest in a direction n is c + A n / sqrt(n.A n).
"""

from math import sqrt

from ...jit.decorators import compiled
from ...maths.vector import add_scaled, dot, sub, sym_vec


@compiled
def ellipsoid_plane(c, A, origin, normal):
    """Gap and contact point of an ellipsoid over the plane through `origin` with the unit `normal`.

    All in one frame, metres. The gap is negative when they overlap; the point is the ellipsoid's support point
    c - A n / sqrt(n.A n), not the one under its centre (docs/derivations.md, Support
    points). The contact normal is the plane's.
    """
    a_n = sym_vec(A, normal)
    half_width = sqrt(dot(normal, a_n))
    gap = dot(normal, sub(c, origin)) - half_width
    return gap, add_scaled(c, -1.0 / half_width, a_n)
