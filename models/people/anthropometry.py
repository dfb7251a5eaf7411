"""Published body data: segment masses, lengths, radii of gyration, and the Hybrid III family.

Lengths in metres, masses in kilograms, shares as fractions of body mass, radii of gyration as fractions of the segment
length about the sagittal (front-back), transverse (left-right) and longitudinal axis of the segment.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from ..parts.tables import read_table

DE_LEVA = (
    "de Leva, Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters, "
    "J Biomech 29(9):1223-1230, 1996, table 4"
)
WINTER = "Drillis and Contini 1966 as given by Winter, Biomechanics and Motor Control of Human Movement"
NHANES = "CDC NHANES 2021-2023 mean of adults"
HYBRID_III = "NHTSA physical data of the Hybrid III family"

REFERENCE_STATURE = {"male": 1.741, "female": 1.735}
"""Mean stature of de Leva's samples (100 men, 15 women), m."""

POPULATION_MEAN = {"male": (1.754, 90.3), "female": (1.612, 77.9)}
"""Stature (m) and mass (kg) of the shipped adults; source `NHANES`."""


@dataclass(frozen=True)
class SegmentRatios:
    """One row of de Leva's table for one sex.

    Ends of each segment as in the table: head vertex to C7, upper trunk C7 to xiphion, middle trunk xiphion to
    omphalion, lower trunk omphalion to the middle of the hip joints, hand wrist to fingertip, shank knee to ankle joint
    centre, foot heel to toe.
    """

    segment: str
    sex: str
    length_mm: float
    """At the sample's mean stature"""
    mass: float
    """Percent of body mass, one side"""
    centre: float
    """Percent of the length from the proximal (cranial) end"""
    sagittal: float
    """Radii of gyration, percent of the length, about the axis named"""
    transverse: float
    longitudinal: float

    @property
    def length(self) -> float:
        """At the sample's mean stature, m."""
        return self.length_mm / 1000.0


_ROWS = read_table(Path(__file__).with_name("segments.csv"), SegmentRatios)
SEGMENTS = {row.segment: {r.sex: r for r in _ROWS if r.segment == row.segment} for row in _ROWS}
"""Segment and sex to their row."""

PAIRED = ("upper_arm", "forearm", "hand", "thigh", "shank", "foot")

MIDSHOULDER_TO_MIDHIP = {"female": 0.4979, "male": 0.5155}
"""m at the sample's stature, de Leva's alternative trunk ends."""


def mass_shares(sex: str) -> dict[str, float]:
    """Fraction of body mass of each segment (one side). The printed percentages sum to 99.99 (women) or 100.00 (men);
    they are divided by their sum."""
    percent = {name: rows[sex].mass for name, rows in SEGMENTS.items()}
    total = sum(value * (2 if name in PAIRED else 1) for name, value in percent.items())
    return {name: value / total for name, value in percent.items()}


STATURE_FRACTIONS = {
    "ankle_height": 0.039,
    "knee_height": 0.285,
    "hip_height": 0.530,
    "shoulder_height": 0.818,
    "upper_arm": 0.186,
    "forearm": 0.146,
    "hand": 0.108,
    "foot_length": 0.152,
    "foot_breadth": 0.055,
    "half_biacromial": 0.129,
}
"""Lengths as fractions of stature, source `WINTER`."""

NECK_SHARE = 0.907 / (3.733 + 0.907)
"""Share of the neck in the mass of head and neck: Hybrid III 5th percentile female, 0.907 kg of 0.907 + 3.733 kg
(`HYBRID_III`). De Leva's head runs from the vertex to C7 and so contains the neck; this share is carved out of it."""


@dataclass(frozen=True)
class DummyData:
    """Masses (kg) and lengths (m) of a dummy of the Hybrid III family. Limb masses are of *both* sides together.

    hybrid3.csv has what is published of it; what is not follows below.
    """

    name: str
    mass: float
    stature: float
    sitting_height: float
    head: float
    neck: float
    upper_arms: float
    lower_arms: float
    upper_legs: float
    lower_legs: float
    upper_torso: float = 0.0
    lower_torso: float = 0.0
    hip_pivot_height: float = 0.0
    """Above the seat, m"""
    shoulder_pivot_height: float = 0.0
    """Above the seat, m"""
    knee_height: float = 0.0
    """Knee pivot above the sole, m"""
    shoulder_elbow: float = 0.0
    elbow_fingertip: float = 0.0
    foot_length: float = 0.0
    head_length: float = 0.0
    head_breadth: float = 0.0
    notes: tuple[str, ...] = ()


