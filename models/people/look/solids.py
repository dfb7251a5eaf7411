"""Rigid things: eyeballs, glasses, a helmet and a rucksack. Each is carried by one bone and sized by the person."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .sheet import Faces
from .template import Template

Place = Callable[[Template, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Template and (rows, 3) points of somebody to the (3,) centre and the (3,) sizes of a solid, m."""


@dataclass(frozen=True, eq=False)
class Solid:
    """A rigid thing: its points in its own unit, faces with their finishes, the bone that carries it, and its place."""

    points: np.ndarray
    faces: Faces
    finishes: tuple[str, ...]
    bone: str
    place: Place

    def placed(self, template: Template, points: np.ndarray) -> np.ndarray:
        """(n, 3) where it is on somebody, m."""
        centre, size = self.place(template, points)
        return centre + size * self.points


def grid_faces(rows: int, columns: int, first: int = 0) -> Faces:
    """Faces between rings of points, each ring closed."""
    return [
        (
            first + i * columns + j,
            first + (i + 1) * columns + j,
            first + (i + 1) * columns + (j + 1) % columns,
            first + i * columns + (j + 1) % columns,
        )
        for i in range(rows - 1)
        for j in range(columns)
    ]


# ---- eyes

RINGS = (2.0, 9.0, 15.0, 22.0, 29.0, 33.0, 45.0, 65.0, 90.0, 120.0)
"""Degrees from the line of sight of the rings of an eyeball."""
PUPIL, IRIS = 15.0, 29.0
"""Degrees from the line of sight: where pupil and iris end. An iris of 11.7 mm on an eye of 24 mm is 29 degrees."""
AROUND = 24


