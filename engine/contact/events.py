"""The contact log and the contact history as `Recording` holds them."""

import numpy as np

from ..bodies.tree import Authored
from .arrays import (
    ACTIVE,
    EV_NORMAL_A,
    EV_POINT_A,
    EV_POINT_B,
    EVENTS,
    INSTANT_TIME,
    MARK_EVENT,
    OWNER_BODY,
    ContactSurfaces,
    Touches,
)
from .event_members import CONTACT_EVENT, CONTACT_INSTANT, EVENT_COLUMN, INSTANT_COLUMN, fill


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
    records["time"] = rows[:, INSTANT_TIME]
    fill(records, rows, INSTANT_COLUMN)
    return records


def contact_events(surfaces: ContactSurfaces, c: Touches, authored: Authored) -> np.ndarray:
    """(c,) records of CONTACT_EVENT by start time; an event still open at the end has end NaN."""
    count = int(c.counter[EVENTS])
    who, rows = c.event_who[:count], c.event[:count]
    events = np.zeros(count, dtype=CONTACT_EVENT)
    if count == 0:
        return events
    enter_sides(events, who, surfaces.owner)
    fill(events, rows, EVENT_COLUMN)
    body_a = events["body_a"]
    events["point_a"] = in_authored_frame(authored, body_a, rows[:, EV_POINT_A : EV_POINT_A + 3], True)
    events["normal_a"] = in_authored_frame(authored, body_a, rows[:, EV_NORMAL_A : EV_NORMAL_A + 3], False)
    on_body = who[:, 1] >= 0
    events["point_b"][on_body] = in_authored_frame(
        authored, events["body_b"][on_body], rows[on_body, EV_POINT_B : EV_POINT_B + 3], True
    )
    open_events = c.mark[c.active[: int(c.counter[ACTIVE])], MARK_EVENT]
    events["end"][open_events] = np.nan
    return events[np.argsort(events["start"], kind="stable")]
