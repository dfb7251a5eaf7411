"""The record of something that gave way."""

import numpy as np

BREAK_EVENT = np.dtype(
    [
        ("time", "f8"),  # s
        ("joint", "i4"),  # index into Recording.joint_names; -1 for a connection
        ("connection", "i4"),  # index into Recording.connection_names; -1 for a joint
        ("axis", "i4"),  # index into `spec.model.SPRING_AXES`; -1: by the size of the load
        ("load", "f8"),  # N m, or N along an axis and in a connection that did not break by its moment
        ("energy", "f8"),  # J taken up by then
        ("by", "i4"),  # BY_LOAD, BY_MOMENT or BY_ENERGY of `connections.arrays`: the bound that was passed
    ]
)
"""One record per joint axis or connection that gave way."""
