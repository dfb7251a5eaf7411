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


BLOCK = 128
"""Samples whose outputs are computed together."""


def _single_pass(samples: np.ndarray, c: Coefficients) -> np.ndarray:
    """One run of the recursion over (F, k) samples, started in the steady state of the first one.

    In blocks: the output of a block is that of a filter at rest (a product with the impulse response of the recursive
    part) plus the decay of the two outputs before it.
    """
    count, columns = samples.shape
    before = np.concatenate([samples[:1], samples[:1], samples])
    driven = c.a0 * before[2:] + c.a1 * before[1:-1] + c.a2 * before[:-2]
    blocks = -(-count // BLOCK)
    padded = np.zeros((blocks * BLOCK, columns))
    padded[:count] = driven
    response = _impulse_response(c, BLOCK + 1)
    lag = np.arange(BLOCK)[:, None] - np.arange(BLOCK)[None, :]
    at_rest = np.where(lag >= 0, response[np.maximum(lag, 0)], 0.0)
    result = np.einsum("ij,bjk->bik", at_rest, padded.reshape(blocks, BLOCK, columns), optimize=True)
    first_decay, second_decay = response[1:, None], c.b2 * response[:-1, None]
    y1 = y2 = samples[0]
    for block in result:
        block += first_decay * y1 + second_decay * y2
        y1, y2 = block[-1], block[-2]
    return result.reshape(-1, columns)[:count]


def _impulse_response(c: Coefficients, count: int) -> np.ndarray:
    """(count,) of the recursive part y[i] = x[i] + b1 y[i-1] + b2 y[i-2]."""
    response = [1.0, c.b1]
    while len(response) < count:
        response.append(c.b1 * response[-1] + c.b2 * response[-2])
    return np.array(response)


def filter_cfc(signal: np.ndarray, cfc: float, rate: float) -> np.ndarray:
    """The (F,) or (F, k) signal, each column filtered forward and backward at a sampling rate (Hz)."""
    c = coefficients(cfc, rate)
    columns = np.asarray(signal, dtype=float).reshape(len(signal), -1)
    if len(columns) == 0:
        return np.zeros(np.shape(signal))
    return _single_pass(_single_pass(columns, c)[::-1], c)[::-1].reshape(np.shape(signal))


def filter_channel(
    times: np.ndarray, signal: np.ndarray, cfc: float
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """The signal at a constant step and filtered where J211's sampling rule allows: (times, signal, warnings).

    Sampled too slowly it comes back unfiltered with a warning: a filter near its Nyquist limit would alter the signal
    in a way no standard describes.
    """
    warnings = []
    if not is_uniform(times):
        times, signal = resample(times, signal)
        warnings.append(
            f"time steps were not of one size: resampled by linear interpolation to {sampling_rate(times):.6g} "
            "per second"
        )
    rate = sampling_rate(times)
    if not rate >= RATE_FACTOR * cfc * (1.0 - 1e-9):
        step = 1.0 / (RATE_FACTOR * cfc)
        warnings.append(
            f"not filtered: CFC {cfc:g} asks for {RATE_FACTOR * cfc:g} samples per second, the recording has "
            f"{rate:.6g}; set time_step to {step:g} s or less"
        )
        return times, signal, tuple(warnings)
    return times, filter_cfc(signal, cfc, rate), tuple(warnings)
