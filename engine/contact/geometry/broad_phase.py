"""Which ellipsoids are close enough to be worth an exact test: near-linear in their number.

Every ellipsoid has an axis-aligned box, c +- sqrt(A_ii) and a margin. Those that reach into no other actor's box are
left out at once: of a car and the man it hits that is most of them. The others are entered into the cells of a uniform
grid that is hashed into buckets, so the scene may be of any extent. A pair is taken up only in the one cell that holds
the larger of the two boxes' lower corners, so it is found once. Few boxes, and boxes that cover many cells, are
compared with all others instead. Pairs come out in the order of their indices: the same bytes every time.
"""

from collections import namedtuple
from math import floor, inf, sqrt

import numpy as np
from numpy.typing import ArrayLike

from ...jit.decorators import compiled

MAX_CELLS = 27
"""A box that covers more cells is compared with all others."""
FEW = 128
"""Up to this many ellipsoids the grid does not pay."""
CELL_WIDTH = 1.5
"""Width of a cell over the mean width of the boxes."""

PairFilter = namedtuple(
    "PairFilter",
    [
        "actor",  # (n,) actor of each ellipsoid
        "body",  # (n,) body of each ellipsoid, counted within its actor; -1 where it touches no ellipsoid
        "self_start",  # (actors,) where the actor's table begins in `self_allowed`; -1: no contact within this actor
        "body_count",  # (actors,)
        "self_allowed",  # tables of body_count x body_count, row by row: 1 where two bodies may touch
    ],
)

BroadPhase = namedtuple(
    "BroadPhase",
    [
        "boxes",  # (n, 6) low xyz, high xyz, m
        "cells",  # (n, 6) first and last cell along x, y, z
        "bucket_start",  # (buckets + 1,) entries of bucket k are entries[bucket_start[k] : bucket_start[k + 1]]
        "entries",  # (n MAX_CELLS,) ellipsoids, ascending within a bucket
        "hulls",  # (actors, 12) box of each actor; box around what it has in common with the boxes of others
        "live",  # (n,) ellipsoids that are not left out, ascending
        "wide",  # (n,) ellipsoids that are compared with all others, ascending
        "is_wide",  # (n,) 1 for those
    ],
)


def make_pair_filter(actor: ArrayLike, body: ArrayLike, self_allowed: list[np.ndarray | None]) -> PairFilter:
    """Filter for ellipsoids of the given actors and bodies (n,), bodies counted within their actor.

    `self_allowed` has one entry per actor: None for no contact within it, else a symmetric (bodies, bodies) table that
    is true where two bodies may touch. Ellipsoids of one body never touch, those of different actors always may, those
    of body -1 touch no other. Actors that share one table object share its storage.
    """
    start, count, tables, known, length = [], [], [], {}, 0
    for table in self_allowed:
        if table is None:
            start.append(-1)
            count.append(0)
            continue
        if id(table) not in known:
            square = np.array(table, dtype=np.uint8)
            np.fill_diagonal(square, 0)
            known[id(table)] = length
            tables.append(square.reshape(-1))
            length += square.size
        start.append(known[id(table)])
        count.append(len(table))
    return PairFilter(
        np.array(actor, dtype=np.int64),
        np.array(body, dtype=np.int64),
        np.array(start, dtype=np.int64),
        np.array(count, dtype=np.int64),
        np.concatenate([*tables, np.zeros(1, dtype=np.uint8)]),
    )


def make_broad_phase(count: int, actors: int) -> BroadPhase:
    """Arrays for `count` ellipsoids of a number of actors, used by every call of `candidate_pairs`."""
    buckets = 64
    while buckets < 4 * count:
        buckets *= 2
    return BroadPhase(
        np.zeros((count, 6)),
        np.zeros((count, 6), dtype=np.int64),
        np.zeros(buckets + 1, dtype=np.int64),
        np.zeros(count * MAX_CELLS, dtype=np.int64),
        np.zeros((actors, 12)),
        np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=np.int64),
    )


@compiled
def candidate_pairs(space, pair_filter, centers, matrices, radii, margin, pairs):
    """Write the pairs i < j that may be within `margin` (m), in lexicographic order; return how many.

    centers (n, 3) and matrices (n, 6) are the ellipsoids in world, radii (n,) their longest semi-axes, pairs a
    (capacity, 2) integer array. When it is too small, minus a sufficient capacity is returned and `pairs` is of no use.
    The list stays complete while no ellipsoid's surface moves by more than half the margin.
    """
    if len(pair_filter.self_start) == 1 and pair_filter.self_start[0] < 0:
        return 0
    width = _fill_boxes(space.boxes, centers, matrices, margin)
    live_count = _choose_live(space, pair_filter)
    wide_count = _choose_wide(space, width, live_count)
    if wide_count < live_count:
        _fill_buckets(space, live_count)
    count = _collect(space, pair_filter, centers, radii, margin, live_count, wide_count, pairs)
    if count > len(pairs):
        return -count
    return count


