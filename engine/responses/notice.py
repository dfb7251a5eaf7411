"""What a person notices: the loss of balance, a touch, a landing, a blow to the head."""

from math import cos, isnan, pi, sin, sqrt

from ..bodies.kinematics import point_velocity
from ..contact.arrays import COUNT, EFFECTIVE, ELLIPSOID_A, ELLIPSOID_B, OBSTACLE, OWNER_ACTOR, OWNER_BODY
from ..jit.decorators import compiled
from ..maths.vector import (
    add,
    add_scaled,
    load3,
    load9,
    mat_mul,
    mat_vec,
    norm,
    scale,
    slice3,
    slice9,
    store3,
    sub,
)
from ..spec.response import ARMING
from .arrays import (
    ARMED_BY,
    BRACE,
    BRACED,
    COMMITS,
    FLIES,
    KNOCK_OUT,
    KNOCKED_OUT,
    LANDS,
    LATENCY,
    MOST_STEPS,
    OFF_BALANCE,
    ON_FEET,
    PELVIS,
    RESPONDS,
    SKULL,
    SOFT_LANDING,
    START,
    STARTLE,
    STARTLED,
    STEP_FAILED,
    TOUCHED,
    WAY,
    WORLD_WAY,
)

BY_TOUCH, BY_RELEASE = ARMING.index("touch"), ARMING.index("release")
DIRECTIONS = 36
"""In which the base of support is looked at."""
SOLE_DEPTH = 0.03
"""m: corners this much above the lowest one still bear."""
BEYOND = 0.02
"""m of the extrapolated centre of mass beyond the base of support: balance is lost. Assumed."""
SINKING = 1.0
"""m/s downward of the centre of mass, that of a fall through 5 cm: balance is lost whatever the feet do. Assumed."""
GIVING_UP = 0.3
"""m/s downward of the centre of mass at which hips and knees begin to bend. Assumed."""
CHOOSING = 0.1
"""s after the latency during which the direction of the fall is still taken in. Assumed."""
UPRIGHT = 0.8
"""Height of the pelvis's forward axis (1 is straight up) above which it gives no direction."""
FLYING = 0.5
"""m/s downward of the centre of mass with nothing underfoot: a fall from a height. Assumed."""
LANDING_FORCE = 50.0
"""N on trunk or head."""
GRAVITY = 9.81
LOWEST_PENDULUM = 0.3
"""m"""


@compiled
def mass_centre(tree, w, first, last):
    """(place, velocity) of the centre of mass of moving bodies first to last, world, m and m/s."""
    mass = 0.0
    place = (0.0, 0.0, 0.0)
    velocity = (0.0, 0.0, 0.0)
    for i in range(first, last):
        arm = load3(w.com, i)
        m = float(tree.mass[i])
        mass += m
        place = add_scaled(place, m, add(load3(w.position, i), arm))
        velocity = add_scaled(velocity, m, point_velocity(w, i, arm))
    return scale(1.0 / mass, place), scale(1.0 / mass, velocity)


@compiled
def place_soles(responses, state, r, w):
    """Corners under the feet into state.sole; returns the height of the lowest, m."""
    lowest = 1e9
    for p in range(responses.sole_first[r], responses.sole_first[r + 1]):
        i = responses.sole_body[p]
        at = add(load3(w.position, i), mat_vec(load9(w.rotation, i), load3(responses.sole, p)))
        store3(state.sole, p, at)
        lowest = min(lowest, at[2])
    return lowest


@compiled
def beyond_support(responses, state, r, highest, x, y):
    """(distance of (x, y) beyond the corners of the soles that are not above `highest`, m; unit direction of it in the
    plane)."""
    farthest = -1e9
    way_x = 0.0
    way_y = 0.0
    for k in range(DIRECTIONS):
        angle = 2.0 * pi * k / DIRECTIONS
        c = cos(angle)
        s = sin(angle)
        edge = -1e9
        for p in range(responses.sole_first[r], responses.sole_first[r + 1]):
            if state.sole[p, 2] < highest:
                edge = max(edge, c * state.sole[p, 0] + s * state.sole[p, 1])
        if c * x + s * y - edge > farthest:
            farthest = c * x + s * y - edge
            way_x = c
            way_y = s
    return farthest, way_x, way_y


@compiled
def touches(responses, owner, contact, r, ground_obstacles):
    """(largest force on trunk or head by an obstacle, N; whether another actor or obstacle touches the person; whether
    anything does)."""
    force = 0.0
    touched = False
    borne = False
    me = responses.actor[r]
    for j in range(contact.counter[COUNT]):
        who = contact.who[j]
        a = owner[who[ELLIPSOID_A]]
        if who[ELLIPSOID_B] >= 0:
            b = owner[who[ELLIPSOID_B]]
            if a[OWNER_ACTOR] != b[OWNER_ACTOR] and (a[OWNER_ACTOR] == me or b[OWNER_ACTOR] == me):
                touched = True
                borne = True
        elif a[OWNER_ACTOR] == me:
            borne = True
            if who[OBSTACLE] >= ground_obstacles:
                touched = True
            if responses.trunk[a[OWNER_BODY]] == r:
                force = max(force, norm(slice3(contact.contact[j], EFFECTIVE)))
    return force, touched, borne


@compiled
def begin(state, r, phase, t):
    """Note the beginning of a phase, once."""
    if isnan(state.time[r, phase]):
        state.time[r, phase] = t


@compiled
def since(state, r, phase, t):
    """Time since a phase began, s; -1 where it has not."""
    begun = float(state.time[r, phase])
    return -1.0 if isnan(begun) else t - begun


