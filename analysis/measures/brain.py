"""BrIC, the brain injury criterion from head rotation (Takhounts et al. 2013).

BrIC = sqrt( sum over the axes of (max |w_i| / w_iC)^2 ), w_i the angular velocity about the head axes. The peaks of the
three axes need not fall together. Critical values in rad/s; "average" is the one in general use.
"""

import numpy as np

CRITICAL = {
    "average": (66.25, 56.45, 42.87),
    "CSDM": (66.20, 59.10, 44.25),
    "MPS": (66.30, 53.80, 41.50),
}


def bric(angular_velocity: np.ndarray, critical: tuple[float, float, float] = CRITICAL["average"]) -> float:
    """BrIC of (F, 3) angular velocities in rad/s in head axes (x forward, y lateral, z along the neck)."""
    peaks = np.max(np.abs(angular_velocity), axis=0)
    return float(np.sqrt(np.sum((peaks / np.asarray(critical)) ** 2)))
