"""Surfaces of vehicle parts: tubes, wheels and the shell around a body. Plain geometry, without Blender.

Every surface is closed, its faces seen from outside turn counter-clockwise, and each face has a finish.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

PAINT, GLASS, RUBBER, METAL, DARK, LAMP, TAIL_LAMP = range(7)
FINISHES = ("paint", "glass", "rubber", "metal", "dark", "lamp", "tail lamp")
"""What a face is made of, by its number."""

ALONG, AROUND = 210, 144
"""Cells of a shell."""
CLOSING = (0.60, 0.30)
"""Metres along and radians around: dents of a body narrower than this are filled, as sheet metal would."""
ROUNDING = (0.030, 0.035)
"""Metres along and radians around over which a shell is rounded."""
END = 0.20
"""Share of a shell's length at either end that is seen from one point instead of from the line along the middle."""
ARCH = 1.13
"""Radius of a wheel arch, in radii of its wheel."""


@dataclass
class Surface:
    """Points (n, 3) in metres, faces as tuples of indices, finish of each face."""

    points: np.ndarray
    faces: list[tuple[int, ...]]
    finishes: list[int]

    def moved(self, frame: np.ndarray) -> Surface:
        """The surface taken along by a (4, 4) frame."""
        return Surface(self.points @ frame[:3, :3].T + frame[:3, 3], self.faces, self.finishes)


def joined(surfaces: list[Surface]) -> Surface:
    """Surfaces in one."""
    faces, finishes, base = [], [], 0
    for surface in surfaces:
        faces += [tuple(base + i for i in face) for face in surface.faces]
        finishes += surface.finishes
        base += len(surface.points)
    return Surface(np.concatenate([s.points for s in surfaces]), faces, finishes)


def revolved(profile: np.ndarray, count: int, finishes: list[int]) -> Surface:
    """Surface of a profile (n, 2) of radius and place along the axis y, turned about it; `finishes` per segment.

    A profile that begins and ends on the axis (radius 0) gives a ball-like surface, a closed one (its last point is
    its first) a ring. Its inside is on the left of its direction, seen with y to the right and the radius upward.
    """
    is_ring = bool(np.allclose(profile[0], profile[-1]))
    inner = profile[:-1] if is_ring else profile[1:-1]
    angle = np.arange(count) * 2.0 * np.pi / count
    circle = np.stack([np.cos(angle), np.zeros(count), np.sin(angle)], axis=1)
    points = [r * circle + np.array([0.0, y, 0.0]) for r, y in inner]
    rings = [[k * count + i for i in range(count)] for k in range(len(inner))]
    faces, kinds = [], []
    pairs = (
        list(zip(rings, rings[1:] + rings[:1], strict=True))
        if is_ring
        else list(zip(rings, rings[1:], strict=False))
    )
    for k, (near, far) in enumerate(pairs):
        for i in range(count):
            j = (i + 1) % count
            faces.append((near[i], near[j], far[j], far[i]))
            kinds.append(finishes[k if is_ring else k + 1])
    cloud = np.concatenate(points)
    if not is_ring:
        ends = np.array([[0.0, profile[0][1], 0.0], [0.0, profile[-1][1], 0.0]])
        first, last = len(cloud), len(cloud) + 1
        cloud = np.concatenate([cloud, ends])
        for i in range(count):
            j = (i + 1) % count
            faces += [(first, rings[0][j], rings[0][i]), (last, rings[-1][i], rings[-1][j])]
            kinds += [finishes[0], finishes[-1]]
    return Surface(cloud, faces, kinds)


def tube(radius: float, half_length: float, finish: int, count: int = 14) -> Surface:
    """A tube with rounded ends along x, within `half_length` of the middle."""
    bend = np.linspace(0.0, np.pi / 2.0, 4)
    straight = max(half_length - radius, 0.0)
    left = np.stack([radius * np.sin(bend), -straight - radius * np.cos(bend)], axis=1)
    right = np.stack([radius * np.cos(bend), straight + radius * np.sin(bend)], axis=1)
    profile = np.concatenate([left, right])
    made = revolved(profile, count, [finish] * (len(profile) - 1))
    turn = np.identity(4)
    turn[:3, :3] = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    return made.moved(turn)


def ring(radius: float, thickness: np.ndarray, finish: int, count: int = 48) -> Surface:
    """A ring about y of oval section: half sizes (along the radius, along y)."""
    angle = np.linspace(0.0, 2.0 * np.pi, 13)
    profile = np.stack([radius + thickness[0] * np.cos(angle), thickness[1] * np.sin(angle)], axis=1)
    return revolved(profile[::-1], count, [finish] * 12)


