"""Head injury criterion, exact for a piecewise-linear signal.

HIC = max over t1 < t2, t2 - t1 <= W of (t2 - t1) * [ (integral of a from t1 to t2) / (t2 - t1) ]^2.5, a in g, t in s;
W = 15 ms (HIC15) or 36 ms (HIC36).

The samples are joined by straight lines and t1, t2 may lie between them. The maximum is one of three kinds:

* t2 - t1 = W. Then V(t1 + W) - V(t1), V the running integral, is a piecewise quadratic in t1: its largest value is at a
  break or at a vertex.
* both ends free. Then a(t1) = a(t2) = 3/5 of the mean (Chou and Nyquist 1974, SAE 740082), with a rising at t1 and
  falling at t2. In one pair of straight pieces this is a quadratic equation for the common level L.
* an end at a jump or at the end of the signal. A jump is a piece of no duration; the signal is taken to be zero before
  its start and after its end, so both are the second kind.

All pairs of pieces within the window are examined; a bound discards those that cannot win.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

FLAT_SHARE = 1e-14
"""Of the peak: a smaller change within a piece counts as none."""
ROUND_OFF = 1e-9
"""Of the whole running integral: more than its differences are ever off."""
EXPONENT = 2.5
PAIRS = 50_000
"""Pairs of pieces that are examined at a time."""


@dataclass(frozen=True)
class HicResult:
    """Value and the window (s) that gives it."""

    value: float
    start: float
    end: float


@dataclass(frozen=True)
class _Pieces:
    """A piecewise-linear signal with its running integral, jumps to zero at both ends included."""

    t: np.ndarray
    a: np.ndarray
    v: np.ndarray

    def integral(self, time: np.ndarray) -> np.ndarray:
        """Running integral at any time (constant outside the signal)."""
        time = np.clip(time, self.t[0], self.t[-1])
        i = np.clip(np.searchsorted(self.t, time, side="right") - 1, 0, len(self.t) - 2)
        width = self.t[i + 1] - self.t[i]
        offset = time - self.t[i]
        slope = np.divide(self.a[i + 1] - self.a[i], width, out=np.zeros_like(width), where=width > 0.0)
        return self.v[i] + offset * (self.a[i] + 0.5 * slope * offset)


def hic(times: np.ndarray, acceleration: np.ndarray, window: float) -> HicResult:
    """HIC of (F,) accelerations in g at (F,) times in s, for the longest allowed window in s.

    Times must not fall; two samples at one time are a jump. Accelerations are resultants, so never negative.
    """
    pieces = _prepare(np.asarray(times, dtype=float), np.asarray(acceleration, dtype=float))
    if len(times) < 2 or pieces.v[-1] <= 0.0:
        start = float(times[0]) if len(times) else 0.0
        return HicResult(0.0, start, start)
    best = _longest_window(pieces, min(window, float(pieces.t[-1] - pieces.t[0])))
    return _free_window(pieces, window, best)


def _prepare(t: np.ndarray, a: np.ndarray) -> _Pieces:
    if np.any(np.diff(t) < 0.0):
        raise ValueError("HIC needs times that do not fall")
    if np.any(a < 0.0) or not np.all(np.isfinite(a)):
        raise ValueError("HIC needs finite resultant accelerations, which are never negative")
    t = np.concatenate([t[:1], t, t[-1:]])
    a = np.concatenate([[0.0], a, [0.0]])
    steps = 0.5 * (a[1:] + a[:-1]) * np.diff(t)
    return _Pieces(t, a, np.concatenate([[0.0], np.cumsum(steps)]))


def _value(gain: np.ndarray, width: np.ndarray) -> np.ndarray:
    """HIC of a velocity gain (g s) over a width (s)."""
    return np.maximum(gain, 0.0) ** EXPONENT / width ** (EXPONENT - 1.0)


def _longest_window(p: _Pieces, width: float) -> HicResult:
    """Best window of exactly this width: breaks of V(t + W) - V(t), and the vertex of each quadratic between them."""
    last = p.t[-1] - width
    starts = np.unique(np.clip(np.concatenate([p.t, p.t - width]), p.t[0], last))
    first, end = p.integral(starts), p.integral(starts + width)
    gain = end - first
    # V never falls, so no window that begins between two breaks gains more than this; few can win
    can_win = np.flatnonzero(end[1:] - first[:-1] >= np.max(gain) - ROUND_OFF * p.v[-1])
    left, right = starts[can_win], starts[can_win + 1]
    middle, half = 0.5 * (right + left), 0.5 * (right - left)
    gain_middle = p.integral(middle + width) - p.integral(middle)
    slope = 0.5 * (gain[can_win + 1] - gain[can_win])
    curvature = 0.5 * (gain[can_win + 1] + gain[can_win]) - gain_middle
    share = np.divide(-0.5 * slope, curvature, out=np.zeros_like(slope), where=curvature < 0.0)
    vertex = middle + half * np.clip(share, -1.0, 1.0)
    candidates = np.concatenate([starts, vertex])
    gains = np.concatenate([gain, p.integral(vertex + width) - p.integral(vertex)])
    k = int(np.argmax(gains))
    return HicResult(float(_value(gains[k], width)), float(candidates[k]), float(candidates[k] + width))


def _free_window(p: _Pieces, window: float, best: HicResult) -> HicResult:
    """Best window with both ends where a = 3/5 of the mean; `best` where none is better.

    Pieces i (rising) and j (falling) are examined some thousand pairs at a time, so memory stays proportional to the
    number of samples.
    """
    rise, width = np.diff(p.a), np.diff(p.t)
    # a piece that changes by less than round-off is flat: its slope would overflow
    flat = FLAT_SHARE * float(np.max(p.a))
    inverse = np.divide(width, rise, out=np.zeros_like(width), where=np.abs(rise) > flat)
    rising = np.flatnonzero((rise > flat) & _can_bound(p.a[1:], p.t[1:], p.t[:-1], p, window, best))
    falling = np.flatnonzero((rise < -flat) & _can_bound(p.a[:-1], p.t[1:], p.t[:-1], p, window, best))
    for i, j in _pairs(p.t, rising, falling, window):
        keep = (p.a[i + 1] >= p.a[j + 1]) & (p.a[j] >= p.a[i])
        i, j = i[keep], j[keep]
        shortest = p.t[j] - p.t[i + 1]
        gain = p.v[j + 1] - p.v[i]
        # No window in these two pieces can gain more than this, nor be shorter than that.
        can_win = (shortest <= window) & (gain**EXPONENT >= best.value * shortest ** (EXPONENT - 1.0))
        best = _best_level(p, inverse, i[can_win], j[can_win], window, best)
    return best


def _can_bound(
    level: np.ndarray, ends: np.ndarray, starts: np.ndarray, p: _Pieces, window: float, best: HicResult
) -> np.ndarray:
    """Whether a window that begins or ends in a piece, at most at a level, can beat the value found so far.

    With a mean m the value is the gain times m^1.5, and at most W m^2.5; the ends are at 3/5 of m. A window with an
    end in the piece gains at most what there is from W before the piece to W after it.
    """
    least = 0.6 * (best.value / window) ** (1.0 / EXPONENT) * (1.0 - 1e-9)
    found = level >= least
    gain = p.integral(ends[found] + window) - p.integral(starts[found] - window)
    found[found] = gain * (level[found] / 0.6) ** (EXPONENT - 1.0) >= best.value * (1.0 - 1e-9)
    return found


def _pairs(
    t: np.ndarray, rising: np.ndarray, falling: np.ndarray, window: float
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Every rising piece with every later falling one that a window can join it to, in blocks of pairs."""
    first = np.searchsorted(falling, rising, side="right")
    end = np.searchsorted(t[falling], t[rising + 1] + window * (1.0 + 1e-12), side="right")
    counts = np.maximum(end - first, 0)
    before = np.concatenate([[0], np.cumsum(counts)])
    at = 0
    while at < len(rising):
        until = max(at + 1, int(np.searchsorted(before, before[at] + PAIRS, side="right")) - 1)
        part = slice(at, until)
        along = np.arange(before[at], before[until]) - np.repeat(before[part], counts[part])
        yield np.repeat(rising[part], counts[part]), falling[np.repeat(first[part], counts[part]) + along]
        at = until


