"""Where the force curve of a pair of surfaces ends: beyond it the force is a guess, not data."""

import numpy as np

from ..maths.hysteresis import POINT_DEPTH
from .arrays import OBSTACLE_MATERIAL, OWNER_CRUSH, OWNER_MATERIAL, ContactSurfaces
from .table import CURVE, CURVE_END, KIND


def curve_ends(surfaces: ContactSurfaces, events: np.ndarray) -> np.ndarray:
    """(c,) penetration (m) at which the curve of the two surfaces of each CONTACT_EVENT ends; infinite for a power
    law."""
    table, ends = surfaces.materials, np.full(len(events), np.inf)
    for number, event in enumerate(events):
        first = surfaces.owner[event["ellipsoid_a"], OWNER_MATERIAL]
        if event["obstacle_b"] >= 0:
            second = surfaces.obstacle[event["obstacle_b"], OBSTACLE_MATERIAL]
        else:
            is_strip = surfaces.owner[event["ellipsoid_a"], OWNER_CRUSH] == 1
            second = surfaces.owner[event["ellipsoid_b"], OWNER_CRUSH if is_strip else OWNER_MATERIAL]
        law = table.ids[table.law_index[first, second]]
        if law[KIND] == CURVE:
            ends[number] = table.points[law[CURVE_END] - 1, POINT_DEPTH]
    return ends
