"""Times that no adaptive step passes: what acts begins, ends or changes its course there."""

import numpy as np

from ..step.arrays import SystemArrays

ON_TICK = 1e-6
"""Of a time step: how near to one a time counts as on it."""


def stop_ticks(arrays: SystemArrays) -> np.ndarray:
    """Time steps, counted from the start and in order, at or just around which a pulse begins or ends, a table has a
    row, or something is released; empty where steps do not adapt."""
    if arrays.params.most_ticks == 1:
        return np.zeros(0)
    ticks = _stop_times(arrays) / arrays.params.time_step
    ticks = ticks[np.isfinite(ticks) & (ticks > 0.0)]
    return np.unique(np.concatenate([np.floor(ticks + ON_TICK), np.ceil(ticks - ON_TICK)]))


def _stop_times(arrays: SystemArrays) -> np.ndarray:
    """s, in no order. Obstacles that do not move have a row of their own as well, at time 0."""
    joints, pulses, torques = arrays.joints, arrays.pulses, arrays.joints.pulses.rows
    return np.concatenate(
        [
            pulses.start,
            pulses.start + pulses.duration,
            torques[:, 3],
            torques[:, 3] + torques[:, 4],
            joints.motors.gain_time,
            joints.motors.target_time,
            arrays.prescribed.table[:, 0],
            arrays.prescribed.release_time,
            arrays.connections.welds.release,
            arrays.surfaces.table[:, 0],
        ]
    )
