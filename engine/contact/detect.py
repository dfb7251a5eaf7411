"""Which surfaces touch in the present pose, where, and how fast they close and slide.

Called in every evaluation on the lists of near surfaces; it writes the contacts of the evaluation and changes nothing
that is remembered but the warm-start normals and until when pairs sleep (caches: they speed the search up, and never
decide a force).
"""

from math import sqrt

from ..jit.decorators import compiled, inlined
from ..maths.vector import (
    add,
    add_scaled,
    cross,
    dot,
    load3,
    load6,
    load9,
    mat_mul,
    mat_t_vec,
    mat_vec,
    norm,
    put3,
    put9,
    scale,
    slice3,
    slice6,
    slice9,
    store3,
    store6,
    sub,
    sym_rotated,
    transpose,
)
from .arrays import (
    AHEAD,
    BOX,
    CARRIED,
    COUNT,
    ELLIPSOID_A,
    ELLIPSOID_B,
    EXTENT_MARGIN,
    EXTENT_SIZE,
    FORM_CENTRE,
    FORM_SHAPE,
    FORM_TIP,
    HOST_A,
    HOST_B,
    LAW,
    MESH,
    MESH_SLOTS,
    NEAR_OBSTACLES,
    NEAR_PAIRS,
    NORMAL,
    OBSTACLE,
    OBSTACLE_EACH,
    OBSTACLE_HOST,
    OBSTACLE_KIND,
    OBSTACLE_MATERIAL,
    OBSTACLE_MESH,
    OBSTACLE_ROW,
    OBSTACLE_SLOT,
    OBSTACLE_ZONES,
    OVERFLOW,
    OWNER_CRUSH,
    OWNER_HOST,
    OWNER_MATERIAL,
    PENETRATION,
    PLANE,
    POINT,
    POSE_OMEGA,
    POSE_POSITION,
    POSE_ROTATION,
    POSE_VELOCITY,
    RATE,
    SLIP,
    SLOT_NORMAL,
    SLOT_OFFSET,
    TICK,
    TRAVELLED,
    WATCH_CENTRE,
    WATCH_LEVER,
    WATCH_SPARE,
    WATCH_TURN,
    WEIGHT,
    WHICH,
)
from .carried import ZONE_DEPTH, ZONE_NUMBERS, ZONE_SHARES, ZONE_SLOTS, ZONES_EACH, corner_weights
from .geometry.ellipsoid_box import ellipsoid_box
from .geometry.ellipsoid_capsule import ellipsoid_capsule
from .geometry.ellipsoid_mesh import is_near_mesh, mesh_contacts
from .geometry.ellipsoid_pair import ellipsoid_pair, separation
from .geometry.ellipsoid_plane import ellipsoid_plane
from .geometry.mesh_watch import turning_lever, watch_features, watched_contacts
from .geometry.ray_mesh import ray_mesh
from .meshes import mesh_view

LEAST_SLANT = 0.5
"""Cosine between a strip and the normal of what it meets: a face that is steeper counts as at this angle where its
depth below the surface is worked out."""
NEAR_SPARE, MIDDLE_SPARE, FAR_SPARE = 0.01, 0.03, 0.1
"""m of motion for which the features of a carried mesh that an ellipsoid may touch are looked for, and for which one
that may touch none is left alone; any will do, these are quick."""
LEAST_WEIGHT = 1.0e-9
"""A zone with a smaller share of a touch is left out."""


@inlined
def centre_of(surfaces, w, e):
    """World centre of ellipsoid e."""
    host = surfaces.owner[e, OWNER_HOST]
    local = slice3(surfaces.form[e], FORM_CENTRE)
    return add(load3(w.position, host), mat_vec(load9(w.rotation, host), local))


