"""Estimates in words."""

from mannequin.sweeps.statistics import Estimate


def test_estimates_from_few_runs_say_so():
    nan = float("nan")
    assert Estimate(4.123456, 3.8, 4.4).text == "4.123 (3.8 to 4.4)"
    assert Estimate(4.0, nan, 4.4).text == "4 (open to 4.4)"
    assert Estimate(4.0, nan, nan).text == "4 (too few runs to say how sure)"
    assert Estimate(nan, nan, nan).text == "no value"
