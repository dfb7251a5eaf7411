"""What an actor did against a fall, by phase, as tests look it up in a recording."""

from mannequin.engine.responses.arrays import PHASES
from mannequin.engine.runs.recording import Recording


def events_of(recording: Recording, actor: str) -> dict[str, float]:
    """Phase to its time (s) of one actor."""
    index = recording.actor_names.index(actor)
    mine = recording.responses[recording.responses["actor"] == index]
    return {PHASES[event["phase"]]: float(event["time"]) for event in mine}
