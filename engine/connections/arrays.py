"""Springs, belts and welds as flat arrays, and what they remember.

Connections are counted springs first, then belts, then welds. Their points are listed once, each on a moving body (or
on the world, one past the last body); what acts there is a *load*. A belt is cut into *spans* at its clamped points:
within a span the band runs freely through slip rings and has one tension. Arrays are grouped so that each compiled
function is handed only what it reads, which keeps compiling quick.
"""

from collections import namedtuple

Springs = namedtuple(
    "Springs",
    [
        "points",  # (s, 2)
        "gains",  # (s, 3) stiffness N/m, damping N s/m, rest length m (NaN: the length at the start)
        "pulls_only",  # (s,) 1 for a rope
        "curve",  # (s + 1,) points of the force curve; none: the stiffness holds
        "x",  # (c,) extension, m
        "y",  # (c,) force, N
    ],
)

Belts = namedtuple(
    "Belts",
    [
        "spans",  # (b + 1,) first span of each belt
        "gains",  # (b, 3) axial stiffness N, damping N s, slack m
        "first",  # (n + 1,) first entry of each span in `points`
        "points",  # (m,) points in order; a clamped point ends one span and starts the next
    ],
)

Welds = namedtuple(
    "Welds",
    [
        "points",  # (w, 2)
        "gains",  # (w, 4) stiffness N/m, damping N s/m, then for turning N m/rad, N m s/rad
        "release",  # (w,) s, infinite where it never lets go by time
        "line",  # (w, 3) unit direction in the moving frame of the first point, on which the second slides; or zeros
    ],
)

Connections = namedtuple(
    "Connections",
    [
        "springs",  # Springs
        "belts",  # Belts
        "welds",  # Welds
        "point_body",  # (p,) moving body, or the world
        "point_local",  # (p, 3) in the moving frame, m
        "load_authored",  # (p,) authored body that carries the point, -1 for the world
        "break_force",  # (s + b + w,) N, infinite where it never breaks
        "break_bounds",  # (s + b + w, 2) moment N m and energy J, infinite where it never breaks by them
    ],
)

ConnectionState = namedtuple(
    "ConnectionState",
    [
        "spring_rest",  # (s,) m
        "span_rest",  # (n,) m
        "weld_start",  # (w, 9) orientation of the second body in the first one's frame at the start
        "load_body",  # (p,) moving body of each load
        "load_point",  # (p, 3) world, m: where the force acts, of the last evaluation
        "load_velocity",  # (p, 3) world, m/s, of the body there
        "load_force",  # (p, 3) world, N
        "load_torque",  # (p, 3) world, N m, on top of the force's
        "force",  # (s + b + w,) N now: spring force (tension positive), tension of the tightest span, weld force
        "gap",  # (s + b + w,) m now: extension of a spring or belt, distance between a weld's points
        "parted",  # (s + b + w,) HOLDS, BROKEN or RELEASED
        "parted_time",  # (s + b + w,) s, NaN while it holds
        "taken",  # (s + b + w, 5) moment N m now; force and gap at the last step; energy taken up J; what broke it
    ],
)

HOLDS, BROKEN, RELEASED = 0, 1, 2
MOMENT, LAST_FORCE, LAST_GAP, ENERGY, BROKEN_BY = range(5)
"""Columns of `ConnectionState.taken`."""
BY_LOAD, BY_MOMENT, BY_ENERGY = 0, 1, 2
"""Which bound something broke by."""
