"""Names of bones in common programs, and the bodies of people they stand for.

Limbs are found by name. Bones of the trunk are named and numbered in too many ways; they follow from where the limbs
are attached (`trunk`). Facts of the tables: names as the programs write them in their files (Mixamo's FBX, the BVH
and ASF files of Carnegie Mellon University's motion capture database, Blender's Rigify, Unreal Engine's mannequins,
MakeHuman's default rig, Character Studio's Biped, VRM).
"""

import re
from dataclasses import dataclass
from pathlib import Path

from ...parts.tables import read_table
from .shape import map_by_shape
from .skeleton import LIMBS, TRUNK, BoneMap, Skeleton, missing_bodies
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
    clavicle: str
    upper_arm: str
    forearm: str
    hand: str
    thigh: str
    shank: str
    foot: str
    prefix: str = ""
    """What the names of the bones that are meant begin with; others are controls"""
    sign: str = ""
    """A bone that only this convention has"""
    trunk_bones: str = ""
    """Full names of the bones of the bodies of the trunk, parted by blanks, where they do not follow from the limbs"""

    @property
    def limbs(self) -> dict[str, str]:
        """Body without its side to a pattern."""
        patterns = self.clavicle, self.upper_arm, self.forearm, self.hand, self.thigh, self.shank, self.foot
        return dict(zip(LIMBS, patterns, strict=True))

    @property
    def trunk(self) -> BoneMap:
        """Bodies of the trunk by the full name of their bone, where they do not follow from the limbs."""
        return dict(zip(TRUNK, self.trunk_bones.split(), strict=bool(self.trunk_bones)))


CONVENTIONS = read_table(Path(__file__).with_name("conventions.csv"), Convention)
"""Those that are tried, in this order."""
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
        signs = [*convention.trunk.values(), *([convention.sign] if convention.sign else [])]
        if not all(bone in skeleton.numbers for bone in signs):
            continue
        found |= convention.trunk or add_trunk(skeleton, found)
        if not missing_bodies(found) and len(found) > len(best[0]):
            best = found, convention.name
    if best[0]:
        return best
    found = map_by_shape(skeleton)
    return (found, BY_SHAPE) if found and not missing_bodies(found) else ({}, "")
