"""Who the people of the library are, as persons: the same sex, height and mass, made from the mesh.

The models themselves (`male`, `female`, `child_6`, `child_3`) are built from tables; `models person --like male` and
the presets of *Add Person* make the person. What differs is in docs/people.md.
"""

from ...engine.spec.person import Person
from . import anthropometry as data

ADULT = 40.0
"""Years of the adults (assumed: the published means are of all adults of 20 years and more)."""

PEOPLE = {
    "male": Person(1.0, ADULT, *data.POPULATION_MEAN["male"]),
    "female": Person(0.0, ADULT, *data.POPULATION_MEAN["female"]),
    "child_6": Person(1.0, 6.0, data.HYBRID_III_6_YEARS.stature, data.HYBRID_III_6_YEARS.mass),
    "child_3": Person(1.0, 3.0, data.HYBRID_III_3_YEARS.stature, data.HYBRID_III_3_YEARS.mass),
}
"""Name of a shipped model to the person. The children are boys, whose heads have the circumference of the dummies'."""