_PUBLISHED = {row.name: row for row in read_table(Path(__file__).with_name("hybrid3.csv"), DummyData)}
_3, _6, _MAN, _WOMAN = (_PUBLISHED[name] for name in ("3", "6", "50th", "5th"))


def _limbs_of(dummy: DummyData) -> dict[str, float]:
    """Pivot heights and limb lengths as fractions of stature, source `WINTER`."""
    f, stature, below_seat = STATURE_FRACTIONS, dummy.stature, dummy.stature - dummy.sitting_height
    return {
        "hip_pivot_height": f["hip_height"] * stature - below_seat,
        "shoulder_pivot_height": f["shoulder_height"] * stature - below_seat,
        "knee_height": f["knee_height"] * stature,
        "shoulder_elbow": f["upper_arm"] * stature,
        "elbow_fingertip": (f["forearm"] + f["hand"]) * stature,
        "foot_length": f["foot_length"] * stature,
    }


# Torso of the 3-year-old is published whole (6.541 kg); it is split as the 6-year-old's.
_TORSO_3 = 6.541
_UPPER_SHARE_6 = _6.upper_torso / (_6.upper_torso + _6.lower_torso)
HYBRID_III_3_YEARS = replace(
    _3,
    upper_torso=_TORSO_3 * _UPPER_SHARE_6,
    lower_torso=_TORSO_3 * (1.0 - _UPPER_SHARE_6),
    head_length=_6.head_length * 50.8 / 52.1,
    head_breadth=_6.head_breadth * 50.8 / 52.1,
    notes=(
        "The torso is published whole (6.541 kg) and split as that of the 6-year-old dummy.",
        "Head length and breadth are those of the 6-year-old dummy times 50.8 / 52.1 (head circumference 50.8 cm "
        "assumed).",
    ),
)

_SITTING_RATIO, _STATURE_RATIO = 63.5 / 54.6, 114.3 / 94.5
HYBRID_III_6_YEARS = replace(
    _6,
    hip_pivot_height=_3.hip_pivot_height * _SITTING_RATIO,
    shoulder_pivot_height=_3.shoulder_pivot_height * _SITTING_RATIO,
    knee_height=_3.knee_height * _STATURE_RATIO,
    foot_length=_3.foot_length * _STATURE_RATIO,
    notes=(
        "Pivot heights of hip and shoulder are those of the 3-year-old dummy in proportion to sitting height; knee "
        "height and foot length in proportion to stature (not published in the table used).",
    ),
)

# 50th percentile man: total, stature and sitting height are published. Head 4.54 kg and neck 1.54 kg are general
# knowledge of high confidence, the other masses of medium confidence; these others are multiplied by one factor so
# that the total is 78.15 kg.
_OTHERS = {
    name: getattr(_MAN, name)
    for name in ("upper_torso", "lower_torso", "upper_arms", "lower_arms", "upper_legs", "lower_legs")
}
_CLOSING = (_MAN.mass - _MAN.head - _MAN.neck) / sum(_OTHERS.values())
HYBRID_III_50TH_MALE = replace(
    _MAN,
    **{name: value * _CLOSING for name, value in _OTHERS.items()},
    **_limbs_of(_MAN),
    notes=(
        "Total mass, stature and sitting height are published; head (4.54 kg) and neck (1.54 kg) are widely quoted;"
        " the other segment masses are quoted from general knowledge of medium confidence, untraced, times one factor "
        f"({_CLOSING:.5f}) that closes the published total.",
        f"Limb lengths are fractions of stature ({WINTER}), not drawings of the dummy.",
    ),
)

_HEAD_RATIO = (_WOMAN.head / _MAN.head) ** (1.0 / 3.0)
HYBRID_III_5TH_FEMALE = replace(
    _WOMAN,
    **_limbs_of(_WOMAN),
    head_length=_MAN.head_length * _HEAD_RATIO,
    head_breadth=_MAN.head_breadth * _HEAD_RATIO,
    notes=(
        f"Masses, stature and sitting height are published. Limb lengths are fractions of stature ({WINTER}), not "
        "drawings of the dummy; the head is the mid-size man's by the cube root of its mass (assumed).",
    ),
)
