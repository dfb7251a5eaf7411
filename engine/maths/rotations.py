"""Rotations for set-up and read-out, over NumPy arrays (the hot loop has its own in `vector`).

Euler angles are ZYX in degrees: R = Rz(a) Ry(b) Rx(c), the order of joint angles in model and scenario files.
"""

from collections.abc import Sequence
from math import atan2

import numpy as np


def matrix_from_zyx(angles: Sequence[float]) -> np.ndarray:
    """(3, 3) rotation matrix of ZYX angles in degrees."""
    radians = np.radians(np.asarray(angles, dtype=float))  # an int of any size may come from a file
    (sa, sb, sc), (ca, cb, cc) = np.sin(radians), np.cos(radians)
    return np.array(
        [
            [ca * cb, ca * sb * sc - sa * cc, ca * sb * cc + sa * sc],
            [sa * cb, sa * sb * sc + ca * cc, sa * sb * cc - ca * sc],
            [-sb, cb * sc, cb * cc],
        ]
    )


def zyx_from_matrix(matrix: np.ndarray) -> np.ndarray:
    """(..., 3) ZYX angles in degrees of (..., 3, 3) rotation matrices; at |Y| = 90 degrees X is taken as zero."""
    m = np.asarray(matrix, dtype=float)
    cos_b = np.hypot(m[..., 0, 0], m[..., 1, 0])
    locked = cos_b < 1e-12
    a = atan2_of(np.where(locked, -m[..., 0, 1], m[..., 1, 0]), np.where(locked, m[..., 1, 1], m[..., 0, 0]))
    b = atan2_of(-m[..., 2, 0], cos_b)
    c = np.where(locked, 0.0, atan2_of(m[..., 2, 1], m[..., 2, 2]))
    return np.degrees(np.stack([a, b, c], axis=-1))


def atan2_of(y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Angles in radians of arrays of one shape, by the C library, number by number.

    NumPy's own `arctan2` has one code for arrays that lie apart in memory and another for those it takes to overlap,
    with other last digits: the same run would not write the same files twice.
    """
    angles = map(atan2, y.ravel().tolist(), x.ravel().tolist())
    return np.fromiter(angles, dtype=float, count=y.size).reshape(y.shape)


def quaternion_from_matrix(matrix: np.ndarray) -> np.ndarray:
    """(4,) unit quaternion (w, x, y, z), w >= 0, of a (3, 3) rotation matrix.

    Picks the largest of the four squared components first (Shepperd's method), so no digit is lost in any posture.
    """
    m = np.asarray(matrix, dtype=float)
    squares = np.array(
        [
            1.0 + m[0, 0] + m[1, 1] + m[2, 2],
            1.0 + m[0, 0] - m[1, 1] - m[2, 2],
            1.0 - m[0, 0] + m[1, 1] - m[2, 2],
            1.0 - m[0, 0] - m[1, 1] + m[2, 2],
        ]
    )
    products = np.array(
        [
            [squares[0], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]],
            [m[2, 1] - m[1, 2], squares[1], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]],
            [m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], squares[2], m[1, 2] + m[2, 1]],
            [m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], squares[3]],
        ]
    )
    q = products[int(np.argmax(squares))]
    q = q / np.linalg.norm(q)
    return -q if q[0] < 0.0 else q


def matrix_from_quaternion(quaternion: np.ndarray) -> np.ndarray:
    """(..., 3, 3) rotation matrices of (..., 4) unit quaternions."""
    w, x, y, z = np.moveaxis(np.asarray(quaternion, dtype=float), -1, 0)
    return np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], -1),
            np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], -1),
            np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1),
        ],
        axis=-2,
    )


def inverse_transform(transform: np.ndarray) -> np.ndarray:
    """(4, 4) inverse of a rotation and a shift.

    Written out, because `np.linalg.inv` starts the threads of NumPy's linear algebra, which then keep a core busy that
    another run of a batch could use.
    """
    inverse = np.eye(4)
    inverse[:3, :3] = transform[:3, :3].T
    inverse[:3, 3] = -transform[:3, :3].T @ transform[:3, 3]
    return inverse


def cross_matrix(v: Sequence[float]) -> np.ndarray:
    """(3, 3) matrix of the vector product: cross_matrix(v) @ a == cross(v, a)."""
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
