"""The six numbers of an inertia, as files and specs hold them and as the engine does, and the matrix they stand for."""

from collections.abc import Sequence

import numpy as np


def inertia_matrix(six: Sequence[float]) -> np.ndarray:
    """(3, 3) inertia matrix of [Ixx, Iyy, Izz, Ixy, Iyz, Ixz], products of inertia with minus (see spec.Body)."""
    xx, yy, zz, xy, yz, xz = (float(value) for value in six)
    return np.array([[xx, -xy, -xz], [-xy, yy, -yz], [-xz, -yz, zz]])


def symmetric_matrix(six: Sequence[float]) -> np.ndarray:
    """(3, 3) matrix of its elements (xx, yy, zz, xy, xz, yz), as the engine's arrays hold them."""
    xx, yy, zz, xy, xz, yz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def symmetric_six(matrix: np.ndarray) -> list[float]:
    """(xx, yy, zz, xy, xz, yz) of a symmetric (3, 3) matrix."""
    return [matrix[0, 0], matrix[1, 1], matrix[2, 2], matrix[0, 1], matrix[0, 2], matrix[1, 2]]
