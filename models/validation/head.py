"""The dummy's head alone: drop onto steel."""

import numpy as np

from ...engine.runs.recording import Recording
from ..scenarios.rigs import head_drop as head_drop_rig
from .experiment import experiment
from .neck_response import sensor_channel
from .row import GRAVITY, Row
from .running import AS_GIVEN, Runner


def head_accelerations(recording: Recording, actor: str) -> np.ndarray:
    """(N, 3) what the accelerometer in an actor's head shows at every step, in g, not filtered: forward, left, up."""
    channel = sensor_channel(recording, f"{actor} head", "acceleration")
    return np.asarray(channel.data, float) / GRAVITY


def head_acceleration(recording: Recording, actor: str) -> np.ndarray:
    """(N,) size of it."""
    return np.linalg.norm(head_accelerations(recording, actor), axis=1)


def head_drop(run: Runner = AS_GIVEN) -> list[Row]:
    """49 CFR 572.32: 0.376 m onto steel, 225 to 275 g, unimodal."""
    recording = run(head_drop_rig())
    g = head_acceleration(recording, "head")
    peak = float(g.max())
    speed = float(-recording.velocity[:, 0, 2].min())
    after = g[int(g.argmax()) :]
    rise = after - np.minimum.accumulate(after)
    second = float(rise.max() / peak)
    event = recording.contacts[0]
    struck = recording.ellipsoid_names[event["ellipsoid_a"]]
    drop = experiment("head_drop")
    where = f"{struck} strikes at {speed:.2f} m/s"
    return [
        drop.row("peak resultant", peak, where),
        drop.row("lateral acceleration", float(np.abs(head_accelerations(recording, "head")[:, 1]).max())),
        drop.row("later rise over the peak", 100 * second, "unimodal below 10 %"),
    ]
