"""How many bytes the files of a run take, from how many numbers they hold.

Measured over the shipped scenarios (`tests/analysis/test_forecast.py` measures again): text has the fewest digits that
read back to the same number, 17 to 19 characters and a comma, and far fewer for what stays zero, as the forces of
bodies that touch nothing. The largest mean of the scenarios counts.
"""

from ...engine import ENERGY_TERMS
from ...engine.muscles.arrays import MUSCLE_CHANNELS
from ...engine.runs.recording import Recording
from ...engine.runs.simulation import FrameStore

BYTES_PER_NUMBER = {"recording": 8.0, "output": 18.2, "joints": 18.9, "energy": 15.3, "muscles": 18.0}
"""Of each kind of file. Smallest of the scenarios: 3.5, 13.9, 14.6, 13.5"""
BYTES_PER_CONTACT = 440.0
"""Of a contact at an output time, where its history is kept: 250 to 300 as text, the rest in the recording."""
CONTACTS_PER_FRAME = 14.0
"""Contacts at an output time, before it is known how many there are: the most of the scenarios, a tackle."""


def numbers_per_frame(bodies: int, muscles: int, reactions: bool) -> dict[str, float]:
    """Numbers that each kind of file holds for one output time."""
    return {
        "recording": FrameStore(bodies, muscles, 0, reactions).frame_bytes / 8,
        "output": 1 + 25 * bodies,
        "joints": 1 + 15 * bodies,
        "energy": 1 + len(ENERGY_TERMS),
        "muscles": (1 + len(MUSCLE_CHANNELS) * muscles) if muscles else 0,
    }


def folder_bytes(bodies: int, muscles: int, reactions: bool, contacts: float = 0.0) -> float:
    """Bytes of a run folder for one output time; `contacts` of them in a history."""
    numbers = numbers_per_frame(bodies, muscles, reactions)
    return BYTES_PER_CONTACT * contacts + sum(
        BYTES_PER_NUMBER[kind] * count for kind, count in numbers.items()
    )


def folder_bytes_per_frame(recording: Recording) -> float:
    """Bytes of the run folder of a recording for one output time, its history of contacts and channels included."""
    reactions = recording.reaction_force.shape == recording.joint_rate.shape
    history = 0 if recording.contact_history is None else len(recording.contact_history)
    frames = max(1, recording.frames)
    channels = (recording.channel_data.nbytes + recording.channel_times.nbytes) / frames
    numbers = len(recording.body_names), len(recording.muscle_names), reactions
    return channels + folder_bytes(*numbers, history / frames)
