"""One measure: a number with its unit, its definition, and what it is good for."""

import math
from dataclasses import asdict, dataclass, field
from typing import Any

FLAG = "(!)"
"""Mark of a value beyond its range of trust."""


@dataclass(frozen=True)
class Measure:
    """A measured value with its definition and validity."""

    name: str
    """Such as "HIC15"."""
    subject: str
    """What was measured: "actor / body", "actor / joint" or "actor"."""
    value: float
    """NaN where it is not available; `warnings` gives the reason."""
    unit: str
    """"" for a pure number."""
    definition: str
    validity: str
    """What the number may and may not be used for."""
    warnings: tuple[str, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)
    """Further figures by name (times, windows, components), with the unit in the name."""
    flags: tuple[str, ...] = ()
    """Why the value lies beyond what the model, the tolerance or the data it is read by stand for (`trust`)."""

    @property
    def text(self) -> str:
        """The value with its unit, to four significant digits, and a mark where it is flagged."""
        if math.isnan(self.value):
            return "not available"
        return f"{self.value:.4g} {self.unit}".rstrip() + (f" {FLAG}" if self.flags else "")

    @property
    def remarks(self) -> tuple[str, ...]:
        """Flags, then warnings: what is to be read with the value."""
        return (*self.flags, *self.warnings)

    def as_dict(self) -> dict[str, Any]:
        """For JSON: a NaN value becomes None."""
        fields = asdict(self)
        fields["value"] = None if math.isnan(self.value) else self.value
        fields["warnings"], fields["flags"] = list(self.warnings), list(self.flags)
        return fields
