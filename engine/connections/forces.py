"""Forces of springs, belts and welds on the bodies. Every force has its equal and opposite on the same line.

The kernel reads the kinematics in the workspace, leaves its loads in the state, and adds them to the bodies. Nothing is
remembered before `commit_connections`, which is called once a step was taken.
"""

from math import atan2, fabs

from ..bodies.dynamics import add_force_at
from ..jit.decorators import compiled
from ..maths.curves import curve_extended
from ..maths.vector import (
    add,
    add3,
    add_scaled,
    cross,
    dot,
    load3,
    load9,
    mat_mul,
    mat_vec,
    norm,
    scale,
    store3,
    sub,
    transpose,
)
from .arrays import (
    BROKEN,
    BROKEN_BY,
    BY_ENERGY,
    BY_LOAD,
    BY_MOMENT,
    ENERGY,
    HOLDS,
    LAST_FORCE,
    LAST_GAP,
    MOMENT,
    RELEASED,
)

ZERO3 = (0.0, 0.0, 0.0)


@compiled
def place_points(body, local, rotation, position, velocity, omega, point, speed):
    """World position and velocity of every connection point, from the bodies' kinematics, into `point` and `speed`."""
    for j in range(len(body)):
        b = body[j]
        arm = mat_vec(load9(rotation, b), load3(local, j))
        store3(point, j, add(load3(position, b), arm))
        store3(speed, j, add(load3(velocity, b), cross(load3(omega, b), arm)))


@compiled
def one_way(elastic, damping):
    """Tension of a band from its elastic part and its damper: never pushing, continuous where it goes slack.

    The damper's share is kept within the elastic one, as in the joint limits, so it only ever takes energy.
    """
    if elastic <= 0.0:
        return 0.0
    return elastic + min(elastic, max(-elastic, damping))


@compiled
def add_spring(springs, i, rest, point, speed, load):
    """Loads of spring i, the tension along the line between its points; returns (tension, extension)."""
    a = springs.points[i, 0]
    b = springs.points[i, 1]
    reach = sub(load3(point, b), load3(point, a))
    length = norm(reach)
    extension = length - float(rest[i])
    if length < 1e-12:
        return 0.0, extension
    along = scale(1.0 / length, reach)
    first = springs.curve[i]
    last = springs.curve[i + 1]
    elastic = float(springs.gains[i, 0]) * extension
    if last > first:
        elastic, _ = curve_extended(springs.x, springs.y, first, last, extension)
    damping = float(springs.gains[i, 1]) * dot(along, sub(load3(speed, b), load3(speed, a)))
    tension = elastic + damping
    if springs.pulls_only[i] == 1:
        tension = one_way(elastic, damping) if extension > 0.0 else 0.0
    add3(load, a, scale(tension, along))
    add3(load, b, scale(-tension, along))
    return tension, extension


@compiled
def span_length(belts, n, point, speed):
    """(length, its rate) of span n."""
    length = 0.0
    rate = 0.0
    for k in range(belts.first[n], belts.first[n + 1] - 1):
        a = belts.points[k]
        b = belts.points[k + 1]
        reach = sub(load3(point, b), load3(point, a))
        size = norm(reach)
        length += size
        if size > 1e-12:
            rate += dot(reach, sub(load3(speed, b), load3(speed, a))) / size
    return length, rate


@compiled
def pull_span(belts, n, point, tension, load):
    """Loads of a tension along span n: on each point the tension towards both neighbours (virtual work of length)."""
    for k in range(belts.first[n], belts.first[n + 1] - 1):
        a = belts.points[k]
        b = belts.points[k + 1]
        reach = sub(load3(point, b), load3(point, a))
        size = norm(reach)
        if size > 1e-12:
            pull = scale(tension / size, reach)
            add3(load, a, pull)
            add3(load, b, scale(-1.0, pull))


