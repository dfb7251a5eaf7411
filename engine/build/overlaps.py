"""Bodies that overlap before anything has moved are subtracted, reported or refused, and never absorbed in silence."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..contact.arrays import COUNT, ELLIPSOID_A, ELLIPSOID_B, OBSTACLE, PENETRATION, WHICH, Touches
from ..contact.compile import EllipsoidEntry, all_obstacles
from ..spec import Scenario
from ..spec.names import part_path
from ..spec.validation import Issue, error

SMALLEST_REPORTED = 1e-4
"""m: overlaps below this are not worth a line."""


def _obstacle_remedy(depth: float, is_ground: bool) -> str:
    """What to do about an overlap with the ground or another obstacle."""
    move = f"Raise the actor by {depth:.4f} m" if is_ground else f"Move the actor away by {depth:.4f} m"
    return f"{move}, or set absorb_ground_overlap to have the overlap subtracted"


@dataclass
class Overlaps:
    """What was found at the start."""

    pairs: list[tuple[int, int, float]]
    """Ellipsoids of one actor, and their overlap in m."""
    offsets: dict[int, float]
    """Obstacle slot to the overlap that is subtracted."""
    notes: list[str]
    refused: list[Issue]


def settle_overlaps(scenario: Scenario, touches: Touches, ellipsoids: Sequence[EllipsoidEntry]) -> Overlaps:
    """Sort the overlaps at the start into those subtracted, those reported, and those refused.

    Overlaps within one actor are recorded and subtracted throughout the run. Overlaps with obstacles and between actors
    above `Settings.start_overlap_limit` are refused, the deepest of each actor named with the remedy; with
    `absorb_ground_overlap` those with obstacles are subtracted and reported.
    """
    settings = scenario.settings
    obstacles = all_obstacles(scenario)
    found = Overlaps([], {}, [], [])
    refused: dict[tuple, tuple[float, Issue]] = {}
    for j in range(int(touches.counter[COUNT])):
        slot, a, b, obstacle = (int(touches.who[j, i]) for i in (WHICH, ELLIPSOID_A, ELLIPSOID_B, OBSTACLE))
        depth = float(touches.contact[j, PENETRATION])
        label = _label(scenario, ellipsoids[a])
        if obstacle >= 0 and _is_tyre(scenario, ellipsoids[a]):
            continue  # a tyre stands on the road by its deflection
        if obstacle < 0 and ellipsoids[a].actor == ellipsoids[b].actor:
            found.pairs.append((min(a, b), max(a, b), depth))
            continue
        if obstacle >= 0:
            other, key = obstacles[obstacle].name, (ellipsoids[a].actor, "obstacle", obstacle)
            remedy = _obstacle_remedy(depth, settings.ground and obstacle == 0)
        else:
            other = _label(scenario, ellipsoids[b])
            key, remedy = (ellipsoids[a].actor, "actor", ellipsoids[b].actor), "Move the actors apart"
        overlap = f"overlaps {other} by {depth * 1000:.1f} mm at the start"
        if obstacle >= 0 and settings.absorb_ground_overlap:
            found.offsets[slot] = depth
            found.notes.append(f"{label} {overlap}; subtracted")
        elif depth > settings.start_overlap_limit:
            if depth > refused.get(key, (0.0, None))[0]:
                place = _place(scenario, ellipsoids[a])
                refused[key] = depth, error(place, f"it {overlap}", f"{remedy}, or raise start_overlap_limit")
        elif depth > SMALLEST_REPORTED:
            found.notes.append(f"preloaded: {label} {overlap}")
    found.refused = [issue for _, issue in refused.values()]
    found.pairs.sort()
    found.notes += _pair_notes(scenario, found.pairs, ellipsoids)
    return found


def _is_tyre(scenario: Scenario, ellipsoid: EllipsoidEntry) -> bool:
    wheels = scenario.actors[ellipsoid.actor].model.wheels
    return any(wheel.body == ellipsoid.body_name for wheel in wheels)


def _label(scenario: Scenario, ellipsoid: EllipsoidEntry) -> str:
    path = part_path(scenario.actors[ellipsoid.actor].name, ellipsoid.body_name)
    return f"{path} ({ellipsoid.name})"


def _place(scenario: Scenario, ellipsoid: EllipsoidEntry) -> str:
    actor = scenario.actors[ellipsoid.actor].name
    return f"actor '{actor}', body '{ellipsoid.body_name}', ellipsoid '{ellipsoid.name}'"


def _pair_notes(scenario: Scenario, pairs: list, ellipsoids: Sequence[EllipsoidEntry]) -> list[str]:
    """One line per recorded overlap within an actor."""
    return [
        f"self-contact: {_label(scenario, ellipsoids[a])} and {_label(scenario, ellipsoids[b])} "
        f"overlap by {depth * 1000:.1f} mm at the start; subtracted"
        for a, b, depth in pairs
        if depth > SMALLEST_REPORTED
    ]