@compiled
def _fill_boxes(boxes, centers, matrices, margin):
    """Boxes of all ellipsoids, each wider by half the margin on every side; the width of a grid cell."""
    total = 0.0
    for i in range(len(centers)):
        widest = 0.0
        for k in range(3):
            half = sqrt(max(matrices[i, k], 0.0)) + 0.5 * margin
            boxes[i, k] = centers[i, k] - half
            boxes[i, 3 + k] = centers[i, k] + half
            widest = max(widest, 2.0 * half)
        total += widest
    return max(CELL_WIDTH * total / max(len(centers), 1), 1e-9)


@compiled
def _choose_live(space, pair_filter):
    """List the ellipsoids that may meet one of another actor, or of their own where that is on; their number.

    Every two actors are compared, six numbers each: little beside their ellipsoids for hundreds of actors.
    """
    boxes = space.boxes
    hulls = space.hulls
    actors = len(hulls)
    for a in range(actors):
        for k in range(3):
            hulls[a, k] = hulls[a, 6 + k] = inf
            hulls[a, 3 + k] = hulls[a, 9 + k] = -inf
    for i in range(len(boxes)):
        _extend(hulls[pair_filter.actor[i]], 0, boxes[i], boxes[i])
    for a in range(actors):
        if pair_filter.self_start[a] >= 0:
            _extend(hulls[a], 6, hulls[a], hulls[a])
        for b in range(a + 1, actors):
            if _overlap(hulls, a, b):
                _extend(hulls[a], 6, hulls[a], hulls[b])
                _extend(hulls[b], 6, hulls[a], hulls[b])
    count = 0
    for i in range(len(boxes)):
        hull = hulls[pair_filter.actor[i]]
        inside = True
        for k in range(3):
            # false for nan, too
            inside = inside and boxes[i, k] <= hull[9 + k] and boxes[i, 3 + k] >= hull[6 + k]
        if inside:
            space.live[count] = i
            count += 1
    return count


@compiled
def _extend(hull, at, one, other):
    """Extend the box in the columns from `at` on by what two boxes have in common; nan extends nothing."""
    for k in range(3):
        low = max(one[k], other[k])
        high = min(one[3 + k], other[3 + k])
        if low < hull[at + k]:
            hull[at + k] = low
        if high > hull[at + 3 + k]:
            hull[at + 3 + k] = high


@compiled
def _choose_wide(space, width, live_count):
    """Work out the cells of every live box and which boxes are compared with all others; their number."""
    boxes = space.boxes
    cells = space.cells
    count = 0
    few = live_count <= FEW
    for p in range(live_count):
        i = space.live[p]
        if few:
            space.is_wide[i] = 1
            space.wide[count] = i
            count += 1
            continue
        covered = 1.0
        for k in range(3):
            first = boxes[i, k] / width
            last = boxes[i, 3 + k] / width
            is_sane = abs(first) < 1e9 and abs(last) < 1e9  # false for nan, too
            cells[i, k] = int(floor(first)) if is_sane else 0
            cells[i, 3 + k] = int(floor(last)) if is_sane else 0
            covered *= float(cells[i, 3 + k] - cells[i, k] + 1) if is_sane else 1e9
        is_wide = covered > MAX_CELLS
        space.is_wide[i] = 1 if is_wide else 0
        if is_wide:
            space.wide[count] = i
            count += 1
    return count


@compiled
def _bucket(x, y, z, mask):
    """Bucket of a grid cell."""
    return (x * 73856093 ^ y * 19349663 ^ z * 83492791) & mask


