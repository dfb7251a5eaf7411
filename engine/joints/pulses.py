"""Pulses: sin(pi (t - start) / duration), or 1, from start to start + duration.

Over a step the *average* of the pulse acts, so the impulses of the steps add up to 2 peak duration / pi
(docs/derivations.md, Pulses), or to peak duration, to round-off, whatever the step and wherever it falls.
"""

from math import pi, sin

from ..bodies.workspace import ACTUATION
from ..jit.decorators import compiled
from .rows import add_torque


@compiled
def half_sine(t, h, start, duration):
    """Average of the pulse over t to t + h; its value at t where h is 0."""
    a = (t - start) / duration
    if h <= 0.0:
        if a < 0.0 or a > 1.0:
            return 0.0
        return sin(pi * a)
    b = min(1.0, max(0.0, (t + h - start) / duration))
    a = min(1.0, max(0.0, a))
    # integral of sin(pi s) from a to b = 2 sin(pi (a + b) / 2) sin(pi (b - a) / 2) / pi, free of cancellation
    return 2.0 * sin(0.5 * pi * (a + b)) * sin(0.5 * pi * (b - a)) * duration / (pi * h)


@compiled
def constant_share(t, h, start, duration):
    """Average of a constant pulse of size 1 over t to t + h; its value at t where h is 0."""
    if h <= 0.0:
        return 1.0 if start <= t <= start + duration else 0.0
    return max(0.0, min(t + h, start + duration) - max(t, start)) / h


@compiled
def add_pulses(pulses, i, t, h, torque, impedance, active):
    """Add joint i's torque pulses, in child joint axes, to category ACTUATION."""
    for m in range(pulses.first[i], pulses.first[i + 1]):
        s = half_sine(t, h, float(pulses.rows[m, 3]), float(pulses.rows[m, 4]))
        if s != 0.0:
            peak = (s * float(pulses.rows[m, 0]), s * float(pulses.rows[m, 1]), s * float(pulses.rows[m, 2]))
            add_torque(torque, impedance, active, i, ACTUATION, peak)
