"""Force of a tyre along the road: a brush of bristles that slips, with relaxation, load sensitivity and an ellipse.

The tread deflects by z (m) along and across the wheel while the wheel slides over the road at s (m/s) and rolls at V:

    dz/dt = -s - |V| z / relaxation

so that after some way z / relaxation is the slip: the slip ratio along, the tangent of the slip angle across. With
S = (C_x z_x / (L_x mu_x N), C_y z_y / (L_y mu_y N)) and |S| its size the force is (mu_x N S_x, mu_y N S_y) f / |S|,

    f = |S| - |S|^2 / 3 + |S|^3 / 27 up to |S| = 3, then falling from 1 to the share of a locked wheel

so (F_x / mu_x N)^2 + (F_y / mu_y N)^2 = f^2: the friction ellipse. C and mu fall with the load. A wheel that stands
keeps its deflection: it holds the vehicle on a slope. Derivation and sources: docs/derivations.md, Tyres.
"""

from math import exp, sqrt

from ..bodies.kinematics import point_velocity
from ..contact.arrays import (
    COUNT,
    ELLIPSOID_A,
    FORCE,
    IMPEDANCE,
    LAW,
    MARK_EVENT,
    NORMAL,
    OBSTACLE,
    OBSTACLE_ACTOR,
    POINT,
    PUSH,
    SCALE,
    SLIP,
    SLOT_SHARE,
    TORQUE,
    WHICH,
)
from ..contact.patch_friction import no_patch_friction
from ..contact.table import DYNAMIC_FRICTION, STATIC_FRICTION
from ..jit.decorators import compiled
from ..jit.late import late
from ..maths.vector import (
    add_scaled,
    cross,
    dot,
    load3,
    load9,
    mat_vec,
    norm,
    put3,
    put6,
    scale,
    slice3,
    slice6,
    sub,
    sym_outer,
    sym_vec,
)
from ..spec.values import STANDARD_GRAVITY
from .arrays import (
    CORNERING,
    GATHERED,
    LOAD,
    LOAD_SENSITIVITY,
    RADIUS,
    RELAXATION,
    ROLLING,
    SIDE_FRICTION,
    SLIP_RELAXATION,
    SLIPPING,
    STIFFNESS_SENSITIVITY,
)

FULL_SLIDING = 3.0
"""|S| at which the whole patch of the brush slides."""
FALL = 6.0
"""Of |S|: over which the force falls to that of a locked wheel; assumed (a locked car tyre is at |S| of about 20)."""
LEAST_SHARE = 0.3
"""Below which no load takes stiffness and friction. Assumed."""
SLOW = 1.0
"""m/s below which the tread is bounded to what it can hold, so that a car that stops does not roll back, and damped."""
HELD = 1.5
"""|S| to which it is bounded at rest. Assumed."""
FREE = 40.0
"""|S| to which it is bounded at `SLOW`: more than a locked wheel has."""
DAMPING_RATIO = 0.3
"""Of the load on the tread at rest. Assumed."""
NORMAL_SUM, POINT_SUM, SLIP_SUM, PEAK_SUM, SLIDING_SUM = 1, 4, 7, 10, 11
FORCE_FOUND, MOMENT_FOUND = 1, 4


@compiled
def brush(size, sliding):
    """Force over friction times load at |S|; sliding: the same of a locked wheel."""
    if size < FULL_SLIDING:
        return size - size * size / 3.0 + size * size * size / 27.0
    return sliding + (1.0 - sliding) * exp(-(size - FULL_SLIDING) / FALL)


@compiled
def advanced(z, slip, travel, length, h):
    """Deflection (m) after h (s) of sliding at slip and rolling at travel (m/s); implicit in the decay."""
    return (z - h * slip) / (1.0 + h * abs(travel) / length)


@compiled
def fallen(sensitivity, ratio):
    """Factor on friction or stiffness at this load over the nominal one."""
    return max(LEAST_SHARE, 1.0 - sensitivity * (ratio - 1.0))


