"""Angles out of matrices: exact at round-off, and the same digits wherever the numbers lie in memory."""

import numpy as np
import pytest

from mannequin.engine.maths.rotations import matrix_from_zyx, zyx_from_matrix

COUNT = 264  # joints times output times of a short run


def turned(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Random ZYX angles, degrees, and their matrices."""
    rng = np.random.default_rng(5)
    angles = rng.uniform((-180.0, -89.0, -180.0), (180.0, 89.0, 180.0), (count, 3))
    return angles, np.array([matrix_from_zyx(angle) for angle in angles])


def test_angles_go_through_matrices_and_back():
    angles, matrices = turned(COUNT)
    np.testing.assert_allclose(zyx_from_matrix(matrices), angles, rtol=0, atol=1e-11)


@pytest.mark.parametrize("y", [90.0, -90.0])
def test_locked_angles_give_the_same_rotation(y: float):
    matrix = matrix_from_zyx((30.0, y, 12.0))
    angles = zyx_from_matrix(matrix)
    assert angles[2] == 0.0
    np.testing.assert_allclose(matrix_from_zyx(angles), matrix, rtol=0, atol=1e-12)


def test_digits_do_not_depend_on_where_memory_lies():
    """NumPy's arctan2 gave four different tables here: `verify` then called a sound run changed."""
    rng = np.random.default_rng(0)
    _, matrices = turned(COUNT)
    found, junk = set(), []
    for turn in range(400):
        moved = matrices.reshape(11, 24, 3, 3).copy()
        found.add(zyx_from_matrix(moved).tobytes())
        junk.append(np.empty(int(rng.integers(1, 5000))))
        junk = junk[::2] if turn % 3 == 0 else junk
    assert len(found) == 1
