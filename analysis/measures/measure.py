"""One measure: a number with its unit, its definition, and what it is good for."""

import math
from dataclasses import asdict, dataclass, field
from typing import Any


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

    @property
    def text(self) -> str:
        """The value with its unit, to four significant digits."""
        if math.isnan(self.value):
            return "not available"
        return f"{self.value:.4g} {self.unit}".rstrip()

    def as_dict(self) -> dict[str, Any]:
        """For JSON: a NaN value becomes None."""
        fields = asdict(self)
        fields["value"] = None if math.isnan(self.value) else self.value
        fields["warnings"] = list(self.warnings)
        return fields
