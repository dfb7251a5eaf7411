"""Channel frequency classes of SAE J211-1: two-pole Butterworth low-pass, forward and backward.

Coefficients as in SAE J211-1 appendix C with the design frequency 2.0775 * CFC (ISO 6487 writes 2.0833); the two
passes together are 3 dB down near 1.67 * CFC and shift nothing in time.

Start-up: J211 leaves it open. Each pass starts in the steady state of its first sample, that is as if the signal had
always had this value; a constant passes unchanged, and a pulse that begins within about 1/CFC of either end of the
signal is distorted there.
"""

import math
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from ...engine.jit.decorators import IS_COMPILED
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


BLOCK = 128
"""Samples whose outputs are computed together."""


class PassWork(NamedTuple):
    """What `drive` and `let_decay` read and write."""

    samples: np.ndarray
    """(F, k)"""
    factors: np.ndarray
    """(3,) a0, a1, a2"""
    driven: np.ndarray
    """(blocks * BLOCK, k), written by `drive`: input of the recursive part, zeros beyond F"""
    blocks: np.ndarray
    """(blocks, BLOCK, k) outputs of a filter at rest; changed by `let_decay`"""
    decay: np.ndarray
    """(BLOCK, 2) what the last output before a block, and the one before that, add to each of its outputs"""


@late(bundles=1, floats=0)
def drive(work):
    """The part of the filter that looks at inputs only; before the first sample the signal had its value."""
    samples, factors = work.samples, work.factors
    for row in range(samples.shape[0]):
        one, two = max(row - 1, 0), max(row - 2, 0)
        for column in range(samples.shape[1]):
            work.driven[row, column] = (
                factors[0] * samples[row, column]
                + factors[1] * samples[one, column]
                + factors[2] * samples[two, column]
            )


@late(bundles=1, floats=0)
def let_decay(work):
    """Add to each block what the outputs before it leave in it; before the first it was steady."""
    blocks, decay = work.blocks, work.decay
    for column in range(work.samples.shape[1]):
        y1 = y2 = work.samples[0, column]
        for block in range(blocks.shape[0]):
            for row in range(BLOCK):
                blocks[block, row, column] += decay[row, 0] * y1 + decay[row, 1] * y2
            y1, y2 = blocks[block, BLOCK - 1, column], blocks[block, BLOCK - 2, column]


def load_code() -> None:
    """Compile or load what filters, where the engine is compiled."""
    if IS_COMPILED:
        work = _new_work(np.zeros((1, 1)), coefficients(60, 1e4))
        drive.address(work)
        let_decay.address(work)


def _single_pass(samples: np.ndarray, c: Coefficients) -> np.ndarray:
    """One run of the recursion over (F, k) samples, started in the steady state of the first one.

    In blocks: the output of a block is that of a filter at rest (a product with the impulse response of the recursive
    part) plus the decay of the two outputs before it. Compiled and interpreted the operations and their order are the
    same, and so are the results to the last bit.
    """
    count, columns = samples.shape
    work = _new_work(samples, c)
    if IS_COMPILED:
        drive(work)
    else:
        _drive_by_arrays(work)
    padded = work.driven.reshape(-1, BLOCK, columns)
    result = np.einsum("ij,bjk->bik", _at_rest(c), padded, optimize=True)
    work = work._replace(blocks=np.ascontiguousarray(result))
    if IS_COMPILED:
        let_decay(work)
    else:
        _let_decay_by_arrays(work)
    return work.blocks.reshape(-1, columns)[:count]


def _new_work(samples: np.ndarray, c: Coefficients) -> PassWork:
    count, columns = samples.shape
    response = _impulse_response(c, BLOCK + 1)
    return PassWork(
        samples=np.ascontiguousarray(samples),
        factors=np.array([c.a0, c.a1, c.a2]),
        driven=np.zeros((-(-count // BLOCK) * BLOCK, columns)),
        blocks=np.zeros((0, BLOCK, columns)),
        decay=np.stack([response[1:], c.b2 * response[:-1]], axis=1),
    )


@cache
def _at_rest(c: Coefficients) -> np.ndarray:
    """(BLOCK, BLOCK) inputs of a block to its outputs where everything before was zero."""
    response = _impulse_response(c, BLOCK)
    lag = np.arange(BLOCK)[:, None] - np.arange(BLOCK)[None, :]
    return np.where(lag >= 0, response[np.maximum(lag, 0)], 0.0)


def _drive_by_arrays(work: PassWork) -> None:
    """`drive` where the engine runs interpreted."""
    before = np.concatenate([work.samples[:1], work.samples[:1], work.samples])
    a0, a1, a2 = work.factors.tolist()
    work.driven[: len(work.samples)] = a0 * before[2:] + a1 * before[1:-1] + a2 * before[:-2]


def _let_decay_by_arrays(work: PassWork) -> None:
    """`let_decay` where the engine runs interpreted."""
    first, second = work.decay[:, :1], work.decay[:, 1:]
    y1 = y2 = work.samples[0]
    for block in work.blocks:
        block += first * y1 + second * y2
        y1, y2 = block[-1], block[-2]


@cache
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
