"""Sizes of people that are often wanted, each with its source."""

from dataclasses import dataclass

from ...engine.spec.person import Person
from ...models.people.shipped import PEOPLE

NHANES = "United States, adults, mean of CDC NHANES 2021-2023"
DESTATIS = (
    "Germany, adults, mean of the Mikrozensus 2021 (Statistisches Bundesamt), quoted from general knowledge"
)
ANSUR = (
    "United States Army, ANSUR II (Gordon et al. 2014), mean and 1.645 standard deviations, general knowledge"
)
HYBRID = "size of the Hybrid III dummy (NHTSA, physical data of the dummies)"
DUMMY_95 = "size of the Hybrid III dummy, from general knowledge"


@dataclass(frozen=True)
class Preset:
    """A size, and where it is from."""

    label: str
    person: Person
    source: str


def woman(age: float, height: float, mass: float) -> Person:
    """A woman of ordinary build."""
    return Person(sex=0.0, age=age, height=height, mass=mass)


def man(age: float, height: float, mass: float) -> Person:
    """A man of ordinary build."""
    return Person(sex=1.0, age=age, height=height, mass=mass)


ADULT = 40.0
"""Years: age of adult presets, whose sources are of all adults (assumed)."""
LIBRARY = "the library's model '{}' as a person: the same sex, height and mass. "
PRESETS: dict[str, Preset] = {
    "us_woman": Preset("Woman, USA, Mean", PEOPLE["female"], LIBRARY.format("female") + NHANES),
    "us_man": Preset("Man, USA, Mean", PEOPLE["male"], LIBRARY.format("male") + NHANES),
    "boy_6": Preset("Boy, 6 Years", PEOPLE["child_6"], LIBRARY.format("child_6") + HYBRID),
    "boy_3": Preset("Boy, 3 Years", PEOPLE["child_3"], LIBRARY.format("child_3") + HYBRID),
    "de_woman": Preset("Woman, Germany, Mean", woman(ADULT, 1.66, 69.2), DESTATIS),
    "de_man": Preset("Man, Germany, Mean", man(ADULT, 1.79, 85.8), DESTATIS),
    "army_woman_5": Preset("Woman, 5th Percentile", woman(30.0, 1.523, 49.8), ANSUR),
    "army_woman_95": Preset("Woman, 95th Percentile", woman(30.0, 1.734, 85.8), ANSUR),
    "army_man_5": Preset("Man, 5th Percentile", man(30.0, 1.643, 62.1), ANSUR),
    "army_man_95": Preset("Man, 95th Percentile", man(30.0, 1.869, 108.9), ANSUR),
    "hybrid_woman_5": Preset("Dummy, 5th Percentile Woman", woman(ADULT, 1.501, 49.0), HYBRID),
    "hybrid_man_50": Preset("Dummy, 50th Percentile Man", man(ADULT, 1.753, 78.15), HYBRID),
    "hybrid_man_95": Preset("Dummy, 95th Percentile Man", man(ADULT, 1.88, 101.0), DUMMY_95),
    "hybrid_3": Preset("Dummy, 3 Years", Person(sex=0.5, age=3.0, height=0.945, mass=15.46), HYBRID),
    "hybrid_6": Preset("Dummy, 6 Years", Person(sex=0.5, age=6.0, height=1.143, mass=23.41), HYBRID),
}
"""ANSUR II means and standard deviations: women 1.6285 m, 0.0642 m and 67.8 kg, 11.0 kg; men 1.7562 m, 0.0686 m and
85.5 kg, 14.2 kg. The percentiles of stature and of mass are combined, which few people have."""
