"""Springs, belts and welds as flat arrays, and what they remember.

Connections are counted springs first, then belts, then welds. Their points are listed once, each on a moving body (or
on the world, one past the last body); what acts there is a *load*. A belt is cut into *spans* at its clamped points:
within a span the band runs freely through slip rings and has one tension.
"""

from __future__ import annotations

from collections import namedtuple

Connections = namedtuple(
    "Connections",
    [
        "point_body",  # (p,) moving body, or the world
        "point_local",  # (p, 3) in the moving frame, m
        "load_authored",  # (p,) authored body that carries the point, -1 for the world
        "spring_points",  # (s, 2)
        "spring_gains",  # (s, 3) stiffness N/m, damping N s/m, rest length m (NaN: the length at the start)
        "spring_pulls_only",  # (s,) 1 for a rope
        "spring_curve",  # (s + 1,) points of the force curve; none: the stiffness holds
        "curve_x",  # (c,) extension, m
        "curve_y",  # (c,) force, N
        "belt_spans",  # (b + 1,) first span of each belt
        "belt_gains",  # (b, 3) axial stiffness N, damping N s, slack m
        "span_first",  # (n + 1,) first entry of each span in span_points
        "span_points",  # (m,) points in order; a clamped point ends one span and starts the next
        "weld_points",  # (w, 2)
        "weld_gains",  # (w, 4) stiffness N/m, damping N s/m, then for turning N m/rad, N m s/rad
        "weld_release",  # (w,) s, infinite where it never lets go by time
        "break_force",  # (s + b + w,) N, infinite where it never breaks
    ],
)

ConnectionState = namedtuple(
    "ConnectionState",
    [
        "spring_rest",  # (s,) m
        "span_rest",  # (n,) m
        "weld_start",  # (w, 9) orientation of the second body in the first one's frame at the start
        "load_body",  # (p,) moving body of each load
        "load_force",  # (p, 3) world, N, of the last evaluation
        "load_torque",  # (p, 3) world, N m, on top of the force's
        "load_point",  # (p, 3) world, m: where the force acts
        "force",  # (s + b + w,) N now: spring force (tension positive), tension of the tightest span, weld force
        "gap",  # (s + b + w,) m now: extension of a spring or belt, distance between a weld's points
        "largest_force",  # (s + b + w,) size so far
        "largest_force_time",  # (s + b + w,) s
        "largest_gap",  # (s + b + w,) so far, while it held
        "parted",  # (s + b + w,) HOLDS, BROKEN or RELEASED
        "parted_time",  # (s + b + w,) s, NaN while it holds
    ],
)

HOLDS, BROKEN, RELEASED = 0, 1, 2
