"""How a person acts: gains rise from tone to full strength, targets turn towards the posture, and all fades."""

from math import exp, inf, isnan, sqrt

from ..bodies.coordinates import joint_quaternion
from ..jit.decorators import compiled
from ..jit.late import late
from ..joints.motors import shorter_turn
from ..maths.vector import load4, norm, put3, put4, quat_conj, quat_exp, quat_mul, scale
from .arrays import (
    ANKLE,
    ASYMMETRY,
    BALANCE,
    BRACED,
    BY_MUSCLES,
    COMMITS,
    ELBOW_JOINT,
    FADE,
    FLIES,
    HEAD,
    HIP,
    KEEPS_MOTORS,
    KNEE,
    KNOCKED_OUT,
    LANDS,
    LATENCY,
    LOWER_BACK,
    MOST_STEPS,
    NECK,
    NECK_LATENCY,
    OFF_BALANCE,
    ON_FEET,
    QUICKNESS,
    REST,
    RISE,
    SHOULDER,
    SOFT_LANDING,
    STARTLED,
    STEP_BEGAN,
    STEP_DOWN,
    STEP_SIDE,
    STIFFEN,
    STRENGTH,
    TONE,
    TOUCHED,
    UPPER_BACK,
    WRIST,
)
from .effort import excite_legs, leave_to_muscles, relax_legs
from .notice import falling_for, is_armed, notice, since
from .posture import head_way, wanted, zyx_turn
from .stand import balance_moment, keep_balance
from .step import is_together, pelvis_lean, sole_pressure, stance_push, swing_angles, watch_steps

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
GIVE_TIME = 0.5
"""s after a landing on the feet for which hips, knees and ankles give. Assumed."""
STEP_GAIN, ANKLE_GAIN = 3.0, 0.3
"""Factors on the stiffness of legs and trunk while stepping, and of ankles that bear; damping: roots. Assumed."""
SWING_RATE = 2.5
"""Factor on the turn rates of a leg that swings, and of hips that right the trunk. Assumed."""
STANCE_KNEE = 0.14
"""rad to which a knee that bears is stretched. Assumed."""
RIGHTING = 2.0
"""1/s with which hips of somebody on two feet right the pelvis. Assumed."""
RISING = 0.2
"""Factor on the turn rates with which somebody who has regained balance stands up. Assumed."""
RATE_SHARE = 0.1
"""s of the pelvis's turn that righting it foresees. Assumed."""
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
def is_arm(role):
    """Whether a joint of this role is one of an arm."""
    return role == SHOULDER or role == ELBOW_JOINT or role == WRIST


@compiled
def faded(state, numbers, role, r, t):
    """Share of the strength that is left after the landing."""
    landed = since(state, r, LANDS, t)
    if landed < 0.0:
        return 1.0
    rest = float(numbers[REST])
    if role == NECK or role == HEAD:
        rest = min(1.0, 2.0 * rest)
    elif is_arm(role):
        rest *= ARM_REST
    return rest + (1.0 - rest) * exp(-landed / numbers[FADE])


@compiled
def is_bearing(role):
    """Whether a joint of this role carries the weight of somebody who stands."""
    return role == HIP or role == KNEE or role == ANKLE or role == LOWER_BACK or role == UPPER_BACK


@compiled
def give_pose(state, numbers, role, r, t):
    """(1 where a leg prepares for or gives at a landing on the feet, the orientation of its joint)."""
    stay = (False, (1.0, 0.0, 0.0, 0.0))
    if numbers[SOFT_LANDING] == 0.0:
        return stay
    landed = since(state, r, ON_FEET, t)
    if 0.0 <= landed < GIVE_TIME:
        hip, knee, ankle = 85.0, 95.0, 25.0
    elif state.step[r, FLIES] != 0.0:
        hip, knee, ankle = 15.0, 25.0, -15.0
    else:
        return stay
    if role == HIP:
        return True, zyx_turn(0.0, hip, 0.0)
    if role == KNEE:
        return True, zyx_turn(0.0, knee, 0.0)
    if role == ANKLE:
        return True, zyx_turn(0.0, ankle, 0.0)
    return stay


