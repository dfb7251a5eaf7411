"""Typical two-wheelers, wheelchair and pram: dimensions, masses and moments of inertia, with their sources."""

from dataclasses import dataclass
from pathlib import Path

from ....engine.spec import LightVehicle
from ...parts.tables import read_table

MEASURED = (
    "Measured: J. K. Moore, M. Hubbard, A. L. Schwab, J. D. G. Kooijman, An accurate method of measuring and comparing "
    "a bicycle's physical parameters, Bicycle and Motorcycle Dynamics 2010, values of its data set BicycleParameters: "
)
FROM_MEMORY = "Typical of the kind, from memory, unverified: replace for a case"
FOLDER = Path(__file__).resolve().parent
LIGHT_VEHICLES = {vehicle.kind: vehicle for vehicle in read_table(FOLDER / "kinds.csv", LightVehicle)}
"""Kind to the typical one."""


@dataclass(frozen=True)
class Weights:
    """Masses (kg) and, about their centres, moments of inertia (kg m2: xx, yy, zz and xz as the matrix has it).

    Places are (x ahead of the rear axle over the wheelbase, z in m). A wheel is one wheel of its axle; of a chair the
    fork is one castor.
    """

    kind: str
    frame: float
    fork: float
    front_wheel: float
    rear_wheel: float
    frame_centre: tuple[float, float]
    fork_centre: tuple[float, float]
    frame_inertia: tuple[float, float, float, float]
    fork_inertia: tuple[float, float, float, float]
    front_axle: float
    """kg m2 of a front wheel about its axle; across it 0.55 of that."""
    rear_axle: float
    measured: str = ""
    """Bicycle of the data set that it was measured on; empty: from memory."""

    @property
    def source(self) -> str:
        """Where the numbers are from."""
        return MEASURED + self.measured if self.measured else FROM_MEMORY


WEIGHTS = {weights.kind: weights for weights in read_table(FOLDER / "weights.csv", Weights)}
"""Kind to its masses."""


@dataclass(frozen=True)
class Equipment:
    """Tyres and steering of a kind. Every number is assumed, usual for the kind."""

    kind: str
    tyre_stiffness: float
    """Vertical, N/m"""
    cornering: float
    """Side force over load per rad"""
    relaxation: float
    """m"""
    rolling: float
    """Resistance over load"""
    rider: float
    """kg that the tyres are made for besides the vehicle"""
    steering_drag: float = 0.0
    """N m s/rad of the steering head"""
    steering_lock: float = 0.0
    """Degrees to either side"""


EQUIPMENT = {row.kind: row for row in read_table(FOLDER / "equipment.csv", Equipment)}
"""Kind to its tyres and steering."""

GEOMETRY_SOURCES = {
    "city_bicycle": "Wheelbase, wheels, head angle and trail: " + MEASURED + "Browser; seat and bar assumed",
    "race_bicycle": "Wheelbase, wheels, head angle and trail: " + MEASURED + "Pista; seat and bar assumed",
}
"""Kind to where its dimensions are from, where that is not memory."""


def total_mass(kind: str) -> float:
    """kg of the typical one of a kind."""
    w = WEIGHTS[kind]
    count = 1 if LIGHT_VEHICLES[kind].is_ridden else 2
    return w.frame + count * (w.fork + w.front_wheel + w.rear_wheel)


def lines() -> list[str]:
    """What the command `vehicle classes` prints of these kinds."""
    out = ["", "Two-wheelers, wheelchair and pram (on tyres):"]
    for kind, v in LIGHT_VEHICLES.items():
        out.append(
            f"  {kind}: {total_mass(kind):g} kg, wheelbase {v.wheelbase:g} m, wheels {v.front_radius:g} and "
            f"{v.rear_radius:g} m, head angle {v.head_angle:g} degrees, trail {v.trail:g} m"
        )
        out.append(f"    dimensions: {GEOMETRY_SOURCES.get(kind, FROM_MEMORY)}")
        out.append(f"    masses and inertia: {WEIGHTS[kind].source}")
    return out
