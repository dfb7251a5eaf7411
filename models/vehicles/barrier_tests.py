"""Barrier tests of NHTSA, and how stiff fronts of today's classes are by them.

Full width into a rigid flat barrier, from NHTSA's Vehicle Crash Test Database (a work of the US government), as copied
in the public repository Locus (crates/locus-analysis/data/nhtsa-frontal-barrier.csv, commit f950739e, of 2026-09-23)
and read there: every row of its last fifth at 54 km/h or more, of model year 2010 or later, with six depths of crush,
whose body type is four-door sedan, five-door hatchback, utility vehicle or pickup; of vans, which are few, those from
model year 2004 on at 47 km/h or more. One of two rows of the same test is left out.

By Campbell (1974) the speed at a barrier goes with the crush that is left: V = b0 + b1 C. b1 is chosen for each test so
that the mean of (b0 + b1 C)^2 over its profile is V^2, so that its energy is met.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median, quantiles

import numpy as np

from ..parts.tables import read_table

NO_CRUSH_SPEED = 8.0 / 3.6
"""m/s, b0: up to this speed a front springs back; assumed, as is usual for such tests."""
BODIES = {
    "car": "four-door sedans and five-door hatchbacks",
    "utility": "utility vehicles",
    "pickup": "pickups",
    "van": "vans",
}
"""Body types of the tests."""
BODY_OF_CLASS = {
    "hatchback": "car",
    "saloon": "car",
    "estate": "car",
    "suv": "utility",
    "van": "van",
    "pickup": "pickup",
    "truck": "van",
    "bus": "van",
}
"""Class to the tests its front is like. Estate as cars, light truck and bus as vans: assumed."""
TABLE = Path(__file__).resolve().parent / "barrier_tests.csv"


@dataclass(frozen=True)
class BarrierTest:
    """A row of the table."""

    number: int
    """NHTSA's, of the test."""
    year: int
    """Of the model."""
    body: str
    """Body type."""
    mass: float
    """kg"""
    speed: float
    """km/h"""
    depths: tuple[float, ...]
    """mm left at six places across."""


def slope(speed: float, depths: tuple[float, ...]) -> float:
    """1/s, b1 of one test: speed at the barrier (m/s) and depths of crush (m) at equal distances across the front."""
    left, right = np.array(depths[:-1]), np.array(depths[1:])
    mean = float(((left + right) / 2.0).mean())
    square = float(((left**2 + left * right + right**2) / 3.0).mean())
    half = NO_CRUSH_SPEED * mean
    return (np.sqrt(half**2 + square * (speed**2 - NO_CRUSH_SPEED**2)) - half) / square


@cache
def slopes(body: str) -> tuple[float, ...]:
    """1/s, b1 of every test of a body type."""
    return tuple(
        slope(test.speed / 3.6, tuple(0.001 * depth for depth in test.depths))
        for test in read_table(TABLE, BarrierTest)
        if test.body == body
    )


def front_stiffness(kind: str, mass: float) -> float:
    """N/m of the whole front of a class at a mass (kg): mass times the square of its tests' median b1."""
    return mass * median(slopes(BODY_OF_CLASS[kind])) ** 2


def summary(body: str) -> str:
    """What the tests of a body type say, in a line."""
    found = slopes(body)
    low, _, high = quantiles(found, n=4)
    return (
        f"b1 {median(found):.1f} 1/s, middle half {low:.1f} to {high:.1f}, {len(found)} tests; a front of 1000 kg has "
        f"{median(found) ** 2 / 1000.0:.2f} MN/m"
    )
