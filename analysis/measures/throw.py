"""Throw distance and rest position of each actor."""

import numpy as np

from ...engine.runs.recording import Recording
from .measure import Measure

REST_SPEED = 0.1
"""m/s: an actor whose centre of mass is slower than this, with every body part slower than three times this, during the
last `REST_TIME` counts as at rest."""
REST_TIME = 0.1
"""s"""


def actor_centre(recording: Recording, actor: int, field: str = "position") -> np.ndarray:
    """(F, 3) mass-weighted mean of a body field ("position", "velocity") over an actor's bodies."""
    bodies = np.flatnonzero(np.asarray(recording.body_actor) == actor)
    mass = np.asarray(recording.body_mass, dtype=float)[bodies]
    return np.einsum("b,fbi->fi", mass / mass.sum(), getattr(recording, field)[:, bodies])


def throw_measures(recording: Recording) -> list[Measure]:
    """Throw distance and rest position of every actor."""
    measures = []
    for actor, name in enumerate(recording.actor_names):
        centre = actor_centre(recording, actor)
        start, origin = _release(recording, actor)
        begin = np.array([np.interp(start, recording.times, column) for column in centre.T])
        travel = centre[-1] - begin
        warnings = _still_moving(recording, actor)
        details = {
            "from_s": start,
            "from": origin,
            "x_m": float(centre[-1, 0]),
            "y_m": float(centre[-1, 1]),
            "z_m": float(centre[-1, 2]),
            "along_x_m": float(travel[0]),
            "along_y_m": float(travel[1]),
        }
        measures.append(
            Measure(
                "throw distance",
                name,
                float(np.hypot(travel[0], travel[1])),
                "m",
                "Horizontal distance of the actor's centre of mass from where it was at the first touch of another "
                "actor (at the start of the run where there is none) to where it is at the end.",
                "The sliding part depends on the friction given and on a body without muscle activity.",
                warnings,
                details,
            )
        )
    return measures


def _release(recording: Recording, actor: int) -> tuple[float, str]:
    """Time from which the throw counts, and what marks it."""
    contacts = recording.contacts
    pairs = contacts[contacts["body_b"] >= 0]
    body_actor = np.asarray(recording.body_actor)
    first, second = body_actor[pairs["body_a"]], body_actor[pairs["body_b"]]
    starts = pairs["start"][(first != second) & ((first == actor) | (second == actor))]
    if len(starts):
        return float(np.min(starts)), "first touch of another actor"
    return float(recording.times[0]), "start of the run"


def _still_moving(recording: Recording, actor: int) -> tuple[str, ...]:
    bodies = np.flatnonzero(np.asarray(recording.body_actor) == actor)
    last = recording.times >= recording.times[-1] - REST_TIME
    centre = float(np.max(np.linalg.norm(actor_centre(recording, actor, "velocity")[last], axis=-1)))
    part = float(np.max(np.linalg.norm(recording.velocity[last][:, bodies], axis=-1)))
    if (
        recording.times[-1] - recording.times[0] >= REST_TIME
        and centre < REST_SPEED
        and part < 3.0 * REST_SPEED
    ):
        return ()
    return (
        f"not at rest when the run ends (centre of mass up to {centre:.3g} m/s, body parts up to {part:.3g} m/s in the "
        f"last {REST_TIME:g} s): not a rest position; run longer",
    )
