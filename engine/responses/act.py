"""How a person acts: gains rise from tone to full strength, targets turn towards the posture, and all fades."""

from math import exp, inf, isnan

from ..bodies.coordinates import joint_quaternion
from ..jit.decorators import compiled
from ..jit.late import late
from ..joints.motors import shorter_turn
from ..maths.vector import load4, norm, put4, quat_conj, quat_exp, quat_mul, scale
from .arrays import (
    ANKLE,
    ASYMMETRY,
    BALANCE,
    BRACED,
    COMMITS,
    ELBOW_JOINT,
    FADE,
    HEAD,
    HIP,
    KNEE,
    KNOCKED_OUT,
    LANDS,
    LATENCY,
    LOWER_BACK,
    NECK,
    NECK_LATENCY,
    OFF_BALANCE,
    QUICKNESS,
    REST,
    RISE,
    SHOULDER,
    STARTLED,
    STIFFEN,
    STRENGTH,
    TONE,
    TOUCHED,
    UPPER_BACK,
    WRIST,
)
from .notice import notice, since
from .posture import head_way, wanted, zyx_turn
from .stand import balance_moment, keep_balance

LEAST_DAMPING = 0.3
"""Share of the damping that joints keep however low their gains: muscles that give way still resist. Assumed."""
ARM_REST = 0.2
"""Of the rest after landing: arms are laid down, not held in the air. Assumed."""
KNOCK_OUT_TIME = 0.05
"""s: time constant with which all strength goes at a knock-out. Assumed."""
LIMP, LIMP_STRENGTH = 0.03, 0.05
"""Shares of gains and of strength of somebody unconscious. Assumed."""
ALERT_LATENCY = 0.06
"""s to stiffening after a touch: the earliest answers of neck and limbs, 0.05 to 0.09 s (general knowledge)."""
STARTLE_LATENCY, STARTLE_TIME = 0.06, 0.35
"""s to a startle and how long it lasts: of the order of muscle recordings (general knowledge)."""
PUSH = 0.3
"""Share of the strength with which braced limbs are pushed straight. Assumed."""


@compiled
def toward(q, goal, most):
    """q turned towards goal by at most this angle (rad)."""
    turn = shorter_turn(quat_mul(quat_conj(q), goal))
    angle = norm(turn)
    if angle <= most:
        return goal
    return quat_mul(q, quat_exp(scale(most / angle, turn)))


@compiled
def risen(elapsed, delay, rise):
    """Share of the activation that is there `elapsed` s (-1: never) after an event, first order after a delay."""
    if elapsed < delay:
        return 0.0
    return 1.0 - exp(-(elapsed - delay) / rise)


@compiled
def alert(state, numbers, r, t):
    """Share of the full gains for reasons other than a fall: stiffened, braced or startled."""
    rise = float(numbers[RISE])
    share = risen(since(state, r, BRACED, t), 0.0, rise)
    if numbers[STIFFEN] != 0.0:
        share = max(share, risen(since(state, r, TOUCHED, t), ALERT_LATENCY, rise))
    return max(share, startled(state, numbers, r, t))


@compiled
def startled(state, numbers, r, t):
    """Share of a startle that is there: it rises, lasts and goes."""
    elapsed = since(state, r, STARTLED, t)
    share = risen(elapsed, STARTLE_LATENCY, float(numbers[RISE]))
    return share - risen(elapsed, STARTLE_LATENCY + STARTLE_TIME, float(numbers[RISE]))


@compiled
def startle_pose(role):
    """(1 where a startle moves a joint of this role, its orientation): head down, shoulders forward, elbows bent."""
    if role == NECK:
        return True, zyx_turn(0.0, 15.0, 0.0)
    if role == HEAD:
        return True, zyx_turn(0.0, 8.0, 0.0)
    if role == SHOULDER:
        return True, zyx_turn(0.0, 25.0, 0.0)
    if role == ELBOW_JOINT:
        return True, zyx_turn(0.0, 70.0, 0.0)
    return False, (1.0, 0.0, 0.0, 0.0)


@compiled
def faded(state, numbers, role, r, t):
    """Share of the strength that is left after the landing."""
    landed = since(state, r, LANDS, t)
    if landed < 0.0:
        return 1.0
    rest = float(numbers[REST])
    if role == NECK or role == HEAD:
        rest = min(1.0, 2.0 * rest)
    elif role == SHOULDER or role == ELBOW_JOINT or role == WRIST:
        rest *= ARM_REST
    return rest + (1.0 - rest) * exp(-landed / numbers[FADE])


