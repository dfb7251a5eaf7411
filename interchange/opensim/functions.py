"""OpenSim's functions of one coordinate: constant, linear, polynomial, piecewise linear and splines."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..common.xml_tree import Node, numbers

NAMES = (
    "Constant",
    "LinearFunction",
    "PolynomialFunction",
    "PiecewiseLinearFunction",
    "SimmSpline",
    "NaturalCubicSpline",
    "GCVSpline",
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
    def _slopes(self) -> np.ndarray:
        return spline_slopes(np.array(self.x), np.array(self.y))

    def __call__(self, value: float) -> float:
        """The value at a coordinate."""
        if self.kind in ("line", "polynomial"):
            return self.factor * float(np.polyval(self.coefficients, value))
        if self.kind == "piecewise":
            return self.factor * float(np.interp(value, self.x, self.y))
        return self.factor * spline_value(np.array(self.x), np.array(self.y), self._slopes, value)


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
    return Function("piecewise" if node.tag == "PiecewiseLinearFunction" else "spline", xs, ys)


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


def spline_value(x: np.ndarray, y: np.ndarray, slopes: np.ndarray, value: float) -> float:
    """Cubic Hermite between the points, straight beyond them."""
    if value <= x[0]:
        return float(y[0] + slopes[0] * (value - x[0]))
    if value >= x[-1]:
        return float(y[-1] + slopes[-1] * (value - x[-1]))
    i = int(np.searchsorted(x, value, side="right")) - 1
    h = x[i + 1] - x[i]
    t = (value - x[i]) / h
    return float(
        (1 + 2 * t) * (1 - t) ** 2 * y[i]
        + t * (1 - t) ** 2 * h * slopes[i]
        + t * t * (3 - 2 * t) * y[i + 1]
        + t * t * (t - 1) * h * slopes[i + 1]
    )
