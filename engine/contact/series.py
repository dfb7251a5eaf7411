"""Two force curves pressed together: the one curve of force over their common penetration.

Both surfaces carry the same force; their penetrations add up. As long as both rise this is x(F) = x_A(F) + x_B(F), with
exact break points. When one surface passes a peak it is the weaker of the two: it goes on along its falling curve, the
force falls with it, and the other surface *recovers along its own unloading path* (`hysteresis`), because that is what
this surface does wherever else its force falls; on its loading curve it would give back energy it has already lost.
When the weaker surface hardens again the other reloads along the same path, and the peak of either can come next. The
force is therefore never capped by the smaller last force of the two curves (docs/derivations.md, Surfaces in series).

Where the weaker surface falls faster than the other recovers, no equilibrium exists while the penetration grows: the
pair snaps through. The curve then falls STEEPEST_FALL times as steeply as the weaker surface's own until it meets
the path again; the energy set free is lost. So the force is continuous in every case.

Energy given back: each surface's unloading curve counts with the share of the penetration it takes; a surface that
recovers or reloads does so without loss.
"""

import math
from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..maths.hysteresis import CurvePoints, make_points, path_split, retention_at, segment_at, unloading_force
from .curves import locked

STEEPEST_FALL = 5.0
"""The common curve falls at most this many times as steeply as the collapsing surface's own curve."""
SAME_FORCE = 1.0e-9
"""Forces that differ by less than this share (and by less than this many N) are the same."""
SAME_DEPTH = 1.0e-12
"""Break points of a path closer than this share of its length are one."""


class _Step(NamedTuple):
    """A straight piece of the traced curve. u: unloading force; own_slope: slope of a collapsing surface, else 0."""

    x0: float
    f0: float
    u0: float
    x1: float
    f1: float
    u1: float
    own_slope: float = 0.0
    last: bool = False


def series_curve(first: CurvePoints, second: CurvePoints) -> CurvePoints:
    """Curve of two surfaces in series over the sum of their penetrations.

    Kept for the next time: the runs of a sweep mostly share their materials.
    """
    return _series_of(_as_tuples(first), _as_tuples(second))


def _as_tuples(points: CurvePoints) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(column.tolist()) for column in points)


@lru_cache(maxsize=4096)
def _series_of(first: tuple[tuple[float, ...], ...], second: tuple[tuple[float, ...], ...]) -> CurvePoints:
    """`series_curve` of two curves given as tuples of their columns. The arrays cannot be written to."""
    pair = (_Surface(CurvePoints(*map(np.array, columns))) for columns in (first, second))
    steps = _bridge_snaps(_trace(*pair))
    depth, force, slope, unload, unload_slope = [], [], [], [], []
    for step in steps:
        length = step.x1 - step.x0
        if length <= 0.0:
            continue
        while depth and depth[-1] >= step.x0:  # pieces too short to count beside the depths of others
            for column in (depth, force, slope, unload, unload_slope):
                column.pop()
        depth.append(step.x0)
        force.append(step.f0)
        slope.append((step.f1 - step.f0) / length)
        unload.append(step.u0)
        unload_slope.append((step.u1 - step.u0) / length)
    return locked(make_points(depth, force, slope, unload, unload_slope))


