"""Mass properties: joining and cutting rigid pieces, and moving them.

A `Piece` is a mass with its centre and its inertia matrix about that centre, all in one common frame.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Piece:
    """Mass (kg), centre (3,) in m, inertia (3, 3) in kg m2 about the centre along the axes of the common frame."""

    mass: float
    centre: np.ndarray
    inertia: np.ndarray


def _point_inertia(mass: float, offset: np.ndarray) -> np.ndarray:
    """Inertia of a point mass about the origin of `offset` (parallel-axis term)."""
    return mass * (float(offset @ offset) * np.eye(3) - np.outer(offset, offset))


def join(pieces: list[Piece]) -> Piece:
    """One piece with the mass, first and second moments of all (parallel-axis theorem)."""
    mass = sum(piece.mass for piece in pieces)
    centre = sum(piece.mass * piece.centre for piece in pieces) / mass
    inertia = sum(piece.inertia + _point_inertia(piece.mass, piece.centre - centre) for piece in pieces)
    return Piece(mass, centre, inertia)


def cut(whole: Piece, parts: list[Piece]) -> Piece:
    """What is left of `whole` when `parts` are taken out, so that `join([rest, *parts])` is `whole` again."""
    mass = whole.mass - sum(part.mass for part in parts)
    centre = (whole.mass * whole.centre - sum(part.mass * part.centre for part in parts)) / mass
    inertia = whole.inertia + _point_inertia(whole.mass, whole.centre - centre)
    for part in parts:
        inertia = inertia - part.inertia - _point_inertia(part.mass, part.centre - centre)
    return Piece(mass, centre, inertia)


def solid_ellipsoid(mass: float, centre: ArrayLike, semi_axes: ArrayLike) -> Piece:
    """Homogeneous solid ellipsoid along the axes: I_xx = m (b^2 + c^2) / 5 and so on."""
    a, b, c = (float(s) ** 2 for s in semi_axes)
    return Piece(mass, np.asarray(centre, float), np.diag([b + c, a + c, a + b]) * mass / 5.0)


def inertia_six(inertia: np.ndarray) -> tuple[float, ...]:
    """(3, 3) matrix to the file's [Ixx, Iyy, Izz, Ixy, Iyz, Ixz] with products of inertia (minus the off-diagonals)."""
    return (
        inertia[0, 0],
        inertia[1, 1],
        inertia[2, 2],
        -inertia[0, 1],
        -inertia[1, 2],
        -inertia[0, 2],
    )
