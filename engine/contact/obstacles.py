"""Where the obstacles are and how fast they move at a time."""

from ..jit.decorators import inlined
from ..maths.curves import table_row
from ..maths.vector import (
    add,
    load3,
    load9,
    mat_mul,
    mat_vec,
    put3,
    put9,
    quat_conj,
    quat_exp,
    quat_log,
    quat_matrix,
    quat_mul,
    quat_unit,
    scale,
    slice3,
    slice4,
    sub,
)
from .arrays import (
    CARRIED,
    OBSTACLE_HOST,
    OBSTACLE_KIND,
    OBSTACLE_TABLE,
    POSE_OMEGA,
    POSE_POSITION,
    POSE_ROTATION,
    POSE_VELOCITY,
    TABLE_BELT,
)


@inlined
def place_obstacle(surfaces, c, b, t):
    """Pose and velocity of obstacle b at time t: linear between rows, at rest before the first and after the last,
    but for its belt.

    Rotation goes at a constant rate about one axis between two rows.
    """
    first = surfaces.obstacle[b, OBSTACLE_TABLE]
    last = surfaces.obstacle[b + 1, OBSTACLE_TABLE]
    table = surfaces.table
    r = table_row(table, first, last, t)
    start = table[r]
    position = slice3(start, 1)
    orientation = slice4(start, 4)
    velocity = slice3(start, TABLE_BELT)
    omega = (0.0, 0.0, 0.0)
    if last - first > 1:
        end = table[r + 1]
        span = end[0] - start[0]
        part = min(1.0, max(0.0, (t - start[0]) / span))
        step = sub(slice3(end, 1), position)
        turn = quat_mul(slice4(end, 4), quat_conj(orientation))
        if turn[0] < 0.0:
            turn = (-turn[0], -turn[1], -turn[2], -turn[3])
        angle = quat_log(turn)
        position = add(position, scale(part, step))
        orientation = quat_unit(quat_mul(quat_exp(scale(part, angle)), orientation))
        if start[0] <= t <= end[0]:
            velocity = add(velocity, scale(1.0 / span, step))
            omega = scale(1.0 / span, angle)
    pose = c.pose[b]
    put9(pose, POSE_ROTATION, quat_matrix(orientation))
    put3(pose, POSE_POSITION, position)
    put3(pose, POSE_VELOCITY, velocity)
    put3(pose, POSE_OMEGA, omega)


@inlined
def place_carried(surfaces, c, w, b):
    """Pose of the mesh b that a moving body carries; its points move with that body."""
    host = surfaces.obstacle[b, OBSTACLE_HOST]
    row = surfaces.table[surfaces.obstacle[b, OBSTACLE_TABLE]]
    rotation = load9(w.rotation, host)
    pose = c.pose[b]
    put9(pose, POSE_ROTATION, mat_mul(rotation, quat_matrix(slice4(row, 4))))
    put3(pose, POSE_POSITION, add(load3(w.position, host), mat_vec(rotation, slice3(row, 1))))


@inlined
def place_obstacles(surfaces, c, w, t):
    """Pose and velocity of every moving obstacle for the pose in the workspace; still ones were placed at the start."""
    for b in range(len(surfaces.extent)):
        if surfaces.obstacle[b, OBSTACLE_KIND] == CARRIED:
            place_carried(surfaces, c, w, b)
        elif surfaces.obstacle[b + 1, OBSTACLE_TABLE] - surfaces.obstacle[b, OBSTACLE_TABLE] > 1:
            place_obstacle(surfaces, c, b, t)
