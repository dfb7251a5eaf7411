"""Masses of a person's segments: volumes of the mesh, calibrated on published shares.

The mesh says how the volume of this person is distributed, published tables what a volume weighs: the density of a
segment relative to the whole is the published share of a reference person over the mesh's share of the same person.
So de Leva's reference people have his shares and Jensen's six-year-old his, and fat is where the mesh has it. De
Leva's shares themselves must not be used for the obese: a man of 140 kg would get a head and neck of 9.7 kg.
"""

from collections.abc import Mapping

import numpy as np

from ...engine.spec.person import Person
from . import growth
from .anthropometry import DE_LEVA, PAIRED, SEGMENTS, mass_shares

JENSEN = "Jensen, Changes in segment inertia proportions between 4 and 20 years, J Biomech 22:529-536, 1989"
JENSEN_SHARES = {
    "head": 18.2, "trunk": 43.0, "upper_arm": 2.4, "forearm": 1.3, "hand": 0.8, "thigh": 8.5, "shank": 4.6, "foot": 1.9,
}  # fmt: skip
"""Percent of body mass of boys of six years, one side; head with neck. As collected in the public repository
wspr/body-segment-param (Jensen 1986 and 1989). Those of 12 and 15 years are held against what follows in
docs/people.md."""

TRUNK = ("upper_trunk", "middle_trunk", "lower_trunk")

REFERENCE_PEOPLE = {
    "male": Person(1.0, 24.0, 1.741, 73.0),
    "female": Person(0.0, 19.0, 1.735, 61.9),
    "child": Person(1.0, 6.0, 1.155, 20.7),
}
"""De Leva's mean man and woman (ages as he gives them) and a boy of six years of mean height and mass (CDC 2000)."""

MESH_SHARES = {
    "male": {
        "head": 5.775, "upper_trunk": 19.175, "middle_trunk": 16.784, "lower_trunk": 10.985,
        "upper_arm": 2.984, "forearm": 1.322, "hand": 0.553, "thigh": 13.072, "shank": 4.663, "foot": 1.047,
    },
    "female": {
        "head": 6.387, "upper_trunk": 16.184, "middle_trunk": 12.434, "lower_trunk": 13.976,
        "upper_arm": 2.802, "forearm": 1.109, "hand": 0.452, "thigh": 15.506, "shank": 4.589, "foot": 1.051,
    },
    "child": {
        "head": 13.641, "upper_trunk": 16.797, "middle_trunk": 15.369, "lower_trunk": 10.904,
        "upper_arm": 2.640, "forearm": 1.183, "hand": 0.514, "thigh": 11.832, "shank": 4.370, "foot": 1.105,
    },
}  # fmt: skip
"""Percent of the mesh's volume of the reference people, one side. Printed by `mesh_shares`; a test compares."""

CHILD_UNTIL, ADULT_FROM = 6.0, 18.0
"""Years between which the calibration goes from the child's to the adult's in a straight line (assumed)."""


def _published(reference: str) -> dict[str, float]:
    """Percent of body mass per segment, one side, of a reference person. Jensen's trunk is divided as the mesh's."""
    if reference != "child":
        return {segment: 100.0 * share for segment, share in mass_shares(reference).items()}
    table = dict(JENSEN_SHARES)
    trunk = table.pop("trunk")
    mesh = MESH_SHARES["child"]
    parts = {segment: trunk * mesh[segment] / sum(mesh[s] for s in TRUNK) for segment in TRUNK}
    whole = sum(v * (2.0 if s in PAIRED else 1.0) for s, v in (table | parts).items())
    return {segment: 100.0 * value / whole for segment, value in (table | parts).items()}


def relative_densities(person: Person) -> dict[str, float]:
    """Density of each segment over that of the whole body, for people of that sex and age."""
    ratio = {
        reference: {s: _published(reference)[s] / MESH_SHARES[reference][s] for s in SEGMENTS}
        for reference in REFERENCE_PEOPLE
    }
    grown = float(np.clip((person.age - CHILD_UNTIL) / (ADULT_FROM - CHILD_UNTIL), 0.0, 1.0))
    adult = {
        s: float(growth.between(person.sex, {k: ratio[k][s] for k in ("female", "male")})) for s in SEGMENTS
    }
    return {s: (1.0 - grown) * ratio["child"][s] + grown * adult[s] for s in SEGMENTS}


def densities(person: Person, volumes: Mapping[str, float]) -> dict[str, float]:
    """kg/m3 per segment, from the segments' volumes (m3, one side), so that all sum to the person's mass."""
    relative = relative_densities(person)
    weighed = sum(relative[s] * v * (2.0 if s in PAIRED else 1.0) for s, v in volumes.items())
    return {segment: relative[segment] * person.mass / weighed for segment in volumes}


SOURCES = (
    DE_LEVA + " (segment masses of the reference adults)",
    JENSEN + " (segment masses of the six-year-old)",
)
