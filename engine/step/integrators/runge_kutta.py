"""Explicit Runge-Kutta steps on the group (Runge-Kutta-Munthe-Kaas): midpoint, classical order 4, and Bogacki-Shampine
3(2) for error control.

Stages live in the displacement from the start of the step, where they are ordinary vectors; `displacement_rate` carries
the exact differential of the exponential, so a method keeps its order for large turns too (docs/derivations.md,
Integrators). Contact history is advanced once a step, at its start; stages read it.
"""

import numpy as np

from ...bodies.coordinates import displaced, displacement_rate
from ...jit.decorators import compiled, spliced
from ..energy import accumulate_work
from ..forces import evaluate

MIDPOINT = (np.array([[0.0, 0.0], [0.5, 0.0]]), np.array([0.0, 1.0]))
RUNGE_KUTTA_4 = (
    np.array([[0.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]),
    np.array([1.0, 2.0, 2.0, 1.0]) / 6.0,
)
# Bogacki and Shampine 1989: docs/derivations.md, Integrators
BOGACKI_SHAMPINE = (
    np.array(
        [[0.0, 0.0, 0.0, 0.0], [1 / 2, 0.0, 0.0, 0.0], [0.0, 3 / 4, 0.0, 0.0], [2 / 9, 1 / 3, 4 / 9, 0.0]]
    ),
    np.array([2 / 9, 1 / 3, 4 / 9, 0.0]),
)
BOGACKI_SHAMPINE_SECOND = np.array([7 / 24, 1 / 4, 1 / 3, 1 / 8])
"""Weights of the embedded second-order solution."""


@compiled
def combine(tree, q, u, rate_q, rate_u, weights, h, delta, q_out, u_out):
    """q_out, u_out = start of the step (q, u) moved by the weighted rates of the stages; delta is the displacement."""
    for i in range(len(u)):
        dq = 0.0
        du = 0.0
        for j in range(len(weights)):
            if weights[j] != 0.0:
                dq += weights[j] * rate_q[j, i]
                du += weights[j] * rate_u[j, i]
        delta[i] = h * dq
        u_out[i] = u[i] + h * du
    displaced(tree, q, delta, q_out)


@compiled
def keep_rates(tree, u, u_dot, delta, rate_q, rate_u):
    """Keep the rates of a stage that has just been evaluated; delta is its displacement."""
    displacement_rate(tree, delta, u, rate_q)
    for i in range(len(u)):
        rate_u[i] = u_dot[i]


@spliced
def runge_kutta(k, s, w, x, t, h):
    """All stages of the tableau in x and their weighted sum, written to x.q and x.u.

    The workspace holds the evaluation at the start of the step. The work of each force is summed over the stages with
    the weights of the tableau.
    """
    a = x.tableau_a
    b = x.tableau_b
    combine(k.tree, s.q, s.u, x.rate_q, x.rate_u, a[0], h, x.delta, x.q, x.u)
    for stage in range(len(b)):
        if stage > 0:
            combine(k.tree, s.q, s.u, x.rate_q, x.rate_u, a[stage], h, x.delta, x.q, x.u)
            evaluate(k, s, w, x.q, x.u, t + h * a[stage].sum(), 0.0)
        keep_rates(k.tree, x.u, w.u_dot, x.delta, x.rate_q[stage], x.rate_u[stage])
        if b[stage] != 0.0:
            accumulate_work(k, s, w, h * b[stage], 0.0)
    combine(k.tree, s.q, s.u, x.rate_q, x.rate_u, b, h, x.delta, x.q, x.u)
