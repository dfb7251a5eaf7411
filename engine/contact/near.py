"""Lists of surfaces that are near each other, renewed only when something may have moved far enough to matter.

When a list is made every surface is given an allowance of travel. No surface point moves faster than the bound computed
here (speed plus turn rate times reach, plus what acceleration adds), so as long as the travelled distance stays within
the allowance no contact can be missed. By the same bound a listed pair that was found apart sleeps until both sides
may have used up the gap (`detect.find_pair_contacts`).
"""

from math import sqrt

from ..bodies.kinematics import forward_kinematics
from ..jit.decorators import compiled, inlined
from ..maths.vector import dot, load3, load6, mat_t_vec, slice3, slice9, sub, sym_rotated, sym_vec, transpose
from .arrays import (
    ACTIVE,
    AHEAD,
    ALLOWED,
    CARRIED,
    EVENTS,
    EXTENT_HIGH,
    EXTENT_LOW,
    EXTENT_MARGIN,
    LOOKED,
    MARK_EVENT,
    MARK_STEP,
    MESH,
    NEAR_OBSTACLES,
    NEAR_PAIRS,
    OBSTACLE_ACTOR,
    OBSTACLE_CRUSH,
    OBSTACLE_KIND,
    OBSTACLE_MESH,
    OBSTACLE_TABLE,
    OWNER_ACTOR,
    OWNER_CRUSH,
    OWNER_HOST,
    PLANE,
    POSE_OMEGA,
    POSE_POSITION,
    POSE_ROTATION,
    POSE_VELOCITY,
    SLOT_OFFSET,
    SLOT_WIDTH,
    STEP,
    TICK,
    TRAVELLED,
)
from .detect import place_ellipsoid
from .geometry.broad_phase import candidate_pairs
from .geometry.ellipsoid_mesh import is_near_mesh
from .meshes import mesh_view
from .obstacles import place_obstacles

STEPS_PER_LIST = 12.0
"""A list should serve about this many steps: longer lists cost more to search, shorter ones more to make."""
LEAST_ALLOWANCE = 1e-3
MOST_ALLOWANCE = 0.2
"""m"""


@inlined
def size1(row, i):
    """Sum of the sizes of three numbers from column i of a row on: not less than the vector's length."""
    return abs(row[i]) + abs(row[i + 1]) + abs(row[i + 2])


@inlined
def surface_speed(surfaces, c, w, h):
    """Bound on the speed of any surface point within the next h seconds, m/s."""
    fastest = 0.0
    for i in range(len(surfaces.host_reach)):
        reach = surfaces.host_reach[i]
        if reach > 0.0:
            speed = size1(w.velocity[i], 0) + reach * size1(w.omega[i], 0)
            gain = size1(w.acceleration[i], 0) + 10.0 + reach * size1(w.alpha[i], 0)
            fastest = max(fastest, speed + h * gain)
    moving = 0.0
    for b in range(len(surfaces.extent)):
        if surfaces.obstacle[b + 1, OBSTACLE_TABLE] - surfaces.obstacle[b, OBSTACLE_TABLE] > 1:
            extent = surfaces.extent[b]
            reach = max(size1(extent, EXTENT_LOW), size1(extent, EXTENT_HIGH))
            moving = max(moving, size1(c.pose[b], POSE_VELOCITY) + reach * size1(c.pose[b], POSE_OMEGA))
    return fastest + moving


@inlined
def is_near_obstacle(surfaces, c, e, b, allowance):
    """Whether ellipsoid e may touch obstacle b within the allowance: never False when it may."""
    pose = c.pose[b]
    d = sub(load3(c.centre, e), slice3(pose, POSE_POSITION))
    if surfaces.obstacle[b, OBSTACLE_KIND] == PLANE:
        normal = (pose[2], pose[5], pose[8])
        return dot(normal, d) - sqrt(dot(normal, sym_vec(load6(c.shape, e), normal))) < allowance
    local = mat_t_vec(slice9(pose, POSE_ROTATION), d)
    extent = surfaces.extent[b]
    kind = surfaces.obstacle[b, OBSTACLE_KIND]
    if kind == CARRIED:  # it may use up an allowance of its own
        allowance = 2.0 * allowance + extent[EXTENT_MARGIN]
    reach = surfaces.reach[e] + allowance
    for i in range(3):
        if local[i] - reach > extent[EXTENT_HIGH + i] or local[i] + reach < extent[EXTENT_LOW + i]:
            return False
    if kind == MESH or kind == CARRIED:
        shape = sym_rotated(transpose(slice9(pose, POSE_ROTATION)), load6(c.shape, e))
        mesh = mesh_view(surfaces.meshes, surfaces.mesh_first, surfaces.obstacle[b, OBSTACLE_MESH])
        return is_near_mesh(mesh, local, shape, allowance)
    return True


@inlined
def list_obstacles(surfaces, c, allowance):
    """Fill near_obstacle: ellipsoid by ellipsoid, obstacles in order."""
    world = len(surfaces.host_reach)
    count = 0
    for e in range(len(surfaces.reach)):
        if surfaces.owner[e, OWNER_HOST] == world:
            continue
        for b in range(len(surfaces.extent)):
            if surfaces.obstacle[b, OBSTACLE_ACTOR] == surfaces.owner[e, OWNER_ACTOR]:
                continue  # a body's own mesh
            if (
                surfaces.owner[e, OWNER_CRUSH] == 1
                and surfaces.obstacle[b, OBSTACLE_CRUSH] == 1
                and surfaces.obstacle[b, OBSTACLE_ACTOR] < surfaces.owner[e, OWNER_ACTOR]
            ):
                continue  # of two vehicles the first touches the mesh of the second, and not the other way round too
            if is_near_obstacle(surfaces, c, e, b, allowance):
                c.near_obstacle[count, 0] = e
                c.near_obstacle[count, 1] = b
                c.obstacle_asleep[count] = 0.0
                count += 1
    c.counter[NEAR_OBSTACLES] = count


