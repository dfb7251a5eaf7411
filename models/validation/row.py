"""One comparison of a simulated with a published value, and how sure the published value is."""

from dataclasses import dataclass

from ...engine.spec.values import STANDARD_GRAVITY

GRAVITY = STANDARD_GRAVITY
"""m/s2 of one g."""
AREAS = ("head", "neck", "torso", "arms", "legs", "falls", "pedestrian", "vehicle", "occupant", "tackle")
"""Of the score, in its order."""
READ = "read in the source or its abstract"
ARITHMETIC = "arithmetic"
MEMORY_HIGH = "general knowledge of high confidence"
MEMORY_MEDIUM = "general knowledge of medium confidence"
SURE = (READ, ARITHMETIC, MEMORY_HIGH)
"""Marks of the numbers that count; what nobody has read yet is shown and does not."""


@dataclass(frozen=True)
class Source:
    """A publication, and how its number was obtained."""

    text: str
    mark: str


@dataclass(frozen=True)
class Row:
    """A comparison with its outcome."""

    area: str
    check: str
    quantity: str
    published: str
    measured: str
    inside: bool | None
    """None where the publication gives no band, or nothing happened that could be compared."""
    source: Source
    remark: str = ""
    fitted: str = ""
    """What of the model was set from this number; empty where the row is a prediction."""
    value: float | None = None
    band: tuple[float, float] | None = None
    number: str = ""
    """Published number, where the band is worked out for each run (bounds of a speed, say); empty: the text is it"""
    half: float | None = None
    """The value at half the time step"""
    experiment: str = ""
    """File of `experiments` with the published side"""

    @property
    def numerical_error(self) -> float | None:
        """Share of the width of the band by which half the step moves the value; None where it was not tried."""
        if self.half is None or self.value is None or self.band is None:
            return None
        return abs(self.half - self.value) / (self.band[1] - self.band[0])

    @property
    def counts(self) -> bool:
        """Whether the score counts it: a prediction, compared with a band that is sure."""
        return self.inside is not None and not self.fitted and self.source.mark in SURE
