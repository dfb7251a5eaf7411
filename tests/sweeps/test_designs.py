"""Distributions and designs."""

import tracemalloc

import numpy as np
import pytest
from scipy.integrate import quad

from mannequin.io_json.errors import FileError
from mannequin.sweeps.design import points
from mannequin.sweeps.distributions import quantiles
from mannequin.sweeps.spec import Design, Distribution, Parameter

SPREADS = {
    "uniform": (Distribution("uniform", low=2, high=5), 3.5, 0.75),
    "normal": (Distribution("normal", mean=1.4, sd=0.2), 1.4, 0.04),
    # triangular: mean (a + b + c) / 3, variance (a^2 + b^2 + c^2 - ab - ac - bc) / 18
    "triangular": (Distribution("triangular", low=0, mode=1, high=5), 2.0, (0 + 1 + 25 - 0 - 0 - 5) / 18),
    # symmetric cut at one standard deviation: variance 1 - 2 phi(1) / (2 Phi(1) - 1)
    "truncated": (Distribution("truncated_normal", mean=0, sd=1, low=-1, high=1), 0.0, 0.29112509),
    "points": (Distribution("table", points=[[1, 0], [2, 0.5], [5, 1]]), 2.5, 1.4166666667),
}


@pytest.mark.parametrize("name", SPREADS)
def test_moments_are_those_of_the_books(name):
    distribution, mean, variance = SPREADS[name]
    at = quantiles(distribution)

    def moment(power):
        return quad(lambda share: float(at(np.array([share]))[0]) ** power, 0, 1, limit=200)[0]

    assert moment(1) == pytest.approx(mean, abs=1e-6)
    assert moment(2) - moment(1) ** 2 == pytest.approx(variance, rel=1e-5)


def test_discrete_values_come_by_their_weights():
    at = quantiles(Distribution("discrete", values=[65, 75, 85], weights=[1, 2, 1]))
    values, counts = np.unique(at((np.arange(400) + 0.5) / 400), return_counts=True)
    assert (values.tolist(), counts.tolist()) == ([65, 75, 85], [100, 200, 100])


def test_observed_values_come_back_at_their_shares():
    at = quantiles(Distribution("table", values=[3.0, 1.0, 2.0, 4.0]))
    assert at(np.array([0.125, 0.375, 0.625, 0.875])).tolist() == [1.0, 2.0, 3.0, 4.0]


def two():
    return [
        Parameter("a", "a", Distribution("uniform", low=0, high=1)),
        Parameter("b", "b", Distribution("normal", mean=0, sd=1)),
    ]


def test_latin_hypercube_has_one_point_in_every_slice():
    found = points(Design("latin_hypercube", 50, seed=4), two())
    assert sorted((found[:, 0] * 50).astype(int).tolist()) == list(range(50))
    again = points(Design("latin_hypercube", 50, seed=4), two())
    other = points(Design("latin_hypercube", 50, seed=5), two())
    assert np.array_equal(found, again) and not np.array_equal(found, other)


def test_sobol_points_fill_every_quarter_alike():
    found = points(Design("sobol", 64, seed=4), two())
    quarters = (found[:, 0] > 0.5) * 2 + (found[:, 1] > 0.0)
    assert np.bincount(quarters).tolist() == [16, 16, 16, 16]


def test_grid_reaches_the_ends():
    found = points(Design("grid", levels=3), two())
    assert len(found) == 9
    assert np.unique(found[:, 0]).tolist() == [0.0, 0.5, 1.0]
    assert np.unique(found[:, 1]) == pytest.approx([-1.959964, 0.0, 1.959964], abs=1e-6)


BAD = [
    (Design("sobol", 100), two(), "power of two"),
    (Design("latin_hypercube", 0), two(), "0 runs"),
    (Design(), [Parameter("a", "a", Distribution("uniform", low=1))], "needs 'high'"),
    (Design(), [Parameter("a", "a", Distribution("uniform", low=2, high=1))], "not below"),
    (Design(), [Parameter("a", "a", Distribution("normal", mean=2, sd=0))], "not above 0"),
    (Design(), [Parameter("a", "a", Distribution("triangular", low=0, high=1, mode=3))], "outside"),
    (
        Design(),
        [Parameter("a", "a", Distribution("discrete", values=[1], weights=[1, 2]))],
        "differ in number",
    ),
    (Design(), [Parameter("a", "a", Distribution("table", points=[[0, 0], [1, 0.5]]))], "rise from 0 to 1"),
    (Design("grid", levels=4000), two(), "16000000 points"),
    (Design("one_at_a_time", shares=[0.0]), two(), "between 0 and 1"),
]


@pytest.mark.parametrize(("design", "parameters", "said"), BAD)
def test_nonsense_is_refused_with_a_remedy(design, parameters, said):
    with pytest.raises(FileError, match=said) as refused:
        points(design, parameters)
    assert refused.value.remedy


def test_a_grid_of_any_size_is_refused_before_it_is_made():
    tracemalloc.start()
    try:
        with pytest.raises(FileError, match="1000000000 levels cannot be run"):
            points(Design("grid", levels=10**9), two()[:1])
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
