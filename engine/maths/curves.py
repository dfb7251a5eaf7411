"""Piecewise-linear curves kept end to end in two flat arrays."""

from ..jit.decorators import compiled


@compiled
def curve_segment(x, first, last, at):
    """Index k of the segment [x[k], x[k + 1]] that holds `at` (the first or last one outside), points first..last-1.

    Looked for from the middle on: curves of joints have their zero there, and are mostly near it."""
    k = (first + last - 2) // 2
    while k > first and at <= x[k]:
        k -= 1
    while k < last - 2 and at > x[k + 1]:
        k += 1
    return k


@compiled
def curve_extended(x, y, first, last, at):
    """(value, slope) of the curve, going on with its end slopes; it has two points or more."""
    k = curve_segment(x, first, last, at)
    slope = (float(y[k + 1]) - float(y[k])) / (float(x[k + 1]) - float(x[k]))
    return float(y[k]) + slope * (at - float(x[k])), slope


@compiled
def curve_held(x, y, first, last, at):
    """Value of the curve, held at its end values; it has one point or more."""
    if last - first == 1 or at <= x[first]:
        return float(y[first])
    if at >= x[last - 1]:
        return float(y[last - 1])
    value, _ = curve_extended(x, y, first, last, at)
    return value


@compiled
def table_row(table, first, last, t):
    """Row r with table[r, 0] <= t < table[r + 1, 0], held at both ends of rows first to last - 1."""
    r = first
    while r + 2 < last and table[r + 1, 0] <= t:
        r += 1
    return r
