"""Breadth of the shoulders: the data's are narrow, so arms and the outer ends of the clavicles are moved outward."""

from functools import lru_cache

import numpy as np

from .base_mesh import BaseMesh
from .growth import between

ANSUR = "ANSUR II (Gordon et al. 2014), quoted from general knowledge, medium confidence"
BIDELTOID = {"female": 0.450, "male": 0.510}
"""m across the deltoids of hanging arms: means of soldiers of 1.628 m and 67.8 kg, 1.756 m and 85.5 kg (ANSUR)."""
IN_DATA = {"female": 0.401, "male": 0.452}
"""m of the data's woman and man of these heights and masses, without a correction."""
STATURE = {"female": 1.628, "male": 1.756}
AGES = (6.0, 18.0)
"""Years between which the correction grows from nothing: the data's boy of six has 28 cm, as is usual (assumed)."""
ARM = ("upperarm", "lowerarm", "hand", "thumb", "index", "middle", "ring", "pinky")
POINTS = ("shoulder", "elbow", "hand", "finger")


def widening(sex: float, age: float) -> float:
    """By how much each shoulder is moved outward, share of stature."""
    missing = {name: 0.5 * (BIDELTOID[name] - IN_DATA[name]) / STATURE[name] for name in STATURE}
    return float(between(sex, missing)) * float(np.interp(age, AGES, (0.0, 1.0)))


@lru_cache(maxsize=1)
def outward(mesh: BaseMesh) -> np.ndarray:
    """(rows,) how much of it each row of the mesh is moved along the data's x, which points to the left: 1 for the left
    arm, -1 for the right, between both along the clavicles, with the rig's weights."""
    way = np.zeros(len(mesh.base), np.float32)
    for side, sign in (("l", 1.0), ("r", -1.0)):
        way[: mesh.vertex_count] += sign * _of_side(mesh, side)
        for name, row in mesh.point.items():
            if name.startswith(tuple(f"{side}-{point}" for point in POINTS)):
                way[row] = sign
    return (way - way[mesh.mirror]) / np.float32(2.0)


def _of_side(mesh: BaseMesh, side: str) -> np.ndarray:
    """(vertices,) 0 to 1: weight of the arm's bones, and of the clavicle's by the way along it."""
    rig = mesh.rig("game_engine")
    arm = {bone for bone in rig.bones if bone.startswith(ARM) and bone.endswith(f"_{side}")}
    inner, outer = (mesh.base[mesh.point[f"{side}-{name}"], 0] for name in ("clavicle", "shoulder"))
    along = np.clip((mesh.base[: mesh.vertex_count, 0] - inner) / (outer - inner), 0.0, 1.0)
    return rig.weights_of(arm) + along**2 * (3.0 - 2.0 * along) * rig.weights_of({f"clavicle_{side}"})
