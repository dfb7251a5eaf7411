"""What distinguishes the classes of vehicles beyond the dimensions a person gives: angles, drops and divisions.

Dimensions and angles are typical of each class, from memory, unverified; none is that of a make.
"""

from dataclasses import dataclass
from pathlib import Path

from ....engine.errors import EngineError
from ....engine.spec import Vehicle
from ...parts.tables import read_table


@dataclass(frozen=True)
class Style:
    """Proportions of a class. Lengths in m, angles in degrees."""

    kind: str
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


FOLDER = Path(__file__).resolve().parent
STYLES = {style.kind: style for style in read_table(FOLDER / "styles.csv", Style)}
CLASSES = {vehicle.kind: vehicle for vehicle in read_table(FOLDER / "classes.csv", Vehicle)}
"""A vehicle of each class. Dimensions are typical of the class, from memory, unverified."""


def style_of(vehicle: Vehicle) -> Style:
    """Proportions of a vehicle's class. EngineError names the classes there are."""
    if vehicle.kind not in STYLES:
        raise EngineError(f"no class of vehicles is called '{vehicle.kind}'; there are {', '.join(STYLES)}")
    return STYLES[vehicle.kind]
