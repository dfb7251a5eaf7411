"""Statistics of the table: percentiles and shares with their confidence, convergence, and which input matters.

Confidence intervals are 95 % ones. Percentiles: between two order statistics, from the binomial distribution, whatever
the distribution of the values (SciPy's `quantile_test`). Shares: Wilson's interval. Both are exact or nearly so for
independent runs; Latin hypercube and Sobol points are spread more evenly than that, which makes them cautious.
"""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy import stats

PERCENTILES = (5, 25, 50, 75, 95)
CONFIDENCE = 0.95
CHECKPOINTS = 24
"""Numbers of runs at which convergence is looked at."""
FEWEST = 8
"""Runs below which no correlation is given."""


@dataclass(frozen=True)
class Estimate:
    """A value and its confidence interval; an end is NaN where the runs are too few to give it."""

    value: float
    low: float
    high: float

    @property
    def text(self) -> str:
        """ "4.1 (3.8 to 4.4)"; an end that the runs are too few to give is open."""
        if np.isnan(self.value):
            return "no value"
        if np.isnan(self.low) and np.isnan(self.high):
            return f"{self.value:.4g} (too few runs to say how sure)"
        return f"{self.value:.4g} ({_end(self.low)} to {_end(self.high)})"


def _end(value: float) -> str:
    return "open" if np.isnan(value) else f"{value:.4g}"


def finite(values: np.ndarray) -> np.ndarray:
    """The values that exist."""
    return values[np.isfinite(values)]


def percentile(values: np.ndarray, percent: float) -> Estimate:
    """A percentile of the values that exist, with its distribution-free confidence interval."""
    values = finite(values)
    if not len(values):
        return Estimate(np.nan, np.nan, np.nan)
    interval = stats.quantile_test(values, p=percent / 100.0).confidence_interval(CONFIDENCE)
    return Estimate(float(np.percentile(values, percent)), float(interval.low), float(interval.high))


def share(happened: np.ndarray) -> Estimate:
    """Share of the runs in which something happened, with Wilson's interval."""
    happened = finite(happened)
    if not len(happened):
        return Estimate(np.nan, np.nan, np.nan)
    count = int(np.count_nonzero(happened))
    interval = stats.binomtest(count, len(happened)).proportion_ci(CONFIDENCE, method="wilson")
    return Estimate(count / len(happened), float(interval.low), float(interval.high))


@dataclass(frozen=True)
class Convergence:
    """A percentile as runs accumulate."""

    percent: float
    runs: np.ndarray
    """(k,)"""
    estimates: list[Estimate]


def convergence(values: np.ndarray, percent: float) -> Convergence:
    """A percentile of the first n values, for rising n."""
    values = finite(values)
    least = min(10, len(values))
    counts = np.unique(np.geomspace(max(least, 1), max(len(values), 1), CHECKPOINTS).astype(int))
    counts = counts[counts <= len(values)]
    return Convergence(percent, counts, [percentile(values[:count], percent) for count in counts])


def rank_correlation(inputs: np.ndarray, values: np.ndarray) -> tuple[float, float]:
    """Spearman's rank correlation and its p-value, over the runs where both exist; NaN where one does not vary."""
    both = np.isfinite(inputs) & np.isfinite(values)
    x, y = inputs[both], values[both]
    if len(x) < FEWEST or np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return np.nan, np.nan
    result = stats.spearmanr(x, y)
    return float(result.statistic), float(result.pvalue)


@dataclass(frozen=True)
class SobolIndices:
    """Shares of the variance of a value: (d,) each, first order and total, with bootstrap confidence intervals."""

    first: list[Estimate]
    total: list[Estimate]
    base: int
    """Base points used."""


def sobol(values: np.ndarray, parameters: int, seed: int = 1) -> SobolIndices | None:
    """Sobol indices of the (n (2 + d),) values of a saltelli design, by SciPy (Saltelli 2010); None where too few.

    Where runs failed, the largest first part of the base points that is complete and a power of two is used: Sobol
    points stay balanced in it.
    """
    n = len(values) // (2 + parameters)
    table = values.reshape(2 + parameters, n)
    complete = np.all(np.isfinite(table), axis=0)
    usable = n if complete.all() else int(np.argmin(complete))
    if usable < FEWEST:
        return None
    n = 1 << (usable.bit_length() - 1)
    table = table[:, :n]
    if np.ptp(table) == 0.0:
        return None
    blocks = {"f_A": table[:1], "f_B": table[1:2], "f_AB": table[2:][:, None, :]}
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", RuntimeWarning
        )  # a resample without variance gives a NaN, shown as such
        indices = stats.sobol_indices(func=blocks, n=n, rng=np.random.default_rng(seed))
        spread = indices.bootstrap(confidence_level=CONFIDENCE)
    return SobolIndices(
        _estimates(indices.first_order, spread.first_order.confidence_interval),
        _estimates(indices.total_order, spread.total_order.confidence_interval),
        n,
    )


def _estimates(values: np.ndarray, interval) -> list[Estimate]:
    lows, highs = np.ravel(interval.low), np.ravel(interval.high)
    rows = zip(np.ravel(values), lows, highs, strict=True)
    return [Estimate(float(value), float(low), float(high)) for value, low, high in rows]


def one_at_a_time_ends(values: np.ndarray, parameters: int) -> tuple[float, np.ndarray]:
    """The value at the medians, and (d, k) the values with each parameter in turn at its k shares."""
    return float(values[0]), values[1:].reshape(parameters, -1)
