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

import numpy as np

DENSITY = 1000.0


@dataclass(frozen=True)
class Blob:
    """One ellipsoid in the units of its segment. `along` runs from 0 at the proximal end to 1 at the distal end,
    which for trunk segments is from the upper to the lower end; x is forward, y to the left (outward for limbs), in
    radii."""

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


# Trunk, per body; each body is sized by the trunk segment named first.
TRUNK_BLOBS: dict[str, tuple[str, tuple[Blob, ...]]] = {
    "UpperBack": (
        "upper_trunk",
        (
            Blob("thoracic", 0.60, 0.70, -0.22, 0.0, 0.76, 1.24, "back"),
            Blob("upper_thoracic", 0.26, 0.36, -0.16, 0.0, 0.64, 1.02, "back"),
        ),
    ),
    "Chest": ("upper_trunk", (Blob("rib_cage", 0.70, 0.64, 0.16, 0.0, 0.82, 1.20, "thorax"),)),
    "LowerBack": ("middle_trunk", (Blob("lumbar", 0.46, 0.80, -0.12, 0.0, 0.80, 1.14, "back"),)),
    "Abdomen": ("middle_trunk", (Blob("abdomen", 0.56, 0.82, 0.18, 0.0, 0.82, 1.12, "abdomen"),)),
    "pelvis": (
        "lower_trunk",
        (
            Blob("pelvis", 0.45, 0.90, 0.04, 0.0, 0.86, 1.20, "pelvis"),
            Blob("buttock_l", 0.80, 0.66, -0.30, 0.44, 0.56, 0.60, "pelvis"),
            Blob("buttock_r", 0.80, 0.66, -0.30, -0.44, 0.56, 0.60, "pelvis"),
        ),
    ),
}

# Left limbs; the right side is mirrored. `y` positive is outward.
LIMB_BLOBS: dict[str, tuple[str, tuple[Blob, ...]]] = {
    "UpperArm": (
        "upper_arm",
        (
            Blob("deltoid", 0.12, 0.29, 0.0, 0.02, 1.10, 1.02, "shoulder"),
            Blob("humerus", 0.52, 0.60, 0.0, 0.0, 1.12, 1.00, "arm"),
        ),
    ),
    "Forearm": (
        "forearm",
        (
            Blob("elbow", 0.00, 0.18, 0.0, 0.0, 1.06, 1.06, "arm"),
            Blob("radioulna_upper", 0.30, 0.40, 0.0, 0.0, 1.18, 1.10, "arm"),
            Blob("radioulna_lower", 0.70, 0.42, 0.0, 0.0, 0.94, 0.86, "arm"),
        ),
    ),
    "Hand": (
        "hand",
        (
            Blob("palm", 0.30, 0.38, 0.0, 0.0, 1.50, 0.72, "hand"),
            Blob("fingers", 0.70, 0.30, 0.0, -0.06, 1.26, 0.58, "hand"),
        ),
    ),
    "Thigh": (
        "thigh",
        (
            Blob("femur_1", 0.06, 0.48, 0.0, 0.0, 1.08, 0.90, "thigh"),
            Blob("femur_2", 0.46, 0.54, 0.0, -0.04, 1.02, 0.88, "thigh"),
            Blob("femur_3", 0.80, 0.30, 0.0, -0.02, 0.82, 0.78, "thigh"),
        ),
    ),
    "Shank": (
        "shank",
        (
            Blob("knee", 0.02, 0.16, 0.10, 0.0, 1.18, 1.12, "knee"),
            Blob("tibia_1", 0.32, 0.40, -0.14, 0.0, 1.22, 1.10, "shank"),
            Blob("tibia_2", 0.68, 0.42, -0.05, 0.0, 0.88, 0.80, "shank"),
        ),
    ),
}
