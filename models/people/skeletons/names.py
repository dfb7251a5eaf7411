"""Names of bones in common programs, and the bodies of people they stand for.

Limbs are found by name. Bones of the trunk are named and numbered in too many ways; they follow from where the limbs
are attached (`trunk`). Facts of the tables: names as the programs write them in their files (Mixamo's FBX, the BVH
and ASF files of Carnegie Mellon University's motion capture database, Blender's Rigify, Unreal Engine's mannequins,
MakeHuman's default rig, Character Studio's Biped, VRM).
"""

import re
from dataclasses import dataclass

from .shape import map_by_shape
from .skeleton import BoneMap, Skeleton, missing_bodies
from .trunk import add_trunk

PREFIX = re.compile(r"^(.*[:|]|(mixamorig|character|cc_base|bip|valvebiped|j_bip|def|mch)\d*[_. -])", re.I)
"""What programs put in front of a bone's own name: name spaces, and the name of the character."""
ASF = "hip|femur|tibia|foot|toes|clav|hum|rad|wri|han"
SIDES = {
    letter.upper(): re.compile(
        rf"(?i:{word})|(?<![a-zA-Z])(?i:{letter})(?![a-zA-Z])|^(?i:{letter})(?=[A-Z])|^{letter}(?={ASF})"
    )
    for letter, word in (("l", "left"), ("r", "right"))
}
"""A side as a word, as a letter of its own, before a capital, or before one of the names of ASF files."""


@dataclass(frozen=True)
class Convention:
    """How one program names the limbs; patterns are for the name without its prefix, its side and its separators."""

    name: str
    limbs: dict[str, str]
    """Body without its side to a pattern"""
    prefix: str = ""
    """What the names of the bones that are meant begin with; others are controls"""
    sign: str = ""
    """A bone that only this convention has"""
    trunk: tuple[tuple[str, str], ...] = ()
    """Bodies of the trunk by the full name of their bone, where they do not follow from the limbs"""


def limbs(*patterns: str) -> dict[str, str]:
    """Patterns in the order clavicle, upper arm, forearm, hand, thigh, shank, foot."""
    names = ("Clavicle", "UpperArm", "Forearm", "Hand", "Thigh", "Shank", "Foot")
    return dict(zip(names, patterns, strict=True))


CONVENTIONS = (
    Convention(
        "Rigify",
        limbs("shoulder", "upperarm", "forearm", "hand", "thigh", "shin", "foot"),
        prefix="ORG-",
        trunk=(
            ("pelvis", "tweak_spine"),
            ("LowerBack", "tweak_spine.001"),
            ("UpperBack", "tweak_spine.003"),
            ("Neck", "neck"),
            ("head", "head"),
        ),
    ),
    Convention("Rigify metarig", limbs("shoulder", "upperarm", "forearm", "hand", "thigh", "shin", "foot")),
    Convention("CMU", limbs("shoulder", "arm", "forearm", "hand", "upleg", "leg", "foot"), sign="LHipJoint"),
    Convention("Mixamo", limbs("shoulder", "arm", "forearm", "hand", "upleg", "leg", "foot")),
    Convention("Unreal", limbs("clavicle", "upperarm", "lowerarm", "hand", "thigh", "calf", "foot")),
    Convention(
        "MakeHuman",
        limbs("clavicle", "upperarm01", "lowerarm01", "wrist", "upperleg01", "lowerleg01", "foot"),
    ),
    Convention("CMU", limbs("clavicle", "humerus", "radius", "hand", "femur", "tibia", "foot")),
    Convention("Biped", limbs("clavicle", "upperarm", "forearm", "hand", "thigh", "calf", "foot")),
    Convention("VRM", limbs("shoulder", "upperarm", "lowerarm", "hand", "upperleg", "lowerleg", "foot")),
    Convention(
        "plain names",
        limbs(
            "collar|clavicle|shoulder|collarbone",
            "upperarm|uparm|arm|humerus|shldr",
            "forearm|lowerarm|lowarm|radius|elbow",
            "hand|wrist",
            "thigh|upperleg|upleg|femur|hip",
            "shin|calf|lowerleg|lowleg|shank|leg|tibia|knee",
            "foot|ankle",
        ),
    ),
    Convention(
        "names of joints",
        limbs("collar|clavicle", "shoulder", "elbow", "wrist|hand", "hip", "knee", "ankle|foot"),
    ),
)
BY_SHAPE = "the shape of the tree"


def side_of(name: str) -> str:
    """L or R where a name says so, else nothing."""
    found = [side for side, pattern in SIDES.items() if pattern.search(name)]
    return found[0] if len(found) == 1 else ""


def core_of(name: str) -> str:
    """A name without prefix, side and separators, in small letters."""
    bare = PREFIX.sub("", name)
    for pattern in SIDES.values():
        bare = pattern.sub("", bare)
    return re.sub(r"[^a-z0-9]", "", bare.lower())


def map_limbs(skeleton: Skeleton, convention: Convention) -> BoneMap:
    """Limbs by their names; of several bones of one name the one nearest to the root."""
    found: BoneMap = {}
    for name in skeleton.names:
        if not name.startswith(convention.prefix):
            continue
        side = side_of(PREFIX.sub("", name.removeprefix(convention.prefix)) or name)
        if not side:
            continue
        core = core_of(name.removeprefix(convention.prefix))
        for limb, pattern in convention.limbs.items():
            if re.fullmatch(pattern, core):
                found.setdefault(f"{limb}{side}", name)
    return found


def map_skeleton(skeleton: Skeleton) -> tuple[BoneMap, str]:
    """The bone of each body, and by which convention it was found; empty where nothing fits."""
    best: tuple[BoneMap, str] = ({}, "")
    for convention in CONVENTIONS:
        found = map_limbs(skeleton, convention)
        signs = [bone for _, bone in convention.trunk] + [convention.sign] * bool(convention.sign)
        if not all(bone in skeleton.numbers for bone in signs):
            continue
        found |= dict(convention.trunk) if convention.trunk else add_trunk(skeleton, found)
        if not missing_bodies(found) and len(found) > len(best[0]):
            best = found, convention.name
    if best[0]:
        return best
    found = map_by_shape(skeleton)
    return (found, BY_SHAPE) if found and not missing_bodies(found) else ({}, "")
