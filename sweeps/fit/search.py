"""Look for starts that agree with the evidence, then for all of them.

First SciPy's differential evolution, a global optimiser. What it makes small is how far a start is off beyond the
tolerances, which is zero all over the set, so that its population spreads in the set in place of running to one point.
Then a random walk that only ever steps onto agreeing starts: such a walk visits every part of the set alike in the long
run. Its steps are differences of two starts found before (which follow narrow ridges; ter Braak, Statistics and
Computing 16 (2006), 239-249), single unknowns drawn again from their whole range (which shows what the evidence does
not decide), and, rarely, all of them (which finds a second island). Beside it, the starts at the ends of the set are
pushed on outwards, since a range that is too narrow would mislead. All ends when enough starts are known and the ranges
they span have stopped growing.
"""

import numpy as np
from scipy.optimize import differential_evolution

from .evaluate import Evaluator, Stopped
from .spec import Evidence

POPULATION = 8
"""Members of the optimiser's population for each unknown."""
GENERATIONS = 400
WALKERS = 12
PUSHES = 4
"""Starts pushed outwards for each step of the walkers."""
NEIGHBOURS = 10
SHARES = {"difference": 0.55, "single": 0.35, "anywhere": 0.1}
GROWTH = 0.03
JITTER = 0.15
"""Random part of a difference step, in spreads of the starts found so far."""
FIRST_JITTER = 0.01
"""The same in ranges, while there are too few to have a spread."""


def search(evidence: Evidence, evaluator: Evaluator) -> bool:
    """Fill the evaluator with runs. True where enough agree and their ranges have settled; False where nothing agrees,
    the runs are used up, or the user cancels."""
    low, high = bounds(evidence)
    rng = np.random.default_rng(evidence.search.seed)
    try:
        optimise(evaluator, low, high, rng)
        return walk(evaluator, low, high, rng, evidence.search.samples)
    except Stopped:
        return False


def bounds(evidence: Evidence) -> tuple[np.ndarray, np.ndarray]:
    """(d,) lowest and (d,) highest values of the unknowns."""
    unknowns = evidence.unknowns
    return tuple(np.array([getattr(u, end) for u in unknowns], dtype=float) for end in ("low", "high"))


def misfit(deviations: np.ndarray) -> np.ndarray:
    """(n,) size of (n, targets) deviations: root of the sum of squares."""
    return np.linalg.norm(deviations, axis=-1)


def excess(deviations: np.ndarray) -> np.ndarray:
    """(n,) the same of what goes beyond the tolerances: zero where all agree."""
    return misfit(np.maximum(deviations - 1.0, 0.0))


def optimise(evaluator: Evaluator, low: np.ndarray, high: np.ndarray, rng: np.random.Generator) -> None:
    """Differential evolution until enough starts agree to walk from, or nothing gets better any more."""

    def batch(function: object, points: object) -> list[float]:
        return excess(evaluator.evaluate(list(points))).tolist()

    differential_evolution(
        lambda point: float(excess(evaluator.evaluate([point]))[0]),
        list(zip(low, high, strict=True)),
        strategy="rand1bin",
        popsize=POPULATION,
        maxiter=GENERATIONS,
        init="sobol" if len(low) > 1 else "latinhypercube",
        polish=False,
        updating="deferred",
        workers=batch,
        rng=rng,
        callback=lambda intermediate_result: len(evaluator.agreeing()) >= WALKERS,
    )


def walk(
    evaluator: Evaluator, low: np.ndarray, high: np.ndarray, rng: np.random.Generator, wanted: int
) -> bool:
    """Walk over the agreeing starts until so many are known and they span no wider ranges any more.

    False where there is none to begin with.
    """
    found = [evaluator.points[index] for index in evaluator.agreeing()]
    if not found:
        return False
    walkers = [found[i % len(found)] for i in range(WALKERS)]
    while len(found) < wanted or not settled(found, high - low):
        steps = [_step(walker, found, low, high, rng) for walker in walkers]
        steps += [_push(found, low, high, rng) for _ in range(PUSHES)]
        agree = np.all(evaluator.evaluate(steps) <= 1.0, axis=-1)
        found += [step for step, good in zip(steps, agree, strict=True) if good]
        walkers = [
            step if good else walker for step, walker, good in zip(steps, walkers, agree, strict=False)
        ]
    return True


def settled(found: list[np.ndarray], width: np.ndarray) -> bool:
    """Whether the second half of the starts found has widened no range by more than GROWTH of what was given."""
    half = np.ptp(found[: len(found) // 2], axis=0)
    return bool(np.all(np.ptp(found, axis=0) - half <= GROWTH * width))


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


def _push(found: list[np.ndarray], low: np.ndarray, high: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A start a little beyond the one at an end of the set, away from one of its neighbours."""
    known = np.array(found)
    column = rng.integers(len(low))
    end = known[np.argmin(known[:, column]) if rng.random() < 0.5 else np.argmax(known[:, column])]
    order = np.argsort(np.linalg.norm((known - end) / (high - low), axis=-1))
    neighbour = known[order[rng.integers(min(NEIGHBOURS, len(order)))]]
    beyond = end + rng.uniform(0.2, 2.0) * (end - neighbour)
    return np.clip(beyond + rng.normal(0.0, 0.5 * FIRST_JITTER, len(low)) * (high - low), low, high)


def reflected(point: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """A point outside the ranges thrown back into them as by mirrors, which keeps the walk even."""
    width = high - low
    folded = np.mod(point - low, 2.0 * width)
    return low + np.where(folded > width, 2.0 * width - folded, folded)
