"""A mesh of a surface f = 0, and exact cuts through it along other surfaces."""

from collections.abc import Callable, Sequence

import numpy as np

Field = Callable[..., np.ndarray]
"""f(x, y, z), negative inside, in metres."""
Cut = Callable[[np.ndarray], np.ndarray]
"""Value at points (n, 3), negative inside what is to be cut out."""
Near = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Whether triangles with these middles (n, 3) and normals (n, 3) may be cut."""

DIFFERENCE = 0.002
"""m: central differences for the gradient."""
ON_CUT = 1e-5
"""m: a point so near a cut counts as outside."""


def gradient(f: Field, p: np.ndarray) -> np.ndarray:
    """(n, 3) gradient of f at points."""
    steps = np.identity(3) * DIFFERENCE
    return np.stack([f(*(p + d).T) - f(*(p - d).T) for d in steps], axis=1) / (2.0 * DIFFERENCE)


def unit_gradient(f: Field, p: np.ndarray) -> np.ndarray:
    """(n, 3) outward normals at points."""
    g = gradient(f, p)
    return g / np.maximum(np.linalg.norm(g, axis=1, keepdims=True), 1e-12)


def project(f: Field, p: np.ndarray, rounds: int, limit: float = 0.02) -> np.ndarray:
    """Points moved onto f = 0 along the gradient, at most `limit` m a round."""
    for _ in range(rounds):
        g = gradient(f, p)
        move = -(f(*p.T) / np.maximum((g * g).sum(axis=1), 1e-6))[:, None] * g
        size = np.linalg.norm(move, axis=1, keepdims=True)
        p = p + move * np.minimum(1.0, limit / np.maximum(size, 1e-9))
    return p


def sampled(f: Field, low: Sequence[float], high: Sequence[float], cell: float) -> np.ndarray:
    """f at the nodes of a grid of cubes from `low` on; curves of one coordinate are worked out once for it."""
    x, y, z = (np.arange(a, b + cell, cell) for a, b in zip(low, high, strict=True))
    shape = len(x), len(y), len(z)
    return np.broadcast_to(f(x[:, None, None], y[None, :, None], z[None, None, :]), shape)


def surface_nets(values: np.ndarray, low: Sequence[float], cell: float) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) points and (m, 4) quads of the surface where sampled values change sign: one point per crossed cube, at
    the mean of the crossings of its edges; quads turn counter-clockwise seen from outside (positive)."""
    inside = values < 0.0
    shape = np.array(values.shape) - 1
    total, count = np.zeros((*shape, 3)), np.zeros(shape)
    for axis in range(3):
        add_crossings(values, inside, axis, total, count)
    is_crossed = count > 0
    number = np.full(shape, -1)
    number[is_crossed] = np.arange(is_crossed.sum())
    base = np.argwhere(is_crossed)
    points = np.array(low) + (base + total[is_crossed] / count[is_crossed][:, None]) * cell
    return points, np.concatenate([quads_across(inside, number, axis) for axis in range(3)])


def add_crossings(
    values: np.ndarray, inside: np.ndarray, axis: int, total: np.ndarray, count: np.ndarray
) -> None:
    """Add where the edges along an axis are crossed to the cubes around them."""
    low, high = [slice(None)] * 3, [slice(None)] * 3
    low[axis], high[axis] = slice(0, -1), slice(1, None)
    index = np.argwhere(inside[tuple(low)] != inside[tuple(high)])
    after = index.copy()
    after[:, axis] += 1
    v0, v1 = values[tuple(index.T)], values[tuple(after.T)]
    share = v0 / (v0 - v1)
    b, d = (k for k in range(3) if k != axis)
    for step_b in (0, 1):
        for step_d in (0, 1):
            cube = index.copy()
            cube[:, b] -= step_b
            cube[:, d] -= step_d
            at = np.zeros((len(index), 3))
            at[:, axis], at[:, b], at[:, d] = share, step_b, step_d
            ok = (cube >= 0).all(axis=1) & (cube < np.array(count.shape)).all(axis=1)
            where = tuple(cube[ok].T)  # a cube has one edge of this direction at this corner: no index twice
            total[where] += at[ok]
            count[where] += 1


