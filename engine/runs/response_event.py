"""The record of a phase of somebody's response."""

import numpy as np

RESPONSE_EVENT = np.dtype(
    [
        ("time", "f8"),  # s
        ("actor", "i4"),  # index into Recording.actor_names
        ("phase", "i4"),  # index into `responses.arrays.PHASES`
    ]
)
"""One record per phase that began."""
