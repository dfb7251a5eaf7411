"""The shell of a vehicle: one smooth closed surface around many ellipsoids. Plain geometry, without Blender."""

from dataclasses import dataclass

import numpy as np

from .finishes import DARK, LAMP, PAINT, TAIL_LAMP
from .shapes import Surface

ALONG, AROUND = 210, 144
"""Cells of a shell."""
CLOSING = (0.60, 0.30)
"""Metres along and radians around: dents of a body narrower than this are filled, as sheet metal would."""
ROUNDING = (0.030, 0.035)
"""Metres along and radians around over which a shell is rounded."""
SOFT, SOFT_LAMP = 3.0, 1.0
"""Cells over which the edges of windows and of lamps are rounded."""
END = 0.20
"""Share of a shell's length at either end that is seen from one point instead of from the line along the middle."""
ARCH = 1.13
"""Radius of a wheel arch, in radii of its wheel."""


@dataclass(frozen=True)
class Blob:
    """An ellipsoid: (4, 4) frame in the actor, (3,) semi-axes, finish of the surface over it."""

    frame: np.ndarray
    axes: np.ndarray
    finish: int


@dataclass(frozen=True)
class WheelPlace:
    """A wheel as its arch needs it: (3,) centre in the actor, radius and half width."""

    centre: np.ndarray
    radius: float
    half_width: float


def shell(blobs: list[Blob], wheels: list[WheelPlace]) -> Surface:
    """One smooth closed surface around ellipsoids, along x, with arches for the wheels.

    Seen from a line along x through the middle, the surface lies where the outermost ellipsoid ends; at the ends the
    rays fan out from the last point of that line. Dents between ellipsoids are filled and the whole is rounded.
    """
    low, high = bounds(blobs)
    length = high[0] - low[0]
    start, tilt = spine(low, high)
    angle = np.arange(AROUND) * 2.0 * np.pi / AROUND
    rays = np.stack(
        [
            np.broadcast_to(np.sin(tilt)[:, None], (ALONG, AROUND)),
            np.cos(tilt)[:, None] * np.cos(angle),
            np.cos(tilt)[:, None] * np.sin(angle),
        ],
        axis=2,
    )
    reach, finish = outermost(blobs, start, rays)
    cells_along, cells_around = ALONG / length, AROUND / (2.0 * np.pi)
    around = round(CLOSING[1] * cells_around / 2.0)
    wide = closed(reach, round(CLOSING[0] * cells_along / 2.0), around)
    # at the ends a cell is wider, and bumpers are to end where they do
    share = (np.cos(tilt) ** 4)[:, None]
    reach = share * wide + (1.0 - share) * closed(reach, 6, around)
    reach = rounded(reach, ROUNDING[0] * cells_along, ROUNDING[1] * cells_around)
    points = np.clip(start[:, None, :] + reach[..., None] * rays, low, high)
    finish = lamps(points, finish, low, high)
    others = [kind for kind in np.unique(finish) if kind != PAINT]
    fields = np.stack([rounded((finish == kind).astype(float), *softness(kind)) for kind in others])
    points, edge = with_clean_edges(points, fields.sum(axis=0) - 0.5)
    points, is_arch = with_arches(points, wheels)
    return capped(points, np.array(others)[np.argmax(fields, axis=0)], edge, is_arch)


def softness(kind: int) -> tuple[float, float]:
    """Cells along and around over which the edge of a finish is rounded."""
    soft = SOFT_LAMP if kind in (LAMP, TAIL_LAMP) else SOFT
    return soft, soft


def bounds(blobs: list[Blob]) -> tuple[np.ndarray, np.ndarray]:
    """(3,) lowest and highest coordinates of ellipsoids."""
    half = np.array([np.linalg.norm(b.frame[:3, :3] * b.axes, axis=1) for b in blobs])
    centre = np.array([b.frame[:3, 3] for b in blobs])
    return (centre - half).min(axis=0), (centre + half).max(axis=0)


