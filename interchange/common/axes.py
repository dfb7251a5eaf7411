"""From y up to z up, and rotations in the forms that other programs write.

Hyfydy and OpenSim have x forward, y up and z to the right; Mannequin has x forward, y to the left and z up. All frames
(world, bodies, joints) are turned in the same way, so numbers change places and signs and no digit is lost:

    (x, y, z) of theirs is (x, -z, y) of ours.
"""

from collections.abc import Sequence

import numpy as np

from ...engine.maths.rotations import matrix_from_quaternion
from ...engine.spec import Vector

Z_UP_FROM_Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""(3, 3): coordinates with y up to coordinates with z up; a rotation of 90 degrees about x."""

ROUND_OFF = 4e-16
"""Entries of a rotation matrix this close to 0, 1 or -1 are taken to be that."""


def z_up(vector: Sequence[float]) -> Vector:
    """A point, direction, angular velocity or torque with y up, with z up."""
    x, y, z = (float(value) for value in vector)
    return (x, 0.0 - z, y)


def y_up(vector: Sequence[float]) -> Vector:
    """The inverse of `z_up`."""
    x, y, z = (float(value) for value in vector)
    return (x, z, 0.0 - y)


def turned_z_up(rotation: np.ndarray) -> np.ndarray:
    """(3, 3) rotation between two frames with y up, as rotation between the same frames with z up."""
    return clean(Z_UP_FROM_Y_UP @ rotation @ Z_UP_FROM_Y_UP.T)


def clean(rotation: np.ndarray) -> np.ndarray:
    """The matrix with entries that miss 0, 1 or -1 by round-off corrected."""
    nearest = np.round(rotation)
    return np.where(np.abs(rotation - nearest) < ROUND_OFF, nearest, rotation) + 0.0


def matrix_from_xyz(angles: Sequence[float]) -> np.ndarray:
    """(3, 3) rotation of body-fixed x-y-z angles in radians: R = Rx(a) Ry(b) Rz(c)."""
    (sa, sb, sc), (ca, cb, cc) = np.sin(angles), np.cos(angles)
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, ca, -sa], [0.0, sa, ca]])
    about_y = np.array([[cb, 0.0, sb], [0.0, 1.0, 0.0], [-sb, 0.0, cb]])
    about_z = np.array([[cc, -sc, 0.0], [sc, cc, 0.0], [0.0, 0.0, 1.0]])
    return clean(about_x @ about_y @ about_z)


def xyz_from_matrix(rotation: np.ndarray) -> np.ndarray:
    """(3,) body-fixed x-y-z angles in radians; at |b| = 90 degrees c is taken as zero."""
    m = np.asarray(rotation, dtype=float)
    cos_b = np.hypot(m[0, 0], m[0, 1])
    b = np.arctan2(m[0, 2], cos_b)
    if cos_b < 1e-12:
        return np.array([np.arctan2(m[2, 1], m[1, 1]), b, 0.0])
    return np.array([np.arctan2(-m[1, 2], m[2, 2]), b, np.arctan2(-m[0, 1], m[0, 0])])


def matrix_from_unit_quaternion(quaternion: Sequence[float]) -> np.ndarray:
    """(3, 3) rotation of (w, x, y, z), made of unit length first."""
    q = np.asarray(quaternion, dtype=float)
    return clean(matrix_from_quaternion(q / np.linalg.norm(q)))


def transform(rotation: np.ndarray, position: Sequence[float]) -> np.ndarray:
    """(4, 4) of a rotation and a position."""
    result = np.eye(4)
    result[:3, :3] = rotation
    result[:3, 3] = position
    return result


def rows(matrix: np.ndarray) -> tuple[tuple[float, ...], ...]:
    """Nested tuples of an array, as specs hold them."""
    return tuple(tuple(float(value) for value in row) for row in matrix)


def vector3(array: Sequence[float]) -> Vector:
    """Tuple of three floats, without minus zeros."""
    x, y, z = (float(value) + 0.0 for value in array)
    return (x, y, z)


def signed_axis(direction: np.ndarray, tolerance: float = 1e-6) -> tuple[int, float] | None:
    """(axis number, sign) of a direction along a coordinate axis; None when it is along none."""
    axis = int(np.argmax(np.abs(direction)))
    unit = np.zeros(3)
    unit[axis] = np.sign(direction[axis])
    return (axis, float(unit[axis])) if np.abs(direction - unit).max() <= tolerance else None


def neat(value: float) -> float:
    """A computed number to 15 digits: what a person typed comes back as typed."""
    return float(f"{value:.15g}")
