"""The ellipsoids of a figure: one template for men, women, children and dummies.

Sizes are in units of the segment they belong to: along the limb in segment lengths L, across it in equivalent radii
r = sqrt(m / (pi rho L)), the radius of a cylinder of the segment's mass, length and a density of 1000 kg/m3. So the
volume follows the published masses for every build, and breadth to depth is all that is chosen by eye. Heads are
sized by head length and breadth.

Ellipsoids of neighbouring bodies overlap at the joint, so that no gap opens in any posture.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..parts.tables import read_table

DENSITY = 1000.0


@dataclass(frozen=True)
class Blob:
    """One ellipsoid in the units of its segment. `along` runs from 0 at the proximal end to 1 at the distal end,
    which for trunk segments is from the upper to the lower end; x is forward, y to the left (outward for limbs), in
    radii."""

    body: str
    segment: str
    """Trunk segment or part of a limb, whose length and radius are the units."""
    name: str
    along: float
    half_length: float
    x: float
    y: float
    half_depth: float
    half_breadth: float
    material: str


def equivalent_radius(mass: float, length: float) -> float:
    """Radius (m) of the cylinder of that mass and length at 1000 kg/m3."""
    return math.sqrt(mass / (math.pi * DENSITY * length))


SKULL_REGIONS = (
    ("crown", (0, 0, 1), "head"),
    ("forehead", (1, 0, 0), "head"),
    ("occiput", (-1, 0, 0), "head"),
    ("parietal_l", (0, 1, 0), "head_side"),
    ("parietal_r", (0, -1, 0), "head_side"),
)
"""Name, side of the skull (x forward, y to the left, z up) and material of the regions that stand for it."""
REGION_SHIFT = 0.30
"""Of the skull's semi-axis: how far the centre of a region lies towards its side."""
REGION_BREADTH = 0.86
"""Of the skull's semi-axes: those of a region across its side."""


def skull_region(
    middle: np.ndarray, half: np.ndarray, towards: Sequence[float]
) -> tuple[np.ndarray, np.ndarray]:
    """(centre, semi-axes) of the ellipsoid that stands for the skull towards one side.

    The skull is an ellipsoid with semi-axes `half`. The region touches it at its pole, and half-way to the pole of a
    neighbouring region still comes within 1 % of it; the pole of the neighbour it misses by 14 %, 10 mm and more, so
    that each blow meets the region it comes from.
    """
    direction = np.abs(np.array(towards, dtype=float))
    centre = middle + REGION_SHIFT * np.array(towards) * half
    return centre, half * (direction * (1.0 - REGION_SHIFT) + (1.0 - direction) * REGION_BREADTH)


def _of_bodies(blobs: Sequence[Blob]) -> dict[str, tuple[str, tuple[Blob, ...]]]:
    """Body to the segment by which it is sized and its ellipsoids."""
    return {
        blob.body: (blob.segment, tuple(other for other in blobs if other.body == blob.body))
        for blob in blobs
    }


BLOBS = read_table(Path(__file__).resolve().parent / "ellipsoids.csv", Blob)
TRUNK_BLOBS = _of_bodies([blob for blob in BLOBS if blob.segment.endswith("trunk")])
LIMB_BLOBS = _of_bodies([blob for blob in BLOBS if not blob.segment.endswith("trunk")])
"""Left limbs; the right side is mirrored. `y` positive is outward."""
