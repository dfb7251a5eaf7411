"""Surfaces of vehicle parts: tubes and wheels. Plain geometry, without Blender. The shell is in `vehicle_shell`.

Every surface is closed, its faces seen from outside turn counter-clockwise, and each face has a finish.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .finishes import DARK, METAL, RUBBER


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
