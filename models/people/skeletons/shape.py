"""Bones of people by the shape of the tree alone, for skeletons whose names say nothing.

A person's tree has two forks: one with two equal chains and the trunk (the pelvis), and on the trunk one with two
equal chains and the neck. The two longest neighbouring bones of a chain are the long bones of the limb. Feet point
forward, which with the direction from pelvis to chest tells left from right.
"""

import itertools

import numpy as np

from .skeleton import BoneMap, Skeleton, missing_bodies
from .trunk import lower_back

EQUAL = 0.1
"""Share by which the lengths of the chains of both sides may differ."""
SHORTEST = 3
"""Bones of the chain of a limb, at least."""


def map_by_shape(skeleton: Skeleton) -> BoneMap:
    """The bone of each body; empty where the tree is not that of a person."""
    hip = first_fork(skeleton, [n for n, parent in enumerate(skeleton.parents) if parent < 0])
    if hip is None:
        return {}
    pelvis, legs, trunk = hip
    shoulder = first_fork(skeleton, trunk)
    if shoulder is None:
        return {}
    chest, arms, neck = shoulder
    names = skeleton.names
    found = {"pelvis": names[pelvis], "UpperBack": names[chest]}
    if neck:
        line = chain(skeleton, neck[0])
        found["head"] = names[line[min(1, len(line) - 1)]]
        if len(line) > 1:
            found["Neck"] = names[line[0]]
    up = skeleton.heads[chest] - skeleton.heads[pelvis]
    left = np.cross(up, forward(skeleton, legs))
    for pair, first, bodies in (
        (legs, "Thigh", ("Thigh", "Shank", "Foot")),
        (arms, "UpperArm", ("UpperArm", "Forearm", "Hand")),
    ):
        middle = sum(skeleton.heads[line[0]] for line in pair) / 2.0
        for line in pair:
            start = long_bones(skeleton, line)
            end = skeleton.heads[line[start]] - middle
            side = "L" if float(end @ left) > 0.0 else "R"
            found |= {
                f"{body}{side}": names[number] for body, number in zip(bodies, line[start:], strict=False)
            }
            if first == "UpperArm" and start > 0:
                found[f"Clavicle{side}"] = names[line[start - 1]]
    lower = lower_back(skeleton, found) if not missing_bodies(found) else ""
    return found | ({"LowerBack": lower} if lower else {})


def chain(skeleton: Skeleton, number: int) -> list[int]:
    """A bone and those below it, up to a fork or an end."""
    line = [number]
    while len(skeleton.children[line[-1]]) == 1:
        line.append(skeleton.children[line[-1]][0])
    return line


def length(skeleton: Skeleton, line: list[int]) -> float:
    """Length of a chain from its first to its last joint."""
    return float(np.linalg.norm(np.diff(skeleton.heads[line], axis=0), axis=1).sum())


def first_fork(
    skeleton: Skeleton, start: list[int] | tuple[int, ...]
) -> tuple[int, list[list[int]], list[int]] | None:
    """The first bone, from some on downward, that carries two equal chains: it, the chains, and its other branches."""
    waiting = list(start)
    while waiting:
        number = waiting.pop(0)
        lines = [chain(skeleton, child) for child in skeleton.children[number]]
        limbs = [line for line in lines if len(line) >= SHORTEST]
        pairs = list(itertools.combinations(limbs, 2)) if len(lines) > 2 else []
        first, second = min(pairs, key=lambda pair: difference(skeleton, *pair), default=((), ()))
        if first and difference(skeleton, first, second) < EQUAL:
            others = [line[0] for line in lines if line is not first and line is not second]
            others.sort(key=lambda n: -size_below(skeleton, n))
            return number, [first, second], others
        waiting += skeleton.children[number]
    return None


def difference(skeleton: Skeleton, first: list[int], second: list[int]) -> float:
    """Share by which the lengths of two chains differ."""
    sizes = length(skeleton, first), length(skeleton, second)
    return abs(sizes[0] - sizes[1]) / max(*sizes, 1e-12)


def size_below(skeleton: Skeleton, number: int) -> int:
    """How many bones are below a bone."""
    return sum(1 + size_below(skeleton, child) for child in skeleton.children[number])


def long_bones(skeleton: Skeleton, line: list[int]) -> int:
    """Place in a chain of the first of its two longest neighbouring bones."""
    sizes = np.linalg.norm(np.diff(skeleton.heads[line], axis=0), axis=1)
    return int(np.argmax(sizes[:-1] + sizes[1:])) if len(sizes) > 1 else 0


def forward(skeleton: Skeleton, legs: list[list[int]]) -> np.ndarray:
    """(3,) direction in which both feet point, as far as they show it."""
    total = np.zeros(3)
    for line in legs:
        foot = line[min(long_bones(skeleton, line) + 2, len(line) - 1)]
        total += skeleton.tails[foot] - skeleton.heads[foot]
    return total