@inlined
def place_ellipsoid(surfaces, c, w, e):
    """World centre and shape of ellipsoid e, computed once an evaluation."""
    if c.stamp[e] == c.counter[TICK]:
        return
    c.stamp[e] = c.counter[TICK]
    rotation = load9(w.rotation, surfaces.owner[e, OWNER_HOST])
    store3(c.centre, e, centre_of(surfaces, w, e))
    store6(c.shape, e, sym_rotated(rotation, slice6(surfaces.form[e], FORM_SHAPE)))


@inlined
def point_speed(w, host, point):
    """Velocity of a world point fixed to a moving body."""
    return add(load3(w.velocity, host), cross(load3(w.omega, host), sub(point, load3(w.position, host))))


@compiled
def write_contact(c, slot, a, b, obstacle, host_a, host_b, law, point, normal, penetration, v, weight):
    """Append a contact; v is the velocity of a relative to b at the point, weight its share of one touch."""
    j = c.counter[COUNT]
    if j >= len(c.who):
        c.counter[OVERFLOW] += 1
        return
    c.counter[COUNT] = j + 1
    who = c.who[j]
    who[WHICH] = slot
    who[ELLIPSOID_A] = a
    who[ELLIPSOID_B] = b
    who[OBSTACLE] = obstacle
    who[HOST_A] = host_a
    who[HOST_B] = host_b
    who[LAW] = law
    row = c.contact[j]
    v_n = dot(v, normal)
    put3(row, POINT, point)
    put3(row, NORMAL, normal)
    row[PENETRATION] = penetration
    row[RATE] = -v_n
    row[WEIGHT] = weight
    put3(row, SLIP, add_scaled(v, -v_n, normal))


@inlined
def touch_obstacle(surfaces, c, w, slot, e, b, point, normal, gap):
    """Append a contact of ellipsoid e with obstacle b where its penetration, less that of the start, is positive."""
    penetration = -gap - c.slot[slot, SLOT_OFFSET]
    if penetration > 0.0:
        host = surfaces.owner[e, OWNER_HOST]
        pose = c.pose[b]
        arm = sub(point, slice3(pose, POSE_POSITION))
        v_b = add(slice3(pose, POSE_VELOCITY), cross(slice3(pose, POSE_OMEGA), arm))
        v = sub(point_speed(w, host, point), v_b)
        law = surfaces.materials.law_index[
            surfaces.owner[e, OWNER_MATERIAL], surfaces.obstacle[b, OBSTACLE_MATERIAL]
        ]
        world = len(w.rotation) - 1
        write_contact(c, slot, e, -1, b, host, world, law, point, normal, penetration, v, 1.0)


@inlined
def keep_normal(c, slot, n):
    """Remember a normal for the next search."""
    c.slot[slot, SLOT_NORMAL] = n[0]
    c.slot[slot, SLOT_NORMAL + 1] = n[1]
    c.slot[slot, SLOT_NORMAL + 2] = n[2]


@inlined
def touch_plane(surfaces, c, w, e, b, slot):
    """Ellipsoid e against the plane b; the gap (m)."""
    place_ellipsoid(surfaces, c, w, e)
    pose = c.pose[b]
    normal = (pose[2], pose[5], pose[8])
    gap, point = ellipsoid_plane(load3(c.centre, e), load6(c.shape, e), slice3(pose, POSE_POSITION), normal)
    if gap < 0.0:
        touch_obstacle(surfaces, c, w, slot, e, b, point, normal, gap)
    return gap


@inlined
def touch_solid(surfaces, c, w, e, b, slot):
    """Ellipsoid e against the box or capsule b, in the obstacle's frame."""
    place_ellipsoid(surfaces, c, w, e)
    rotation = slice9(c.pose[b], POSE_ROTATION)
    origin = slice3(c.pose[b], POSE_POSITION)
    centre = mat_t_vec(rotation, sub(load3(c.centre, e), origin))
    shape = sym_rotated(transpose(rotation), load6(c.shape, e))
    previous = slice3(c.slot[slot], SLOT_NORMAL)
    size = slice3(surfaces.extent[b], EXTENT_SIZE)
    if surfaces.obstacle[b, OBSTACLE_KIND] == BOX:
        gap, normal, point, _ = ellipsoid_box(centre, shape, size, previous, 0.0)
    else:
        gap, normal, point, _ = ellipsoid_capsule(centre, shape, size[0], size[2], previous, 0.0)
    keep_normal(c, slot, normal)
    if gap < 0.0:
        point = add(origin, mat_vec(rotation, point))
        touch_obstacle(surfaces, c, w, slot, e, b, point, mat_vec(rotation, normal), gap)


