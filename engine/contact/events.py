"""The contact log and the contact history as `Recording` holds them."""

from __future__ import annotations

import numpy as np

from ..bodies.tree import Authored
from .arrays import (
    ACTIVE,
    EV_APPROACH,
    EV_END,
    EV_ENERGY,
    EV_FIRST_POINT,
    EV_IMPULSE,
    EV_NORMAL,
    EV_NORMAL_A,
    EV_PEAK_DEPTH,
    EV_PEAK_FORCE,
    EV_PEAK_TIME,
    EV_POINT,
    EV_POINT_A,
    EV_POINT_B,
    EV_SHARE,
    EV_SLIDING,
    EV_START,
    EVENTS,
    INSTANT_DEPTH,
    INSTANT_FORCE,
    INSTANT_NORMAL,
    INSTANT_POINT,
    INSTANT_PUSH,
    INSTANT_RATE,
    INSTANT_SLIDING,
    INSTANT_TIME,
    MARK_EVENT,
    OWNER_BODY,
    ContactSurfaces,
    Touches,
)

CONTACT_EVENT = np.dtype(
    [
        ("ellipsoid_a", "i4"),  # index into Recording.ellipsoid_names
        ("ellipsoid_b", "i4"),  # same; -1 where the other side is an obstacle
        ("obstacle_b", "i4"),  # index into Recording.obstacle_names; -1 where the other side is an ellipsoid
        ("body_a", "i4"),  # index into Recording.body_names
        ("body_b", "i4"),  # -1 for an obstacle
        ("start", "f8"),  # s, first touch
        ("end", "f8"),  # s, last touch; NaN while still touching at the end of the run
        ("peak_time", "f8"),
        ("peak_force", "f8"),  # N, size of the normal force
        ("peak_penetration", "f8"),  # m
        ("impulse", "f8", (3,)),  # N s on a
        ("energy", "f8"),  # J taken out of the bodies by this contact, friction included
        ("approach_speed", "f8"),  # m/s along the normal at first touch
        ("sliding_speed", "f8"),  # m/s in the tangent plane at first touch
        ("point_first", "f8", (3,)),  # world, at first touch
        ("point", "f8", (3,)),  # world, at the peak
        ("normal", "f8", (3,)),  # world, at the peak, from b into a
        ("point_a", "f8", (3,)),  # the peak's point in the authored frame of body a
        ("normal_a", "f8", (3,)),
        ("point_b", "f8", (3,)),  # in the authored frame of body b (of the obstacle)
        (
            "share",
            "f8",
        ),  # factor of the multi-contact mode on this contact's force, at the peak; 1: it has its own
    ]
)
"""One record per contact event: two surfaces from first touch to separation."""

CONTACT_INSTANT = np.dtype(
    [
        ("time", "f8"),
        ("ellipsoid_a", "i4"),  # as in CONTACT_EVENT
        ("ellipsoid_b", "i4"),
        ("obstacle_b", "i4"),
        ("body_a", "i4"),
        ("body_b", "i4"),
        ("point", "f8", (3,)),  # world, m
        ("normal", "f8", (3,)),  # world, from b into a
        ("force", "f8", (3,)),  # N on a, friction included
        ("normal_force", "f8"),  # N
        ("penetration", "f8"),  # m, less the overlap at the start where that is subtracted
        ("penetration_rate", "f8"),  # m/s
        ("sliding_speed", "f8"),  # m/s in the tangent plane
    ]
)
"""One record per contact and output time."""

SCALARS = {
    "start": EV_START,
    "end": EV_END,
    "peak_time": EV_PEAK_TIME,
    "peak_force": EV_PEAK_FORCE,
    "peak_penetration": EV_PEAK_DEPTH,
    "energy": EV_ENERGY,
    "approach_speed": EV_APPROACH,
    "sliding_speed": EV_SLIDING,
    "share": EV_SHARE,
}
WORLD_VECTORS = {"impulse": EV_IMPULSE, "point_first": EV_FIRST_POINT, "point": EV_POINT, "normal": EV_NORMAL}
INSTANT_SCALARS = {
    "time": INSTANT_TIME,
    "normal_force": INSTANT_PUSH,
    "penetration": INSTANT_DEPTH,
    "penetration_rate": INSTANT_RATE,
    "sliding_speed": INSTANT_SLIDING,
}
INSTANT_VECTORS = {"point": INSTANT_POINT, "normal": INSTANT_NORMAL, "force": INSTANT_FORCE}


def in_authored_frame(
    authored: Authored, bodies: np.ndarray, vectors: np.ndarray, is_point: bool
) -> np.ndarray:
    """(c, 3) moving-frame vectors or points in the authored frames of the bodies (c,)."""
    rotation = authored.rotation[bodies].reshape(-1, 3, 3)
    if not is_point:
        return np.einsum("cji,cj->ci", rotation, vectors)
    local = np.einsum("cji,cj->ci", rotation, vectors - authored.com[bodies])
    return local + authored.com_local[bodies]


def enter_sides(records: np.ndarray, who: np.ndarray, owner: np.ndarray) -> None:
    """Fill the members that name the surfaces and bodies from (c, 3) ellipsoid a, ellipsoid b, obstacle."""
    records["ellipsoid_a"], records["ellipsoid_b"], records["obstacle_b"] = who.T
    records["body_a"] = owner[who[:, 0], OWNER_BODY]
    records["body_b"] = np.where(who[:, 1] >= 0, owner[who[:, 1], OWNER_BODY], -1)


def contact_instants(surfaces: ContactSurfaces, who: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """(c,) records of CONTACT_INSTANT from rows of the history that `frames.write_history` filled."""
    records = np.zeros(len(rows), dtype=CONTACT_INSTANT)
    if len(rows):
        enter_sides(records, who, surfaces.owner)
    for name, column in INSTANT_SCALARS.items():
        records[name] = rows[:, column]
    for name, column in INSTANT_VECTORS.items():
        records[name] = rows[:, column : column + 3]
    return records


def contact_events(surfaces: ContactSurfaces, c: Touches, authored: Authored) -> np.ndarray:
    """(c,) records of CONTACT_EVENT by start time; an event still open at the end has end NaN."""
    count = int(c.counter[EVENTS])
    who, rows = c.event_who[:count], c.event[:count]
    events = np.zeros(count, dtype=CONTACT_EVENT)
    if count == 0:
        return events
    enter_sides(events, who, surfaces.owner)
    for name, column in SCALARS.items():
        events[name] = rows[:, column]
    for name, column in WORLD_VECTORS.items():
        events[name] = rows[:, column : column + 3]
    body_a = events["body_a"]
    events["point_a"] = in_authored_frame(authored, body_a, rows[:, EV_POINT_A : EV_POINT_A + 3], True)
    events["normal_a"] = in_authored_frame(authored, body_a, rows[:, EV_NORMAL_A : EV_NORMAL_A + 3], False)
    point_b = rows[:, EV_POINT_B : EV_POINT_B + 3]
    on_body = who[:, 1] >= 0
    events["point_b"] = point_b
    events["point_b"][on_body] = in_authored_frame(
        authored, events["body_b"][on_body], point_b[on_body], True
    )
    open_events = c.mark[c.active[: int(c.counter[ACTIVE])], MARK_EVENT]
    events["end"][open_events] = np.nan
    return events[np.argsort(events["start"], kind="stable")]
