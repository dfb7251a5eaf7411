"""A skeleton as plain arrays, and the bodies of people that its bones may stand for."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

LIMBS = ("Clavicle", "UpperArm", "Forearm", "Hand", "Thigh", "Shank", "Foot")
TRUNK = ("pelvis", "LowerBack", "UpperBack", "Neck", "head")
BODIES = (*TRUNK, *(f"{limb}{side}" for side in "LR" for limb in LIMBS))
"""Bodies of the library's people that a bone may stand for, in the order of lists."""
NEEDED = (
    "pelvis",
    "UpperBack",
    *(f"{limb}{side}" for side in "LR" for limb in ("UpperArm", "Forearm", "Thigh", "Shank")),
)
"""Bodies without which a motion cannot be carried over."""

BoneMap = dict[str, str]
"""Body to the bone that stands for it; bodies without one are left out."""


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Bones at rest, parents before children; lengths in any unit."""

    names: tuple[str, ...]
    parents: tuple[int, ...]
    """Number of each bone's parent; -1: none"""
    heads: np.ndarray
    """(n, 3)"""
    tails: np.ndarray
    """(n, 3)"""

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Number of each bone by name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Numbers of the children of each bone."""
        found: list[list[int]] = [[] for _ in self.names]
        for number, parent in enumerate(self.parents):
            if parent >= 0:
                found[parent].append(number)
        return tuple(map(tuple, found))

    def head(self, name: str) -> np.ndarray:
        """(3,) where a bone begins."""
        return self.heads[self.numbers[name]]

    def upward(self, number: int) -> list[int]:
        """A bone and all above it, up to a root."""
        line = []
        while number >= 0:
            line.append(number)
            number = self.parents[number]
        return line

    def path(self, upper: str, lower: str) -> list[str]:
        """Bones from one down to another that is below it, both included; only these two where it is not."""
        line = [self.names[number] for number in self.upward(self.numbers[lower])]
        return line[: line.index(upper) + 1][::-1] if upper in line else [upper, lower]

    def common(self, first: int, second: int) -> int:
        """The lowest bone above two others; -1 where there is none."""
        above = set(self.upward(first))
        return next((number for number in self.upward(second) if number in above), -1)


def missing_bodies(found: BoneMap) -> list[str]:
    """Needed bodies without a bone."""
    return [body for body in NEEDED if not found.get(body)]
