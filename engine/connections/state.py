"""The state connections start from."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np

from ..errors import EngineError
from ..workspace import Workspace
from .arrays import Connections, ConnectionState
from .forces import measure_start


def new_connection_state(cn: Connections, w: Workspace, names: Sequence[str] = ()) -> ConnectionState:
    """State at the start, from the kinematics in the workspace: rest lengths and orientations that are not given.

    names: one per connection, for messages.
    """
    spans, count = len(cn.span_first) - 1, len(cn.break_force)
    state = ConnectionState(
        spring_rest=np.zeros(len(cn.spring_points)),
        span_rest=np.zeros(spans),
        weld_start=np.zeros((len(cn.weld_points), 9)),
        load_body=cn.point_body,
        load_force=np.zeros((len(cn.point_body), 3)),
        load_torque=np.zeros((len(cn.point_body), 3)),
        load_point=np.zeros((len(cn.point_body), 3)),
        force=np.zeros(count),
        gap=np.zeros(count),
        largest_force=np.zeros(count),
        largest_force_time=np.zeros(count),
        largest_gap=np.zeros(count),
        parted=np.zeros(count, dtype=np.int64),
        parted_time=np.full(count, nan),
    )
    measure_start(cn, state, w)
    for belt in range(len(cn.belt_gains)):
        first, last = cn.belt_spans[belt : belt + 2]
        if (state.span_rest[first:last] <= 1e-9).any():
            index = len(cn.spring_points) + belt
            name = names[index] if index < len(names) else f"number {belt + 1}"
            raise EngineError(
                f"belt '{name}': no band between two clamped points; move the points apart or add slack"
            )
    return state
