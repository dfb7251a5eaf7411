"""Ellipsoid against ellipsoid: true closest points, or the deepest penetration.

Both are one problem (docs/derivations.md, Ellipsoid pairs). With d = c_a - c_b and a unit direction n, the separation

    s(n) = n.d - sqrt(n.A n) - sqrt(n.B n)

is the gap between the two supporting planes at right angles to n. Its maximum over the unit sphere is the gap of the
ellipsoids: their distance when positive, minus the smallest shift that parts them when negative (separating-axis
theorem; the distance of d from the boundary of the Minkowski sum). There the support points face each other along n.

The climb is Newton's on the sphere. With u = A n / sqrt(n.A n) and w likewise for B, the gradient in the tangent
plane is g = d - u - w - s n, and minus the Hessian there is S + s, where

    S = (A - u u^T) / sqrt(n.A n) + (B - w w^T) / sqrt(n.B n)

holds the summed radii of curvature and S n = 0. So (S + sigma)^-1 g follows from the trace and second invariant of S by
the Cayley-Hamilton theorem, without a tangent basis. While s > 0, s is concave and the maximum is unique. While s < 0
there can be several (through a bonnet: up and down); `ellipsoid_pair` says which one is kept.
"""

from math import sqrt

from ...jit.decorators import compiled
from ...maths.vector import add, add_scaled, cross, dot, norm, normalized, scale, sub, sym_add, sym_vec

TINY = 1e-280
"""Keeps divisions finite for flat or vanishing ellipsoids."""
LAST_STEP = 1e-5
"""A Newton step (rad) this small is the last: what remains is its square."""
MAX_CLIMB = 60
SWITCH_RATIO = 0.5
"""A tracked contact yields to another direction only when that one is this much less deep."""

SEPARATED = 0
"""The climb ended early: the gap is a lower bound above `exit_gap`, the point means nothing, the normal is a start."""
CONVERGED = 1
"""Gap, normal and point are those of the maximum."""
SWITCHED = 2
"""As CONVERGED, but the direction tracked so far was given up or lost: the normal has jumped."""
SWITCH_COSINE = 0.9

_SEARCH_AXES = (
    (1.0, 0.0, 0.0),
    (0.0, 1.0, 0.0),
    (0.0, 0.0, 1.0),
    (0.5773502691896258, 0.5773502691896258, 0.5773502691896258),
    (-0.5773502691896258, 0.5773502691896258, 0.5773502691896258),
    (0.5773502691896258, -0.5773502691896258, 0.5773502691896258),
    (0.5773502691896258, 0.5773502691896258, -0.5773502691896258),
)


@compiled
def ellipsoid_pair(c_a, A, c_b, B, previous, exit_gap):
    """Gap (m), unit normal from b into a, contact point and status of two ellipsoids in one frame.

    `previous` is the normal returned for this pair at the last step, (0, 0, 0) when there is none. As soon as a
    direction separates the two by more than `exit_gap` the climb ends with that lower bound (status SEPARATED); pass 0
    when only contact matters, infinity for the true distance. The point is midway between the two support points.

    Which maximum, when they overlap: without `previous` the global one, from several starts. With it the local one
    reached from there, so that the normal is continuous, as long as the overlap is less than half the chord through the
    overlap region along n (for a head in a bonnet: the centres have not passed each other). A deeper one is compared
    with the global maximum and yields when that is a separation or less than half as deep. The chord also proves the
    contact: at a stationary n the centre offset is u + w - depth n, inside the Minkowski sum of the two while
    the depth is below the sum of the chords of both, so an apparent contact of separated ellipsoids never stands.
    """
    d = sub(c_a, c_b)
    is_new = previous[0] == 0.0 and previous[1] == 0.0 and previous[2] == 0.0
    start = first_direction(d, A, B) if is_new else previous
    gap, n = climb(start, d, A, B, exit_gap)
    if gap < 0.0 and (is_new or is_deep(-gap, n, A, B)):
        best, n_best = search(d, A, B, gap, n, exit_gap)
        if is_new or best > SWITCH_RATIO * gap:
            gap = best
            n = n_best
    status = contact_status(gap, exit_gap, n, previous)
    a_n = sym_vec(A, n)
    b_n = sym_vec(B, n)
    u = scale(1.0 / sqrt(max(dot(n, a_n), TINY)), a_n)
    w = scale(1.0 / sqrt(max(dot(n, b_n), TINY)), b_n)
    point = scale(0.5, add(sub(c_a, u), add(c_b, w)))
    return gap, n, point, status


@compiled
def separation(n, d, A, B):
    """s of the unit direction n (m), by the operations of `climb`; below 0 for n = 0."""
    alpha = sqrt(max(dot(n, sym_vec(A, n)), TINY))
    beta = sqrt(max(dot(n, sym_vec(B, n)), TINY))
    return dot(n, d) - alpha - beta


