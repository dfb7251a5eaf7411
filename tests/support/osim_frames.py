"""What OpenSim's own program says, as arrays with z up. Needs the package `opensim` where it is called."""

import numpy as np

from mannequin.interchange.common.axes import Z_UP_FROM_Y_UP as C


def array(v) -> np.ndarray:
    """(3,) of a Vec3."""
    return np.array([v.get(i) for i in range(3)])


def their_pose(body, state) -> np.ndarray:
    """(4, 4) pose of an OpenSim frame in the ground, turned to z up."""
    where = body.getTransformInGround(state)
    result = np.eye(4)
    result[:3, :3] = C @ np.array([[where.R().get(i, j) for j in range(3)] for i in range(3)]) @ C.T
    result[:3, 3] = C @ array(where.p())
    return result
