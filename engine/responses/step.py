"""Steps that regain balance: where the swinging foot goes, how its leg gets there, and how both legs bear.

docs/derivations.md, Recovery steps. A foot is put where the extrapolated centre of mass will be when it lands; if the
centre still lies beyond the feet then, the other foot steps. Who runs out of steps or sinks has failed and falls.
"""

from math import acos, asin, atan2, exp, isnan, nan, pi, sqrt

from ..contact.arrays import COUNT, EFFECTIVE, ELLIPSOID_A, ELLIPSOID_B, OWNER_ACTOR, OWNER_HOST
from ..jit.decorators import compiled
from ..maths.vector import load3, mat_t_vec, norm, slice3, sub
from .arrays import (
    ANKLE,
    HIP,
    KNEE,
    LANDS,
    LATENCY,
    MOST_STEPS,
    OFF_BALANCE,
    PELVIS,
    RECOVERS,
    STEP_BEGAN,
    STEP_CALM,
    STEP_COUNT,
    STEP_DOWN,
    STEP_FAILED,
    STEP_FROM,
    STEP_GATHERS,
    STEP_HEIGHT,
    STEP_SIDE,
    STEP_TO,
    STEPS,
    WALKS,
    WORLD_WAY,
)
from .notice import (
    GRAVITY,
    LOWEST_PENDULUM,
    SINKING,
    begin,
    beyond_support,
    body_axes,
    heading,
    mass_centre,
    since,
    weight_of,
)
from .stand import AHEAD, GAIN, MARGIN

STEP_DELAY = 0.05
"""s after the latency at which a foot leaves the ground: 0.20 s of an adult, the beginning of 0.20 to 0.25 s in which
steps begin (general knowledge)."""
TRIP_LATENCY = 0.10
"""s after which somebody who walks lifts the foot that was caught: muscles of both legs answer 0.06 to 0.14 s after a
trip (Eng, Winter and Patla 1994, general knowledge). The other leg bears from the touch on."""
SWING = 0.28
"""s from lifting a foot to putting it down, of a mid-size man. Assumed."""
FAR = 0.65
"""m of a step of a mid-size man that takes no longer than a short one. Assumed."""
LEAST_SWING = 0.75
"""Of the swing: a foot that touches before is dragged, not put down. Assumed."""
LOW = 0.05
"""m of the ankle over the other at which a foot that touches has landed: higher it is dragged by its toes. Assumed."""
TOES_UP = 0.09
"""rad of a swinging foot. Assumed."""
LIFT = 0.20
"""m of a swinging ankle over the straight way between its places, most after a third of it. Assumed."""
PRESS = 0.04
"""m below the ground at which a foot aims that should have landed."""
BOTH = 0.05
"""s for which both feet are down before the next step. Assumed."""
WIDE = 0.07
"""m of a foot to the side of the middle of the pelvis, at least, of a mid-size man. Assumed."""
TOES, HEEL, EDGE = 0.12, 0.05, 0.03
"""m of the pressure under the foot that stays, from its ankle, forward, backward and to the side at most, of a mid-size
man. Assumed."""
WIDEST = 0.30
"""m: the same at most. Assumed."""
SHORT = 0.18
"""m by which an ankle is put behind the place where the centre will be, as the foot reaches ahead of it. Assumed."""
BORNE = 0.84
"""Share of the mass over the hip of the leg that bears: all but that leg (Winter)."""
STRAIGHTEST, UPRIGHT_LEG = 0.985, 0.998
"""Of the length of thigh and shank: the farthest that a foot is put from the hip, and the same of a foot that is put
beside the other or is late. Assumed: people land on bent knees and stand on straight ones."""
FOOT_FORCE = 50.0
"""N on a foot: it bears."""
BEYOND_STEP = 0.03
"""m of the extrapolated centre beyond both feet at which a further step is taken. Assumed."""
OVER, OVER_TOES = 0.12, 0.20
"""m of the extrapolated centre to a side or behind, and ahead, of the ankle that stepped, within which the other foot
is put beside it: a foot reaches farther ahead of its ankle. Assumed."""
STRIDE_WIDTH = 0.30
"""m between feet that step, of a mid-size man. Assumed: wider than they stand, as a foot that swings outward lags."""
TOGETHER = 0.20
"""m between the ankles of somebody who stands again. Assumed."""
CALM_SPEED, CALM_TIME = 0.25, 0.3
"""m/s of the centre of mass below which somebody stands, and s for which: balance is regained. Chosen."""
LOWEST_PELVIS = 0.72
"""Of the height of the centre of mass when balance was lost, below which a step has failed. Assumed."""


