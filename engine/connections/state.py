"""The state connections start from: rest lengths and orientations that are not given are measured."""

from math import nan

import numpy as np

from ..bodies.workspace import Workspace
from .arrays import Connections, ConnectionState

SHORTEST_SPAN = 1e-9
"""m: least length of band between two clamped points of a belt."""


def new_connection_state(cn: Connections, w: Workspace) -> ConnectionState:
    """State at the start, from the kinematics in the workspace."""
    count, points = len(cn.break_force), len(cn.point_body)
    frames = w.rotation[cn.point_body].reshape(-1, 3, 3)
    place = point_places(cn, w)
    return ConnectionState(
        spring_rest=_spring_rest(cn, place),
        span_rest=_span_rest(cn, place),
        weld_start=_weld_start(cn, frames),
        load_body=cn.point_body,
        load_point=place,
        load_velocity=np.zeros((points, 3)),
        load_force=np.zeros((points, 3)),
        load_torque=np.zeros((points, 3)),
        force=np.zeros(count),
        gap=np.zeros(count),
        parted=np.zeros(count, dtype=np.int64),
        parted_time=np.full(count, nan),
        taken=np.zeros((count, 5)),
    )


def point_places(cn: Connections, w: Workspace) -> np.ndarray:
    """(p, 3) world positions of the points of all connections, m."""
    frames = w.rotation[cn.point_body].reshape(-1, 3, 3)
    return w.position[cn.point_body] + np.einsum("pij,pj->pi", frames, cn.point_local)


def _spring_rest(cn: Connections, place: np.ndarray) -> np.ndarray:
    """(s,) given rest lengths, or the distances at the start."""
    a, b = cn.springs.points.T
    given = cn.springs.gains[:, 2]
    return np.where(np.isnan(given), np.linalg.norm(place[b] - place[a], axis=1), given)


def span_lengths(cn: Connections, place: np.ndarray) -> np.ndarray:
    """(n,) m along the spans of all belts, with the (p, 3) connection points at their places in the world."""
    belts = cn.belts
    return np.array(
        [
            np.linalg.norm(np.diff(place[belts.points[a:b]], axis=0), axis=1).sum()
            for a, b in zip(belts.first[:-1], belts.first[1:], strict=True)
        ]
    ).reshape(-1)


def belts_without_length(cn: Connections, place: np.ndarray) -> list[int]:
    """Belts that have no band between two of their clamped points."""
    short = span_lengths(cn, place) <= SHORTEST_SPAN
    spans = zip(cn.belts.spans[:-1], cn.belts.spans[1:], strict=True)
    return [belt for belt, (first, last) in enumerate(spans) if short[first:last].any()]


def _span_rest(cn: Connections, place: np.ndarray) -> np.ndarray:
    """(n,) lengths of the spans at the start, the belt's slack shared between them in proportion."""
    belts, lengths = cn.belts, span_lengths(cn, place)
    for belt, (first, last) in enumerate(zip(belts.spans[:-1], belts.spans[1:], strict=True)):
        own = lengths[first:last]
        own *= 1.0 + belts.gains[belt, 2] / max(own.sum(), SHORTEST_SPAN)
    return lengths


def _weld_start(cn: Connections, frames: np.ndarray) -> np.ndarray:
    """(w, 9) second body's orientation in the first one's frame."""
    a, b = cn.welds.points.T
    return np.ascontiguousarray(np.einsum("wji,wjk->wik", frames[a], frames[b]).reshape(-1, 9))
