"""What a person needs to know of a field of a spec, written once, beside the field.

The Blender properties with their labels and tooltips (`scene.store.groups`), the JSON Schema and the tables that
docs/formats/generate.py makes, the words that a file may hold (`io_json.declarations`) and the units of the report
(`analysis.provenance`) come from here.
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, dataclass
from functools import cache
from typing import Any


class Choices(tuple[str, ...]):
    """Words of a fixed choice with the meaning of each.

    The engine's numbers for them and what a .blend file saves are places in this order: add new words at the end.
    """

    meanings: dict[str, str]

    def __new__(cls, **meanings: str) -> Choices:
        made = super().__new__(cls, meanings)
        made.meanings = meanings
        return made


@dataclass(frozen=True)
class Description:
    """What a field means and how it is shown."""

    meaning: str
    """One statement without a full stop at its end; it is the tooltip."""
    unit: str = ""
    """Of every number in the field, such as "N m/rad"; "degrees" for angles."""
    label: str = ""
    """In Title Case, without the unit."""
    low: float | None = None
    """Where a slider begins, in the field's unit; a bound for the hand, not a check."""
    high: float | None = None
    """Where a slider ends."""
    digits: int | None = None
    """Decimals that are shown."""
    absent: str = ""
    """What holds where an optional value is not given."""
    switch: str = ""
    """Label of the switch of an optional value."""
    new: Any = None
    """What an interface offers first where the field has no default value."""
    options: Choices | None = None
    """Words that the field may hold."""

    @property
    def text(self) -> str:
        """Meaning, choices and what is meant by absence, in sentences."""
        words = self.options.meanings.items() if self.options else ()
        absent = [f"Absent: {self.absent}."] if self.absent else []
        return " ".join([f"{self.meaning}.", *(f'"{word}": {meaning}.' for word, meaning in words), *absent])


def described(
    meaning: str, unit: str = "", *, default: Any = MISSING, factory: Any = MISSING, **more: Any
) -> Any:
    """Field of a dataclass with its `Description`. With `absent` the default is None."""
    if "absent" in more and default is MISSING:
        default = None
    metadata = {"description": Description(meaning, unit, **more)}
    return dataclasses.field(default=default, default_factory=factory, metadata=metadata)


COMMON = {
    "name": Description("Name, unique among its kind"),
    "description": Description("Free text: what it is"),
    "note": Description("Free text"),
    "source": Description(
        "Where these values come from: measurement, publication, assumption. Printed in the report"
    ),
    "extras": Description("Keys of a file that Mannequin does not use, kept for writing"),
    "springs": Description("Straight spring-dampers"),
    "belts": Description("Tension-only bands"),
    "welds": Description("Points held together"),
    "break_force": Description("Force at which it breaks", "N", low=0, absent="it holds", switch="Breaks"),
    "break_energy": Description(
        "Energy taken up at which it breaks", "J", low=0, absent="any energy holds", switch="Breaks by Energy"
    ),
    "release_time": Description(
        "Time at which it lets go", "s", low=0, absent="it holds on", switch="Releases"
    ),
}
"""Fields that mean the same in every spec."""


@cache
def description_of(cls: type, name: str) -> Description:
    """Description of a field of a dataclass, with its label."""
    (field,) = [field for field in dataclasses.fields(cls) if field.name == name]
    found = field.metadata.get("description") or COMMON.get(name)
    if found is None:
        raise LookupError(f"{cls.__name__}.{name} is not described: make it a `described` field")
    return dataclasses.replace(found, label=found.label or name.replace("_", " ").title())


def choices_of(field: dataclasses.Field) -> Choices | None:
    """Words that a field may hold, where they are fixed."""
    return field.metadata["description"].options if "description" in field.metadata else None
