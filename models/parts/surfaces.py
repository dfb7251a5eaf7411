"""Surfaces of roads, floors and yards: friction against clothes and skin, and how hard they are to a body.

Each source says what was read, what is quoted from memory and what is assumed. Most numbers are assumed: a sweep over
the friction is the honest way to use them.
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
    loading: tuple[tuple[float, float], ...] = HARD
    retention: float = 0.9


_TUMBLING = (
    "0.37 to 0.75, mean 0.58, of bodies thrown on roads (Wood and Simms, quoted from memory, not read)"
)
_BATH = (
    "people stepping into and out of a bath use 0.235 +- 0.057 (Siegmund et al., Gait Posture 31, 2010, abstract), "
    "so that they slip here"
)
_TILES = "Khaday et al., Coatings 11:1254, 2021 (abstract read)"


def _assumed(what: str, beside: str = "") -> str:
    return f"Assumed: friction of clothes and shoes on {what}" + (f"; {beside}" if beside else "")


SURFACES = {
    "asphalt_dry": Surface(
        0.66,
        "Friction: Searle and Searle, SAE 831622, 1983, of people who slide and tumble on asphalt (quoted from memory, "
        f"not read); {_TUMBLING}",
    ),
    "asphalt_wet": Surface(0.5, _assumed("wet asphalt", _TUMBLING)),
    "concrete": Surface(0.65, _assumed("dry concrete", "taken as asphalt")),
    "paint": Surface(0.55, _assumed("dry road paint")),
    "paving": Surface(0.6, _assumed("dry paving stones")),
    "kerb_stone": Surface(0.6, _assumed("a kerb stone")),
    "grass": Surface(
        0.79,
        "Friction: Searle and Searle, SAE 831622, 1983, of people who slide and tumble on grass (quoted from memory, "
        "not read). Assumed: 2 MN/m per contact, soft ground under turf, one tenth of the energy given back",
        ((0.0, 0.0), (0.01, 20.0e3)),
        0.1,
    ),
    "ice": Surface(
        0.1,
        _assumed(
            "ice",
            "of 49 kinds of footwear over 90 % were very slippery on wet ice and 60 % slippery on dry ice (Gronqvist "
            "and Hirvonen, Int J Ind Ergon 16:191, 1995; abstract read, which has no number)",
        ),
    ),
    "wood": Surface(0.4, _assumed("planed or varnished wood")),
    "tiles_dry": Surface(
        0.5,
        _assumed(
            "dry tiles, shod or barefoot", f"all dry floors that were measured were slip resistant: {_TILES}"
        ),
    ),
    "tiles_wet": Surface(
        0.2,
        _assumed(
            "wet tiles with soap, barefoot",
            f"of the ceramic floors five were not slip resistant with detergent, two with water: {_TILES}",
        ),
    ),
    "enamel_wet": Surface(0.15, _assumed("a wet enamelled bath, barefoot", _BATH)),
    "steel": Surface(0.3, _assumed("bare or painted steel")),
}


def surface(name: str) -> Material:
    """Contact material of a surface."""
    kind = SURFACES[name]
    return curve_material(name, kind.loading, kind.retention, kind.source, friction=kind.friction)
