"""The mass matrix by the principle of virtual power, readable and dense: what the fast code is tested against.

M = sum over bodies of m A1' A1 + A2' I A2, with A1 and A2 the Jacobians of the centre of mass's velocity and of the
angular velocity (docs/derivations.md, Mass matrix).
"""

import numpy as np

from ..maths.rotations import cross_matrix
from ..spec.joint_types import BALL, CURVE, FREE, group_sizes
from .tree import Tree, inertia_about_com
from .workspace import Workspace


def joint_columns(tree: Tree, w: Workspace, i: int) -> tuple[np.ndarray, np.ndarray]:
    """(linear, angular) velocity of body i's reference point per unit of its own joint's speeds, each (3, k)."""
    rotation = w.rotation[i].reshape(3, 3)
    if tree.group[i] == FREE:
        return np.hstack([np.eye(3), np.zeros((3, 3))]), np.hstack([np.zeros((3, 3)), rotation])
    if tree.group[i] == BALL:
        return np.zeros((3, 3)), rotation
    if tree.group[i] == CURVE:
        return w.column[i, 3:, None], w.column[i, :3, None]
    axis = (rotation @ tree.axis[i])[:, None]
    return tree.slide[i] * axis, tree.turn[i] * axis


def joint_speeds(tree: Tree, i: int) -> slice:
    """Where the speeds of body i's own joint are."""
    first = int(tree.u_address[i])
    return slice(first, first + group_sizes(int(tree.group[i]))[1])


def jacobian(tree: Tree, w: Workspace, i: int, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(A1, A2): (3, nu) Jacobians of the velocity of a world point fixed to body i, and of its angular velocity.

    Needs `forward_kinematics` to have filled the workspace.
    """
    A1 = np.zeros((3, len(w.u_dot)))
    A2 = np.zeros((3, len(w.u_dot)))
    n = len(tree.mass)
    while i < n:
        columns = joint_speeds(tree, i)
        linear, angular = joint_columns(tree, w, i)
        A2[:, columns] = angular
        A1[:, columns] = linear - cross_matrix(point - w.position[i]) @ angular
        i = tree.parent[i]
    return A1, A2


def mass_matrix(tree: Tree, w: Workspace) -> np.ndarray:
    """(nu, nu) generalized mass matrix at the pose in the workspace."""
    M = np.zeros((len(w.u_dot), len(w.u_dot)))
    for i in range(len(tree.mass)):
        rotation = w.rotation[i].reshape(3, 3)
        com = rotation @ tree.com[i]
        about_com = inertia_about_com(tree, i)
        A1, A2 = jacobian(tree, w, i, w.position[i] + com)
        M += tree.mass[i] * A1.T @ A1 + A2.T @ rotation @ about_com @ rotation.T @ A2
    return M
