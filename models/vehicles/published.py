"""What is published, or only known, of the classes of vehicles: ranges with their source and how far it can be trusted.

Nothing here is of a make. What was read says where; what is from memory says so and is unverified.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ...engine.spec import Vehicle
from ..parts.tables import read_table
from .barrier_tests import BODIES, summary
from .form.styles import CLASSES
from .road_vehicle import MASSES

READ, MEMORY = "read", "from memory"
FOLDER = Path(__file__).resolve().parent
CENTRE_OF_CARS, CENTRE_OF_TRUCKS = 0.553, 0.667
"""m: mean heights of centres of mass; source at the fact."""


@dataclass(frozen=True)
class Range:
    """A dimension of a class."""

    kind: str
    """Class of the vehicle"""
    name: str
    """Field of `Vehicle`, or "mass"."""
    low: float
    high: float
    unit: str
    source: str = "Usual for the class"
    mark: str = MEMORY
    """READ or MEMORY"""

    def holds(self, value: float) -> bool:
        """Whether a value is inside."""
        return self.low <= value <= self.high


@dataclass(frozen=True)
class Fact:
    """Something that was measured on vehicles' fronts."""

    about: str
    text: str
    source: str
    mark: str


_ROWS = read_table(FOLDER / "ranges.csv", Range)
RANGES = {row.kind: tuple(r for r in _ROWS if r.kind == row.kind) for row in _ROWS}
"""Class to its ranges; there are none for estate and bus."""


def _facts() -> Iterator[Fact]:
    """The facts of facts.csv, with the numbers that are worked out or used elsewhere put in."""
    for fact in read_table(FOLDER / "facts.csv", Fact):
        if "{body}" in fact.about:
            for body, name in BODIES.items():
                text = fact.text.format(named=f"{name[0].upper()}{name[1:]}", tests=summary(body))
                yield replace(fact, about=fact.about.format(body=body), text=text)
        else:
            yield replace(fact, text=fact.text.format(cars=CENTRE_OF_CARS, trucks=CENTRE_OF_TRUCKS))


FACTS = tuple(_facts())


def value_of(kind: str, name: str) -> float:
    """What the generated vehicle of a class has."""
    vehicle: Vehicle = CLASSES[kind]
    return MASSES[kind] if name == "mass" else float(getattr(vehicle, name))


def lines() -> list[str]:
    """The library as text: for each class its values beside the ranges, then what was found on fronts."""
    out = []
    for kind, ranges in RANGES.items():
        vehicle = CLASSES[kind]
        size = f"{vehicle.length:g} x {vehicle.width:g} x {vehicle.height:g} m, wheelbase {vehicle.wheelbase:g} m"
        out.append(f"{kind}: {size} (from memory, unverified)")
        for entry in ranges:
            value, span = value_of(kind, entry.name), f"{entry.low:g} to {entry.high:g} {entry.unit}"
            where = "" if entry.holds(value) else "; ours is outside"
            out.append(f"  {entry.name:<14}{value:>8g}   {span:<20}{entry.source}, {entry.mark}{where}")
    out.append("estate, bus: no range is known")
    out.append("")
    out += [f"{fact.about}: {fact.text}. {fact.source} ({fact.mark})" for fact in FACTS]
    return out
