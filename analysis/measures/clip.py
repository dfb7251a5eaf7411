"""The 3 ms clip, in its two readings, exact for the signal drawn with straight lines.

Contiguous: the largest level that the signal stays at or above for 3 ms without a break. Cumulative (the wording of
FMVSS 208): the level exceeded for 3 ms in total. The cumulative value is never the smaller one.
"""

from collections.abc import Callable

import numpy as np

Measure = Callable[[np.ndarray, np.ndarray, float], float]
"""Seconds at or above a level, of a signal at its times."""


def _spans_above(t: np.ndarray, a: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Start and end of each piece's part at or above the level (pieces that are wholly below give zero length)."""
    width, rise = np.diff(t), np.diff(a)
    crossing = np.divide(level - a[:-1], rise, out=np.zeros_like(rise), where=rise != 0.0)
    inside_left, inside_right = a[:-1] >= level, a[1:] >= level
    start = np.where(inside_left, 0.0, np.where(inside_right, crossing, 1.0))
    end = np.where(inside_right, 1.0, np.where(inside_left, crossing, start))
    return t[:-1] + start * width, t[:-1] + end * width


def _total_above(t: np.ndarray, a: np.ndarray, level: float) -> float:
    start, end = _spans_above(t, a, level)
    return float(np.sum(end - start))


def _longest_above(t: np.ndarray, a: np.ndarray, level: float) -> float:
    """Longest unbroken time at or above the level: pieces join where the sample between them is not below it."""
    start, end = _spans_above(t, a, level)
    above = a >= level
    is_break = np.flatnonzero(~above[1:-1]) + 1
    first = np.concatenate([[0], is_break])
    lengths = np.add.reduceat(end - start, first)
    return float(np.max(lengths))


def _largest_level(measure: Measure, t: np.ndarray, a: np.ndarray, duration: float) -> float:
    """Largest level whose time above is still `duration`, by bisection to the last bit (the time falls with level)."""
    low, high = 0.0, float(np.max(a))
    if measure(t, a, high) >= duration:
        return high
    while True:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            return low
        if measure(t, a, middle) >= duration:
            low = middle
            t, a = _near(t, a, low)
        else:
            high = middle


def _near(t: np.ndarray, a: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """The samples that a piece with a part at or above the level has: others count for no level above it. Where some
    are left out the straight line across the gap is below the level."""
    above = a >= level
    kept = above.copy()
    kept[1:] |= above[:-1]
    kept[:-1] |= above[1:]
    return t[kept], a[kept]


def clip_contiguous(times: np.ndarray, acceleration: np.ndarray, duration: float = 0.003) -> float:
    """Largest level held without a break for `duration` (s); zero for a shorter signal."""
    return _clip(_longest_above, times, acceleration, duration)


def clip_cumulative(times: np.ndarray, acceleration: np.ndarray, duration: float = 0.003) -> float:
    """Level exceeded for `duration` (s) in total; zero for a shorter signal."""
    return _clip(_total_above, times, acceleration, duration)


def _clip(measure: Measure, times: np.ndarray, acceleration: np.ndarray, duration: float) -> float:
    t, a = np.asarray(times, dtype=float), np.asarray(acceleration, dtype=float)
    # Round-off in the times must not cost a pulse of exactly `duration` its value.
    duration *= 1.0 - 1e-9
    if len(t) < 2 or t[-1] - t[0] < duration:
        return 0.0
    return _largest_level(measure, t, a, duration)