@inlined
def watch_row(surfaces, e, b):
    """Row of `watch` of ellipsoid e and the mesh b."""
    return surfaces.obstacle[b, OBSTACLE_MESH] * len(surfaces.reach) + e


@compiled
def left_of_watch(watch, centre, turn):
    """m of motion in the frame of the mesh until the features must be looked for again; not above 0: they must be now.

    turn: rotation of the ellipsoid's body in that frame. The Frobenius norm of the difference of two rotations is
    sqrt(8) sin(phi / 2), so phi is less than 0.75 of a norm up to 0.5.
    """
    way = norm(sub(centre, slice3(watch, WATCH_CENTRE)))
    old = slice9(watch, WATCH_TURN)
    square = 0.0
    for i in range(9):
        square += (turn[i] - old[i]) ** 2
    if not square < 0.25:
        return 0.0
    return float(watch[WATCH_SPARE]) - (way + 0.75 * sqrt(square) * float(watch[WATCH_LEVER]))


@compiled
def renew_watch(watch, watched, mesh, centre, turn, shape, longest, margin):
    """Find the features of the mesh that the ellipsoid may touch soon: see `geometry.mesh_watch`."""
    put3(watch, WATCH_CENTRE, centre)
    put9(watch, WATCH_TURN, turn)
    for spare in (FAR_SPARE, MIDDLE_SPARE):
        if not is_near_mesh(mesh, centre, shape, margin + spare):
            watch[WATCH_SPARE] = spare
            watch[WATCH_LEVER] = longest
            watched[0] = 0
            return
    lever = turning_lever(shape, longest, margin + NEAR_SPARE)
    watch[WATCH_SPARE] = NEAR_SPARE
    watch[WATCH_LEVER] = lever
    watched[0] = watch_features(mesh, centre, shape, margin, NEAR_SPARE, lever, watched[1:])


@compiled
def watched_touches(surfaces, c, w, e, b, margin):
    """(number of touches of ellipsoid e with the mesh b to within a margin (m), written to `mesh_found`; m by which the
    points of both may come closer before there is any)."""
    back = transpose(slice9(c.pose[b], POSE_ROTATION))
    centre = mat_vec(back, sub(centre_of(surfaces, w, e), slice3(c.pose[b], POSE_POSITION)))
    turn = mat_mul(back, load9(w.rotation, surfaces.owner[e, OWNER_HOST]))
    row = watch_row(surfaces, e, b)
    left = left_of_watch(c.watch[row], centre, turn)
    if c.watched[row, 0] == 0 and left > 0.0:
        return 0, (left if c.watch[row, WATCH_SPARE] > NEAR_SPARE else 0.0)
    place_ellipsoid(surfaces, c, w, e)
    shape = sym_rotated(back, load6(c.shape, e))
    mesh = mesh_view(surfaces.meshes, surfaces.mesh_first, surfaces.obstacle[b, OBSTACLE_MESH])
    watched = c.watched[row]
    if not left > 0.0:
        renew_watch(c.watch[row], watched, mesh, centre, turn, shape, float(surfaces.reach[e]), margin)
    if watched[0] >= 0:
        return watched_contacts(mesh, watched[1:], watched[0], centre, shape, margin, c.mesh_found), 0.0
    return mesh_contacts(mesh, centre, shape, margin, c.mesh_found), 0.0


