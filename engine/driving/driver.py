"""What drivers do: brakes and throttle that follow a speed, anti-lock brakes, steering by a table or along a path,
and riders who keep two-wheelers up.

Called every `PERIOD` s. Brakes are motors that hold the wheel at zero with at most the torque commanded here; the
engine's torque is a joint torque of the driven wheels; steering is the target of a motor (docs/derivations.md,
Drivers).
"""

from math import asin, atan, isnan, nan, sqrt, tan

from ..connections.arrays import HOLDS
from ..jit.decorators import compiled
from ..jit.late import late
from ..joints.commands import TORQUES
from ..maths.vector import add, dot, load3, load9, mat_mul, mat_vec, norm
from .arrays import (
    ANTI_LOCK,
    BALANCES,
    BRAKE_START,
    BRAKING,
    DRAG,
    KEEPS_SPEED,
    MASS,
    PATH,
    PEDAL,
    PEDAL_TIME,
    PREVIEW,
    REAR,
    SPEED,
    STEERING,
    TRACE,
    WHEELBASE,
)

GAIN = 10.0
"""1/s: deceleration asked for per difference of speed. Assumed; rolling resistance then costs 0.01 m/s."""
STANDING = 0.02
"""m/s: a speed to be reached below which the vehicle is held by its brakes."""
EASE = 0.006
"""s before the stop at which a driver eases the brakes, so that the vehicle does not rock back on its treads: about the
time in which these unwind with the wheels released. Assumed."""
HOLD_TIME = 0.3
"""s in which the brakes are pressed again once it stands. Assumed."""
SLOW_ENOUGH = 0.2
"""m/s below which a vehicle that brakes may be held where it is to stand."""
AT_REST = 0.01
"""m/s below which a vehicle that is to stand is taken to stand already."""
HOLDING = 4.0
"""m/s2 for which the brakes of a vehicle that stands are good. Assumed."""
LEAST_ANTI_LOCK = 1.5
"""m/s below which anti-lock brakes let wheels lock. Assumed."""
LOW_SLIP, HIGH_SLIP = 0.09, 0.14
"""Slip of a braked wheel between which the anti-lock brake keeps it: about the peak of the tyres. Assumed."""
PRESS, RELEASE = 4.0, 12.0
"""1/s: share of the torque per time by which it presses and releases. Assumed."""
LEAST_PREVIEW = 3.0
"""m"""
PENDULUM = 1.0
"""m: height at which a rider thinks the centre of mass of the two-wheeler and its load. Assumed."""
RIGHTING, RIGHTING_DAMPING = 3.0, 0.7
"""rad/s and share of the critical damping with which a rider rights a two-wheeler. Assumed."""
LEAST_BALANCE = 1.0
"""m/s below which steering rights no more than at this speed."""
LARGEST_STEERING = 0.7
"""rad to which a rider turns the bar."""
SIDEWAYS = 6.0
"""m/s2 of side acceleration at most for which a rider steers."""
LYING = 0.9
"""rad of lean from which on nobody balances any more. Assumed."""


@compiled
def row_at(table, first, last, t):
    """Row k of the rows first to last - 1 whose piece up to k + 1 holds t; there are two rows or more."""
    k = first
    while k < last - 2 and t > table[k + 1, 0]:
        k += 1
    return k


@compiled
def read_table(table, first, last, column, t):
    """(value, slope) of a column at time t; held before the first and after the last row."""
    if last - first == 1 or t <= table[first, 0]:
        return float(table[first, column]), 0.0
    if t >= table[last - 1, 0]:
        return float(table[last - 1, column]), 0.0
    k = row_at(table, first, last, t)
    slope = (float(table[k + 1, column]) - float(table[k, column])) / (
        float(table[k + 1, 0]) - float(table[k, 0])
    )
    return float(table[k, column]) + slope * (t - float(table[k, 0])), slope


@compiled
def table_rows(drivers, d, which):
    """(first, last) row of a table of driver d."""
    return drivers.table_first[4 * d + which], drivers.table_first[4 * d + which + 1]


@compiled
def holding(state, d, v, t):
    """m/s2 for which a driver who stops presses the brakes: eased as it comes to rest, then firmly."""
    if isnan(state.stood[d]):
        state.stood[d] = t if abs(v) > AT_REST else t - HOLD_TIME
    return HOLDING * min(1.0, (t - state.stood[d]) / HOLD_TIME)


