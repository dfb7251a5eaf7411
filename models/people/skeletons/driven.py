"""Which bones of a skeleton bodies move, by what shares, and which of them carries which."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .skeleton import BoneMap, Skeleton

ABOVE = {
    "Clavicle": ("UpperBack",),
    "UpperArm": ("Clavicle", "UpperBack"),
    "Forearm": ("UpperArm",),
    "Hand": ("Forearm",),
    "Thigh": ("pelvis",),
    "Shank": ("Thigh",),
    "Foot": ("Shank",),
}
"""Body of a limb, without its side, to those that may carry it, nearest first."""
NUMBERED = re.compile(r"(.*?)(\d+)")


@dataclass(frozen=True)
class Driven:
    """A bone that bodies move."""

    bodies: dict[str, float]
    """Bodies with their shares, which sum to one"""
    above: str
    """The driven bone that carries it; none for the pelvis"""

    @property
    def body(self) -> str:
        """The body with the largest share."""
        return max(self.bodies, key=self.bodies.get)


def driven_bones(skeleton: Skeleton, found: BoneMap, levels: tuple[float, float]) -> dict[str, Driven]:
    """Bones that bodies move, those that carry others first.

    levels: where the joints of the person's lower and upper back are between hips (0) and shoulders (1). A bone of
    the trunk belongs to the bodies between whose joints it lies, each by the part of its length.
    """
    driven = dict(trunk_bones(skeleton, found, levels))
    for side in "LR":
        for limb, carriers in ABOVE.items():
            if found.get(f"{limb}{side}"):
                names = [found.get(f"{body}{side}") or found.get(body) for body in carriers]
                driven[found[f"{limb}{side}"]] = Driven({f"{limb}{side}": 1.0}, next(filter(None, names)))
    return driven


def trunk_bones(
    skeleton: Skeleton, found: BoneMap, levels: tuple[float, float]
) -> Iterator[tuple[str, Driven]]:
    """Pelvis, back, neck and head, from below."""
    yield found["pelvis"], Driven({"pelvis": 1.0}, "")
    row = back_row(skeleton, found)
    heights = level_of(skeleton, found, row)
    for number, bone in enumerate(row[1:-1], start=1):
        yield bone, Driven(shares_between(heights[number], heights[number + 1], levels), row[number - 1])
    yield row[-1], Driven({"UpperBack": 1.0}, row[-2])
    if not found.get("head"):
        return
    necks = bones_between(skeleton, found["Neck"], found["head"]) if found.get("Neck") else []
    line = [row[-1], *([found["Neck"], *necks] if found.get("Neck") else []), found["head"]]
    for above, bone in pairwise(line):
        yield bone, Driven({"head" if bone == found["head"] else "Neck": 1.0}, above)


def back_row(skeleton: Skeleton, found: BoneMap) -> list[str]:
    """Bones from the pelvis to the upper back."""
    pelvis, lower, upper = found["pelvis"], found.get("LowerBack"), found["UpperBack"]
    if not lower:
        return [pelvis, *bones_between(skeleton, pelvis, upper), upper]
    below, above = bones_between(skeleton, pelvis, lower), bones_between(skeleton, lower, upper)
    return [pelvis, *below, lower, *above, upper]


def bones_between(skeleton: Skeleton, lower: str, upper: str) -> list[str]:
    """Bones of the trunk between two others: on the way up from one to the other, or else by their numbers."""
    if skeleton.numbers[lower] in skeleton.upward(skeleton.numbers[upper]):
        return skeleton.path(lower, upper)[1:-1]
    first, last = NUMBERED.fullmatch(lower), NUMBERED.fullmatch(upper)
    if first is None or last is None or first[1] != last[1]:
        return []
    names = [f"{first[1]}{n:0{len(first[2])}d}" for n in range(int(first[2]) + 1, int(last[2]))]
    return [name for name in names if name in skeleton.numbers]


def level_of(skeleton: Skeleton, found: BoneMap, bones: list[str]) -> np.ndarray:
    """(n,) where bones begin between hips (0) and shoulders (1)."""
    hips, shoulders = (
        (skeleton.head(found[f"{limb}L"]) + skeleton.head(found[f"{limb}R"])) / 2.0
        for limb in ("Thigh", "UpperArm")
    )
    up = (shoulders - hips) / float((shoulders - hips) @ (shoulders - hips))
    return np.array([(skeleton.head(bone) - hips) @ up for bone in bones])


def shares_between(start: float, end: float, levels: tuple[float, float]) -> dict[str, float]:
    """Bodies of a bone of the back that reaches from one level to another, by the part of its length."""
    edges = (-np.inf, *levels, np.inf)
    length = max(end - start, 1e-9)
    shares = {
        body: max(0.0, min(end, high) - max(start, low)) / length
        for body, (low, high) in zip(("pelvis", "LowerBack", "UpperBack"), pairwise(edges), strict=True)
    }
    shares = {body: float(share) for body, share in shares.items() if share > 0.02}
    total = sum(shares.values())
    return {body: share / total for body, share in shares.items()} if total else {"LowerBack": 1.0}
