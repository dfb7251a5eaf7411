"""The flat table the contact kernels read.

Few wide arrays instead of one per quantity: a compiled function pays for every array it is handed, at every call. With
25 arrays a contact cost ten times as much.
"""

from typing import NamedTuple

import numpy as np

KIND, CURVE_START, CURVE_END, FRICTION_LAW, FASTER = 0, 1, 2, 3, 4
"""Columns of `MaterialTable.ids`: POWER or CURVE; rows of `points` from start to end; index in `spec.FRICTION_LAWS`;
row with the curve of the next higher touch speed, or -1."""
POWER, CURVE = 0, 1
"""Kinds of elastic force: k x^n; piecewise-linear curve with hysteresis."""

STIFFNESS = 0
"""N/m^exponent (POWER)"""
EXPONENT = 1
DISSIPATION = 2
"""s/m"""
VISCOSITY = 3
"""N s/m"""
RESTITUTION = 4
"""Asked-for restitution of Lankarani-Nikravesh rows, else nan; for reports."""
RESTITUTION_GAIN = 5
AMPLIFICATION = 6
"""Three columns: C2 / C1, C3, C4. C1 is part of the elastic force."""
STATIC_FRICTION = 9
DYNAMIC_FRICTION = 10
VISCOUS_FRICTION = 11
"""s/m"""
FRICTION_VELOCITY = 12
"""m/s"""
BRISTLE_STIFFNESS = 13
"""N/m; zero: friction without stiction."""
BRISTLE_DAMPING = 14
"""N s/m: upper bound of the bristle's damper."""
DRILLING = 15
"""Torque against drilling over normal force and patch radius; zero: none."""
ROLLING = 16
"""The same against rolling, for a surface that gives no energy back."""
TOUCH_SPEED = 17
"""m/s at which the row's curve holds, where there are several (docs/derivations.md, Touch speed)."""
FRICTION_VISCOSITY = 18
"""N s/m"""
LAW_WIDTH = 19
"""Columns of `MaterialTable.laws`. Symbols: `normal_force` and `friction`."""


class MaterialTable(NamedTuple):
    """One row of `laws` and `ids` per pair of surfaces that can meet.

    A pair whose curve depends on the touch speed has further rows, which hold the curves of higher speeds only.
    """

    laws: np.ndarray
    """(r, LAW_WIDTH)"""
    ids: np.ndarray
    """(r, 5) int64"""
    points: np.ndarray
    """(p, 7): the curves of all rows one after the other."""
    law_index: np.ndarray
    """(m, m) int64, symmetric: row for two surface numbers; -1 where they cannot meet."""
