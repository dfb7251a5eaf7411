"""Explicit Runge-Kutta steps on the group (Runge-Kutta-Munthe-Kaas): midpoint and classical order 4.

Stages live in the displacement from the start of the step, where they are ordinary vectors; `displacement_rate` carries
the exact differential of the exponential, so a method keeps its order for large turns too (Munthe-Kaas 1998). Contact
history is advanced once a step, at its start; stages read it.
"""

import numpy as np

from ..coordinates import copy_to, displaced, displacement_rate
from ..energy import accumulate_work
from ..forces import commit, evaluate
from ..jit import spliced

MIDPOINT_A = np.array([[0.0, 0.0], [0.5, 0.0]])
MIDPOINT_B = np.array([0.0, 1.0])
RK4_A = np.array([[0.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]])
RK4_B = np.array([1.0, 2.0, 2.0, 1.0]) / 6.0


@spliced
def combine(k, s, x, weights, h, q_out, u_out):
    """q_out, u_out = start of the step moved by the weighted rates of the stages."""
    for i in range(len(s.u)):
        dq = 0.0
        du = 0.0
        for j in range(len(weights)):
            if weights[j] != 0.0:
                dq += weights[j] * x.rate_q[j, i]
                du += weights[j] * x.rate_u[j, i]
        x.delta[i] = h * dq
        u_out[i] = s.u[i] + h * du
    displaced(k.tree, s.q, x.delta, q_out)


@spliced
def keep_rates(k, w, x, stage, u):
    """Keep the rates of a stage that has just been evaluated; x.delta holds its displacement."""
    displacement_rate(k.tree, x.delta, u, x.rate_q[stage])
    for i in range(len(u)):
        x.rate_u[stage, i] = w.u_dot[i]


@spliced
def runge_kutta(k, s, w, x, a, b, t, h):
    """All stages of tableau (a, b) and their weighted sum, written to x.q and x.u.

    The workspace holds the evaluation at the start of the step. The work of each force is summed over the stages with
    the weights b.
    """
    for i in range(len(s.u)):
        x.delta[i] = 0.0
    keep_rates(k, w, x, 0, s.u)
    for stage in range(1, a.shape[0]):
        if b[stage - 1] != 0.0:
            accumulate_work(k, s, w, h * b[stage - 1], 0.0)
        combine(k, s, x, a[stage], h, x.q, x.u)
        evaluate(k, s, w, x.q, x.u, t + h * a[stage].sum(), 0.0)
        keep_rates(k, w, x, stage, x.u)
    if b[-1] != 0.0:
        accumulate_work(k, s, w, h * b[-1], 0.0)
    combine(k, s, x, b, h, x.q, x.u)


@spliced
def accept(s, x):
    """The new solution becomes the state."""
    copy_to(s.q, x.q)
    copy_to(s.u, x.u)


@spliced
def runge_kutta_step(k, s, w, x, a, b, t, h):
    """One Runge-Kutta step of size h."""
    commit(k, s, w, t, h)
    runge_kutta(k, s, w, x, a, b, t, h)
    accept(s, x)
