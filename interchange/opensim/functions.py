"""OpenSim's functions of one coordinate: constant, linear, polynomial, piecewise linear and splines."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...engine.maths.piecewise import Piece, spline_pieces, value_of
from ...engine.spec import Curve
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
    return Function("piecewise" if node.tag == "PiecewiseLinearFunction" else "spline", xs, ys)