def quads_across(inside: np.ndarray, number: np.ndarray, axis: int) -> np.ndarray:
    """(m, 4) quads around the crossed edges along an axis."""
    b, d = (axis + 1) % 3, (axis + 2) % 3
    low, high = [slice(None)] * 3, [slice(None)] * 3
    low[axis], high[axis] = slice(0, -1), slice(1, None)
    for k in (b, d):
        low[k] = high[k] = slice(1, -1)
    index = np.argwhere(inside[tuple(low)] != inside[tuple(high)])
    is_first_inside = inside[tuple(low)][tuple(index.T)]
    ring = []
    for step_b, step_d in ((0, 0), (1, 0), (1, 1), (0, 1)):
        cube = index.copy()
        cube[:, b] += step_b
        cube[:, d] += step_d
        ring.append(number[tuple(cube.T)])
    quads = np.stack(ring, axis=1)
    quads[~is_first_inside] = quads[~is_first_inside][:, ::-1]
    return quads


def relaxed(f: Field, points: np.ndarray, faces: np.ndarray, rounds: int) -> np.ndarray:
    """Points moved half-way to the mean of their neighbours and back onto f = 0, some rounds."""
    edges = np.concatenate([faces[:, [k, (k + 1) % faces.shape[1]]] for k in range(faces.shape[1])])
    degree = np.maximum(np.bincount(edges.ravel(), minlength=len(points)), 1)[:, None]
    for _ in range(rounds):
        mean = np.stack(
            [
                np.bincount(edges[:, 0], points[edges[:, 1], k], len(points))
                + np.bincount(edges[:, 1], points[edges[:, 0], k], len(points))
                for k in range(3)
            ],
            axis=1,
        )
        points = project(f, 0.5 * points + 0.5 * mean / degree, 1)
    return points


