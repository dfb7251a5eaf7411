"""Geodesics on an ellipsoid, and the path of shortest length between two points outside it.

The path leaves a along a tangent, follows a geodesic and leaves it along a tangent to b. Unknown are the heading (which
of the tangents from a: they touch along a circle in the axes in which the ellipsoid is a unit sphere) and the length of
the geodesic. The line from its end to b must have no part along the normal and none across the geodesic. Two equations,
solved by Newton's method from the last solution, or from the plane section through the centre. (The conditions are
those of Scholz et al.: docs/derivations.md, Wrapping.)
"""

from math import cos, sin, sqrt

from ..jit.decorators import compiled, inlined
from ..maths.vector import add_scaled, cross, dot, norm, orthogonal, scale, sub

FEWEST, PER_SIZE, MOST = 4, 20.0, 96
"""Runge-Kutta steps of a geodesic: so many, and so many per length of the smallest semi-axis. The end of a geodesic is
then right to about 1e-7 of its length."""
NUDGE = 1e-6
MOST_ROUNDS = 12
CHORD_ROUNDS = 4
"""Rounds in which the derivative by the heading of the last solution still serves."""
CLOSE = 1e-9
"""Of the smallest semi-axis: distance by which the path may miss b; its length is then right to the square of that."""


@inlined
def bend(x, t, inverse):
    """x'' of a geodesic: along the normal g = x / a^2, so that the point stays on the surface. inverse: 1 / a^2."""
    g = (x[0] * inverse[0], x[1] * inverse[1], x[2] * inverse[2])
    curve = t[0] * t[0] * inverse[0] + t[1] * t[1] * inverse[1] + t[2] * t[2] * inverse[2]
    return scale(-curve / dot(g, g), g)


@inlined
def geodesic_step(x, t, h, inverse):
    """One Runge-Kutta step of length h, put back on the surface."""
    k1 = bend(x, t, inverse)
    t2 = add_scaled(t, 0.5 * h, k1)
    k2 = bend(add_scaled(x, 0.5 * h, t), t2, inverse)
    t3 = add_scaled(t, 0.5 * h, k2)
    k3 = bend(add_scaled(x, 0.5 * h, t2), t3, inverse)
    t4 = add_scaled(t, h, k3)
    k4 = bend(add_scaled(x, h, t3), t4, inverse)
    sixth = h / 6.0
    x = (
        x[0] + sixth * (t[0] + 2.0 * (t2[0] + t3[0]) + t4[0]),
        x[1] + sixth * (t[1] + 2.0 * (t2[1] + t3[1]) + t4[1]),
        x[2] + sixth * (t[2] + 2.0 * (t2[2] + t3[2]) + t4[2]),
    )
    t = (
        t[0] + sixth * (k1[0] + 2.0 * (k2[0] + k3[0]) + k4[0]),
        t[1] + sixth * (k1[1] + 2.0 * (k2[1] + k3[1]) + k4[1]),
        t[2] + sixth * (k1[2] + 2.0 * (k2[2] + k3[2]) + k4[2]),
    )
    level = x[0] * x[0] * inverse[0] + x[1] * x[1] * inverse[1] + x[2] * x[2] * inverse[2]
    x = scale(1.0 / sqrt(level), x)
    g = (x[0] * inverse[0], x[1] * inverse[1], x[2] * inverse[2])
    t = add_scaled(t, -dot(t, g) / dot(g, g), g)
    return x, scale(1.0 / norm(t), t)


@compiled
def follow_geodesic(x, t, length, inverse, steps):
    """(point, direction) after a length along the geodesic from x with unit direction t."""
    h = length / steps
    for _ in range(steps):
        x, t = geodesic_step(x, t, h, inverse)
    return x, t


@inlined
def miss(x, t, b, inverse):
    """How the line from the end of a geodesic to b leaves it: (along the normal, across), m."""
    g = (x[0] * inverse[0], x[1] * inverse[1], x[2] * inverse[2])
    n = scale(1.0 / norm(g), g)
    d = sub(b, x)
    return dot(d, n), dot(d, cross(n, t))


