"""How a mesh stands: its unit, which way is up and which way is forward; proposed, for a person to confirm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....engine.errors import EngineError

DIRECTIONS = ("+x", "-x", "+y", "-y", "+z", "-z")
UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}
LENGTHS = (2.5, 18.0)
"""m: of road vehicles."""
ORDER = ("m", "mm", "cm", "in", "ft")
"""Units in the order in which they are tried."""


@dataclass(frozen=True)
class Axes:
    """Unit of a mesh, and its directions that point up and forward."""

    unit: str
    forward: str
    up: str

    @property
    def rotation(self) -> np.ndarray:
        """(3, 3): times a point of the mesh, it has x forward, y left, z up. Raises EngineError."""
        for name, value in (("forward", self.forward), ("up", self.up)):
            if value not in DIRECTIONS:
                raise EngineError(f"{name} is '{value}'; use one of {', '.join(DIRECTIONS)}")
        forward, up = direction(self.forward), direction(self.up)
        if abs(float(forward @ up)) > 0.5:
            raise EngineError(f"forward {self.forward} and up {self.up} lie along one line; they must differ")
        return np.stack([forward, np.cross(up, forward), up])

    def metres(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) points of the mesh in m, x forward, y left, z up. Raises EngineError."""
        if self.unit not in UNITS:
            raise EngineError(f"unit is '{self.unit}'; use one of {', '.join(UNITS)}")
        return UNITS[self.unit] * np.asarray(points, dtype=float) @ self.rotation.T


def direction(word: str) -> np.ndarray:
    """Unit vector of a word such as "-y"."""
    out = np.zeros(3)
    out["xyz".index(word[1])] = -1.0 if word[0] == "-" else 1.0
    return out


def propose_axes(points: np.ndarray) -> Axes:
    """Unit by the longest side, forward along it, up across the side about which the mesh is least alike.

    points: (n, 3) spread over the surface. Raises EngineError where no unit makes it a vehicle's size.
    """
    size = np.ptp(points, axis=0)
    long = int(np.argmax(size))
    unit = propose_unit(float(size[long]))
    others = [k for k in range(3) if k != long]
    # a vehicle is the same left and right, and not above and below
    up = max(others, key=lambda k: unlikeness(points, k))
    middle = points[:, up].min() + 0.5 * size[up]
    is_up = np.mean(points[:, up] > middle) < 0.5  # there is more of it below its waist than above
    up_word = ("+" if is_up else "-") + "xyz"[up]
    forward = Axes(unit, "+" + "xyz"[long], up_word)
    is_forward = front_is_ahead(forward.metres(points))
    return Axes(unit, ("+" if is_forward else "-") + "xyz"[long], up_word)


def propose_unit(length: float) -> str:
    """Unit in which a length is that of a vehicle. Raises EngineError."""
    for unit in ORDER:
        if LENGTHS[0] <= length * UNITS[unit] <= LENGTHS[1]:
            return unit
    raise EngineError(
        f"the longest side of the mesh is {length:.4g}, which is no length of a vehicle in m, mm, cm, in or ft; scale it "
        "or give the unit"
    )


def unlikeness(points: np.ndarray, axis: int, cells: int = 24) -> float:
    """0 to 1: how much the mesh differs from its mirror image across the middle of an axis, by filled cells."""
    low, size = points.min(axis=0), np.maximum(np.ptp(points, axis=0), 1e-12)
    index = np.minimum((cells * (points - low) / size).astype(int), cells - 1)
    filled = np.zeros((cells,) * 3, dtype=bool)
    filled[tuple(index.T)] = True
    image = np.flip(filled, axis=axis)
    return float((filled != image).sum() / max(1, (filled | image).sum()))


def top_profile(points: np.ndarray, count: int = 80) -> tuple[np.ndarray, np.ndarray]:
    """(x, z) of the highest points near the middle plane, from the rear to the front; points in m, x forward."""
    middle = 0.5 * (points[:, 1].min() + points[:, 1].max())
    near = points[np.abs(points[:, 1] - middle) < 0.2 * np.ptp(points[:, 1])]
    edges = np.linspace(near[:, 0].min(), near[:, 0].max(), count + 1)
    cell = np.clip(np.digitize(near[:, 0], edges) - 1, 0, count - 1)
    top = np.full(count, near[:, 2].min())
    np.maximum.at(top, cell, near[:, 2])
    return 0.5 * (edges[:-1] + edges[1:]), top


def front_is_ahead(points: np.ndarray) -> bool:
    """Whether the end at large x looks like the front: the roof begins farther from it, and without a sharp step (the
    rear of a pickup's cab is one)."""
    x, top = top_profile(points)
    low = points[:, 2].min()
    height = top - low
    roof = x[height > 0.9 * height.max()]
    ahead, behind = float(x[-1] - roof.max()), float(roof.min() - x[0])
    run = max(1, round(0.15 / (x[1] - x[0])))
    steps = height[run:] - height[:-run]
    # steepest rise on the way to the roof, from each end, leaving out the end's own edge
    inner = slice(2, len(steps) - 2)
    forward_step, rear_step = float(-steps[inner].min()), float(steps[inner].max())
    return ahead - 1.5 * forward_step > behind - 1.5 * rear_step
