"""Ellipsoid against a rounded box: the box of half sizes h with a ball of radius r added, in the box's own frame.

A box is r = 0, a capsule along z is h = (0, 0, l). As for two ellipsoids (see `ellipsoid_pair`), the gap is the largest

    s(n) = n.c - sqrt(n.A n) - sum h_i |n_i| - r      over the unit directions n.

The box terms have a ridge at n_i = 0, and that is where the maximum sits in a face contact (two components zero) or an
edge contact (one); in a vertex contact none is zero. The climb holds a component at zero while the support point lies
within the box along that axis, lets go of it when the point leaves, and stops a Newton step at the first ridge it
crosses. So faces, edges and vertices join continuously, without cases.
"""

from math import sqrt

from ...jit.decorators import compiled
from ...maths.vector import add_scaled, dot, norm, normalized, scale, sub, sym_vec
from .ellipsoid_pair import (
    LAST_STEP,
    MAX_CLIMB,
    SWITCH_RATIO,
    TINY,
    adjugate,
    ascent_step,
    chord,
    contact_status,
    curvature_radii,
    minor_axis,
)

_THIRD = 0.5773502691896258
_DIAGONALS = (
    (_THIRD, _THIRD, _THIRD),
    (-_THIRD, _THIRD, _THIRD),
    (_THIRD, -_THIRD, _THIRD),
    (_THIRD, _THIRD, -_THIRD),
)


@compiled
def ellipsoid_rounded_box(c, A, h, r, previous, exit_gap):
    """Gap (m), unit normal from the box into the ellipsoid, ellipsoid support point and status; box frame.

    `previous`, `exit_gap`, the status and the choice among several maxima are those of `ellipsoid_pair`.
    """
    is_new = previous[0] == 0.0 and previous[1] == 0.0 and previous[2] == 0.0
    start = _first_direction(c, A, h, r) if is_new else _on_ridges(previous, h)
    gap, n = _climb(start, c, A, h, r, exit_gap)
    if gap < 0.0 and (is_new or -2.0 * gap > chord(n, A) + _box_chord(n, h) + 2.0 * r):
        best, n_best = _search(c, A, h, r, gap, n, exit_gap)
        if is_new or best > SWITCH_RATIO * gap:
            gap = best
            n = n_best
    a_n = sym_vec(A, n)
    point = add_scaled(c, -1.0 / sqrt(max(dot(n, a_n), TINY)), a_n)
    return gap, n, point, contact_status(gap, exit_gap, n, previous)


@compiled
def _on_ridges(n, h):
    """n with components that are zero but for round-off (a change of frame) put back on their ridge."""
    return (
        0.0 if h[0] > 0.0 and abs(n[0]) < 1e-9 else n[0],
        0.0 if h[1] > 0.0 and abs(n[1]) < 1e-9 else n[1],
        0.0 if h[2] > 0.0 and abs(n[2]) < 1e-9 else n[2],
    )


@compiled
def _separation(n, c, A, h, r):
    """s(n) of the module's text."""
    return dot(n, c) - sqrt(max(dot(n, sym_vec(A, n)), TINY)) - _box_support(n, h) - r


@compiled
def _box_support(n, h):
    """Largest n.y over the box."""
    return h[0] * abs(n[0]) + h[1] * abs(n[1]) + h[2] * abs(n[2])


@compiled
def _climb(n, c, A, h, r, exit_gap):
    """Nearest maximum of s uphill from the unit direction n: (s, n). Every accepted step raises s."""
    size = sqrt(A[0] + A[1] + A[2]) + h[0] + h[1] + h[2] + r + norm(c)
    a_n = sym_vec(A, n)
    alpha = sqrt(max(dot(n, a_n), TINY))
    s = dot(n, c) - alpha - _box_support(n, h) - r
    reach = 1.0
    for _ in range(MAX_CLIMB):
        if s > exit_gap:
            break
        u = scale(1.0 / alpha, a_n)
        t, is_newton = _ridge_step(n, sub(c, u), A, u, alpha, h, s + r, size, reach)
        fraction = _ridge_fraction(n, t, h)
        trial = normalized(_stopped(n, t, h, fraction))
        a_n = sym_vec(A, trial)
        trial_alpha = sqrt(max(dot(trial, a_n), TINY))
        trial_s = dot(trial, c) - trial_alpha - _box_support(trial, h) - r
        square = fraction * fraction * dot(t, t)
        is_last = square < LAST_STEP * LAST_STEP and is_newton and fraction == 1.0
        if trial_s > s or is_last:
            n = trial
            alpha = trial_alpha
            s = trial_s
            if not is_newton:
                reach = min(1.0, 2.0 * max(reach, sqrt(square)))
        else:
            a_n = scale(alpha, u)
            reach = 0.25 * sqrt(square)
            is_last = square < 1e-18
        if is_last:
            break
    return s, n


@compiled
def _ridge_step(n, point, A, u, alpha, h, s, size, reach):
    """Step in the tangent plane that keeps held components at zero, and whether it is a plain Newton step.

    `point` = c - u is the ellipsoid's support point; s here is n.(point - b), without the radius, b being the support
    point of the box. A component that is let go rises on the side of the support point: where the full Newton step
    would push it over the ridge instead, s falls, and the shortened step is closer to the gradient, which does not.
    """
    b0, held0 = _box_point(n[0], point[0], h[0])
    b1, held1 = _box_point(n[1], point[1], h[1])
    b2, held2 = _box_point(n[2], point[2], h[2])
    g = add_scaled(sub(point, (b0, b1, b2)), -s, n)
    if held0 + held1 + held2 >= 2:
        return (0.0, 0.0, 0.0), True
    if held0 + held1 + held2 == 1:
        return _edge_step(n, g, held0, held1, A, u, alpha, s, size, reach)
    return ascent_step(g, curvature_radii(A, u, alpha), s, size, reach)