def eye_place(sign: float) -> Place:
    """Place of one eyeball: that of the template's own."""

    def place(template: Template, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        eyes = template.points_of("eyes")
        mine = points[eyes[template.base[eyes, 1] * sign > 0.0]]
        low, high = mine.min(axis=0), mine.max(axis=0)
        return (low + high) / 2.0, np.full(3, (high[2] - low[2]) / 2.0)

    return place


def eyeball(side: str, sign: float) -> Solid:
    """An eyeball that looks straight ahead, with rings about the line of sight, so that the iris is round."""
    angles = np.radians(RINGS)[:, None]
    turns = -2.0 * np.pi * np.arange(AROUND) / AROUND
    rings = np.stack(
        [np.cos(angles) + 0.0 * turns, np.sin(angles) * np.cos(turns), np.sin(angles) * np.sin(turns)], axis=2
    )
    names = ["pupil" if end <= PUPIL else "iris" if end <= IRIS else "eye" for end in RINGS[1:]]
    faces = [*grid_faces(len(RINGS), AROUND), tuple(range(AROUND - 1, -1, -1))]
    finishes = tuple(name for name in names for _ in range(AROUND))
    return Solid(rings.reshape(-1, 3), faces, (*finishes, "pupil"), f"eye.{side}", eye_place(sign))


# ---- glasses


def tube(line: np.ndarray, radius: float, is_closed: bool) -> tuple[np.ndarray, Faces]:
    """Points and faces of a six-sided tube along a (n, 3) line that runs in a plane x = const or along x."""
    turns = 2.0 * np.pi * np.arange(6) / 6.0
    ahead = np.roll(line, -1, axis=0) - np.roll(line, 1, axis=0)
    if not is_closed:
        ahead[0], ahead[-1] = line[1] - line[0], line[-1] - line[-2]
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    side = np.cross(ahead, [0.3, 0.2, 1.0] if not is_closed else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    other = np.cross(ahead, side)
    points = (
        line[:, None]
        + radius
        * (np.cos(turns)[None, :, None] * side[:, None] + np.sin(turns)[None, :, None] * other[:, None])
    ).reshape(-1, 3)
    faces = grid_faces(len(line), 6)
    if is_closed:
        last = (len(line) - 1) * 6
        faces += [(last + j, j, (j + 1) % 6, last + (j + 1) % 6) for j in range(6)]
    return points, faces


def glasses() -> Solid:
    """Frame and temples; the unit is the distance of the eyes. Lenses are left out: they would only mirror."""
    turns = 2.0 * np.pi * np.arange(24) / 24.0
    points, faces = [], []
    for sign in (1.0, -1.0):
        rim = np.stack(
            [-0.10 * np.cos(turns) ** 2, sign * 0.52 + 0.40 * np.cos(turns), -0.06 + 0.31 * np.sin(turns)],
            axis=1,
        )
        bow = np.array([[-0.08, sign * 0.92, 0.06], [-0.3, sign * 1.12, 0.06], [-1.45, sign * 1.22, 0.0]])
        for line, is_closed in ((rim, True), (bow, False)):
            made, more = tube(line, 0.028, is_closed)
            base = sum(len(some) for some in points)
            points.append(made)
            faces += [tuple(base + i for i in face) for face in more]
    bridge, more = tube(
        np.array([[-0.02, 0.13, 0.04], [0.03, 0.0, 0.09], [-0.02, -0.13, 0.04]]), 0.025, False
    )
    base = sum(len(some) for some in points)
    points.append(bridge)
    faces += [tuple(base + i for i in face) for face in more]
    return Solid(np.vstack(points), faces, ("frame",) * len(faces), "head", glasses_place)


def glasses_place(template: Template, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Middle and size of spectacles, before the eyes."""
    (left, size), (right, _) = (eye_place(sign)(template, points) for sign in (1.0, -1.0))
    apart = float(left[1] - right[1])
    return (left + right) / 2.0 + (1.9 * size[0], 0.0, 0.0), np.full(3, apart)


# ---- rucksack


def rounded_box(power: float, rows: int = 14, columns: int = 28) -> tuple[np.ndarray, Faces]:
    """Unit superellipsoid: a box with round edges and corners."""

    def bent(value: np.ndarray) -> np.ndarray:
        return np.sign(value) * np.abs(value) ** (2.0 / power)

    polar = np.linspace(-0.5 * np.pi + 0.05, 0.5 * np.pi - 0.05, rows)[:, None]
    turn = 2.0 * np.pi * np.arange(columns) / columns
    points = np.stack(
        [
            bent(np.cos(polar)) * bent(np.cos(turn)),
            bent(np.cos(polar)) * bent(np.sin(turn)),
            bent(np.sin(polar)) + 0.0 * turn,
        ],
        axis=2,
    ).reshape(-1, 3)
    bottom, top = tuple(range(columns - 1, -1, -1)), tuple(range((rows - 1) * columns, rows * columns))
    sides = [tuple(reversed(face)) for face in grid_faces(rows, columns)]
    return points, [*sides, bottom, top]


def rucksack() -> Solid:
    """The bag; its straps are cloth."""
    points, faces = rounded_box(4.0)
    return Solid(points, faces, ("pack",) * len(faces), "spine01", rucksack_place)


def rucksack_place(template: Template, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Behind the back, from the shoulders to the loin; as wide as the shoulder joints are apart, less a little."""
    shoulders = points[template.joints["l-shoulder"]], points[template.joints["r-shoulder"]]
    loin = points[template.joints["spine-3"]]
    top, wide = float(shoulders[0][2]), float(shoulders[0][1] - shoulders[1][1])
    half = 0.5 * (top - float(loin[2]))
    back = points[template.points_of("tights")]
    near = (np.abs(back[:, 1]) < 0.25 * wide) & (np.abs(back[:, 2] - loin[2] - half) < half)
    depth = 0.32 * wide
    return np.array([back[near, 0].min() - 0.75 * depth, 0.0, loin[2] + half]), np.array(
        [depth, 0.42 * wide, half]
    )


EYES = (eyeball("L", 1.0), eyeball("R", -1.0))
EXTRAS = {"glasses": (glasses(),), "rucksack": (rucksack(),)}
"""Rigid things by the names of a look."""
