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

This replaces OpenMBD's jump to 25 % of the force at any decrease of penetration (reference.md O14, D8).
"""

from typing import NamedTuple

import numpy as np

from ..jit import compiled

LEAST_RETENTION = 1.0e-3
"""Smallest share of energy given back. Zero would need an infinitely steep path; this is a restitution of 0.03."""


class CurvePoints(NamedTuple):
    """Segments of one or many curves, flat. Segment i runs from depth[i] to depth[i + 1]; a curve's last has no end."""

    depth: np.ndarray
    """m, ascending within a curve, first 0."""
    force: np.ndarray
    """N at the start of the segment."""
    slope: np.ndarray
    """N/m along the segment; the last of a curve is never negative."""
    work: np.ndarray
    """J: area under the loading curve up to the start of the segment."""
    unload: np.ndarray
    """N: unloading force at the start of the segment. May jump between segments; only its area is used."""
    unload_slope: np.ndarray
    """N/m"""
    returned: np.ndarray
    """J: area under the unloading curve up to the start of the segment."""


@compiled
def segment_at(depth, start, end, x):
    """Index of the segment of the curve [start, end) that holds penetration x >= 0."""
    low = start
    high = end
    while high - low > 1:
        middle = (low + high) // 2
        if depth[middle] <= x:
            low = middle
        else:
            high = middle
    return low


@compiled
def loading_force(points, start, end, x):
    """Force (N) and slope (N/m) of the loading curve at penetration x (m)."""
    if x <= 0.0:
        return 0.0, float(points.slope[start])
    i = segment_at(points.depth, start, end, x)
    slope = float(points.slope[i])
    return float(points.force[i]) + slope * (x - float(points.depth[i])), slope


@compiled
def retention_at(points, start, end, deepest):
    """Share of the loading energy that is given back from `deepest` (m): area of unloading over area of loading."""
    i = segment_at(points.depth, start, end, deepest)
    t = deepest - float(points.depth[i])
    loaded = float(points.work[i]) + t * (float(points.force[i]) + 0.5 * t * float(points.slope[i]))
    given = float(points.returned[i]) + t * (
        float(points.unload[i]) + 0.5 * t * float(points.unload_slope[i])
    )
    if loaded <= 0.0:
        return 1.0
    return min(1.0, max(LEAST_RETENTION, given / loaded))


@compiled
def path_split(retention):
    """(h, k) of the unloading path: share that follows the scaled curve, and how much the rest is squeezed."""
    return retention / (2.0 - retention), 0.5 * retention


@compiled
def least_force_ahead(points, start, end, x, deepest, force_deepest):
    """G and its slope: the least loading force between penetration x and `deepest`, where it is `force_deepest`."""
    if x <= 0.0:
        return 0.0, 0.0
    i = segment_at(points.depth, start, end, x)
    last = segment_at(points.depth, start, end, deepest)
    slope = float(points.slope[i])
    least = float(points.force[i]) + slope * (x - float(points.depth[i]))
    for j in range(i + 1, last + 1):
        if points.force[j] < least:
            least = float(points.force[j])
            slope = 0.0
    if force_deepest < least:
        least = force_deepest
        slope = 0.0
    return least, max(0.0, slope)


@compiled
def unloading_force(points, start, end, x, deepest):
    """Force (N) and slope (N/m) on the unloading and reloading path from `deepest`, at penetration x <= deepest (m)."""
    share, squeeze = path_split(retention_at(points, start, end, deepest))
    top = loading_force(points, start, end, deepest)[0]
    scaled, scaled_slope = least_force_ahead(points, start, end, x, deepest, top)
    ahead = deepest - (deepest - x) / squeeze
    squeezed, squeezed_slope = least_force_ahead(points, start, end, ahead, deepest, top)
    force = share * scaled + (1.0 - share) * squeezed
    return force, share * scaled_slope + (1.0 - share) * squeezed_slope / squeeze
