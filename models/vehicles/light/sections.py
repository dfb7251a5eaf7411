"""Sections of the bodies that two-wheelers and prams are drawn with, read from sections.csv. Drawn by eye (assumed)."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...parts.tables import read_table


@dataclass(frozen=True)
class Section:
    """One section of a body."""

    part: str
    place: tuple[float, float, float]
    """m, of its centre from the point of the vehicle that the part is drawn at"""
    half_width: float
    half_height: float


SECTIONS = read_table(Path(__file__).with_suffix(".csv"), Section)


def sections(part: str, at: np.ndarray) -> list[tuple[np.ndarray, float, float]]:
    """Sections of a part, for `loft`, drawn at a point (m)."""
    return [(at + s.place, s.half_width, s.half_height) for s in SECTIONS if s.part == part]
