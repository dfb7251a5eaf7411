"""How the cost of a step grows with bodies, ellipsoids, actors and triangles, and the exponent fitted to it."""

import time
from collections.abc import Callable

import numpy as np

from ..engine import Scenario, compile_system
from .cases import chain, crowd, terrain
from .timing import engine_seconds, in_turns

Family = tuple[str, Callable[[int], Scenario], tuple[int, ...]]


def families(scale: float) -> list[Family]:
    """(what grows, scenario of a size, sizes). scale 1 is the full benchmark; less makes it shorter and smaller."""
    seconds = 0.5 * scale
    largest = [400, 2000, 50, 1_000_000]
    sizes = [
        (10, 20, 50, 100, 200, 400),
        (40, 100, 200, 500, 1000, 2000),
        (1, 2, 5, 10, 20, 50),
        (10, 100, 1000, 10_000, 100_000, 1_000_000),
    ]
    makers = [
        lambda n: chain(n, seconds),
        lambda n: chain(20, seconds, ellipsoids=n),
        lambda n: crowd(n, seconds),
        lambda n: terrain(n, seconds),
    ]
    names = ["bodies", "ellipsoids", "actors", "mesh triangles"]
    return [
        (name, make, tuple(n for n in row if n <= max(row[1], top * scale)))
        for name, make, row, top in zip(names, makers, sizes, largest, strict=True)
    ]


def exponent(sizes: list[int], costs: list[float]) -> float:
    """p of cost = c n^p, by least squares over the upper half of the sizes, where the fixed cost matters least."""
    first = len(sizes) // 2 - 1 if len(sizes) > 3 else 0
    return float(np.polyfit(np.log(sizes[first:]), np.log(costs[first:]), 1)[0])


def measure(family: Family, repeats: int) -> dict:
    """Microseconds a step at every size, in turns, and the fitted exponent."""
    name, make, sizes = family
    systems, prepared = [], []
    for size in sizes:
        scenario = make(size)
        begun = time.thread_time()
        systems.append(compile_system(scenario))
        prepared.append(time.thread_time() - begun)

    def microseconds(index: int) -> float:
        seconds, steps, _ = engine_seconds(systems[index])
        return seconds / steps * 1e6

    actions = [lambda index=index: microseconds(index) for index in range(len(sizes))]
    spreads = in_turns(actions, repeats)
    return {
        "grows": name,
        "sizes": list(sizes),
        "engine_us": [vars(entry) for entry in spreads],
        "prepare_s": prepared,
        "exponent": exponent(list(sizes), [entry.median for entry in spreads]),
    }
