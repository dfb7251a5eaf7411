"""Surfaces of roads, floors and yards: friction against clothes and skin, and how hard they are to a body.

Each source says what was read, what is quoted from memory and what is assumed. Most numbers are assumed: a sweep over
the friction is the honest way to use them.
"""

from dataclasses import dataclass
from pathlib import Path

from ...engine.spec import Material
from .materials import curve_material
from .tables import read_table

HARD = ((0.0, 0.0), (0.001, 1.0e6))
"""1 GN/m: to a body, whose hardest part gives some 10 MN/m, as good as rigid."""


@dataclass(frozen=True)
class Surface:
    """What a surface is to a body."""

    name: str
    friction: float
    """Of clothes or shoes on it, static and sliding alike."""
    source: str
    loading: tuple[tuple[float, float], ...] = HARD
    retention: float = 0.9


SURFACES = {kind.name: kind for kind in read_table(Path(__file__).with_suffix(".csv"), Surface)}


def surface(name: str) -> Material:
    """Contact material of a surface."""
    kind = SURFACES[name]
    return curve_material(name, kind.loading, kind.retention, kind.source, friction=kind.friction)