@compiled
def joint_of(responses, r, role, side):
    """Row of the joint of a role and side."""
    found = -1
    for j in range(responses.joint_first[r], responses.joint_first[r + 1]):
        if responses.joint[j, 0] == role and responses.joint[j, 1] == side:
            found = j
    return found


@compiled
def joint_place(responses, w, r, role, side):
    """World place of the joint of a role and side, m."""
    return load3(w.position, responses.joint[joint_of(responses, r, role, side), 3])


@compiled
def foot_force(responses, owner, contact, r, foot):
    """Largest force (N) on the moving body `foot` by anything but its own actor."""
    force = 0.0
    me = responses.actor[r]
    for j in range(contact.counter[COUNT]):
        who = contact.who[j]
        a = who[ELLIPSOID_A]
        b = who[ELLIPSOID_B]
        mine = owner[a][OWNER_ACTOR] == me and owner[a][OWNER_HOST] == foot
        if b >= 0:
            if owner[a][OWNER_ACTOR] == owner[b][OWNER_ACTOR]:
                continue
            mine = mine or (owner[b][OWNER_ACTOR] == me and owner[b][OWNER_HOST] == foot)
        if mine:
            force = max(force, norm(slice3(contact.contact[j], EFFECTIVE)))
    return force


@compiled
def lift_foot(responses, state, w, r, side, t):
    """Begin a swing of the leg of this side."""
    step = state.step[r]
    step[STEP_SIDE] = side
    step[STEP_BEGAN] = t
    step[STEP_DOWN] = nan
    step[STEP_COUNT] += 1.0
    at = joint_place(responses, w, r, ANKLE, side)
    for c in range(3):
        step[STEP_FROM + c] = at[c]
        step[STEP_TO + c] = at[c]


@compiled
def swing_time(responses, state, r):
    """s from lifting the foot to putting it down: longer for far places."""
    step = state.step[r]
    x = float(step[STEP_TO]) - float(step[STEP_FROM])
    y = float(step[STEP_TO + 1]) - float(step[STEP_FROM + 1])
    size = float(responses.height[r])
    return SWING * sqrt(size) * max(1.0, min(1.5, sqrt(x * x + y * y) / (FAR * size)))


@compiled
def is_together(state, r):
    """Whether somebody has stepped and put the other foot beside: both feet balance again."""
    return state.step[r, STEP_GATHERS] != 0.0 and not isnan(state.step[r, STEP_DOWN])


@compiled
def bearing_side(state, r):
    """Side of the foot that bears: the other one while a foot swings, then the one that stepped."""
    side = float(state.step[r, STEP_SIDE])
    return -side if isnan(state.step[r, STEP_DOWN]) else side


@compiled
def over_foot(responses, w, r, side, at_x, at_y):
    """(how far a place is ahead of the ankle of a side, m; how far to its left, m), along the pelvis's heading."""
    x, y = heading(responses, w, r)
    over = joint_place(responses, w, r, ANKLE, side)
    return x * (at_x - over[0]) + y * (at_y - over[1]), x * (at_y - over[1]) - y * (at_x - over[0])


@compiled
def gather_foot(responses, state, w, r, side, at_x, at_y):
    """Put the goal of the swinging foot beside the other, as they stood, or as far ahead of it as the extrapolated
    centre is ahead of where people hold it."""
    step = state.step[r]
    x, y = heading(responses, w, r)
    apart = side * TOGETHER * float(responses.height[r])
    stance = joint_place(responses, w, r, ANKLE, -side)
    size = float(responses.height[r])
    ahead, _ = over_foot(responses, w, r, -side, at_x, at_y)
    ahead = min(OVER * size, max(0.0, ahead - AHEAD * size))
    step[STEP_TO] = stance[0] + x * ahead - y * apart
    step[STEP_TO + 1] = stance[1] + y * ahead + x * apart
    step[STEP_TO + 2] = stance[2]


