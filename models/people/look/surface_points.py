"""Places on the template's surface, found on a flat chart of it: what grows there is mixed of the template's points."""

import numpy as np

from .sheet import MIXED, Sheet
from .template import Template

TOGETHER = 64
"""Places that are looked for at once, each on all triangles that are near any of them."""
MARGIN = 0.01
"""Metres of the chart about the places in which triangles are looked at."""
ROUNDING = 1e-9
"""Share of a triangle by which a place on its edge may seem to be outside."""


def located(quads: np.ndarray, chart: np.ndarray, outer: np.ndarray, places: np.ndarray) -> Sheet:
    """Sheet without faces whose (n,) vertices lie at (n, 2) places of a chart.

    `quads` are (f, 4) faces of the template, `chart` (points, 2) where its points lie on the chart, in metres, and
    `outer` (points,) tells which of several layers over a place is taken: the one where it is largest. A place beside
    the chart goes to the edge of a triangle that is near.
    """
    corners = np.vstack([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    corners = corners[np.abs(doubled_areas(chart[corners])) > 1e-12]
    rows, shares = np.zeros((len(places), MIXED), dtype=int), np.zeros((len(places), MIXED))
    low, high = chart[corners].min(axis=1), chart[corners].max(axis=1)
    for first in range(0, len(places), TOGETHER):
        some = slice(first, first + TOGETHER)
        around = places[some].min(axis=0) - MARGIN, places[some].max(axis=0) + MARGIN
        near = ((low < around[1]) & (high > around[0])).all(axis=1)
        rows[some, :3], shares[some, :3] = hits(
            corners[near] if near.any() else corners, chart, outer, places[some]
        )
    return Sheet(rows, shares, [])


def hits(
    corners: np.ndarray, chart: np.ndarray, outer: np.ndarray, places: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) points and (n, 3) shares of the triangle that each of (n, 2) places is on."""
    first, second, third = np.moveaxis(chart[corners], 1, 0)
    whole = doubled_areas(chart[corners])
    at = places[:, None, :]
    shares = np.stack([across(second - at, third - at), across(third - at, first - at)], axis=2)
    shares /= whole[None, :, None]
    shares = np.concatenate([shares, 1.0 - shares.sum(axis=2, keepdims=True)], axis=2)
    least = shares.min(axis=2)
    height = np.where(least > -ROUNDING, (shares * outer[corners]).sum(axis=2), -np.inf)
    chosen = np.where(np.isfinite(height).any(axis=1), height.argmax(axis=1), least.argmax(axis=1))
    found = np.clip(shares[np.arange(len(places)), chosen], 0.0, None)
    return corners[chosen], found / found.sum(axis=1, keepdims=True)


def doubled_areas(triangles: np.ndarray) -> np.ndarray:
    """(t,) twice the signed areas of (t, 3, 2) triangles."""
    return across(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])


def across(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """(...,) third component of the cross product of plane vectors (..., 2)."""
    return first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]


def quads_near(template: Template, is_near: np.ndarray) -> np.ndarray:
    """(f, 4) faces of the body whose corners are all among (points,) marked ones."""
    quads = template.faces["body"]
    return quads[is_near[quads].all(axis=1)]
