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


def named(*names: str) -> list[Material]:
    """Materials of the table."""
    found = {material.name: material for material in read_table(TABLE, Material)}
    return [found[name] for name in names]


def car_materials() -> list[Material]:
    """Materials of a road vehicle."""
    return named(*CAR)


def tread(stiffness: float, static_friction: float, dynamic_friction: float, source: str) -> Material:
    """Tyre on the road: a linear spring with the damping of rubber."""
    return Material(
        "tyre",
        law="linear",
        stiffness=stiffness,
        damping=0.05,
        static_friction=static_friction,
        dynamic_friction=dynamic_friction,
        source=f"Stiffness, damping and friction on a dry road: assumed, {source}",
    )


def mattress() -> Material:
    """A bed's mattress."""
    return named("mattress")[0]


def seat_cushion() -> Material:
    """A padded seat."""
    return named("cushion")[0]
