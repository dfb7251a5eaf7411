"""Shortest paths round a surface, in the surface's own axes: closed forms for the sphere and the cylinder.

Every function answers (arc length, first tangent point, second tangent point); an arc below zero says that the straight
line is free. Both tangent points run into the touching point as the arc goes to zero, so length and directions are
continuous through the change. A point inside a surface shrinks it to pass just under that point.

The wrapped length is R (Theta - arccos(R/d_O) - arccos(R/d_I)) plus the straight pieces, wrapped while the bracket is
positive (docs/derivations.md, Wrapping).
"""

from math import acos, atan2, pi, sqrt

from ..jit.decorators import compiled
from ..maths.vector import add, dot, norm, orthogonal, scale, sub
from .arrays import CYLINDER, ELLIPSOID
from .geodesic import round_ellipsoid

INSIDE = 1.0 - 1e-9
"""Share of a point's distance that the surface is shrunk to where the point lies inside it."""
FREE = -1.0


@compiled
def round_circle(ax, ay, bx, by, radius, side_x, side_y):
    """Shortest way from a to b round a circle at the origin, in the plane.

    (arc, t1x, t1y, t2x, t2y, straight length before, after). `side` (zeros: none) is where the path must pass.
    """
    da = sqrt(ax * ax + ay * ay)
    db = sqrt(bx * bx + by * by)
    r = min(radius, INSIDE * min(da, db))
    if r <= 0.0:
        return FREE, ax, ay, bx, by, 0.0, 0.0
    turn = ax * by - ay * bx
    angle = atan2(abs(turn), ax * bx + ay * by)
    way = 1.0 if turn >= 0.0 else -1.0
    if side_x * (ax / da + bx / db) + side_y * (ay / da + by / db) < 0.0:
        angle = 2.0 * pi - angle
        way = -way
    arc = angle - acos(r / da) - acos(r / db)
    if arc <= 0.0:
        return FREE, ax, ay, bx, by, 0.0, 0.0
    before = sqrt(da * da - r * r)
    after = sqrt(db * db - r * r)
    # a turned by arccos(r / da) and shortened to r; b the other way round
    k = r / (da * da)
    t1x, t1y = k * (r * ax - way * before * ay), k * (r * ay + way * before * ax)
    k = r / (db * db)
    t2x, t2y = k * (r * bx + way * after * by), k * (r * by - way * after * bx)
    return r * arc, t1x, t1y, t2x, t2y, before, after


@compiled
def round_cylinder(a, b, radius, half_length, side):
    """Cylinder along z: in the unrolled surface the path is one straight line, so z runs evenly along it."""
    arc, t1x, t1y, t2x, t2y, before, after = round_circle(a[0], a[1], b[0], b[1], radius, side[0], side[1])
    if arc < 0.0:
        return FREE, a, b
    flat = before + arc + after
    climb = (b[2] - a[2]) / flat
    z1 = a[2] + climb * before
    z2 = b[2] - climb * after
    if min(z1, z2) > half_length or max(z1, z2) < -half_length:
        return FREE, a, b
    return arc * sqrt(1.0 + climb * climb), (t1x, t1y, z1), (t2x, t2y, z2)


@compiled
def round_sphere(a, b, radius, side):
    """Sphere: a great circle in the plane of both points and the centre."""
    da = norm(a)
    if da <= 0.0:
        return FREE, a, b
    e1 = scale(1.0 / da, a)
    across = sub(b, scale(dot(b, e1), e1))
    size = norm(across)
    if size < 1e-12 * da:
        across = sub(side, scale(dot(side, e1), e1))  # points and centre in line: any plane will do
        size = norm(across)
        if size < 1e-12:
            across = orthogonal(e1)
            size = norm(across)
    e2 = scale(1.0 / size, across)
    arc, t1x, t1y, t2x, t2y, _, _ = round_circle(
        da, 0.0, dot(b, e1), dot(b, e2), radius, dot(side, e1), dot(side, e2)
    )
    if arc < 0.0:
        return FREE, a, b
    return (
        arc,
        add(scale(t1x, e1), scale(t1y, e2)),
        add(scale(t2x, e1), scale(t2y, e2)),
    )


@compiled
def round_surface(shape, a, b, size, side, warm):
    """Any surface. size (3,) as in `Muscles.surface_size`; warm (5,) is where an ellipsoid keeps its last solution."""
    if shape == CYLINDER:
        return round_cylinder(a, b, size[0], size[1], side)
    if shape != ELLIPSOID:
        return round_sphere(a, b, size[0], side)
    # in axes divided by the semi-axes the ellipsoid is a unit sphere: whether the line is free shows there
    p = (a[0] / size[0], a[1] / size[1], a[2] / size[2])
    q = (b[0] / size[0], b[1] / size[1], b[2] / size[2])
    along = (side[0] * size[0], side[1] * size[1], side[2] * size[2])
    arc, t1, t2 = round_sphere(p, q, 1.0, along)
    if arc < 0.0:
        warm[2] = 0.0
        return FREE, a, b
    if dot(p, p) <= 1.0 or dot(q, q) <= 1.0:
        warm[2] = 0.0
        return shrunk_ellipsoid(t1, t2, size)
    return round_ellipsoid(a, b, p, t1, t2, arc, size, warm)


@compiled
def shrunk_ellipsoid(t1, t2, size):
    """A point lies inside the ellipsoid: the chord of the plane section that passes just under it."""
    first = (t1[0] * size[0], t1[1] * size[1], t1[2] * size[2])
    last = (t2[0] * size[0], t2[1] * size[1], t2[2] * size[2])
    return norm(sub(last, first)), first, last
