"""Time of a shot: the speed is the derivative of what is shown, and the shot ends where it was asked to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from mannequin.analysis.shot_times import shot_times


@given(
    some.floats(0.0, 5.0),
    some.floats(0.02, 3.0),
    some.floats(0.5, 100.0),
    some.floats(0.0, 2.0),
    some.floats(24.0, 240.0),
)
def test_a_shot_covers_its_range_and_tells_its_true_speed(start, length, slowness, ease, rate):
    """Central differences of the times are the speed between the neighbours' speeds; times never go back."""
    found = shot_times(start, start + length, slowness, ease, rate)
    assert found.times[0] == pytest.approx(start, abs=1e-9)
    assert start + length - found.times[-1] <= max(1.0, 1.0 / slowness) / rate + 1e-9
    assert (np.diff(found.times) > 0.0).all()
    speeds = 1.0 / found.factors
    shown = np.diff(found.times) * rate
    low, high = np.minimum(speeds[:-1], speeds[1:]), np.maximum(speeds[:-1], speeds[1:])
    both = min(1.0, 1.0 / slowness), max(1.0, 1.0 / slowness)
    assert (shown > np.minimum(low, both[0]) - 1e-6).all() and (
        shown < np.maximum(high, both[1]) + 1e-6
    ).all()
    assert found.factors.max() <= max(1.0, slowness) * (1 + 1e-9)


def test_the_speed_sets_in_softly():
    """A tenth of the speed within half a second: at the ends true speed, in the middle a tenth, no jump between."""
    found = shot_times(0.0, 2.0, 10.0, 0.5, 1000.0)
    speeds = np.gradient(found.times, 1e-3)
    assert speeds[0] == pytest.approx(1.0, abs=1e-2) and speeds[-1] == pytest.approx(1.0, abs=1e-2)
    assert speeds[len(speeds) // 2] == pytest.approx(0.1, abs=1e-6)
    assert np.abs(np.diff(speeds)).max() < 1.5 * 0.9 / 500.0 * 1.1, (
        "the steepest slope of the ramp, 1.5 x 0.9 in 0.5 s"
    )
    np.testing.assert_allclose(speeds[1:-1], 1.0 / found.factors[1:-1], atol=1e-4)
    assert found.times[-1] == pytest.approx(2.0, abs=1e-3)


def test_without_ease_a_shot_is_evenly_slow():
    found = shot_times(0.4, 0.6, 8.0, 0.0, 25.0)
    np.testing.assert_allclose(np.diff(found.times), 1.0 / 25.0 / 8.0, rtol=1e-9)
    assert len(found.times) == 41 and (found.factors == 8.0).all()


@pytest.mark.parametrize("wrong", [(1.0, 1.0, 1.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 1.0, 1.0, -1.0)])
def test_a_shot_without_length_or_speed_is_refused(wrong):
    with pytest.raises(ValueError, match="shot"):
        shot_times(*wrong, 25.0)
