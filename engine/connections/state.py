"""The state connections start from: rest lengths and orientations that are not given are measured."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np

from ..errors import EngineError
from ..workspace import Workspace
from .arrays import Connections, ConnectionState


def new_connection_state(cn: Connections, w: Workspace, names: Sequence[str] = ()) -> ConnectionState:
    """State at the start, from the kinematics in the workspace. names: one per connection, for messages."""
    count, points = len(cn.break_force), len(cn.point_body)
    frames = w.rotation[cn.point_body].reshape(-1, 3, 3)
    place = w.position[cn.point_body] + np.einsum("pij,pj->pi", frames, cn.point_local)
    return ConnectionState(
        spring_rest=_spring_rest(cn, place),
        span_rest=_span_rest(cn, place, names),
        weld_start=_weld_start(cn, frames),
        load_body=cn.point_body,
        load_point=place,
        load_velocity=np.zeros((points, 3)),
        load_force=np.zeros((points, 3)),
        load_torque=np.zeros((points, 3)),
        force=np.zeros(count),
        gap=np.zeros(count),
        largest_force=np.zeros(count),
        largest_force_time=np.zeros(count),
        largest_gap=np.zeros(count),
        parted=np.zeros(count, dtype=np.int64),
        parted_time=np.full(count, nan),
    )


def _spring_rest(cn: Connections, place: np.ndarray) -> np.ndarray:
    """(s,) given rest lengths, or the distances at the start."""
    a, b = cn.springs.points.T
    given = cn.springs.gains[:, 2]
    return np.where(np.isnan(given), np.linalg.norm(place[b] - place[a], axis=1), given)


def _span_rest(cn: Connections, place: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """(n,) lengths of the spans at the start, the belt's slack shared between them in proportion."""
    belts = cn.belts
    lengths = np.array(
        [
            np.linalg.norm(np.diff(place[belts.points[a:b]], axis=0), axis=1).sum()
            for a, b in zip(belts.first[:-1], belts.first[1:], strict=True)
        ]
    ).reshape(-1)
    for belt, (first, last) in enumerate(zip(belts.spans[:-1], belts.spans[1:], strict=True)):
        own = lengths[first:last]
        if (own <= 1e-9).any():
            index = len(cn.springs.points) + belt
            name = names[index] if index < len(names) else f"number {belt + 1}"
            raise EngineError(f"belt '{name}': no band between two clamped points; move the points apart")
        own *= 1.0 + belts.gains[belt, 2] / own.sum()
    return lengths


def _weld_start(cn: Connections, frames: np.ndarray) -> np.ndarray:
    """(w, 9) second body's orientation in the first one's frame."""
    a, b = cn.welds.points.T
    return np.ascontiguousarray(np.einsum("wji,wjk->wik", frames[a], frames[b]).reshape(-1, 9))
