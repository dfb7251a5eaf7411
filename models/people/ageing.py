"""What changes with age and sex in joints and muscles: range of motion and strength, with sources.

Passive stiffness and damping of the joints go with mass and height (`range_of_motion.size_factor`); how they change
with age is not known well enough to be put into numbers.
"""

from dataclasses import replace

import numpy as np

from ...engine.spec import Joint, JointSpring, Model
from ...engine.spec.person import Person
from . import growth

SOUCIE = (
    "Soucie et al., Range of motion measurements, Haemophilia 17:500-507, 2011 (CDC joint range of motion study, 674 "
    "people of 2 to 69 years)"
)
RANGE_AGES = (5.0, 14.0, 32.0, 57.0)
"""Middles of their groups of age, years. Beyond 57 the change from 32 to 57 goes on to 80 years (assumed)."""
OLDEST_RANGE = 80.0

MEASURED_RANGES: dict[str, dict[str, tuple[float, ...]]] = {
    "hip extension": {"female": (26.2, 20.5, 18.1, 16.7), "male": (28.3, 18.2, 17.4, 13.5)},
    "hip flexion": {"female": (140.8, 134.9, 133.8, 130.8), "male": (131.1, 135.2, 130.4, 127.2)},
    "knee flexion": {"female": (152.6, 142.3, 141.9, 137.8), "male": (147.8, 142.2, 137.7, 132.9)},
    "dorsiflexion": {"female": (24.8, 17.3, 13.8, 11.6), "male": (22.8, 16.3, 12.7, 11.9)},
    "plantarflexion": {"female": (67.1, 57.3, 62.1, 56.5), "male": (55.8, 52.8, 54.6, 49.4)},
    "shoulder flexion": {"female": (178.6, 172.0, 172.0, 168.1), "male": (177.8, 170.9, 168.8, 164.0)},
    "elbow flexion": {"female": (152.9, 149.7, 150.0, 148.3), "male": (151.4, 148.3, 144.6, 143.5)},
}
"""Degrees, passive. Values of 2 to 8 years were read at the source; the others are quoted from general knowledge of the
same table."""

CERVICAL_LOSS = 0.004
"""Share of the neck's range that is lost per year after 30: 3 to 5 degrees a decade of about 90 (Youdas et al., Phys
Ther 72:770, 1992, quoted from general knowledge). The trunk is taken to lose as much (assumed). The neck has no stops
but resistance that grows with the angle: its curve is drawn together by as much, so that the same moment bends it less
(assumed)."""
NECK = ("neckJnt", "headJnt")

MOTIONS = {
    "hip": ("hip flexion", "hip extension"),
    "knee": ("knee flexion", None),
    "ankle": ("dorsiflexion", "plantarflexion"),
    "shoulder": ("shoulder flexion", "shoulder flexion"),
    "elbow": ("elbow flexion", None),
}
"""Joint to the measured motions of its positive and negative turn about Y."""

SLOW_LOSS, FAST_LOSS, CHANGE_OF_LOSS = 0.0015, 0.013, 52.0
"""Share of strength lost per year up to and after 52 years: isokinetic leg press of 362 men of 19 to 91 years
(Frontiers in Physiology 9:1524, 2018)."""
WOMAN_PER_LEAN_MASS = 0.95
"""Strength of women over men at the same lean mass and height (assumed: most of the difference is lean mass)."""
CHILD_PER_LEAN_MASS = 0.8
"""Strength of a child of six over an adult's at the same lean mass and height, rising to 1 at 18 (assumed)."""


def range_factor(motion: str, person: Person) -> float:
    """Range of a measured motion of people of that sex and age over that of men of 20 to 44 years."""
    degrees = growth.between(person.sex, MEASURED_RANGES[motion])
    age = min(person.age, OLDEST_RANGE)
    value = float(np.interp(age, RANGE_AGES, degrees))
    if age > RANGE_AGES[-1]:
        slope = (degrees[3] - degrees[2]) / (RANGE_AGES[3] - RANGE_AGES[2])
        value += float(slope) * (age - RANGE_AGES[-1])
    return value / MEASURED_RANGES[motion]["male"][2]


def spine_factor(person: Person) -> float:
    """Range of neck and trunk over that of a young adult."""
    return max(0.5, 1.0 - CERVICAL_LOSS * max(0.0, person.age - 30.0))


def _factors(joint: Joint, person: Person) -> tuple[float, float] | None:
    """Factors on the positive and the negative range of a joint; None where nothing is known."""
    part = joint.name.removesuffix("Jnt")
    if part in ("neck", "head", "lowerback", "upperback"):
        return spine_factor(person), spine_factor(person)
    if part[:-1] not in MOTIONS:
        return None
    up, down = MOTIONS[part[:-1]]
    first = range_factor(up, person)
    return first, range_factor(down, person) if down else first


def age_ranges(model: Model, person: Person) -> None:
    """Scale the ranges of motion of a model's joints, in place, to the person's age and sex.

    Turns about Y go with the measured flexion and extension, other turns with the mean of both."""
    for joint in model.joints:
        found = _factors(joint, person)
        if found is None:
            continue
        if joint.name in NECK and spine_factor(person) != 1.0:
            joint.springs = [_drawn_together(spring, person) for spring in joint.springs]
        up, down = found
        other = (up + down) / 2.0
        source = f"; scaled to {person.age:g} years ({SOUCIE})"
        if joint.limits is not None:
            limits = joint.limits
            limits.lower = tuple(
                round(a * f, 2) for a, f in zip(limits.lower, (other, down, other), strict=True)
            )
            limits.upper = tuple(
                round(a * f, 2) for a, f in zip(limits.upper, (other, up, other), strict=True)
            )
            limits.source += source
        if joint.cone is not None:
            cone = joint.cone
            cone.quadrant_angles = tuple(min(180.0, round(a * other, 2)) for a in cone.quadrant_angles)
            cone.twist = tuple(round(a * other, 2) for a in cone.twist)
            cone.source += source


def _drawn_together(spring: JointSpring, person: Person) -> JointSpring:
    """A spring of the neck with its angles times the range that is left at the person's age."""
    factor = spine_factor(person)
    curve = tuple((round(factor * angle, 4), torque) for angle, torque in spring.curve)
    return replace(
        spring, curve=curve, source=f"{spring.source}; angles x {factor:.3f} for {person.age:g} years"
    )


def lean_mass(person: Person) -> float:
    """Mass without fat, kg (`growth.body_fat`)."""
    return person.mass * (1.0 - growth.body_fat(person.sex, person.age, person.height, person.mass))


REFERENCE_MAN = Person(1.0, 30.0, 1.75, 75.0)
"""Whom the strengths in `posture.TONE` are for."""


def strength(person: Person) -> float:
    """Joint strength over that of a man of 30 years, 1.75 m and 75 kg: lean mass times height (a moment), less with
    age, sex and childhood."""
    at_best = replace(
        person, age=min(person.age, REFERENCE_MAN.age)
    )  # what age takes of the muscles is counted below
    size = lean_mass(at_best) * person.height / (lean_mass(REFERENCE_MAN) * REFERENCE_MAN.height)
    slow = SLOW_LOSS * max(0.0, min(person.age, CHANGE_OF_LOSS) - 30.0)
    fast = FAST_LOSS * max(0.0, person.age - CHANGE_OF_LOSS)
    young = float(np.interp(person.age, (6.0, 18.0), (CHILD_PER_LEAN_MASS, 1.0)))
    sex = 1.0 - (1.0 - person.sex) * (1.0 - WOMAN_PER_LEAN_MASS)
    return size * max(0.2, 1.0 - slow - fast) * young * sex
