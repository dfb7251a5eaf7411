"""What happened in a run, in short sentences from the recording, each with the moment it is about."""

from dataclasses import dataclass

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Scenario
from ..measures.impacts import Impact, find_impacts
from ..measures.throw import actor_centre
from ..plausibility import is_person
from .wording import moment, plain_name, quantity, speed

MOST_IMPACTS = 6
LEAST_FORCE = 0.04
"""Share of the strongest force below which an impact is not reported."""
STANDING = 2e-3
"""s: what touches from the start on is no impact."""
SLOW = 0.3
"""m/s below which a touch is no blow."""
STILL = 0.1
"""m/s below which somebody lies still."""


@dataclass(frozen=True)
class Moment:
    """A moment worth a picture."""

    time: float
    title: str
    text: str
    focus: frozenset[int]
    """Actors that it is about"""
    body: int = -1
    """Whose curve belongs beside it; -1: nobody's"""
    shown: str = ""
    """Which instant the picture shows, for its caption"""


def tell(scenario: Scenario, recording: Recording) -> list[Moment]:
    """The moments of a run, by time: the start, the first contact between actors, impacts, and rest."""
    if recording.frames == 0:
        return []
    people = [k for k, actor in enumerate(scenario.actors) if is_person(actor)]
    found = [_start(scenario, recording)]
    found += [
        _moment(scenario, recording, impact, title) for impact, title in _chosen(scenario, recording, people)
    ]
    found.append(_end(scenario, recording, people))
    return sorted(found, key=lambda moment: moment.time)


def _start(scenario: Scenario, recording: Recording) -> Moment:
    parts = []
    for actor in scenario.actors:
        pace = float(np.linalg.norm(actor.velocity))
        parts.append(f"{actor.name} {'moves at ' + speed(pace) if pace > 0.01 else 'is at rest'}")
    return Moment(0.0, "The start", f"At the start {', and '.join(parts)}.", frozenset())


def _actors(recording: Recording, impact: Impact) -> set[int]:
    bodies = [body for body in (impact.first, impact.second) if body >= 0]
    return {int(recording.body_actor[body]) for body in bodies}


def _chosen(scenario: Scenario, recording: Recording, people: list[int]) -> list[tuple[Impact, str]]:
    """The impacts that are reported, with their titles."""
    blows = [
        impact
        for impact in find_impacts(scenario, recording)
        if impact.start > STANDING
        and impact.approach_speed > SLOW
        and not _is_wheel(recording, impact)
        and (not people or _actors(recording, impact) & set(people))
    ]
    if not blows:
        return []
    strongest = max(impact.peak_force for impact in blows)
    between = [impact for impact in blows if len(_actors(recording, impact)) > 1]
    kept: dict[tuple[int, int, int], Impact] = {}
    for impact in sorted(blows, key=lambda impact: (not _is_head(recording, impact), -impact.peak_force)):
        key = (impact.first, impact.second, impact.obstacle)
        if key not in kept and impact.peak_force > LEAST_FORCE * strongest and len(kept) < MOST_IMPACTS:
            kept[key] = impact
    first = between[0] if between else blows[0]
    chosen = [(first, "First contact between the actors" if between else "First contact")]
    return chosen + [(impact, "Impact") for impact in kept.values() if impact != first]


def _is_head(recording: Recording, impact: Impact) -> bool:
    return any("head" in recording.body_names[body].lower() for side in impact.touched for body in side)


def _is_wheel(recording: Recording, impact: Impact) -> bool:
    name = recording.body_names[impact.first].lower()
    return impact.obstacle >= 0 and ("wheel" in name or "tyre" in name)


def _side(recording: Recording, impact: Impact, side: int) -> str:
    """Who or what: "the head of man", "the ground"."""
    bodies = impact.touched[side]
    if not bodies:
        return f"the {plain_name(recording.obstacle_names[impact.obstacle])}"
    actor = recording.actor_names[recording.body_actor[bodies[0]]]
    parts = [plain_name(recording.body_names[body]) for body in bodies[:2]]
    return f"the {' and '.join(parts)} of {actor}"


def _moment(scenario: Scenario, recording: Recording, impact: Impact, title: str) -> Moment:
    one, other = _side(recording, impact, 0), _side(recording, impact, 1)
    if impact.obstacle < 0 and not is_person(scenario.actors[int(recording.body_actor[impact.first])]):
        one, other = other, one
    later = 1000.0 * (impact.peak_time - impact.start)
    text = (
        f"{moment(impact.start)} after the start {one} meets {other}, closing at {speed(impact.approach_speed)}. "
        f"The largest force between them is {quantity(impact.peak_force, 'N')}, {later:.0f} ms later."
    )
    body = impact.touched[0][0] if impact.touched[0] else -1
    if (
        impact.obstacle < 0
        and impact.touched[1]
        and one.endswith(recording.actor_names[recording.body_actor[impact.touched[1][0]]])
    ):
        body = impact.touched[1][0]
    people = {k for k in _actors(recording, impact) if is_person(scenario.actors[k])}
    heading = f"{title}: {one.removeprefix('the ')} on {other.removeprefix('the ')}"
    focus = frozenset(people or _actors(recording, impact))
    return Moment(impact.peak_time, heading, text, focus, body, ", at the largest force between them")


def _end(scenario: Scenario, recording: Recording, people: list[int]) -> Moment:
    sentences = []
    for actor in people or range(len(scenario.actors)):
        centre = actor_centre(recording, actor)
        name = recording.actor_names[actor]
        step = recording.times[-1] - recording.times[-2] if recording.frames > 1 else 1.0
        pace = float(np.linalg.norm(centre[-1] - centre[-2]) / step) if recording.frames > 1 else 0.0
        way = float(np.linalg.norm((centre[-1] - centre[0])[:2]))
        state = "lies still" if pace < STILL else f"is still moving at {speed(pace)}"
        sentences.append(
            f"When the run ends, after {moment(float(recording.times[-1]))}, {name} {state}, {quantity(way, 'm')} from "
            "where the run began, measured along the ground."
        )
    return Moment(float(recording.times[-1]), "The end of the run", " ".join(sentences), frozenset(people))
