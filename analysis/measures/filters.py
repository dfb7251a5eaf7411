"""Channel frequency classes of SAE J211-1: two-pole Butterworth low-pass, forward and backward.

Coefficients as in SAE J211-1 appendix C with the design frequency 2.0775 * CFC (ISO 6487 writes 2.0833); the two
passes together are 3 dB down near 1.67 * CFC and shift nothing in time.

Start-up: J211 leaves it open. Each pass starts in the steady state of its first sample, that is as if the signal had
always had this value; a constant passes unchanged, and a pulse that begins within about 1/CFC of either end of the
signal is distorted there.
"""

import math
from dataclasses import dataclass

import numpy as np

from .signals import is_uniform, resample, sampling_rate

CLASSES = (60, 180, 600, 1000)
RATE_FACTOR = 10.0
"""SAE J211-1: sample at ten times the channel class or faster."""


@dataclass(frozen=True)
class Coefficients:
    """y[i] = a0 x[i] + a1 x[i-1] + a2 x[i-2] + b1 y[i-1] + b2 y[i-2]"""

    a0: float
    a1: float
    a2: float
    b1: float
    b2: float


def coefficients(cfc: float, rate: float) -> Coefficients:
    """Filter coefficients of a channel class at a sampling rate (Hz)."""
    if not rate > 2.0 * 2.0775 * cfc:
        raise ValueError(f"CFC {cfc:g} needs more than {4.155 * cfc:g} samples per second, not {rate:g}")
    omega = math.tan(math.pi * cfc * 2.0775 / rate)
    scale = 1.0 + math.sqrt(2.0) * omega + omega * omega
    a0 = omega * omega / scale
    b1 = -2.0 * (omega * omega - 1.0) / scale
    b2 = (-1.0 + math.sqrt(2.0) * omega - omega * omega) / scale
    return Coefficients(a0, 2.0 * a0, a0, b1, b2)


def _single_pass(samples: list[float], c: Coefficients) -> list[float]:
    """One run of the recursion, started in the steady state of the first sample."""
    x1 = x2 = y1 = y2 = samples[0]
    result = []
    for x in samples:
        y = c.a0 * x + c.a1 * x1 + c.a2 * x2 + c.b1 * y1 + c.b2 * y2
        result.append(y)
        x2, x1, y2, y1 = x1, x, y1, y
    return result


def filter_cfc(signal: np.ndarray, cfc: float, rate: float) -> np.ndarray:
    """The (F,) or (F, k) signal, each column filtered forward and backward at a sampling rate (Hz)."""
    c = coefficients(cfc, rate)
    columns = np.asarray(signal, dtype=float).reshape(len(signal), -1).T
    filtered = [_single_pass(_single_pass(column.tolist(), c)[::-1], c)[::-1] for column in columns]
    return np.array(filtered).T.reshape(np.shape(signal))


def filter_channel(
    times: np.ndarray, signal: np.ndarray, cfc: float
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """The signal at a constant step and filtered where J211's sampling rule allows: (times, signal, warnings).

    Sampled too slowly it comes back unfiltered with a warning: a filter near its Nyquist limit would alter the signal
    in a way no standard describes.
    """
    warnings = []
    if not is_uniform(times):
        warnings.append("output times were not evenly spaced: resampled by linear interpolation")
        times, signal = resample(times, signal)
    rate = sampling_rate(times)
    if not rate >= RATE_FACTOR * cfc * (1.0 - 1e-9):
        step = 1.0 / (RATE_FACTOR * cfc)
        warnings.append(
            f"not filtered: CFC {cfc:g} asks for {RATE_FACTOR * cfc:g} samples per second, the recording has "
            f"{rate:.6g}; set output_step to {step:g} s or less"
        )
        return times, signal, tuple(warnings)
    return times, filter_cfc(signal, cfc, rate), tuple(warnings)