@compiled
def contact_status(gap, exit_gap, n, previous):
    """SEPARATED, CONVERGED or, when n has turned by more than about 25 degrees from `previous`, SWITCHED."""
    if gap > exit_gap:
        return SEPARATED
    turn = dot(n, previous)
    is_new = previous[0] == 0.0 and previous[1] == 0.0 and previous[2] == 0.0
    if turn < SWITCH_COSINE and not is_new:
        return SWITCHED
    return CONVERGED


@compiled
def climb(n, d, A, B, exit_gap):
    """Nearest maximum of the separation s uphill from the unit direction n: (s, n).

    Every accepted step raises s. Ends early once s > exit_gap. Where s is not concave the Hessian is shifted
    (Levenberg) and a saddle is left along its rising direction; a step that does not raise s is shortened.
    """
    size = sqrt(A[0] + A[1] + A[2]) + sqrt(B[0] + B[1] + B[2]) + norm(d)
    a_n = sym_vec(A, n)
    b_n = sym_vec(B, n)
    alpha = sqrt(max(dot(n, a_n), TINY))
    beta = sqrt(max(dot(n, b_n), TINY))
    s = dot(n, d) - alpha - beta
    reach = 1.0
    for _ in range(MAX_CLIMB):
        if s > exit_gap:
            break
        u = scale(1.0 / alpha, a_n)
        w = scale(1.0 / beta, b_n)
        g = add_scaled(sub(sub(d, u), w), -s, n)
        S = sym_add(curvature_radii(A, u, alpha), curvature_radii(B, w, beta))
        t, is_newton = ascent_step(g, S, s, size, reach)
        trial = normalized(add(n, t))
        a_n = sym_vec(A, trial)
        b_n = sym_vec(B, trial)
        trial_alpha = sqrt(max(dot(trial, a_n), TINY))
        trial_beta = sqrt(max(dot(trial, b_n), TINY))
        trial_s = dot(trial, d) - trial_alpha - trial_beta
        square = dot(t, t)
        is_last = square < LAST_STEP * LAST_STEP and is_newton
        if trial_s > s or is_last:
            n = trial
            alpha = trial_alpha
            beta = trial_beta
            s = trial_s
            if not is_newton:
                reach = min(1.0, 2.0 * max(reach, sqrt(square)))
        else:
            a_n = scale(alpha, u)
            b_n = scale(beta, w)
            reach = 0.25 * sqrt(square)
            is_last = square < 1e-18
        if is_last:
            break
    return s, n


@compiled
def ascent_step(g, S, s, size, reach):
    """Step t in the tangent plane, at most about `reach` long, and whether it is the plain Newton step.

    t = (S + sigma)^-1 g with sigma = s where that is positive definite and short enough, else shifted. On the tangent
    plane (S + sigma)^-1 = (trace S + sigma - S) / ((low + sigma)(high + sigma)) with low and high the eigenvalues of S.
    """
    trace, minors = tangent_invariants(S)
    determinant = minors + s * (trace + s)
    s_g = sym_vec(S, g)
    t = (0.0, 0.0, 0.0)
    if trace + 2.0 * s > 0.0 and determinant > 1e-6 * size * (trace + 2.0 * s):
        t = scale(1.0 / determinant, sub(scale(trace + s, g), s_g))
        if dot(t, t) <= reach * reach:
            return t, True
    spread = sqrt(max(0.25 * trace * trace - minors, 0.0))
    low = 0.5 * trace - spread
    steepness = norm(g)
    if steepness < 1e-15 * size and low + s > -1e-9 * size:
        return (0.0, 0.0, 0.0), True
    sigma = max(s, max(-low - s, 1e-3 * size) - low, steepness / reach - low)
    t = scale(1.0 / (minors + sigma * (trace + sigma)), sub(scale(trace + sigma, g), s_g))
    if low + s < -1e-9 * size and norm(t) < 0.2 * reach:
        t = add_scaled(t, 0.2 * reach, _rising_direction(S, 0.5 * trace + spread, g))
    return t, False


@compiled
def tangent_invariants(S):
    """Sum and product of the two eigenvalues that a symmetric matrix with one zero eigenvalue has besides it."""
    minors = S[0] * S[1] - S[3] * S[3] + S[0] * S[2] - S[4] * S[4] + S[1] * S[2] - S[5] * S[5]
    return S[0] + S[1] + S[2], minors