@inlined
def start_overlap(surfaces, a, b):
    """Overlap at the start of a pair of ellipsoids of one actor, m; 0 for all others. The list is sorted."""
    low = 0
    high = len(surfaces.overlap)
    while low < high:
        middle = (low + high) // 2
        x = surfaces.overlap[middle, 0]
        y = surfaces.overlap[middle, 1]
        if x == a and y == b:
            return float(surfaces.overlap[middle, 2])
        if x < a or (x == a and y < b):
            low = middle + 1
        else:
            high = middle
    return 0.0


@inlined
def set_pairs_aside(c, first):
    """Keep the list of near pairs and their slots while a new list is made."""
    for i in range(c.counter[NEAR_PAIRS]):
        c.old_pair[i, 0] = c.near_pair[i, 0]
        c.old_pair[i, 1] = c.near_pair[i, 1]
        c.old_pair[i, 2] = c.mark[first + i, MARK_EVENT]
        for k in range(SLOT_WIDTH):
            c.old_slot[i, k] = c.slot[first + i, k]


@inlined
def carry_over(surfaces, c, first, old_count):
    """Give every pair of the new list the memory it had in the old one; both are sorted."""
    old = 0
    for i in range(c.counter[NEAR_PAIRS]):
        c.near_asleep[i] = 0.0
        a = c.near_pair[i, 0]
        b = c.near_pair[i, 1]
        while old < old_count and (
            c.old_pair[old, 0] < a or (c.old_pair[old, 0] == a and c.old_pair[old, 1] < b)
        ):
            old += 1
        slot = first + i
        if old < old_count and c.old_pair[old, 0] == a and c.old_pair[old, 1] == b:
            for k in range(SLOT_WIDTH):
                c.slot[slot, k] = c.old_slot[old, k]
            c.mark[slot, MARK_EVENT] = c.old_pair[old, 2]
            c.mark[slot, MARK_STEP] = c.counter[STEP]
        else:
            for k in range(SLOT_WIDTH):
                c.slot[slot, k] = 0.0
            c.slot[slot, SLOT_OFFSET] = start_overlap(surfaces, a, b)
            c.mark[slot, MARK_EVENT] = -1


@inlined
def relist_active(c, first):
    """Slots with an open event, found again after the pairs have new places."""
    kept = 0
    for i in range(c.counter[ACTIVE]):
        if c.active[i] < first:
            c.active[kept] = c.active[i]
            kept += 1
    for i in range(c.counter[NEAR_PAIRS]):
        if c.mark[first + i, MARK_EVENT] >= 0:
            c.active[kept] = first + i
            kept += 1
    c.counter[ACTIVE] = kept


@inlined
def make_lists(surfaces, c, w, allowance):
    """Make both lists for the pose in the workspace; False where the pair arrays are too small."""
    c.counter[TICK] += 1
    for e in range(len(surfaces.reach)):
        place_ellipsoid(surfaces, c, w, e)
    list_obstacles(surfaces, c, allowance)
    first = len(c.slot) - len(c.near_pair)
    old_count = c.counter[NEAR_PAIRS]
    set_pairs_aside(c, first)
    # a pair closes by twice the allowance when both sides use theirs up
    count = candidate_pairs(
        c.space,
        surfaces.pair_filter,
        c.centre[: len(surfaces.reach)],
        c.shape[: len(surfaces.reach)],
        surfaces.reach,
        2.0 * allowance,
        c.near_pair,
    )
    if count < 0:
        for i in range(old_count):
            c.near_pair[i, 0] = c.old_pair[i, 0]
            c.near_pair[i, 1] = c.old_pair[i, 1]
        return False
    c.counter[NEAR_PAIRS] = count
    carry_over(surfaces, c, first, old_count)
    relist_active(c, first)
    return True


@compiled
def prepare_contacts(surfaces, c, tree, w, q, u, t, h):
    """See that the near lists hold for the next h seconds from t; False where arrays must grow first."""
    if len(surfaces.reach) == 0:
        return True
    if c.counter[EVENTS] + len(c.who) > len(c.event):
        return False
    speed = surface_speed(surfaces, c, w, h)
    c.reserve[TRAVELLED] += speed * (t - c.reserve[LOOKED])
    c.reserve[LOOKED] = t
    c.reserve[AHEAD] = speed * h
    if c.reserve[TRAVELLED] + speed * h <= c.reserve[ALLOWED]:
        return True
    forward_kinematics(tree, q, u, w)
    place_obstacles(surfaces, c, w, t)
    speed = surface_speed(surfaces, c, w, h)
    allowance = min(max(STEPS_PER_LIST * speed * h, LEAST_ALLOWANCE), max(MOST_ALLOWANCE, 2.0 * speed * h))
    if not make_lists(surfaces, c, w, allowance):
        c.reserve[TRAVELLED] = c.reserve[ALLOWED] + 1.0
        return False
    c.reserve[TRAVELLED] = 0.0
    c.reserve[ALLOWED] = allowance
    c.reserve[AHEAD] = speed * h
    return True
