"""How people change with age: published sizes of head and body, body fat, density. Metres, kilograms, years.

Between the ages of a table values lie on straight lines; sexes are mixed by `sex` (0 woman, 1 man).
"""

import numpy as np

HEAD_AGES = (1.0, 2.0, 3.0, 6.0, 18.0)
HEAD_CIRCUMFERENCE = {
    "female": (0.456, 0.481, 0.493, 0.509, 0.552),
    "male": (0.470, 0.492, 0.505, 0.521, 0.572),
}
"""m. 1 to 3 years: 50th percentiles of the National Center for Health Statistics; 6 years: the Hybrid III 6-year-old
(52.1 cm; girls in the proportion of 3 years); adults: Bushby et al., Arch Dis Child 67:1286, 1992 (means of British
adults as widely quoted, 57.2 and 55.2 cm). From 6 to 18 years a straight line, which is assumed."""

HEAD_PER_STATURE = 0.087
"""m of head circumference per m of stature among people of one sex and age: correlation 0.379 (Nguyen et al., Int J
Morphol 30:1474, 2012, 221 men) times the ratio of the spreads, 1.6 cm to 7 cm (assumed)."""

SKULL_AGES = (1.0, 3.0, 6.0, 18.0)
SKULL_MODULUS = (3.2, 4.7, 6.6, 9.9)
"""GPa: modulus of skull bone by age, with which dummies of children are scaled (Irwin and Mertz 1997, SAE 973317:
ratios 0.323, 0.474 and 0.667 to the adult; quoted from general knowledge of medium confidence). From 6 to 18 years a
straight line, which is assumed. Read, and not used: 3.69 +- 0.92 GPa of the three layers together at 6 years (Davis et
al. 2012, J Biomech 45:2493), without an adult value of the same test."""
SKULL_SOURCE = (
    "skull bone of this age over an adult's (moduli of Irwin and Mertz 1997, SAE 973317, quoted from general "
    "knowledge; the face is taken to follow, assumed)"
)

STATURE_AGES = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0)
MEAN_STATURE = {
    "female": (0.742, 0.855, 0.942, 1.010, 1.150, 1.275, 1.382, 1.512, 1.603, 1.625, 1.631),
    "male": (0.757, 0.868, 0.952, 1.022, 1.155, 1.280, 1.386, 1.490, 1.638, 1.735, 1.761),
}
"""m. Medians of the CDC growth charts 2000, rounded, quoted from general knowledge."""

GAS_PER_LEAN_MASS = 4.5e-5
"""m3 of air and gas in lungs and gut per kg of lean mass (assumed; 2.7 litres in a man of 75 kg)."""


def between(sex: float, table: dict[str, float | tuple[float, ...]]) -> np.ndarray:
    """Values of a table by sex, mixed for `sex` between 0 (female) and 1 (male)."""
    return (1.0 - sex) * np.asarray(table["female"], float) + sex * np.asarray(table["male"], float)


def mean_stature(sex: float, age: float) -> float:
    """Mean stature of that sex and age, m."""
    return float(np.interp(age, STATURE_AGES, between(sex, MEAN_STATURE)))


def head_circumference(sex: float, age: float, height: float) -> float:
    """Mean head circumference (m) of people of that sex, age and height."""
    mean = float(np.interp(age, HEAD_AGES, between(sex, HEAD_CIRCUMFERENCE)))
    return mean + HEAD_PER_STATURE * (height - mean_stature(sex, age))


def skull_factor(age: float) -> float:
    """Modulus of skull bone at an age (years) over an adult's."""
    return float(np.interp(age, SKULL_AGES, SKULL_MODULUS)) / SKULL_MODULUS[-1]


def body_fat(sex: float, age: float, height: float, mass: float) -> float:
    """Share of fat in the mass, from the body mass index: Deurenberg et al., Br J Nutr 65:105, 1991, with their forms
    for children up to 15 years and for adults, mixed from 14 to 18; kept from 5 % to 55 %."""
    index = mass / height**2
    child = 1.51 * index - 0.70 * age - 3.6 * sex + 1.4
    adult = 1.20 * index + 0.23 * age - 10.8 * sex - 5.4
    grown = float(np.clip((age - 14.0) / 4.0, 0.0, 1.0))
    return float(np.clip((1.0 - grown) * child + grown * adult, 5.0, 55.0)) / 100.0


def density(sex: float, age: float, height: float, mass: float) -> float:
    """Mean density of the whole body, kg/m3, lungs at rest: tissue by Siri 1961 from `body_fat`, and
    `GAS_PER_LEAN_MASS`."""
    fat = body_fat(sex, age, height, mass)
    tissue = 4950.0 / (fat + 4.5)
    return 1.0 / (1.0 / tissue + GAS_PER_LEAN_MASS * (1.0 - fat))