@compiled
def curvature_radii(A, u, alpha):
    """(A - u u^T) / alpha: radii of curvature at the support point u, a matrix whose null vector is the normal."""
    k = 1.0 / alpha
    return (
        k * (A[0] - u[0] * u[0]),
        k * (A[1] - u[1] * u[1]),
        k * (A[2] - u[2] * u[2]),
        k * (A[3] - u[0] * u[1]),
        k * (A[4] - u[0] * u[2]),
        k * (A[5] - u[1] * u[2]),
    )


@compiled
def _rising_direction(S, high, g):
    """Unit eigenvector of the low tangent eigenvalue of S, on the side of g.

    S (S - high) has that eigenvector as its range, so any of its columns will do; the largest is taken.
    """
    x = _low_column(S, high, (1.0, 0.0, 0.0))
    y = _low_column(S, high, (0.0, 1.0, 0.0))
    z = _low_column(S, high, (0.0, 0.0, 1.0))
    v = x
    if dot(y, y) > dot(v, v):
        v = y
    if dot(z, z) > dot(v, v):
        v = z
    length = norm(v)
    if length < TINY:
        return (0.0, 0.0, 0.0)
    return scale((-1.0 if dot(v, g) < 0.0 else 1.0) / length, v)


@compiled
def _low_column(S, high, e):
    """S (S - high) e"""
    return sym_vec(S, add_scaled(sym_vec(S, e), -high, e))


@compiled
def is_deep(depth, n, A, B):
    """Whether the overlap at the stationary direction n is more than half of both chords along n together."""
    return 2.0 * depth > chord(n, A) + chord(n, B)


@compiled
def chord(n, A):
    """Length of the chord of an ellipsoid along -n from its support point of n: 2 / (sqrt(n.A n) n.A^-1 n)."""
    C = adjugate(A)
    determinant = A[0] * C[0] + A[3] * C[3] + A[4] * C[4]
    half_width = sqrt(max(dot(n, sym_vec(A, n)), TINY))
    return 2.0 * max(determinant, 0.0) / max(half_width * dot(n, sym_vec(C, n)), TINY)


@compiled
def adjugate(A):
    """Inverse times determinant of a symmetric matrix."""
    return (
        A[1] * A[2] - A[5] * A[5],
        A[0] * A[2] - A[4] * A[4],
        A[0] * A[1] - A[3] * A[3],
        A[4] * A[5] - A[3] * A[2],
        A[3] * A[5] - A[1] * A[4],
        A[3] * A[4] - A[0] * A[5],
    )


@compiled
def first_direction(d, A, B):
    """Start without history: (A + B)^-1 d, exact for ellipsoids of one shape; any direction for d = 0."""
    n = sym_vec(adjugate(sym_add(A, B)), d)
    length = norm(n)
    if length < TINY:
        return minor_axis(sym_add(A, B))
    return scale(1.0 / length, n)


@compiled
def minor_axis(A):
    """Roughly the direction of the shortest axis, by squaring the adjugate: a start, not a result."""
    M = adjugate(A)
    for _ in range(3):
        k = 1.0 / max(M[0] + M[1] + M[2], TINY)
        x = (k * M[0], k * M[3], k * M[4])
        y = (k * M[3], k * M[1], k * M[5])
        z = (k * M[4], k * M[5], k * M[2])
        M = (dot(x, x), dot(y, y), dot(z, z), dot(x, y), dot(x, z), dot(y, z))
    v = (M[0], M[3], M[4])
    if M[1] > M[0] and M[1] >= M[2]:
        v = (M[3], M[1], M[5])
    elif M[2] > M[0]:
        v = (M[4], M[5], M[2])
    length = norm(v)
    if length < TINY:
        return (0.0, 0.0, 1.0)
    return scale(1.0 / length, v)


@compiled
def search(d, A, B, s, n, exit_gap):
    """Global maximum of the separation, given one maximum (s, n): (s, n).

    Starts: the shortest axes of both ellipsoids and of their sum, the common normal of the first two, and seven spread
    axes. Only the side of the centre offset is tried, as s(-n) = s(n) - 2 n.d. Ends early above exit_gap.
    """
    minor_a = minor_axis(A)
    minor_b = minor_axis(B)
    for i in range(12):
        if s > exit_gap:
            break
        if i == 0:
            start = minor_a
        elif i == 1:
            start = minor_b
        elif i == 2:
            start = minor_axis(sym_add(A, B))
        elif i == 3:
            start = first_direction(d, A, B)
        elif i == 4:
            start = cross(minor_a, minor_b)
            if dot(start, start) < 1e-6:
                continue
            start = normalized(start)
        else:
            start = _SEARCH_AXES[i - 5]
        if dot(start, d) < 0.0:
            start = scale(-1.0, start)
        trial, n_trial = climb(start, d, A, B, exit_gap)
        if trial > s + 1e-12:
            s = trial
            n = n_trial
    return s, n
