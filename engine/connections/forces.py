"""Forces of springs, belts and welds on the bodies. Every force has its equal and opposite on the same line.

The kernel reads the kinematics in the workspace, leaves its loads in the state, and adds them to the bodies. Nothing
is remembered until `commit_connections` is told that a step was taken.
"""

from math import atan2, fabs

from ..dynamics import add_force_at
from ..jit import compiled
from ..joints.curves import curve_extended
from ..kinematics import point_velocity
from ..vector import (
    add,
    add3,
    add_scaled,
    dot,
    load3,
    load9,
    mat_mul,
    mat_vec,
    norm,
    scale,
    store3,
    store9,
    sub,
    transpose,
)
from .arrays import BROKEN, HOLDS, RELEASED


@compiled
def place_point(cn, state, w, j):
    """Put the world position of point j into its load; return it and the point's velocity."""
    body = cn.point_body[j]
    arm = mat_vec(load9(w.rotation, body), load3(cn.point_local, j))
    position = add(load3(w.position, body), arm)
    store3(state.load_point, j, position)
    return position, point_velocity(w, body, arm)


@compiled
def one_way(elastic, damping):
    """Tension of a band from its elastic part and its damper: never pushing, continuous where it goes slack.

    The damper's share is kept within the elastic one, as in the joint limits, so it only ever takes energy.
    """
    if elastic <= 0.0:
        return 0.0
    return elastic + min(elastic, max(-elastic, damping))


@compiled
def add_spring(cn, state, w, i):
    """Loads of spring i: tension f along the line from its first point to its second."""
    a = cn.spring_points[i, 0]
    b = cn.spring_points[i, 1]
    start, start_velocity = place_point(cn, state, w, a)
    end, end_velocity = place_point(cn, state, w, b)
    reach = sub(end, start)
    length = norm(reach)
    extension = length - float(state.spring_rest[i])
    state.gap[i] = extension
    if length < 1e-12:
        return
    along = scale(1.0 / length, reach)
    rate = dot(along, sub(end_velocity, start_velocity))
    first = cn.spring_curve[i]
    last = cn.spring_curve[i + 1]
    if last > first:
        elastic, _ = curve_extended(cn.curve_x, cn.curve_y, first, last, extension)
    else:
        elastic = float(cn.spring_gains[i, 0]) * extension
    damping = float(cn.spring_gains[i, 1]) * rate
    if cn.spring_pulls_only[i] == 1:
        tension = one_way(elastic, damping) if extension > 0.0 else 0.0
    else:
        tension = elastic + damping
    state.force[i] = tension
    add3(state.load_force, a, scale(tension, along))
    add3(state.load_force, b, scale(-tension, along))


@compiled
def span_length(cn, state, w, n):
    """(length, its rate) of span n, with its points placed."""
    length = 0.0
    rate = 0.0
    behind, behind_velocity = place_point(cn, state, w, cn.span_points[cn.span_first[n]])
    for k in range(cn.span_first[n] + 1, cn.span_first[n + 1]):
        here, velocity = place_point(cn, state, w, cn.span_points[k])
        reach = sub(here, behind)
        size = norm(reach)
        length += size
        if size > 1e-12:
            rate += dot(reach, sub(velocity, behind_velocity)) / size
        behind = here
        behind_velocity = velocity
    return length, rate


@compiled
def pull_span(cn, state, n, tension):
    """Loads of a tension along span n: on each point the tension towards both neighbours (virtual work of length)."""
    for k in range(cn.span_first[n], cn.span_first[n + 1] - 1):
        a = cn.span_points[k]
        b = cn.span_points[k + 1]
        reach = sub(load3(state.load_point, b), load3(state.load_point, a))
        size = norm(reach)
        if size > 1e-12:
            pull = scale(tension / size, reach)
            add3(state.load_force, a, pull)
            add3(state.load_force, b, scale(-1.0, pull))


@compiled
def add_belt(cn, state, w, belt, index):
    """Loads of one belt: each span by its own strain; the belt's force is that of its tightest span."""
    stretch = 0.0
    for n in range(cn.belt_spans[belt], cn.belt_spans[belt + 1]):
        length, rate = span_length(cn, state, w, n)
        rest = float(state.span_rest[n])
        stretch += length - rest
        elastic = float(cn.belt_gains[belt, 0]) * (length - rest) / rest
        tension = one_way(elastic, float(cn.belt_gains[belt, 1]) * rate / rest)
        if tension > 0.0:
            pull_span(cn, state, n, tension)
            state.force[index] = max(float(state.force[index]), tension)
    state.gap[index] = stretch


@compiled
def rotation_vector(m):
    """Rotation vector (rad, up to 180 degrees) of a rotation matrix; for the small turns of a weld.

    (m - m')/2 holds axis times sin(angle), the trace 1 + 2 cos(angle).
    """
    turn = (0.5 * (m[7] - m[5]), 0.5 * (m[2] - m[6]), 0.5 * (m[3] - m[1]))
    sine = norm(turn)
    cosine = 0.5 * (m[0] + m[4] + m[8] - 1.0)
    if sine < 1e-9:
        return turn
    return scale(atan2(sine, cosine) / sine, turn)


