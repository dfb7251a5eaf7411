"""OpenSim's functions of one coordinate: constant, linear, polynomial, piecewise linear and splines.

A GCVSpline is the natural spline of the degree 2 m - 1 through its points (m its half order, 3 where the file has none;
Woltring 1986, without smoothing), and is taken over as a cubic spline through many places of it.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from math import comb

import numpy as np

from ...engine.maths.piecewise import Piece, spline_pieces, value_of
from ...engine.spec import Curve
from ..common.xml_tree import Node, numbers

GCV, HALF_ORDER = "GCVSpline", 3
GCV_PARTS = 12
"""Places of a GCVSpline in each of its intervals at which a cubic spline meets it."""
NAMES = (
    "Constant",
    "LinearFunction",
    "PolynomialFunction",
    "PiecewiseLinearFunction",
    "SimmSpline",
    "NaturalCubicSpline",
    GCV,
    "MultiplierFunction",
)


@dataclass(frozen=True)
class Function:
    """A function y(x); `slope` and `offset` are given when it is a straight line."""

    kind: str
    x: tuple[float, ...] = ()
    y: tuple[float, ...] = ()
    coefficients: tuple[float, ...] = ()
    """Constant and line: (slope, offset). Polynomial: highest power first."""
    factor: float = 1.0

    @property
    def line(self) -> tuple[float, float] | None:
        """(slope, offset) of a straight line, a constant included; None for anything else."""
        if self.kind == "line":
            return self.factor * self.coefficients[0], self.factor * self.coefficients[1]
        if self.kind == "spline" and len(set(self.y)) == 1:
            return 0.0, self.factor * self.y[0]
        return None

    @cached_property
    def _pieces(self) -> list[Piece]:
        return spline_pieces(tuple(zip(self.x, self.y, strict=True)))

    def __call__(self, value: float) -> float:
        """The value at a coordinate."""
        if self.kind in ("line", "polynomial"):
            return self.factor * float(np.polyval(self.coefficients, value))
        if self.kind == "piecewise":
            return self.factor * float(np.interp(value, self.x, self.y))
        return self.factor * value_of(self._pieces, value)

    def lowered(self, by: float) -> "Function":
        """The function less a constant."""
        if self.kind in ("line", "polynomial"):
            *rest, last = self.coefficients
            return replace(
                self, coefficients=(*(self.factor * c for c in rest), self.factor * last - by), factor=1.0
            )
        return replace(self, y=tuple(self.factor * y - by for y in self.y), factor=1.0)

    @property
    def has_corners(self) -> bool:
        """Whether its slope jumps."""
        return self.kind == "piecewise"

    @property
    def terms(self) -> Curve:
        """Rows of power and coefficient of a line or a polynomial; empty for anything else."""
        if self.kind not in ("line", "polynomial"):
            return ()
        rising = enumerate(self.factor * c for c in reversed(self.coefficients))
        return tuple((float(power), float(c)) for power, c in rising if c) or ((0.0, 0.0),)

    @property
    def points(self) -> Curve:
        """Points of a spline; empty for a line or a polynomial."""
        return () if self.terms else tuple((x, self.factor * y) for x, y in zip(self.x, self.y, strict=True))


CONSTANT_ZERO = Function("line", coefficients=(0.0, 0.0))


def read_function(node: Node | None) -> Function | None:
    """The function that an element holds or is; None when there is none that is known."""
    found = node if node is not None and node.tag in NAMES else None
    if found is None and node is not None:
        below = (inner for child in node.children for inner in (child, *child.children))
        found = next((inner for inner in below if inner.tag in NAMES), None)
    if found is None:
        return None
    tag = found.tag
    if tag == "Constant":
        value = found.child("value")
        return Function("line", coefficients=(0.0, 0.0 if value is None else numbers(value, 1)[0]))
    if tag == "MultiplierFunction":
        inner, scale = read_function(found.child("function")), found.child("scale")
        factor = 1.0 if scale is None else numbers(scale, 1)[0]
        return None if inner is None else replace(inner, factor=inner.factor * factor)
    if tag in ("LinearFunction", "PolynomialFunction"):
        given = found.child("coefficients")
        coefficients = tuple(numbers(given)) if given is not None else (1.0, 0.0)
        if not coefficients or (tag == "LinearFunction" and len(coefficients) != 2):
            raise found.error(f"<{tag}> has {len(coefficients)} coefficients", "Write slope and offset")
        return Function("line" if len(coefficients) == 2 else "polynomial", coefficients=coefficients)
    return _points(found)


def _points(node: Node) -> Function:
    x, y = (node.child(axis) for axis in "xy")
    xs, ys = (tuple(numbers(part)) if part is not None else () for part in (x, y))
    if len(xs) != len(ys) or not xs or any(b <= a for a, b in zip(xs, xs[1:], strict=False)):
        raise node.error(f"<{node.tag}> needs as many y as x, and rising x", "Correct its points")
    if len(xs) == 1:
        return Function("line", coefficients=(0.0, ys[0]))
    if node.tag == GCV:
        given = node.child("half_order")
        xs, ys = natural_spline_points(xs, ys, HALF_ORDER if given is None else int(numbers(given, 1)[0]))
    return Function("piecewise" if node.tag == "PiecewiseLinearFunction" else "spline", xs, ys)


def natural_spline_points(
    x: tuple[float, ...], y: tuple[float, ...], half_order: int
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Many points of the natural spline of the degree 2 m - 1 through the points given, and of its ends one interval
    further, where it has the degree m - 1. m: half_order, at most the number of points."""
    order = max(1, min(half_order, len(x)))
    pieces = _natural_spline(np.array(x), np.array(y), order)
    shares = np.arange(GCV_PARTS) / GCV_PARTS
    edges = [2.0 * x[0] - x[1], *x, 2.0 * x[-1] - x[-2]]
    places = np.concatenate(
        [a + (b - a) * shares for a, b in zip(edges, edges[1:], strict=False)] + [edges[-1:]]
    )
    k = np.clip(np.searchsorted(x, places, side="right") - 1, 0, len(x) - 2)
    values = [np.polyval(pieces[i][::-1], place - x[i]) for i, place in zip(k, places, strict=True)]
    # past an end only the powers below m count: the others are zero there
    first, last = pieces[0][:order], _moved(pieces[-1], x[-1] - x[-2])[:order]
    for n, place in enumerate(places):
        if place < x[0] or place > x[-1]:
            end, at = (first, x[0]) if place < x[0] else (last, x[-1])
            values[n] = np.polyval(end[::-1], place - at)
    return tuple(map(float, places)), tuple(map(float, values))


