"""Distributions of inputs: SciPy's, built from the file's entries, used through their quantile function."""

from collections.abc import Callable

import numpy as np
from scipy import stats

from ..io_json.errors import FileError
from .spec import Distribution

TAIL = 0.025
"""Share beyond either end of a grid over a distribution without ends."""

Quantiles = Callable[[np.ndarray], np.ndarray]
"""Shares in (0, 1) to values."""


def quantiles(distribution: Distribution) -> Quantiles:
    """The quantile function of a distribution. Raises FileError that names what is missing or makes no sense."""
    needed, make = _KINDS[distribution.kind]
    for name in needed:
        if getattr(distribution, name) is None:
            raise FileError(f"a {distribution.kind} distribution needs {name!r}", remedy=f"Add {name!r}")
    return make(distribution)


def _require(is_so: bool, message: str, remedy: str) -> None:
    if not is_so:
        raise FileError(message, remedy=remedy)


def _uniform(d: Distribution) -> Quantiles:
    _require(d.low < d.high, f"low {d.low} is not below high {d.high}", "Give low < high")
    return stats.uniform(d.low, d.high - d.low).ppf


def _normal(d: Distribution) -> Quantiles:
    _require(d.sd > 0.0, f"sd {d.sd} is not above 0", "Give a standard deviation above 0")
    return stats.norm(d.mean, d.sd).ppf


def _truncated_normal(d: Distribution) -> Quantiles:
    _normal(d), _uniform(d)
    ends = (d.low - d.mean) / d.sd, (d.high - d.mean) / d.sd
    return stats.truncnorm(*ends, loc=d.mean, scale=d.sd).ppf


def _triangular(d: Distribution) -> Quantiles:
    _uniform(d)
    _require(d.low <= d.mode <= d.high, f"mode {d.mode} is outside low to high", "Give low <= mode <= high")
    return stats.triang((d.mode - d.low) / (d.high - d.low), d.low, d.high - d.low).ppf


def _discrete(d: Distribution) -> Quantiles:
    values = np.asarray(d.values, dtype=float)
    weights = np.ones(len(values)) if d.weights is None else np.asarray(d.weights, dtype=float)
    _require(len(values) > 0, "there are no values", "Give at least one")
    _require(len(weights) == len(values), "values and weights differ in number", "Give a weight per value")
    _require(bool(np.all(weights > 0.0)), "a weight is not above 0", "Leave values of no weight out")
    rising = np.cumsum(weights / weights.sum())

    def at(shares: np.ndarray) -> np.ndarray:
        return values[np.minimum(np.searchsorted(rising, shares, side="left"), len(values) - 1)]

    return at


def _table(d: Distribution) -> Quantiles:
    """Straight between the points given, or between the observed values, sorted and equally likely."""
    if d.points is None:
        _require(bool(d.values), "a table needs points, values or a path", "Give one of them")
        values = np.sort(np.asarray(d.values, dtype=float))
        shares = (np.arange(len(values)) + 0.5) / len(values)
    else:
        _require(
            all(len(row) == 2 for row in d.points), "a row is not (value, share)", "Give two numbers a row"
        )
        values, shares = np.asarray(d.points, dtype=float).T
        sound = len(shares) > 1 and shares[0] == 0.0 and shares[-1] == 1.0
        _require(
            sound and bool(np.all(np.diff(shares) > 0.0)), "the shares do not rise from 0 to 1", "Sort them"
        )
        _require(bool(np.all(np.diff(values) >= 0.0)), "the values do not rise", "Sort them")
    return lambda at: np.interp(at, shares, values)


_KINDS: dict[str, tuple[tuple[str, ...], Callable[[Distribution], Quantiles]]] = {
    "uniform": (("low", "high"), _uniform),
    "normal": (("mean", "sd"), _normal),
    "truncated_normal": (("mean", "sd", "low", "high"), _truncated_normal),
    "triangular": (("low", "mode", "high"), _triangular),
    "discrete": (("values",), _discrete),
    "table": ((), _table),
}
"""Kind to the members that it needs, and what makes its quantile function."""


def grid_values(distribution: Distribution, levels: int) -> np.ndarray:
    """Values of a grid: evenly spaced from end to end; over 95 % of one without ends; each value of a discrete one."""
    at = quantiles(distribution)
    if distribution.kind == "discrete":
        return np.asarray(distribution.values, dtype=float)
    ends = at(np.array([0.0, 1.0]))
    if not np.all(np.isfinite(ends)):
        ends = at(np.array([TAIL, 1.0 - TAIL]))
    return np.linspace(ends[0], ends[1], levels) if levels > 1 else at(np.array([0.5]))


def describe(distribution: Distribution) -> str:
    """Description of a distribution for the report."""
    d = distribution
    return {
        "uniform": f"uniform from {d.low} to {d.high}",
        "normal": f"normal, mean {d.mean}, standard deviation {d.sd}",
        "truncated_normal": f"normal, mean {d.mean}, standard deviation {d.sd}, cut to {d.low} to {d.high}",
        "triangular": f"triangular from {d.low} over {d.mode} to {d.high}",
        "discrete": f"one of {len(d.values or ())} values",
        "table": "from a table of "
        + (f"{len(d.points)} points" if d.points else f"{len(d.values or ())} values"),
    }[d.kind]