@compiled
def grip(numbers, load, peak, sliding, z_along, z_across, slip, side_slip, travel):
    """(force along, force across, deflection along, across) of a tyre; the deflections bounded where it is slow.

    load: N. peak, sliding: coefficients of friction. slip, side_slip, travel: m/s.
    """
    ratio = load / float(numbers[LOAD])
    soft = fallen(float(numbers[STIFFNESS_SENSITIVITY]), ratio) * load
    along = soft * float(numbers[SLIPPING]) / float(numbers[SLIP_RELAXATION])
    across = soft * float(numbers[CORNERING]) / float(numbers[RELAXATION])
    most = fallen(float(numbers[LOAD_SENSITIVITY]), ratio) * peak * load
    most_across = most * float(numbers[SIDE_FRICTION])
    x = along * z_along / most
    y = across * z_across / most_across
    size = sqrt(x * x + y * y)
    pace = max(abs(travel), sqrt(slip * slip + side_slip * side_slip)) / SLOW
    bound = HELD + (FREE - HELD) * pace
    if size > bound and pace < 1.0:
        z_along *= bound / size
        z_across *= bound / size
        x *= bound / size
        y *= bound / size
        size = bound
    share = brush(size, sliding / peak) / size if size > 1e-9 else 1.0
    x *= share
    y *= share
    if pace < 1.0:
        mass = load / STANDARD_GRAVITY
        damper = 2.0 * DAMPING_RATIO * (1.0 - pace)
        x -= damper * sqrt(along * mass) * slip / most
        y -= damper * sqrt(across * mass) * side_slip / most_across
        size = sqrt(x * x + y * y)
        if size > 1.0:
            x /= size
            y /= size
    return x * most, y * most_across, z_along, z_across


@compiled
def tyre_of(tyres, surfaces, c, j):
    """Tyre that touches the road in contact j, or -1."""
    obstacle = c.who[j, OBSTACLE]
    if obstacle < 0 or surfaces.obstacle[obstacle, OBSTACLE_ACTOR] >= 0:
        return -1
    return tyres.of_ellipsoid[c.who[j, ELLIPSOID_A]]


@compiled
def carried_load(c, j, h):
    """Normal force (N) of contact j, as friction goes with it (see `contact.respond`)."""
    row = c.contact[j]
    slot = c.who[j, WHICH]
    push = float(row[PUSH]) * float(row[SCALE])
    if h > 0.0 and c.mark[slot, MARK_EVENT] >= 0:
        push *= float(c.slot[slot, SLOT_SHARE])
    return max(0.0, push)


@compiled
def gather(surfaces, c, j, total, h):
    """Add contact j to the sums of its tyre."""
    row = c.contact[j]
    load = carried_load(c, j, h)
    laws = surfaces.materials.laws
    law = c.who[j, LAW]
    total[0] += load
    for k in range(3):
        total[NORMAL_SUM + k] += load * row[NORMAL + k]
        total[POINT_SUM + k] += load * row[POINT + k]
        total[SLIP_SUM + k] += load * row[SLIP + k]
    total[PEAK_SUM] += load * laws[law, STATIC_FRICTION]
    total[SLIDING_SUM] += load * laws[law, DYNAMIC_FRICTION]


