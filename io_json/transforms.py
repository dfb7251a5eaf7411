"""4x4 transforms as nested lists or tuples, in plain Python, so that an int in a file stays an int."""

from collections.abc import Sequence

INVERSE_TOLERANCE = 1.0e-4
"""How far the product of a transform and its stated inverse may be from the identity (1, or metres): a file with
rounded numbers passes, a tenth of a millimetre is the most that can be hidden."""

Rows = Sequence[Sequence[float]]


def rigid_inverse(transform: Rows) -> list[list[float]]:
    """Inverse of a rotation and translation: transpose and turned-back translation."""
    turn = [[transform[j][i] for j in range(3)] for i in range(3)]
    move = [-sum(turn[i][j] * transform[j][3] for j in range(3)) for i in range(3)]
    # "+ 0" turns a minus zero into zero.
    return [[*turn[i], move[i] + 0] for i in range(3)] + [[0, 0, 0, 1]]


def is_inverse(transform: Rows, inverse: Rows) -> bool:
    """Whether `inverse` undoes `transform`, within `INVERSE_TOLERANCE`, and `transform` only turns and moves."""
    return _undoes(transform, inverse) and _undoes(transform, rigid_inverse(transform))


def rotate_back(transform: Rows, vector: Sequence[float]) -> tuple[float, float, float]:
    """A vector given in the outer frame, in the axes of the frame that `transform` places."""
    return tuple(sum(transform[j][i] * vector[j] for j in range(3)) + 0 for i in range(3))


def _undoes(transform: Rows, inverse: Rows) -> bool:
    for i in range(4):
        for j in range(4):
            entry = sum(transform[i][k] * inverse[k][j] for k in range(4))
            # Written so that a NaN from overflowing numbers is no inverse either.
            if not abs(entry - (i == j)) <= INVERSE_TOLERANCE:
                return False
    return True
