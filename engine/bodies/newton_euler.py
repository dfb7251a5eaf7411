"""Inverse dynamics by the recursive Newton-Euler algorithm: the generalized forces that make given accelerations.

Luh, Walker and Paul 1980 (docs/derivations.md, Mass matrix). Plain NumPy: an oracle for `dynamics`, and a way to ask
"which joint torques does this motion need".
"""

from collections.abc import Sequence

import numpy as np

from ..maths.inertia import symmetric_matrix
from .kinematics import forward_kinematics, gyroscopic_bias, rigid_inertia
from .tree import Tree
from .virtual_power import joint_columns, joint_speeds
from .workspace import new_workspace


def inverse_dynamics(
    tree: Tree, q: np.ndarray, u: np.ndarray, u_dot: np.ndarray, gravity: Sequence[float]
) -> np.ndarray:
    """(nu,) generalized forces Q with M(q) u_dot + h(q, u) = Q, gravity taken as a force of the environment."""
    w = new_workspace(tree)
    forward_kinematics(tree, q, u, w)
    rigid_inertia(tree, w)
    gyroscopic_bias(tree, w)
    n = len(tree.mass)
    alpha = np.zeros((n + 1, 3))
    acceleration = np.zeros((n + 1, 3))
    acceleration[n] = -np.asarray(gravity, dtype=float)
    force = np.zeros((n + 1, 3))
    torque = np.zeros((n + 1, 3))
    for i in range(n):
        p = tree.parent[i]
        speeds = joint_speeds(tree, i)
        linear, angular = joint_columns(tree, w, i)
        alpha[i] = alpha[p] + w.gyro[i] + angular @ u_dot[speeds]
        acceleration[i] = (
            acceleration[p] + np.cross(alpha[p], w.arm[i]) + w.centripetal[i] + linear @ u_dot[speeds]
        )
        com, mass = w.com[i], tree.mass[i]
        J = symmetric_matrix(w.inertia[i])
        force[i] = mass * (acceleration[i] + np.cross(alpha[i], com)) + w.art_f[i]
        torque[i] = J @ alpha[i] + mass * np.cross(com, acceleration[i]) + w.art_n[i]
    Q = np.zeros(len(u))
    for i in range(n - 1, -1, -1):
        p = tree.parent[i]
        speeds = joint_speeds(tree, i)
        linear, angular = joint_columns(tree, w, i)
        Q[speeds] = linear.T @ force[i] + angular.T @ torque[i]
        force[p] += force[i]
        torque[p] += torque[i] + np.cross(w.arm[i], force[i])
    return Q
