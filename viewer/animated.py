"""What of a run is animated and not simulated: motion that its author gave as a table."""

from typing import Any

import numpy as np

from ..engine.runs.recording import Recording
from ..engine.spec import Actor, Scenario
from ..engine.spec.names import part_label
from ..engine.spec.scenario import PrescribedMotion


def animated_parts(scenario: Scenario, recording: Recording) -> list[dict[str, Any]]:
    """Each: from when to when (s) a thing follows a table, and which thing."""
    first, last = float(recording.times[0]), float(recording.times[-1])
    found = [
        (obstacle.motion[0][0], obstacle.motion[-1][0], f"obstacle {obstacle.name}")
        for obstacle in scenario.obstacles
        if obstacle.motion
    ]
    for actor in scenario.actors:
        for motion in actor.prescribed:
            what = actor.name if motion.joint is None else part_label(actor.name, motion.joint)
            found.append((first, _release(recording, actor, motion), what))
    ranges = [(max(first, float(start)), min(last, float(end)), what) for start, end, what in found]
    return [{"from": start, "to": end, "what": what} for start, end, what in ranges if end >= start]


def _release(recording: Recording, actor: Actor, motion: PrescribedMotion) -> float:
    """When a prescribed motion lets go; infinite where it never does."""
    times = [np.inf if motion.release_time is None else motion.release_time]
    if motion.release_at_contact:
        touches = recording.contacts
        own = np.append(recording.body_actor == recording.actor_names.index(actor.name), False)
        times += touches["start"][own[touches["body_a"]] | own[touches["body_b"]]].tolist()
    return float(min(times))