@compiled
def _box_point(n_i, point_i, h_i):
    """One coordinate of the box's support point, and 1 if n_i is to be held at zero."""
    if n_i > 0.0 or (n_i == 0.0 and point_i > h_i):
        return h_i, 0
    if n_i < 0.0 or point_i < -h_i:
        return -h_i, 0
    return point_i, 1 if h_i > 0.0 else 0


@compiled
def _edge_step(n, g, held0, held1, A, u, alpha, s, size, reach):
    """Newton step at right angles to n and to the one held axis: a single direction is left."""
    if held0 == 1:
        axis = (1.0, 0.0, 0.0)
        along = (0.0, -n[2], n[1])
    elif held1 == 1:
        axis = (0.0, 1.0, 0.0)
        along = (n[2], 0.0, -n[0])
    else:
        axis = (0.0, 0.0, 1.0)
        along = (-n[1], n[0], 0.0)
    S = curvature_radii(A, u, alpha)
    bend = dot(along, sym_vec(S, along))
    stiff = bend + size  # any curvature above `bend` in the held direction, where the gradient is zero
    restricted = (
        bend * along[0] * along[0] + stiff * axis[0],
        bend * along[1] * along[1] + stiff * axis[1],
        bend * along[2] * along[2] + stiff * axis[2],
        bend * along[0] * along[1],
        bend * along[0] * along[2],
        bend * along[1] * along[2],
    )
    return ascent_step(scale(dot(g, along), along), restricted, s, size, reach)


@compiled
def _ridge_fraction(n, t, h):
    """Largest part of the step t, up to 1, that crosses no ridge."""
    fraction = 1.0
    for i in range(3):
        if h[i] > 0.0 and n[i] * (n[i] + t[i]) < 0.0:
            fraction = min(fraction, n[i] / -t[i])
    return fraction


@compiled
def _stopped(n, t, h, fraction):
    """n + fraction t, with exact zeros for the components that reached their ridge."""
    return (
        _stopped_component(n[0], t[0], h[0], fraction),
        _stopped_component(n[1], t[1], h[1], fraction),
        _stopped_component(n[2], t[2], h[2], fraction),
    )


@compiled
def _stopped_component(n_i, t_i, h_i, fraction):
    """One component of n + fraction t; what is within round-off of its ridge is put on it."""
    value = n_i + fraction * t_i
    if h_i > 0.0 and n_i != 0.0 and abs(value) <= 1e-15:
        return 0.0
    return value


@compiled
def _box_chord(n, h):
    """Length of the chord of the box along -n from its support point of n (whose free coordinates do not matter)."""
    length = 1e300
    for i in range(3):
        if abs(n[i]) > 1e-12:
            length = min(length, 2.0 * h[i] / abs(n[i]))
    return length


@compiled
def _face_direction(i, c):
    """Axis i, on the side of the ellipsoid's centre."""
    side = -1.0 if c[i] < 0.0 else 1.0
    if i == 0:
        return (side, 0.0, 0.0)
    if i == 1:
        return (0.0, side, 0.0)
    return (0.0, 0.0, side)


@compiled
def _first_direction(c, A, h, r):
    """Best of the three faces towards the centre and the direction from the nearest point of the box."""
    n = (1.0, 0.0, 0.0)
    s = -1e300
    for i in range(4):
        trial = _face_direction(i, c) if i < 3 else _outward_direction(c, A, h, r)
        value = _separation(trial, c, A, h, r)
        if value > s:
            s = value
            n = trial
    return n


@compiled
def _outward_direction(c, A, h, r):
    """(A + r^2)^-1 (c - y), y being the point of the box nearest to c; the x axis when c is inside."""
    away = (
        c[0] - min(max(c[0], -h[0]), h[0]),
        c[1] - min(max(c[1], -h[1]), h[1]),
        c[2] - min(max(c[2], -h[2]), h[2]),
    )
    rr = r * r
    n = sym_vec(adjugate((A[0] + rr, A[1] + rr, A[2] + rr, A[3], A[4], A[5])), away)
    length = norm(n)
    if length < TINY:
        return (1.0, 0.0, 0.0)
    return scale(1.0 / length, n)


@compiled
def _search(c, A, h, r, s, n, exit_gap):
    """Global maximum of s, given one maximum (s, n): (s, n).

    Starts: the faces, the ellipsoid's shortest axis, the outward direction and the diagonals, each on the side of the
    centre, as s(-n) = s(n) - 2 n.c. Ends early above exit_gap.
    """
    for i in range(9):
        if s > exit_gap:
            break
        if i < 3:
            start = _face_direction(i, c)
        elif i == 3:
            start = minor_axis(A)
        elif i == 4:
            start = _outward_direction(c, A, h, r)
        else:
            start = _DIAGONALS[i - 5]
        if dot(start, c) < 0.0:
            start = scale(-1.0, start)
        trial, n_trial = _climb(start, c, A, h, r, exit_gap)
        if trial > s + 1e-12:
            s = trial
            n = n_trial
    return s, n
