"""A walk as a value: from it the start of a walking person follows (`models.people.gait`)."""

from __future__ import annotations

from dataclasses import dataclass

from .description import described


@dataclass(frozen=True)
class Gait:
    """Somebody walks: height, pose, rates, motors and the carried root of the actor are made from it."""

    speed: float = described("Of the whole body, forward", "m/s", low=0.4, high=2.2, new=1.4)
    phase: float = described(
        "Share of the stride since the right heel struck: 0.5 is the strike of the left heel",
        low=0,
        high=1,
        new=0.0,
    )
    heading: float = described("Way it goes, from x towards y", "degrees", default=0.0)
    floor: float = described("Height of what is walked on", "m", default=0.0)
