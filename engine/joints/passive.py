"""Passive torques inside the range of motion: friction, and non-linear springs given as curves."""

from math import atan2, fabs

from ..bodies.coordinates import joint_quaternion, turn_and_map
from ..bodies.workspace import PASSIVE
from ..jit.decorators import compiled, inlined
from ..maths.curves import curve_segment
from ..maths.hysteresis import force_on_path, loading_force, unloading_path
from ..maths.vector import (
    add_scaled,
    load4,
    mat_t_vec,
    mat_vec,
    norm,
    put4,
    quat_conj,
    quat_exp,
    quat_log,
    quat_mul,
    quat_unit_again,
    scale,
    slice4,
)
from ..spec.joint_types import AXIS
from .arrays import ANCHOR, TURNED, WHOLE
from .cone import smooth_step
from .motors import shorter_turn
from .rows import open_category

RELAXATION = 0.02
"""s: damper of the friction over its stiffness, so that a limb comes to rest without ringing (as in contact)."""


@compiled
def turn_since(group, start, now):
    """Angle (rad, 0 to 180 degrees) between two orientations of a joint; AXIS: way between two coordinates."""
    if group >= AXIS:
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
def slip(group, anchor, now):
    """Rotation vector (rad, child joint axes) of a joint from its anchor; AXIS: (difference of coordinates, 0, 0)."""
    if group >= AXIS:
        return now[0] - anchor[0], 0.0, 0.0
    return shorter_turn(quat_mul(quat_conj(anchor), now))


@compiled
def friction_size(friction, i, group, quaternion, state):
    """Present size of joint i's friction torque."""
    history = state.friction
    turned = max(float(history[i, TURNED]), turn_since(group, load4(history, i), quaternion))
    share = friction_share(float(friction[i, 1]), turned)
    return float(friction[i, 0]) * share * float(state.hold[i, WHOLE])


@compiled
def add_friction(friction, i, group, quaternion, omega, h, state, torque, impedance, active):
    """Add -clip(k e + c omega, m), with e the turn from the anchor, to category PASSIVE (docs/derivations.md, Joint
    friction). Sliding its size is m; at rest the spring carries the load, without creep.

    Implicit, and where it is clipped in the same proportion: dissipative for any step, with no chatter at rest.
    """
    size = friction_size(friction, i, group, quaternion, state)
    if size <= 0.0:
        return
    stiffness = float(friction[i, 0]) / float(friction[i, 2])
    damping = RELAXATION * stiffness
    e = slip(group, slice4(state.friction[i], ANCHOR), quaternion)
    pull = add_scaled(scale(stiffness, e), damping + h * stiffness, omega)
    length = norm(pull)
    cut = size / length if length > size else 1.0
    gain = cut * (h * damping + h * h * stiffness)
    open_category(torque, impedance, active, i, PASSIVE)
    for k in range(3):
        torque[i, PASSIVE, k] -= cut * pull[k]
        impedance[i, PASSIVE, k] += gain


@inlined
def remembered(springs, s, angle, state):
    """(torque, slope) of spring s with hysteresis at an angle, after its largest angles to both sides so far.

    The path back from a largest angle, which stays for many steps, is kept with that angle in `state.path`.
    """
    side = 0 if angle >= 0.0 else 1
    depth = fabs(angle)
    first = springs.sides[s, side]
    last = springs.sides[s, side + 1]
    most = float(state.deepest[s, side])
    if depth >= most:
        force, slope = loading_force(springs.points, first, last, depth)
    else:
        path = state.path[s, side]
        if path[0] != most:
            at, top, share, squeeze = unloading_path(springs.points, first, last, most)
            path[0], path[1], path[2], path[3], path[4] = most, at, top, share, squeeze
        at, top, share, squeeze = int(path[1]), float(path[2]), float(path[3]), float(path[4])
        force, slope = force_on_path(springs.points, first, at, top, share, squeeze, depth, most)
    return (-force if side == 0 else force), -slope


@inlined
def spring_force(springs, s, coordinate, rate, h, state):
    """(force against the motion, impedance) of spring s. Only the restoring slope is taken implicitly."""
    at = coordinate + h * rate
    if springs.sides[s, 0] >= 0:
        value, slope = remembered(springs, s, at, state)
    else:
        k = curve_segment(springs.x, springs.curve[s], springs.curve[s + 1], at)
        slope = float(springs.slope[k])
        value = float(springs.y[k]) + slope * (at - float(springs.x[k]))
    damping = float(springs.damping[s])
    return damping * rate - value, h * damping + h * h * max(0.0, -slope)


@inlined
def chosen(k, v):
    """Component k of a vector, without putting it into memory to find it there."""
    if k == 0:
        return v[0]
    return v[1] if k == 1 else v[2]


