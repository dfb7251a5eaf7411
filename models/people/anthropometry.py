"""Published body data: segment masses, lengths, radii of gyration, and the Hybrid III family.

Lengths in metres, masses in kilograms, shares as fractions of body mass, radii of gyration as fractions of the segment
length about the sagittal (front-back), transverse (left-right) and longitudinal axis of the segment.
"""

from dataclasses import dataclass
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
    """Published masses and lengths of a dummy of the Hybrid III family. Limb masses are of *both* sides together."""

    mass: float
    stature: float
    sitting_height: float
    head: float
    neck: float
    upper_torso: float
    lower_torso: float
    upper_arms: float
    lower_arms: float
    upper_legs: float
    lower_legs: float
    hip_pivot_height: float
    """Above the seat, m"""
    shoulder_pivot_height: float
    """Above the seat, m"""
    knee_height: float
    """Knee pivot above the sole, m"""
    shoulder_elbow: float
    elbow_fingertip: float
    foot_length: float
    head_length: float
    head_breadth: float
    notes: tuple[str, ...] = ()


# Torso of the 3-year-old is published whole (6.541 kg); it is split as the 6-year-old's (5.557 to 6.237).
_TORSO_3 = 6.541
_UPPER_SHARE_6 = 5.557 / (5.557 + 6.237)
_SITTING_RATIO = 63.5 / 54.6
_STATURE_RATIO = 114.3 / 94.5

HYBRID_III_3_YEARS = DummyData(
    mass=15.46,
    stature=0.945,
    sitting_height=0.546,
    head=2.685,
    neck=0.748,
    upper_torso=_TORSO_3 * _UPPER_SHARE_6,
    lower_torso=_TORSO_3 * (1.0 - _UPPER_SHARE_6),
    upper_arms=0.844,
    lower_arms=0.953,
    upper_legs=1.932,
    lower_legs=1.760,
    hip_pivot_height=0.0445,
    shoulder_pivot_height=0.334,
    knee_height=0.249,
    shoulder_elbow=0.193,
    elbow_fingertip=0.255,
    foot_length=0.143,
    head_length=0.173 * 50.8 / 52.1,
    head_breadth=0.142 * 50.8 / 52.1,
    notes=(
        "The torso is published whole (6.541 kg) and split as that of the 6-year-old dummy.",
        "Head length and breadth are those of the 6-year-old dummy times 50.8 / 52.1 (head circumference 50.8 cm "
        "assumed).",
    ),
)

HYBRID_III_6_YEARS = DummyData(
    mass=23.41,
    stature=1.143,
    sitting_height=0.635,
    head=3.475,
    neck=0.544,
    upper_torso=5.557,
    lower_torso=6.237,
    upper_arms=0.953,
    lower_arms=1.243,
    upper_legs=2.903,
    lower_legs=2.495,
    hip_pivot_height=0.0445 * _SITTING_RATIO,
    shoulder_pivot_height=0.334 * _SITTING_RATIO,
    knee_height=0.249 * _STATURE_RATIO,
    shoulder_elbow=0.224,
    elbow_fingertip=0.311,
    foot_length=0.143 * _STATURE_RATIO,
    head_length=0.173,
    head_breadth=0.142,
    notes=(
        "Pivot heights of hip and shoulder are those of the 3-year-old dummy in proportion to sitting height; knee "
        "height "
        "and foot length in proportion to stature (not published in the table used).",
    ),
)

# 50th percentile man: total, stature and sitting height are published. Head 4.54 kg and neck 1.54 kg are general
# knowledge of high confidence, the other masses of medium confidence; these others are multiplied by one factor so
# that the total is 78.15 kg.
_MALE_OTHERS = {
    "upper_torso": 17.19,
    "lower_torso": 23.04,
    "upper_arms": 4.0,
    "lower_arms": 4.5,
    "upper_legs": 12.0,
    "lower_legs": 10.9,
}
_CLOSING = (78.15 - 4.54 - 1.54) / sum(_MALE_OTHERS.values())

HYBRID_III_50TH_MALE = DummyData(
    mass=78.15,
    stature=1.753,
    sitting_height=0.884,
    head=4.54,
    neck=1.54,
    **{name: value * _CLOSING for name, value in _MALE_OTHERS.items()},
    hip_pivot_height=STATURE_FRACTIONS["hip_height"] * 1.753 - (1.753 - 0.884),
    shoulder_pivot_height=STATURE_FRACTIONS["shoulder_height"] * 1.753 - (1.753 - 0.884),
    knee_height=STATURE_FRACTIONS["knee_height"] * 1.753,
    shoulder_elbow=STATURE_FRACTIONS["upper_arm"] * 1.753,
    elbow_fingertip=(STATURE_FRACTIONS["forearm"] + STATURE_FRACTIONS["hand"]) * 1.753,
    foot_length=STATURE_FRACTIONS["foot_length"] * 1.753,
    head_length=0.199,
    head_breadth=0.154,
    notes=(
        "Total mass, stature and sitting height are published; head (4.54 kg) and neck (1.54 kg) are widely quoted;"
        " the other "
        "segment masses are quoted from general knowledge of medium confidence, untraced, times one factor "
        f"({_CLOSING:.5f}) that closes the published total.",
        "Limb lengths are fractions of stature (" + WINTER + "), not drawings of the dummy.",
    ),
)

HYBRID_III_5TH_FEMALE = DummyData(
    mass=49.0,
    stature=1.501,
    sitting_height=0.787,
    head=3.733,
    neck=0.907,
    upper_torso=12.02,
    lower_torso=13.245,
    upper_arms=2.359,
    lower_arms=2.359,
    upper_legs=6.260,
    lower_legs=8.119,
    hip_pivot_height=STATURE_FRACTIONS["hip_height"] * 1.501 - (1.501 - 0.787),
    shoulder_pivot_height=STATURE_FRACTIONS["shoulder_height"] * 1.501 - (1.501 - 0.787),
    knee_height=STATURE_FRACTIONS["knee_height"] * 1.501,
    shoulder_elbow=STATURE_FRACTIONS["upper_arm"] * 1.501,
    elbow_fingertip=(STATURE_FRACTIONS["forearm"] + STATURE_FRACTIONS["hand"]) * 1.501,
    foot_length=STATURE_FRACTIONS["foot_length"] * 1.501,
    head_length=0.199 * (3.733 / 4.54) ** (1.0 / 3.0),
    head_breadth=0.154 * (3.733 / 4.54) ** (1.0 / 3.0),
    notes=(
        "Masses, stature and sitting height are published. Limb lengths are fractions of stature ("
        + WINTER
        + "), not "
        "drawings of the dummy; the head is the mid-size man's by the cube root of its mass (assumed).",
    ),
)
