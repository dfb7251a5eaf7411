"""The template of all people as the picture needs it: base body, faces by part, weights of the bones, masks."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PIL import Image

from ..base_mesh import FOLDER, BaseMesh, load

RIG = "default"
"""The rig of the data that has fingers, toes and face."""
MASKS = ("lips", "eyelids", "fingernails", "toenails", "ears", "inside-mouth")


@dataclass(frozen=True, eq=False)
class Template:
    """What does not change from person to person."""

    base: np.ndarray
    """(n, 3) points of the base body, m: x forward, y left, z up, soles at zero"""
    faces: dict[str, np.ndarray]
    """Part to (f, 4) faces"""
    bones: tuple[str, ...]
    parents: tuple[int, ...]
    """Number of each bone's parent; -1: none"""
    ends: np.ndarray
    """(bones, 2) points of head and tail"""
    rolls: np.ndarray
    weights: np.ndarray
    """(n, bones) hold of the bones on the points; rows sum to one, but for joint centres"""
    masks: dict[str, np.ndarray]
    """(n,) 0 to 1: how far a point is lip, lid, nail, ear, ..."""
    joints: dict[str, int]
    """Name of a joint centre to its point"""

    def joint(self, name: str) -> np.ndarray:
        """(3,) a joint centre of the base body, m."""
        return self.base[self.joints[name]]

    def hold(self, *stems: str) -> np.ndarray:
        """(n,) summed weight of the bones whose names begin so."""
        return self.weights[:, [i for i, name in enumerate(self.bones) if name.startswith(stems)]].sum(axis=1)

    def points_of(self, part: str) -> np.ndarray:
        """Numbers of the points of a part."""
        return np.unique(self.faces[part])


@lru_cache(maxsize=1)
def load_template() -> Template:
    """The template, read once. Raises `PeopleDataMissing`."""
    mesh = load()
    rig = mesh.rig(RIG)
    base = mesh.base[:, [2, 0, 1]].astype(float) / 10.0  # decimetres with y up, as the data is stored
    base[:, 2] -= base[mesh.rows["body"], 2].min()
    weights = np.zeros((len(base), len(rig.bones)), dtype=np.float32)
    np.put_along_axis(weights[: mesh.vertex_count], rig.weight_bone, rig.weight.astype(np.float32), axis=1)
    return Template(
        base,
        {part: mesh.part_faces(part) for part in mesh.rows},
        rig.bones,
        tuple(int(parent) for parent in rig.parents),
        np.stack([rig.head, rig.tail], axis=1),
        rig.roll,
        weights,
        {name: sampled_mask(mesh, name) for name in MASKS},
        mesh.point,
    )


def sampled_mask(mesh: BaseMesh, name: str) -> np.ndarray:
    """(rows,) brightness of a mask's picture where the body's vertices are on it, 0 to 1."""
    picture = np.asarray(Image.open(FOLDER / f"{name}.jpg").convert("L"), dtype=float) / 255.0
    rows, columns = picture.shape
    across, up = mesh.texture_corners("body").reshape(-1, 2).T
    found = picture[
        np.clip(((1.0 - up) * rows).astype(int), 0, rows - 1),
        np.clip((across * columns).astype(int), 0, columns - 1),
    ]
    values = np.zeros(len(mesh.base))
    values[mesh.part_faces("body").ravel()] = found
    return values