@compiled
def roll(tyres, state, w, i, h):
    """Force and moment of tyre i from its sums, written over them."""
    total = state.gathered[i]
    load = float(total[0])
    for k in range(3):
        state.force[i, k] = 0.0
    if load <= 0.0 or total[PEAK_SUM] <= 0.0:
        for k in range(FORCE_FOUND, GATHERED):
            total[k] = 0.0
        for k in range(4):
            state.flow[i, k] = 0.0
        state.ahead[i, 0] = 0.0
        state.ahead[i, 1] = 0.0
        return
    numbers = tyres.numbers[i]
    body = tyres.body[i]
    rotation = load9(w.rotation, body)
    axis = mat_vec(rotation, load3(tyres.axis, i))
    normal = slice3(total, NORMAL_SUM)
    normal = scale(1.0 / norm(normal), normal)
    forward = cross(axis, normal)
    forward = scale(1.0 / norm(forward), forward)
    left = cross(normal, forward)
    point = scale(1.0 / load, slice3(total, POINT_SUM))
    sliding = scale(1.0 / load, slice3(total, SLIP_SUM))
    arm = mat_vec(rotation, load3(tyres.centre, i))
    hub = point_velocity(w, body, arm)
    tread = point_velocity(w, body, sub(point, load3(w.position, body)))
    travel = dot(hub, forward) - dot(tread, forward) + dot(sliding, forward)
    slip = dot(sliding, forward)
    side_slip = dot(sliding, left)
    z_along = advanced(float(state.deflection[i, 0]), slip, travel, float(numbers[SLIP_RELAXATION]), h)
    z_across = advanced(float(state.deflection[i, 1]), side_slip, travel, float(numbers[RELAXATION]), h)
    peak = float(total[PEAK_SUM]) / load
    locked = float(total[SLIDING_SUM]) / load
    along, across, z_along, z_across = grip(
        numbers, load, peak, locked, z_along, z_across, slip, side_slip, travel
    )
    state.ahead[i, 0] = z_along
    state.ahead[i, 1] = z_across
    state.flow[i, 0] = slip
    state.flow[i, 1] = side_slip
    state.flow[i, 2] = travel
    state.flow[i, 3] = h
    state.force[i, 0] = load
    state.force[i, 1] = along
    state.force[i, 2] = across
    put3(total, FORCE_FOUND, add_scaled(scale(along, forward), across, left))
    rolling = float(numbers[ROLLING]) * float(numbers[RADIUS]) * load * travel / max(abs(travel), 0.2 * SLOW)
    put3(total, MOMENT_FOUND, scale(-rolling, axis))


@compiled
def rub(state, c, i, j, h):
    """Give contact j its share of the force of tyre i in place of friction; across the normal nothing is implicit."""
    row = c.contact[j]
    total = state.gathered[i]
    share = carried_load(c, j, h) / float(total[0]) if total[0] > 0.0 else 0.0
    normal = slice3(row, NORMAL)
    force = scale(share, slice3(total, FORCE_FOUND))
    push = dot(slice3(row, FORCE), normal)
    put3(row, FORCE, add_scaled(force, push - dot(force, normal), normal))
    stiff = dot(normal, sym_vec(slice6(row, IMPEDANCE), normal))
    nn = sym_outer(normal)
    put6(
        row,
        IMPEDANCE,
        (stiff * nn[0], stiff * nn[1], stiff * nn[2], stiff * nn[3], stiff * nn[4], stiff * nn[5]),
    )
    no_patch_friction(row)
    put3(row, TORQUE, scale(share, slice3(total, MOMENT_FOUND)))


@late(5, 1)
def tyre_forces(tyres, state, surfaces, c, w, h):
    """Forces of all tyres along the road, into the rows of their contacts before these are applied to the bodies.

    h: s to the end of the step, at which the deflection is taken; 0: as it is.
    """
    for i in range(len(tyres.body)):
        for k in range(GATHERED):
            state.gathered[i, k] = 0.0
    for j in range(c.counter[COUNT]):
        i = tyre_of(tyres, surfaces, c, j)
        if i >= 0:
            gather(surfaces, c, j, state.gathered[i], h)
    for i in range(len(tyres.body)):
        roll(tyres, state, w, i, h)
    for j in range(c.counter[COUNT]):
        i = tyre_of(tyres, surfaces, c, j)
        if i >= 0:
            rub(state, c, i, j, h)


@late(2, 1)
def commit_tyres(tyres, state, h):
    """Keep the deflections at the end of the step. h: s of the last step, for an evaluation that had none itself."""
    for i in range(len(tyres.body)):
        step = 0.0 if state.flow[i, 3] > 0.0 else h
        travel = float(state.flow[i, 2])
        for k in range(2):
            length = float(tyres.numbers[i, SLIP_RELAXATION if k == 0 else RELAXATION])
            state.deflection[i, k] = advanced(
                float(state.ahead[i, k]), float(state.flow[i, k]), travel, length, step
            )
