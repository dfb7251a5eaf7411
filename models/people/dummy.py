"""The Hybrid III-like dummies: 50th percentile man, 5th percentile woman, 6 and 3 years.

Masses and main lengths are those of the Hybrid III family. What the published tables leave out is taken from de
Leva's men in proportion: the split of lower torso into middle and lower trunk, of forearm and hand, of shank and
foot; centres of mass; radii of gyration. Children's dummies so get their own masses and lengths (a head of 17 % of the
body at 3 years) with an adult's mass distribution inside each segment.
"""

from ...engine.spec import Material, Model
from ..parts.materials import (
    body_materials,
    scaled_body_materials,
    with_stiffer_head,
    without_skull_rates,
)
from . import anthropometry as data
from . import dummy_tissue
from .figure import Figure, build_model
from .human import segment_pieces
from .joint_data import DummyTissue, attach_joint_data

HEAD_FACTORS = {"hybrid3_5th": 1.064, "hybrid3_6": 0.867, "hybrid3_3": 0.765}
"""Stiffness of the head over what the size alone gives: fitted to the head drops (376 mm; 250 to 300, 245 to 300 and
250 to 280 g), quoted from general knowledge of high confidence."""
C7_ABOVE_SHOULDER = 0.20
"""C7 stands this share of the way from the shoulder pivot up to the vertex (assumed; 0.25 in de Leva's men)."""


def landmarks(dummy: data.DummyData) -> dict[str, float]:
    """Heights (m) of a dummy standing, from its seated pivot heights: legs are stature less sitting height."""
    seat = dummy.stature - dummy.sitting_height
    z = {"vertex": dummy.stature, "hip": seat + dummy.hip_pivot_height, "knee": dummy.knee_height}
    z["ankle"] = data.STATURE_FRACTIONS["ankle_height"] * dummy.stature
    z["shoulder"] = seat + dummy.shoulder_pivot_height
    z["c7"] = z["shoulder"] + C7_ABOVE_SHOULDER * (z["vertex"] - z["shoulder"])
    lower, middle, upper = (
        data.SEGMENTS[name]["male"].length for name in ("lower_trunk", "middle_trunk", "upper_trunk")
    )
    trunk = (z["c7"] - z["hip"]) / (lower + middle + upper)
    z["omphalion"] = z["hip"] + trunk * lower
    z["xiphion"] = z["omphalion"] + trunk * middle
    forearm, hand = data.STATURE_FRACTIONS["forearm"], data.STATURE_FRACTIONS["hand"]
    z["elbow"] = z["shoulder"] - dummy.shoulder_elbow
    z["wrist"] = z["elbow"] - dummy.elbow_fingertip * forearm / (forearm + hand)
    z["fingertip"] = z["elbow"] - dummy.elbow_fingertip
    return z


def _share(first: str, second: str) -> float:
    """De Leva's share (men) of the first of two segments in the mass of both."""
    a, b = (data.SEGMENTS[name]["male"].mass for name in (first, second))
    return a / (a + b)


def segment_masses(dummy: data.DummyData) -> dict[str, float]:
    """kg per segment, one side."""
    middle = _share("middle_trunk", "lower_trunk")
    forearm = _share("forearm", "hand")
    shank = _share("shank", "foot")
    return {
        "head": dummy.head + dummy.neck,
        "upper_trunk": dummy.upper_torso,
        "middle_trunk": middle * dummy.lower_torso,
        "lower_trunk": (1.0 - middle) * dummy.lower_torso,
        "upper_arm": dummy.upper_arms / 2.0,
        "forearm": forearm * dummy.lower_arms / 2.0,
        "hand": (1.0 - forearm) * dummy.lower_arms / 2.0,
        "thigh": dummy.upper_legs / 2.0,
        "shank": shank * dummy.lower_legs / 2.0,
        "foot": (1.0 - shank) * dummy.lower_legs / 2.0,
    }


