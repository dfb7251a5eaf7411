"""What people did against a fall in a run: phases as events and in words."""

import numpy as np

from ..build.system import System
from ..responses.arrays import PHASES
from ..step.arrays import State
from .response_event import RESPONSE_EVENT


def response_events(system: System, state: State) -> np.ndarray:
    """(P,) records of RESPONSE_EVENT by time."""
    actors, times = system.arrays.responses.actor, state.responses.time
    rows = [(times[r, p], actors[r], p) for r, p in zip(*np.nonzero(~np.isnan(times)), strict=True)]
    return np.array(sorted(rows), dtype=RESPONSE_EVENT)


def response_sentences(system: System, events: np.ndarray) -> list[str]:
    """One sentence for each actor with a response, for the log and the report."""
    return [_sentence(system, int(a), events[events["actor"] == a]) for a in system.arrays.responses.actor]


def _sentence(system: System, actor: int, events: np.ndarray) -> str:
    response = system.scenario.actors[actor].response
    who = f"'{system.actor_names[actor]}' responds as the preset '{response.preset}' does"
    phases = ", ".join(f"{PHASES[event['phase']]} at {event['time']:.3f} s" for event in events)
    return f"{who}, an assumption about behaviour: {phases or 'nothing was noticed'}."
