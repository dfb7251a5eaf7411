"""Measures against closed forms (reference tables of pulses), brute force and SciPy."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import signal as scipy_signal

from mannequin.analysis.measures import filters, risk
from mannequin.analysis.measures.brain import CRITICAL, bric
from mannequin.analysis.measures.clip import clip_contiguous, clip_cumulative
from mannequin.analysis.measures.filters import CLASSES, coefficients, filter_cfc, filter_channel
from mannequin.analysis.measures.hic import hic
from mannequin.analysis.measures.impact import total_duration
from mannequin.analysis.measures.neck import INTERCEPTS, nij
from mannequin.analysis.measures.severity import gsi

SAMPLES = 4001


def rectangle(peak, duration):
    """Exact: jumps are two samples at one time, with rest before and after."""
    times = np.array([-0.1, 0.0, 0.0, duration, duration, duration + 0.1])
    return times, np.array([0.0, 0.0, peak, peak, 0.0, 0.0])


def half_sine(peak, duration):
    times = np.linspace(0.0, duration, SAMPLES)
    return times, peak * np.sin(np.pi * times / duration).clip(0.0)


def triangle(peak, duration):
    return np.array([-0.05, 0.0, duration / 2, duration, duration + 0.05]), np.array([0, 0, peak, 0, 0.0])


# pulse, peak g, duration s, HIC15, HIC36, GSI, 3 ms clip (section 4.1 of the project's reference, computed there by
# closed form: half-sine after Chou and Nyquist 1974).
PULSES = [
    (rectangle, 100, 0.010, 1000.0, 1000.0, 1000.0, 100.0),
    (rectangle, 60, 0.020, 418.2822, 557.7096, 557.7096, 60.0),
    (rectangle, 50, 0.050, 265.1650, 636.3961, 883.8835, 50.0),
    (half_sine, 100, 0.010, 414.6456, 414.6456, 457.6559, 89.10065),
    (half_sine, 150, 0.006, 685.5774, 685.5774, 756.6907, 106.0660),
    (half_sine, 60, 0.040, 361.3591, 462.5037, 510.4781, 59.58411),
    (half_sine, 50, 0.100, 259.0905, 556.2021, 809.0289, 49.94449),
    (triangle, 100, 0.010, 246.4007, 246.4007, 285.7143, 70.0),
    (triangle, 100, 0.040, 892.5852, 985.6026, 1142.857, 92.5),
]


@pytest.mark.parametrize("pulse, peak, duration, hic15, hic36, severity, clip", PULSES)
def test_pulse_table(pulse, peak, duration, hic15, hic36, severity, clip):
    times, a = pulse(peak, duration)
    assert hic(times, a, 0.015).value == pytest.approx(hic15, rel=2e-6)
    assert hic(times, a, 0.036).value == pytest.approx(hic36, rel=2e-6)
    assert gsi(times, a) == pytest.approx(severity, rel=2e-6)
    assert clip_contiguous(times, a) == pytest.approx(clip, rel=2e-6)
    assert clip_cumulative(times, a) == pytest.approx(clip, rel=2e-6)


@pytest.mark.parametrize(
    "shape, factor, share, gadd",
    [
        (lambda x: np.sin(np.pi * x) ** 2, 0.3029388550, 0.5075918, 0.3395305453),
        (lambda x: 4 * x * (1 - x), 0.4482619614, 1 / math.sqrt(2), 0.4908738521),
        (lambda x: np.sin(np.pi * x), 0.4146456495, 0.6702297, 0.4576558581),
    ],
)
def test_pulse_factors(shape, factor, share, gadd):
    """HIC = factor A^2.5 T in a window of `share` T."""
    x = np.linspace(0.0, 1.0, SAMPLES)
    result = hic(0.01 * x, 80 * shape(x).clip(0.0), 0.015)
    scale = 80**2.5 * 0.01
    assert result.value == pytest.approx(factor * scale, rel=2e-6)
    assert result.end - result.start == pytest.approx(share * 0.01, rel=1e-4)
    assert gsi(0.01 * x, 80 * shape(x).clip(0.0)) == pytest.approx(gadd * scale, rel=2e-6)


def test_sawtooth_has_its_window_at_the_jump():
    """HIC = 0.2464006574 A^2.5 T in the last 4/7 of the pulse; three samples are enough."""
    result = hic(np.array([0.0, 0.01, 0.01]), np.array([0.0, 100.0, 0.0]), 0.015)
    assert result.value == pytest.approx(0.2464006574 * 100**2.5 * 0.01, rel=1e-9)
    assert (result.start, result.end) == pytest.approx((0.01 * 3 / 7, 0.01), rel=1e-9)


def brute_force_hic(times, a, window, points=1500):
    """Every pair of a fine grid over the straight-line signal; times must be distinct."""
    fine = np.union1d(np.linspace(times[0], times[-1], points), times)
    values = np.interp(fine, times, a)
    integral = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(fine) * (values[1:] + values[:-1]))])
    width = fine[None, :] - fine[:, None]
    gain = integral[None, :] - integral[:, None]
    allowed = (width > 0) & (width <= window * (1 + 1e-12))
    return np.max(gain[allowed] ** 2.5 / width[allowed] ** 1.5)


@given(
    st.lists(st.tuples(st.floats(2e-4, 0.01), st.floats(0, 200)), min_size=2, max_size=25),
    st.sampled_from([0.015, 0.036, 0.004]),
)
@settings(max_examples=60, deadline=None)
def test_hic_is_the_maximum_over_all_windows(samples, window):
    """Never below a dense scan, above it by no more than the scan's grid, and its own window gives its value."""
    steps, a = np.array(samples).T
    times = np.cumsum(steps)
    result = hic(times, a, window)
    scanned = brute_force_hic(times, a, window)
    assert result.value >= scanned * (1 - 1e-9)
    assert result.value <= scanned * 1.02 + 1e-9
    assert result.end - result.start <= window * (1 + 1e-9)
    if result.value > 0:
        grid = np.union1d(np.linspace(result.start, result.end, 20001), times)
        grid = grid[(grid >= result.start) & (grid <= result.end)]
        gain = np.trapezoid if hasattr(np, "trapezoid") else np.trapz
        mean = gain(np.interp(grid, times, a), grid) / (result.end - result.start)
        assert result.value == pytest.approx((result.end - result.start) * mean**2.5, rel=1e-6)


