"""What gave way in a run: joints, springs, belts and welds, as events and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..build.system import System
from ..connections.arrays import BROKEN, BROKEN_BY, BY_ENERGY, BY_LOAD, BY_MOMENT, ENERGY, LAST_FORCE, MOMENT
from ..spec.joint_types import ALONG, joint_type
from ..spec.model import SPRING_AXES
from ..step.arrays import State
from .break_event import BREAK_EVENT

if TYPE_CHECKING:
    from .recording import Recording


def break_events(system: System, state: State) -> np.ndarray:
    """(d,) records of BREAK_EVENT by time."""
    joints, connections = state.joints, state.connections
    bounds = system.arrays.joints.breaks.bounds
    rows = []
    for r in np.flatnonzero(joints.broken):
        joint, axis = system.break_places[r]
        number = SPRING_AXES.index(axis) if axis else -1
        by = BY_LOAD if joints.event[r, 1] > bounds[r, 0] else BY_ENERGY
        rows.append((joints.event[r, 0], joint, -1, number, joints.event[r, 1], joints.event[r, 2], by))
    for k in np.flatnonzero(connections.parted == BROKEN):
        taken = connections.taken[k]
        load = taken[MOMENT] if taken[BROKEN_BY] == BY_MOMENT else abs(taken[LAST_FORCE])
        rows.append((connections.parted_time[k], -1, k, -1, load, taken[ENERGY], int(taken[BROKEN_BY])))
    return np.array(sorted(rows), dtype=BREAK_EVENT)


def break_sentences(recording: Recording) -> list[str]:
    """One sentence for each event, for the log and the report."""
    return [_sentence(recording, event) for event in recording.breaks]


def _sentence(recording: Recording, event: np.void) -> str:
    taken = f"and after {event['energy']:.3g} J taken up."
    if event["connection"] >= 0:
        name = recording.connection_names[event["connection"]]
        what = f"At {event['time']:.4f} s connection '{name}' broke, at"
        return f"{what} {event['load']:.4g} {'N m' if event['by'] == BY_MOMENT else 'N'} {taken}"
    joint = int(event["joint"])
    actor = recording.actor_names[recording.joint_actor[joint]]
    axis = SPRING_AXES[event["axis"]] if event["axis"] >= 0 else ""
    slides = axis.startswith(ALONG) or not joint_type(recording.joint_types[joint]).turns
    where = f" in its axis {axis.replace('_', ' ')}" if axis else ""
    return (
        f"At {event['time']:.4f} s joint '{recording.joint_names[joint]}' of '{actor}' gave way{where}, at "
        f"{event['load']:.4g} {'N' if slides else 'N m'} {taken}"
    )
