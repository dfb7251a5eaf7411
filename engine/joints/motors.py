"""Joint motors: torque = [base + kp r(q^-1 q_target) + kd (omega_target - omega)], cut to max_torque in size.

Hyfydy's joint_motor (docs/derivations.md, Motors); r is the rotation vector of the shorter turn, in child joint axes.
They hold a posture, brace a limb or grip a bar; gains and target may follow time, or a controller (`commands`). The
largest torque may depend on the rate along it, as that of muscles does.
"""

from math import sqrt

from ..bodies.coordinates import joint_quaternion, joint_velocity, quadratic_coefficient
from ..bodies.workspace import ACTUATION
from ..jit.decorators import compiled, inlined
from ..maths.curves import curve_extended, curve_held, curve_segment
from ..maths.vector import (
    add,
    dot,
    load3,
    load4,
    put3,
    put4,
    put6,
    quat_conj,
    quat_exp,
    quat_log,
    quat_mul,
    scale,
    sub,
)
from ..spec.joint_types import AXIS


@compiled
def shorter_turn(q):
    """Rotation vector (at most 180 degrees) of a unit quaternion, whichever sign it has."""
    if q[0] < 0.0:
        return quat_log((-q[0], -q[1], -q[2], -q[3]))
    return quat_log(q)


@compiled
def motor_target(motors, m, group, t):
    """Target of motor m at time t: orientations on the great arc between two rows (slerp), angles in proportion."""
    first = motors.target_first[m]
    last = motors.target_first[m + 1]
    if last - first == 1 or t <= motors.target_time[first]:
        return load4(motors.target, first)
    if t >= motors.target_time[last - 1]:
        return load4(motors.target, last - 1)
    k = curve_segment(motors.target_time, first, last, t)
    t0 = float(motors.target_time[k])
    s = (t - t0) / (float(motors.target_time[k + 1]) - t0)
    a = load4(motors.target, k)
    b = load4(motors.target, k + 1)
    if group >= AXIS:
        return a[0] + s * (b[0] - a[0]), 0.0, 0.0, 0.0
    return quat_mul(a, quat_exp(scale(s, quat_log(quat_mul(quat_conj(a), b)))))


@compiled
def target_slope(motors, m, group, t):
    """Rate (rad/s, child joint axes) at which the target table of motor m turns at time t; zero outside its rows."""
    first = motors.target_first[m]
    last = motors.target_first[m + 1]
    if last - first == 1 or t < motors.target_time[first] or t >= motors.target_time[last - 1]:
        return 0.0, 0.0, 0.0
    k = curve_segment(motors.target_time, first, last, t)
    rate = 1.0 / (float(motors.target_time[k + 1]) - float(motors.target_time[k]))
    a = load4(motors.target, k)
    b = load4(motors.target, k + 1)
    if group >= AXIS:
        return rate * (b[0] - a[0]), 0.0, 0.0
    return scale(rate, quat_log(quat_mul(quat_conj(a), b)))


@compiled
def speed_factor(motors, m, pull, size, omega):
    """(factor on the largest torque of motor m, its slope) at the rate (rad/s, AXIS: or m/s) of omega along the torque
    `pull` of that size."""
    first = motors.speed_first[m]
    last = motors.speed_first[m + 1]
    if first == last:
        return 1.0, 0.0
    rate = dot(pull, omega) / size
    if rate <= motors.speed_rate[first]:
        return float(motors.speed_factor[first]), 0.0
    if rate >= motors.speed_rate[last - 1]:
        return float(motors.speed_factor[last - 1]), 0.0
    return curve_extended(motors.speed_rate, motors.speed_factor, first, last, rate)


@inlined
def turn_to_target(motors, commands, m, group, quaternion, omega, t, h):
    """Quaternion of the turn of a joint from where it is expected at the end of the step to the target of motor m;
    AXIS: (way to the target, 0, 0, 0)."""
    target = load4(commands.target, m) if commands.held[m] != 0 else motor_target(motors, m, group, t + h)
    if group >= AXIS:
        return target[0] - quaternion[0] - h * omega[0], 0.0, 0.0, 0.0
    expected = quat_mul(quaternion, quat_exp(scale(h, omega)))
    return quat_mul(quat_conj(expected), target)


