"""A run in short: where its bodies are at some hundred times, its hardest contacts, the measures looked for first.

For previews. It is small enough to go from one process to another inside a message: numbers are packed in 32 bits.
"""

import base64
import dataclasses
import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...engine.maths.rotations import matrix_from_quaternion
from ...engine.runs.recording import COMPLETED, Recording
from ...engine.spec import Scenario
from .catalogue import FAMILIES, HEAD_FAMILY, THROW_FAMILY, shown_families

HEAD_MEASURE = "HIC15"
"""Of the measures of the head, the one that is listed."""
MOST_TIMES = 400
"""Times at most; more would not show on a screen."""
MOST_MARKS = 12
NUMBERS = {"times": np.float32, "position": np.float32, "quaternion": np.float32, "marks": np.float32} | {
    "body_mass": np.float32,
    "body_com": np.float32,
    "body_actor": np.int32,
    "joint_actor": np.int32,
}
"""Arrays, and how each is packed."""


@dataclass(frozen=True)
class Preview:
    """What is kept of a run. Arrays that a recording has too have its names and its shapes."""

    times: np.ndarray
    """(F,) s"""
    position: np.ndarray
    """(F, B, 3) centres of mass, m"""
    quaternion: np.ndarray
    """(F, B, 4) (w, x, y, z), body to world"""
    marks: np.ndarray
    """(C, 3) m: where the hardest contacts were"""
    body_mass: np.ndarray
    body_com: np.ndarray
    body_actor: np.ndarray
    joint_actor: np.ndarray
    actor_names: tuple[str, ...]
    body_names: tuple[str, ...]
    joint_names: tuple[str, ...]
    lines: tuple[tuple[str, str], ...]
    """Label and text of the key measures"""
    problem: str
    """Why the run did not come to its end; empty where it did"""

    @property
    def duration(self) -> float:
        """s that were simulated."""
        return float(self.times[-1]) if len(self.times) else 0.0

    def frames_at(self, time: float) -> np.ndarray:
        """(B, 4, 4) authored body frames in the world at a time (s), between two kept ones in proportion."""
        second = int(np.clip(np.searchsorted(self.times, time), 1, max(1, len(self.times) - 1)))
        first = second - 1
        second = min(second, len(self.times) - 1)
        gap = float(self.times[second] - self.times[first])
        share = min(max((time - float(self.times[first])) / gap, 0.0), 1.0) if gap > 0.0 else 0.0
        q = (1.0 - share) * self.quaternion[first].astype(float) + share * self.quaternion[second]
        frames = np.zeros((len(q), 4, 4))
        frames[:, :3, :3] = matrix_from_quaternion(q / np.linalg.norm(q, axis=1, keepdims=True))
        centre = (1.0 - share) * self.position[first].astype(float) + share * self.position[second]
        frames[:, :3, 3] = centre - np.einsum("bij,bj->bi", frames[:, :3, :3], self.body_com)
        frames[:, 3, 3] = 1.0
        return frames


def preview_of(scenario: Scenario, recording: Recording) -> Preview:
    """What a preview keeps of a run."""
    stride = max(1, -(-recording.frames // MOST_TIMES))
    hardest = np.argsort(-recording.contacts["peak_force"], kind="stable")[:MOST_MARKS]
    numbers = {
        "times": recording.times[::stride],
        "position": recording.position[::stride],
        "quaternion": recording.quaternion[::stride],
        "marks": recording.contacts["point"][hardest],
        **{name: getattr(recording, name) for name in ("body_mass", "body_com", "body_actor", "joint_actor")},
    }
    return Preview(
        **{name: np.asarray(values).astype(NUMBERS[name]) for name, values in numbers.items()},
        actor_names=recording.actor_names,
        body_names=recording.body_names,
        joint_names=recording.joint_names,
        lines=tuple(key_lines(scenario, recording)) if recording.frames else (),
        problem="" if recording.status == COMPLETED else recording.message,
    )


def key_lines(scenario: Scenario, recording: Recording) -> list[tuple[str, str]]:
    """Label and value of the measures most readers look for first; the hardest contact with what was struck."""
    families = {name: FAMILIES[name](scenario, recording) for name in (HEAD_FAMILY, THROW_FAMILY)}
    lines = [
        (measure.name, f"{measure.text} ({measure.subject})")
        for measure in families[HEAD_FAMILY]
        if measure.name == HEAD_MEASURE and not np.isnan(measure.value)
    ]
    if len(recording.contacts):
        event = recording.contacts[int(np.argmax(recording.contacts["peak_force"]))]
        lines.append(("hardest contact", " on ".join(side_label(recording, event, side) for side in "ab")))
        lines.append(("its peak force", force_text(float(event["peak_force"]))))
        lines.append(("its approach speed", f"{event['approach_speed']:.2f} m/s"))
    thrown = shown_families(scenario, families)[THROW_FAMILY]
    return lines + [(f"{measure.name}, {measure.subject}", measure.text) for measure in thrown]


def side_label(recording: Recording, event: np.void, side: str) -> str:
    """Short name of side "a" or "b" of a contact: the obstacle or the body, with its actor where there are several."""
    if side == "b" and event["obstacle_b"] >= 0:
        return recording.obstacle_names[event["obstacle_b"]]
    body = int(event[f"body_{side}"])
    if len(recording.actor_names) == 1:
        return recording.body_names[body]
    return f"{recording.actor_names[recording.body_actor[body]]} {recording.body_names[body]}"


def force_text(newtons: float) -> str:
    """A force in few characters: "85 N", "3.42 kN"."""
    return f"{newtons:.0f} N" if newtons < 999.5 else f"{newtons / 1000.0:.3g} kN"


def pack(preview: Preview) -> str:
    """Text of a preview, exact in the bits it has."""
    content: dict[str, Any] = {}
    for field in dataclasses.fields(Preview):
        value = getattr(preview, field.name)
        if field.name in NUMBERS:
            array = np.ascontiguousarray(value, dtype=NUMBERS[field.name])
            value = [list(array.shape), base64.b64encode(array.tobytes()).decode("ascii")]
        content[field.name] = value
    return json.dumps(content)


def unpack(text: str) -> Preview:
    """Preview of its text."""
    content = json.loads(text)
    for name, kind in NUMBERS.items():
        shape, data = content[name]
        content[name] = np.frombuffer(base64.b64decode(data), dtype=kind).reshape(shape)
    for name in ("actor_names", "body_names", "joint_names"):
        content[name] = tuple(content[name])
    content["lines"] = tuple((label, text) for label, text in content["lines"])
    return Preview(**content)