@compiled
def add_weld(cn, state, w, i, index):
    """Loads of weld i. Both sides act at the middle of its points, so force and moment cancel exactly between bodies.

    The elastic force is along the gap, so moving its point there changes no moment of it; the damper works on the
    relative velocity at the middle, which a common turn of both bodies leaves at zero.
    """
    a = cn.weld_points[i, 0]
    b = cn.weld_points[i, 1]
    body_a = cn.point_body[a]
    body_b = cn.point_body[b]
    start, _ = place_point(cn, state, w, a)
    end, _ = place_point(cn, state, w, b)
    gap = sub(end, start)
    middle = add_scaled(start, 0.5, gap)
    velocity = sub(
        point_velocity(w, body_b, sub(middle, load3(w.position, body_b))),
        point_velocity(w, body_a, sub(middle, load3(w.position, body_a))),
    )
    force = add_scaled(scale(float(cn.weld_gains[i, 0]), gap), float(cn.weld_gains[i, 1]), velocity)
    state.gap[index] = norm(gap)
    state.force[index] = norm(force)
    store3(state.load_point, a, middle)
    store3(state.load_point, b, middle)
    add3(state.load_force, a, force)
    add3(state.load_force, b, scale(-1.0, force))
    if cn.weld_gains[i, 2] > 0.0 or cn.weld_gains[i, 3] > 0.0:
        held = mat_mul(load9(w.rotation, body_a), load9(state.weld_start, i))
        turn = rotation_vector(mat_mul(load9(w.rotation, body_b), transpose(held)))
        spin = sub(load3(w.omega, body_b), load3(w.omega, body_a))
        torque = add_scaled(scale(float(cn.weld_gains[i, 2]), turn), float(cn.weld_gains[i, 3]), spin)
        add3(state.load_torque, a, torque)
        add3(state.load_torque, b, scale(-1.0, torque))


@compiled
def connection_forces(cn, state, w, t):
    """Evaluate all connections at time t and add their loads to the bodies' bias forces."""
    for j in range(len(cn.point_body)):
        for k in range(3):
            state.load_force[j, k] = 0.0
            state.load_torque[j, k] = 0.0
    springs = len(cn.spring_points)
    belts = len(cn.belt_gains)
    for index in range(len(cn.break_force)):
        state.force[index] = 0.0
        if state.parted[index] != HOLDS:
            continue
        if index < springs:
            add_spring(cn, state, w, index)
        elif index < springs + belts:
            add_belt(cn, state, w, index - springs, index)
        elif t < cn.weld_release[index - springs - belts]:
            add_weld(cn, state, w, index - springs - belts, index)
    apply_loads(cn, state, w)


@compiled
def apply_loads(cn, state, w):
    """Add the loads to the bias of their bodies; the world's row swallows its own."""
    for j in range(len(cn.point_body)):
        body = cn.point_body[j]
        add_force_at(
            w, body, load3(state.load_force, j), sub(load3(state.load_point, j), load3(w.position, body))
        )
        add3(w.art_n, body, scale(-1.0, load3(state.load_torque, j)))


@compiled
def commit_connections(cn, state, t):
    """Take the last evaluation as having happened at time t: extremes, breaks, releases."""
    first_weld = len(cn.break_force) - len(cn.weld_points)
    for index in range(len(cn.break_force)):
        if state.parted[index] != HOLDS:
            continue
        force = fabs(state.force[index])
        if force > state.largest_force[index]:
            state.largest_force[index] = force
            state.largest_force_time[index] = t
        state.largest_gap[index] = max(float(state.largest_gap[index]), float(state.gap[index]))
        if force > cn.break_force[index]:
            state.parted[index] = BROKEN
            state.parted_time[index] = t
        elif index >= first_weld and t >= cn.weld_release[index - first_weld]:
            state.parted[index] = RELEASED
            state.parted_time[index] = t


@compiled
def measure_start(cn, state, w):
    """Rest lengths and orientations of the state from the kinematics in the workspace."""
    for i in range(len(cn.spring_points)):
        start, _ = place_point(cn, state, w, cn.spring_points[i, 0])
        end, _ = place_point(cn, state, w, cn.spring_points[i, 1])
        rest = float(cn.spring_gains[i, 2])
        state.spring_rest[i] = rest if rest == rest else norm(sub(end, start))
    for belt in range(len(cn.belt_gains)):
        total = 0.0
        for n in range(cn.belt_spans[belt], cn.belt_spans[belt + 1]):
            length, _ = span_length(cn, state, w, n)
            state.span_rest[n] = length
            total += length
        for n in range(cn.belt_spans[belt], cn.belt_spans[belt + 1]):
            # slack goes to the spans in proportion to their length
            if total > 0.0:
                state.span_rest[n] *= 1.0 + float(cn.belt_gains[belt, 2]) / total
    for i in range(len(cn.weld_points)):
        body_a = cn.point_body[cn.weld_points[i, 0]]
        body_b = cn.point_body[cn.weld_points[i, 1]]
        store9(state.weld_start, i, mat_mul(transpose(load9(w.rotation, body_a)), load9(w.rotation, body_b)))
