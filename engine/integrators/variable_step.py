"""Steps chosen by error: Bogacki-Shampine 3(2), the error of every body held under the tolerance.

P. Bogacki and L. F. Shampine (1989), Appl. Math. Lett. 2(4):321-325. The error of a step is the difference between the
third- and the second-order solution, measured where a person would: the largest shift (m) and turn (rad) of any moving
body, a speed difference counting as what it makes in `SPEED_TIME`.
"""

from math import sqrt

import numpy as np

from ..coordinates import copy_to
from ..forces import commit, evaluate
from ..jit import compiled, spliced
from ..kinematics import forward_kinematics
from ..vector import load3, load9, norm, sub
from .runge_kutta import accept, combine, runge_kutta

BS_A = np.array(
    [[0.0, 0.0, 0.0, 0.0], [1 / 2, 0.0, 0.0, 0.0], [0.0, 3 / 4, 0.0, 0.0], [2 / 9, 1 / 3, 4 / 9, 0.0]]
)
BS_B = np.array([2 / 9, 1 / 3, 4 / 9, 0.0])
BS_B_OTHER = np.array([7 / 24, 1 / 4, 1 / 3, 1 / 8])

SAFETY = 0.9
LARGEST_GROWTH = 4.0
SMALLEST_SHRINK = 0.2
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


@spliced
def try_step(k, s, w, x, t, h):
    """Attempt a step of size h: solution in x.q and x.u; returns its error (m or rad)."""
    runge_kutta(k, s, w, x, BS_A, BS_B, t, h)
    forward_kinematics(k.tree, x.q, x.u, w)
    keep_solution(w, x)
    combine(k, s, x, BS_B_OTHER, h, x.q_other, x.u_other)
    forward_kinematics(k.tree, x.q_other, x.u_other, w)
    return largest_difference(w, x)


@spliced
def variable_step(k, s, w, x, t, h_most):
    """Advance by at most h_most; returns the time advanced. x.step carries the proposal from step to step."""
    commit(k, s, w, t, float(x.step[1]))  # the size of this step is not known yet
    h = min(x.step[0], h_most)
    smallest = 1e-6 * k.params.time_step
    while True:
        copy_to(s.work_kept, s.work)
        error = try_step(k, s, w, x, t, h)
        growth = LARGEST_GROWTH
        if error > 0.0:
            growth = SAFETY * (k.params.tolerance / error) ** (1.0 / 3.0)
        growth = min(LARGEST_GROWTH, max(SMALLEST_SHRINK, growth))
        if error <= k.params.tolerance or h <= smallest:
            break
        copy_to(s.work, s.work_kept)
        h *= min(growth, 0.9)
        evaluate(k, s, w, s.q, s.u, t, 0.0)
    accept(s, x)
    if h < h_most or growth < 1.0 or x.step[0] <= h_most:
        x.step[0] = h * growth
    x.step[1] = h
    return h
