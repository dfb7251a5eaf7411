"""Three numbers that are worked on at once: the lanes of a processor's vector instructions.

Compiled, `Lanes` are a vector of the processor (`lane_types`); interpreted, the class below, whose operators do to each
number what the compiled ones do, in the same order and with the same rounding. So a formula written with lanes gives
the very numbers that it gives one number at a time. Rows of arrays that are kept by lanes have room for four numbers,
as the processor reads and writes four at once; what the fourth is does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import decorators as jit
from .stand_ins import LaneOperation


class Lanes(tuple):
    """Three numbers (x, y, z) with arithmetic by element; a number on the left of a product counts for all."""

    __slots__ = ()

    def __add__(self, other: Lanes) -> Lanes:  # type: ignore[override]
        return Lanes((self[0] + other[0], self[1] + other[1], self[2] + other[2]))

    def __sub__(self, other: Lanes) -> Lanes:
        return Lanes((self[0] - other[0], self[1] - other[1], self[2] - other[2]))

    def __mul__(self, other: Lanes) -> Lanes:  # type: ignore[override]
        return Lanes((self[0] * other[0], self[1] * other[1], self[2] * other[2]))

    def __rmul__(self, other: float) -> Lanes:  # type: ignore[override]
        return Lanes((other * self[0], other * self[1], other * self[2]))


def _operation(function: Callable[..., Any]) -> Any:
    """The function itself where the engine runs interpreted; else what stands for its compiled form."""
    return LaneOperation(function) if jit.IS_COMPILED else function


@_operation
def lanes(x: float, y: float, z: float) -> Lanes:
    """Lanes of three numbers."""
    return Lanes((x, y, z))


@_operation
def lane(a: Lanes, k: int) -> float:
    """Number k of lanes; k is written as 0, 1 or 2."""
    return a[k]


@_operation
def spread(a: Lanes, k: int) -> Lanes:
    """Number k in every lane; k is written as 0, 1 or 2."""
    return Lanes((a[k], a[k], a[k]))


@_operation
def picked(a: Lanes, b: Lanes, i: int, j: int, k: int) -> Lanes:
    """Three of six numbers: 0, 1, 2 are those of a, 3, 4, 5 those of b; i, j and k are written as numbers."""
    both = (*a, *b)
    return Lanes((both[i], both[j], both[k]))


@_operation
def transposed(a: Lanes, b: Lanes, c: Lanes) -> tuple[Lanes, Lanes, Lanes]:
    """Columns of the matrix whose rows are a, b and c."""
    return Lanes((a[0], b[0], c[0])), Lanes((a[1], b[1], c[1])), Lanes((a[2], b[2], c[2]))


@_operation
def lanes_at(a: Any, i: int, k: int) -> Lanes:
    """Elements k, k+1, k+2 of row i, where a fourth may be read: of the row, the next one or room behind."""
    return Lanes((float(a[i, k]), float(a[i, k + 1]), float(a[i, k + 2])))


@_operation
def put_lanes(a: Any, i: int, k: int, v: Lanes) -> None:
    """Write elements k, k+1, k+2 of row i, where the row has a fourth, which may be overwritten."""
    a[i, k], a[i, k + 1], a[i, k + 2] = v


@_operation
def three_at(a: Any, i: int, k: int) -> Lanes:
    """Elements k, k+1, k+2 of row i, and no more."""
    return Lanes((float(a[i, k]), float(a[i, k + 1]), float(a[i, k + 2])))


@_operation
def put_three(a: Any, i: int, k: int, v: Lanes) -> None:
    """Write elements k, k+1, k+2 of row i, and no more."""
    a[i, k], a[i, k + 1], a[i, k + 2] = v
