"""The measures of a run as one text, for another process: all that a table of them shows, without their details."""

import json

from .measure import Measure

SHOWN = ("name", "subject", "value", "unit", "definition", "validity", "warnings", "flags")
"""Fields of a measure that are kept."""


def pack(families: dict[str, list[Measure]]) -> str:
    """Text of measures by family, exact in their values."""
    return json.dumps(
        {
            family: [{name: getattr(measure, name) for name in SHOWN} for measure in measures]
            for family, measures in families.items()
        }
    )


def unpack(text: str) -> dict[str, list[Measure]]:
    """Measures by family of their text."""
    return {
        family: [
            Measure(
                **{name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
            )
            for row in rows
        ]
        for family, rows in json.loads(text).items()
    }