@compiled
def add_belt(belts, belt, span_rest, point, speed, load):
    """Loads of one belt, each span by its own strain; returns (tension of the tightest span, stretch of all)."""
    largest = 0.0
    stretch = 0.0
    for n in range(belts.spans[belt], belts.spans[belt + 1]):
        length, rate = span_length(belts, n, point, speed)
        rest = float(span_rest[n])
        stretch += length - rest
        elastic = float(belts.gains[belt, 0]) * (length - rest) / rest
        tension = one_way(elastic, float(belts.gains[belt, 1]) * rate / rest)
        if tension > 0.0:
            pull_span(belts, n, point, tension, load)
            largest = max(largest, tension)
    return largest, stretch


@compiled
def rotation_vector(m):
    """Rotation vector (rad, below 180 degrees) of a rotation matrix; for the small turns of a weld.

    (m - m')/2 holds axis times sin(angle), the trace 1 + 2 cos(angle).
    """
    turn = (0.5 * (m[7] - m[5]), 0.5 * (m[2] - m[6]), 0.5 * (m[3] - m[1]))
    sine = norm(turn)
    if sine < 1e-9:
        return turn
    return scale(atan2(sine, 0.5 * (m[0] + m[4] + m[8] - 1.0)) / sine, turn)


@compiled
def slide_along(welds, i, rotation_a, omega_a, point, speed):
    """(unit direction of weld i's line, 0 or 1 for whether it has one); moves its first point along the line to beside
    the second, as a place of the first body."""
    line = mat_vec(rotation_a, load3(welds.line, i))
    if dot(line, line) == 0.0:
        return line, 0.0
    a = welds.points[i, 0]
    reach = scale(dot(line, sub(load3(point, welds.points[i, 1]), load3(point, a))), line)
    store3(point, a, add(load3(point, a), reach))
    store3(speed, a, add(load3(speed, a), cross(omega_a, reach)))
    return line, 1.0


@compiled
def pin_force(welds, i, rotation_a, omega_a, omega_b, point, speed):
    """(force on the first body, distance of the points); moves both points to their middle, where the pair acts.

    There force and moment cancel exactly between the bodies. The elastic force is along the gap, so this changes no
    moment of it; the damper works on the relative velocity at the middle, which a common turn leaves at zero. Of a
    point on a line the gap is across the line, and no force is along it (docs/derivations.md, Explicit dampers).
    """
    a = welds.points[i, 0]
    b = welds.points[i, 1]
    line, slides = slide_along(welds, i, rotation_a, omega_a, point, speed)
    gap = sub(load3(point, b), load3(point, a))
    half = scale(0.5, gap)
    middle = add(load3(point, a), half)
    at_a = add(load3(speed, a), cross(omega_a, half))
    at_b = sub(load3(speed, b), cross(omega_b, half))
    store3(point, a, middle)
    store3(point, b, middle)
    store3(speed, a, at_a)
    store3(speed, b, at_b)
    force = add_scaled(scale(float(welds.gains[i, 0]), gap), float(welds.gains[i, 1]), sub(at_b, at_a))
    if slides != 0.0:
        force = add_scaled(force, -dot(line, force), line)
    return force, norm(gap)


@compiled
def turning_torque(welds, i, weld_start, rotation_a, rotation_b, spin):
    """Torque on the first body that turns the second back to where it was at the start; spin: omega_b - omega_a."""
    stiffness = float(welds.gains[i, 2])
    damping = float(welds.gains[i, 3])
    if stiffness + damping <= 0.0:
        return ZERO3
    held = mat_mul(rotation_a, load9(weld_start, i))
    turn = rotation_vector(mat_mul(rotation_b, transpose(held)))
    return add_scaled(scale(stiffness, turn), damping, spin)


