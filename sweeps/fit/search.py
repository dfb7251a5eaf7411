"""Look for starts that agree with the evidence, then for all of them.

First SciPy's differential evolution, a global optimiser, until it has found a start that agrees. Then a random walk
that only ever steps onto agreeing starts: such a walk visits every part of the set alike in the long run. Its steps
are differences of two starts found before (which follow narrow ridges; ter Braak, Statistics and Computing 16 (2006),
239-249), single unknowns drawn anew from their whole range (which shows what the evidence does not decide), and,
rarely, all of them (which finds a second island).
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import differential_evolution

from .evaluate import Evaluator, Stopped
from .spec import Evidence

POPULATION = 8
"""Members of the optimiser's population for each unknown."""
GENERATIONS = 400
WALKERS = 12
SHARES = {"difference": 0.55, "single": 0.35, "anywhere": 0.1}
JITTER = 0.15
"""Random part of a difference step, in spreads of the starts found so far."""
FIRST_JITTER = 0.01
"""The same in ranges, while there are too few to have a spread."""


def search(evidence: Evidence, evaluator: Evaluator) -> None:
    """Fill the evaluator with runs until enough agree, the runs are used up, or the user cancels."""
    low, high = bounds(evidence)
    rng = np.random.default_rng(evidence.search.seed)
    try:
        optimise(evaluator, low, high, rng)
        walk(evaluator, low, high, rng, evidence.search.samples)
    except Stopped:
        return


def bounds(evidence: Evidence) -> tuple[np.ndarray, np.ndarray]:
    """(d,) lowest and (d,) highest values of the unknowns."""
    unknowns = evidence.unknowns
    return tuple(np.array([getattr(u, end) for u in unknowns], dtype=float) for end in ("low", "high"))


def misfit(deviations: np.ndarray) -> np.ndarray:
    """(n,) what is made small: root of the sum of squares of (n, targets) deviations."""
    return np.linalg.norm(deviations, axis=-1)


def optimise(evaluator: Evaluator, low: np.ndarray, high: np.ndarray, rng: np.random.Generator) -> None:
    """Differential evolution until a start agrees, or nothing gets better any more."""

    def batch(function: object, points: object) -> list[float]:
        return misfit(evaluator.evaluate(list(points))).tolist()

    differential_evolution(
        lambda point: float(misfit(evaluator.evaluate([point]))[0]),
        list(zip(low, high, strict=True)),
        popsize=POPULATION,
        maxiter=GENERATIONS,
        init="sobol" if len(low) > 1 else "latinhypercube",
        polish=False,
        updating="deferred",
        workers=batch,
        rng=rng,
        callback=lambda intermediate_result: len(evaluator.agreeing()) > 0,
    )


def walk(
    evaluator: Evaluator, low: np.ndarray, high: np.ndarray, rng: np.random.Generator, wanted: int
) -> None:
    """Walk over the agreeing starts until so many are known. Does nothing where none was found."""
    found = [evaluator.points[index] for index in evaluator.agreeing()]
    if not found:
        return
    walkers = [found[i % len(found)] for i in range(WALKERS)]
    while len(found) < wanted:
        steps = [_step(walker, found, low, high, rng) for walker in walkers]
        agree = np.all(evaluator.evaluate(steps) <= 1.0, axis=-1)
        walkers = [step if good else walker for step, walker, good in zip(steps, walkers, agree, strict=True)]
        found += [step for step, good in zip(steps, agree, strict=True) if good]


def _step(
    walker: np.ndarray, found: list[np.ndarray], low: np.ndarray, high: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Where a walker goes next, if that agrees."""
    kind = rng.choice(list(SHARES), p=list(SHARES.values()))
    if kind == "anywhere":
        return rng.uniform(low, high)
    if kind == "single":
        step = walker.copy()
        column = rng.integers(len(low))
        step[column] = rng.uniform(low[column], high[column])
        return step
    first, second = (found[rng.integers(len(found))] for _ in range(2))
    gain = 2.38 / np.sqrt(2.0 * len(low))
    spread = JITTER * np.std(found, axis=0) if len(found) > 2 * len(low) else FIRST_JITTER * (high - low)
    return reflected(walker + gain * (first - second) + rng.normal(0.0, 1.0, len(low)) * spread, low, high)


def reflected(point: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """A point outside the ranges thrown back into them as by mirrors, which keeps the walk even."""
    width = high - low
    folded = np.mod(point - low, 2.0 * width)
    return low + np.where(folded > width, 2.0 * width - folded, folded)
