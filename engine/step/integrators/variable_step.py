"""Steps chosen by error: the error of every body is held under the tolerance.

The error of a step is the difference between the third- and the second-order solution of Bogacki and Shampine, measured
where a person would: the largest shift (m) and turn (rad) of any moving body, a speed difference counting as what it
makes in `SPEED_TIME`.
"""

from math import sqrt

from ...bodies.coordinates import copy_to
from ...bodies.kinematics import forward_kinematics
from ...jit.decorators import compiled, spliced
from ...maths.vector import load3, load9, norm, sub
from ..forces import evaluate
from .runge_kutta import BOGACKI_SHAMPINE_SECOND, combine, runge_kutta

SAFETY = 0.9
LARGEST_GROWTH = 4.0
SMALLEST_SHRINK = 0.2
SMALLEST_STEP = 1e-6
"""Of the time step: a step this short is taken whatever its error."""
SPEED_TIME = 0.01
"""s"""


@compiled
def keep_solution(w, x):
    """Keep pose and velocity of all bodies, to compare with another solution."""
    for i in range(x.position.shape[0]):
        for j in range(3):
            x.position[i, j] = w.position[i, j]
            x.velocity[i, j] = w.velocity[i, j]
            x.omega[i, j] = w.omega[i, j]
        for j in range(9):
            x.rotation[i, j] = w.rotation[i, j]


@compiled
def largest_difference(w, x):
    """Largest shift (m) or turn (rad) of any moving body between the kept solution and the one in the workspace."""
    largest = 0.0
    for i in range(x.position.shape[0]):
        shift = sub(load3(w.position, i), load3(x.position, i))
        speed = sub(load3(w.velocity, i), load3(x.velocity, i))
        rate = sub(load3(w.omega, i), load3(x.omega, i))
        a = load9(w.rotation, i)
        b = load9(x.rotation, i)
        # for a small turn phi between two rotations |R - R'| (Frobenius) = sqrt(2) |phi|
        turn = 0.0
        for j in range(9):
            turn += (a[j] - b[j]) * (a[j] - b[j])
        largest = max(largest, norm(shift) + SPEED_TIME * norm(speed))
        largest = max(largest, sqrt(0.5 * turn) + SPEED_TIME * norm(rate))
    return largest


@compiled
def error_of(tree, q, u, w, x, h):
    """Error (m or rad) of the solution in x.q and x.u, against the embedded one."""
    forward_kinematics(tree, x.q, x.u, w)
    keep_solution(w, x)
    combine(tree, q, u, x.rate_q, x.rate_u, BOGACKI_SHAMPINE_SECOND, h, x.delta, x.q_other, x.u_other)
    forward_kinematics(tree, x.q_other, x.u_other, w)
    return largest_difference(w, x)


@spliced
def explicit_step(k, s, w, x, t, h_most, is_controlled):
    """A Runge-Kutta step; returns the time advanced, h_most unless error control shortens it.

    x.step carries the step size proposed and the last one taken from step to step.
    """
    tolerance = k.params.tolerance
    h = min(x.step[0], h_most) if is_controlled else h_most
    growth = 1.0
    while True:
        copy_to(s.work_kept, s.work)
        runge_kutta(k, s, w, x, t, h)
        if not is_controlled:
            break
        error = error_of(k.tree, s.q, s.u, w, x, h)
        growth = LARGEST_GROWTH
        if error > 0.0:
            growth = SAFETY * (tolerance / error) ** (1.0 / 3.0)
        growth = min(LARGEST_GROWTH, max(SMALLEST_SHRINK, growth))
        if error <= tolerance or h <= SMALLEST_STEP * k.params.time_step:
            break
        copy_to(s.work, s.work_kept)
        h *= min(growth, 0.9)
        evaluate(k, s, w, s.q, s.u, t, 0.0)
    copy_to(s.q, x.q)
    copy_to(s.u, x.u)
    # a step cut short by an output time says nothing about the size the error would allow
    if h < h_most or growth < 1.0 or x.step[0] <= h_most:
        x.step[0] = h * growth
    x.step[1] = h
    return h
