"""The points that a sweep runs: SciPy's designs on the unit cube, carried to values by the quantile functions."""

import itertools
from collections.abc import Sequence

import numpy as np
from scipy.stats import qmc

from ..io_json.errors import FileError, at_place
from .distributions import grid_values, quantiles
from .spec import Design, Parameter

MOST_RUNS = 10_000_000


def points(design: Design, parameters: Sequence[Parameter]) -> np.ndarray:
    """(runs, parameters) values, in the order in which runs are numbered. Raises FileError."""
    if design.kind == "grid":
        return _grid(design, parameters)
    if design.kind == "one_at_a_time":
        return to_values(one_at_a_time(len(parameters), design.shares), parameters)
    if not 0 < design.runs <= MOST_RUNS:
        raise FileError(
            f"{design.runs} runs cannot be made", place="/design/runs", remedy=f"Give 1 to {MOST_RUNS}"
        )
    return to_values(_shares(design, len(parameters)), parameters)


def _shares(design: Design, count: int) -> np.ndarray:
    """(runs, count) points of the unit cube of a random design."""
    rng = np.random.default_rng(design.seed)
    if design.kind == "latin_hypercube":
        return qmc.LatinHypercube(count, rng=rng).random(design.runs)
    power = design.runs.bit_length() - 1
    if design.runs != 1 << power:
        remedy = f"Give {1 << power} or {2 << power}: Sobol points are balanced only in powers of two"
        raise FileError(f"{design.runs} is no power of two", place="/design/runs", remedy=remedy)
    if design.kind == "sobol":
        return qmc.Sobol(count, rng=rng).random_base2(power)
    return saltelli(qmc.Sobol(2 * count, rng=rng).random_base2(power))


def saltelli(base: np.ndarray) -> np.ndarray:
    """(n (2 + d), d) points for Sobol indices from (n, 2d) base points: A, then B, then A with column j of B.

    The scheme of Saltelli et al., Computer Physics Communications 181 (2010), 259-270.
    """
    first, second = np.hsplit(base, 2)
    mixed = []
    for column in range(first.shape[1]):
        part = first.copy()
        part[:, column] = second[:, column]
        mixed.append(part)
    return np.concatenate([first, second, *mixed])


def one_at_a_time(count: int, shares: Sequence[float]) -> np.ndarray:
    """All at their medians, then each in turn at each of the shares."""
    if not shares or not all(0.0 < share < 1.0 for share in shares):
        raise FileError("shares must be between 0 and 1", place="/design/shares", remedy="Give [0.05, 0.95]")
    rows = [np.full(count, 0.5)]
    for column in range(count):
        for share in shares:
            rows.append(np.full(count, 0.5))
            rows[-1][column] = share
    return np.array(rows)


def to_values(shares: np.ndarray, parameters: Sequence[Parameter]) -> np.ndarray:
    """Points of the unit cube as values of the parameters."""
    columns = []
    for index, parameter in enumerate(parameters):
        with at_place(f"/parameters/{index}/distribution", parameter.name):
            columns.append(quantiles(parameter.distribution)(shares[:, index]))
    values = np.column_stack(columns)
    # a share of exactly 0 of a distribution without an end is a point at infinity
    if not np.all(np.isfinite(values)):
        raise FileError("a point of the design is not finite", place="/design/seed", remedy="Change the seed")
    return values


def _grid(design: Design, parameters: Sequence[Parameter]) -> np.ndarray:
    if design.levels < 1:
        raise FileError("a grid needs levels", place="/design/levels", remedy="Give a number above 0")
    if design.levels > MOST_RUNS:
        remedy = f"Give at most {MOST_RUNS}"
        raise FileError(f"{design.levels} levels cannot be run", place="/design/levels", remedy=remedy)
    axes = [grid_values(parameter.distribution, design.levels) for parameter in parameters]
    count = int(np.prod([float(len(axis)) for axis in axes]))
    if count > MOST_RUNS:
        remedy = "Give fewer levels, or choose latin_hypercube"
        raise FileError(f"the grid has {count} points", place="/design/levels", remedy=remedy)
    return np.array(list(itertools.product(*axes)))
