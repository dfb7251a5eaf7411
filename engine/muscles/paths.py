"""The path of a muscle: straight pieces between its points and round surfaces; its length, its rate, and its pull.

Virtual work: a tension F along the path does the power -F dl/dt. Each straight piece gives its two ends the tension
towards each other. The arc between two tangent points rests on one body and moves with it, and shifting a tangent point
along the surface changes the length in second order only; so the rate of the whole length is the sum over the pieces of
the direction times the relative velocity of their ends *as points of their bodies*, and the power identity holds to
round-off (docs/derivations.md, Muscle paths).
"""

from ..bodies.dynamics import joint_motion
from ..jit.decorators import compiled, inlined
from ..maths.piecewise import piecewise
from ..maths.vector import (
    add,
    add3,
    add_scaled,
    cross,
    dot,
    load3,
    load9,
    mat_mul,
    mat_t_vec,
    mat_vec,
    norm,
    put3,
    scale,
    slice3,
    store3,
    store9,
    sub,
)
from ..spec.joint_types import AXIS, FREE
from .wrapping import round_surface

SWEEPS = 50
"""Rounds over the surfaces of a stretch that meets several."""
SLACK = 1e-5
"""rad or m by which a coordinate may miss the range of a conditional point, as in OpenSim."""
SETTLED = 1e-13
"""m: tangent points that move less in a round have settled."""


@compiled
def place_surfaces(m, s, w):
    """World pose of every wrap surface."""
    for j in range(len(m.surface_shape)):
        body = m.surface_body[j, 0]
        rotation = load9(w.rotation, body)
        store3(
            s.surface_position, j, add(load3(w.position, body), mat_vec(rotation, load3(m.surface_local, j)))
        )
        store9(s.surface_frame, j, mat_mul(rotation, load9(m.surface_rotation, j)))


@compiled
def wrap_once(m, s, row, start, end):
    """Lay the path from start to end (world) round the surface of a row; returns how far its tangent points moved."""
    j = m.wrap_surface[row]
    frame = load9(s.surface_frame, j)
    centre = load3(s.surface_position, j)
    a = mat_t_vec(frame, sub(start, centre))
    b = mat_t_vec(frame, sub(end, centre))
    arc, t1, t2 = round_surface(
        m.surface_shape[j], a, b, load3(m.surface_size, j), load3(m.wrap_side, row), s.warm[row]
    )
    first = add(centre, mat_vec(frame, t1))
    last = add(centre, mat_vec(frame, t2))
    was = s.touching[row]
    moved = 1.0
    if arc < 0.0:
        s.touching[row] = 0
        if was == 0:
            moved = 0.0
        return moved
    if was != 0:
        moved = norm(sub(first, slice3(s.tangent[row], 0))) + norm(sub(last, slice3(s.tangent[row], 3)))
    s.touching[row] = 1
    s.arc[row] = arc
    put3(s.tangent[row], 0, first)
    put3(s.tangent[row], 3, last)
    return moved


@compiled
def wrap_stretch(m, s, first_row, last_row, start, end):
    """Lay a stretch round its surfaces. Several are taken in turn, each between its neighbours, until nothing moves."""
    for row in range(first_row, last_row):
        s.touching[row] = 0
    for _ in range(SWEEPS):
        moved = 0.0
        for row in range(first_row, last_row):
            before = start
            for other in range(row - 1, first_row - 1, -1):
                if s.touching[other] != 0:
                    before = slice3(s.tangent[other], 3)
                    break
            after = end
            for other in range(row + 1, last_row):
                if s.touching[other] != 0:
                    after = slice3(s.tangent[other], 0)
                    break
            moved = max(moved, wrap_once(m, s, row, before, after))
        if last_row - first_row == 1 or moved < SETTLED:
            break