@compiled
def take_over(responses, state, numbers, commands, motor_gains, tree, q, r, j, t, is_asked):
    """Whether the response drives joint row j, from now on if need be; an authored motor goes on until it is asked for,
    and fades after the landing."""
    m = responses.joint[j, 2]
    if state.taken[j] != 0:
        return True
    if responses.joint[j, 4] == 0:
        put4(commands.target[m], 0, load4(responses.stand, j))
    elif numbers[KEEPS_MOTORS] != 0.0 or (not is_asked and numbers[LATENCY] < inf):
        fading = faded(state, numbers, responses.joint[j, 0], r, t)
        if fading < 1.0:
            commands.gains[m, 0] = fading * motor_gains[m, 0]
            commands.gains[m, 1] = sqrt(fading) * motor_gains[m, 1]
            commands.gains[m, 2] = fading * motor_gains[m, 2]
        return False
    else:
        i = responses.joint[j, 3]
        put4(commands.target[m], 0, joint_quaternion(tree.group[i], tree.q_address[i], q))
    state.taken[j] = 1
    commands.held[m] = 1
    for c in range(3):
        commands.base[m, c] = 0.0
        commands.velocity[m, c] = 0.0
    return True


@compiled
def drive_step(responses, state, commands, tree, q, w, r, j, t, period, turn):
    """Gains and target of a joint of legs or trunk of somebody who steps to regain balance."""
    role = responses.joint[j, 0]
    side = float(responses.joint[j, 1])
    m = responses.joint[j, 2]
    stands = not isnan(state.step[r, STEP_DOWN])
    swings = not stands and side == state.step[r, STEP_SIDE]
    tip = 0.0
    push = 0.0
    gain = STEP_GAIN
    goal = load4(responses.stand, j)
    if role == HIP or role == KNEE or role == ANKLE:
        i = responses.joint[j, 3]
        here = shorter_turn(joint_quaternion(tree.group[i], tree.q_address[i], q))
        if swings:
            turn *= SWING_RATE
            flexion, out, bend, flat = swing_angles(responses, state, w, r, t)
            if role == HIP:
                goal = quat_mul(quat_exp((0.0, flexion, 0.0)), quat_exp((out, 0.0, 0.0)))
            elif role == KNEE:
                goal = quat_exp((0.0, bend, 0.0))
            else:
                goal = quat_exp((0.0, flat, 0.0))
        elif role == HIP:
            pitch, rate, roll = pelvis_lean(responses, w, r)
            held = shorter_turn(load4(commands.target, m))
            if stands and t - state.step[r, STEP_DOWN] < 1.5 * period:
                held = here
                put4(commands.target[m], 0, quat_exp(here))
            if stands:
                level = side * RIGHTING * period * roll
                goal = quat_exp((held[0] + level, held[1] - RIGHTING * period * pitch, held[2]))
            else:
                goal = quat_exp((here[0] + side * roll, here[1] - pitch - RATE_SHARE * rate, held[2]))
                tip = stance_push(responses, tree, w, r, side)
                turn *= SWING_RATE
        else:
            goal = load4(commands.target, m)
            if role == ANKLE:
                tip, push = sole_pressure(responses, state, tree, w, r, side)
                push = -push
                if not stands:
                    gain = ANKLE_GAIN
                    goal = quat_exp((0.0, here[1], 0.0))
            elif not stands:
                goal = quat_exp((0.0, STANCE_KNEE, 0.0))
    before = load4(commands.target, m)
    after = toward(before, goal, turn)
    put4(commands.target[m], 0, after)
    share = 1.0 / period if swings else 0.0
    put3(commands.velocity[m], 0, scale(share, shorter_turn(quat_mul(quat_conj(before), after))))
    commands.gains[m, 0] = gain * responses.gains[j, 0]
    commands.gains[m, 1] = sqrt(gain) * responses.gains[j, 1]
    commands.gains[m, 2] = responses.gains[j, 2]
    commands.base[m, 0] = tip
    commands.base[m, 1] = push


@compiled
def by_muscles(state, numbers, r):
    """Whether muscles keep the balance of somebody who has not lost it."""
    undisturbed = isnan(state.time[r, OFF_BALANCE]) and isnan(state.time[r, KNOCKED_OUT])
    return numbers[BALANCE] != 0.0 and numbers[BY_MUSCLES] != 0.0 and undisturbed