@compiled
def shoot(heading, length, a, centre, e1, e2, size, inverse, smallest):
    """(first point, last point, last direction) of the tangent from a with this heading and the geodesic after it.

    centre, e1, e2: the circle of tangent points in scaled axes.
    """
    c = cos(heading)
    s = sin(heading)
    first = (
        size[0] * (centre[0] + c * e1[0] + s * e2[0]),
        size[1] * (centre[1] + c * e1[1] + s * e2[1]),
        size[2] * (centre[2] + c * e1[2] + s * e2[2]),
    )
    t = sub(first, a)
    steps = min(MOST, FEWEST + int(PER_SIZE * length / smallest))
    x, t = follow_geodesic(first, scale(1.0 / norm(t), t), length, inverse, steps)
    return first, x, t


@compiled
def round_ellipsoid(a, b, p, t1, t2, arc, size, warm):
    """(arc length, tangent points) of the shortest path; p, t1, t2, arc: a and the solution on the scaled sphere.

    Where the search fails (a path that grazes both ends of a thin ellipsoid) the plane section is taken.
    """
    inverse = (1.0 / (size[0] * size[0]), 1.0 / (size[1] * size[1]), 1.0 / (size[2] * size[2]))
    square = dot(p, p)
    centre = scale(1.0 / square, p)
    e1 = sub(t1, centre)  # the heading of the plane section is zero
    e2 = scale(norm(e1) / sqrt(square), cross(p, scale(1.0 / norm(e1), e1)))
    smallest = min(size[0], min(size[1], size[2]))
    section = section_length(t1, t2, arc, size)
    for attempt in range(2):
        heading = 0.0
        length = section
        if attempt == 0:
            if warm[2] == 0.0:
                continue
            heading = float(warm[0])
            length = float(warm[1])
        j11 = float(warm[3])
        j21 = float(warm[4])
        for turn in range(MOST_ROUNDS):
            first, x, t = shoot(heading, length, a, centre, e1, e2, size, inverse, smallest)
            r1, r2 = miss(x, t, b, inverse)
            if abs(r1) + abs(r2) < CLOSE * smallest and length > 0.0:
                warm[0] = heading
                warm[1] = length
                warm[2] = 1.0
                warm[3] = j11
                warm[4] = j21
                return length, first, x
            if attempt == 1 or turn >= CHORD_ROUNDS:
                _, xh, th = shoot(heading + NUDGE, length, a, centre, e1, e2, size, inverse, smallest)
                h1, h2 = miss(xh, th, b, inverse)
                j11 = (h1 - r1) / NUDGE
                j21 = (h2 - r2) / NUDGE
            small = NUDGE * smallest
            xs, ts = geodesic_step(x, t, small, inverse)
            s1, s2 = miss(xs, ts, b, inverse)
            j12, j22 = (s1 - r1) / small, (s2 - r2) / small
            det = j11 * j22 - j12 * j21
            if det == 0.0:
                break
            heading -= min(0.5, max(-0.5, (r1 * j22 - r2 * j12) / det))
            length -= min(smallest, max(-smallest, (r2 * j11 - r1 * j21) / det))
            length = max(length, 0.0)
    warm[2] = 0.0
    first = (size[0] * t1[0], size[1] * t1[1], size[2] * t1[2])
    last = (size[0] * t2[0], size[1] * t2[1], size[2] * t2[2])
    return section, first, last


@compiled
def section_length(t1, t2, arc, size):
    """Length of the plane arc between two points of the unit sphere, `arc` apart on it, stretched by the semi-axes."""
    across = cross(cross(t1, t2), t1)
    if arc > 3.141592653589793:
        across = scale(-1.0, across)
    width = norm(across)
    across = orthogonal(t1) if width < 1e-12 else scale(1.0 / width, across)
    total = 0.0
    parts = 16
    h = arc / parts
    for i in range(parts):
        c = -sin((i + 0.5) * h)
        s = cos((i + 0.5) * h)
        total += h * norm(
            (
                size[0] * (c * t1[0] + s * across[0]),
                size[1] * (c * t1[1] + s * across[1]),
                size[2] * (c * t1[2] + s * across[2]),
            )
        )
    return total