@inlined
def add_axis_springs(springs, i, coordinate, speed, h, state, torque, impedance, active):
    """`add_springs` of joint i with one coordinate (rad or m) and its speed."""
    total, gain = 0.0, 0.0
    # as by a rate map of one: a speed of minus zero counts as zero
    rate = speed + 0.0
    for s in range(springs.first[i], springs.first[i + 1]):
        hold = float(state.hold[i, springs.axis[s]])
        force, stiffness = spring_force(springs, s, coordinate, rate, h, state)
        total += hold * force
        gain += hold * stiffness
    open_category(torque, impedance, active, i, PASSIVE)
    torque[i, PASSIVE, 0] -= total
    impedance[i, PASSIVE, 0] += gain


@inlined
def add_springs(springs, i, group, quaternion, omega, h, state, torque, impedance, active):
    """Add the torques of joint i's curve springs to category PASSIVE: with forces f and impedances g along the rows of
    the rate map J, -J' f and J' diag(g) J. AXIS: in the first slot."""
    if group >= AXIS:
        add_axis_springs(
            springs, i, float(quaternion[0]), float(omega[0]), h, state, torque, impedance, active
        )
        return
    phi, J = turn_and_map(quaternion)
    rates = mat_vec(J, omega)
    f0, f1, f2, g0, g1, g2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for s in range(springs.first[i], springs.first[i + 1]):
        k = springs.axis[s]
        hold = float(state.hold[i, k])
        force, gain = spring_force(springs, s, chosen(k, phi), chosen(k, rates), h, state)
        if k == 0:
            f0 += hold * force
            g0 += hold * gain
        elif k == 1:
            f1 += hold * force
            g1 += hold * gain
        else:
            f2 += hold * force
            g2 += hold * gain
    open_category(torque, impedance, active, i, PASSIVE)
    back = mat_t_vec(J, (f0, f1, f2))
    for k in range(3):
        torque[i, PASSIVE, k] -= back[k]
        impedance[i, PASSIVE, k] += g0 * J[k] * J[k] + g1 * J[3 + k] * J[3 + k] + g2 * J[6 + k] * J[6 + k]
    impedance[i, PASSIVE, 3] += g0 * J[0] * J[1] + g1 * J[3] * J[4] + g2 * J[6] * J[7]
    impedance[i, PASSIVE, 4] += g0 * J[0] * J[2] + g1 * J[3] * J[5] + g2 * J[6] * J[8]
    impedance[i, PASSIVE, 5] += g0 * J[1] * J[2] + g1 * J[4] * J[5] + g2 * J[7] * J[8]


@compiled
def start_friction(jf, group, q_address, q, friction_state):
    """Remember where every joint starts; call once on the initial state. friction_state: (n, FRICTION_STATE_SIZE)."""
    for i in range(len(group)):
        start = joint_quaternion(group[i], q_address[i], q)
        friction_state[i, TURNED] = 0.0
        for k in range(4):
            friction_state[i, k] = start[k]
            friction_state[i, ANCHOR + k] = start[k]


@compiled
def drag_anchor(friction, i, group, now, state):
    """Let the anchor of joint i's friction follow so that its spring carries no more than the friction torque."""
    history = state.friction
    anchor = slice4(history[i], ANCHOR)
    e = slip(group, anchor, now)
    length = norm(e)
    most = friction_size(friction, i, group, now, state) * float(friction[i, 2]) / float(friction[i, 0])
    if length > most:
        part = most / length
        if group >= AXIS:
            history[i, ANCHOR] = now[0] - part * e[0]
        else:
            put4(history[i], ANCHOR, quat_unit_again(quat_mul(now, quat_exp(scale(-part, e)))))


@compiled
def turned_by(group, quaternion):
    """Rotation vector of a joint; AXIS: (coordinate, 0, 0)."""
    if group >= AXIS:
        return quaternion[0], 0.0, 0.0
    return quat_log(quaternion)


@compiled
def commit_passive(jf, group, q_address, q, state):
    """Take an accepted step into what joints remember: the largest turn since the start, which never shrinks, where
    friction slips to, and the largest angles of springs with hysteresis."""
    for j in range(len(jf.lasting)):
        i = jf.lasting[j]
        has_friction = float(jf.friction[i, 0]) > 0.0
        remembers = jf.springs.remembers[i] != 0
        now = joint_quaternion(group[i], q_address[i], q)
        if has_friction:
            turned = turn_since(group[i], load4(state.friction, i), now)
            state.friction[i, TURNED] = max(float(state.friction[i, TURNED]), turned)
            drag_anchor(jf.friction, i, group[i], now, state)
        if remembers:
            phi = turned_by(group[i], now)
            for s in range(jf.springs.first[i], jf.springs.first[i + 1]):
                angle = phi[jf.springs.axis[s]]
                side = 0 if angle >= 0.0 else 1
                state.deepest[s, side] = max(float(state.deepest[s, side]), fabs(angle))