@compiled
def first_side(responses, state, w, r):
    """Which foot steps first: the one on the side of a fall to the side; else the hinder one as seen along the fall."""
    m = body_axes(responses, w, r, PELVIS)
    x = float(state.way[r, WORLD_WAY])
    y = float(state.way[r, WORLD_WAY + 1])
    aside = m[1] * x + m[4] * y
    if abs(aside) > 0.7:
        return 1.0 if aside > 0.0 else -1.0
    left = joint_place(responses, w, r, ANKLE, 1)
    right = joint_place(responses, w, r, ANKLE, -1)
    ahead = x * (left[0] - right[0]) + y * (left[1] - right[1])
    if left[2] - right[2] > 0.04:
        return 1.0
    if right[2] - left[2] > 0.04:
        return -1.0
    return 1.0 if ahead < 0.0 else -1.0


@compiled
def aim_foot(responses, state, tree, w, r, t):
    """Where the swinging ankle is to land, into state.step."""
    step = state.step[r]
    side = float(step[STEP_SIDE])
    place, v = mass_centre(tree, w, responses.moving[r, 0], responses.moving[r, 1])
    stance = joint_place(responses, w, r, ANKLE, -side)
    height = max(place[2] - stance[2], LOWEST_PENDULUM)
    pendulum = sqrt(height / GRAVITY)
    size = float(responses.height[r])
    left = max(swing_time(responses, state, r) - (t - float(step[STEP_BEGAN])), 0.0)
    grows = exp(left / pendulum)
    x, y = heading(responses, w, r)
    hips = load3(w.position, responses.body[r, PELVIS])
    # ahead of and to the left of the foot that stays, which bears on its edge towards the fall
    away_x = place[0] + pendulum * v[0] - stance[0]
    away_y = place[1] + pendulum * v[1] - stance[1]
    ahead = x * away_x + y * away_y
    aside = x * away_y - y * away_x
    toes = min(TOES * size, max(-HEEL * size, ahead))
    edge = min(EDGE * size, max(-EDGE * size, aside))
    ahead = toes + grows * (ahead - toes)
    aside = edge + grows * (aside - edge)
    # so far to the outer side of it that it is thrown back to where the other foot would land as far outside
    aside += side * STRIDE_WIDTH * size / (1.0 + exp(swing_time(responses, state, r) / pendulum))
    ahead += x * (stance[0] - hips[0]) + y * (stance[1] - hips[1])
    aside += x * (stance[1] - hips[1]) - y * (stance[0] - hips[0])
    ahead -= SHORT * size
    aside = side * min(WIDEST * size, max(side * aside, WIDE * size))
    step[STEP_TO] = hips[0] + x * ahead - y * aside
    step[STEP_TO + 1] = hips[1] + y * ahead + x * aside
    step[STEP_TO + 2] = stance[2] if stance[2] < step[STEP_FROM + 2] else step[STEP_FROM + 2]


@compiled
def centre_beyond(responses, state, r, place, v):
    """(distance of the extrapolated centre of mass beyond both feet, wherever they are, m; its place x, y)."""
    pendulum = sqrt(max(place[2] - float(state.floor[r]), LOWEST_PENDULUM) / GRAVITY)
    at_x = place[0] + pendulum * v[0]
    at_y = place[1] + pendulum * v[1]
    far, _, _ = beyond_support(responses, state, r, 1e9, at_x, at_y)
    return far, at_x, at_y


@compiled
def step_again(responses, state, numbers, w, r, t):
    """Step once more from both feet, or fail where no step is left."""
    step = state.step[r]
    if step[STEP_COUNT] < numbers[MOST_STEPS]:
        step[STEP_GATHERS] = 0.0
        lift_foot(responses, state, w, r, first_side(responses, state, w, r), t)
    else:
        step[STEP_FAILED] = t


