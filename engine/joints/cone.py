"""Cone of feasible motion of a ball joint, after Ambrosio (docs/derivations.md, Cone of motion).

The limb axis u has latitude beta (angle from the cone axis) and longitude theta. Feasible is beta <= limit(theta), a
closed cubic spline through four quadrant angles. The excess g = beta - limit presses with the torque

    m_p (3 x^2 - 2 x^3),  x = g / width,  for 0 <= x <= 1;      m_p x beyond

(the polynomial itself falls again past x = 1; the straight continuation at the secant stiffness m_p / width keeps a
limb from escaping). As printed in the paper the torque drives the limb outward, is not of unit direction and, because
the limit depends on the longitude, is no gradient. Here it is -dV/d(rotation) of V = integral of the torque over g.

Two departures, both so that V is smooth: the knot slopes of the spline are bounded so that it neither over- nor
undershoots its quadrant angles (Fritsch-Carlson; the hip of table 2 would dip to 5.4 degrees), and behind 150 degrees
of latitude the limit blends into its largest value, so that it has one value at the far pole, where all longitudes
meet.
"""

from math import atan2, floor, pi, sqrt

import numpy as np

from ..bodies.workspace import LIMITS
from ..jit.decorators import compiled
from ..maths.vector import cross, dot, load3, load9, mat_t_vec, mat_vec, norm, orthogonal, quat_matrix
from .rows import add_along, add_torque, push_back

QUARTER = 0.5 * pi
BLEND_START = 150.0 * pi / 180.0
TWIST_FADE = 0.067
"""cos^2(75 degrees): past a swing of 150 degrees the twist limit fades, as a turn of 180 has no definite twist."""


def spline_slopes(angles: np.ndarray) -> np.ndarray:
    """(4,) knot slopes of the periodic cubic spline through (4,) values at equal quarter turns.

    m[i-1] + 4 m[i] + m[i+1] = 3 (y[i+1] - y[i-1]) / h; the right side changes sign from i to i + 2, so do the slopes,
    the neighbours cancel and m[i] = 3 (y[i+1] - y[i-1]) / (4 h).
    """
    return 0.75 * (np.roll(angles, -1) - np.roll(angles, 1)) / QUARTER


def bounded_slopes(angles: np.ndarray) -> np.ndarray:
    """(4,) spline slopes cut back so that each segment is monotone: zero at a turn, at most 3 times either secant.

    Fritsch and Carlson 1980. Where the spline does not overshoot they are its own.
    """
    slopes = spline_slopes(angles)
    ahead = (np.roll(angles, -1) - angles) / QUARTER
    behind = np.roll(ahead, 1)
    bound = np.where(ahead * behind > 0.0, 3.0 * np.minimum(np.abs(ahead), np.abs(behind)), 0.0)
    return np.clip(slopes, -bound, bound)


@compiled
def cone_limit(angles, slopes, c, theta):
    """(largest latitude, its derivative) at longitude theta (rad) from row c of the knot values and slopes."""
    turns = theta / QUARTER
    whole = floor(turns)
    s = turns - whole
    k = int(whole) % 4
    n = (k + 1) % 4
    y0 = float(angles[c, k])
    y1 = float(angles[c, n])
    m0 = QUARTER * float(slopes[c, k])
    m1 = QUARTER * float(slopes[c, n])
    c2 = 3.0 * (y1 - y0) - 2.0 * m0 - m1
    c3 = 2.0 * (y0 - y1) + m0 + m1
    return y0 + s * (m0 + s * (c2 + s * c3)), (m0 + s * (2.0 * c2 + 3.0 * s * c3)) / QUARTER


@compiled
def penalty(x):
    """(share of the full torque, its derivative) at x widths past the limit."""
    if x <= 0.0:
        return 0.0, 0.0
    if x >= 1.0:
        return x, 1.0
    return x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x)


@compiled
def smooth_step(s):
    """(value, derivative) of the cubic 3 s^2 - 2 s^3 that rises from 0 to 1, held outside 0..1."""
    if s <= 0.0:
        return 0.0, 0.0
    if s >= 1.0:
        return 1.0, 0.0
    return s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s)


