"""Likelihood of evidence under a hypothesis, from the runs of its sweep; ratios with their intervals.

Each run i of a hypothesis h gives values y_ij of the measures j. With evidence e_j measured with a standard deviation
s_j (docs/derivations.md, Likelihood ratios from runs):

counting    p_h = share of runs with |y_ij - e_j| <= W s_j for all j, W = `WINDOW`
density     L_h = mean over runs of prod_j N(e_j; y_ij, s_j^2 + b_hj^2), b_hj the width of the kernel

The interval of the ratio of two shares is Katz's, with half a run added to each count; that of two densities is from
the bootstrap over runs. Neither knows of errors of the model itself.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

WINDOW = 2.0
"""Standard deviations of the measurement within which a run agrees with the evidence."""
NORMAL_95 = 1.959964
BOOTSTRAPS = 400
LEAST = 1e-300
SCALE = (
    (2.0, "does not tell them apart"),
    (10.0, "gives weak support"),
    (100.0, "gives moderate support"),
    (1000.0, "gives moderately strong support"),
    (10000.0, "gives strong support"),
    (1e6, "gives very strong support"),
)
"""Ratio up to which the words are used: the verbal scale of the ENFSI guideline for evaluative reporting (2015)."""
UNINFORMATIVE = "The evidence does not tell them apart: the interval of the ratio contains 1."


@dataclass(frozen=True)
class Ratio:
    """How much better one hypothesis explains the evidence than another, with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def is_informative(self) -> bool:
        """False where the interval contains 1."""
        return not self.low <= 1.0 <= self.high

    def words(self, first: str, second: str) -> str:
        """The ratio in words: which hypothesis is supported, and how strongly."""
        if not self.is_informative:
            return UNINFORMATIVE
        stronger, weaker, size = (
            (first, second, self.value) if self.value > 1.0 else (second, first, 1.0 / self.value)
        )
        phrase = next((words for limit, words in SCALE if size < limit), "gives extremely strong support")
        return f"The evidence {phrase} for '{stronger}' over '{weaker}'."

    @property
    def text(self) -> str:
        """Value and interval, without false digits."""
        return f"{_short(self.value)} ({_short(self.low)} to {_short(self.high)})"


def _short(value: float) -> str:
    if value >= 1e4 or 0.0 < value < 1e-3:
        return f"{value:.0e}"
    return f"{value:.2g}" if value < 100.0 else f"{value:.0f}"


