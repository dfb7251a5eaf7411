"""What a step does against what a core can: counted operations and bytes, the time they take, and measured peaks.

Peaks of one core, without fused multiply-add, as the engine is compiled: one number at a time from registers, several
at a time from the first-level cache, and bytes from that cache.
"""

import time

import numba
import numpy as np

from .cases import free_flight, lying_man
from .fresh_process import ask_module
from .timing import engine_only, without_limits

KINDS = ("add", "multiply", "divide", "sqrt")
"""Counted as floating-point operations."""
SMALL = 2048
"""Numbers in an array that stays in the first-level cache (16 kB)."""


@numba.njit(error_model="numpy", nogil=True)
def scalar_chains(x: float, rounds: int) -> float:
    """Eight chains of one multiplication and one addition, each independent of the others."""
    a, b, c, d, e, f, g, h = 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8
    for _ in range(rounds):
        a = a * x + 0.1
        b = b * x + 0.2
        c = c * x + 0.3
        d = d * x + 0.4
        e = e * x + 0.5
        f = f * x + 0.6
        g = g * x + 0.7
        h = h * x + 0.8
    return a + b + c + d + e + f + g + h


@numba.njit(error_model="numpy", nogil=True)
def vector_sweep(values: np.ndarray, x: float, rounds: int) -> float:
    """One multiplication and one addition on every number of a small array, again and again."""
    for _ in range(rounds):
        for i in range(len(values)):
            values[i] = values[i] * x + 0.1
    return values[0]


def best(action, repeats: int = 5) -> float:
    """Shortest CPU seconds of a few calls: a peak is what is reached undisturbed."""
    action()
    found = []
    for _ in range(repeats):
        begun = time.thread_time()
        action()
        found.append(time.thread_time() - begun)
    return min(found)


def peaks() -> dict[str, float]:
    """Operations a nanosecond one at a time and several at a time, and bytes a nanosecond from the nearest cache."""
    rounds = 2_000_000
    one = 16 * rounds / best(lambda: scalar_chains(0.5, rounds)) * 1e-9
    values, sweeps = np.ones(SMALL), 4000
    seconds = best(lambda: vector_sweep(values, 0.5, sweeps))
    several = 2 * SMALL * sweeps / seconds * 1e-9
    return {"scalar": one, "vector": several, "bytes": 16 * SMALL * sweeps / seconds * 1e-9}


def measure(repeats: int) -> dict:
    """Counts, times and peaks for free flight and for the man lying down."""
    found: dict = {"peaks": peaks(), "cases": {}}
    cases = {"free flight": free_flight(1.0).scenario, "lying": lying_man(1.0)}
    for name, scenario in cases.items():
        counts = ask_module("mannequin.benchmarks.operations", name, MANNEQUIN_INTERPRETED="1")
        microseconds = engine_only(without_limits(scenario), repeats)["engine_us"]
        operations = sum(counts["step"].get(kind, 0.0) for kind in KINDS)
        data = 8.0 * (counts["step"]["read"] + counts["step"]["written"])
        found["cases"][name] = {
            "counts": counts,
            "engine_us": microseconds,
            "operations": operations,
            "bytes": data,
            "operations_per_ns": operations / (1e3 * microseconds["median"]),
            "bytes_per_ns": data / (1e3 * microseconds["median"]),
        }
    return found