@compiled
def is_bearing(role):
    """Whether a joint of this role carries the weight of somebody who stands."""
    return role == HIP or role == KNEE or role == ANKLE or role == LOWER_BACK or role == UPPER_BACK


@compiled
def drive(responses, state, numbers, commands, tree, q, w, r, j, t, period, height, x, y):
    """Gains and target of joint row j at time t."""
    role = responses.joint[j, 0]
    m = responses.joint[j, 2]
    is_neck = role == NECK or role == HEAD
    side = float(numbers[ASYMMETRY]) * responses.joint[j, 1]
    delay = float(numbers[NECK_LATENCY] if is_neck else numbers[LATENCY]) * (1.0 + side)
    lost = since(state, r, OFF_BALANCE, t)
    awake = risen(lost, delay, float(numbers[RISE])) if delay < inf else 0.0
    other = alert(state, numbers, r, t)
    if numbers[BALANCE] != 0.0 and lost < 0.0 and is_bearing(role):
        other = 1.0
    out = since(state, r, KNOCKED_OUT, t)
    gone = 0.0 if out < 0.0 else 1.0 - exp(-out / KNOCK_OUT_TIME)
    if state.taken[j] == 0:
        if responses.joint[j, 4] == 0:
            put4(commands.target[m], 0, load4(responses.stand, j))
        else:
            if awake + other + gone == 0.0 and numbers[LATENCY] < inf:
                return  # an authored motor goes on until then
            i = responses.joint[j, 3]
            put4(commands.target[m], 0, joint_quaternion(tree.group[i], tree.q_address[i], q))
        state.taken[j] = 1
        commands.held[m] = 1
        for c in range(3):
            commands.base[m, c] = 0.0
            commands.velocity[m, c] = 0.0
    fading = faded(state, numbers, role, r, t)
    tone = float(numbers[TONE])
    level = max(tone + (1.0 - tone) * awake, other) * fading
    level += gone * (min(level, LIMP) - level)
    weak = fading * (1.0 - gone) + gone * min(fading, LIMP_STRENGTH)
    commands.gains[m, 0] = level * responses.gains[j, 0]
    commands.gains[m, 1] = max(level, LEAST_DAMPING * float(numbers[STRENGTH])) * responses.gains[j, 1]
    commands.gains[m, 2] = weak * responses.gains[j, 2]
    turn = float(responses.gains[j, 3]) * (1.0 - side) * float(numbers[QUICKNESS]) * period
    if awake > 0.0 and gone == 0.0:
        bends = not isnan(state.time[r, COMMITS])
        moves, goal = wanted(responses, state, numbers, w, r, j, height, x, y, bends)
        if moves:
            put4(commands.target[m], 0, toward(load4(commands.target, m), goal, turn))
    elif startled(state, numbers, r, t) > 0.0:
        moves, goal = startle_pose(role)
        if moves:
            put4(commands.target[m], 0, toward(load4(commands.target, m), goal, turn))
    push = 0.0
    tip = 0.0
    if numbers[BALANCE] != 0.0 and lost < 0.0 and gone == 0.0:
        tip, push = balance_moment(responses, state, r, j)
    if awake == 0.0 and (role == HIP or role == KNEE or role == ELBOW_JOINT):
        braced = risen(since(state, r, BRACED, t), 0.0, float(numbers[RISE]))
        push -= PUSH * braced * weak * float(responses.gains[j, 2])
    commands.base[m, 0] = tip
    commands.base[m, 1] = push


@late(3, 2)
def respond(k, s, w, t, period):
    """Commands of all responses at time t, whose evaluation is in the workspace."""
    responses = k.responses
    state = s.responses
    for r in range(len(responses.actor)):
        numbers = responses.numbers[r]
        notice(
            responses,
            state,
            numbers,
            k.tree,
            k.surfaces.owner,
            s.contact,
            s.released,
            k.params.ground_obstacles,
            w,
            r,
            t,
            period,
        )
        if numbers[BALANCE] != 0.0:
            keep_balance(responses, state, k.tree, w, r)
        x, y = head_way(responses, state, r, w)
        height = float(responses.height[r])
        for j in range(responses.joint_first[r], responses.joint_first[r + 1]):
            drive(responses, state, numbers, s.commands, k.tree, s.q, w, r, j, t, period, height, x, y)
