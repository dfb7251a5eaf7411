"""Where people's hands are one second after they have landed, or as soon as they lie: nobody who lies holds a hand in
the air, while one who still tumbles over the road swings them, and an arm that was thrown up takes its time to sink.

A hand is *supported* where it or its forearm touches something. Its height is that of its centre of mass above the
highest place of the ground and the boxes under it or under its upper arm, as an arm that hangs over an edge is not held
up; other obstacles and vehicles count by touch only.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ...engine.maths.rotations import matrix_from_zyx
from ...engine.runs.recording import Recording
from ...engine.runs.simulation import run
from ...engine.spec import Obstacle, Scenario
from ...engine.spec.response_joints import TRUNK_BODIES

AFTER = 1.0
"""s after the landing."""
TUMBLING = 1.0
"""m/s: whose pelvis is faster does not lie yet. Chosen."""
HELD = 0.5
"""m/s: a hand that is faster is not held; an arm that sinks from upright moves at about 1 m/s. Chosen."""
HIGHEST = 0.3
"""m above what is under it that an unsupported hand may be."""
LANDING_FORCE = 50.0
"""N on trunk or head, as the response has it."""
HANDS = {"HandL": ("ForearmL", "UpperArmL"), "HandR": ("ForearmR", "UpperArmR")}
"""Hand to its forearm and upper arm."""
LONGEST = 4.0
"""s that a scenario is run on to see somebody lie."""


@dataclass(frozen=True)
class LandedHand:
    """A hand of somebody who has landed and lies, at least `AFTER` seconds later."""

    scenario: str
    actor: str
    hand: str
    landed: float
    """s"""
    height: float
    """m above the support"""
    touches: bool

    @property
    def hangs(self) -> bool:
        """Whether it is in the air with nothing to hold it."""
        return self.height > HIGHEST and not self.touches


def has_people(scenario: Scenario) -> bool:
    """Whether somebody with hands is not fastened to a rig and may land."""
    return scenario.settings.ground and any(_has_hands(actor.model) for actor in scenario.actors)


def _has_hands(model) -> bool:
    return {body.name for body in model.bodies} >= set(HANDS)


def landing_time(recording: Recording, actor: int) -> float | None:
    """When (s) trunk or head of an actor first lies on the ground or an obstacle; None: not in this run."""
    for event in recording.contacts:
        body = event["body_a"]
        if recording.body_actor[body] == actor and recording.body_names[body] in TRUNK_BODIES:
            if event["obstacle_b"] >= 0 and event["peak_force"] > LANDING_FORCE:
                return float(event["start"])
    return None


def support_height(obstacles: list[Obstacle], point: np.ndarray) -> float:
    """Highest place (m) of the ground and of boxes straight under a point."""
    return max([0.0, *(top for box in obstacles for top in _tops(box, point) if top <= point[2])])


def _tops(obstacle: Obstacle, point: np.ndarray) -> Iterator[float]:
    """Height at which the vertical through a point leaves a box, if it meets it."""
    if obstacle.shape != "box":
        return
    turn = matrix_from_zyx(obstacle.orientation)
    start = turn.T @ (np.array([point[0], point[1], 0.0]) - obstacle.position)
    way, half = turn.T @ (0.0, 0.0, 1.0), np.asarray(obstacle.half_size, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.sort(np.stack([(-half - start) / way, (half - start) / way]), axis=0)
    inside = np.abs(start) <= half
    flat = np.abs(way) < 1e-12
    if np.any(flat & ~inside):
        return
    enters, leaves = ends[0][~flat].max(), ends[1][~flat].min()
    if enters <= leaves:
        yield float(leaves)


def slow_frame(recording: Recording, actor: str, body: str, first: int, speed: float) -> int | None:
    """Output time, from `first` on, at which a body is slower than a speed (m/s) for the first time; None: not in this
    run."""
    speeds = np.linalg.norm(recording.velocity[first:, recording.body_index(actor, body)], axis=1)
    slow = np.flatnonzero(speeds < speed)
    return first + int(slow[0]) if len(slow) else None


def lying_frame(recording: Recording, actor: str, landed: float) -> int | None:
    """Output time at which an actor who landed at a time (s) lies for the first time; None: not in this run."""
    first = int(np.searchsorted(recording.times, landed + AFTER - 1e-9))
    return slow_frame(recording, actor, "pelvis", first, TUMBLING)


def landed_hands(scenario: Scenario, recording: Recording) -> list[LandedHand]:
    """Hands of everybody who landed at least `AFTER` seconds before the end of a run, and lies then; each as soon as it
    is slow, or at the end of the run."""
    found = []
    last = len(recording.times) - 1
    for a, actor in enumerate(scenario.actors):
        landed = landing_time(recording, a) if _has_hands(actor.model) else None
        lying = None if landed is None else lying_frame(recording, actor.name, landed)
        if lying is None:
            continue
        for hand, (forearm, upper) in HANDS.items():
            slow = slow_frame(recording, actor.name, hand, lying, HELD)
            frame = last if slow is None else slow
            place, shoulder = (
                recording.position[frame, recording.body_index(actor.name, body)] for body in (hand, upper)
            )
            held = any(
                _touches(recording, recording.body_index(actor.name, body), recording.times[frame])
                for body in (hand, forearm)
            )
            support = max(support_height(scenario.obstacles, point) for point in (place, shoulder))
            height = float(place[2]) - support
            found.append(LandedHand(scenario.name, actor.name, hand, landed, height, held))
    return found


def _touches(recording: Recording, body: int, time: float) -> bool:
    """Whether a body touches anything at a time (s)."""
    events = recording.contacts
    mine = (events["body_a"] == body) | (events["body_b"] == body)
    open_then = (events["start"] <= time) & ~(events["end"] < time)
    return bool(np.any(mine & open_then))


def run_on(scenario: Scenario) -> list[LandedHand]:
    """Run a scenario, longer than it is shipped where need be, and look at the hands of those who landed."""
    settings = replace(scenario.settings, duration=max(scenario.settings.duration, LONGEST), reactions=False)
    longer = replace(scenario, settings=settings, default_sensors=False)
    return landed_hands(longer, run(longer))
