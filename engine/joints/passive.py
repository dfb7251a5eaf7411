"""Passive torques inside the range of motion: friction, and non-linear springs given as curves."""

from math import atan2, fabs, sqrt

from ..bodies.coordinates import joint_coordinates, joint_quaternion, row
from ..bodies.workspace import PASSIVE
from ..jit.decorators import compiled
from ..maths.curves import curve_extended
from ..maths.vector import dot, load4, norm, quat_conj, quat_mul
from ..spec.joint_types import AXIS
from .cone import smooth_step
from .rows import add_along, open_category

FRICTION_RATE = 0.02
"""rad/s: friction is torque * omega / sqrt(|omega|^2 + FRICTION_RATE^2), 90 % of its size at twice this rate."""


@compiled
def turn_since(group, start, now):
    """Angle (rad, 0 to 180 degrees) between two orientations of a joint; AXIS: way between two coordinates."""
    if group == AXIS:
        return fabs(now[0] - start[0])
    r = quat_mul(quat_conj(start), now)
    return 2.0 * atan2(norm((r[1], r[2], r[3])), fabs(r[0]))


@compiled
def friction_share(drop_angle, turned):
    """Share of the friction torque left after a turn (rad): all of it for a dummy (drop angle 0), else falling to 0."""
    if drop_angle <= 0.0:
        return 1.0
    fallen, _ = smooth_step(turned / drop_angle)
    return 1.0 - fallen


@compiled
def add_friction(friction, i, group, quaternion, omega, h, friction_state, torque, impedance, active):
    """Add -m omega / |omega| (docs/derivations.md, Joint friction), smooth through rest, to category PASSIVE.

    Implicit through its secant m / |omega|: dissipative for any step, with no chatter at rest.
    """
    turned = max(float(friction_state[i, 4]), turn_since(group, load4(friction_state, i), quaternion))
    size = float(friction[i, 0]) * friction_share(float(friction[i, 1]), turned)
    if size <= 0.0:
        return
    resistance = size / sqrt(dot(omega, omega) + FRICTION_RATE * FRICTION_RATE)
    open_category(torque, impedance, active, i, PASSIVE)
    for k in range(3):
        torque[i, PASSIVE, k] -= resistance * omega[k]
        impedance[i, PASSIVE, k] += h * resistance


@compiled
def add_springs(springs, i, group, quaternion, omega, h, torque, impedance, active):
    """Add the torques of joint i's curve springs to category PASSIVE. Only the restoring slope is taken implicitly."""
    phi, J = joint_coordinates(group, quaternion)
    for s in range(springs.first[i], springs.first[i + 1]):
        k = springs.axis[s]
        a = row(J, k)
        rate = dot(a, omega)
        damping = float(springs.damping[s])
        value, slope = curve_extended(
            springs.x, springs.y, springs.curve[s], springs.curve[s + 1], phi[k] + h * rate
        )
        gain = h * damping + h * h * max(0.0, -slope)
        add_along(torque, impedance, active, i, PASSIVE, a, damping * rate - value, gain)


@compiled
def start_friction(jf, group, q_address, q, friction_state):
    """Remember where every joint starts; call once on the initial state. friction_state: (n, FRICTION_STATE_SIZE)."""
    for i in range(len(group)):
        start = joint_quaternion(group[i], q_address[i], q)
        for k in range(4):
            friction_state[i, k] = start[k]
        friction_state[i, 4] = 0.0


@compiled
def commit_friction(jf, group, q_address, q, friction_state):
    """Take an accepted step into the friction history: the largest turn since the start, which never shrinks."""
    for i in range(len(group)):
        if float(jf.friction[i, 1]) > 0.0:
            now = joint_quaternion(group[i], q_address[i], q)
            turned = turn_since(group[i], load4(friction_state, i), now)
            friction_state[i, 4] = max(float(friction_state[i, 4]), turned)
