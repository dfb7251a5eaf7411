"""Surfaces of roads, floors and yards: friction against clothes and skin, and how hard they are to a body.

None of the numbers could be traced to a measurement that can be cited here: all are assumed, of the size usual in
reconstruction, and say so. A sweep over the friction is the honest way to use them.
"""

from dataclasses import dataclass

from ...engine.spec import Material
from .materials import curve_material

HARD = ((0.0, 0.0), (0.001, 1.0e6))
"""1 GN/m: to a body, whose hardest part gives some 10 MN/m, as good as rigid."""


@dataclass(frozen=True)
class Surface:
    """What a surface is to a body."""

    friction: float
    """Of clothes or shoes on it, static and sliding alike."""
    source: str
    colour: tuple[float, float, float]
    """For pictures, linear red, green, blue."""
    loading: tuple[tuple[float, float], ...] = HARD
    retention: float = 0.9


def _assumed(what: str) -> str:
    return f"Assumed: friction of clothes and shoes on {what}"


SURFACES = {
    "asphalt_dry": Surface(0.65, _assumed("dry asphalt"), (0.07, 0.07, 0.075)),
    "asphalt_wet": Surface(0.5, _assumed("wet asphalt"), (0.03, 0.03, 0.035)),
    "concrete": Surface(0.65, _assumed("dry concrete"), (0.35, 0.34, 0.32)),
    "paint": Surface(0.55, _assumed("dry road paint"), (0.8, 0.8, 0.78)),
    "paving": Surface(0.6, _assumed("dry paving stones"), (0.3, 0.28, 0.26)),
    "kerb_stone": Surface(0.6, _assumed("a kerb stone"), (0.45, 0.44, 0.42)),
    "grass": Surface(
        0.7,
        "Assumed: friction on grass; 2 MN/m per contact, soft ground under turf, one tenth of the energy given back",
        (0.06, 0.16, 0.03),
        ((0.0, 0.0), (0.01, 20.0e3)),
        0.1,
    ),
    "ice": Surface(0.1, _assumed("ice"), (0.7, 0.8, 0.85)),
    "wood": Surface(0.4, _assumed("planed or varnished wood"), (0.32, 0.19, 0.09)),
    "tiles_dry": Surface(0.5, _assumed("dry tiles, shod or barefoot"), (0.6, 0.6, 0.58)),
    "tiles_wet": Surface(0.2, _assumed("wet tiles with soap, barefoot"), (0.55, 0.58, 0.6)),
    "enamel_wet": Surface(0.15, _assumed("a wet enamelled bath, barefoot"), (0.85, 0.86, 0.86)),
    "steel": Surface(0.3, _assumed("bare or painted steel"), (0.4, 0.42, 0.45)),
}


def surface(name: str) -> Material:
    """Contact material of a surface."""
    kind = SURFACES[name]
    return curve_material(name, kind.loading, kind.retention, kind.source, friction=kind.friction)