@compiled
def drive(
    responses, state, numbers, commands, motor_gains, tree, q, u, w, r, j, t, period, height, x, y, armed
):
    """Gains and target of joint row j at time t. armed: a loss of balance counts by now."""
    role = responses.joint[j, 0]
    m = responses.joint[j, 2]
    is_neck = role == NECK or role == HEAD
    side = float(numbers[ASYMMETRY]) * responses.joint[j, 1]
    delay = float(numbers[NECK_LATENCY] if is_neck else numbers[LATENCY]) * (1.0 + side)
    falls = falling_for(state, numbers, r, t)
    awake = risen(falls, delay, float(numbers[RISE])) if delay < inf else 0.0
    other = alert(state, numbers, r, t)
    again = is_together(state, r) and falls < 0.0
    keeps = numbers[BALANCE] != 0.0 and (armed or responses.joint[j, 4] == 0)
    balances = again or (keeps and isnan(state.time[r, OFF_BALANCE]))
    if balances and is_bearing(role):
        other = 1.0
    out = since(state, r, KNOCKED_OUT, t)
    gone = 0.0 if out < 0.0 else 1.0 - exp(-out / KNOCK_OUT_TIME)
    steps = state.step[r, STEP_SIDE] != 0.0 and falls < 0.0 and gone == 0.0 and is_bearing(role) and not again
    waits = steps and t < state.step[r, STEP_BEGAN] and responses.joint[j, 1] == state.step[r, STEP_SIDE]
    gives, pose = give_pose(state, numbers, role, r, t)
    if gives:
        other = 1.0
    if waits:
        return
    asked = steps or awake + other + gone > 0.0
    if not take_over(responses, state, numbers, commands, motor_gains, tree, q, r, j, t, asked):
        return
    turn = float(responses.gains[j, 3]) * (1.0 - side) * float(numbers[QUICKNESS]) * period
    if steps:
        drive_step(responses, state, commands, tree, q, w, r, j, t, period, turn)
        return
    put3(commands.velocity[m], 0, (0.0, 0.0, 0.0))
    fading = faded(state, numbers, role, r, t)
    tone = float(numbers[TONE])
    level = max(tone + (1.0 - tone) * awake, other) * fading
    level += gone * (min(level, LIMP) - level)
    weak = fading * (1.0 - gone) + gone * min(fading, LIMP_STRENGTH)
    commands.gains[m, 0] = level * responses.gains[j, 0]
    tensed = float(numbers[STRENGTH]) * (1.0 - gone + gone * LIMP_STRENGTH)
    commands.gains[m, 1] = sqrt(level * min(tensed, 1.0)) * responses.gains[j, 1]
    commands.gains[m, 2] = weak * responses.gains[j, 2]
    moves = False
    goal = load4(commands.target, m)
    if gone == 0.0:
        if gives:
            moves, goal = gives, pose
        elif awake > 0.0:
            bends = not isnan(state.time[r, COMMITS])
            moves, goal = wanted(responses, state, numbers, w, r, j, height, x, y, bends)
            if is_arm(role) and since(state, r, LANDS, t) > float(numbers[FADE]):
                i = responses.joint[j, 3]
                moves = False
                put4(commands.target[m], 0, joint_quaternion(tree.group[i], tree.q_address[i], q))
        elif startled(state, numbers, r, t) > 0.0:
            moves, goal = startle_pose(role)
        elif again:
            moves, goal, turn = True, load4(responses.stand, j), RISING * turn
        if moves:
            put4(commands.target[m], 0, toward(load4(commands.target, m), goal, turn))
    push = 0.0
    tip = 0.0
    if balances and gone == 0.0:
        tip, push = balance_moment(responses, state, r, j)
    if awake == 0.0 and (role == HIP or role == KNEE or role == ELBOW_JOINT):
        braced = risen(since(state, r, BRACED, t), 0.0, float(numbers[RISE]))
        push -= PUSH * braced * weak * float(responses.gains[j, 2])
    commands.base[m, 0] = tip
    commands.base[m, 1] = push
    if by_muscles(state, numbers, r) and (role == HIP or role == KNEE or role == ANKLE):
        leave_to_muscles(responses, state, commands, tree, q, u, r, j)


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
        if numbers[MOST_STEPS] > 0.0 and not isnan(state.time[r, OFF_BALANCE]):
            watch_steps(responses, state, numbers, k.tree, k.surfaces.owner, s.contact, w, r, t)
        if numbers[BALANCE] != 0.0 or is_together(state, r):
            keep_balance(responses, state, k.tree, w, r)
        x, y = head_way(responses, state, r, w)
        height = float(responses.height[r])
        armed = is_armed(numbers, state, s.released, r, responses.moving[r, 0], responses.moving[r, 1], t)
        for j in range(responses.joint_first[r], responses.joint_first[r + 1]):
            drive(
                responses,
                state,
                numbers,
                s.commands,
                k.joints.motors.gains,
                k.tree,
                s.q,
                s.u,
                w,
                r,
                j,
                t,
                period,
                height,
                x,
                y,
                armed,
            )
        if by_muscles(state, numbers, r):
            excite_legs(responses, state, s.commands, k.muscles, s.muscles, k.tree, w, r)
        else:
            relax_legs(responses, state, s.commands, r)
