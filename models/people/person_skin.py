"""A solved shape as a skin that can be cut: the closed body with the weights and joints that the cut needs."""

from functools import lru_cache

import numpy as np

from .base_mesh import BaseMesh
from .cutting import Skin
from .shape import Shape

ARM = ("upperarm", "lowerarm", "hand", "thumb", "index", "middle", "ring", "pinky")


@lru_cache(maxsize=1)
def cut_weights(mesh: BaseMesh) -> np.ndarray:
    """(body, 2) share of each vertex that moves with neck and head, and with the left arm."""
    rig, body = mesh.rig("game_engine"), mesh.rows["body"]
    arm = {bone for bone in rig.bones if bone.startswith(ARM) and bone.endswith("_l")}
    return np.stack([rig.weights_of({"head", "neck_01"})[body], rig.weights_of(arm)[body]], axis=1)


def skin_of(shape: Shape) -> Skin:
    """The skin of a shape, in the mesh's own pose."""
    return Skin(
        shape.body,
        shape.mesh.triangles,
        cut_weights(shape.mesh),
        {name: shape.vertices[row] for name, row in shape.mesh.point.items()},
        shape.height,
        shape.person.sex,
    )
