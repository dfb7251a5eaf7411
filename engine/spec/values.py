"""The shapes of plain values in specs, and the neutral ones."""

Vector = tuple[float, float, float]
Matrix3 = tuple[Vector, Vector, Vector]
Matrix4 = tuple[tuple[float, ...], ...]
Curve = tuple[tuple[float, float], ...]
"""Piecewise-linear curve as (abscissa, ordinate) points with strictly increasing abscissa."""

IDENTITY3: Matrix3 = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
IDENTITY4: Matrix4 = (
    (1.0, 0.0, 0.0, 0.0),
    (0.0, 1.0, 0.0, 0.0),
    (0.0, 0.0, 1.0, 0.0),
    (0.0, 0.0, 0.0, 1.0),
)
STANDARD_GRAVITY = 9.80665
"""m/s2: the unit g of decelerations, injury criteria and loads in files (CGPM 1901)."""
