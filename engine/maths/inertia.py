"""The six numbers of an inertia as files and specs hold them, and the matrix they stand for."""

from collections.abc import Sequence

import numpy as np


def inertia_matrix(six: Sequence[float]) -> np.ndarray:
    """(3, 3) inertia matrix of [Ixx, Iyy, Izz, Ixy, Iyz, Ixz], products of inertia with minus (see spec.Body)."""
    xx, yy, zz, xy, yz, xz = (float(value) for value in six)
    return np.array([[xx, -xy, -xz], [-xy, yy, -yz], [-xz, -yz, zz]])
