"""What the surfaces of vehicles are made of, read from finishes.csv. A face has the number of its row."""

from dataclasses import dataclass
from pathlib import Path

from ..parts.tables import read_table


@dataclass(frozen=True)
class Finish:
    """How a finish looks; paint has the colour of its vehicle."""

    name: str
    color: tuple[float, float, float, float] | None = None
    """Linear red, green, blue and alpha, as Blender renders it"""
    roughness: float = 0.0
    metallic: float = 0.0
    on_paper: str = ""
    """Colour in pictures of the report: that of the page, the dark ones lighter"""


FINISHES = {finish.name: finish for finish in read_table(Path(__file__).with_suffix(".csv"), Finish)}
NAMES = tuple(FINISHES)
PAINT, GLASS, RUBBER, METAL, DARK, LAMP, TAIL_LAMP = range(7)
OF_SHELLS = NAMES[:7]
"""The first ones, which surfaces made of ellipsoids have (`shapes`, `shell`), and their numbers."""
