"""Tell what a person moved from what is only the rounding of Blender's 32-bit numbers.

Places and sizes are read off objects. Where they agree with the file's numbers, those are kept in full.
"""

import numpy as np

from ..base.units import Units
from .fields import shortest

SAME_PLACE = 2e-6
"""Metres (and matrix elements) within which a place is the original's: 32-bit numbers of metres are this coarse."""


def read_semi_axes(shown: np.ndarray, original: tuple, units: Units) -> tuple[float, float, float]:
    """Semi-axes in metres of shown sizes in Blender units; the original's where they are its rounding."""
    was = original if any(original) else (None,) * 3
    return tuple(
        o
        if o is not None and abs(units.length_to_si(s) - float(o)) <= 4e-7 * abs(float(o))
        else tidy_length(s, units)
        for s, o in zip(shown, was, strict=True)
    )


def tidy_length(shown: float, units: Units) -> float:
    """Metres of a length in Blender units, with the digits that 32 bits carry."""
    return float(f"{units.length_to_si(shortest(shown)):.7g}")


def near_or_new(seen: np.ndarray, original: tuple) -> tuple[float, float, float]:
    """Point as seen, tidied; each coordinate the original's where it agrees within 32-bit rounding."""
    return tuple(
        o if abs(float(s) - float(o)) < SAME_PLACE * max(1.0, abs(float(s))) else round(float(s), 7) + 0.0
        for s, o in zip(seen, original, strict=True)
    )
