"""Scratch arrays of the integrators."""

from collections import namedtuple

import numpy as np

MAX_STAGES = 4

StepWork = namedtuple(
    "StepWork",
    [
        "rate_q",  # (MAX_STAGES, nu) displacement rates of the stages
        "rate_u",  # (MAX_STAGES, nu) accelerations of the stages
        "delta",  # (nu,) displacement of a stage
        "q",  # (nq,) coordinates of a stage
        "u",  # (nu,) speeds of a stage
        "q_other",  # (nq,) coordinates of the embedded solution
        "u_other",  # (nu,)
        "matrix",  # (nu, nu) left side of the implicit method
        "stiffness",  # (nu, nu) d u_dot / d displacement
        "right",  # (nu,) right side
        "base",  # (nu,) accelerations before a perturbation
        "position",  # (n, 3) reference points of the first of two solutions that are compared
        "rotation",  # (n, 9)
        "velocity",  # (n, 3)
        "omega",  # (n, 3)
        "tableau_a",  # (stages, stages) of a Runge-Kutta method
        "tableau_b",  # (stages,)
        "step",  # (2,) step size that the error control proposes next, and the last one taken, s
        "steps",  # Steps, of the adaptive step
    ],
)


def new_step_work(
    n: int, nq: int, nu: int, implicit: bool, tableau: tuple[np.ndarray, np.ndarray], steps: tuple
) -> StepWork:
    """Allocate for n moving bodies; the square matrices only where the implicit method needs them."""
    square = (nu, nu) if implicit else (0, 0)
    return StepWork(
        rate_q=np.zeros((MAX_STAGES, nu)),
        rate_u=np.zeros((MAX_STAGES, nu)),
        delta=np.zeros(nu),
        q=np.zeros(nq),
        u=np.zeros(nu),
        q_other=np.zeros(nq),
        u_other=np.zeros(nu),
        matrix=np.zeros(square),
        stiffness=np.zeros(square),
        right=np.zeros(nu),
        base=np.zeros(nu),
        position=np.zeros((n, 3)),
        rotation=np.zeros((n, 9)),
        velocity=np.zeros((n, 3)),
        omega=np.zeros((n, 3)),
        tableau_a=tableau[0],
        tableau_b=tableau[1],
        step=np.zeros(2),
        steps=steps,
    )