@compiled
def asked_force(drivers, state, d, v, t, period):
    """(force on the vehicle that throttle or brakes are to give (N), whether the throttle is used)."""
    numbers = drivers.numbers[d]
    mass = float(numbers[MASS])
    first, last = table_rows(drivers, d, TRACE)
    if last > first:
        wanted, rate = read_table(drivers.table, first, last, 1, t)
        if rate <= 0.0 and wanted <= max(STANDING, -EASE * rate):
            return -mass * holding(state, d, v, t), False
        state.stood[d] = nan
        force = mass * (rate + GAIN * (wanted - v))
        return force, force > 0.0
    since = t - float(numbers[BRAKE_START])
    if numbers[BRAKING] > 0.0 and since >= 0.0:
        built = float(numbers[PEDAL_TIME])
        rate = -float(numbers[BRAKING]) * (1.0 if since >= built else since / built)
        if isnan(state.wanted[d]):
            state.wanted[d] = v
        if state.wanted[d] <= max(STANDING, -EASE * rate) and v <= SLOW_ENOUGH:
            return -mass * holding(state, d, v, t), False
        force = mass * (rate + GAIN * (state.wanted[d] - v))
        state.wanted[d] = max(0.0, state.wanted[d] + rate * period)
        return min(force, 0.0), False
    if numbers[KEEPS_SPEED] != 0.0:
        return max(0.0, mass * GAIN * (float(numbers[SPEED]) - v)), True
    return 0.0, False


@compiled
def anti_lock(state, k, slip, v, torque, period):
    """Torque (N m) that the anti-lock brake leaves at wheel k."""
    if v < LEAST_ANTI_LOCK or torque <= 0.0:
        state.release[k] = 1.0
    elif slip > HIGH_SLIP:
        state.release[k] = max(0.0, state.release[k] - RELEASE * period)
    elif slip < LOW_SLIP:
        state.release[k] = min(1.0, state.release[k] + PRESS * period)
    return torque * state.release[k]


@compiled
def turn_wheels(drivers, state, commands, tree, u, d, v, t, period):
    """Torques of brakes and engine at the wheels of driver d."""
    numbers = drivers.numbers[d]
    force, throttle = asked_force(drivers, state, d, v, t, period)
    if state.fallen[d] != 0:
        force, throttle = 0.0, False
    drag = 0.0
    if not throttle and v > STANDING:
        drag = float(numbers[MASS]) * float(numbers[DRAG]) * min(1.0, v)
    brakes = max(0.0, -force - drag)
    engine = max(0.0, force) - drag
    first, last = table_rows(drivers, d, PEDAL)
    pedal = 0.0
    if last > first:
        pedal = read_table(drivers.table, first, last, 1, t)[0] if state.fallen[d] == 0 else 0.0
        if pedal > 0.0:
            engine = -drag
    commands.used[TORQUES] = 1
    for k in range(drivers.wheel_first[d], drivers.wheel_first[d + 1]):
        radius, most, share, drive_share, _ = drivers.wheel_numbers[k]
        moving = drivers.wheel[k, 2]
        torque = pedal * most if last > first else min(most, brakes * share * radius)
        if numbers[ANTI_LOCK] != 0.0:
            rim = abs(u[tree.u_address[moving]]) * radius
            torque = anti_lock(state, k, 1.0 - rim / max(v, 1e-3), v, torque, period)
        commands.gains[drivers.wheel[k, 1], 2] = torque
        commands.torque[moving, 0] = engine * drive_share * radius


@compiled
def path_curvature(drivers, state, d, origin, rotation, v):
    """1/m: of the circle from the rear axle to a point of the path ahead."""
    numbers = drivers.numbers[d]
    first, last = table_rows(drivers, d, PATH)
    table = drivers.table
    rear = add(origin, mat_vec(rotation, (float(numbers[REAR]), 0.0, 0.0)))
    k = max(first, int(state.at[d]))
    along = 0.0
    while True:
        x, y = float(table[k, 0]), float(table[k, 1])
        dx, dy = float(table[k + 1, 0]) - x, float(table[k + 1, 1]) - y
        length = sqrt(dx * dx + dy * dy)
        along = ((rear[0] - x) * dx + (rear[1] - y) * dy) / length
        if along <= length or k >= last - 2:
            break
        k += 1
    state.at[d] = k
    ahead = along + max(LEAST_PREVIEW, float(numbers[PREVIEW]) * v)
    while True:
        dx = float(table[k + 1, 0]) - float(table[k, 0])
        dy = float(table[k + 1, 1]) - float(table[k, 1])
        length = sqrt(dx * dx + dy * dy)
        if ahead <= length or k >= last - 2:
            break
        ahead -= length
        k += 1
    goal = (
        float(table[k, 0]) + ahead * dx / length - rear[0],
        float(table[k, 1]) + ahead * dy / length - rear[1],
        0.0,
    )
    left = (rotation[1], rotation[4], 0.0)
    square = goal[0] * goal[0] + goal[1] * goal[1]
    return 2.0 * dot(left, goal) / max(square, 1e-6)