def triangle_normals(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(n, 3) normals of triangles, of twice their area."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


class Skin:
    """Triangles with a label each. `zone` cuts exactly along a field and gives the inside a label of its own.

    Triangles 2 k and 2 k + 1 were one quad: `quad` says which, -1 once they are cut.
    """

    GAP = 1
    """Label of the gaps between panels."""

    def __init__(self, points: np.ndarray, quads: np.ndarray) -> None:
        self.points = points
        self.triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
        self.quad = np.tile(np.arange(len(quads)), 2)
        self.label = np.zeros(len(self.triangles), dtype=int)
        self._places: tuple[np.ndarray, np.ndarray] | None = (
            None  # middles and normals, until a triangle is cut
        )
        self.names = ["paint", "gap"]
        self.finish: dict[str, tuple[str | tuple[str, str], float]] = {"paint": ("paint", 0.0)}

    def middles(self, which: np.ndarray | None = None) -> np.ndarray:
        """(n, 3) middles of triangles."""
        a, b, c = (self.triangles if which is None else self.triangles[which]).T
        return (self.points[a] + self.points[b] + self.points[c]) / 3.0

    def pick(self, near: Near) -> np.ndarray:
        """Which triangles lie where a zone may be."""
        if self._places is None:
            n = triangle_normals(self.points, self.triangles)
            n = n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-12)
            self._places = self.middles(), n
        return near(*self._places)

    def keep(self, which: np.ndarray) -> None:
        """Drop all other triangles."""
        self._places = None
        self.triangles, self.label, self.quad = self.triangles[which], self.label[which], self.quad[which]

    def cut(self, field: Cut, chosen: np.ndarray) -> None:
        """Split the chosen triangles along field = 0."""
        used = np.unique(self.triangles[chosen])
        value = np.ones(len(self.points))
        value[used] = field(self.points[used])
        value[np.abs(value) < ON_CUT] = ON_CUT
        below = value[self.triangles] < 0.0
        hit = chosen & below.any(axis=1) & ~below.all(axis=1)
        if not hit.any():
            return
        self._places = None
        below = below[hit]
        odd = np.where(below.sum(axis=1) == 1, below.argmax(axis=1), (~below).argmax(axis=1))
        corner = self.triangles[hit][np.arange(len(odd))[:, None], (odd[:, None] + np.arange(3)) % 3]
        a, b, c = corner.T
        pairs = np.sort(np.concatenate([np.stack([a, b], 1), np.stack([a, c], 1)]), axis=1)
        edges, which = np.unique(pairs, axis=0, return_inverse=True)
        new = len(self.points) + which.ravel()
        ab, ac = new[: len(a)], new[len(a) :]
        self.points = np.concatenate([self.points, self.crossings(field, edges, value)])
        pieces = [np.stack(t, axis=1) for t in ((a, ab, ac), (ab, b, c), (ab, c, ac))]
        self.triangles = np.concatenate([self.triangles[~hit], *pieces])
        self.label = np.concatenate([self.label[~hit], np.tile(self.label[hit], 3)])
        parted = np.isin(self.quad, self.quad[hit])
        self.quad = np.concatenate([np.where(parted, -1, self.quad)[~hit], np.full(3 * len(a), -1)])

    def crossings(self, field: Cut, edges: np.ndarray, value: np.ndarray) -> np.ndarray:
        """(n, 3) where edges cross field = 0, by regula falsi."""
        p, q = self.points[edges[:, 0]], self.points[edges[:, 1]]
        x, y = value[edges[:, 0]], value[edges[:, 1]]
        for _ in range(3):
            middle = p + (x / (x - y))[:, None] * (q - p)
            z = field(middle)
            left = (z < 0.0) == (x < 0.0)
            p, q = np.where(left[:, None], middle, p), np.where(left[:, None], q, middle)
            x, y = np.where(left, z + 1e-12 * np.sign(x), x), np.where(left, y, z + 1e-12 * np.sign(y))
        return middle

    def zone(
        self,
        name: str,
        field: Cut,
        near: Near,
        finish: str | tuple[str, str] = "paint",
        inset: float = 0.0,
        gap: float = 0.005,
    ) -> None:
        """Cut out where the field is negative and give it a name, a finish (or one on the left and one on the right)
        and a depth below the surface (m); `gap` is the width of the slot around it (m)."""
        if name not in self.names:
            self.names.append(name)
        self.finish[name] = (finish, inset)
        for level in (-gap / 2.0, gap / 2.0) if gap else (0.0,):
            self.cut(lambda p, level=level: field(p) + level, self.pick(near))
        chosen = np.flatnonzero(self.pick(near))
        distance = field(self.middles(chosen))
        self.label[chosen[distance < -gap / 2.0]] = self.names.index(name)
        if gap:
            self.label[chosen[np.abs(distance) <= gap / 2.0]] = self.GAP

    def faces(self, label: int) -> np.ndarray:
        """(n, 4) faces of a label; quads where they are whole, else triangles with -1 as their fourth."""
        return self.as_faces(self.label == label)

    def as_faces(self, which: np.ndarray) -> np.ndarray:
        """(n, 4) faces of some triangles; quads where they are whole, else triangles with -1 as their fourth."""
        mine = np.flatnonzero(which)
        if not len(mine):
            return np.zeros((0, 4), dtype=int)
        order = mine[np.argsort(self.quad[mine], kind="stable")]
        quad = self.quad[order]
        is_first = np.append((quad[:-1] == quad[1:]) & (quad[:-1] >= 0), False)
        is_second = np.append(False, is_first[:-1])
        first, second = self.triangles[order[is_first]], self.triangles[order[is_second]]
        whole = np.concatenate([first, second[:, 2:]], axis=1)
        single = self.triangles[order[~is_first & ~is_second]]
        return np.concatenate([whole, np.pad(single, ((0, 0), (0, 1)), constant_values=-1)])