def agreement(values: np.ndarray, evidence: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """(runs,) whether each run of (runs, measures) agrees with the evidence in every measure."""
    return np.all(np.abs(values - evidence) <= WINDOW * errors, axis=1)


def counted_ratio(first: np.ndarray, second: np.ndarray) -> Ratio:
    """Ratio of the shares of agreeing runs, given for each run whether it agrees; Katz's interval."""
    a, n = float(np.count_nonzero(first)) + 0.5, len(first) + 0.5
    b, m = float(np.count_nonzero(second)) + 0.5, len(second) + 0.5
    value = (a / n) / (b / m)
    spread = NORMAL_95 * math.sqrt(max(0.0, 1.0 / a - 1.0 / n + 1.0 / b - 1.0 / m))
    return Ratio(value, value * math.exp(-spread), value * math.exp(spread))


def kernel_width(values: np.ndarray) -> np.ndarray:
    """(measures,) width of the kernel: Silverman's rule with the smaller of spread and quartiles.

    Runs that lack a measure have no part in it.
    """
    values = values[np.all(np.isfinite(values), axis=1)]
    count, measures = values.shape
    if not count:
        return np.zeros(measures)
    quartiles = np.subtract(*np.percentile(values, [75, 25], axis=0)) / 1.349
    spread = np.std(values, axis=0, ddof=1) if count > 1 else np.zeros(measures)
    smaller = np.where(quartiles > 0.0, np.minimum(spread, quartiles), spread)
    return smaller * (4.0 / ((measures + 2.0) * count)) ** (1.0 / (measures + 4.0))


def run_likelihoods(values: np.ndarray, evidence: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """(runs,) density of the evidence for each run, measurement and kernel together.

    Zero for a run that lacks a measure: what was found did not come about in it.
    """
    variance = np.square(errors) + np.square(kernel_width(values))
    exponent = -0.5 * np.square(values - evidence) / variance
    density = np.exp(np.sum(exponent - 0.5 * np.log(2.0 * math.pi * variance), axis=1))
    return np.where(np.isfinite(density), density, 0.0)


def density_ratio(first: np.ndarray, second: np.ndarray, seed: int = 1) -> Ratio:
    """Ratio of the mean likelihoods, given for each run its own; bootstrap interval."""
    value = max(float(np.mean(first)), LEAST) / max(float(np.mean(second)), LEAST)
    draw = np.random.default_rng(seed)
    drawn = [
        np.maximum(part[draw.integers(0, len(part), (BOOTSTRAPS, len(part)))].mean(axis=1), LEAST)
        for part in (first, second)
    ]
    low, high = np.percentile(np.log(drawn[0]) - np.log(drawn[1]), [2.5, 97.5])
    return Ratio(value, float(np.exp(low)), float(np.exp(high)))


@dataclass(frozen=True)
class Calibration:
    """How ratios behaved in synthetic cases, whose true hypothesis is known."""

    cases: int
    favoured: float
    """Share of cases in which the true hypothesis was favoured."""
    misleading: float
    """Share in which the other one was favoured by an interval that does not contain 1."""
    uninformative: float

    @property
    def text(self) -> str:
        """How often synthetic cases favoured the true hypothesis, in words."""
        if not self.cases:
            return "Without calibration: in no run of one of them came about what was found."
        return (
            f"In {self.cases} synthetic cases made from these sweeps the true hypothesis was favoured in "
            f"{100.0 * self.favoured:.0f} %; the evidence was misleading in {100.0 * self.misleading:.1f} % and said "
            f"nothing in {100.0 * self.uninformative:.0f} %."
        )


def calibrate(
    sweeps: Sequence[np.ndarray], errors: np.ndarray, cases: int = 200, seed: int = 1
) -> Calibration:
    """Take runs of each of two sweeps in turn for the truth, add an error of measurement, and judge by all others.

    Runs that lack a measure could not have left this evidence, and are never the truth.
    """
    whole = [np.flatnonzero(np.all(np.isfinite(values), axis=1)) for values in sweeps]
    if not all(len(numbers) for numbers in whole):
        return Calibration(0, 0.0, 0.0, 0.0)
    draw = np.random.default_rng(seed)
    favoured = misleading = silent = 0
    for case in range(cases):
        true = case % 2
        chosen = int(whole[true][draw.integers(len(whole[true]))])
        evidence = sweeps[true][chosen] + errors * draw.standard_normal(len(errors))
        left = [np.delete(values, chosen, axis=0) if k == true else values for k, values in enumerate(sweeps)]
        ratio = density_ratio(*(run_likelihoods(values, evidence, errors) for values in left), seed=case)
        is_right = (ratio.value > 1.0) == (true == 0)
        favoured += is_right
        misleading += ratio.is_informative and not is_right
        silent += not ratio.is_informative
    return Calibration(cases, favoured / cases, misleading / cases, silent / cases)


def expected_information(
    sweeps: Sequence[np.ndarray], error: float, draws: int = 400, seed: int = 1
) -> float:
    """Bits that a measurement with this error is expected to give about which hypothesis is true, all being as likely.

    sweeps: (runs,) values of the measure under each. I = mean over h, e of log2 p(e | h) / mean over h' of p(e | h').
    """
    draw, total = np.random.default_rng(seed), 0.0
    errors = np.array([error])
    for true, values in enumerate(sweeps):
        chosen = draw.integers(0, len(values), draws)
        seen = values[chosen] + error * draw.standard_normal(draws)
        for number, value in zip(chosen, seen, strict=True):
            left = [np.delete(v, number) if k == true else v for k, v in enumerate(sweeps)]
            densities = [
                max(float(np.mean(run_likelihoods(v[:, None], np.array([value]), errors))), LEAST)
                for v in left
            ]
            total += math.log2(densities[true] / (sum(densities) / len(densities)))
    return max(0.0, total / (draws * len(sweeps)))