@compiled
def watch_steps(responses, state, numbers, tree, owner, contact, w, r, t):
    """Bring the steps of somebody who has lost balance up to time t."""
    step = state.step[r]
    lost = since(state, r, OFF_BALANCE, t)
    walks = numbers[WALKS] != 0.0
    if walks and step[STEP_SIDE] == 0.0:
        step[STEP_SIDE] = first_side(responses, state, w, r)
        step[STEP_BEGAN] = t + TRIP_LATENCY
    delay = TRIP_LATENCY if walks else float(numbers[LATENCY]) + STEP_DELAY
    if lost < delay or not isnan(step[STEP_FAILED]):
        return
    place, v = mass_centre(tree, w, responses.moving[r, 0], responses.moving[r, 1])
    if isnan(state.time[r, STEPS]):
        begin(state, r, STEPS, t)
        step[STEP_HEIGHT] = place[2]
        side = float(step[STEP_SIDE]) if walks else first_side(responses, state, w, r)
        lift_foot(responses, state, w, r, side, t)
    side = float(step[STEP_SIDE])
    far, at_x, at_y = centre_beyond(responses, state, r, place, v)
    if isnan(step[STEP_DOWN]):
        foot = responses.joint[joint_of(responses, r, ANKLE, side), 3]
        swung = t - float(step[STEP_BEGAN])
        stance = joint_place(responses, w, r, ANKLE, -side)
        is_low = w.position[foot, 2] < min(stance[2], float(step[STEP_FROM + 2])) + LOW
        if (
            swung > LEAST_SWING * SWING
            and is_low
            and foot_force(responses, owner, contact, r, foot) > FOOT_FORCE
        ):
            step[STEP_DOWN] = t
        elif step[STEP_GATHERS] != 0.0 and far < BEYOND_STEP:
            gather_foot(responses, state, w, r, side, at_x, at_y)
        else:
            step[STEP_GATHERS] = 0.0
            aim_foot(responses, state, tree, w, r, t)
    elif t - step[STEP_DOWN] > BOTH:
        if step[STEP_GATHERS] != 0.0:
            if far > BEYOND_STEP:
                step_again(responses, state, numbers, w, r, t)
            elif norm(v) > CALM_SPEED:
                step[STEP_CALM] = t
            elif t - step[STEP_CALM] > CALM_TIME:
                begin(state, r, RECOVERS, t)
        elif far > BEYOND_STEP:
            if step[STEP_COUNT] < numbers[MOST_STEPS]:
                lift_foot(responses, state, w, r, -side, t)
            else:
                step[STEP_FAILED] = t
        else:
            ahead, aside = over_foot(responses, w, r, side, at_x, at_y)
            size = float(responses.height[r])
            if max(abs(aside), -ahead, ahead - (OVER_TOES - OVER) * size) < OVER * size:
                lift_foot(responses, state, w, r, -side, t)
                step[STEP_GATHERS] = 1.0
                step[STEP_CALM] = t
    if place[2] < LOWEST_PELVIS * step[STEP_HEIGHT] or v[2] < -SINKING or not isnan(state.time[r, LANDS]):
        step[STEP_FAILED] = t


@compiled
def swing_angles(responses, state, w, r, t):
    """(hip flexion, hip abduction, knee flexion, ankle dorsiflexion) in rad that bring the swinging ankle where it is
    to be at time t."""
    step = state.step[r]
    side = float(step[STEP_SIDE])
    size = float(responses.height[r])
    share = (t - float(step[STEP_BEGAN])) / swing_time(responses, state, r)
    along = min(1.0, max(0.0, share / 0.9))
    along = along * along * (3.0 - 2.0 * along)
    lift = LIFT * size * min(1.0, 4.0 * share) * (1.0 - along) - PRESS * max(
        0.0, min(1.0, 5.0 * (share - 0.8))
    )
    start = slice3(step, STEP_FROM)
    goal = slice3(step, STEP_TO)
    at = (
        start[0] + along * (goal[0] - start[0]),
        start[1] + along * (goal[1] - start[1]),
        start[2] + along * (goal[2] - start[2]) + lift,
    )
    hip = joint_place(responses, w, r, HIP, side)
    knee = joint_place(responses, w, r, KNEE, side)
    ankle = joint_place(responses, w, r, ANKLE, side)
    thigh = norm(sub(knee, hip))
    shank = norm(sub(ankle, knee))
    m = body_axes(responses, w, r, PELVIS)
    way = mat_t_vec(m, sub(at, hip))
    out = atan2(side * way[1], -way[2])
    below = sqrt(way[1] * way[1] + way[2] * way[2])
    longest = STRAIGHTEST if step[STEP_GATHERS] == 0.0 and share < 1.0 else UPRIGHT_LEG
    length = min(norm(way), longest * (thigh + shank))
    length = max(length, 0.4 * (thigh + shank))
    bend = pi - acos(
        min(1.0, max(-1.0, (thigh * thigh + shank * shank - length * length) / (2.0 * thigh * shank)))
    )
    lead = acos(
        min(1.0, max(-1.0, (thigh * thigh + length * length - shank * shank) / (2.0 * thigh * length)))
    )
    flexion = atan2(way[0], below) + lead
    x, y = heading(responses, w, r)
    up = sub(knee, ankle)
    flat = atan2(x * up[0] + y * up[1], up[2])
    return flexion, out, bend, min(0.40, max(-0.4, flat + TOES_UP))