@inlined
def touch_mesh(surfaces, c, w, e, b, slot):
    """Ellipsoid e against the mesh b: up to MESH_SLOTS touches, each kept in the slot of the nearest old normal; m
    that they are apart at least."""
    rotation = slice9(c.pose[b], POSE_ROTATION)
    origin = slice3(c.pose[b], POSE_POSITION)
    found, apart = watched_touches(surfaces, c, w, e, b, 0.0)
    taken = 0
    for f in range(min(found, MESH_SLOTS)):
        gap = float(c.mesh_found[f, 0])
        if gap >= 0.0:
            continue
        normal = slice3(c.mesh_found[f], 1)
        best = -1
        likeness = -2.0
        for i in range(MESH_SLOTS):
            if (taken >> i) & 1 == 0:
                old = slice3(c.slot[slot + i], SLOT_NORMAL)
                if dot(old, normal) > likeness:
                    likeness = dot(old, normal)
                    best = i
        taken |= 1 << best
        keep_normal(c, slot + best, normal)
        point = add(origin, mat_vec(rotation, slice3(c.mesh_found[f], 4)))
        world_normal = mat_vec(rotation, normal)
        touch_obstacle(surfaces, c, w, slot + best, e, b, point, world_normal, gap)
    return apart


@inlined
def zone_slot(c, slot, taken, normal):
    """Of the slots of one zone, from `slot` on, that are not taken (bits) that with the nearest old normal, or -1."""
    best = -1
    likeness = -2.0
    for i in range(ZONE_SLOTS):
        if (taken >> i) & 1 == 0:
            near = dot(slice3(c.slot[slot + i], SLOT_NORMAL), normal)
            if near > likeness:
                likeness = near
                best = i
    return best


