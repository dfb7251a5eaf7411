"""Balance by muscles: the moments that motors of the legs would give about the axes across the body, as excitations.

docs/derivations.md, Standing. Muscles cannot turn a leg to the side or about itself here (the shipped sets have none
that would), so motors go on to hold it about these axes and go along, without a moment, about the axis across.
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
    put3,
    put4,
    quat_conj,
    quat_exp,
    quat_mul,
    slice3,
    sub,
)
from ..muscles.arrays import FIBRE_LENGTH, FORM, MAX_FORCE, OPTIMAL, STIFFNESS, TONE
from ..muscles.curves import contractile_force, elastic_force

EASE = 10.0
"""N m: the moment that is missed as readily as one muscle is fully activated. It shares the moments out among the
muscles. Chosen."""
SWEEPS = 8
"""Rounds over the muscles of a call; excitations start from those of the last call."""


@compiled
def leave_to_muscles(responses, state, commands, tree, q, u, j):
    """Note the moment (N m) of joint row j's motor about its y axis in state.wanted, and take it out of the motor."""
    m = responses.joint[j, 2]
    i = responses.joint[j, 3]
    here = joint_quaternion(tree.group[i], tree.q_address[i], q)
    error = shorter_turn(quat_mul(quat_conj(here), load4(responses.stand, j)))
    rate = float(u[tree.u_address[i] + 1])
    moment = commands.base[m, 1] + commands.gains[m, 0] * error[1] - commands.gains[m, 1] * rate
    most = float(commands.gains[m, 2])
    state.wanted[j] = min(most, max(-most, moment))
    put4(commands.target[m], 0, quat_mul(here, quat_exp((error[0], 0.0, error[2]))))
    put3(commands.velocity[m], 0, (0.0, rate, 0.0))
    commands.base[m, 1] = 0.0


@compiled
def is_below(tree, body, top):
    """Whether a moving body hangs on `top`, or is it."""
    while body > top:
        body = tree.parent[body]
    return body == top


@compiled
def moment_arm(muscles, ms, tree, w, k, i):
    """Moment (m) of a unit tension of muscle k about the y axis of the joint of moving body i, on its child."""
    place = load3(w.position, i)
    axis = (float(w.rotation[i, 1]), float(w.rotation[i, 4]), float(w.rotation[i, 7]))
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
def weigh_muscle(responses, state, muscles, ms, tree, w, e):
    """Moments per activation of effort row e into state.reach; its passive moments are taken off what is wanted."""
    k = responses.effort[e, 0]
    unit = muscles.unit[k]
    form = muscles.kind[k, FORM]
    fibre = float(ms.output[k, FIBRE_LENGTH])
    length = fibre / float(unit[OPTIMAL])
    along = float(unit[MAX_FORCE]) * float(ms.new_along[k]) / fibre
    active, _, _ = contractile_force(form, 1.0, length, 0.0, float(unit[STIFFNESS]))
    passive, _ = elastic_force(form, length, float(unit[STIFFNESS]))
    for c in range(3):
        j = responses.effort[e, 1 + c]
        arm = moment_arm(muscles, ms, tree, w, k, responses.joint[j, 3])
        state.reach[e, c] = arm * along * active
        state.wanted[j] -= arm * along * passive


@compiled
def better(responses, state, muscles, e):
    """Excitation of effort row e that is best while the others stay: least squares of moments missed and of effort."""
    k = responses.effort[e, 0]
    before = float(state.effort[e])
    gain = 0.0
    size = EASE * EASE
    for c in range(3):
        reach = float(state.reach[e, c])
        gain += reach * (float(state.wanted[responses.effort[e, 1 + c]]) + reach * before)
        size += reach * reach
    return min(1.0, max(float(muscles.unit[k, TONE]), gain / size))


@compiled
def spend(responses, state, e, more):
    """Take the moments of a change of effort row e off what is still wanted."""
    for c in range(3):
        state.wanted[responses.effort[e, 1 + c]] -= more * float(state.reach[e, c])
    state.effort[e] += more


@compiled
def excite_legs(responses, state, commands, muscles, ms, tree, w, r):
    """Excitations of the muscles of both legs that give the moments in state.wanted as nearly as they can."""
    first = responses.effort_first[r]
    last = responses.effort_first[r + 1]
    for e in range(first, last):
        weigh_muscle(responses, state, muscles, ms, tree, w, e)
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