@inlined
def add_piece(s, w, piece, a, a_body, a_authored, b, b_body, b_authored, a_point, b_point):
    """Enter the straight piece from a to b (world points of two bodies); returns (length, rate), the latter as if no
    end moved in its body. a_point, b_point: path point at the ends, -1 for a tangent point."""
    s.piece_point[piece, 0] = a_point
    s.piece_point[piece, 1] = b_point
    reach = sub(b, a)
    length = norm(reach)
    unit = scale(1.0 / length, reach) if length > 1e-12 else (0.0, 0.0, 0.0)
    arm_a = sub(a, load3(w.position, a_body))
    arm_b = sub(b, load3(w.position, b_body))
    va = add(load3(w.velocity, a_body), cross(load3(w.omega, a_body), arm_a))
    vb = add(load3(w.velocity, b_body), cross(load3(w.omega, b_body), arm_b))
    s.piece_body[piece, 0] = a_body
    s.piece_body[piece, 1] = a_authored
    s.piece_body[piece, 2] = b_body
    s.piece_body[piece, 3] = b_authored
    put3(s.piece_arm[piece], 0, arm_a)
    put3(s.piece_arm[piece], 3, arm_b)
    store3(s.piece_unit, piece, unit)
    return length, dot(unit, sub(vb, va))


@inlined
def place_point(m, s, w, k):
    """World position of path point k, and of one that moves in its body how it does, in the state."""
    body = m.point_body[k, 0]
    rotation = load9(w.rotation, body)
    place = add(load3(w.position, body), mat_vec(rotation, load3(m.point_local, k)))
    for row in range(m.shift_first[k], m.shift_first[k + 1]):
        way, slope, _ = piecewise(m.shift_function, row, float(w.coordinate[m.shift_body[row], 0]))
        direction = mat_vec(rotation, load3(m.shift_axis, row))
        place = add_scaled(place, way, direction)
        store3(s.shift_slope, row, scale(slope, direction))
    store3(s.point, k, place)
    return place


@inlined
def own_rate(m, s, w, k, unit):
    """Speed at which path point k moves in its body along a direction; a tangent point (-1) does not."""
    rate = 0.0
    if k >= 0:
        for row in range(m.shift_first[k], m.shift_first[k + 1]):
            rate += float(w.coordinate[m.shift_body[row], 1]) * dot(unit, load3(s.shift_slope, row))
    return rate


@inlined
def next_point(m, s, w, k, last):
    """The path point after k that is on the path now; `last` is the insertion, which always is."""
    k += 1
    while k < last:
        body = m.when_body[k]
        s.present[k] = 1
        if body < 0:
            break
        at = float(w.coordinate[body, 0])
        if m.when_range[k, 0] - SLACK <= at and at <= m.when_range[k, 1] + SLACK:
            break
        s.present[k] = 0
        k += 1
    return k


@compiled
def trace_path(m, s, w, i):
    """(length, rate) of the path of muscle i; leaves its pieces in the state.

    A stretch between two points of one body that stay keeps its length and pulls that body nowhere: it makes no piece.
    """
    piece = m.piece_first[i]
    length = 0.0
    rate = 0.0
    b = (0.0, 0.0, 0.0)
    placed = False
    k = m.point_first[i]
    last = m.point_first[i + 1] - 1
    s.present[k] = 1
    s.present[last] = 1
    following = k
    while following < last:
        k = following
        following = next_point(m, s, w, k, last)
        if m.inner_length[k] >= 0.0:
            length += m.inner_length[k]
            placed = False
            continue
        a = b if placed else place_point(m, s, w, k)
        a_point = k
        body = m.point_body[k, 0]
        authored = m.point_body[k, 1]
        b = place_point(m, s, w, following)
        placed = True
        if m.wrap_first[following] > m.wrap_first[k]:
            wrap_stretch(m, s, m.wrap_first[k], m.wrap_first[following], a, b)
            for row in range(m.wrap_first[k], m.wrap_first[following]):
                if s.touching[row] != 0:
                    host = m.surface_body[m.wrap_surface[row], 0]
                    carrier = m.surface_body[m.wrap_surface[row], 1]
                    part, v = add_piece(
                        s, w, piece, a, body, authored, slice3(s.tangent[row], 0), host, carrier, a_point, -1
                    )
                    length += part + float(s.arc[row])
                    rate += v - own_rate(m, s, w, a_point, load3(s.piece_unit, piece))
                    a_point = -1
                    piece += 1
                    a = slice3(s.tangent[row], 3)
                    body = host
                    authored = carrier
        host = m.point_body[following, 0]
        carrier = m.point_body[following, 1]
        part, v = add_piece(s, w, piece, a, body, authored, b, host, carrier, a_point, following)
        unit = load3(s.piece_unit, piece)
        length += part
        rate += v + own_rate(m, s, w, following, unit) - own_rate(m, s, w, a_point, unit)
        piece += 1
    s.piece_count[i] = piece - m.piece_first[i]
    return length, rate