@compiled
def is_falling(state, numbers, r):
    """Whether a fall is on: balance is lost, and no step may still regain it."""
    if numbers[MOST_STEPS] == 0.0:
        return not isnan(state.time[r, OFF_BALANCE])
    return not isnan(state.step[r, STEP_FAILED])


@compiled
def falling_for(state, numbers, r, t):
    """Time since a fall began, s; -1 where none is on. Whose steps have failed has been at it for the latency."""
    if not is_falling(state, numbers, r):
        return -1.0
    failed = float(state.step[r, STEP_FAILED])
    if isnan(failed):
        return since(state, r, OFF_BALANCE, t)
    return t - failed + float(numbers[LATENCY])


@compiled
def is_armed(numbers, state, released, r, first, last, t):
    """Whether a loss of balance counts."""
    if t < numbers[START]:
        return False
    if numbers[ARMED_BY] == BY_TOUCH:
        return not isnan(state.time[r, TOUCHED])
    if numbers[ARMED_BY] == BY_RELEASE:
        for i in range(first, last):
            if released[i] != 0:
                return True
        return False
    return True


@compiled
def body_axes(responses, w, r, which):
    """Rotation of an authored body frame (`PELVIS`, `TRUNK`, `SKULL`) to the world."""
    i = responses.body[r, which]
    return mat_mul(load9(w.rotation, i), slice9(responses.frame[r, which], 0))


@compiled
def heading(responses, w, r):
    """(x, y) unit direction in the plane along which the pelvis looks."""
    m = body_axes(responses, w, r, PELVIS)
    size = max(sqrt(m[0] * m[0] + m[3] * m[3]), 1e-6)
    return m[0] / size, m[3] / size


@compiled
def weight_of(responses, tree, r):
    """Weight of the person, N."""
    mass = 0.0
    for i in range(responses.moving[r, 0], responses.moving[r, 1]):
        mass += float(tree.mass[i])
    return mass * GRAVITY


@compiled
def take_direction(responses, state, r, w, way_x, way_y):
    """Keep the direction of the fall, in the world and ahead and to the left of the pelvis."""
    m = body_axes(responses, w, r, PELVIS)
    if abs(m[6]) >= UPRIGHT:
        return
    size = sqrt(m[0] * m[0] + m[3] * m[3])
    x = m[0] / size
    y = m[3] / size
    state.way[r, WAY] = x * way_x + y * way_y
    state.way[r, WAY + 1] = x * way_y - y * way_x
    state.way[r, WORLD_WAY] = way_x
    state.way[r, WORLD_WAY + 1] = way_y


@compiled
def notice_head(responses, state, numbers, w, r, t, period):
    """Note a knock-out, by the change of the head's velocity since the last call."""
    v = load3(w.velocity, responses.body[r, SKULL])
    before = load3(state.skull, r)
    store3(state.skull, r, v)
    if not isnan(before[0]) and norm(sub(v, before)) > numbers[KNOCK_OUT] * period:
        begin(state, r, KNOCKED_OUT, t)


@compiled
def notice_flight(responses, state, w, r, t, sinking, borne, lies):
    """Note a landing on the feet: of somebody upright who fell freely. sinking: of the centre of mass, m/s."""
    upright = body_axes(responses, w, r, PELVIS)[8] > UPRIGHT
    if not borne:
        if sinking > FLYING and upright:
            state.step[r, FLIES] = 1.0
        return
    if state.step[r, FLIES] != 0.0 and upright and not lies:
        begin(state, r, ON_FEET, t)
    state.step[r, FLIES] = 0.0


@compiled
def notice(responses, state, numbers, tree, owner, contact, released, ground_obstacles, w, r, t, period):
    """Bring the phases of response r up to time t."""
    first = responses.moving[r, 0]
    last = responses.moving[r, 1]
    force, touched, borne = touches(responses, owner, contact, r, ground_obstacles)
    if touched:
        begin(state, r, TOUCHED, t)
    if t >= numbers[STARTLE]:  # never where it is NaN
        begin(state, r, STARTLED, t)
    if t >= numbers[BRACE]:
        begin(state, r, BRACED, t)
    notice_head(responses, state, numbers, w, r, t, period)
    place, v = mass_centre(tree, w, first, last)
    lowest = place_soles(responses, state, r, w)
    state.floor[r] = min(float(state.floor[r]), lowest)
    # extrapolated centre of mass: where a pendulum of this height would come to rest
    pendulum = sqrt(max(place[2] - lowest, LOWEST_PENDULUM) / GRAVITY)
    far, way_x, way_y = beyond_support(
        responses, state, r, lowest + SOLE_DEPTH, place[0] + pendulum * v[0], place[1] + pendulum * v[1]
    )
    if is_armed(numbers, state, released, r, first, last, t) and (far > BEYOND or v[2] < -SINKING):
        begin(state, r, OFF_BALANCE, t)
    if numbers[SOFT_LANDING] != 0.0:
        notice_flight(responses, state, w, r, t, -v[2], borne, force > 0.0)
    if isnan(state.time[r, OFF_BALANCE]):
        return
    falls = falling_for(state, numbers, r, t)
    if falls < numbers[LATENCY] + CHOOSING:
        take_direction(responses, state, r, w, way_x, way_y)
    if falls >= numbers[LATENCY]:
        begin(state, r, RESPONDS, t)
        if v[2] < -GIVING_UP:
            begin(state, r, COMMITS, t)
    if force > LANDING_FORCE:
        begin(state, r, LANDS, t)
