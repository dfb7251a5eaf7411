"""How a mesh stands: its unit, which way is up and which way is forward; proposed, for a person to confirm."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....engine.errors import EngineError

DIRECTIONS = ("+x", "-x", "+y", "-y", "+z", "-z")
UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}
LENGTHS, ACROSS = (2.5, 18.0), (1.2, 4.5)
"""m: of road vehicles; and of their width and height."""
DIP = 0.4
"""m: a narrower gap of the profile (between a cab and a bar behind it) is no end of a roof."""
END = 0.4
"""m at each end of the profile whose own edge is no step."""
STEP_WEIGHT = 1.5
"""m of distance to the roof that a step of 1 m counts for."""
UNDECIDED = 0.15
"""m: below that the profile does not say which end is the front."""
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

    @property
    def scale(self) -> float:
        """Metres of one unit. Raises EngineError."""
        if self.unit not in UNITS:
            raise EngineError(f"unit is '{self.unit}'; use one of {', '.join(UNITS)}")
        return UNITS[self.unit]

    def metres(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) points of the mesh in m, x forward, y left, z up. Raises EngineError."""
        return self.scale * np.asarray(points, dtype=float) @ self.rotation.T


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
    others = [k for k in range(3) if k != long]
    unit = propose_unit(float(size[long]), [float(size[k]) for k in others])
    # a vehicle is the same left and right, and not above and below
    up = max(others, key=lambda k: unlikeness(points, k))
    is_up = footprint(points, up, False) < footprint(
        points, up, True
    )  # tyres touch less ground than a roof covers
    up_word = ("+" if is_up else "-") + "xyz"[up]
    forward = Axes(unit, "+" + "xyz"[long], up_word)
    is_forward = front_is_ahead(forward.metres(points))
    return Axes(unit, ("+" if is_forward else "-") + "xyz"[long], up_word)


def propose_unit(length: float, across: Sequence[float] = ()) -> str:
    """Unit in which a length is that of a vehicle, and width and height too if there is one such. Raises EngineError.

    The length alone would take a bus in inches for a car in centimetres, and a car in feet for a bus in metres.
    """
    long = [unit for unit in ORDER if LENGTHS[0] <= length * UNITS[unit] <= LENGTHS[1]]
    for unit in long:
        if all(ACROSS[0] <= size * UNITS[unit] <= ACROSS[1] for size in across):
            return unit
    if long:
        return long[0]
    raise EngineError(
        f"the longest side of the mesh is {length:.4g}, which is no length of a vehicle in m, mm, cm, in or ft; scale "
        "it, or give the unit"
    )


def unlikeness(points: np.ndarray, axis: int, cells: int = 24) -> float:
    """0 to 1: how much the mesh differs from its mirror image across the middle of an axis, by filled cells."""
    low, size = points.min(axis=0), np.maximum(np.ptp(points, axis=0), 1e-12)
    index = np.minimum((cells * (points - low) / size).astype(int), cells - 1)
    filled = np.zeros((cells,) * 3, dtype=bool)
    filled[tuple(index.T)] = True
    image = np.flip(filled, axis=axis)
    return float((filled != image).sum() / max(1, (filled | image).sum()))


def footprint(points: np.ndarray, axis: int, at_top: bool, cells: int = 60) -> int:
    """Cells that the outermost 5 % of a mesh along an axis cover, seen along it."""
    along = points[:, axis]
    limit = 0.05 * np.ptp(along)
    chosen = points[along > along.max() - limit] if at_top else points[along < along.min() + limit]
    plane = np.delete(chosen, axis, axis=1)
    low, size = np.delete(points, axis, axis=1).min(axis=0), np.delete(np.ptp(points, axis=0), axis)
    index = np.minimum((cells * (plane - low) / size).astype(int), cells - 1)
    return len(np.unique(index, axis=0))


def top_profile(points: np.ndarray, count: int = 80) -> tuple[np.ndarray, np.ndarray]:
    """(x, z) of the highest points near the middle plane, from the rear to the front; points in m, x forward."""
    middle = 0.5 * (points[:, 1].min() + points[:, 1].max())
    near = points[np.abs(points[:, 1] - middle) < 0.2 * np.ptp(points[:, 1])]
    edges = np.linspace(near[:, 0].min(), near[:, 0].max(), count + 1)
    cell = np.clip(np.digitize(near[:, 0], edges) - 1, 0, count - 1)
    top = np.full(count, near[:, 2].min())
    np.maximum.at(top, cell, near[:, 2])
    return 0.5 * (edges[:-1] + edges[1:]), top


def without_dips(height: np.ndarray, cells: int) -> np.ndarray:
    """Heights of a profile with gaps of up to twice so many cells filled to their lower side."""

    def widened(values: np.ndarray, best: np.ufunc) -> np.ndarray:
        padded = np.pad(values, cells, mode="edge")
        return best.reduce([padded[k : k + len(values)] for k in range(2 * cells + 1)])

    return widened(widened(height, np.maximum), np.minimum)


def front_is_ahead(points: np.ndarray) -> bool:
    """Whether the end at large x looks like the front: the roof begins farther from it, and without a sharp step (the
    rear of a pickup's cab is one)."""
    x, top = top_profile(points)
    low = points[:, 2].min()
    height = without_dips(top - low, max(1, round(0.5 * DIP / (x[1] - x[0]))))
    roof = x[height > 0.9 * height.max()]
    ahead, behind = float(x[-1] - roof.max()), float(roof.min() - x[0])
    run = max(1, round(0.15 / (x[1] - x[0])))
    steps = height[run:] - height[:-run]
    ends = min(max(2, round(END / (x[1] - x[0]))), len(steps) // 3)
    inner = steps[ends : len(steps) - ends]
    score = ahead - behind + STEP_WEIGHT * float(inner.max() + inner.min())
    if abs(score) > UNDECIDED:
        return score > 0.0
    # flat at both ends: the windscreen leans more than the rear
    high = points[(points[:, 2] - low > 0.75 * height.max()) & (points[:, 2] - low < 0.9 * height.max())]
    return float(x[-1] - high[:, 0].max()) > float(high[:, 0].min() - x[0])