@inlined
def push_coordinate(m, s, tree, w, k, force):
    """A force at path point k, which moves in its body, does work in the coordinates that move it: loads between child
    and parent of their joints that do this work and no other (docs/derivations.md, Muscle paths)."""
    for row in range(m.shift_first[k], m.shift_first[k + 1]):
        i = m.shift_body[row]
        parent = tree.parent[i]
        about, along = joint_motion(tree, w, i)
        size = dot(force, load3(s.shift_slope, row)) / (dot(about, about) + dot(along, along))
        arm = sub(load3(w.position, i), load3(w.position, parent))
        couple = scale(size, about)
        thrust = scale(size, along)
        add3(s.applied_torque, i, couple)
        add3(s.applied_force, i, thrust)
        add3(s.applied_torque, parent, scale(-1.0, add(couple, cross(arm, thrust))))
        add3(s.applied_force, parent, scale(-1.0, thrust))


@compiled
def pull(m, s, tree, w, i, tension, as_torques):
    """Add a tension along the pieces of muscle i to the loads of the bodies."""
    for piece in range(m.piece_first[i], m.piece_first[i] + s.piece_count[i]):
        force = scale(tension, load3(s.piece_unit, piece))
        torque_a = cross(slice3(s.piece_arm[piece], 0), force)
        torque_b = cross(slice3(s.piece_arm[piece], 3), force)
        if s.piece_point[piece, 0] >= 0:
            push_coordinate(m, s, tree, w, s.piece_point[piece, 0], force)
        if s.piece_point[piece, 1] >= 0:
            push_coordinate(m, s, tree, w, s.piece_point[piece, 1], scale(-1.0, force))
        if as_torques:
            a = s.piece_body[piece, 0]
            b = s.piece_body[piece, 2]
            add3(s.subtree_force, a, force)
            add3(s.subtree_torque, a, torque_a)
            add3(s.subtree_force, b, scale(-1.0, force))
            add3(s.subtree_torque, b, scale(-1.0, torque_b))
        else:
            a = s.piece_body[piece, 1]
            b = s.piece_body[piece, 3]
            add3(s.load_force, a, force)
            add3(s.load_torque, a, torque_a)
            add3(s.load_force, b, scale(-1.0, force))
            add3(s.load_torque, b, scale(-1.0, torque_b))


@compiled
def project_on_joints(s, tree, w):
    """Turn the loads of muscles that act as joint torques into couples between each body and its parent.

    From the leaves inward: the torque that all loads outside a joint have about its centre, for an AXIS joint only
    what it has about and along the axis, acts on the child, and its opposite on the parent. The rest would go into the
    joint's reaction and is left out. What reaches a free root acts on it in full.
    """
    n = len(tree.mass)
    for i in range(n - 1, -1, -1):
        force = load3(s.subtree_force, i)
        torque = load3(s.subtree_torque, i)
        if tree.group[i] == FREE:
            add3(s.applied_force, i, force)
            add3(s.applied_torque, i, torque)
            continue
        parent = tree.parent[i]
        couple = torque
        arm = sub(load3(w.position, i), load3(w.position, parent))
        if tree.group[i] >= AXIS:
            about, along = joint_motion(tree, w, i)
            size = (dot(about, torque) + dot(along, force)) / (dot(about, about) + dot(along, along))
            couple = scale(size, about)
            if tree.slide[i] != 0.0:
                push = scale(size, along)
                add3(s.applied_force, i, push)
                add3(s.applied_force, parent, scale(-1.0, push))
                add3(s.applied_torque, parent, scale(-1.0, cross(arm, push)))
        add3(s.applied_torque, i, couple)
        add3(s.applied_torque, parent, scale(-1.0, couple))
        add3(s.subtree_force, parent, force)
        add3(s.subtree_torque, parent, add(torque, cross(arm, force)))
