"""How well a whole curve follows a published corridor in time: a rating after CORA's corridor method, and by how much
the curve leaves it.

Method: Gehre, Gades and Wernicke 2009, ESV paper 09-0310 (from memory of medium confidence): a sample counts 1 inside
the inner corridor, 0 outside the outer one, and between them the square of the share of the way that is left to the
outer one; the rating is the mean over the samples. The inner corridor is the published one; the outer one lies half of
the largest size of its middle to both sides of the middle.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

OUTER_SHARE, POWER = 0.5, 2.0
"""Half width of the outer corridor as a share of the largest size of the middle; power of the transition."""


@dataclass(frozen=True)
class Followed:
    """A curve against a corridor."""

    rating: float
    """0 to 1; 1: inside all the way"""
    excursion: float
    """Largest way outside the published corridor, in its unit"""


def followed(
    times: Sequence[float], values: Sequence[float], corridor: Sequence[tuple[float, float, float]]
) -> Followed:
    """Rate a curve over the corridor's time.

    times: of the curve, in the unit of those of the corridor (time, low, high), which is straight between."""
    when, low, high = np.asarray(corridor, float).T
    at = np.asarray(times, float)
    chosen = (at >= when[0]) & (at <= when[-1])
    if not chosen.any():
        raise ValueError(
            f"the curve has no sample between {when[0]:g} and {when[-1]:g}, where the corridor is: record more often"
        )
    at, found = at[chosen], np.asarray(values, float)[chosen]
    below, above = np.interp(at, when, low), np.interp(at, when, high)
    middle = 0.5 * (below + above)
    outside = np.maximum(np.maximum(below - found, found - above), 0.0)
    reach = np.maximum(OUTER_SHARE * np.abs(middle).max() - 0.5 * (above - below), 0.0)
    left = np.where(outside > 0.0, 1.0 - outside / np.maximum(reach, np.finfo(float).tiny), 1.0)
    return Followed(float((np.maximum(left, 0.0) ** POWER).mean()), float(outside.max()))
