"""Range of motion per joint axis: the rotation vector stays in a box, held by penalty spring-dampers.

Energy V = k/2 * sum of squared violations; torque = -J' dV/dphi with the exact rate map J of `coordinates`. Nothing
special happens at 90 degrees, where Euler angles lose an axis.
"""

from ..jit import compiled
from ..vector import dot, load3, norm
from ..workspace import LIMITS
from .coordinates import joint_coordinates, row
from .rows import add_along, push_back


@compiled
def is_well_inside(lower, upper, phi, margin):
    """True where no component can pass its limit by turning `margin` rad."""
    for k in range(3):
        if phi[k] - margin < lower[k] or phi[k] + margin > upper[k]:
            return False
    return True


@compiled
def add_axis_limits(boxes, i, joint_type, quaternion, omega, h, torque, impedance, active):
    """Add the torque of joint i's axis limits to category LIMITS."""
    phi, J = joint_coordinates(joint_type, quaternion)
    lower = load3(boxes.lower, i)
    upper = load3(boxes.upper, i)
    # Below 4.4 rad the rate map lengthens omega less than three times, so this test cannot hide a limit.
    if dot(phi, phi) < 19.0 and is_well_inside(lower, upper, phi, 3.0 * h * norm(omega)):
        return
    stiffness = float(boxes.gains[i, 0])
    damping = float(boxes.gains[i, 1])
    for k in range(3):
        a = row(J, k)
        rate = dot(a, omega)
        ahead = phi[k] + h * rate
        if ahead > upper[k]:
            force, gain = push_back(stiffness * (ahead - upper[k]), stiffness, damping, rate, h)
            add_along(torque, impedance, active, i, LIMITS, a, force, gain)
        elif ahead < lower[k]:
            force, gain = push_back(stiffness * (lower[k] - ahead), stiffness, damping, -rate, h)
            add_along(torque, impedance, active, i, LIMITS, a, -force, gain)
