"""A person as a value: who somebody is, from which shape, masses and joints follow (`models.people`)."""

from dataclasses import dataclass

from .description import Choices, described
from .values import Vector

LOAD_PLACES = Choices(
    right_hand="In the right hand, hanging",
    left_hand="In the left hand, hanging",
    both_hands="Half of it in each hand, hanging",
    shoulder="On a strap over the right shoulder, at the side of the hip",
    back="On the back",
)


@dataclass(frozen=True)
class Person:
    """Somebody of a sex, age, height, mass and build, and what a tape measured where that is known."""

    sex: float = described("0 for a woman, 1 for a man; values between are allowed", low=0, high=1, new=0.0)
    age: float = described("Age", "years", low=1, high=95, new=40.0)
    height: float = described("Stature, standing, without shoes", "m", low=0.7, high=2.1, new=1.70)
    mass: float = described("Mass of the body, without clothes", "kg", low=8, high=200, new=70.0)
    build: float = described(
        "How much of the mass is muscle: 0 slight, 0.5 ordinary, 1 athletic", low=0, high=1, default=0.5
    )
    head: float | None = described(
        "Largest circumference of the head", "m", low=0.4, high=0.7, new=0.56, absent="the mean of that age"
    )
    chest: float | None = described(
        "Circumference of the chest at the nipples", "m", low=0.4, high=1.6, new=0.95, absent="as it follows"
    )
    waist: float | None = described(
        "Circumference of the waist at the navel", "m", low=0.4, high=1.8, new=0.85, absent="as it follows"
    )
    hip: float | None = described(
        "Largest circumference of the hips", "m", low=0.4, high=1.8, new=1.0, absent="as it follows"
    )
    upper_arm: float | None = described(
        "Circumference of the middle of the upper arm",
        "m",
        low=0.1,
        high=0.6,
        new=0.3,
        absent="as it follows",
    )
    thigh: float | None = described(
        "Circumference of the thigh below the buttock",
        "m",
        low=0.2,
        high=1.0,
        new=0.55,
        absent="as it follows",
    )
    leg: float | None = described(
        "Length of the leg inside, from the crotch to the sole",
        "m",
        low=0.2,
        high=1.1,
        new=0.8,
        absent="as it follows",
    )
    ancestry: Vector = described(
        "Shares of African, Asian and European features; they show in the face", default=(0.0, 0.0, 1.0)
    )
    helmet: float = described(
        "Mass of a bicycle helmet on the head, beside that of the body; 0 for none",
        "kg",
        low=0,
        high=3,
        default=0.0,
    )
    glasses: float = described(
        "Mass of spectacles, beside that of the body; 0 for none",
        "kg",
        low=0,
        high=0.3,
        default=0.0,
        digits=3,
    )
    rucksack: float = described(
        "Mass of a rucksack on the back, beside that of the body; 0 for none",
        "kg",
        low=0,
        high=40,
        default=0.0,
    )
    load: float = described(
        "Mass that is carried, beside the mass of the body",
        "kg",
        label="Carried Load",
        low=0,
        high=40,
        default=0.0,
    )
    load_place: str = described(
        "Where the load is carried", label="Carried", options=LOAD_PLACES, default="right_hand"
    )


YOUNGEST, OLDEST = 1.0, 95.0
"""Years for which people are made."""