def test_hic_scales_with_speed():
    """Mass on a linear spring: A = v sqrt(k/m), T = pi sqrt(m/k), so HIC goes with v^2.5 while unconstrained."""
    times = np.linspace(0, 0.008, 801)
    one, two = (hic(times, v * 100 * np.sin(np.pi * times / 0.008).clip(0), 0.015).value for v in (1.0, 2.0))
    assert two / one == pytest.approx(2**2.5, rel=1e-12)


@pytest.mark.parametrize("a", [np.zeros(5), np.array([]), np.array([3.0])])
def test_hic_of_nothing_is_zero(a):
    assert hic(np.arange(len(a)) * 0.001, a, 0.015).value == 0.0


def test_hic_refuses_what_is_no_resultant():
    with pytest.raises(ValueError, match="never negative"):
        hic(np.array([0.0, 1.0]), np.array([1.0, -1.0]), 0.015)
    with pytest.raises(ValueError, match="times"):
        hic(np.array([1.0, 0.0]), np.array([1.0, 1.0]), 0.015)


def test_clip_readings_differ_for_two_short_peaks():
    """Two triangles of 100 g, 4 ms each: one holds L for 4 ms (1 - L/100), both together twice that."""
    times = np.array([0, 0.002, 0.004, 0.010, 0.012, 0.014])
    a = np.array([0, 100, 0, 0, 100, 0.0])
    assert clip_contiguous(times, a) == pytest.approx(25.0, rel=1e-8)
    assert clip_cumulative(times, a) == pytest.approx(62.5, rel=1e-8)


def test_clip_of_a_signal_that_is_too_short():
    assert clip_contiguous(np.array([0, 0.001]), np.array([50.0, 50.0])) == 0.0


# Sampling rate, class, a0, b1, b2 and two-pass -3 dB frequency (section 4.3 of the reference).
FILTERS = [
    (10e3, 60, 0.0014523675, 1.8893432242, -0.8951526941, 99.92),
    (10e3, 180, 0.0117962711, 1.6701174633, -0.7173025477, 300.19),
    (10e3, 600, 0.0971846253, 0.9455740091, -0.3343125102, 1017.28),
    (10e3, 1000, 0.2192314172, 0.3118965450, -0.1888222139, 1749.60),
    (20e3, 60, 0.0003730006, 1.9446330455, -0.9461250480, 99.90),
    (20e3, 180, 0.0031826362, 1.8341964219, -0.8469269669, 299.82),
    (20e3, 600, 0.0298060720, 1.4557282139, -0.5749525021, 1003.55),
    (20e3, 1000, 0.0718930971, 1.1115861762, -0.3991585644, 1686.14),
]


@pytest.mark.parametrize("rate, cfc, a0, b1, b2, corner", FILTERS)
def test_filter_table(rate, cfc, a0, b1, b2, corner):
    c = coefficients(cfc, rate)
    assert (c.a0, c.a1, c.a2) == pytest.approx((a0, 2 * a0, a0), abs=2e-10)
    assert (c.b1, c.b2) == pytest.approx((b1, b2), abs=1e-9)
    assert (c.a0 + c.a1 + c.a2) / (1 - c.b1 - c.b2) == pytest.approx(1.0, abs=1e-12)
    _, gain = scipy_signal.freqz([c.a0, c.a1, c.a2], [1, -c.b1, -c.b2], worN=[corner], fs=rate)
    assert abs(gain[0]) ** 2 == pytest.approx(10 ** (-3 / 20), rel=1e-4)


