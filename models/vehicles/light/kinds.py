"""Typical two-wheelers, wheelchair and pram: dimensions, masses and moments of inertia, with their sources."""

from __future__ import annotations

from dataclasses import dataclass

from ....engine.spec import LightVehicle

MEASURED = (
    "Measured: J. K. Moore, M. Hubbard, A. L. Schwab, J. D. G. Kooijman, An accurate method of measuring and comparing "
    "a bicycle's physical parameters, Bicycle and Motorcycle Dynamics 2010, values of its data set BicycleParameters: "
)
FROM_MEMORY = "Typical of the kind, from memory, unverified: replace for a case"

LIGHT_VEHICLES = {
    "city_bicycle": LightVehicle(
        "city_bicycle",
        wheelbase=1.121,
        front_radius=0.344,
        rear_radius=0.341,
        head_angle=67.1,
        trail=0.0686,
        seat_height=0.91,
    ),
    "race_bicycle": LightVehicle(
        "race_bicycle",
        wheelbase=0.989,
        front_radius=0.334,
        rear_radius=0.332,
        front_tyre=0.025,
        rear_tyre=0.025,
        head_angle=74.2,
        trail=0.062,
        seat_height=0.95,
        bar_height=0.93,
        bar_width=0.42,
        color=(0.30, 0.012, 0.016),
    ),
    "child_bicycle": LightVehicle(
        "child_bicycle",
        wheelbase=0.90,
        front_radius=0.245,
        rear_radius=0.245,
        front_tyre=0.045,
        rear_tyre=0.045,
        head_angle=69.0,
        trail=0.045,
        seat_height=0.66,
        bar_height=0.80,
        bar_width=0.52,
        color=(0.02, 0.12, 0.40),
    ),
    "motorcycle": LightVehicle(
        "motorcycle",
        wheelbase=1.42,
        front_radius=0.300,
        rear_radius=0.315,
        front_tyre=0.120,
        rear_tyre=0.180,
        head_angle=65.0,
        trail=0.098,
        seat_height=0.81,
        bar_height=1.03,
        bar_width=0.74,
        color=(0.42, 0.020, 0.012),
    ),
    "scooter": LightVehicle(
        "scooter",
        wheelbase=1.30,
        front_radius=0.235,
        rear_radius=0.230,
        front_tyre=0.110,
        rear_tyre=0.120,
        head_angle=63.5,
        trail=0.085,
        seat_height=0.77,
        bar_height=1.03,
        bar_width=0.66,
        color=(0.05, 0.20, 0.24),
    ),
    "wheelchair": LightVehicle(
        "wheelchair",
        wheelbase=0.42,
        front_radius=0.085,
        rear_radius=0.305,
        front_tyre=0.030,
        rear_tyre=0.032,
        head_angle=90.0,
        trail=0.045,
        seat_height=0.50,
        bar_height=0.92,
        bar_width=0.46,
        track=0.56,
        color=(0.015, 0.016, 0.018),
    ),
    "pram": LightVehicle(
        "pram",
        wheelbase=0.62,
        front_radius=0.105,
        rear_radius=0.145,
        front_tyre=0.042,
        rear_tyre=0.042,
        head_angle=90.0,
        trail=0.040,
        seat_height=0.66,
        bar_height=1.03,
        bar_width=0.50,
        track=0.54,
        color=(0.035, 0.045, 0.10),
    ),
}
"""Kind to the typical one."""


@dataclass(frozen=True)
class Weights:
    """Masses (kg) and, about their centres, moments of inertia (kg m2: xx, yy, zz and xz as the matrix has it).

    Places are (x ahead of the rear axle over the wheelbase, z in m). A wheel is one wheel of its axle; of a chair the
    fork is one castor.
    """

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
    source: str


WEIGHTS = {
    "city_bicycle": Weights(
        9.9, 3.2, 2.0, 3.1, (0.244, 0.538), (0.773, 0.748), (0.530, 1.286, 0.757, 0.116),
        (0.253, 0.246, 0.096, 0.072), 0.149, 0.152,
        MEASURED + "Browser (the frame's yy, 1.316, is above xx + zz and bounded to it)",
    ),
    "race_bicycle": Weights(
        4.5, 2.3, 1.6, 1.4, (0.387, 0.477), (0.916, 0.733), (0.290, 0.476, 0.249, -0.050),
        (0.098, 0.069, 0.040, 0.004), 0.106, 0.076, MEASURED + "Pista",
    ),
    "child_bicycle": Weights(
        6.6, 1.9, 1.3, 1.8, (0.30, 0.42), (0.83, 0.56), (0.16, 0.40, 0.25, 0.03),
        (0.07, 0.065, 0.03, 0.015), 0.055, 0.060, FROM_MEMORY,
    ),
    "motorcycle": Weights(
        148.0, 19.0, 11.5, 15.5, (0.50, 0.54), (0.86, 0.66), (9.5, 21.0, 15.0, 1.0),
        (1.6, 1.7, 0.55, 0.4), 0.38, 0.55, FROM_MEMORY,
    ),
    "scooter": Weights(
        94.0, 9.5, 5.5, 7.0, (0.36, 0.46), (0.84, 0.58), (5.0, 12.5, 9.0, 0.6),
        (0.9, 0.95, 0.30, 0.2), 0.125, 0.150, FROM_MEMORY,
    ),
    "wheelchair": Weights(
        9.4, 0.55, 0.35, 1.9, (0.35, 0.45), (0.95, 0.13), (0.62, 0.75, 0.60, 0.0),
        (0.002, 0.002, 0.001, 0.0), 0.0012, 0.095, FROM_MEMORY,
    ),
    "pram": Weights(
        8.2, 0.35, 0.45, 0.75, (0.45, 0.58), (0.95, 0.16), (0.55, 0.85, 0.65, 0.0),
        (0.001, 0.001, 0.0008, 0.0), 0.0025, 0.0075, FROM_MEMORY,
    ),
}  # fmt: skip
"""Kind to its masses."""

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
