"""Every problem of a model or a scenario, at once: what `compile_system` refuses, in the same words."""

from dataclasses import dataclass

import numpy as np

from ..bodies.kinematics import forward_kinematics
from ..bodies.workspace import Workspace, new_workspace
from ..connections.state import point_places
from ..contact.arrays import COUNT, ELLIPSOID_A, NORMAL, OBSTACLE, OVERFLOW, PENETRATION, Touches
from ..contact.compile import EllipsoidEntry, all_obstacles
from ..contact.detect import find_contacts
from ..contact.near import prepare_contacts
from ..contact.obstacles import place_obstacles
from ..contact.state import grown_touches, new_contact_state
from ..jit.decorators import interpreted
from ..spec import Model, Obstacle, Scenario
from ..spec.sharing import Once, each_time
from ..spec.validation import Issue, Refused, spec_issues
from .overlaps import settle_overlaps
from .placed import Placed, belt_issues, place


def validate(spec: Model | Scenario, once: Once = each_time) -> list[Issue]:
    """Every problem of a model or a scenario (its models included), errors first.

    A scenario without an error compiles; one with an error is refused by `compile_system` with just these errors.
    """
    issues = spec_issues(spec, once)
    if isinstance(spec, Scenario) and not any(issue.severity == "error" for issue in issues):
        return [*start_issues(spec, once), *issues]
    return issues


def start_issues(scenario: Scenario, once: Once) -> list[Issue]:
    """What is wrong with a scenario, right as it is written, when all stands at its start.

    Interpreted, to the same numbers as compiled code: nobody waits for the compiler to learn what is wrong.
    """
    try:
        placed = place(scenario, once)
    except Refused as refused:
        return refused.issues
    w = new_workspace(placed.tree)
    touches = _touches(placed, w)
    belts = belt_issues(placed, point_places(placed.connections, w))
    return belts or settle_overlaps(scenario, touches, placed.ellipsoids).refused


@dataclass(frozen=True)
class StartOverlap:
    """A surface of an actor that lies in an obstacle before anything has moved."""

    entry: EllipsoidEntry
    obstacle: Obstacle
    depth: float
    """m"""
    normal: tuple[float, float, float]
    """World direction out of the obstacle."""


def start_overlaps(scenario: Scenario) -> list[StartOverlap]:
    """Overlaps with obstacles (the ground included) at the start of a scenario that is right as it is written."""
    placed = place(scenario, each_time)
    touches = _touches(placed, new_workspace(placed.tree))
    obstacles = all_obstacles(scenario)
    found = []
    for j in range(int(touches.counter[COUNT])):
        ellipsoid, obstacle = int(touches.who[j, ELLIPSOID_A]), int(touches.who[j, OBSTACLE])
        if obstacle >= 0:
            row = touches.contact[j]
            normal = tuple(float(value) for value in row[NORMAL : NORMAL + 3])
            found.append(
                StartOverlap(
                    placed.ellipsoids[ellipsoid], obstacles[obstacle], float(row[PENETRATION]), normal
                )
            )
    return found


def _touches(placed: Placed, w: Workspace) -> Touches:
    """Contacts at the start, as the first evaluation of the loop finds them (see `step.loop.advance`)."""
    surfaces, tree, q, u = placed.surfaces, placed.tree, placed.q, placed.u
    c = new_contact_state(surfaces, len(tree.mass))
    with np.errstate(all="ignore"):
        while True:
            if interpreted(prepare_contacts)(surfaces, c, tree, w, q, u, 0.0, 4.0 * placed.longest_step):
                interpreted(forward_kinematics)(tree, q, u, w)
                interpreted(place_obstacles)(surfaces, c, w, 0.0)
                interpreted(find_contacts)(surfaces, c, w)
                if c.counter[OVERFLOW] == 0:
                    return c
            c = grown_touches(surfaces, c)
