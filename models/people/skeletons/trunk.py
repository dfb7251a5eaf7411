"""Bones of pelvis, back, neck and head, from where the limbs of a skeleton are attached."""

import re

import numpy as np

from .driven import level_of
from .skeleton import BoneMap, Skeleton

HALFWAY = 0.5
"""Part of the way from hips to shoulders that is in the middle of a person's lower back."""
HEAD = re.compile(r"(^|[^a-z])head\d*$", re.I)


def add_trunk(skeleton: Skeleton, limbs: BoneMap) -> BoneMap:
    """Bodies of the trunk: the pelvis carries both thighs, the upper back both arms; the lower back is
    halfway between them, the neck the first from there to the head."""
    thighs = [limbs.get(f"Thigh{side}") for side in "LR"]
    arms = [limbs.get(f"Clavicle{side}") or limbs.get(f"UpperArm{side}") for side in "LR"]
    if None in thighs or None in arms or not (limbs.get("UpperArmL") and limbs.get("UpperArmR")):
        return {}
    pelvis, chest = (skeleton.common(*(skeleton.numbers[name] for name in pair)) for pair in (thighs, arms))
    if pelvis < 0 or chest < 0 or pelvis == chest:
        return {}
    found = {"pelvis": skeleton.names[pelvis], "UpperBack": skeleton.names[chest]}
    lower = lower_back(skeleton, found | limbs)
    if lower:
        found["LowerBack"] = lower
    head = head_bone(skeleton, chest)
    if head:
        found["head"] = head
        neck = skeleton.path(found["UpperBack"], head)[1:-1]
        if neck:
            found["Neck"] = neck[0]
    return found


def lower_back(skeleton: Skeleton, found: BoneMap) -> str:
    """The bone of the back that passes halfway between hips and shoulders; the first where all are above."""
    between = skeleton.path(found["pelvis"], found["UpperBack"])[1:-1]
    if not between:
        return ""
    below = [
        bone
        for bone, level in zip(between, level_of(skeleton, found, between), strict=True)
        if level < HALFWAY
    ]
    return (below or between[:1])[-1]


def head_bone(skeleton: Skeleton, chest: int) -> str:
    """The bone of the head: by its name, else the last one above the chest that goes on without a fork, if there is one
    that no limb begins with."""
    below = [n for n in range(len(skeleton.names)) if n != chest and chest in skeleton.upward(n)]
    named = [n for n in below if HEAD.search(skeleton.names[n])]
    if named:
        return skeleton.names[min(named, key=lambda n: len(skeleton.upward(n)))]
    up = (
        skeleton.heads[chest] - skeleton.heads[skeleton.parents[chest]]
        if skeleton.parents[chest] >= 0
        else None
    )
    branches = [
        n
        for n in skeleton.children[chest]
        if up is not None and is_along(skeleton.tails[n] - skeleton.heads[n], up)
    ]
    if len(branches) != 1:
        return ""
    number = branches[0]
    for _ in range(2):
        nexts = skeleton.children[number]
        if len(nexts) != 1:
            break
        number = nexts[0]
    return skeleton.names[number]


def is_along(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether two directions are within 60 degrees of each other."""
    return float(first @ second) > 0.5 * float((first @ first) ** 0.5 * (second @ second) ** 0.5)
