"""Contact materials of vehicles and things, with their source.

Pedestrian-facing parts are worked out from an impactor test by energy: an impactor of mass m at speed v is stopped in
depth d by a force that rises to a plateau. What the parts of one real car do differs by a factor of two and more; for
a case, replace these.
"""

from pathlib import Path

from ...engine.spec import Material
from ..parts.tables import read_table

TABLE = Path(__file__).resolve().parent / "materials.csv"
CAR = ("bumper", "leading_edge", "bonnet", "windscreen", "pillar", "roof", "side", "underbody", "tyre")
BICYCLE = ("frame", "saddle", "bicycle_tyre")


def named(*names: str) -> list[Material]:
    """Materials of the table."""
    found = {material.name: material for material in read_table(TABLE, Material)}
    return [found[name] for name in names]


def car_materials() -> list[Material]:
    """Materials of the mid-size car."""
    return named(*CAR)


def bicycle_materials() -> list[Material]:
    """Materials of the bicycle."""
    return named(*BICYCLE)


def mattress() -> Material:
    """A bed's mattress."""
    return named("mattress")[0]


def seat_cushion() -> Material:
    """A padded seat."""
    return named("cushion")[0]


def floor_panel() -> Material:
    """A car's floor and toe board with carpet."""
    return named("panel")[0]