@compiled
def has_let_go(k, s, fork):
    """Whether something was welded to a fork (the hands of a rider) and nothing of it holds any more."""
    cn = k.connections
    first = len(cn.springs.gains) + len(cn.belts.gains)
    found = False
    for i in range(len(cn.welds.gains)):
        a = cn.point_body[cn.welds.points[i, 0]]
        b = cn.point_body[cn.welds.points[i, 1]]
        if (a == fork) != (b == fork):
            found = True
            if s.connections.parted[first + i] == HOLDS:
                return False
    return found


@compiled
def balancing(curvature, base, gravity, v, lean, rate):
    """rad by which a rider steers (left positive) to ride a curvature (1/m): into the fall by as much as rights a
    pendulum. lean, rate: rad and rad/s, left positive.

    Steered by e a two-wheeler rolls at h lean'' = g lean - e v^2 / L; e = L (g + h w^2) / v^2 lean + ... makes it a
    damped swing about the lean of the curve (docs/derivations.md, Balance).
    """
    fast = max(v, LEAST_BALANCE)
    goal = atan(fast * fast * curvature / gravity)
    gain = base / (fast * fast)
    steering = atan(base * curvature) + gain * (
        (gravity + PENDULUM * RIGHTING * RIGHTING) * (lean - goal)
        + 2.0 * RIGHTING_DAMPING * RIGHTING * PENDULUM * rate
    )
    most = min(LARGEST_STEERING, atan(SIDEWAYS * gain))
    return min(most, max(-most, steering))


@compiled
def ride(k, s, w, d, rotation, curvature, v):
    """Steering of a two-wheeler by a rider who balances it, until it lies or the hands have let go."""
    drivers = k.drivers
    body = drivers.body[d]
    gravity = max(0.1, norm(k.params.gravity))
    forward = (rotation[0], rotation[3], rotation[6])
    lean = -asin(min(1.0, max(-1.0, rotation[7])))
    rate = -dot(load3(w.omega, body), forward)
    for j in range(drivers.wheel_first[d], drivers.wheel_first[d + 1]):
        motor = drivers.wheel[j, 3]
        if motor < 0:
            continue
        if abs(lean) > LYING or has_let_go(k, s, k.tree.parent[drivers.wheel[j, 2]]):
            s.drivers.fallen[d] = 1
        s.commands.held[motor] = 1
        if s.drivers.fallen[d] != 0:
            for i in range(3):
                s.commands.gains[motor, i] = 0.0
        else:
            s.commands.target[motor, 0] = balancing(
                curvature, float(drivers.numbers[d, WHEELBASE]), gravity, v, lean, rate
            )


@compiled
def asked_curvature(drivers, state, d, origin, rotation, v, t):
    """1/m: of the way that driver d steers, left positive."""
    base = float(drivers.numbers[d, WHEELBASE])
    curvature = 0.0
    first, last = table_rows(drivers, d, STEERING)
    if last > first:
        curvature = tan(read_table(drivers.table, first, last, 1, t)[0]) / base
    first, last = table_rows(drivers, d, TRACE)
    if last > first:
        angle = read_table(drivers.table, first, last, 2, t)[0]
        if not isnan(angle):
            curvature = tan(angle) / base
    first, last = table_rows(drivers, d, PATH)
    if last > first:
        curvature = path_curvature(drivers, state, d, origin, rotation, v)
    return curvature


@compiled
def steer(drivers, commands, d, curvature):
    """Targets of the steering motors of driver d: each wheel square to its way round a common centre (Ackermann)."""
    base = float(drivers.numbers[d, WHEELBASE])
    for k in range(drivers.wheel_first[d], drivers.wheel_first[d + 1]):
        motor = drivers.wheel[k, 3]
        if motor >= 0:
            y = float(drivers.wheel_numbers[k, 4])
            commands.held[motor] = 1
            commands.target[motor, 0] = atan(base * curvature / (1.0 - y * curvature))


@late(3, 2)
def drive(k, s, w, t, period):
    """Commands of all drivers at time t, whose evaluation is in the workspace."""
    drivers = k.drivers
    for d in range(len(drivers.actor)):
        body = drivers.body[d]
        rotation = mat_mul(load9(w.rotation, body), load9(drivers.axes, d))
        origin = add(load3(w.position, body), mat_vec(load9(w.rotation, body), load3(drivers.place, d)))
        level = sqrt(rotation[0] * rotation[0] + rotation[3] * rotation[3])
        velocity = load3(w.velocity, body)
        v = (velocity[0] * rotation[0] + velocity[1] * rotation[3]) / max(level, 1e-9)
        turn_wheels(drivers, s.drivers, s.commands, k.tree, s.u, d, v, t, period)
        curvature = asked_curvature(drivers, s.drivers, d, origin, rotation, v, t)
        if drivers.numbers[d, BALANCES] != 0.0:
            ride(k, s, w, d, rotation, curvature, v)
        else:
            steer(drivers, s.commands, d, curvature)
