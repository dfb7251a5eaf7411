"""From excitation to activation: tone or curve, the stretch reflex with its delay, and first-order dynamics.

For an excitation that is constant over a step both forms have an exponential solution, which is used: exact, and stable
for every step (docs/derivations.md, Activation).
"""

from math import exp, floor

from ..jit.decorators import compiled
from ..maths.curves import curve_held
from .arrays import (
    ACTUATOR,
    BY_RATE,
    DELAY,
    FALL,
    FASTEST,
    FORM,
    GAIN,
    LEAST,
    OPTIMAL,
    RATE_GAIN,
    RISE,
    THRESHOLD,
    TONE,
)


@compiled
def base_excitation(m, i, t):
    """Curve over time, or tone."""
    first = m.curve_first[i]
    last = m.curve_first[i + 1]
    if last > first:
        return curve_held(m.curve_time, m.curve_value, first, last, t)
    return float(m.unit[i, TONE])


@compiled
def remembered(s, row, samples, place, column):
    """History value between two samples; `place` counts samples, and before the first the first holds."""
    room = s.history.shape[1]
    if place <= 0.0:
        place = 0.0
    k = int(floor(place))
    if k >= samples - 1:
        return float(s.history[row, (samples - 1) % room, column])
    share = place - k
    return (1.0 - share) * s.history[row, k % room, column] + share * s.history[row, (k + 1) % room, column]


@compiled
def reflex_excitation(m, s, i, t):
    """gain * (length - threshold) + rate gain * lengthening speed, a delay ago, while past the threshold."""
    row = m.reflex_row[i]
    samples = s.samples[0]
    if row < 0 or samples == 0:
        return 0.0
    place = (t - float(m.reflex[i, DELAY])) / float(m.sample_time[0])
    stretch = remembered(s, row, samples, place, 0) - float(m.reflex[i, THRESHOLD])
    if stretch <= 0.0:
        return 0.0
    speed = max(0.0, remembered(s, row, samples, place, 1))
    return float(m.reflex[i, GAIN]) * stretch + float(m.reflex[i, RATE_GAIN]) * speed


@compiled
def excitation_of(m, s, i, t):
    """Everything, held within the least activation and 1. What is commanded stands in place of tone or curve."""
    base = float(s.commanded[i])
    if base != base:
        base = base_excitation(m, i, t)
    total = base + reflex_excitation(m, s, i, t)
    return min(1.0, max(float(m.unit[i, LEAST]), total))


@compiled
def activation_after(m, i, a, u, step):
    """Activation after a step with constant excitation u; an actuator has it at once."""
    if m.kind[i, FORM] == ACTUATOR:
        return u
    if step <= 0.0 or u == a:
        return a
    unit = m.unit[i]
    if m.kind[i, BY_RATE] != 0:
        rate = (float(unit[RISE]) - float(unit[FALL])) * u + float(unit[FALL])
    else:
        rate = 1.0 / float(unit[RISE]) if u > a else 1.0 / float(unit[FALL])
    return u + (a - u) * exp(-step * rate)


@compiled
def remember(m, s, i, t_before, l_before, t, fibre, v):
    """Take the samples of fibre length fibre (m) and velocity v (m/s) that fall after t_before and until t."""
    row = m.reflex_row[i]
    if row < 0:
        return
    unit = m.unit[i]
    step = float(m.sample_time[0])
    room = s.history.shape[1]
    k = s.samples[0]
    while k * step <= t:
        share = 1.0
        if t > t_before:
            share = (k * step - t_before) / (t - t_before)
        s.history[row, k % room, 0] = (l_before + share * (fibre - l_before)) / float(unit[OPTIMAL])
        s.history[row, k % room, 1] = v / float(unit[FASTEST])
        k += 1