@compiled
def aim_motors(motors, commands, group, q_address, u_address, q, u, t, h, aim):
    """Write to aim (n, 4), for every joint that has a motor, the rotation vector of its turn to the target, and the
    `quadratic_coefficient` of that; AXIS: the way to the target, and zeros.

    One kind of work for all motors after the other: an arc tangent, a root or a tangent is long in coming, and so the
    processor works on those of several joints at once (docs/performance.md).
    """
    for i in range(len(group)):
        if motors.row[i] >= 0:
            now = joint_quaternion(group[i], q_address[i], q)
            omega = joint_velocity(group[i], u_address[i], u)
            put4(aim[i], 0, turn_to_target(motors, commands, motors.row[i], group[i], now, omega, t, h))
    for i in range(len(group)):
        if motors.row[i] >= 0 and group[i] < AXIS:
            put3(aim[i], 0, shorter_turn(load4(aim, i)))
    for i in range(len(group)):
        if motors.row[i] >= 0 and group[i] < AXIS:
            error = load3(aim, i)
            aim[i, 3] = quadratic_coefficient(sqrt(dot(error, error)))


@inlined
def left_between(left):
    """Shares that are left of an impedance between axes x and y, x and z, y and z, of the shares about the axes."""
    x, y, z = left
    if x == 1.0 and y == 1.0 and z == 1.0:
        return 1.0, 1.0, 1.0
    return sqrt(x * y), sqrt(x * z), sqrt(y * z)


@inlined
def add_motor(motors, commands, i, group, omega, t, h, hold, aim, torque, impedance, active):
    """Write joint i's motor into category ACTUATION, as the first that acts there.

    The turn e to the target changes by -(E - [e]/2 + c [e]^2) omega; its symmetric part, positive up to 180 degrees,
    is the stiffness taken implicitly. Where the torque is cut, the impedance is cut in the same proportion: a strong
    motor on a light limb then comes to rest at its target instead of swinging between plus and minus max_torque.
    Where the largest torque falls with the rate along it, that slope is taken implicitly too. About an axis that
    gave way only its share of `hold` (n, 4) is left. aim (n, 4): e and c, see `aim_motors`.
    """
    m = motors.row[i]
    velocity = load3(commands.velocity, m)
    if commands.held[m] != 0:
        gain = 1.0
    else:
        gain = curve_held(
            motors.gain_time, motors.gain_value, motors.gain_first[m], motors.gain_first[m + 1], t + h
        )
        if motors.follows[m] != 0:
            velocity = add(velocity, target_slope(motors, m, group, t + h))
    stiffness = gain * float(commands.gains[m, 0])
    damping = gain * float(commands.gains[m, 1])
    error = load3(aim, i)
    bend = float(aim[i, 3])
    pull = add(scale(gain, load3(commands.base, m)), scale(stiffness, error))
    pull = add(pull, scale(damping, sub(velocity, omega)))
    size = sqrt(dot(pull, pull))
    largest = float(commands.gains[m, 2])
    cut, drag = 1.0, 0.0
    if size > 0.0:
        factor, slope = speed_factor(motors, m, pull, size, omega)
        if size > factor * largest:
            cut = factor * largest / size
            drag = h * largest * max(0.0, -slope) / (size * size)
    straight = cut * (h * damping + h * h * stiffness * (1.0 - bend * dot(error, error)))
    bent = cut * h * h * stiffness * bend
    active[i, ACTUATION] = 1
    x, y, z = load3(hold, i)
    xy, xz, yz = left_between((x, y, z))
    e0, e1, e2 = error
    p0, p1, p2 = pull
    put3(torque[i, ACTUATION], 0, (x * cut * p0, y * cut * p1, z * cut * p2))
    put6(
        impedance[i, ACTUATION],
        0,
        (
            x * (straight + bent * e0 * e0 + drag * p0 * p0),
            y * (straight + bent * e1 * e1 + drag * p1 * p1),
            z * (straight + bent * e2 * e2 + drag * p2 * p2),
            xy * (bent * e0 * e1 + drag * p0 * p1),
            xz * (bent * e0 * e2 + drag * p0 * p2),
            yz * (bent * e1 * e2 + drag * p1 * p2),
        ),
    )