class _Surface:
    """One of the two while they are pressed together: where it is, and how it goes on from there."""

    def __init__(self, points: CurvePoints) -> None:
        self.points = points
        self.packed = points.packed()
        self.starts = points.depth.tolist()
        self.count = len(self.starts)
        self.depth = 0.0
        self.deepest = 0.0
        self.path_depth = np.zeros(1)
        self.path_force = np.zeros(1)

    @property
    def loading(self) -> bool:
        """On the loading curve, not on an unloading path below the deepest point."""
        return self.depth >= self.deepest

    @property
    def segment(self) -> int:
        return bisect_right(self.starts, self.depth) - 1

    def slope_ahead(self) -> float:
        """N/m when pressed further."""
        if self.loading:
            return float(self.points.slope[self.segment])
        i = int(np.searchsorted(self.path_depth, self.depth, side="right")) - 1
        return _slope(self.path_depth, self.path_force, i)

    def target_ahead(self) -> tuple[float, float]:
        """Depth and force of the next break point when pressed further; infinite on the last segment."""
        if self.loading:
            i = self.segment
            if i == self.count - 1:
                return math.inf, (math.inf if self.points.slope[i] > 0.0 else float(self.points.force[i]))
            return float(self.points.depth[i + 1]), float(self.points.force[i + 1])
        i = int(np.searchsorted(self.path_depth, self.depth, side="right"))
        return float(self.path_depth[i]), float(self.path_force[i])

    def slope_behind(self) -> float:
        """N/m when let go."""
        self._find_path()
        i = int(np.searchsorted(self.path_depth, self.depth, side="left")) - 1
        return _slope(self.path_depth, self.path_force, i)

    def target_behind(self) -> tuple[float, float]:
        """Depth and force of the next break point when let go."""
        self._find_path()
        i = int(np.searchsorted(self.path_depth, self.depth, side="left")) - 1
        return float(self.path_depth[i]), float(self.path_force[i])

    def move_to(self, depth: float) -> None:
        self.depth = depth
        self.deepest = max(self.deepest, depth)

    def unloading_ends(self, segment: int, depth0: float, depth1: float) -> tuple[float, float]:
        """Force of the unloading curve at both ends of a piece of one segment."""
        p = self.points
        start, at, slope = float(p.depth[segment]), float(p.unload[segment]), float(p.unload_slope[segment])
        return at + slope * (depth0 - start), at + slope * (depth1 - start)

    def _find_path(self) -> None:
        """Break points of the unloading path from the deepest point, once for each deepest point."""
        if self.path_depth[-1] == self.deepest:
            return
        m = self.deepest
        corners = _corners_of_least_force(self.points, m)
        last = segment_at(self.packed, 0, self.count, m)
        _, squeeze = path_split(retention_at(self.packed, last, m))
        depth = np.union1d(corners, m - squeeze * (m - corners))
        depth = np.append(depth[:-1][np.diff(depth) > SAME_DEPTH * m], m)
        depth[0] = 0.0
        self.path_depth = depth
        self.path_force = np.array(
            [unloading_force(self.packed, 0, self.count, float(x), m)[0] for x in depth]
        )


def _slope(depth: np.ndarray, force: np.ndarray, i: int) -> float:
    return float((force[i + 1] - force[i]) / (depth[i + 1] - depth[i]))


def _corners_of_least_force(points: CurvePoints, deepest: float) -> np.ndarray:
    """Depths from 0 to `deepest` between which the least force ahead is straight."""
    last = int(np.searchsorted(points.depth, deepest, side="right")) - 1
    corners = [deepest]
    least = float(points.force[last] + points.slope[last] * (deepest - points.depth[last]))
    for i in range(last, -1, -1):
        start, slope = float(points.force[i]), float(points.slope[i])
        if start < least:
            crossing = float(points.depth[i]) + (least - start) / slope
            if crossing < corners[-1]:
                corners.append(crossing)
            least = start
        if points.depth[i] < corners[-1]:
            corners.append(float(points.depth[i]))
    return np.array(corners[::-1])


def _same(force: float, other: float) -> bool:
    return abs(force - other) <= SAME_FORCE * (1.0 + min(force, other))


def _trace(a: _Surface, b: _Surface) -> list[_Step]:
    """Follow both surfaces from first touch to their last segments.

    It ends: with every step one of the two reaches a break point, the deepest point of either never goes back, and
    between two advances of it the other runs at most once down and up its unloading path. Of curves that go up and
    down all the way the steps come to less than a tenth of the square of the number of points.
    """
    steps: list[_Step] = []
    force = 0.0
    for _ in range(1000 + (a.count + b.count) ** 2):
        falling = [s for s in (a, b) if s.loading and s.slope_ahead() <= 0.0]
        if falling:
            weak = min(falling, key=_Surface.slope_ahead)
            step = _collapse(weak, b if weak is a else a, force)
        else:
            step = _press(a, b, force)
        steps.append(step)
        force = step.f1
        if step.last:
            return steps
    raise AssertionError("the trace of two curves in series does not end")


def _length_of_last(a: _Surface, b: _Surface) -> float:
    """Length (m) at which the endless last piece is cut while tracing: past every depth the surfaces have seen."""
    return 1.0 + 2.0 * (a.deepest + b.deepest)