@pytest.mark.parametrize("count, rate", [(500, 10e3), (20_000, 100e3)])
@pytest.mark.parametrize("cfc", CLASSES)
def test_filter_matches_scipy(cfc, count, rate):
    rng = np.random.default_rng(7)
    x = rng.normal(size=(count, 3)).cumsum(axis=0)
    c = coefficients(cfc, rate)
    expected = scipy_signal.filtfilt([c.a0, c.a1, c.a2], [1, -c.b1, -c.b2], x, axis=0, padtype=None, padlen=0)
    np.testing.assert_allclose(filter_cfc(x, cfc, rate), expected, rtol=0, atol=1e-11 * np.abs(x).max())


def test_filter_shifts_nothing_in_time():
    times = np.arange(0, 0.1, 1e-4)
    pulse = np.exp(-(((times - 0.05) / 0.004) ** 2))
    filtered = filter_cfc(pulse, 180, 10e3)
    assert times[np.argmax(filtered)] == pytest.approx(0.05, abs=1e-9)
    np.testing.assert_allclose(filter_cfc(np.full(50, 3.7), 60, 10e3), 3.7, rtol=1e-12)


def test_slow_sampling_is_left_unfiltered_and_said():
    times = np.arange(200) * 1e-3
    x = np.sin(40 * times)
    _, same, warnings = filter_channel(times, x, 1000)
    assert np.array_equal(same, x)
    assert "10000 samples per second" in warnings[0] and "time_step to 0.0001" in warnings[0]


def test_uneven_times_are_resampled_before_filtering():
    times = np.concatenate([np.arange(0, 0.05, 1e-4), [0.0501]])
    times[3] += 3e-5
    even, x, warnings = filter_channel(times, 2.0 * times, 60)
    assert np.allclose(np.diff(even), np.diff(even)[0])
    assert "resampled" in warnings[0]
    inside = (even > 0.02) & (even < 0.03)  # away from both ends, where the filter starts
    np.testing.assert_allclose(x[inside], 2.0 * even[inside], atol=1e-6)


def test_filter_refuses_an_impossible_rate():
    with pytest.raises(ValueError, match="samples per second"):
        coefficients(1000, 4000)


def test_bric():
    history = np.array([[30, 0, 0], [0, -20, 0], [0, 0, 15.0]])
    assert bric(history) == pytest.approx(0.6730581, abs=1e-7)
    assert bric(np.diag(CRITICAL["MPS"]), CRITICAL["MPS"]) == pytest.approx(math.sqrt(3))


def test_nij():
    """Tension with flexion, compression with extension (section 4.5 of the reference), and the two mixed cases."""
    man = INTERCEPTS["50th male"]
    histories = nij(np.array([2000.0, -2000.0, 2000.0, -2000.0]), np.array([50.0, -50.0, -50.0, 50.0]), man)
    assert histories["NTF"].tolist() == pytest.approx([0.4551487, 0, 0, 0], abs=1e-7)
    assert histories["NCE"].tolist() == pytest.approx([0, 0.6950457, 0, 0], abs=1e-7)
    assert histories["NTE"].tolist() == pytest.approx([0, 0, 2000 / 6806 + 50 / 135, 0])
    assert histories["NCF"].tolist() == pytest.approx([0, 0, 0, 2000 / 6160 + 50 / 310])


@pytest.mark.parametrize(
    "name, level, value, expected",
    [
        ("US NCAP log-normal", "AIS 3+", 700, 0.1116),
        ("US NCAP log-normal", "AIS 3+", 1000, 0.2309),
        ("Prasad-Mertz", "AIS 3+", 700, 0.2551),
        ("Prasad-Mertz", "AIS 3+", 1000, 0.5325),
        ("Takhounts 2013 Weibull", "AIS 2+", 0.602, 1 - math.exp(-1)),
    ],
)
def test_risk_curves(name, level, value, expected):
    curve = next(c for c in risk.CURVES if c.name == name and c.severity == level)
    assert curve.probability(value) == pytest.approx(expected, abs=6e-5)
    assert curve.probability(0.0) == 0.0


def test_durations_that_overlap_count_once():
    assert total_duration(np.array([0.0, 0.5, 3.0]), np.array([1.0, 2.0, 3.5])) == pytest.approx(2.5)


@pytest.mark.skipif(not filters.IS_COMPILED, reason="the engine runs interpreted")
@pytest.mark.parametrize("count", [1, 2, 3, 1000])
def test_filters_give_the_same_bits_compiled_and_interpreted(count, monkeypatch):
    signal = np.random.default_rng(count).normal(size=(count, 3)) * 100.0
    compiled = filters.filter_cfc(signal, 180, 1e4)
    monkeypatch.setattr(filters, "single_pass", filters.single_pass.py_func)
    monkeypatch.setattr(filters, "forward_and_backward", filters.forward_and_backward.function)
    assert filters.filter_cfc(signal, 180, 1e4).tobytes() == compiled.tobytes()
