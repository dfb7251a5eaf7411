"""Channel frequency classes of SAE J211-1: two-pole Butterworth low-pass, forward and backward.

Coefficients as in SAE J211-1 appendix C with the design frequency 2.0775 * CFC (ISO 6487 writes 2.0833); the two
passes together are 3 dB down near 1.67 * CFC and shift nothing in time.

Start-up: J211 leaves it open. Each pass starts in the steady state of its first sample, that is as if the signal had
always had this value; a constant passes unchanged, and a pulse that begins within about 1/CFC of either end of the
signal is distorted there.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...engine.jit.decorators import IS_COMPILED, compiled
from ...engine.jit.late import late
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


class PassWork(NamedTuple):
    """What `forward_and_backward` reads and writes."""

    samples: np.ndarray
    """(F, k)"""
    factors: np.ndarray
    """(5,) a0, a1, a2, b1, b2"""
    forward: np.ndarray
    """(F, k) after the first pass"""
    both: np.ndarray
    """(F, k) after the second"""


@compiled
def single_pass(samples, factors, out, first, way):
    """One run of the recursion over (F, k) samples from row `first` on, downward (way 1) or upward (-1), started in the
    steady state of the first one."""
    for n in range(samples.shape[0]):
        row = first + way * n
        one = row - way if n > 0 else row
        two = one - way if n > 1 else one
        for column in range(samples.shape[1]):
            y1 = out[one, column] if n > 0 else samples[first, column]
            y2 = out[two, column] if n > 1 else samples[first, column]
            x = samples[row, column]
            driven = factors[0] * x + factors[1] * samples[one, column] + factors[2] * samples[two, column]
            out[row, column] = driven + factors[4] * y2 + factors[3] * y1


@late(bundles=1, floats=0)
def forward_and_backward(work):
    """Both passes of the filter over `samples`, into `forward` and then `both`."""
    single_pass(work.samples, work.factors, work.forward, 0, 1)
    single_pass(work.forward, work.factors, work.both, work.samples.shape[0] - 1, -1)


def load_code() -> None:
    """Compile or load what filters, where the engine is compiled."""
    if IS_COMPILED:
        forward_and_backward.address(_new_work(np.zeros((1, 1)), coefficients(60, 1e4)))


def _new_work(samples: np.ndarray, c: Coefficients) -> PassWork:
    factors = np.array([c.a0, c.a1, c.a2, c.b1, c.b2])
    return PassWork(np.ascontiguousarray(samples), factors, np.empty(samples.shape), np.empty(samples.shape))


def filter_cfc(signal: np.ndarray, cfc: float, rate: float) -> np.ndarray:
    """The (F,) or (F, k) signal, each column filtered forward and backward at a sampling rate (Hz)."""
    c = coefficients(cfc, rate)
    columns = np.asarray(signal, dtype=float).reshape(len(signal), -1)
    if len(columns) == 0:
        return np.zeros(np.shape(signal))
    work = _new_work(columns, c)
    forward_and_backward(work)
    return work.both.reshape(np.shape(signal))


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