@compiled
def pelvis_lean(responses, w, r):
    """(lean of the pelvis forward, rad; rate of it, rad/s; height of its left side over its right, rad)."""
    m = body_axes(responses, w, r, PELVIS)
    omega = mat_t_vec(m, load3(w.omega, responses.body[r, PELVIS]))
    return asin(min(1.0, max(-1.0, -m[6]))), omega[1], asin(min(1.0, max(-1.0, m[7])))


@compiled
def centre_over_foot(responses, state, tree, w, r):
    """(weight, N; heading of the pelvis x, y; extrapolated centre of mass along it, m; how far, m, it is to the
    left of the ankle that bears)."""
    place, v = mass_centre(tree, w, responses.moving[r, 0], responses.moving[r, 1])
    one = joint_place(responses, w, r, ANKLE, 1)
    other = joint_place(responses, w, r, ANKLE, -1)
    pendulum = sqrt(max(place[2] - min(one[2], other[2]), LOWEST_PENDULUM) / GRAVITY)
    x, y = heading(responses, w, r)
    at_x = place[0] + pendulum * v[0]
    at_y = place[1] + pendulum * v[1]
    along = x * at_x + y * at_y
    aside = x * at_y - y * at_x
    over = one if bearing_side(state, r) > 0.0 else other
    left = x * over[1] - y * over[0]
    return weight_of(responses, tree, r), x, y, along, aside - left


@compiled
def sole_pressure(responses, state, tree, w, r, side):
    """Moments (N m) of an ankle (x: eversion, y: plantar flexion) that put the pressure of half of the weight under its
    foot beyond the extrapolated centre of mass."""
    weight, x, y, along, left = centre_over_foot(responses, state, tree, w, r)
    foot = responses.joint[joint_of(responses, r, ANKLE, side), 3]
    ankle = load3(w.position, foot)
    low = 1e9
    high = -1e9
    for p in range(responses.sole_first[r], responses.sole_first[r + 1]):
        if responses.sole_body[p] == foot:
            edge = x * state.sole[p, 0] + y * state.sole[p, 1]
            low = min(low, edge)
            high = max(high, edge)
    bears = bearing_side(state, r)
    over = joint_place(responses, w, r, ANKLE, bears)
    goal = x * over[0] + y * over[1] + AHEAD * float(responses.height[r])
    pressure = min(high - MARGIN, max(low + MARGIN, goal + GAIN * (along - goal)))
    edge = EDGE * float(responses.height[r])
    out = side * min(edge, max(-edge, GAIN * left))
    return -0.5 * weight * out, 0.5 * weight * (pressure - x * ankle[0] - y * ankle[1])


@compiled
def stance_push(responses, tree, w, r, side):
    """Moment (N m, abduction positive) of the hip of the only leg that bears, against the weight beside it."""
    place, _ = mass_centre(tree, w, responses.moving[r, 0], responses.moving[r, 1])
    m = body_axes(responses, w, r, PELVIS)
    away = mat_t_vec(m, sub(place, joint_place(responses, w, r, HIP, side)))
    return -side * away[1] * BORNE * weight_of(responses, tree, r)
