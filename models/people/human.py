"""Adults: men and women of any stature and mass with de Leva's segments."""

import warnings

import numpy as np

from ...engine.spec import Model
from ..parts.materials import body_materials
from ..parts.rigid import Piece
from . import anthropometry as data
from .figure import Figure, build_model
from .joint_data import attach_joint_data

SMALLEST_ADULT = 1.40
"""m. Below this the proportions are a child's."""

HEAD_LENGTH = {"male": 0.199 / 1.756, "female": 0.189 / 1.629}
HEAD_BREADTH = {"male": 0.154 / 1.756, "female": 0.147 / 1.629}
"""Fractions of stature; means of ANSUR II (Gordon et al. 2014), quoted from general knowledge, medium confidence."""

HIP_HALF_WIDTH = {"male": 0.051, "female": 0.050}
"""Half distance of the hip joint centres as a fraction of stature (assumed: 89 mm at 1.754 m, 81 mm at 1.612 m)."""

ACROMION_TO_JOINT = {"male": 0.021, "female": 0.016}
"""Shoulder joint centre inward of the acromion, fraction of stature (assumed: 37 mm at 1.754 m, 26 mm at 1.612 m)."""

FOOT_BREADTH = 0.055


def landmarks(sex: str, height: float) -> dict[str, float]:
    """Heights (m) of joint centres and trunk levels of a standing person.

    Limbs have de Leva's lengths in proportion to stature, on an ankle height of 0.039 stature. His lengths were taken
    lying down and do not add up to stature for men (36 mm too long); the trunk, C7 to hips, takes up the difference:
    its levels keep their proportions and are moved by one factor (0.941 for men, 1.003 for women). Radii of gyration
    and so the inertias use the lengths as printed.
    """
    scale = height / data.REFERENCE_STATURE[sex]
    length = {name: rows[sex].length * scale for name, rows in data.SEGMENTS.items()}
    z = {"vertex": height, "c7": height - length["head"]}
    z["ankle"] = data.STATURE_FRACTIONS["ankle_height"] * height
    z["knee"] = z["ankle"] + length["shank"]
    z["hip"] = z["knee"] + length["thigh"]
    trunk = length["upper_trunk"] + length["middle_trunk"] + length["lower_trunk"]
    closing = (z["c7"] - z["hip"]) / trunk
    z["omphalion"] = z["hip"] + closing * length["lower_trunk"]
    z["xiphion"] = z["omphalion"] + closing * length["middle_trunk"]
    z["shoulder"] = z["hip"] + closing * data.MIDSHOULDER_TO_MIDHIP[sex] * scale
    z["elbow"] = z["shoulder"] - length["upper_arm"]
    z["wrist"] = z["elbow"] - length["forearm"]
    z["fingertip"] = z["wrist"] - length["hand"]
    return z


def segment_inertia(segment: str, ratios: data.SegmentRatios, mass: float, length: float) -> np.ndarray:
    """(3, 3) m (rho L)^2 along the world axes of the standing pose.

    The table's axes are the segment's in the anatomical position. The foot's long axis is forward (longitudinal about
    x, sagittal about z); the hand is turned by 90 degrees, palm to the thigh (sagittal about y, transverse about x).
    """
    sagittal, transverse, longitudinal = (
        mass * (percent / 100.0 * length) ** 2
        for percent in (ratios.sagittal, ratios.transverse, ratios.longitudinal)
    )
    if segment == "foot":
        return np.diag([longitudinal, transverse, sagittal])
    if segment == "hand":
        return np.diag([transverse, sagittal, longitudinal])
    return np.diag([sagittal, transverse, longitudinal])


