"""What distinguishes the classes of vehicles beyond the dimensions a person gives: angles, drops and divisions.

Dimensions and angles are typical of each class, from memory, unverified; none is that of a make.
"""

from __future__ import annotations

from dataclasses import dataclass

from ....engine.errors import EngineError
from ....engine.spec import Vehicle


@dataclass(frozen=True)
class Style:
    """Proportions of a class. Lengths in m, angles in degrees."""

    back_angle: float
    """Rear window from the horizontal."""
    deck_length: float
    """Rear end to the foot of the rear window."""
    deck_rise: float
    """Foot of the rear window above the belt line."""
    belt_drop: float
    """Belt line (foot of the side glass) below the foot of the windscreen."""
    belt_rise: float
    """How much the belt line rises towards the rear."""
    tumblehome: float
    """Lean of the side glass."""
    nose_sweep: float
    """How far the corners of the nose lie behind its middle."""
    rail_drop: float
    """Roof to the top of the side glass."""
    roof_tail: float
    """Fall of the roof at its rear end."""
    pillar: float
    """Side glass ends this far before the rear window."""
    windows: int
    """Panes of one side."""
    doors: int
    """Doors of one side."""
    deck_crown: float = 0.055
    """Fall of the bonnet from the middle to the side."""
    side_tuck: float = 0.055
    """How far the side glass stands in from the shoulder."""
    cladding: float = 0.0
    """Width of the dark trim around the arches."""
    is_upright: bool = False
    """Steep nose and tail, higher grille."""
    is_box: bool = False
    """Sides almost upright: van, truck, bus."""
    cab: float = 0.0
    """Front axle to the rear wall of the cab where the cab is by itself."""
    spokes: int = 5
    cell: float = 0.032
    """Size of the faces that are drawn."""


STYLES = {
    "hatchback": Style(54.0, 0.15, 0.08, 0.055, 0.065, 21.0, 0.17, 0.105, 0.085, 0.30, 2, 2),
    "saloon": Style(31.0, 0.60, 0.14, 0.07, 0.045, 23.0, 0.16, 0.105, 0.055, 0.17, 3, 2),
    "estate": Style(50.0, 0.16, 0.10, 0.07, 0.045, 21.0, 0.16, 0.105, 0.055, 0.13, 3, 2),
    "suv": Style(
        66.0, 0.13, 0.05, 0.05, 0.03, 15.0, 0.11, 0.12, 0.035, 0.12, 3, 2, 0.05, 0.05, 0.06, True, cell=0.036
    ),
    "van": Style(
        84.0,
        0.05,
        -0.01,
        0.08,
        0.0,
        8.0,
        0.17,
        0.17,
        0.02,
        0.1,
        1,
        2,
        0.07,
        0.03,
        0.0,
        True,
        True,
        spokes=7,
        cell=0.036,
    ),
    "pickup": Style(
        76.0,
        1.85,
        -0.03,
        0.04,
        0.0,
        16.0,
        0.11,
        0.12,
        0.035,
        0.1,
        2,
        2,
        0.05,
        0.05,
        0.055,
        True,
        cab=2.66,
        spokes=6,
        cell=0.036,
    ),
    "truck": Style(
        86.0, 3.62, -0.04, 0.10, 0.0, 7.0, 0.15, 0.16, 0.02, 0.1, 1, 1, 0.07, 0.03, 0.0, True, True, 1.50, 8
    ),
    "bus": Style(
        86.0,
        0.05,
        0.0,
        0.0,
        0.0,
        2.5,
        0.16,
        0.40,
        0.02,
        0.4,
        7,
        0,
        0.03,
        0.0,
        0.0,
        True,
        True,
        spokes=10,
        cell=0.095,
    ),
}

CLASSES = {
    "hatchback": Vehicle(
        "hatchback", 4.20, 1.79, 1.46, 2.62, 1.54, 0.318, 0.205, 0.84, 0.74, 1.02, 13.0, 29.0, 0.50, 0.18,
        (0.40, 0.018, 0.016),
    ),
    "saloon": Vehicle(),
    "estate": Vehicle(
        "estate", 4.78, 1.83, 1.48, 2.78, 1.57, 0.335, 0.22, 0.88, 0.76, 1.12, 11.4, 29.0, 0.50, 0.19,
        (0.10, 0.115, 0.125),
    ),
    "suv": Vehicle(
        "suv", 4.60, 1.89, 1.74, 2.72, 1.61, 0.375, 0.24, 0.89, 0.97, 1.08, 9.5, 36.0, 0.57, 0.27,
        (0.03, 0.055, 0.045),
    ),
    "van": Vehicle(
        "van", 5.05, 1.94, 1.98, 3.05, 1.66, 0.34, 0.215, 0.93, 0.96, 0.66, 23.0, 40.0, 0.52, 0.22,
        (0.72, 0.72, 0.70),
    ),
    "pickup": Vehicle(
        "pickup", 5.32, 1.90, 1.82, 3.20, 1.60, 0.385, 0.255, 0.92, 1.00, 1.14, 8.0, 36.0, 0.60, 0.31,
        (0.16, 0.10, 0.045),
    ),
    "truck": Vehicle(
        "truck", 6.10, 2.04, 2.26, 3.60, 1.72, 0.36, 0.215, 0.98, 1.06, 0.60, 24.0, 44.0, 0.54, 0.30,
        (0.70, 0.70, 0.68),
    ),
    "bus": Vehicle(
        "bus", 12.0, 2.55, 3.05, 5.90, 2.08, 0.48, 0.275, 2.70, 0.99, 0.10, 10.0, 82.0, 0.50, 0.30,
        (0.60, 0.05, 0.03),
    ),
}  # fmt: skip
"""A vehicle of each class. Dimensions are typical of the class, from memory, unverified."""


def style_of(vehicle: Vehicle) -> Style:
    """Proportions of a vehicle's class. EngineError names the classes there are."""
    if vehicle.kind not in STYLES:
        raise EngineError(f"no class of vehicles is called '{vehicle.kind}'; there are {', '.join(STYLES)}")
    return STYLES[vehicle.kind]