def spine(low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(along, 3) where the rays of a shell start, and (along,) how far they tilt forward (radians)."""
    share = np.linspace(0.0, 1.0, ALONG)
    x = low[0] + (high[0] - low[0]) * np.clip(share, END, 1.0 - END)
    tilt = np.where(share < END, share / END - 1.0, np.maximum((share - 1.0) / END + 1.0, 0.0))
    start = np.empty((ALONG, 3))
    start[:, 0] = x
    start[:, 1] = (low[1] + high[1]) / 2.0
    start[:, 2] = low[2] + 0.42 * (high[2] - low[2])
    return start, tilt * (np.pi / 2.0 - 0.01)


def outermost(blobs: list[Blob], start: np.ndarray, rays: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(along, around) distance to where each ray leaves the last ellipsoid, and that ellipsoid's finish."""
    reach = np.full(rays.shape[:2], 1e-3)
    finish = np.full(reach.shape, PAINT)
    for blob in blobs:
        to_local = (blob.frame[:3, :3] / blob.axes).T
        p = ((start - blob.frame[:3, 3]) @ to_local.T)[:, None, :]
        d = rays @ to_local.T
        a, b, c = (d * d).sum(axis=2), (p * d).sum(axis=2), (p * p).sum(axis=2) - 1.0
        root = b * b - a * c
        far = np.where(root > 0.0, (-b + np.sqrt(np.maximum(root, 0.0))) / a, 0.0)
        finish = np.where(far > reach, blob.finish, finish)
        reach = np.maximum(reach, far)
    return reach, finish


def shifted(field: np.ndarray, along: int, around: int) -> np.ndarray:
    """A field moved by cells; the ends along repeat."""
    moved = field[np.clip(np.arange(len(field)) + along, 0, len(field) - 1)]
    return np.roll(moved, around, axis=1)


def closed(field: np.ndarray, along: int, around: int) -> np.ndarray:
    """Morphological closing: the largest value near, then the smallest of those near. Dents vanish, all else stays."""
    for pick in (np.maximum, np.minimum):
        for axis, count in ((0, along), (1, around)):
            best = field
            for k in range(-count, count + 1):
                best = pick(best, shifted(field, k if axis == 0 else 0, k if axis == 1 else 0))
            field = best
    return field


def rounded(field: np.ndarray, along: float, around: float) -> np.ndarray:
    """A field under a Gaussian of the given standard deviations in cells."""
    for axis, sigma in ((0, along), (1, around)):
        steps = np.arange(-int(np.ceil(3 * sigma)), int(np.ceil(3 * sigma)) + 1)
        weights = np.exp(-0.5 * (steps / sigma) ** 2)
        weights /= weights.sum()
        moved = [shifted(field, k if axis == 0 else 0, k if axis == 1 else 0) for k in steps]
        field = np.tensordot(weights, np.stack(moved), axes=1)
    return field


def lamps(points: np.ndarray, kinds: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Finishes with a pair of lamps in front and behind."""
    size = high - low
    share = (points - low) / size
    outside = np.abs(points[..., 1] - (low[1] + high[1]) / 2.0) / (size[1] / 2.0)
    in_height = (share[..., 2] > 0.36) & (share[..., 2] < 0.48)
    kinds = np.where((share[..., 0] > 0.93) & in_height & (outside > 0.58) & (outside < 0.95), LAMP, kinds)
    higher = (share[..., 2] > 0.42) & (share[..., 2] < 0.56)
    return np.where((share[..., 0] < 0.045) & higher & (outside > 0.58), TAIL_LAMP, kinds)


def with_clean_edges(points: np.ndarray, field: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points (along, around, 3) and a field of them, slid along the grid so that points lie where the field changes its
    sign; there it is zero then."""
    points, field = points.copy(), field.copy()
    for axis in (0, 1):
        for slides_first in (True, False):
            after = shifted(field, 1, 0) if axis == 0 else np.roll(field, -1, axis=1)
            target = np.stack(
                [
                    shifted(points[..., k], 1, 0) if axis == 0 else np.roll(points[..., k], -1, axis=1)
                    for k in range(3)
                ],
                axis=2,
            )
            crosses = field * after < 0.0
            share = np.where(crosses, field / np.where(crosses, field - after, 1.0), 0.0)
            place = points + share[..., None] * (target - points)
            chosen = crosses & ((share <= 0.5) == slides_first)
            if not slides_first:  # the following point slides instead
                chosen = np.roll(chosen, 1, axis=axis)
                place = np.roll(place, 1, axis=axis)
            points = np.where(chosen[..., None], place, points)
            field = np.where(chosen, 0.0, field)
    return points, field


def with_arches(points: np.ndarray, wheels: list[WheelPlace]) -> tuple[np.ndarray, np.ndarray]:
    """Points with a recess around each wheel, and which of them lie in one; points near its edge lie on its circle."""
    points = points.copy()
    is_arch = np.zeros(points.shape[:2], dtype=bool)
    for wheel in wheels:
        outer = np.sign(wheel.centre[1])
        inner = abs(wheel.centre[1]) - wheel.half_width - 0.04
        off = points[..., [0, 2]] - wheel.centre[[0, 2]]
        distance = np.hypot(off[..., 0], off[..., 1])
        radius = ARCH * wheel.radius
        beside = points[..., 1] * outer > inner
        near = beside & (np.abs(distance - radius) < 0.018)
        snapped = wheel.centre[[0, 2]] + off * (radius / np.maximum(distance, 1e-9))[..., None]
        for k, axis in enumerate((0, 2)):
            points[..., axis] = np.where(near, snapped[..., k], points[..., axis])
        inside = beside & (distance < radius - 0.018)
        points[..., 1] = np.where(inside, outer * inner, points[..., 1])
        is_arch |= inside
    return points, is_arch


def capped(points: np.ndarray, kinds: np.ndarray, edge: np.ndarray, is_arch: np.ndarray) -> Surface:
    """Closed surface of a grid (along, around, 3), whose ends run into a point each.

    Where the field `edge` is positive a face has the finish of `kinds`, elsewhere it is painted. A face that the edge
    crosses from corner to corner is parted there.
    """
    along, around = points.shape[:2]
    cloud = points.reshape(-1, 3)
    ends = np.stack([points[0].mean(axis=0), points[-1].mean(axis=0)])
    first, last = len(cloud), len(cloud) + 1
    value, label, dark = edge.ravel(), kinds.ravel(), is_arch.ravel()
    faces, finishes = [], []

    def add(face: tuple[int, ...]) -> None:
        inside = [corner for corner in face if corner < first]
        best = max(inside, key=lambda corner: value[corner])
        is_other = sum(value[corner] for corner in inside) > 0.0
        faces.append(face)
        finishes.append(DARK if dark[inside[0]] else int(label[best]) if is_other else PAINT)

    for i in range(along - 1):
        for j in range(around):
            k = (j + 1) % around
            a, b, c, d = i * around + j, i * around + k, (i + 1) * around + k, (i + 1) * around + j
            if value[a] == 0.0 == value[c] and value[b] * value[d] < 0.0:
                add((a, b, c))
                add((a, c, d))
            elif value[b] == 0.0 == value[d] and value[a] * value[c] < 0.0:
                add((a, b, d))
                add((b, c, d))
            else:
                add((a, b, c, d))
    top = (along - 1) * around
    for j in range(around):
        k = (j + 1) % around
        add((first, k, j))
        add((last, top + j, top + k))
    return Surface(np.concatenate([cloud, ends]), faces, finishes)