@compiled
def cone_excess(cones, c, q):
    """(g, a, beta): latitude past the limit (rad, negative inside), its direction in child axes (g_dot = a . omega),
    and the latitude."""
    rotation = quat_matrix(q)
    # limb axis in the cone frame (longitude 0, longitude 90, cone axis)
    x, y, z = mat_vec(load9(cones.frame, c), mat_vec(rotation, load3(cones.limb, c)))
    ring = sqrt(x * x + y * y)
    beta = atan2(ring, z)
    theta = atan2(y, x)
    limit, slope = cone_limit(cones.angles, cones.slopes, c, theta)
    if beta > BLEND_START:
        share, share_slope = smooth_step((beta - BLEND_START) / (pi - BLEND_START))
        largest = max(
            max(float(cones.angles[c, 0]), float(cones.angles[c, 1])),
            max(float(cones.angles[c, 2]), float(cones.angles[c, 3])),
        )
        by_beta = 1.0 - share_slope / (pi - BLEND_START) * (largest - limit)
        by_theta = -(1.0 - share) * slope
        limit += share * (largest - limit)
    else:
        by_beta = 1.0
        by_theta = -slope
    # u turns by omega x u: beta grows about the axis (cone axis x u) / sin(beta), theta about the cone axis less its
    # part along u. Longitude counts for nothing at the poles, where its circle has no length.
    if ring > 1e-9:
        about_ring = (-y / ring, x / ring, 0.0)
        k = by_theta / (ring * ring)
        about_axis = (-k * x * z, -k * y * z, k * ring * ring)
    else:
        about_ring = orthogonal((0.0, 0.0, 1.0))
        about_axis = (0.0, 0.0, 0.0)
    in_cone_frame = (
        by_beta * about_ring[0] + about_axis[0],
        by_beta * about_ring[1] + about_axis[1],
        about_axis[2],
    )
    in_parent = mat_t_vec(load9(cones.frame, c), in_cone_frame)
    return beta - limit, mat_t_vec(rotation, in_parent), beta


@compiled
def nearest_limit(angles, c):
    """Least latitude (rad) at which a cone limits any longitude: its spline stays between the quadrant angles."""
    return min(min(float(angles[c, 0]), float(angles[c, 1])), min(float(angles[c, 2]), float(angles[c, 3])))


@compiled
def add_cone(cones, i, q, omega, h, hold, torque, impedance, active):
    """Add the torque of joint i's cone of feasible motion, times `hold`, to category LIMITS.

    Near the cone axis the longitude runs round within a step, so that the rate of the excess says nothing of where the
    limb will be at its end; but in a step it turns by no more than h |omega|, and as long as this does not bring it to
    the nearest limit there is no torque.
    """
    c = cones.row[i]
    excess, a, latitude = cone_excess(cones, c, q)
    if latitude + h * norm(omega) <= nearest_limit(cones.angles, c):
        return
    rate = dot(a, omega)
    width = float(cones.gains[c, 0])
    full = hold * float(cones.gains[c, 1])
    share, slope = penalty((excess + h * rate) / width)
    if share > 0.0:
        force, gain = push_back(full * share, full * slope / width, hold * float(cones.gains[c, 2]), rate, h)
        add_along(torque, impedance, active, i, LIMITS, a, force, gain)


@compiled
def twist_direction(q, axis):
    """(w, p, c, a, b) of the turn about the limb axis (unit, child frame) in q = swing * twist.

    w and p = v . axis are the twist quaternion before it is made unit, so the twist angle is 2 atan2(p, w);
    c = w^2 + p^2 = cos^2(swing / 2). With q_dot = q (0, omega) / 2: a is the direction of the twist angle times c, and
    b that of c itself. a / c grows like tan(swing / 2), so the caller fades the twist limit out towards a swing of
    180.
    """
    w = q[0]
    v = (q[1], q[2], q[3])
    p = dot(v, axis)
    side = cross(axis, v)
    a = (
        w * w * axis[0] + w * side[0] + p * v[0],
        w * w * axis[1] + w * side[1] + p * v[1],
        w * w * axis[2] + w * side[2] + p * v[2],
    )
    b = (
        w * (p * axis[0] - v[0]) + p * side[0],
        w * (p * axis[1] - v[1]) + p * side[1],
        w * (p * axis[2] - v[2]) + p * side[2],
    )
    return w, p, w * w + p * p, a, b


@compiled
def add_twist(cones, i, q, omega, h, hold, torque, impedance, active):
    """Add the torque that limits joint i's turn about the limb axis: V = fade(swing) k/2 violation^2, times `hold`."""
    c = cones.row[i]
    if float(cones.twist[c, 2]) <= 0.0:
        return
    w, p, cos2, a_cos2, by_cos2 = twist_direction(q, load3(cones.limb, c))
    if cos2 < 1e-12:
        return
    k = 1.0 / cos2
    a = (k * a_cos2[0], k * a_cos2[1], k * a_cos2[2])
    angle = 2.0 * atan2(p, w)
    rate = dot(a, omega)
    ahead = angle + h * rate
    sign = 1.0
    excess = ahead - float(cones.twist[c, 1])
    if ahead < float(cones.twist[c, 0]):
        sign = -1.0
        excess = float(cones.twist[c, 0]) - ahead
    if excess <= 0.0:
        return
    fade, fade_slope = smooth_step(cos2 / TWIST_FADE)
    stiffness = hold * fade * float(cones.twist[c, 2])
    damping = hold * fade * float(cones.twist[c, 3])
    force, gain = push_back(stiffness * excess, stiffness, damping, sign * rate, h)
    add_along(torque, impedance, active, i, LIMITS, a, sign * force, gain)
    if fade_slope > 0.0:
        turn = -0.5 * hold * float(cones.twist[c, 2]) * excess * excess * fade_slope / TWIST_FADE
        add_torque(
            torque, impedance, active, i, LIMITS, (turn * by_cos2[0], turn * by_cos2[1], turn * by_cos2[2])
        )
