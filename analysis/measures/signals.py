"""Signals taken from a recording: accelerometer readings, sampling rate, resultants."""

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Scenario
from ...engine.spec.values import STANDARD_GRAVITY

G0 = STANDARD_GRAVITY
"""Standard gravity, m/s2: the unit "g" of every injury criterion."""

RESAMPLED = (20e3, 200e3)
"""Samples per second that a signal of uneven steps gets: at least twice what SAE J211 asks for CFC 1000; at most what
memory bears."""
UNIFORM_TOLERANCE = 1e-6
"""Largest departure of a sampling interval from the median, as a share of it."""


def resultant(vectors: np.ndarray) -> np.ndarray:
    """(...,) length of (..., 3) vectors."""
    return np.sqrt(np.einsum("...i,...i->...", vectors, vectors))


def accelerometer(scenario: Scenario, recording: Recording, body: int) -> np.ndarray:
    """(F, 3) reading of an accelerometer at the centre of mass, in g, world axes.

    Acceleration minus gravity (specific force): 1 g upwards at rest, zero in free fall. It differs from the coordinate
    acceleration by at most 1 g.
    """
    gravity = np.asarray(scenario.settings.gravity, dtype=float)
    return (recording.acceleration[:, body] - gravity) / G0


def sampling_rate(times: np.ndarray) -> float:
    """Samples per second of the output times; NaN for fewer than two."""
    if len(times) < 2:
        return float("nan")
    return 1.0 / float(np.median(np.diff(times)))


def is_uniform(times: np.ndarray) -> bool:
    """True when all sampling intervals are the same."""
    steps = np.diff(times)
    if len(steps) == 0:
        return True
    median = np.median(steps)
    return bool(np.all(np.abs(steps - median) <= UNIFORM_TOLERANCE * median))


def resample(times: np.ndarray, signal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The (F,) or (F, k) signal at a constant step, by linear interpolation; unchanged where it already is so.

    The step is the shortest of the signal, within `RESAMPLED`: a run that chooses its steps takes the shortest ones
    where the signal changes most, and a longer one would alias them.
    """
    if is_uniform(times):
        return times, signal
    steps = np.diff(times)
    rate = float(np.clip(1.0 / np.min(steps[steps > 0.0]), *RESAMPLED))
    count = int(round((times[-1] - times[0]) * rate)) + 1
    even = np.linspace(times[0], times[-1], count)
    columns = signal.reshape(len(times), -1).T
    resampled = np.stack([np.interp(even, times, column) for column in columns], axis=-1)
    return even, resampled.reshape((count, *signal.shape[1:]))
