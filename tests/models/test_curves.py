"""The rating of a curve over a corridor in time, by hand."""

import numpy as np
import pytest

from mannequin.models.validation.curves import followed

LEVEL = ((10.0, 8.0, 12.0), (20.0, 8.0, 12.0))
"""A corridor of 2 to both sides of 10; the outer one is half of 10 to both sides, 5 to 15."""


@pytest.mark.parametrize(
    ("value", "rating", "excursion"),
    [
        (10.0, 1.0, 0.0),
        (12.0, 1.0, 0.0),
        (13.5, 0.25, 1.5),
        (6.5, 0.25, 1.5),
        (15.0, 0.0, 3.0),
        (40.0, 0.0, 28.0),
    ],
)
def test_a_level_curve(value, rating, excursion):
    """13.5 is half way from 12 to 15: a half to the power of two."""
    times = np.linspace(0.0, 30.0, 61)
    found = followed(times, np.full(61, value), LEVEL)
    assert (found.rating, found.excursion) == (pytest.approx(rating), pytest.approx(excursion))


def test_only_the_time_of_the_corridor_counts_and_it_is_straight_between():
    times = np.linspace(0.0, 30.0, 301)
    rising = ((10.0, 0.0, 2.0), (20.0, 10.0, 12.0))
    inside = np.where(times < 10.0, 99.0, times - 9.0)
    assert followed(times, inside, rising).rating == 1.0
    assert followed(times, inside, rising).excursion == 0.0


def test_half_the_samples_outside_count_half():
    times = np.array([10.0, 12.0, 18.0, 20.0])
    assert followed(times, np.array([10.0, 10.0, 30.0, 30.0]), LEVEL).rating == pytest.approx(0.5)


def test_a_curve_without_a_sample_there_is_refused():
    with pytest.raises(ValueError, match="no sample between 10 and 20"):
        followed([1.0, 2.0], [0.0, 0.0], LEVEL)