@inlined
def touch_zones(surfaces, c, w, e, b, slot, taken, f):
    """Append the contacts of touch f (a row of `mesh_found`) of ellipsoid e with the carried mesh b: one for each zone
    at the place, with its share; the slots taken."""
    gap = float(c.mesh_found[f, 0])
    normal = slice3(c.mesh_found[f], 1)
    point = slice3(c.mesh_found[f], 4)
    row = surfaces.zone[surfaces.obstacle[b, OBSTACLE_ROW] + int(c.mesh_found[f, 7]) // 8]
    first, second, third = corner_weights(row, add_scaled(point, -gap, normal))
    depth = first * row[ZONE_DEPTH] + second * row[ZONE_DEPTH + 1] + third * row[ZONE_DEPTH + 2]
    if gap >= depth:
        return taken
    rotation = slice9(c.pose[b], POSE_ROTATION)
    point = add(slice3(c.pose[b], POSE_POSITION), mat_vec(rotation, point))
    world_normal = mat_vec(rotation, normal)
    host = surfaces.owner[e, OWNER_HOST]
    carrier = surfaces.obstacle[b, OBSTACLE_HOST]
    v = sub(point_speed(w, host, point), point_speed(w, carrier, point))
    for k in range(ZONES_EACH):
        zone = int(row[ZONE_NUMBERS + k])
        weight = (
            first * row[ZONE_SHARES + k]
            + second * row[ZONE_SHARES + ZONES_EACH + k]
            + third * row[ZONE_SHARES + 2 * ZONES_EACH + k]
        )
        if zone < 0 or weight < LEAST_WEIGHT:
            continue
        start = slot + zone * ZONE_SLOTS
        best = zone_slot(c, start, taken >> (zone * ZONE_SLOTS), normal)
        if best < 0:
            continue
        taken |= 1 << (zone * ZONE_SLOTS + best)
        keep_normal(c, start + best, normal)
        penetration = depth - gap - c.slot[start + best, SLOT_OFFSET]
        if penetration > 0.0:
            owner = surfaces.obstacle[b, OBSTACLE_ZONES] + zone
            law = surfaces.materials.law_index[
                surfaces.owner[e, OWNER_MATERIAL], surfaces.owner[owner, OWNER_MATERIAL]
            ]
            write_contact(
                c,
                start + best,
                e,
                owner,
                -1,
                host,
                carrier,
                law,
                point,
                world_normal,
                penetration,
                v,
                min(weight, 1.0),
            )
    return taken


@inlined
def main_zone(row, weights):
    """The zone with the largest share at a place of a triangle (a row of `zone`) with these weights of its corners."""
    best = 0
    most = -1.0
    for k in range(ZONES_EACH):
        share = (
            weights[0] * row[ZONE_SHARES + k]
            + weights[1] * row[ZONE_SHARES + ZONES_EACH + k]
            + weights[2] * row[ZONE_SHARES + 2 * ZONES_EACH + k]
        )
        if row[ZONE_NUMBERS + k] >= 0.0 and share > most:
            most = share
            best = int(row[ZONE_NUMBERS + k])
    return best


@inlined
def touch_strip(surfaces, c, w, e, b, slot):
    """Strip of structure e against the mesh b that a moving body carries: how far it reaches in along the strip's
    middle line. The force acts along that line, half-way between the tip and the mesh."""
    place_ellipsoid(surfaces, c, w, e)
    host = surfaces.owner[e, OWNER_HOST]
    tip = mat_vec(load9(w.rotation, host), slice3(surfaces.form[e], FORM_TIP))
    reach = norm(tip)
    out = scale(1.0 / reach, tip)
    rotation = slice9(c.pose[b], POSE_ROTATION)
    centre = mat_t_vec(rotation, sub(load3(c.centre, e), slice3(c.pose[b], POSE_POSITION)))
    way = mat_t_vec(rotation, out)
    mesh = mesh_view(surfaces.meshes, surfaces.mesh_first, surfaces.obstacle[b, OBSTACLE_MESH])
    limit = reach + float(surfaces.extent[b, EXTENT_MARGIN]) / LEAST_SLANT
    distance, face = ray_mesh(mesh, centre, way, limit)
    if face < 0:
        return
    row = surfaces.zone[surfaces.obstacle[b, OBSTACLE_ROW] + mesh.links[face, 0]]
    weights = corner_weights(row, add_scaled(centre, distance, way))
    depth = weights[0] * row[ZONE_DEPTH] + weights[1] * row[ZONE_DEPTH + 1] + weights[2] * row[ZONE_DEPTH + 2]
    slant = max(LEAST_SLANT, -dot(load3(mesh.faces, face), way))
    penetration = reach - distance + depth / slant - c.slot[slot, SLOT_OFFSET]
    keep_normal(c, slot, scale(-1.0, way))
    if penetration > 0.0:
        point = add_scaled(load3(c.centre, e), reach - 0.5 * penetration, out)
        carrier = surfaces.obstacle[b, OBSTACLE_HOST]
        v = sub(point_speed(w, host, point), point_speed(w, carrier, point))
        owner = surfaces.obstacle[b, OBSTACLE_ZONES] + main_zone(row, weights)
        law = surfaces.materials.law_index[
            surfaces.owner[e, OWNER_MATERIAL], surfaces.owner[owner, OWNER_CRUSH]
        ]
        inwards = scale(-1.0, out)
        write_contact(c, slot, e, owner, -1, host, carrier, law, point, inwards, penetration, v, 1.0)


@inlined
def touch_carried(surfaces, c, w, e, b, slot):
    """Ellipsoid e against the mesh b that a moving body carries; m that they are apart at least."""
    if surfaces.owner[e, OWNER_CRUSH] == 1:
        touch_strip(surfaces, c, w, e, b, slot)
        return 0.0
    found, apart = watched_touches(surfaces, c, w, e, b, float(surfaces.extent[b, EXTENT_MARGIN]))
    taken = 0
    for f in range(min(found, MESH_SLOTS)):
        taken = touch_zones(surfaces, c, w, e, b, slot, taken, f)
    return apart


@inlined
def touch_pair(surfaces, c, w, a, b, slot):
    """Ellipsoid a against ellipsoid b; a gap (m) that they are apart at least, or minus their overlap."""
    centre_a = load3(c.centre, a)
    centre_b = load3(c.centre, b)
    shape_a = load6(c.shape, a)
    shape_b = load6(c.shape, b)
    previous = slice3(c.slot[slot], SLOT_NORMAL)
    gap = separation(previous, sub(centre_a, centre_b), shape_a, shape_b)
    if gap > 0.0:
        return gap  # the last normal still parts them, and is kept: what `ellipsoid_pair` would find
    gap, normal, point, _ = ellipsoid_pair(centre_a, shape_a, centre_b, shape_b, previous, 0.0)
    keep_normal(c, slot, normal)
    penetration = -gap - c.slot[slot, SLOT_OFFSET]
    if penetration > 0.0:
        host_a = surfaces.owner[a, OWNER_HOST]
        host_b = surfaces.owner[b, OWNER_HOST]
        v = sub(point_speed(w, host_a, point), point_speed(w, host_b, point))
        law = surfaces.materials.law_index[
            surfaces.owner[a, OWNER_MATERIAL], surfaces.owner[b, OWNER_MATERIAL]
        ]
        write_contact(c, slot, a, b, -1, host_a, host_b, law, point, normal, penetration, v, 1.0)
    return gap


@inlined
def find_obstacle_contacts(surfaces, c, w):
    """Contacts with obstacles, from the list of near ones.

    What was found apart sleeps until the gap may be used up, as pairs do (`find_pair_contacts`). The speed of obstacles
    is part of the travel; a mesh that a body carries travels by itself, so that half the gap is each side's.
    """
    farthest = c.reserve[TRAVELLED] + c.reserve[AHEAD]
    nearest = c.reserve[TRAVELLED] - c.reserve[AHEAD]
    for i in range(c.counter[NEAR_OBSTACLES]):
        if c.obstacle_asleep[i] > farthest:
            continue
        gap = 0.0
        e = c.near_obstacle[i, 0]
        b = c.near_obstacle[i, 1]
        kind = surfaces.obstacle[b, OBSTACLE_KIND]
        slot = surfaces.obstacle[b, OBSTACLE_SLOT] + e * surfaces.obstacle[b, OBSTACLE_EACH]
        if kind == PLANE:
            gap = touch_plane(surfaces, c, w, e, b, slot)
        elif kind == MESH:
            gap = touch_mesh(surfaces, c, w, e, b, slot)
        elif kind == CARRIED:
            gap = 0.5 * touch_carried(surfaces, c, w, e, b, slot)
        else:
            touch_solid(surfaces, c, w, e, b, slot)
        c.obstacle_asleep[i] = nearest + gap


@inlined
def find_pair_contacts(surfaces, c, w):
    """Contacts of ellipsoids with each other, from the list of near pairs.

    A pair found apart by a gap sleeps until each side may have moved by half of it: from here, which a trial step may
    have put AHEAD of where the lists were last looked at, to wherever later evaluations reach.
    """
    first = len(c.slot) - len(c.near_pair)
    farthest = c.reserve[TRAVELLED] + c.reserve[AHEAD]
    nearest = c.reserve[TRAVELLED] - c.reserve[AHEAD]
    for i in range(c.counter[NEAR_PAIRS]):
        if c.near_asleep[i] > farthest:
            continue
        a = c.near_pair[i, 0]
        b = c.near_pair[i, 1]
        place_ellipsoid(surfaces, c, w, a)
        place_ellipsoid(surfaces, c, w, b)
        d = sub(load3(c.centre, a), load3(c.centre, b))
        reach = surfaces.reach[a] + surfaces.reach[b]
        if dot(d, d) < reach * reach:
            gap = touch_pair(surfaces, c, w, a, b, first + i)
        else:
            gap = norm(d) - reach
        c.near_asleep[i] = nearest + 0.5 * gap


@compiled
def find_contacts(surfaces, c, w):
    """Fill the contacts of the present pose from the lists of near surfaces."""
    c.counter[TICK] += 1
    c.counter[COUNT] = 0
    find_obstacle_contacts(surfaces, c, w)
    find_pair_contacts(surfaces, c, w)
