"""Balance by muscles: the moments that motors of the legs would give about the axes across the body, and of the hips
about the axes ahead, as excitations.

docs/derivations.md, Standing. About axes for which a model has no muscles (legs about themselves, ankles to a side, and
hips to a side where a set has none that would) motors go on to hold the joint; about the others they go along without a
moment.
"""

from math import isnan, nan

from ..bodies.coordinates import joint_quaternion
from ..jit.decorators import compiled
from ..joints.motors import shorter_turn
from ..maths.vector import (
    add,
    cross,
    dot,
    load3,
    load4,
    put4,
    quat_conj,
    quat_exp,
    quat_mul,
    slice3,
    sub,
)
from ..muscles.arrays import FIBRE_LENGTH, FORM, MAX_FORCE, OPTIMAL, STIFFNESS, TONE
from ..muscles.curves import contractile_force, elastic_force
from .arrays import HIP

EASE = 10.0
"""N m: the moment that is missed as readily as one muscle is fully activated. It shares the moments out among the
muscles. Chosen."""
HIP_SIDE, MOMENTS = 3, 4
"""Place of the hip's moment to the side among the moments of a muscle, after those of hip, knee and ankle across."""
SWEEPS = 8
"""Rounds over the muscles of a call; excitations start from those of the last call."""


SIDE, ACROSS = 0, 1
"""Columns of `ResponseState.wanted` and axes of a joint: x, about which a hip turns to the side, and y, across."""


@compiled
def leave_to_muscles(responses, state, commands, tree, q, u, r, j):
    """Note the moments (N m) of joint row j's motor about its y axis, and of a hip whose muscles can about its x axis,
    in state.wanted, and take them out of the motor."""
    m = responses.joint[j, 2]
    i = responses.joint[j, 3]
    here = joint_quaternion(tree.group[i], tree.q_address[i], q)
    error = shorter_turn(quat_mul(quat_conj(here), load4(responses.stand, j)))
    sideways = responses.joint[j, 0] == HIP and responses.sideways[r] != 0
    state.wanted[j, ACROSS] = taken_out(state, commands, m, ACROSS, error[1], float(u[tree.u_address[i] + 1]))
    state.wanted[j, SIDE] = 0.0
    kept = float(error[0])
    if sideways:
        state.wanted[j, SIDE] = taken_out(state, commands, m, SIDE, kept, float(u[tree.u_address[i]]))
        kept = 0.0
    put4(commands.target[m], 0, quat_mul(here, quat_exp((kept, 0.0, error[2]))))


@compiled
def taken_out(state, commands, m, axis, error, rate):
    """Moment (N m) of motor m about an axis for an error (rad) and a rate (rad/s), which the motor goes along with from
    now on."""
    moment = (
        float(commands.base[m, axis])
        + float(commands.gains[m, 0]) * error
        - float(commands.gains[m, 1]) * rate
    )
    most = float(commands.gains[m, 2])
    commands.velocity[m, axis] = rate
    commands.base[m, axis] = 0.0
    return min(most, max(-most, moment))


@compiled
def joint_row(responses, e, c):
    """Row of the joint of moment c of effort row e: hip, knee and ankle, and the hip again."""
    return responses.effort[e, 1 if c == HIP_SIDE else 1 + c]


@compiled
def axis_of(c):
    """Axis of moment c."""
    return SIDE if c == HIP_SIDE else ACROSS


@compiled
def is_below(tree, body, top):
    """Whether a moving body hangs on `top`, or is it."""
    while body > top:
        body = tree.parent[body]
    return body == top


@compiled
def moment_arm(muscles, ms, tree, w, k, i, c):
    """Moment (m) of a unit tension of muscle k about axis c of the joint of moving body i, on its child."""
    place = load3(w.position, i)
    axis = (float(w.rotation[i, c]), float(w.rotation[i, 3 + c]), float(w.rotation[i, 6 + c]))
    arm = 0.0
    first = muscles.piece_first[k]
    for piece in range(first, first + ms.piece_count[k]):
        unit = load3(ms.piece_unit, piece)
        for end in range(2):
            body = ms.piece_body[piece, 2 * end]
            if body < len(tree.mass) and is_below(tree, body, i):
                at = sub(add(load3(w.position, body), slice3(ms.piece_arm[piece], 3 * end)), place)
                pull = dot(cross(axis, at), unit)
                arm += pull if end == 0 else -pull
    return arm


@compiled
def weigh_muscle(responses, state, muscles, ms, tree, w, r, e):
    """Moments per activation of effort row e into state.reach; its passive moments are taken off what is wanted."""
    k = responses.effort[e, 0]
    unit = muscles.unit[k]
    form = muscles.kind[k, FORM]
    fibre = float(ms.output[k, FIBRE_LENGTH])
    length = fibre / float(unit[OPTIMAL])
    along = float(unit[MAX_FORCE]) * float(ms.new_along[k]) / fibre
    active, _, _ = contractile_force(form, 1.0, length, 0.0, float(unit[STIFFNESS]))
    passive, _ = elastic_force(form, length, float(unit[STIFFNESS]))
    for c in range(MOMENTS):
        j = joint_row(responses, e, c)
        arm = moment_arm(muscles, ms, tree, w, k, responses.joint[j, 3], axis_of(c))
        if c == HIP_SIDE and responses.sideways[r] == 0:
            arm = 0.0
        state.reach[e, c] = arm * along * active
        state.wanted[j, axis_of(c)] -= arm * along * passive


@compiled
def better(responses, state, muscles, e):
    """Excitation of effort row e that is best while the others stay: least squares of moments missed and of effort."""
    k = responses.effort[e, 0]
    before = float(state.effort[e])
    gain = 0.0
    size = EASE * EASE
    for c in range(MOMENTS):
        reach = float(state.reach[e, c])
        gain += reach * (float(state.wanted[joint_row(responses, e, c), axis_of(c)]) + reach * before)
        size += reach * reach
    return min(1.0, max(float(muscles.unit[k, TONE]), gain / size))


@compiled
def spend(responses, state, e, more):
    """Take the moments of a change of effort row e off what is still wanted."""
    for c in range(MOMENTS):
        state.wanted[joint_row(responses, e, c), axis_of(c)] -= more * float(state.reach[e, c])
    state.effort[e] += more


@compiled
def excite_legs(responses, state, commands, muscles, ms, tree, w, r):
    """Excitations of the muscles of both legs that give the moments in state.wanted as nearly as they can."""
    first = responses.effort_first[r]
    last = responses.effort_first[r + 1]
    for e in range(first, last):
        weigh_muscle(responses, state, muscles, ms, tree, w, r, e)
        start = 0.0 if isnan(state.effort[e]) else float(state.effort[e])
        state.effort[e] = 0.0
        spend(responses, state, e, start)
    for _ in range(SWEEPS):
        for e in range(first, last):
            spend(responses, state, e, better(responses, state, muscles, e) - float(state.effort[e]))
    for e in range(first, last):
        commands.excitation[responses.effort[e, 0]] = state.effort[e]


@compiled
def relax_legs(responses, state, commands, r):
    """Give the muscles of the legs back to what else excites them, once."""
    for e in range(responses.effort_first[r], responses.effort_first[r + 1]):
        if not isnan(state.effort[e]):
            state.effort[e] = nan
            commands.excitation[responses.effort[e, 0]] = nan