def dummy_figure(name: str, description: str, dummy: data.DummyData, materials: list[Material]) -> Figure:
    """The standing figure of a dummy."""
    z = landmarks(dummy)
    ends = {**Figure.ends, "head": ("vertex", "c7")}
    lengths = {segment: z[upper] - z[lower] for segment, (upper, lower) in ends.items()}
    lengths["foot"] = dummy.foot_length
    hip_y = 0.051 * dummy.stature
    shoulder_y = 0.108 * dummy.stature
    return Figure(
        name=name,
        description=description,
        sex="",
        height=dummy.stature,
        mass=dummy.mass,
        z=z,
        hip_y=hip_y,
        shoulder_y=shoulder_y,
        foot_length=dummy.foot_length,
        foot_breadth=data.STATURE_FRACTIONS["foot_breadth"] * dummy.stature,
        head_length=dummy.head_length,
        head_breadth=dummy.head_breadth,
        pieces=segment_pieces(segment_masses(dummy), lengths, z, hip_y, shoulder_y, "male"),
        neck_mass=dummy.neck,
        materials=materials,
        sources=[
            data.HYBRID_III + " (masses and main lengths)",
            data.DE_LEVA + " (men: distribution of mass inside the segments)",
        ],
        notes=[
            *dummy.notes,
            "Half distances of hips and shoulders are 0.051 and 0.108 of stature, as in the adult model (assumed).",
        ],
    )


FITTED = "fitted to this dummy's head drop (49 CFR Part 572)"


def _scaled_materials(dummy: data.DummyData, head: float) -> list[Material]:
    """The mid-size man's materials for the size of a dummy; `head` is a factor on the stiffness of the head's own."""
    adult = data.HYBRID_III_50TH_MALE
    materials = scaled_body_materials(
        dummy.mass / adult.mass,
        dummy.stature / adult.stature,
        dummy.head / adult.head,
        dummy.head_length / adult.head_length,
    )
    return with_stiffer_head(materials, head, FITTED)


def _dummy(
    name: str, who: str, dummy: data.DummyData, materials: list[Material], tissue: DummyTissue
) -> Model:
    """A dummy with joint friction, neck and chest of its certification."""
    description = (
        f"Hybrid III-like {who} dummy, {dummy.stature * 100:.1f} cm, {dummy.mass:.2f} kg, standing. "
        "Not the certified dummy."
    )
    figure = dummy_figure(name, description, dummy, without_skull_rates(materials))
    return attach_joint_data(build_model(figure), tissue)


def build_hybrid3_50th() -> Model:
    """Hybrid III-like 50th percentile male dummy with joint friction."""
    who = "50th percentile male"
    return _dummy("hybrid3_50th", who, data.HYBRID_III_50TH_MALE, body_materials(), dummy_tissue.MAN)


def build_hybrid3_5th() -> Model:
    """Hybrid III-like 5th percentile female dummy."""
    size = data.HYBRID_III_5TH_FEMALE
    materials = _scaled_materials(size, HEAD_FACTORS["hybrid3_5th"])
    return _dummy("hybrid3_5th", "5th percentile female", size, materials, dummy_tissue.SMALL_WOMAN)


def build_hybrid3_6() -> Model:
    """Hybrid III-like dummy of a child of 6 years."""
    size = data.HYBRID_III_6_YEARS
    materials = _scaled_materials(size, HEAD_FACTORS["hybrid3_6"])
    return _dummy("hybrid3_6", "6-year-old", size, materials, dummy_tissue.SIX_YEARS)


def build_hybrid3_3() -> Model:
    """Hybrid III-like dummy of a child of 3 years."""
    size = data.HYBRID_III_3_YEARS
    materials = _scaled_materials(size, HEAD_FACTORS["hybrid3_3"])
    return _dummy("hybrid3_3", "3-year-old", size, materials, dummy_tissue.THREE_YEARS)
