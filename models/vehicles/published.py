"""What is published, or only known, of the classes of vehicles: ranges with their source and how far it can be trusted.

Nothing here is of a make. What was read says where; what is from memory says so and is unverified.
"""

from dataclasses import dataclass

from ...engine.spec import Vehicle
from .barrier_tests import BODIES, summary
from .form.styles import CLASSES
from .road_vehicle import MASSES

READ, MEMORY = "read", "from memory"
_USUAL = "Usual for the class"
CENTRE_OF_CARS, CENTRE_OF_TRUCKS = 0.553, 0.667
"""m: mean heights of centres of mass; source at the fact."""


@dataclass(frozen=True)
class Range:
    """A dimension of a class."""

    name: str
    """Field of `Vehicle`, or "mass"."""
    low: float
    high: float
    unit: str
    source: str
    mark: str
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


def _ranges(edge, bonnet, slope, screen, bumper, mass) -> tuple[Range, ...]:
    rows = (
        ("edge_height", *edge, "m"),
        ("bonnet_length", *bonnet, "m"),
        ("bonnet_angle", *slope, "degrees"),
        ("screen_angle", *screen, "degrees"),
        ("bumper_height", *bumper, "m"),
        ("mass", *mass, "kg"),
    )
    return tuple(Range(name, low, high, unit, _USUAL, MEMORY) for name, low, high, unit in rows)


RANGES = {
    "hatchback": _ranges((0.68, 0.78), (0.75, 1.0), (11, 16), (27, 32), (0.45, 0.52), (1250, 1400)),
    "saloon": _ranges((0.68, 0.78), (0.95, 1.2), (9, 14), (27, 31), (0.45, 0.52), (1400, 1600)),
    "suv": _ranges((0.85, 1.05), (0.85, 1.1), (8, 13), (30, 37), (0.52, 0.62), (1550, 1900)),
    "van": _ranges((0.90, 1.10), (0.4, 0.7), (20, 40), (36, 48), (0.48, 0.58), (1800, 2300)),
    "pickup": _ranges((0.95, 1.15), (1.0, 1.2), (5, 10), (32, 38), (0.55, 0.68), (1950, 2300)),
    "truck": _ranges((1.0, 1.3), (0.3, 0.7), (25, 60), (42, 60), (0.50, 0.60), (2500, 3500)),
}
"""Class to its ranges; there are none for estate and bus."""
FACTS = (
    Fact(
        "edge height",
        "Three classes by the height of the bonnet edge: below 0.76 m, to 1.02 m, above; where it is higher, or "
        "steeper than 65 degrees, pedestrians die more often. A bonnet is flat up to 15 degrees",
        "Insurance Institute for Highway Safety, 2023, as reported in the press",
        READ,
    ),
    Fact(
        "bumper height",
        "Lower bumper reference line: mean 0.243 m of cars and 0.438 m of SUVs; bumpers stand between about 0.406 and "
        "0.508 m",
        "OICA, slides for the working group on the global technical regulation",
        READ,
    ),
    Fact(
        "bumper stiffness",
        "Upper legform on bumpers of SUVs: 13.1 kN with 55 mm of absorber, 9.2 kN with 90 mm, 6.3 kN with 105 mm",
        "OICA, the same slides",
        READ,
    ),
    Fact(
        "stiffness of fronts",
        "139 shots on eight cars of 2006 to 2010: windscreens as stiff as in earlier work, bonnets and bumpers softer",
        "Proc IMechE D 227, 2013, 812-821, abstract, which has no numbers",
        READ,
    ),
    Fact(
        "stiffness of fronts",
        "Bumper 60 to 150 kN/m before the beam; bonnet edge 60 to 120 kN/m, 4 to 8 kN; bonnet 3 to 5 kN over 60 to 80 "
        "mm; windscreen 2 to 4 kN after the crack; pillar over 10 kN within 30 mm; each within a half",
        "Orders of size",
        MEMORY,
    ),
    *(
        Fact(
            f"crush of fronts, {body}",
            f"{named[0].upper()}{named[1:]} into a rigid barrier: {summary(body)}",
            "NHTSA, Vehicle Crash Test Database, tests numbered in models/vehicles/barrier_tests.csv",
            READ,
        )
        for body, named in BODIES.items()
    ),
    Fact(
        "centre of mass",
        f"Mean height of cars by decade 0.524 to 0.553 m ({CENTRE_OF_CARS:g} m in the 2010s), of SUVs, pickups and "
        f"vans 0.662 to 0.736 m ({CENTRE_OF_TRUCKS:g} m); 1270 vehicles of 1971 to 2021",
        "NHTSA, Light Vehicle Inertial Parameter Database and rollover tests, as summarised by K. Tse, 2022",
        READ,
    ),
    Fact(
        "body frequency",
        "1 to 1.5 Hz in passenger cars: below, people feel sick, above, it is hard",
        "Audi, Self-Study Programme 242, as quoted",
        READ,
    ),
    Fact(
        "yaw moment of inertia",
        "0.1269 mass x wheelbase x length; ours, mass times both distances to the axles, is 12 % more for the saloon",
        "H. Burg",
        MEMORY,
    ),
)


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
