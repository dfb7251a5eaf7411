"""Which simulated bodies carry which bones of the picture, and so how much of each body a vertex has."""

import numpy as np

from ..standing import BodyFrame
from .template import Template

SHARED = {
    "root": {"pelvis": 1.0},
    "spine05": {"pelvis": 1.0},
    "spine04": {"pelvis": 0.5, "LowerBack": 0.5},
    "spine03": {"LowerBack": 1.0},
    "spine02": {"LowerBack": 0.5, "UpperBack": 0.5},
    "spine01": {"UpperBack": 1.0},
    "neck01": {"Neck": 1.0},
    "neck02": {"Neck": 1.0},
    "neck03": {"Neck": 0.5, "head": 0.5},
    "head": {"head": 1.0},
}
SIDED = {
    "pelvis": "pelvis",
    "clavicle": "Clavicle",
    "shoulder01": "Clavicle",
    "upperarm01": "UpperArm",
    "upperarm02": "UpperArm",
    "lowerarm01": "Forearm",
    "lowerarm02": "Forearm",
    "wrist": "Hand",
    "upperleg01": "Thigh",
    "upperleg02": "Thigh",
    "lowerleg01": "Shank",
    "lowerleg02": "Shank",
    "foot": "Foot",
}
BODIES_OF_SIDES = frozenset(SIDED.values()) - {"pelvis"}
"""Bodies of which there is a left and a right one."""
CARRIERS: dict[str, dict[str, float]] = SHARED | {
    f"{bone}.{side}": {body if body == "pelvis" else body + side: 1.0}
    for bone, body in SIDED.items()
    for side in "LR"
}
"""Bone of the picture to the bodies that carry it, with their shares."""


def carried_weights(template: Template, weights: np.ndarray, bodies: tuple[str, ...]) -> np.ndarray:
    """(n, bodies) shares of bodies from (n, bones) shares of bones; a bone of fingers, toes or face counts with the
    nearest bone above it that a body carries."""
    shares = np.zeros((len(template.bones), len(bodies)))
    for number in range(len(template.bones)):
        above = number
        while template.bones[above] not in CARRIERS and template.parents[above] >= 0:
            above = template.parents[above]
        for body, share in CARRIERS.get(template.bones[above], {"pelvis": 1.0}).items():
            shares[number, bodies.index(body)] = share
    return weights @ shares


def both_sides(frames: dict[str, BodyFrame]) -> dict[str, BodyFrame]:
    """Frames of all bodies, from those of the middle and of the left side, which have no letter."""
    found = {}
    mirror = np.diag([1.0, -1.0, 1.0])
    for body, frame in frames.items():
        if body in BODIES_OF_SIDES:
            right = BodyFrame(mirror @ frame.turn @ mirror, mirror @ frame.joint, mirror @ frame.origin)
            found |= {f"{body}L": frame, f"{body}R": right}
        else:
            found[body] = frame
    return found
