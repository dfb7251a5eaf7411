"""Where the centre of the hip joint lies to the side, from the length of the leg.

The base mesh has its hip joints where its rig bends well: 0.050 to 0.063 of stature from the middle, further out for
the lean than for the fat. Hara et al. (2016) measured 157 people, 37 of them children, in computed tomography: in the
axes of the pelvis the centre is 8 mm + 0.086 L from the middle and 9 mm + 0.078 L below the anterior superior iliac
spines, L being the length of the leg from such a spine to the inner ankle (errors of 4.4 and 3.8 mm; sex and age did
not help).

A mesh has no spines. L is taken along the leg: from the hip joint to the ankle joint, and what the spine lies above the
hip (assumed: the inner ankle is as low as the joint; the spine's way to the front and the side is worth 3 mm of L).
Height and depth of the joint stay the mesh's, which are near published heights.
"""

import numpy as np

HARA = "Hara et al., Predicting the location of the hip joint centres, Scientific Reports 6:37707, 2016"
ASIDE = (0.008, 0.086)
"""m and share of L: the centre from the middle."""
BELOW_SPINE = (0.009, 0.078)
"""m and share of L: the centre below the anterior superior iliac spines."""


def leg_length(hip_to_ankle: float) -> float:
    """L (m) of somebody with this much (m) between the centres of hip, knee and ankle: L = leg + 9 mm + 0.078 L."""
    return (hip_to_ankle + BELOW_SPINE[0]) / (1.0 - BELOW_SPINE[1])


def hip_aside(hip_to_ankle: float) -> float:
    """m from the middle of the body to the centre of a hip joint."""
    return ASIDE[0] + ASIDE[1] * leg_length(hip_to_ankle)


def with_hip(leg: np.ndarray, side: int, unit: float = 1.0) -> np.ndarray:
    """(3, 3) hip, knee and ankle with the hip's centre as far from the middle as it belongs. `side` is the axis across
    the body, `unit` what a metre is in the units of `leg`. The length of the leg changes with the hip by less than a
    millimetre, which is not followed."""
    length = float(np.linalg.norm(np.diff(leg, axis=0), axis=1).sum()) / unit
    out = leg.copy()
    out[0, side] = np.sign(leg[0, side]) * unit * hip_aside(length)
    return out
