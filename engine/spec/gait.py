"""A walk or a run as a value: from it the start of a person under way follows (`models.people.gait`)."""

from dataclasses import dataclass

from .description import Choices, described

MANNERS = Choices(
    walk="One foot is always on the ground: measured angles of a free walk",
    run="Flies from step to step: measured angles of a man at 3.96 m/s",
)


@dataclass(frozen=True)
class Gait:
    """Somebody walks or runs: height, pose, rates, motors and the carried root of the actor are made from it."""

    speed: float = described("Of the whole body, forward", "m/s", low=0.4, high=6.0, new=1.4)
    phase: float = described(
        "Share of the stride since the right heel struck: 0.5 is the strike of the left heel",
        low=0,
        high=1,
        new=0.0,
    )
    heading: float = described("Way it goes, from x towards y", "degrees", default=0.0)
    floor: float = described("Height of what is walked on", "m", default=0.0)
    manner: str = described("How the person goes", options=MANNERS, default="walk")