def segment_pieces(
    masses: dict[str, float],
    lengths: dict[str, float],
    z: dict[str, float],
    hip_y: float,
    shoulder_y: float,
    sex: str,
) -> dict[str, Piece]:
    """Mass properties of all segments, left side, in standing coordinates.

    `masses` (kg) and `lengths` (m, for the inertias) per segment; centres at de Leva's percentage between the levels
    in `z`.
    """
    ends = {**Figure.ends, "head": ("vertex", "c7")}
    side = {
        "upper_arm": shoulder_y,
        "forearm": shoulder_y,
        "hand": shoulder_y,
        "thigh": hip_y,
        "shank": hip_y,
    }
    pieces = {}
    for segment, rows in data.SEGMENTS.items():
        ratios = rows[sex]
        inertia = segment_inertia(segment, ratios, masses[segment], lengths[segment])
        if segment == "foot":
            along = (ratios.centre / 100.0 - 0.25) * lengths[segment]
            centre = np.array([along, hip_y, 0.5 * z["ankle"]])
        else:
            upper, lower = ends[segment]
            centre = np.array(
                [0.0, side.get(segment, 0.0), z[upper] - ratios.centre / 100.0 * (z[upper] - z[lower])]
            )
        pieces[segment] = Piece(masses[segment], centre, inertia)
    return pieces


def adult_figure(sex: str, height: float, mass: float, name: str | None = None) -> Figure:
    """A man or woman of the given stature (m) and mass (kg) with de Leva's proportions."""
    if sex not in ("male", "female"):
        raise ValueError(f"sex must be 'male' or 'female', not {sex!r}")
    if not 0.5 <= height <= 2.5 or not 5.0 <= mass <= 400.0:
        raise ValueError(
            f"a height of {height} m or a mass of {mass} kg is outside 0.5-2.5 m and 5-400 kg; "
            "give the height in metres and the mass in kilograms"
        )
    scale = height / data.REFERENCE_STATURE[sex]
    masses = {segment: share * mass for segment, share in data.mass_shares(sex).items()}
    lengths = {segment: rows[sex].length * scale for segment, rows in data.SEGMENTS.items()}
    z = landmarks(sex, height)
    hip_y = HIP_HALF_WIDTH[sex] * height
    shoulder_y = (data.STATURE_FRACTIONS["half_biacromial"] - ACROMION_TO_JOINT[sex]) * height
    return Figure(
        name=name or f"{sex}_{height * 100:.0f}cm_{mass:.0f}kg",
        description=f"Adult {sex}, {height * 100:.1f} cm, {mass:.1f} kg, standing, 24 bodies.",
        sex=sex,
        height=height,
        mass=mass,
        z=z,
        hip_y=hip_y,
        shoulder_y=shoulder_y,
        foot_length=lengths["foot"],
        foot_breadth=FOOT_BREADTH * height,
        head_length=HEAD_LENGTH[sex] * height,
        head_breadth=HEAD_BREADTH[sex] * height,
        pieces=segment_pieces(masses, lengths, z, hip_y, shoulder_y, sex),
        neck_mass=data.NECK_SHARE * masses["head"],
        materials=body_materials(),
        sources=[
            data.DE_LEVA + " (segment masses, centres, radii of gyration, lengths)",
            data.WINTER + " (ankle height, shoulder breadth)",
            data.HYBRID_III + " (neck share of head and neck, 5th percentile female)",
        ],
        notes=[
            "Head and neck together are de Leva's head (vertex to C7); 19.5 % of it is the neck.",
            "Trunk levels are moved by one factor so that the standing height is the stature; inertias keep the "
            "printed lengths.",
            "Breadths and depths of the ellipsoids are chosen so that volume fits mass at 1000 kg/m3; they are not"
            " measured skin.",
        ],
    )


def build_adult(sex: str, height: float, mass: float, name: str | None = None) -> Model:
    """Model of an adult. Warns below 1.40 m: children are not small adults (see `child`)."""
    if height < SMALLEST_ADULT:
        warnings.warn(
            f"a stature of {height:.2f} m is a child's, and children are not small adults (a 3-year-old's head is 17"
            " % of "
            "the body, an adult's 7 %): use the model child_3 (0.945 m) or child_6 (1.143 m)",
            stacklevel=2,
        )
    return attach_joint_data(build_model(adult_figure(sex, height, mass, name)))