def _natural_spline(x: np.ndarray, y: np.ndarray, order: int) -> np.ndarray:
    """(n - 1, 2 m) coefficients by rising power, from the beginning of each interval: through the points, derivatives
    up to 2 m - 2 without a jump, those from m to 2 m - 2 zero at both ends."""
    count, width = len(x) - 1, 2 * order
    h, powers = np.diff(x), np.arange(width)
    # unknowns are coefficients times h^power, so that all are alike in size
    ends = np.array(
        [[np.prod(powers[p] - np.arange(d)) for p in powers] for d in range(width - 1)], dtype=float
    )
    rows, right = [], []

    def equation(terms: list[tuple[int, np.ndarray]], value: float) -> None:
        row = np.zeros(count * width)
        for k, part in terms:
            row[k * width : (k + 1) * width] += part
        rows.append(row)
        right.append(value)

    at_start = [np.where(powers == d, ends[d], 0.0) for d in range(width - 1)]
    for k in range(count):
        equation([(k, at_start[0])], y[k])
        equation([(k, ends[0])], y[k + 1])
    for k in range(count - 1):
        for d in range(1, width - 1):
            equation([(k, ends[d]), (k + 1, -at_start[d] * (h[k] / h[k + 1]) ** d)], 0.0)
    for d in range(order, width - 1):
        equation([(0, at_start[d])], 0.0)
        equation([(count - 1, ends[d])], 0.0)
    found = np.linalg.solve(np.array(rows), np.array(right)).reshape(count, width)
    return found / h[:, None] ** powers


def _moved(coefficients: np.ndarray, by: float) -> np.ndarray:
    """Coefficients by rising power of the same polynomial counted from a place further on."""
    powers = np.arange(len(coefficients))
    return np.array([
        sum(coefficients[p] * comb(int(p), d) * by ** (int(p) - d) for p in powers[d:]) for d in powers
    ])  # fmt: skip