def _best_level(
    p: _Pieces, inverse: np.ndarray, i: np.ndarray, j: np.ndarray, window: float, best: HicResult
) -> HicResult:
    """Solve 7/6 p L^2 + 5/3 q L - r = 0 for the level L = a(t1) = a(t2) in each pair of pieces."""
    if len(i) == 0:
        return best
    ui, uj = inverse[i], inverse[j]
    quadratic = 7.0 / 6.0 * (uj - ui)
    linear = 5.0 / 3.0 * (p.t[j] - p.a[j] * uj - p.t[i] + p.a[i] * ui)
    constant = -(p.v[j] - p.v[i] - 0.5 * p.a[j] ** 2 * uj + 0.5 * p.a[i] ** 2 * ui)
    root = np.sqrt(np.maximum(linear**2 - 4.0 * quadratic * constant, 0.0))
    # q = -(b + sign(b) root) / 2 avoids the cancellation of the school formula; the roots are q / a and c / q.
    q = -0.5 * (linear + np.copysign(root, linear))
    with np.errstate(divide="ignore", invalid="ignore"):
        levels = np.concatenate([q / quadratic, constant / q])
    i, j, ui, uj = np.tile(i, 2), np.tile(j, 2), np.tile(ui, 2), np.tile(uj, 2)
    low = np.maximum(p.a[i], p.a[j + 1])
    high = np.minimum(p.a[i + 1], p.a[j])
    usable = np.isfinite(levels) & (levels >= low * (1 - 1e-9)) & (levels <= high * (1 + 1e-9))
    level = np.clip(levels[usable], low[usable], high[usable])
    i, j, ui, uj = i[usable], j[usable], ui[usable], uj[usable]
    start = p.t[i] + (level - p.a[i]) * ui
    end = p.t[j] + (level - p.a[j]) * uj
    inside = (end > start) & (end - start <= window)
    start, end = start[inside], end[inside]
    if len(start) == 0:
        return best
    values = _value(p.integral(end) - p.integral(start), end - start)
    k = int(np.argmax(values))
    return HicResult(float(values[k]), float(start[k]), float(end[k])) if values[k] > best.value else best
