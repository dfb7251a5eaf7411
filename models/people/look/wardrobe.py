"""What people can wear, and the pieces of somebody in an outfit."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from . import garments
from .garments import (
    ANKLE,
    FAR,
    HEM,
    KNEE,
    TUCKED,
    WAIST,
    Region,
    band,
    collar,
    open_front,
    placket,
    skirt,
    top,
    trousers,
    upper,
)
from .pieces import Piece
from .sheet import cut, whole_sheet
from .template import Template

Maker = Callable[[Template], list[Piece]]
MARGIN = 0.02
"""Metres inside the border of a garment from which skin under it is left out."""


@dataclass(frozen=True)
class Garment:
    """Makers of its pieces, and the regions under which no skin is seen."""

    makers: tuple[Maker, ...] = ()
    hides: tuple[Region, ...] = ()


TROUSER_LEG, SHORTS_LEG, SKIRT_HEM = ANKLE - 0.016, KNEE + 0.06, KNEE + 0.03
NECK_OF_DRESS = (0.012, 1.12)
"""How much lower (m) and wider the neck of a dress is than that of a shirt."""


def looseness(hem: float) -> float:
    """Metres that a garment is wider at its hem; none where it is tucked in."""
    return 0.008 if hem < TUCKED else 0.0


def seam(low: float, high: float) -> Region:
    """Where two garments lie over each other, with all the skin between these levels: each hides the skin only some way
    inside its own border, and between the two a strip would be left that comes out when they part."""
    return band(low - MARGIN, high + MARGIN)


def t_shirt(hem: float) -> Garment:
    """Short sleeves, worn outside or tucked into a skirt."""
    return Garment((upper(top(0.55, hem), 0.005, loose=looseness(hem)),), (top(0.55, hem),))


def shirt(hem: float) -> Garment:
    """Long sleeves, a collar, always tucked in."""
    region = top(1.93, TUCKED)
    return Garment((upper(region, 0.003, loose=0.004), collar(0.005), placket(0.008)), (region,))


def jumper(hem: float) -> Garment:
    """Long sleeves, thick."""
    return Garment((upper(top(1.93, hem), 0.006, loose=looseness(hem)),), (top(1.93, hem),))


def jacket(hem: float) -> Garment:
    """Open at the front, over a T-shirt."""
    under, over = top(0.5, hem + 0.02), top(1.93, HEM - 0.03, 0.004, 1.06)
    outer = upper(open_front(over), 0.011)
    return Garment((upper(under, 0.002, "inner", 0.002), outer, collar(0.013)), (under, top(1.93, hem)))


def dress(hem: float) -> Garment:
    """Short sleeves, to the knee."""
    bodice = top(0.35, WAIST - 0.03, *NECK_OF_DRESS)
    pieces = (upper(bodice, 0.007, loose=0.0), skirt(SKIRT_HEM, WAIST + 0.02, "upper"))
    # nearer to the borders than the margin: shoulders lift the wide neck, and armpits press out of short sleeves
    close = top(0.40, WAIST - 0.03, NECK_OF_DRESS[0] - 0.010, NECK_OF_DRESS[1])
    return Garment(pieces, (close, band(SKIRT_HEM + 0.08, WAIST), seam(WAIST - 0.03, WAIST + 0.02)))


def nothing(level: float) -> Garment:
    """Bare skin: no piece, and nothing hidden."""
    return Garment()


def legs(low: float, wide: float = 1.0) -> Callable[[float], Garment]:
    """Trousers or shorts that end at a level; with a belt where a shirt is tucked into them."""

    def make(high: float) -> Garment:
        belts = (garments.belt,) if high >= WAIST else ()
        return Garment((trousers(low, high, wide), *belts), (band(low, WAIST),))

    return make


def plain_skirt(high: float) -> Garment:
    """Skirt from the waist to the knee."""
    return Garment((skirt(SKIRT_HEM, WAIST, "lower"),), (band(SKIRT_HEM + 0.08, WAIST),))


UPPERS = {
    "t_shirt": t_shirt,
    "shirt": shirt,
    "jumper": jumper,
    "jacket": jacket,
    "dress": dress,
    "none": nothing,
}
"""Maker of what is worn above, given the level of its hem."""
LOWERS = {
    "trousers": legs(TROUSER_LEG),
    "shorts": legs(SHORTS_LEG, 1.6),
    "skirt": plain_skirt,
    "none": nothing,
}
"""Maker of what is worn below, given the level it reaches up to."""
FEET = {"shoes": Garment((garments.shoes,), (band(-FAR, ANKLE + 0.026),)), "bare": Garment()}


def worn(above: str, below: str, feet: str) -> tuple[Garment, ...]:
    """The garments of an outfit: a shirt is tucked in, and so is whatever is worn with a skirt."""
    if above == "dress":
        return dress(HEM), FEET[feet]
    is_tucked = above == "shirt" or below == "skirt"
    hem, waist = (TUCKED, WAIST) if is_tucked else (HEM, HEM + 0.05)
    garment = UPPERS[above](hem), LOWERS[below](WAIST if above == "none" else waist), FEET[feet]
    over = is_tucked and "none" not in (above, below)
    return (*garment, Garment(hides=(seam(TUCKED, WAIST),))) if over else garment


def skin(template: Template, hides: tuple[Region, ...]) -> Piece:
    """The body's own surface, without what clothes hide."""
    sheet = whole_sheet(template.faces["body"])
    for region in hides:
        sheet = cut(sheet, MARGIN - region(template, sheet))
    return Piece("body", "skin", sheet, np.zeros(len(sheet.rows)))


@lru_cache(maxsize=32)
def dressed(template: Template, above: str, below: str, feet: str) -> tuple[Piece, ...]:
    """Skin and clothes of an outfit."""
    outfit = worn(above, below, feet)
    hides = tuple(region for garment in outfit for region in garment.hides)
    made = [piece for garment in outfit for make in garment.makers for piece in make(template)]
    return (skin(template, hides), *made)
