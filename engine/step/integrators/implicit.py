"""A linearly implicit step for stiff systems: ROS2, order 2 and L-stable.

Verwer et al. 1999 (docs/derivations.md, Integrators): with W = E - gamma h A, gamma = 1 - 1/sqrt(2),
W k1 = f(y), W k2 = f(y + h k1) - 2 k1, y' = y + h (3 k1 + k2) / 2. The order is 2 for *any* matrix A, so A may be found
by finite differences. With y = (displacement, speeds) and A = [[0, E], [S, D]] only a (nu, nu) system is solved.
"""

from math import sqrt

from ...bodies.coordinates import copy_to, displaced, displacement_rate
from ...jit.decorators import compiled, spliced
from ..forces import evaluate

GAMMA = 1.0 - 1.0 / sqrt(2.0)
PERTURBATION = 1e-6
"""m, rad, m/s or rad/s: about the square root of round-off for coordinates of size one."""


@compiled
def factorize(a, pivots):
    """LU factorization in place with row exchanges; returns False where the matrix is singular."""
    n = a.shape[0]
    for c in range(n):
        best = c
        for r in range(c + 1, n):
            if abs(a[r, c]) > abs(a[best, c]):
                best = r
        pivots[c] = best
        if a[best, c] == 0.0:
            return False
        if best != c:
            for j in range(n):
                a[c, j], a[best, j] = a[best, j], a[c, j]
        for r in range(c + 1, n):
            a[r, c] /= a[c, c]
            factor = a[r, c]
            if factor != 0.0:
                for j in range(c + 1, n):
                    a[r, j] -= factor * a[c, j]
    return True


@compiled
def solve_factorized(a, pivots, b):
    """Solve in place with the factors of `factorize`.

    All exchanges come first: `factorize` has exchanged whole rows, those of the lower factor included.
    """
    n = a.shape[0]
    for c in range(n):
        p = int(pivots[c])
        b[c], b[p] = b[p], b[c]
    for c in range(n):
        for r in range(c + 1, n):
            b[r] -= a[r, c] * b[c]
    for c in range(n - 1, -1, -1):
        b[c] /= a[c, c]
        for r in range(c):
            b[r] -= a[r, c] * b[c]


@spliced
def build_matrix(k, s, w, x, t, h):
    """x.stiffness = d u_dot / d displacement, x.matrix = E - gamma h D - (gamma h)^2 S, by forward differences.

    x.base holds u_dot of the state itself.
    """
    nu = len(s.u)
    gh = GAMMA * h
    for i in range(nu):
        x.delta[i] = 0.0
    for j in range(2 * nu):
        column = j // 2
        of_position = j % 2 == 0
        copy_to(x.u, s.u)
        x.delta[column] = PERTURBATION if of_position else 0.0
        displaced(k.tree, s.q, x.delta, x.q)
        x.delta[column] = 0.0
        if not of_position:
            x.u[column] += PERTURBATION
        evaluate(k, s, w, x.q, x.u, t, 0.0)
        add_column(x, w.u_dot, column, of_position, gh)


@compiled
def add_column(x, u_dot, column, of_position, gh):
    """Enter a difference of accelerations into column `column`: the stiffness first, then the damping."""
    for i in range(len(u_dot)):
        slope = (u_dot[i] - x.base[i]) / PERTURBATION
        if of_position:
            x.stiffness[i, column] = slope
        else:
            x.matrix[i, column] = -gh * slope - gh * gh * x.stiffness[i, column]
    if not of_position:
        x.matrix[column, column] += 1.0


@compiled
def solve_stage(x, stage, h, pivots):
    """Turn the right sides in x.rate_q[stage] and x.rate_u[stage] into the stage's rates."""
    nu = len(x.right)
    gh = GAMMA * h
    for i in range(nu):
        total = x.rate_u[stage, i]
        for j in range(nu):
            total += gh * x.stiffness[i, j] * x.rate_q[stage, j]
        x.right[i] = total
    solve_factorized(x.matrix, pivots, x.right)
    for i in range(nu):
        x.rate_u[stage, i] = x.right[i]
        x.rate_q[stage, i] += gh * x.right[i]


@spliced
def implicit_step(k, s, w, x, t, h):
    """One ROS2 step.

    Its start is evaluated again, because the history has advanced since: differences against the old evaluation would
    hold that change, divided by the perturbation.
    """
    nu = len(s.u)
    pivots = x.u_other
    evaluate(k, s, w, s.q, s.u, t, 0.0)
    copy_to(x.base, w.u_dot)
    build_matrix(k, s, w, x, t, h)
    if factorize(x.matrix, pivots):
        copy_to(x.rate_q[0], s.u)
        copy_to(x.rate_u[0], x.base)
        solve_stage(x, 0, h, pivots)
        for i in range(nu):
            x.delta[i] = h * x.rate_q[0, i]
            x.u[i] = s.u[i] + h * x.rate_u[0, i]
        displaced(k.tree, s.q, x.delta, x.q)
        evaluate(k, s, w, x.q, x.u, t + h, 0.0)
        displacement_rate(k.tree, x.delta, x.u, x.rate_q[1])
        for i in range(nu):
            x.rate_q[1, i] -= 2.0 * x.rate_q[0, i]
            x.rate_u[1, i] = w.u_dot[i] - 2.0 * x.rate_u[0, i]
        solve_stage(x, 1, h, pivots)
        for i in range(nu):
            x.delta[i] = h * (1.5 * x.rate_q[0, i] + 0.5 * x.rate_q[1, i])
            s.u[i] += h * (1.5 * x.rate_u[0, i] + 0.5 * x.rate_u[1, i])
        displaced(k.tree, s.q, x.delta, s.q)
    else:
        s.u[0] = float("nan")  # a singular matrix: the check for finite speeds reports it
