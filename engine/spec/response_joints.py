"""Joints and bodies that a response needs, by the names of the shipped people, and how strong a mid-size man is."""

from dataclasses import dataclass

from .torque_speed import ANDERSON, GYMNAST, LUMBAR


@dataclass(frozen=True)
class RoleJoint:
    """Joints of one role, left before right, with the numbers of a mid-size man."""

    names: tuple[str, ...]
    stiffness: float
    """N m/rad"""
    damping: float
    """N m s/rad of muscles that are tensed, beyond that of the tissue (assumed)"""
    torque: float
    """N m: the largest, of all axes and both directions"""
    rate: float
    """rad/s: quickest turn of the target"""
    is_lower: bool
    """Women's strength against men's is that of the legs."""
    source: str
    muscles: str = ""
    """Joint of `torque_over_speed`; empty: the largest torque is the same at every rate."""


def _pair(stem: str) -> tuple[str, str]:
    return f"{stem}lJnt", f"{stem}rJnt"


RESPONSE_JOINTS = (
    RoleJoint(_pair("hip"), 250.0, 28.0, 207.0, 3.0, True, f"{ANDERSON}; others assumed", "hip"),
    RoleJoint(_pair("knee"), 200.0, 24.0, 210.0, 3.5, True, f"{ANDERSON}; others assumed", "knee"),
    RoleJoint(_pair("ankle"), 150.0, 12.6, 122.0, 3.0, True, f"{ANDERSON}; others assumed", "ankle"),
    RoleJoint(("lowerbackJnt",), 300.0, 30.0, 180.0, 1.5, False, f"{LUMBAR}; others assumed", "back"),
    RoleJoint(("upperbackJnt",), 300.0, 30.0, 150.0, 1.5, False, f"{LUMBAR}; others assumed", "back"),
    RoleJoint(
        ("neckJnt",), 150.0, 5.0, 40.0, 3.0, False,
        "torque: voluntary neck moments of men, 30 flexion and 51 extension, the mean (doi 10.1007/s10439-014-1046-0); "
        "others assumed",
    ),
    RoleJoint(
        ("headJnt",), 150.0, 3.0, 30.0, 3.0, False,
        "torque: flexion, 30 +- 6 (doi 10.1007/s10439-014-1046-0); others assumed",
    ),
    RoleJoint(
        _pair("shoulder"), 120.0, 15.0, 70.0, 7.0, False,
        f"torque: 26 men on a dynamometer, 69 static at 45 degrees, 75 while giving way; {GYMNAST}; others assumed",
        "shoulder",
    ),
    RoleJoint(
        _pair("elbow"), 60.0, 8.0, 50.0, 7.0, False,
        "torque: 67 to 78 % of body mass in N m (Lategan 2003); damping: 8.3 of forearms that are moved at will "
        f"(Viviani et al. 1976, abstract); {GYMNAST}; others assumed",
        "elbow",
    ),
    RoleJoint(_pair("wrist"), 8.0, 0.7, 10.0, 8.0, False, f"{GYMNAST}; others assumed", "wrist"),
)  # fmt: skip
"""In the order of the roles of `responses.arrays`."""
MAN, WOMAN = (1.75, 75.0), (1.62, 62.0)
"""Height (m) and mass (kg) of the people for whom strengths are given; chosen."""
SEX_STRENGTH = (0.52, 0.66)
"""Women's strength against men's, of arms and trunk and of the legs: Miller, MacDougall, Tarnopolsky and Sale 1993
(Eur J Appl Physiol 66:254), quoted from general knowledge."""

PELVIS, TRUNK, SKULL = "pelvis", "UpperBack", "head"
TRUNK_BODIES = ("pelvis", "Abdomen", "LowerBack", "UpperBack", "Chest", "Sternum", "head")
"""Bodies whose touch is the landing."""
FEET = ("FootL", "FootR")
