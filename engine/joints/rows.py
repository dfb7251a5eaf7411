"""How every joint torque is written down: one direction at a time, with its linearly implicit share.

The step uses torque(t + h) = torque - impedance * omega_dot. A force law f(c) on a coordinate c is therefore evaluated
at the coordinate expected at the end of the step, c + h c_dot, and its slope K and damping D enter as the impedance
h D + h^2 K: backward Euler, which takes energy out of a convex spring and never puts any in. With h = 0 this is the
plain explicit law. Derivation: docs/derivations.md, Linearly implicit forces.
"""

from math import fabs

from ..jit.decorators import compiled


@compiled
def open_category(torque, impedance, active, i, c):
    """Clear category c of joint i at its first use in this evaluation."""
    if active[i, c] == 0:
        active[i, c] = 1
        for k in range(3):
            torque[i, c, k] = 0.0
        for k in range(6):
            impedance[i, c, k] = 0.0


@compiled
def add_along(torque, impedance, active, i, c, a, force, gain):
    """Add the torque -force a, and gain a a' to the impedance, to category c of joint i."""
    open_category(torque, impedance, active, i, c)
    for k in range(3):
        torque[i, c, k] -= force * a[k]
        impedance[i, c, k] += gain * a[k] * a[k]
    impedance[i, c, 3] += gain * a[0] * a[1]
    impedance[i, c, 4] += gain * a[0] * a[2]
    impedance[i, c, 5] += gain * a[1] * a[2]


@compiled
def add_torque(torque, impedance, active, i, c, t):
    """Add a torque without impedance to category c of joint i."""
    open_category(torque, impedance, active, i, c)
    for k in range(3):
        torque[i, c, k] += t[k]


@compiled
def push_back(elastic, slope, damping, rate, h):
    """(force, impedance gain) of a one-sided spring-damper pressed by `elastic` >= 0, with the gap growing at `rate`.

    The damping force never exceeds the elastic one. So the whole force is continuous at the limit (both vanish there),
    takes energy out while the gap grows and while it shrinks, and never pulls: 0 <= force <= 2 elastic. (Hyfydy's law
    scales the damper with the spring too, but its printed sign feeds energy on the lower side: docs/derivations.md,
    Range of motion.)
    """
    if elastic <= 0.0:
        return 0.0, 0.0
    speed = fabs(rate)
    if damping * speed > elastic:
        if rate < 0.0:
            return 0.0, 0.0
        return 2.0 * elastic, h * elastic / speed + h * h * slope
    return elastic + damping * rate, h * damping + h * h * slope
