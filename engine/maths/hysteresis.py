"""Piecewise-linear force curves that remember the deepest penetration: evaluation in compiled code.

Loading follows the curve F(x). From the deepest penetration m the force leaves *continuously* on the path

    P(x; m) = h G(x; m) + (1 - h) G(m - (m - x) / k; m)        k = r / 2,   h = r / (2 - r)

with G(x; m) the least force of the curve between x and m (the curve itself where it does not fall) and r the share of
the energy given back at this depth. The first part is the loading curve scaled down, the shape in which unloading
curves are usually measured; the second is the loading curve squeezed towards m, which joins it to F(m) without a jump.
Since squeezing by k scales the area by k, the area under P is exactly (h + (1 - h) k) = r times that under G, at every
depth and for every curve: restitution is sqrt(r). P is zero at zero penetration and not before, so contact ends where
the surfaces part. Reloading follows P back to m and then the curve. r = 1 gives P = F, an elastic surface.

No energy is made on any path: the stored energy at the deepest point is r W_G(m), whose growth with m is at most F(m)
(r W is the area under the unloading curve, which nowhere passes the loading curve, and G can only shrink where the
curve falls). Where the curve falls (a bonnet past its peak) G is below F: the energy of the collapse is lost, and an
unloading surface never pushes harder than at the moment it began to unload.

Surfaces in contact and springs in joints have it; for a joint read angle for penetration and torque for force.
docs/derivations.md, Hysteresis, has the derivation and what it replaces.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..jit.decorators import compiled, inlined

POINT_DEPTH, POINT_FORCE, POINT_SLOPE, POINT_WORK = 0, 1, 2, 3
POINT_UNLOAD, POINT_UNLOAD_SLOPE, POINT_RETURNED = 4, 5, 6
"""Columns of packed `CurvePoints`."""

LEAST_RETENTION = 1.0e-3
"""Smallest share of energy given back. Zero would need an infinitely steep path; this is a restitution of 0.03."""


class CurvePoints(NamedTuple):
    """Segments of one curve, while it is built. Segment i runs from depth[i] to depth[i + 1]; the last has no end.

    Kernels read the same numbers `packed`, one column per field in this order (`POINT_...`).
    """

    depth: np.ndarray
    """m, ascending, first 0."""
    force: np.ndarray
    """N at the start of the segment."""
    slope: np.ndarray
    """N/m along the segment; the last is never negative."""
    work: np.ndarray
    """J: area under the loading curve up to the start of the segment."""
    unload: np.ndarray
    """N: unloading force at the start of the segment. May jump between segments; only its area is used."""
    unload_slope: np.ndarray
    """N/m"""
    returned: np.ndarray
    """J: area under the unloading curve up to the start of the segment."""

    def packed(self) -> np.ndarray:
        """(n, 7) array for the kernels."""
        return np.column_stack(self)


def make_points(
    depth: Sequence[float],
    force: Sequence[float],
    slope: Sequence[float],
    unload: Sequence[float],
    unload_slope: Sequence[float],
) -> CurvePoints:
    """Segments with the areas under loading and unloading added up exactly."""
    x, f, s, u, us = (np.array(values, dtype=float) for values in (depth, force, slope, unload, unload_slope))
    t = np.diff(x)
    work = np.concatenate(([0.0], np.cumsum(t * (f[:-1] + 0.5 * t * s[:-1]))))
    returned = np.concatenate(([0.0], np.cumsum(t * (u[:-1] + 0.5 * t * us[:-1]))))
    return CurvePoints(x, f, s, work, u, us, returned)


@compiled
def segment_at(points, start, end, x):
    """Row of the segment of the curve in rows [start, end) that holds penetration x >= 0 (m)."""
    low = start
    high = end
    while high - low > 1:
        middle = (low + high) // 2
        if points[middle, POINT_DEPTH] <= x:
            low = middle
        else:
            high = middle
    return low


@compiled
def loading_force(points, start, end, x):
    """Force (N) and slope (N/m) of the loading curve at penetration x (m)."""
    if x <= 0.0:
        return 0.0, float(points[start, POINT_SLOPE])
    i = segment_at(points, start, end, x)
    slope = float(points[i, POINT_SLOPE])
    return float(points[i, POINT_FORCE]) + slope * (x - float(points[i, POINT_DEPTH])), slope


@compiled
def loading_work_to(points, start, end, x):
    """Area (J) under the loading curve up to penetration x (m)."""
    i = segment_at(points, start, end, x)
    t = x - float(points[i, POINT_DEPTH])
    mean = float(points[i, POINT_FORCE]) + 0.5 * t * float(points[i, POINT_SLOPE])
    return float(points[i, POINT_WORK]) + t * mean


@compiled
def retention_at(points, i, deepest):
    """Share of the energy given back from `deepest` (m), in segment i: area of unloading over area of loading."""
    t = deepest - float(points[i, POINT_DEPTH])
    force = float(points[i, POINT_FORCE]) + 0.5 * t * float(points[i, POINT_SLOPE])
    unload = float(points[i, POINT_UNLOAD]) + 0.5 * t * float(points[i, POINT_UNLOAD_SLOPE])
    loaded = float(points[i, POINT_WORK]) + t * force
    given = float(points[i, POINT_RETURNED]) + t * unload
    if loaded <= 0.0:
        return 1.0
    return min(1.0, max(LEAST_RETENTION, given / loaded))


@compiled
def path_split(retention):
    """(h, k) of the unloading path: share that follows the scaled curve, and how much the rest is squeezed."""
    return retention / (2.0 - retention), 0.5 * retention


@compiled
def least_force_ahead(points, start, last, x, top):
    """G and its slope: the least loading force from penetration x to the deepest (in segment `last`, force `top`)."""
    if x <= 0.0:
        return 0.0, 0.0
    i = segment_at(points, start, last + 1, x)
    slope = float(points[i, POINT_SLOPE])
    least = float(points[i, POINT_FORCE]) + slope * (x - float(points[i, POINT_DEPTH]))
    for j in range(i + 1, last + 1):
        if points[j, POINT_FORCE] < least:
            least = float(points[j, POINT_FORCE])
            slope = 0.0
    if top < least:
        least = top
        slope = 0.0
    return least, max(0.0, slope)


@inlined
def unloading_path(points, start, end, deepest):
    """(last segment, its force at the deepest (N), share, squeeze) of the path from `deepest` (m): see `path_split`."""
    last = segment_at(points, start, end, deepest)
    share, squeeze = path_split(retention_at(points, last, deepest))
    top = float(points[last, POINT_FORCE])
    top += float(points[last, POINT_SLOPE]) * (deepest - float(points[last, POINT_DEPTH]))
    return last, top, share, squeeze


@compiled
def unloading_force(points, start, end, x, deepest):
    """Force (N) and slope (N/m) on the unloading and reloading path from `deepest`, at penetration x <= deepest (m)."""
    last, top, share, squeeze = unloading_path(points, start, end, deepest)
    return force_on_path(points, start, last, top, share, squeeze, x, deepest)


@inlined
def force_on_path(points, start, last, top, share, squeeze, x, deepest):
    """`unloading_force` on a path that is known."""
    scaled, scaled_slope = least_force_ahead(points, start, last, x, top)
    ahead = deepest - (deepest - x) / squeeze
    squeezed, squeezed_slope = least_force_ahead(points, start, last, ahead, top)
    force = share * scaled + (1.0 - share) * squeezed
    return force, share * scaled_slope + (1.0 - share) * squeezed_slope / squeeze
