"""The start of a run: bodies that overlap before anything has moved are found, and never absorbed in silence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .contact.arrays import (
    ALLOWED,
    COUNT,
    ELLIPSOID_A,
    ELLIPSOID_B,
    OBSTACLE,
    OBSTACLE_TABLE,
    OVERFLOW,
    PENETRATION,
    POSE_POSITION,
    POSE_ROTATION,
    SLOT_OFFSET,
    TRAVELLED,
    WHICH,
    ContactSurfaces,
    Touches,
    new_touches,
)
from .contact.build import EllipsoidEntry
from .errors import EngineError
from .frames import new_frames
from .integrators.workspace import new_step_work
from .jit import bundled
from .rotations import matrix_from_quaternion
from .spec import Scenario
from .stepping import IS_PROBE, PROBED, TABLEAU, advance
from .workspace import Workspace, new_workspace

if TYPE_CHECKING:
    from .state import State
    from .system import Kernel

SMALLEST_REPORTED = 1e-4
"""m: overlaps below this are not worth a line."""


def new_contact_state(surfaces: ContactSurfaces, bodies: int) -> Touches:
    """Contact state with all obstacles where they are at the start."""
    count = len(surfaces.owner)
    touches = new_touches(
        surfaces, bodies, near=256 + 8 * count, contacts=64 + 4 * count, events=1024 + 16 * count
    )
    for b, pose in enumerate(touches.pose):
        row = surfaces.table[surfaces.obstacle[b, OBSTACLE_TABLE]]
        pose[POSE_ROTATION : POSE_ROTATION + 9] = matrix_from_quaternion(row[4:8]).ravel()
        pose[POSE_POSITION : POSE_POSITION + 3] = row[1:4]
    return touches


def grown_touches(surfaces: ContactSurfaces, old: Touches) -> Touches:
    """The same contact state with twice the room for pairs, contacts and events."""
    new = new_touches(
        surfaces,
        len(old.host_sum) - 1,
        near=2 * len(old.near_pair),
        contacts=2 * len(old.who),
        events=2 * len(old.event),
    )
    for name, array in old._asdict().items():
        if name != "space":  # scratch of the broad phase
            getattr(new, name)[: len(array)] = array
    new.counter[OVERFLOW] = 0
    # pair slots stand after the obstacle slots, which do not grow, so every slot keeps its place
    new.reserve[TRAVELLED] = new.reserve[ALLOWED] + 1.0
    return new


def evaluated(kernel: Kernel, state: State) -> tuple[State, Workspace]:
    """The state (with room for all its contacts) and the workspace after one evaluation of it; nothing moves.

    By the compiled loop itself: a second entry would cost its compile time.
    """
    w = new_workspace(kernel.tree, len(kernel.pulses.body))
    tableau = next(iter(TABLEAU.values()))
    x = new_step_work(len(kernel.tree.mass), len(state.q), len(state.u), False, tableau)
    frames = new_frames(len(kernel.authored.mass), 1, False)
    state.clock[IS_PROBE] = 1
    while True:
        status, _ = advance(*map(bundled, (kernel, state, w, x, frames)))
        if status == PROBED and state.contact.counter[OVERFLOW] == 0:
            return state, w
        state = state._replace(contact=grown_touches(kernel.surfaces, state.contact))


def find_touches(kernel: Kernel, state: State) -> Touches:
    """Contacts in the pose of a state."""
    return evaluated(kernel, state)[0].contact


def _obstacle_remedy(depth: float, is_ground: bool) -> str:
    """What to do about an overlap with the ground or another obstacle."""
    move = f"raise the actor by {depth:.4f} m" if is_ground else f"move the actor away by {depth:.4f} m"
    return f"{move}, or set absorb_ground_overlap to have the overlap subtracted"


@dataclass
class Overlaps:
    """What was found at the start."""

    pairs: list[tuple[int, int, float]]
    """Ellipsoids of one actor, and their overlap in m."""
    offsets: dict[int, float]
    """Obstacle slot to the overlap that is subtracted."""
    notes: list[str]


def settle_overlaps(
    scenario: Scenario,
    touches: Touches,
    ellipsoids: Sequence[EllipsoidEntry],
    body_labels: Sequence[str],
    obstacle_names: Sequence[str],
) -> Overlaps:
    """Sort the overlaps at the start into those subtracted, those reported, and those refused (EngineError).

    Overlaps within one actor are recorded and subtracted throughout the run. Overlaps with obstacles and between actors
    above `Settings.start_overlap_limit` are refused, the deepest of each actor named with the remedy; with
    `absorb_ground_overlap` those with obstacles are subtracted and reported.
    """
    settings = scenario.settings
    found = Overlaps([], {}, [])
    refused: dict[tuple, tuple[float, str]] = {}
    for j in range(int(touches.counter[COUNT])):
        slot, a, b, obstacle = (int(touches.who[j, i]) for i in (WHICH, ELLIPSOID_A, ELLIPSOID_B, OBSTACLE))
        depth = float(touches.contact[j, PENETRATION])
        label = f"{body_labels[ellipsoids[a].body]} ({ellipsoids[a].name})"
        if obstacle < 0 and ellipsoids[a].actor == ellipsoids[b].actor:
            found.pairs.append((min(a, b), max(a, b), depth))
            continue
        if obstacle >= 0:
            other, key = obstacle_names[obstacle], (ellipsoids[a].actor, "obstacle", obstacle)
            remedy = _obstacle_remedy(depth, settings.ground and obstacle == 0)
        else:
            other = f"{body_labels[ellipsoids[b].body]} ({ellipsoids[b].name})"
            key, remedy = (ellipsoids[a].actor, "actor", ellipsoids[b].actor), "move the actors apart"
        message = f"{label} overlaps {other} by {depth * 1000:.1f} mm at the start"
        if obstacle >= 0 and settings.absorb_ground_overlap:
            found.offsets[slot] = depth
            found.notes.append(f"{message}; subtracted")
        elif depth > settings.start_overlap_limit:
            if depth > refused.get(key, (0.0, ""))[0]:
                refused[key] = (depth, f"{message}: {remedy}")
        elif depth > SMALLEST_REPORTED:
            found.notes.append(f"preloaded: {message}")
    if refused:
        lines = "; ".join(message for _, message in refused.values())
        raise EngineError(f"{lines}. A preloaded start is possible with a larger start_overlap_limit.")
    found.pairs.sort()
    found.notes += _pair_notes(found.pairs, ellipsoids, body_labels)
    return found


def _pair_notes(pairs: list, ellipsoids: Sequence[EllipsoidEntry], body_labels: Sequence[str]) -> list[str]:
    """One line per recorded overlap within an actor."""
    return [
        f"self-contact: {body_labels[ellipsoids[a].body]} ({ellipsoids[a].name}) and {body_labels[ellipsoids[b].body]} "
        f"({ellipsoids[b].name}) overlap by {depth * 1000:.1f} mm at the start; subtracted"
        for a, b, depth in pairs
        if depth > SMALLEST_REPORTED
    ]


def enter_offsets(touches: Touches, offsets: dict[int, float]) -> None:
    """Write the obstacle overlaps that are subtracted into a new contact state."""
    for slot, depth in offsets.items():
        touches.slot[slot, SLOT_OFFSET] = depth
