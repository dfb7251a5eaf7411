"""What the rest pose of a skeleton is to a person: which way it faces, its size, how far each body is turned in it.

A person of the library rests with hanging arms, the palms to the thighs. Other skeletons rest with their arms spread,
their elbows a little bent, their feet apart. Both are people who stand on their feet and look straight ahead: so
trunk and head are not turned against each other, feet only about the vertical. A limb is spread about the fore-aft
axis, and the rest of the way turned by the least turn that takes its direction to that of the bones, from the trunk
outward (docs/derivations.md, Skeletons of other programs). So results do not depend on how far arms are spread.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .skeleton import BoneMap, Skeleton

CHAINS = (("UpperArm", "Forearm", "Hand"), ("Thigh", "Shank"))
LARGEST_BEND = math.radians(75.0)
"""A hand that seems bent by more than this at rest is taken for straight: its bones do not show its direction."""
PLUMB = math.cos(math.radians(25.0))
"""Cosine of the angle within which the direction from pelvis to chest counts as an axis of the skeleton."""


@dataclass(frozen=True, eq=False)
class RestMatch:
    """The rest pose of a skeleton in the terms of a person."""

    axes: np.ndarray
    """(3, 3) rows forward, left, up in the skeleton's frame"""
    turns: dict[str, np.ndarray]
    """Body to its (3, 3) turn from the person's rest to the skeleton's, in the person's axes"""
    hips: np.ndarray
    """(3,) middle between the hip joints, in the skeleton's frame"""
    scale: float
    """Metres of one unit of the skeleton, if its legs are as long as the person's"""


Reaches = Mapping[str, np.ndarray]
"""Body of a person to (3,) the way from its joint to the next one, or to the end of hand and foot, at rest, m."""


def match_rest(skeleton: Skeleton, found: BoneMap, reaches: Reaches) -> RestMatch:
    """Compare the rest pose of a skeleton with that of a person."""
    axes = facing(skeleton, found)
    hips = (skeleton.head(found["ThighL"]) + skeleton.head(found["ThighR"])) / 2.0
    turns = {body: np.identity(3) for body in found}
    for side in "LR":
        for chain in CHAINS:
            turns |= chain_turns(skeleton, found, reaches, axes, [f"{limb}{side}" for limb in chain])
        foot = f"Foot{side}"
        if foot in found and foot in reaches:
            turns[foot] = foot_turn(axes @ end_of(skeleton, found, foot), reaches[foot])
    own = sum(leg_length(skeleton, found, side) for side in "LR")
    persons = sum(leg_of(reaches, side) for side in "LR")
    return RestMatch(axes, turns, hips, persons / own)


def facing(skeleton: Skeleton, found: BoneMap) -> np.ndarray:
    """(3, 3) rows forward, left, up of a skeleton at rest."""
    pairs = [
        (skeleton.head(found[f"{limb}L"]), skeleton.head(found[f"{limb}R"])) for limb in ("Thigh", "UpperArm")
    ]
    left = sum((a - b) / max(float(np.linalg.norm(a - b)), 1e-12) for a, b in pairs)
    hips, shoulders = (sum(pair) / 2.0 for pair in pairs)
    return upright_axes(left, shoulders - hips)


def upright_axes(left: np.ndarray, up: np.ndarray) -> np.ndarray:
    """(3, 3) rows forward, left, up of somebody who stands, from directions of about left and up."""
    up = nearest_axis(up / np.linalg.norm(up))
    left = left - (left @ up) * up
    left /= np.linalg.norm(left)
    return np.stack([np.cross(left, up), left, up])


def nearest_axis(direction: np.ndarray) -> np.ndarray:
    """(3,) a unit direction, along the nearest axis where it is within 25 degrees: hips and chest are seldom plumb."""
    k = int(np.argmax(np.abs(direction)))
    axis = np.zeros(3)
    axis[k] = math.copysign(1.0, direction[k])
    return axis if abs(direction[k]) > PLUMB else direction


