"""Range of motion per joint axis: the rotation vector stays in a box, held by penalty spring-dampers.

Energy V = k/2 * sum of squared violations; torque = -J' dV/dphi with the exact rate map J of `coordinates`. Nothing
special happens at 90 degrees, where Euler angles lose an axis (docs/derivations.md, Range of motion).
"""

from math import pi

from ..bodies.coordinates import joint_coordinates, row
from ..bodies.workspace import LIMITS
from ..jit.decorators import compiled
from ..maths.vector import dot, load3, norm
from ..spec.joint_types import AXIS
from .rows import add_along, push_back


@compiled
def is_well_inside(lower, upper, phi, margin):
    """True where no component can pass its limit by turning `margin` rad."""
    for k in range(3):
        if phi[k] - margin < lower[k] or phi[k] + margin > upper[k]:
            return False
    return True


@compiled
def is_clearly_inside(lower, upper, q, margin):
    """`is_well_inside` for a joint with the quaternion q, without computing its angle; False when in doubt.

    phi = 2 f v for q = (w, v), f = arccos(w) / sqrt(1 - w^2). The series of f in 1 - w has positive terms only, so f is
    convex: for 0 <= w <= 1 it lies between its tangent at 1 and the chord from f(0) = pi/2 to f(1) = 1.
    """
    w = q[0]
    if w < 0.0:
        return False
    tangent = 2.0 * (4.0 - w) / 3.0
    chord = pi - (pi - 2.0) * w
    for k in range(3):
        v = q[1 + k]
        least = tangent * v if v > 0.0 else chord * v
        most = chord * v if v > 0.0 else tangent * v
        if least - margin < lower[k] or most + margin > upper[k]:
            return False
    return True


@compiled
def limit_push(elastic, slope, damping, factor, rate, h):
    """(force, impedance gain) past a limit: `push_back`, or, with a factor, elastic (1 + factor rate), never below
    zero (docs/derivations.md, Range of motion)."""
    if factor <= 0.0:
        return push_back(elastic, slope, damping, rate, h)
    share = 1.0 + factor * rate
    if share <= 0.0:
        return 0.0, 0.0
    return elastic * share, h * factor * elastic + h * h * slope * share


@compiled
def add_axis_limits(boxes, i, group, quaternion, omega, h, hold, torque, impedance, active):
    """Add the torque of joint i's axis limits to category LIMITS. hold: (n, 4) share of it that is left."""
    lower = load3(boxes.lower, i)
    upper = load3(boxes.upper, i)
    # Below 4.4 rad the rate map lengthens omega less than three times, so these tests cannot hide a limit.
    margin = 3.0 * h * norm(omega)
    if group < AXIS and is_clearly_inside(lower, upper, quaternion, margin + 1e-9):
        return
    phi, J = joint_coordinates(group, quaternion)
    if dot(phi, phi) < 19.0 and is_well_inside(lower, upper, phi, margin):
        return
    for k in range(3):
        stiffness = float(hold[i, k]) * float(boxes.gains[i, 0])
        damping = float(hold[i, k]) * float(boxes.gains[i, 1])
        factor = float(boxes.gains[i, 2])
        a = row(J, k)
        rate = dot(a, omega)
        ahead = phi[k] + h * rate
        if ahead > upper[k]:
            force, gain = limit_push(stiffness * (ahead - upper[k]), stiffness, damping, factor, rate, h)
            add_along(torque, impedance, active, i, LIMITS, a, force, gain)
        elif ahead < lower[k]:
            force, gain = limit_push(stiffness * (lower[k] - ahead), stiffness, damping, factor, -rate, h)
            add_along(torque, impedance, active, i, LIMITS, a, -force, gain)
