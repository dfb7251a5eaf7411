"""Ellipsoids fitted to a skin, so that contact happens where the skin is. NumPy only.

All ellipsoids of the left half and the middle are fitted together, in the mesh's own pose. Two errors are made small
at once: the distance of the skin from the union of the ellipsoids, and how far the union stands out of the skin. Both
are taken to first order, and each depends on one ellipsoid, so the normal equations fall into blocks of 9 x 9
(docs/derivations.md, Ellipsoids fitted to a skin). Sides are alike, because only the left half is fitted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

GOAL = 0.012
"""m: 95 % of the skin and 95 % of the union shall be nearer than this."""
HIDDEN = -0.002
"""m: a point of an ellipsoid this deep in another does not count as surface."""
OVERLAP = 0.010
"""m: how far an ellipsoid may reach into the skin of a body that is not its own before it counts as standing out."""
SMALLEST = 0.008
"""m: least half axis."""


@dataclass(frozen=True)
class Slot:
    """One ellipsoid of the layout."""

    name: str
    body: str
    """Without the letter of its side"""
    material: str
    kind: str
    """"central" lies in the middle plane, "left" has a mirror image on another body, "pair" one on the same body"""


@dataclass(frozen=True)
class Blobs:
    """Ellipsoids as arrays; in the frame of the mesh."""

    centre: np.ndarray
    """(k, 3) m"""
    axes: np.ndarray
    """(k, 3) half axes, m"""
    turn: np.ndarray
    """(k, 3, 3) columns are the directions of the half axes"""

    def __getitem__(self, which: object) -> Blobs:
        return Blobs(self.centre[which], self.axes[which], self.turn[which])


@dataclass(frozen=True)
class SkinPoints:
    """Points of the skin of the left half, each for an equal area."""

    points: np.ndarray
    """(n, 3)"""
    normals: np.ndarray
    """(n, 3) outward"""
    body: np.ndarray
    """(n,) index of the body in `bodies`"""
    bodies: tuple[str, ...]
    weight: np.ndarray | float = 1.0
    """(n,) how much each counts"""


@dataclass(frozen=True)
class Bounds:
    """How far each ellipsoid may reach along a direction, so that it stays with its body in other postures than that
    of the fit: what lies hidden in a neighbour sticks out once the joint between them is bent."""

    along: np.ndarray
    """(k, 3) unit vectors"""
    low: np.ndarray
    """(k,) m along it"""
    high: np.ndarray

    def keep(self, blobs: Blobs) -> Blobs:
        """The ellipsoids, those that reach further made shorter along the axis that lies most along the direction."""
        lengths = np.einsum("kij,ki->kj", blobs.turn, self.along)
        at = np.einsum("ki,ki->k", blobs.centre, self.along)
        half = np.linalg.norm(lengths * blobs.axes, axis=1)
        low, high = np.maximum(at - half, self.low), np.minimum(at + half, self.high)
        over = (high - low < 2.0 * half * (1.0 - 1e-9)) & (high - low > 2.0 * SMALLEST)
        move = np.where(over, 0.5 * (low + high) - at, 0.0)
        ratio = np.where(over, 0.5 * (high - low) / half, 1.0)
        scale = np.ones_like(blobs.axes)
        scale[np.arange(len(ratio)), np.abs(lengths).argmax(axis=1)] = ratio
        return Blobs(blobs.centre + move[:, None] * self.along, blobs.axes * scale, blobs.turn)


@dataclass(frozen=True)
class FitError:
    """How well ellipsoids and skin agree, m."""

    skin_mean: float
    skin_95: float
    skin_worst: float
    outside_95: float
    """95 % of the union stand out of the skin by less than this"""
    outside_worst: float
    worst_body: str
    """Body whose skin has the largest 95th percentile"""
    worst_body_95: float

    def __str__(self) -> str:
        mm = 1000.0
        return (
            f"skin to ellipsoids {mm * self.skin_mean:.1f} mm mean, 95 % below {mm * self.skin_95:.1f} mm, at most "
            f"{mm * self.skin_worst:.0f} mm; ellipsoids outside the skin 95 % below {mm * self.outside_95:.1f} mm, at "
            f"most {mm * self.outside_worst:.0f} mm; worst body {self.worst_body} ({mm * self.worst_body_95:.1f} mm)"
        )


def sample_skin(corners: Mapping[str, np.ndarray], count: int, least: int) -> SkinPoints:
    """About `count` points over the skin triangles (k, 3, 3) per body, by area, at least `least` on each body."""
    areas = {body: _areas(triangles) for body, triangles in corners.items()}
    whole = sum(area.sum() for area in areas.values())
    points, normals, owner = [], [], []
    for index, (body, triangles) in enumerate(corners.items()):
        area = areas[body]
        number = max(least, round(count * area.sum() / whole))
        at = (np.arange(number) + 0.5) / number * area.sum()
        chosen = triangles[np.minimum(np.searchsorted(np.cumsum(area), at), len(area) - 1)]
        cross = np.cross(chosen[:, 1] - chosen[:, 0], chosen[:, 2] - chosen[:, 0])
        points.append(chosen.mean(axis=1))
        normals.append(cross / np.maximum(np.linalg.norm(cross, axis=1, keepdims=True), 1e-15))
        owner.append(np.full(number, index))
    return SkinPoints(np.concatenate(points), np.concatenate(normals), np.concatenate(owner), tuple(corners))


def _areas(triangles: np.ndarray) -> np.ndarray:
    return 0.5 * np.linalg.norm(
        np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1
    )


def distances(points: np.ndarray, blobs: Blobs) -> np.ndarray:
    """(n, k) distance of points from ellipsoids, to first order; negative inside."""
    count = len(blobs.axes)
    to_unit = (blobs.turn / blobs.axes[:, None, :]).transpose(1, 0, 2).reshape(3, 3 * count)
    offset = np.einsum("ki,kij->kj", blobs.centre, blobs.turn) / blobs.axes
    scaled = (points @ to_unit - offset.ravel()).reshape(len(points), count, 3)
    square = scaled * scaled
    level = np.sqrt(square.sum(axis=2))
    slope = np.sqrt((square / blobs.axes**2).sum(axis=2))
    return level * (level - 1.0) / np.maximum(slope, 1e-9)


def mirrored(blobs: Blobs) -> Blobs:
    """The mirror images in the plane y = 0."""
    flip = np.array([1.0, -1.0, 1.0])
    return Blobs(blobs.centre * flip, blobs.axes, blobs.turn * flip[:, None] * flip)


class Fit:
    """Levenberg-Marquardt on all ellipsoids of a layout at once."""

    def __init__(
        self,
        layout: Sequence[Slot],
        skin: SkinPoints,
        near: Mapping[str, set[str]],
        bounds: Sequence[Bounds] = (),
    ):
        self.layout = tuple(layout)
        self.skin = skin
        self.bounds = bounds
        index = {body: k for k, body in enumerate(skin.bodies)}
        self.slot_body = np.array([index[slot.body] for slot in self.layout])
        self.may_cover = np.zeros((len(skin.bodies), len(self.layout)), bool)
        for k, slot in enumerate(self.layout):
            for body in near[slot.body] | {slot.body}:
                self.may_cover[index[body], k] = True
        self.central = np.array([slot.kind == "central" for slot in self.layout])
        self.pair = np.array([slot.kind == "pair" for slot in self.layout])
        self.free = np.ones((len(self.layout), 9), bool)
        self.free[self.central] = [True, False, True, True, True, True, False, True, False]
        self.sphere = _sphere(90)
        self.norm = np.einsum("ij,ij->i", skin.points, skin.points).astype(np.float32)
        self.points32 = skin.points.astype(np.float32)

    def skin_rows(self, blobs: Blobs) -> tuple[np.ndarray, np.ndarray]:
        """(n,) distance of every skin point from the ellipsoids that may cover it, and which is nearest."""
        allowed = self.may_cover[self.skin.body]
        found = np.where(allowed, distances(self.skin.points, blobs), np.inf)
        nearest = found.argmin(axis=1)
        return found[np.arange(len(found)), nearest], nearest

    def surface_rows(self, blobs: Blobs) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Points of the union's own surface (m, 3), whose they are (m,), how far they stand out of the skin (m,), and
        the skin's normals there (m, 3)."""
        world = blobs.centre[:, None] + np.einsum("kij,kj,sj->ksi", blobs.turn, blobs.axes, self.sphere)
        owner = np.repeat(np.arange(len(blobs.axes)), len(self.sphere))
        points = world.reshape(-1, 3)
        left = points[:, 1] >= 0.0
        points, owner = points[left], owner[left]
        inside = distances(points, blobs)
        inside[np.arange(len(points)), owner] = np.inf
        hidden = (inside < HIDDEN).any(axis=1)
        if self.pair.any():
            hidden |= (distances(points, mirrored(blobs[self.pair])) < HIDDEN).any(axis=1)
        points, owner = points[~hidden], owner[~hidden]
        nearest = self.nearest_skin(points)
        normals = self.skin.normals[nearest]
        out = np.einsum("ij,ij->i", points - self.skin.points[nearest], normals)
        foreign = ~self.may_cover[self.skin.body[nearest], owner]
        return points, owner, np.where(foreign, out + OVERLAP, out), normals

    def nearest_skin(self, points: np.ndarray) -> np.ndarray:
        """(m,) index of the skin point nearest to each point."""
        return (self.norm - 2.0 * (points.astype(np.float32) @ self.points32.T)).argmin(axis=1)

    def equations(self, blobs: Blobs) -> tuple[np.ndarray, np.ndarray, float]:
        """Blocks (k, 9, 9) and right sides (k, 9) of the normal equations, and the sum of squares."""
        away, whose = self.skin_rows(blobs)
        chosen = blobs[whose]
        local = np.einsum("ni,nij->nj", self.skin.points - chosen.centre, chosen.turn)
        level = np.maximum(np.linalg.norm(local / chosen.axes, axis=1, keepdims=True), 1e-6)
        on_surface = local / level
        normal = on_surface / chosen.axes**2
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
        weight = self.skin.weight * _tail_weight(away)
        first = _rows(on_surface, normal, -1.0)
        points, owner, out, skin_normal = self.surface_rows(blobs)
        standing = np.maximum(out - 0.002, 0.0)
        held = blobs[owner]
        arm = np.einsum("ni,nij->nj", points - held.centre, held.turn)
        second = _rows(arm, np.einsum("ni,nij->nj", skin_normal, held.turn), 1.0)
        share = OUTSIDE_WEIGHT * len(away) / max(len(out), 1) * _tail_weight(standing)
        blocks = np.zeros((len(self.layout), 9, 9))
        sides = np.zeros((len(self.layout), 9))
        for rows, values, weights, who in ((first, away, weight, whose), (second, standing, share, owner)):
            for k in np.unique(who):
                own = rows[who == k]
                weighted = own.T * weights[who == k]
                blocks[k] += weighted @ own
                sides[k] += weighted @ values[who == k]
        return blocks, sides, float(weight @ away**2 + share @ standing**2)

    def stepped(self, blobs: Blobs, blocks: np.ndarray, sides: np.ndarray, damping: float) -> Blobs:
        """The ellipsoids after one damped step; sizes and turns change by a bounded amount."""
        held = ~self.free
        scale = np.einsum("kii->ki", blocks).max(axis=1, keepdims=True) + 1e-9
        diagonal = np.einsum("kii->ki", blocks) * damping + 1e-4 * scale
        matrix = blocks + np.einsum("ki,ij->kij", diagonal, np.eye(9))
        matrix[held[:, :, None] | held[:, None, :]] = 0.0
        matrix += np.einsum("ki,ij->kij", held.astype(float), np.eye(9))
        step = -np.linalg.solve(matrix, np.where(held, 0.0, sides)[:, :, None])[:, :, 0]
        move = np.clip(step[:, :3], -0.02, 0.02)
        grow = np.exp(np.clip(step[:, 3:6], -0.2, 0.2))
        turn = np.einsum("kij,kjl->kil", blobs.turn, _rotations(np.clip(step[:, 6:], -0.2, 0.2)))
        move = np.einsum("kij,kj->ki", blobs.turn, move)
        move[self.central, 1] = 0.0
        return self.kept(Blobs(blobs.centre + move, np.maximum(blobs.axes * grow, SMALLEST), turn))

    def kept(self, blobs: Blobs) -> Blobs:
        """The ellipsoids within their bounds."""
        for bound in self.bounds:
            blobs = bound.keep(blobs)
        return blobs

    def solve(self, blobs: Blobs, rounds: int) -> Blobs:
        """The fitted ellipsoids, from a start."""
        damping = 1e-2
        blobs = self.kept(blobs)
        blocks, sides, error = self.equations(blobs)
        for _ in range(rounds):
            tried = self.stepped(blobs, blocks, sides, damping)
            next_blocks, next_sides, next_error = self.equations(tried)
            if next_error < error:
                gain = 1.0 - next_error / error
                blobs, blocks, sides, error = tried, next_blocks, next_sides, next_error
                damping = max(damping / 3.0, 1e-4)
                if gain < 1e-4:
                    break
            else:
                damping *= 5.0
                if damping > 1e4:
                    break
        return blobs

    def error(self, blobs: Blobs) -> FitError:
        """How well skin and ellipsoids agree, over the whole union."""
        found = distances(self.skin.points, blobs).min(axis=1)
        if self.pair.any():
            found = np.minimum(found, distances(self.skin.points, mirrored(blobs[self.pair])).min(axis=1))
        away = np.abs(found)
        _, owner, out, _ = self.surface_rows(blobs)
        per_body = [float(np.percentile(away[self.skin.body == k], 95)) for k in range(len(self.skin.bodies))]
        worst = int(np.argmax(per_body))
        return FitError(
            float(away.mean()),
            float(np.percentile(away, 95)),
            float(away.max()),
            float(np.percentile(np.maximum(out, 0.0), 95)),
            float(out.max()),
            self.skin.bodies[worst],
            per_body[worst],
        )