def _press(a: _Surface, b: _Surface, force: float) -> _Step:
    """Both surfaces rise (or one goes on level) to the next break point of either."""
    x0 = a.depth + b.depth
    for surface in (a, b):
        depth, reached = surface.target_ahead()
        if reached <= force or _same(reached, force):
            surface.move_to(depth)
            return _Step(x0, force, force, a.depth + b.depth, force, force)
    slopes = (a.slope_ahead(), b.slope_ahead())
    target = min(a.target_ahead()[1], b.target_ahead()[1])
    last = target == math.inf
    if last:
        target = force + _length_of_last(a, b) / (1.0 / slopes[0] + 1.0 / slopes[1])
    before = (a.depth, b.depth)
    parts = [(s.loading, s.segment) for s in (a, b)]
    for surface, slope in zip((a, b), slopes, strict=True):
        depth, reached = surface.target_ahead()
        surface.move_to(depth if reached == target else surface.depth + (target - force) / slope)
    x1 = a.depth + b.depth
    if x1 <= x0:
        return _Step(x0, force, force, x0, target, target)
    u0 = u1 = 0.0
    for surface, start, (loading, segment) in zip((a, b), before, parts, strict=True):
        weight = (surface.depth - start) / (x1 - x0)
        ends = surface.unloading_ends(segment, start, surface.depth) if loading else (force, target)
        u0 += weight * ends[0]
        u1 += weight * ends[1]
    return _Step(x0, force, u0, x1, target, u1, last=last)


def _collapse(weak: _Surface, other: _Surface, force: float) -> _Step:
    """The weak surface yields or falls along its curve; the other recovers. To the next break point of either."""
    x0 = weak.depth + other.depth
    slope, segment, start = weak.slope_ahead(), weak.segment, weak.depth
    depth, reached = weak.target_ahead()
    if slope == 0.0:
        last = depth == math.inf
        weak.move_to(start + _length_of_last(weak, other) if last else depth)
        u0, u1 = weak.unloading_ends(segment, start, weak.depth)
        return _Step(x0, force, u0, weak.depth + other.depth, force, u1, last=last)
    if other.depth > 0.0:
        back, behind = other.target_behind()
        if behind >= force or _same(behind, force):
            other.move_to(back)
            u0, _ = weak.unloading_ends(segment, start, start)
            return _Step(x0, force, u0, weak.depth + other.depth, force, u0, slope)
        target = max(reached, behind)
        rise = other.slope_behind()
        is_whole = behind == target or rise <= 0.0  # forces of very different sizes leave a path level
        other.move_to(back if is_whole else other.depth + (target - force) / rise)
    else:
        target = reached
    weak.move_to(depth if reached == target else start + (target - force) / slope)
    u0, u1 = weak.unloading_ends(segment, start, weak.depth)
    return _Step(x0, force, u0, weak.depth + other.depth, target, u1, slope)


def _bridge_snaps(steps: list[_Step]) -> list[_Step]:
    """Replace every piece that falls back or too steeply by a straight fall to where it meets the path again."""
    result: list[_Step] = []
    i = 0
    while i < len(steps):
        step = steps[i]
        limit = STEEPEST_FALL * step.own_slope
        if step.own_slope == 0.0 or (step.x1 > step.x0 and step.f1 - step.f0 >= limit * (step.x1 - step.x0)):
            result.append(step)
            i += 1
            continue
        if step.x1 == step.x0 and step.f1 == step.f0:
            i += 1
            continue
        ratio = step.u0 / step.f0 if step.f0 > 0.0 else 0.0
        while _above(steps[i].x1, steps[i].f1, step, limit) < 0.0 and not steps[i].last:
            i += 1
        tail = _after(steps[i], step, limit)
        result.append(_Step(step.x0, step.f0, step.u0, tail.x0, tail.f0, ratio * tail.f0))
        steps[i] = tail
    return result


def _above(x: float, force: float, start: _Step, limit: float) -> float:
    """N above the straight fall from the start of a step."""
    return force - start.f0 - limit * (x - start.x0)


def _after(step: _Step, start: _Step, limit: float) -> _Step:
    """What is left of a step past its meeting with the straight fall; the last step has no end."""
    low, high = _above(step.x0, step.f0, start, limit), _above(step.x1, step.f1, start, limit)
    t = low / (low - high)

    def between(p: float, q: float) -> float:
        return p + t * (q - p)

    met = (between(step.x0, step.x1), between(step.f0, step.f1), between(step.u0, step.u1))
    if high >= 0.0:
        return step._replace(x0=met[0], f0=met[1], u0=met[2])
    grown = (met[0] + step.x1 - step.x0, met[1] + step.f1 - step.f0, met[2] + step.u1 - step.u0)
    return _Step(*met, *grown, last=True)
