"""What is taken from runs where nobody says what: rest, throw, head impact, first touch, paths."""

from typing import Any

from ..engine.spec import Actor, Scenario
from .spec import Event, Mark, Quantity, Touch, Traces

HEAD = "head"
MOMENTS = 25
"""Of paths."""


def usual_outcomes(scenario: Scenario) -> dict[str, Any]:
    """Measures, events, marks and traces of a `Sweep` for all actors of a scenario."""
    measures: list[Quantity] = []
    events: list[Event] = []
    marks: list[Mark] = []
    for actor in scenario.actors:
        name = actor.name
        measures += [Quantity(f"{name} rest {axis}", "m", body=name, component=axis) for axis in "xy"]
        measures.append(Quantity(f"{name} throw", "m", measure="throw distance", of=name))
        if any(body.name == HEAD and body.ellipsoids for body in actor.model.bodies):
            head = f"{name}/{HEAD}"
            measures += [
                Quantity(f"{name} HIC15", measure="HIC15", of=head),
                Quantity(f"{name} head impact", "m/s", contact=Touch(head), take="approach_speed"),
                Quantity(f"{name} head force", "N", contact=Touch(head), take="peak_force"),
            ]
            events.append(Event(f"{name} head struck something", contact=Touch(head)))
            marks.append(Mark(f"{name} head touch", Touch(head)))
    return {"measures": measures, "events": events, "marks": marks, "traces": usual_traces(scenario)}


def usual_traces(scenario: Scenario) -> Traces:
    """Paths of the body by which each actor is shown: the head, or the one at the root."""
    return Traces([f"{actor.name}/{_shown_body(actor)}" for actor in scenario.actors], MOMENTS)


def _shown_body(actor: Actor) -> str:
    names = [body.name for body in actor.model.bodies]
    root = next(joint.child for joint in actor.model.joints if joint.parent is None)
    return HEAD if HEAD in names else root