OUTSIDE_WEIGHT = 1.0
"""How much the union's own surface counts against the skin."""


def _tail_weight(away: np.ndarray) -> np.ndarray:
    """Errors count more the larger they are, up to a bound: the goal is the 95th percentile, not the mean."""
    return np.minimum(1.0 + (away / (0.5 * GOAL)) ** 2, 10.0)


def _rows(arm: np.ndarray, normal: np.ndarray, sign: float) -> np.ndarray:
    """(n, 9) derivatives of a distance: by the centre (in the ellipsoid's own axes), by the logarithms of the half
    axes, by a turn. `arm` and `normal` in the ellipsoid's own axes."""
    return sign * np.concatenate([normal, normal * arm, np.cross(arm, normal)], axis=1)


def _rotations(vectors: np.ndarray) -> np.ndarray:
    """(k, 3, 3) rotations about the vectors by their lengths (Rodrigues)."""
    angle = np.linalg.norm(vectors, axis=1)[:, None, None]
    unit = vectors / np.maximum(angle[:, :, 0], 1e-12)
    cross = np.zeros((len(vectors), 3, 3))
    cross[:, [2, 0, 1], [1, 2, 0]] = unit
    cross[:, [1, 2, 0], [2, 0, 1]] = -unit
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * (cross @ cross)


def _sphere(count: int) -> np.ndarray:
    """(count, 3) points spread over the unit sphere (golden spiral), in mirrored pairs about y = 0."""
    k = np.arange(count) + 0.5
    polar, turn = np.arccos(1.0 - 2.0 * k / count), np.pi * (1.0 + 5.0**0.5) * k
    return np.stack([np.cos(turn) * np.sin(polar), np.sin(turn) * np.sin(polar), np.cos(polar)], axis=1)