def chain_turns(
    skeleton: Skeleton,
    found: BoneMap,
    reaches: Reaches,
    axes: np.ndarray,
    bodies: list[str],
) -> dict[str, np.ndarray]:
    """Turns of the bodies of a limb, each the least beyond that of the body above it."""
    turns, turn = {}, np.identity(3)
    for body in bodies:
        if body not in found or body not in reaches:
            break
        bone, person = axes @ end_of(skeleton, found, body), turn @ reaches[body]
        if not body.startswith("Hand") or (
            has_fingers(skeleton, found[body]) and angle(bone, person) < LARGEST_BEND
        ):
            spread = spread_turn(person, bone) if body == bodies[0] else np.identity(3)
            turn = least_turn(spread @ person, bone) @ spread @ turn
        turns[body] = turn
    return turns


def end_of(skeleton: Skeleton, found: BoneMap, body: str) -> np.ndarray:
    """(3,) from the joint of a body to the next one, in the skeleton's frame; of hand and foot to fingers or toes."""
    name = found[body]
    after = NEXT.get(body[:-1])
    if after and found.get(f"{after}{body[-1]}"):
        return skeleton.head(found[f"{after}{body[-1]}"]) - skeleton.head(name)
    number = skeleton.numbers[name]
    below = [
        n
        for n in skeleton.children[number]
        if np.linalg.norm(skeleton.heads[n] - skeleton.heads[number]) > 1e-9
    ]
    end = skeleton.heads[list(below)].mean(axis=0) if below else skeleton.tails[number]
    return end - skeleton.heads[number]


NEXT = {"UpperArm": "Forearm", "Forearm": "Hand", "Thigh": "Shank", "Shank": "Foot"}
"""Limb to the one whose joint is at its end."""


def has_fingers(skeleton: Skeleton, bone: str) -> bool:
    """Whether bones below that of a hand show where it points."""
    return bool(skeleton.children[skeleton.numbers[bone]])


def angle(first: np.ndarray, second: np.ndarray) -> float:
    """Angle (rad) between two directions."""
    return math.atan2(float(np.linalg.norm(np.cross(first, second))), float(first @ second))


def least_turn(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """(3, 3) the smallest turn that takes one direction to another; about the fore-aft axis where they are opposite."""
    a, b = start / np.linalg.norm(start), end / np.linalg.norm(end)
    axis, cosine = np.cross(a, b), float(a @ b)
    if cosine < -1.0 + 1e-9:
        return np.diag([1.0, -1.0, -1.0])
    cross = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    return np.identity(3) + cross + cross @ cross / (1.0 + cosine)


def spread_turn(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """(3, 3) turn about the fore-aft axis that takes one direction to another as both are seen from the front; none
    where one of them points to the front."""
    flat = [np.array([0.0, v[1], v[2]]) for v in (start, end)]
    if any(
        np.linalg.norm(seen) < 0.3 * np.linalg.norm(v) for seen, v in zip(flat, (start, end), strict=True)
    ):
        return np.identity(3)
    return least_turn(*flat)


def foot_turn(bone: np.ndarray, person: np.ndarray) -> np.ndarray:
    """(3, 3) turn about the vertical between the directions of two feet that stand flat."""
    flat = [np.array([v[0], v[1], 0.0]) for v in (person, bone)]
    if min(map(np.linalg.norm, flat)) < 1e-6 * max(1.0, float(np.linalg.norm(bone))):
        return np.identity(3)
    return least_turn(*flat)


def leg_length(skeleton: Skeleton, found: BoneMap, side: str) -> float:
    """Length of thigh and shank, in units of the skeleton."""
    return sum(float(np.linalg.norm(end_of(skeleton, found, f"{limb}{side}"))) for limb in ("Thigh", "Shank"))


def leg_of(reaches: Reaches, side: str) -> float:
    """Length of thigh and shank of a person, m."""
    return sum(float(np.linalg.norm(reaches[f"{limb}{side}"])) for limb in ("Thigh", "Shank"))