@compiled
def add_weld(welds, i, weld_start, body, rotation, omega, point, speed, load, load_torque):
    """Loads of weld i; returns (force, gap, moment)."""
    a = welds.points[i, 0]
    b = welds.points[i, 1]
    omega_a = load3(omega, body[a])
    omega_b = load3(omega, body[b])
    rotation_a = load9(rotation, body[a])
    force, gap = pin_force(welds, i, rotation_a, omega_a, omega_b, point, speed)
    add3(load, a, force)
    add3(load, b, scale(-1.0, force))
    torque = turning_torque(welds, i, weld_start, rotation_a, load9(rotation, body[b]), sub(omega_b, omega_a))
    add3(load_torque, a, torque)
    add3(load_torque, b, scale(-1.0, torque))
    return norm(force), gap, norm(torque)


@compiled
def one_connection(cn, state, rotation, omega, t, index):
    """(force, gap, moment) of one connection that holds, its loads added."""
    springs = len(cn.springs.points)
    weld = index - springs - len(cn.belts.gains)
    point = state.load_point
    speed = state.load_velocity
    load = state.load_force
    if index < springs:
        tension, extension = add_spring(cn.springs, index, state.spring_rest, point, speed, load)
        return tension, extension, 0.0
    if weld < 0:
        tension, stretch = add_belt(cn.belts, index - springs, state.span_rest, point, speed, load)
        return tension, stretch, 0.0
    if t < cn.welds.release[weld]:
        return add_weld(
            cn.welds, weld, state.weld_start, cn.point_body, rotation, omega, point, speed, load, state.load_torque
        )  # fmt: skip
    return 0.0, 0.0, 0.0


@compiled
def connection_forces(cn, state, w, t):
    """Evaluate all connections at time t and add their loads to the bodies' bias forces; loads on the world have no
    effect."""
    place_points(
        cn.point_body, cn.point_local, w.rotation, w.position, w.velocity, w.omega,
        state.load_point, state.load_velocity,
    )  # fmt: skip
    for j in range(len(cn.point_body)):
        store3(state.load_force, j, ZERO3)
        store3(state.load_torque, j, ZERO3)
    for index in range(len(cn.break_force)):
        if state.parted[index] == HOLDS:
            force, gap, moment = one_connection(cn, state, w.rotation, w.omega, t, index)
            state.force[index] = force
            state.gap[index] = gap
            state.taken[index, MOMENT] = moment
        else:
            state.force[index] = 0.0
    for j in range(len(cn.point_body)):
        body = cn.point_body[j]
        add_force_at(
            w, body, load3(state.load_force, j), sub(load3(state.load_point, j), load3(w.position, body))
        )
        add3(w.art_n, body, scale(-1.0, load3(state.load_torque, j)))


@compiled
def take_up(state, index):
    """Add the work against connection i since the last step (trapezoidal rule) to the energy it has taken up."""
    row = state.taken[index]
    force = float(state.force[index])
    gap = float(state.gap[index])
    row[ENERGY] += 0.5 * (force + row[LAST_FORCE]) * (gap - row[LAST_GAP])
    row[LAST_FORCE] = force
    row[LAST_GAP] = gap


@compiled
def broken_by(cn, state, index):
    """Which bound a connection has passed; -1 where it holds."""
    if fabs(state.force[index]) > cn.break_force[index]:
        return BY_LOAD
    if state.taken[index, MOMENT] > cn.break_bounds[index, 0]:
        return BY_MOMENT
    if state.taken[index, ENERGY] > cn.break_bounds[index, 1]:
        return BY_ENERGY
    return -1


@compiled
def commit_connections(cn, state, t):
    """Take the last evaluation as having happened at time t: energy taken up, breaks, releases."""
    first_weld = len(cn.break_force) - len(cn.welds.points)
    for index in range(len(cn.break_force)):
        if state.parted[index] != HOLDS:
            continue
        take_up(state, index)
        by = broken_by(cn, state, index)
        if by >= 0:
            state.taken[index, BROKEN_BY] = by
            state.parted[index] = BROKEN
            state.parted_time[index] = t
        elif index >= first_weld and t >= cn.welds.release[index - first_weld]:
            state.parted[index] = RELEASED
            state.parted_time[index] = t
