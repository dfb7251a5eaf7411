"""From authored force curves to `CurvePoints`: checks, the unloading curve, and what happens past the last point."""

import math
from functools import lru_cache

import numpy as np

from ..maths.hysteresis import CurvePoints, make_points
from ..spec import Curve
from ..spec.materials import DEFAULT_LOADING, common_depths, curve_points, slope_beyond

DEEPEST_SAMPLE = 0.3
"""m: a power law turned into a curve is sampled to here and goes on straight."""
FINEST_SAMPLE = 1.0e-5
SAMPLE_RATIO = 1.2
"""Ratio of successive sampled depths: for exponent 1.5 the chords are within 0.4 % of the power law."""


def authored_curve(
    loading: Curve, unloading: Curve | None, energy_retention: float, beyond_last: str
) -> CurvePoints:
    """Curve of one surface. Kept for the next time, as the runs of a sweep mostly share their curves.

    loading: (m, N) points from (0, 0). unloading: points of the unloading curve, nowhere above the loading curve;
    straight between its points, constant before the first, past the last in constant proportion to the loading
    curve. Without it the unloading curve is `energy_retention` times the loading curve. beyond_last: "extend" goes on
    with the last slope, or level where that falls; "hold" goes on level.
    """
    given = tuple(map(tuple, unloading)) if unloading is not None and len(unloading) else None
    authored = loading if len(loading) else DEFAULT_LOADING
    return _authored(tuple(map(tuple, authored)), given, energy_retention, beyond_last)


@lru_cache(maxsize=4096)
def _authored(
    loading: Curve, unloading: Curve | None, energy_retention: float, beyond_last: str
) -> CurvePoints:
    """`authored_curve` of tuples. The arrays cannot be written to."""
    points = curve_points(loading)
    depth, force = points[:, 0], points[:, 1]
    if unloading is None:
        unload = energy_retention * force
    else:
        depth, force, unload = common_depths(points, curve_points(unloading), beyond_last)
        unload = np.minimum(unload, force)
    return locked(_with_unloading(depth, force, unload, slope_beyond(points, beyond_last)))


def locked(points: CurvePoints) -> CurvePoints:
    """The curve, with arrays that cannot be written to."""
    for column in points:
        column.setflags(write=False)
    return points


def _with_unloading(
    depth: np.ndarray, force: np.ndarray, unload: np.ndarray, last_slope: float
) -> CurvePoints:
    """Segments through the points; the last goes on with `last_slope`, its unloading in proportion."""
    step = np.diff(depth)
    ratio = unload[-1] / force[-1] if force[-1] > 0.0 else 0.0
    slope = np.append(np.diff(force) / step, last_slope)
    unload_slope = np.append(np.diff(unload) / step, ratio * last_slope)
    return make_points(depth, force, slope, unload, unload_slope)


def power_curve(stiffness: float, exponent: float) -> CurvePoints:
    """The elastic power law k x^n as a curve that gives all energy back, to be put in series with other curves."""
    if exponent == 1.0:
        depth = np.array([0.0, DEEPEST_SAMPLE])
    else:
        count = math.ceil(math.log(DEEPEST_SAMPLE / FINEST_SAMPLE) / math.log(SAMPLE_RATIO))
        depth = np.append(0.0, np.geomspace(FINEST_SAMPLE, DEEPEST_SAMPLE, count + 1))
    force = stiffness * depth**exponent
    last_slope = exponent * stiffness * DEEPEST_SAMPLE ** (exponent - 1.0)
    return _with_unloading(depth, force, force, last_slope)


def scaled_force(points: CurvePoints, factor: float) -> CurvePoints:
    """The same depths with every force times `factor`."""
    return CurvePoints(points.depth, *(factor * values for values in points[1:]))


def depth_at_force(points: CurvePoints, force: float) -> float:
    """Penetration (m) at which the loading curve first reaches `force` (N); infinite where it never does."""
    reached = np.flatnonzero(points.force >= force)
    i = int(reached[0]) - 1 if len(reached) else len(points.force) - 1
    if i < 0:
        return 0.0
    rise = force - points.force[i]
    if rise <= 0.0:
        return float(points.depth[i])
    return float(points.depth[i] + rise / points.slope[i]) if points.slope[i] > 0.0 else math.inf