@compiled
def _fill_buckets(space, live_count):
    """Enter every live box that is not wide into the buckets of its cells, by counting sort."""
    start = space.bucket_start
    cells = space.cells
    mask = len(start) - 2
    for k in range(len(start)):
        start[k] = 0
    for p in range(live_count):
        i = space.live[p]
        if space.is_wide[i] == 0:
            for x in range(cells[i, 0], cells[i, 3] + 1):
                for y in range(cells[i, 1], cells[i, 4] + 1):
                    for z in range(cells[i, 2], cells[i, 5] + 1):
                        start[_bucket(x, y, z, mask)] += 1
    total = 0
    for k in range(len(start)):
        total += start[k]
        start[k] = total
    # Filling from the back leaves every start where it belongs and the entries of a bucket ascending.
    for p in range(live_count - 1, -1, -1):
        i = space.live[p]
        if space.is_wide[i] == 0:
            for x in range(cells[i, 0], cells[i, 3] + 1):
                for y in range(cells[i, 1], cells[i, 4] + 1):
                    for z in range(cells[i, 2], cells[i, 5] + 1):
                        bucket = _bucket(x, y, z, mask)
                        start[bucket] -= 1
                        space.entries[start[bucket]] = i


@compiled
def _collect(space, pair_filter, centers, radii, margin, live_count, wide_count, pairs):
    """Write the pairs of every live ellipsoid i with those j > i that share a cell or are wide; their number."""
    boxes = space.boxes
    cells = space.cells
    mask = len(space.bucket_start) - 2
    count = 0 * mask  # an int64: for the literal 0 Numba would compile `_insert` once more
    for p in range(live_count):
        i = space.live[p]
        first = count
        if space.is_wide[i] == 1:
            for q in range(p + 1, live_count):
                j = space.live[q]
                if _overlap(boxes, i, j) and _is_candidate(pair_filter, centers, radii, margin, i, j):
                    count = _insert(pairs, first, count, i, j)
            continue
        for k in range(wide_count - 1, -1, -1):
            j = space.wide[k]
            if j <= i:
                break
            if _overlap(boxes, i, j) and _is_candidate(pair_filter, centers, radii, margin, i, j):
                count = _insert(pairs, first, count, i, j)
        for x in range(cells[i, 0], cells[i, 3] + 1):
            for y in range(cells[i, 1], cells[i, 4] + 1):
                for z in range(cells[i, 2], cells[i, 5] + 1):
                    bucket = _bucket(x, y, z, mask)
                    for k in range(space.bucket_start[bucket + 1] - 1, space.bucket_start[bucket] - 1, -1):
                        j = space.entries[k]
                        if j <= i:
                            break
                        if (
                            _is_home(cells, i, j, x, y, z)
                            and _overlap(boxes, i, j)
                            and _is_candidate(pair_filter, centers, radii, margin, i, j)
                        ):
                            count = _insert(pairs, first, count, i, j)
    return count


@compiled
def _is_home(cells, i, j, x, y, z):
    """Whether this cell is the one in which the pair is taken up."""
    return (
        x == max(cells[i, 0], cells[j, 0])
        and y == max(cells[i, 1], cells[j, 1])
        and z == max(cells[i, 2], cells[j, 2])
    )


@compiled
def _overlap(boxes, i, j):
    """Whether two boxes meet."""
    return (
        boxes[i, 0] <= boxes[j, 3]
        and boxes[j, 0] <= boxes[i, 3]
        and boxes[i, 1] <= boxes[j, 4]
        and boxes[j, 1] <= boxes[i, 4]
        and boxes[i, 2] <= boxes[j, 5]
        and boxes[j, 2] <= boxes[i, 5]
    )


@compiled
def _is_candidate(pair_filter, centers, radii, margin, i, j):
    """Whether the bounding spheres are within the margin and the two may touch."""
    if pair_filter.body[i] < 0 or pair_filter.body[j] < 0:
        return False
    actor = pair_filter.actor[i]
    if actor == pair_filter.actor[j]:
        start = pair_filter.self_start[actor]
        if start < 0:
            return False
        place = start + pair_filter.body[i] * pair_filter.body_count[actor] + pair_filter.body[j]
        if pair_filter.self_allowed[place] == 0:
            return False
    x = centers[i, 0] - centers[j, 0]
    y = centers[i, 1] - centers[j, 1]
    z = centers[i, 2] - centers[j, 2]
    reach = radii[i] + radii[j] + margin
    return x * x + y * y + z * z <= reach * reach


@compiled
def _insert(pairs, first, count, i, j):
    """Put (i, j) in order among rows first to count; a pair found twice (two cells in one bucket) stays single.

    Past the end of the array pairs are only counted.
    """
    if count >= len(pairs):
        return count + 1
    row = count
    while row > first and pairs[row - 1, 1] > j:
        row -= 1
    if row > first and pairs[row - 1, 1] == j:
        return count
    for k in range(count, row, -1):
        pairs[k, 0] = i
        pairs[k, 1] = pairs[k - 1, 1]
    pairs[row, 0] = i
    pairs[row, 1] = j
    return count + 1
