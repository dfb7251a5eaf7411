"""Smooth functions of one number as pieces of polynomials, with their first and second derivatives.

A piece begins at a place x0 and holds until the next one; its value is the sum of c_k (x - x0)^k. The first piece holds
before its beginning too. A polynomial is one piece that begins at zero, a spline one piece for each interval and a
straight one beyond either end.
"""

from collections import namedtuple
from collections.abc import Sequence

import numpy as np

from ..jit.decorators import compiled
from .packing import floats, starts

Piece = tuple[float, tuple[float, ...]]
"""(where it begins, coefficients by rising power)"""


def spline_slopes(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Slopes at the points of a cubic spline whose third derivative at each end is that of the cubic through the four
    points there (Forsythe, Malcolm and Moler 1977, which SIMM and OpenSim use); through three points a parabola."""
    n = len(x)
    h, secant = np.diff(x), np.diff(y) / np.diff(x)
    if n == 2:
        return np.array([secant[0], secant[0]])
    matrix, right = np.zeros((n, n)), np.zeros(n)
    # unknown second derivatives / 6 at the points
    for i in range(1, n - 1):
        matrix[i, i - 1 : i + 2] = h[i - 1], 2.0 * (h[i - 1] + h[i]), h[i]
        right[i] = secant[i] - secant[i - 1]
    matrix[0, :2] = -h[0], h[0]
    matrix[-1, -2:] = h[-1], -h[-1]
    if n > 3:
        first = [(secant[i + 1] - secant[i]) / (x[i + 2] - x[i]) for i in (0, 1)]
        last = [(secant[i + 1] - secant[i]) / (x[i + 2] - x[i]) for i in (n - 4, n - 3)]
        right[0] = h[0] ** 2 * (first[1] - first[0]) / (x[3] - x[0])
        right[-1] = -(h[-1] ** 2) * (last[1] - last[0]) / (x[-1] - x[-4])
    bend = np.linalg.solve(matrix, right)
    slopes = np.empty(n)
    slopes[:-1] = secant - h * (bend[1:] + 2.0 * bend[:-1])
    slopes[-1] = secant[-1] + h[-1] * (bend[-2] + 2.0 * bend[-1])
    return slopes


def spline_pieces(points: Sequence[Sequence[float]]) -> list[Piece]:
    """Pieces of the cubic spline through points (x, y) of rising x, straight beyond them (`spline_slopes`)."""
    x, y = np.array(points, dtype=float).T
    if len(x) == 1:
        return [(0.0, (float(y[0]),))]
    slopes = spline_slopes(x, y)
    pieces: list[Piece] = [(float(x[0]), (float(y[0]), float(slopes[0])))]
    for h, rise, start, y0, s0, s1 in zip(
        np.diff(x), np.diff(y), x[:-1], y[:-1], slopes[:-1], slopes[1:], strict=True
    ):
        c2 = (3.0 * rise / h - 2.0 * s0 - s1) / h
        c3 = (s0 + s1 - 2.0 * rise / h) / h**2
        pieces.append((float(start), (float(y0), float(s0), float(c2), float(c3))))
    return [*pieces, (float(x[-1]), (float(y[-1]), float(slopes[-1])))]


def polynomial_pieces(terms: Sequence[Sequence[float]]) -> list[Piece]:
    """The piece of a polynomial given by rows of power and coefficient."""
    coefficients = [0.0] * (1 + max(int(power) for power, _ in terms))
    for power, coefficient in terms:
        coefficients[int(power)] = float(coefficient)
    return [(0.0, tuple(coefficients))]


PieceTable = namedtuple(
    "PieceTable",
    [
        "first",  # (r + 1,) pieces of a function
        "start",  # (p,) where pieces begin
        "offset",  # (p + 1,) coefficients of a piece
        "coefficient",  # (c,) by rising power
    ],
)


def piece_table(functions: Sequence[Sequence[Piece]]) -> PieceTable:
    """Functions as compiled code takes them."""
    pieces = [piece for function in functions for piece in function]
    return PieceTable(
        first=starts(map(len, functions)),
        start=floats(start for start, _ in pieces),
        offset=starts(len(coefficients) for _, coefficients in pieces),
        coefficient=floats(c for _, coefficients in pieces for c in coefficients),
    )


def value_of(pieces: Sequence[Piece], at: float) -> float:
    """Value at a place."""
    start, coefficients = pieces[0]
    for piece in pieces[1:]:
        if at < piece[0]:
            break
        start, coefficients = piece
    total = 0.0
    for coefficient in reversed(coefficients):
        total = total * (at - start) + coefficient
    return total


@compiled
def piecewise(table, function, at):
    """(value, first, second derivative) of a function of a `PieceTable` at a place."""
    k = table.first[function]
    last = table.first[function + 1] - 1
    while k < last and at >= table.start[k + 1]:
        k += 1
    x = at - float(table.start[k])
    value = 0.0
    slope = 0.0
    bend = 0.0
    for j in range(table.offset[k + 1] - 1, table.offset[k] - 1, -1):
        bend = bend * x + 2.0 * slope
        slope = slope * x + value
        value = value * x + float(table.coefficient[j])
    return value, slope, bend
