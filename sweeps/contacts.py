"""The small language of contacts: which contacts of a run are meant, and what is taken from them."""

import numpy as np

from ..engine.runs.recording import Recording
from ..io_json.errors import FileError
from ..io_json.nodes import nearest_hint
from .spec import CONTACT_TAKES, OF_SEVERAL, Touch

NAN = float("nan")


def surfaces(recording: Recording, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Which ellipsoids (E,) and obstacles (O,) a name means. Raises FileError where it means none.

    A name is "actor", "actor/body", "actor/body/ellipsoid", an obstacle's, or a body's or ellipsoid's in any actor;
    "actor/zone", where no body of the actor is called so, means the zone of its contact mesh.
    """
    wanted = [part.strip() for part in name.split("/")]
    bodies = np.asarray(recording.ellipsoid_body, dtype=int)
    paths = [
        (recording.actor_names[recording.body_actor[body]], recording.body_names[body], ellipsoid)
        for body, ellipsoid in zip(bodies, recording.ellipsoid_names, strict=True)
    ]
    if len(wanted) == 1:
        ellipsoids = np.array([wanted[0] in path for path in paths], dtype=bool)
    else:
        ellipsoids = np.array([list(path[: len(wanted)]) == wanted for path in paths], dtype=bool)
        if len(wanted) == 2 and not ellipsoids.any():
            ellipsoids = np.array([[path[0], path[2]] == wanted for path in paths], dtype=bool)
    obstacles = np.array([name == obstacle for obstacle in recording.obstacle_names], dtype=bool)
    if not ellipsoids.any() and not obstacles.any():
        known = {"/".join(path[:count]) for path in paths for count in (1, 2, 3)}
        known |= {path[1] for path in paths} | set(recording.obstacle_names)
        raise FileError(f"no surface is named {name!r}", remedy=nearest_hint(name, sorted(known)))
    return ellipsoids, obstacles


def _sides(recording: Recording, name: str) -> tuple[np.ndarray, np.ndarray]:
    """(C,) per contact event: whether side a, and whether side b, is meant by a name."""
    contacts = recording.contacts
    ellipsoids, obstacles = surfaces(recording, name)
    on_obstacle = contacts["obstacle_b"] >= 0
    second = np.zeros(len(contacts), dtype=bool)
    second[on_obstacle] = obstacles[contacts["obstacle_b"][on_obstacle]]
    second[~on_obstacle] = ellipsoids[contacts["ellipsoid_b"][~on_obstacle]]
    return ellipsoids[contacts["ellipsoid_a"]], second


def select(recording: Recording, touch: Touch) -> tuple[np.ndarray, np.ndarray]:
    """Indices of the contact events that are meant, by start, and whether the side `of` is side a of each."""
    contacts = recording.contacts
    of_a, of_b = _sides(recording, touch.of)
    on_a, on_b = _sides(recording, touch.on) if touch.on else (np.ones_like(of_a), np.ones_like(of_b))
    forward, backward = of_a & on_b, of_b & on_a
    until = np.inf if touch.until is None else touch.until
    counts = (contacts["peak_force"] >= touch.min_force) & (contacts["start"] >= touch.after)
    chosen = np.flatnonzero((forward | backward) & counts & (contacts["start"] <= until))
    return chosen, forward[chosen]


def first_touch(recording: Recording, touch: Touch) -> float:
    """Start (s) of the first contact meant; NaN where there was none."""
    chosen, _ = select(recording, touch)
    return float(recording.contacts["start"][chosen[0]]) if len(chosen) else NAN


def taken(recording: Recording, touch: Touch, take: str) -> float:
    """A number of the contacts meant; NaN where there was none (a count and an energy are 0 then)."""
    if take not in CONTACT_TAKES:
        raise FileError(f"{take!r} cannot be taken from contacts", remedy=nearest_hint(take, CONTACT_TAKES))
    chosen, _ = select(recording, touch)
    events = recording.contacts[chosen]
    if take == "count":
        return float(len(events))
    of_several = OF_SEVERAL.get(take)
    if of_several == "sum":
        return float(np.sum(events[take]))
    if not len(events):
        return NAN
    if of_several == "largest":
        return float(np.max(events[take]))
    if take.startswith("point_"):
        return float(events["point_first"][0]["xyz".index(take[-1])])
    return float(events[take][0])


def mark(recording: Recording, touch: Touch) -> tuple[str, tuple[float, float, float]]:
    """ "actor/body" and the point in that body's frame (m) of the first contact meant, at its peak; "" where none.

    An obstacle has no body: then the name is its own and the point is in its frame.
    """
    chosen, is_a = select(recording, touch)
    if not len(chosen):
        return "", (NAN, NAN, NAN)
    event = recording.contacts[chosen[0]]
    side = "a" if is_a[0] else "b"
    body = int(event[f"body_{side}"])
    point = tuple(float(part) for part in event[f"point_{side}"])
    if body < 0:
        return recording.obstacle_names[event["obstacle_b"]], point
    return f"{recording.actor_names[recording.body_actor[body]]}/{recording.body_names[body]}", point
