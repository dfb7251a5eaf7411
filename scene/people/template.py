"""The template of all people as the picture needs it: base body, faces by part, weights of the picture's bones, masks."""

from dataclasses import dataclass, field

import numpy as np

PARTS = ("body", "eyes", "tights", "skirt", "lashes", "teeth", "tongue", "hair")
"""Parts of the template's surface: the body itself, and surfaces about it that clothes are cut from."""


@dataclass(frozen=True, eq=False)
class Template:
    """What does not change from person to person."""

    base: np.ndarray
    """(n, 3) points of the base body, m: x forward, y left, z up"""
    faces: dict[str, np.ndarray]
    """Part to (f, 4) faces"""
    bones: tuple[str, ...]
    parents: tuple[int, ...]
    """Number of each bone's parent; -1: none"""
    ends: np.ndarray
    """(bones, 2, 2) points whose mean is the head, and those whose mean is the tail"""
    weights: np.ndarray
    """(n, bones) hold of the bones on the points; rows sum to one, but for joint centres"""
    masks: dict[str, np.ndarray]
    """(n,) 0 to 1: how far a point is lips, nail, lid, ear, ..."""
    joints: dict[str, int]
    """Name of a joint centre to its point"""
    normals: dict[str, np.ndarray] = field(default_factory=dict)

    def joint(self, name: str) -> np.ndarray:
        """(3,) a joint centre of the base body, m."""
        return self.base[self.joints[name]]

    def hold(self, *stems: str) -> np.ndarray:
        """(n,) summed weight of the bones whose names begin so."""
        return self.weights[:, [i for i, name in enumerate(self.bones) if name.startswith(stems)]].sum(axis=1)

    def points_of(self, part: str) -> np.ndarray:
        """Numbers of the points of a part."""
        return np.unique(self.faces[part])