def bicycle_wheel(radius: float, half_width: float) -> Surface:
    """Tyre, rim, hub and spokes of a wheel about y."""
    tyre = ring(radius - half_width, np.array([half_width, half_width]), RUBBER)
    rim = ring(radius - 2.1 * half_width, np.array([0.5 * half_width, 0.75 * half_width]), METAL)
    outer = radius - 2.1 * half_width
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # from along x to along y
    hub_frame = np.identity(4)
    hub_frame[:3, :3] = turn
    parts = [tyre, rim, tube(0.055 * radius, 2.0 * half_width, METAL).moved(hub_frame)]
    for k in range(18):
        angle = 2.0 * np.pi * k / 18
        side = half_width if k % 2 else -half_width
        parts.append(
            rod((0.0, side, 0.0), (outer * np.cos(angle), 0.0, outer * np.sin(angle)), 0.0022, METAL)
        )
    return joined(parts)


def rod(start: tuple[float, ...], end: tuple[float, ...], radius: float, finish: int) -> Surface:
    """A thin tube between two points."""
    start, end = np.array(start), np.array(end)
    along = (end - start) / np.linalg.norm(end - start)
    frame = np.identity(4)
    frame[:3, :3] = axes_along(along)
    frame[:3, 3] = (start + end) / 2.0
    return tube(radius, float(np.linalg.norm(end - start)) / 2.0, finish, 6).moved(frame)


def axes_along(direction: np.ndarray) -> np.ndarray:
    """(3, 3) rotation whose x axis is a unit vector."""
    other = np.identity(3)[int(np.argmin(np.abs(direction)))]
    y = np.cross(other, direction)
    y /= np.linalg.norm(y)
    return np.stack([direction, y, np.cross(direction, y)], axis=1)


def car_wheel(radius: float, half_width: float) -> Surface:
    """Tyre with rounded shoulders and a rim of ten bright and dark fields, which show how it turns, about y."""
    w, r, rim = half_width, radius, 0.66 * radius
    side = [
        (0.0, -0.55),
        (0.22 * r, -0.62),
        (0.88 * rim, -0.62),
        (rim, -0.95),
        (0.86 * r, -1.0),
        (0.96 * r, -0.86),
        (r, -0.55),
    ]
    half = [(a, b * w) for a, b in side]
    profile = np.array(half + [(a, -b) for a, b in reversed(half)])
    kinds = [METAL, METAL, METAL, RUBBER, RUBBER, RUBBER, RUBBER, RUBBER, RUBBER, RUBBER, METAL, METAL, METAL]
    made = revolved(profile, 60, kinds)
    middle = made.points[[list(face) for face in made.faces if len(face) == 4]].mean(axis=1)
    distance, angle = np.hypot(middle[:, 0], middle[:, 2]), np.arctan2(middle[:, 2], middle[:, 0])
    is_gap = (
        (np.floor(angle / (2.0 * np.pi) * 20.0) % 2 == 1) & (distance > 0.22 * r) & (distance < 0.88 * rim)
    )
    quads = [k for k, face in enumerate(made.faces) if len(face) == 4]
    for k, gap in zip(quads, is_gap, strict=True):
        if gap and made.finishes[k] == METAL:
            made.finishes[k] = DARK
    return made


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
    fields = {kind: rounded((finish == kind).astype(float), 3.5, 3.5) for kind in np.unique(finish)}
    kinds = np.array(list(fields))[np.argmax(np.stack(list(fields.values())), axis=0)]
    points = np.clip(start[:, None, :] + reach[..., None] * rays, low, high)
    kinds = lamps(points, kinds, low, high)
    points, kinds = with_arches(points, kinds, wheels)
    return capped(points, kinds)


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


def with_arches(
    points: np.ndarray, kinds: np.ndarray, wheels: list[WheelPlace]
) -> tuple[np.ndarray, np.ndarray]:
    """Points and finishes with a recess around each wheel; points near its edge lie on its circle."""
    points, kinds = points.copy(), kinds.copy()
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
        kinds = np.where(inside, DARK, kinds)
    return points, kinds


def capped(points: np.ndarray, kinds: np.ndarray) -> Surface:
    """Closed surface of a grid (along, around, 3): the ends run into a point each."""
    along, around = points.shape[:2]
    cloud = points.reshape(-1, 3)
    ends = np.stack([points[0].mean(axis=0), points[-1].mean(axis=0)])
    first, last = len(cloud), len(cloud) + 1
    faces, finishes = [], []
    for i in range(along - 1):
        for j in range(around):
            k = (j + 1) % around
            faces.append((i * around + j, i * around + k, (i + 1) * around + k, (i + 1) * around + j))
            finishes.append(int(kinds[i, j]))
    top = (along - 1) * around
    for j in range(around):
        k = (j + 1) % around
        faces += [(first, k, j), (last, top + j, top + k)]
        finishes += [int(kinds[0, j]), int(kinds[-1, j])]
    return Surface(np.concatenate([cloud, ends]), faces, finishes)
