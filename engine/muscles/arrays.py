"""Muscles as flat arrays, and what changes in a run.

m muscles of all actors, p path points, r rows of wraps, s wrap surfaces, n moving bodies, b authored bodies. Row n of
an array over moving bodies, and row b of one over authored bodies, is the world: what is added there has no effect.
Points `point_first[i]` to `point_first[i + 1]` belong to muscle i; the stretch that starts at point k meets the wraps
`wrap_first[k]` to `wrap_first[k + 1]`. A path is cut into straight *pieces* between points and tangent points.
"""

from collections import namedtuple

MILLARD, GEYER_HERR, THELEN, ACTUATOR = 0, 1, 2, 3
"""Forms, in the order of `spec.MUSCLE_FORMS`."""
SPHERE, CYLINDER, ELLIPSOID = 0, 1, 2
"""Shapes, in the order of `spec.WRAP_SHAPES`."""
FORM, RIGID, AS_TORQUES, BY_RATE = 0, 1, 2, 3
"""Columns of `Muscles.kind`."""
(
    MAX_FORCE,  # N
    OPTIMAL,  # optimal fibre length, m
    SLACK,  # tendon slack length, m
    WIDTH,  # m: thickness of the muscle, optimal length times the sine of the pennation there; constant
    FASTEST,  # m/s: max contraction velocity
    DAMPING,  # force per normalized velocity, in max forces
    STIFFNESS,  # factor on elastic forces
    LAG,  # s: over which a rigid tendon's velocity is averaged
    RISE,  # s (first_order), or 1/s (rate)
    FALL,
    LEAST,  # least activation
    START,  # activation at the start, NaN: the excitation
    TONE,
    UNIT_WIDTH,
) = range(14)
"""Columns of `Muscles.unit`."""
GAIN, THRESHOLD, DELAY, RATE_GAIN, REFLEX_WIDTH = range(5)
"""Columns of `Muscles.reflex`."""

MUSCLE_CHANNELS = (
    "excitation",
    "activation",
    "length",
    "velocity",
    "fibre_length",
    "fibre_velocity",
    "force",
)
"""Columns of `Recording.muscle`: the first two from 0 to 1, lengths of path and fibre in m, their rates in m/s
(lengthening positive), tension in N."""
EXCITATION, ACTIVATION, LENGTH, VELOCITY, FIBRE_LENGTH, FIBRE_VELOCITY, TENSION = range(7)

MUSCLE_ENERGIES = ("contractile", "tendon", "parallel", "dissipated")
"""Columns of `Recording.muscle_energy`, J, sums over all muscles: work done by the contractile elements since the
start, energy stored in tendons and in parallel elements now, energy taken by the fibres' damping since the start. The
work of the muscles on the bodies is contractile - dissipated - what tendon and parallel have gained since the start."""
CONTRACTILE, TENDON_STORE, PARALLEL_STORE, DISSIPATED = range(4)

Muscles = namedtuple(
    "Muscles",
    [
        "forces_address",  # late kernels of muscles.forces
        "commit_address",
        "power_address",
        "energies_address",
        "point_first",  # (m + 1,)
        "point_body",  # (p, 2) moving body, authored body
        "point_local",  # (p, 3) in the moving frame, m
        "inner_length",  # (p,) m: of the stretch that starts here if it is on one body and meets no wrap; else -1
        "shift_first",  # (p + 1,) rows of what moves a point in its body
        "shift_body",  # (h,) moving body whose coordinate moves it
        "shift_axis",  # (h, 3) direction in the point's moving frame
        "shift_function",  # PieceTable, m over the coordinate, a function for each row
        "when_body",  # (p,) moving body whose coordinate decides whether the point is on the path; -1: it always is
        "when_range",  # (p, 2) rad or m
        "wrap_first",  # (p + 1,)
        "wrap_surface",  # (r,)
        "wrap_side",  # (r, 3) in the surface's axes; zeros: the shorter way
        "piece_first",  # (m + 1,) room for the pieces of each muscle
        "surface_shape",  # (s,)
        "surface_body",  # (s, 2) moving body, authored body
        "surface_local",  # (s, 3) centre in the moving frame
        "surface_rotation",  # (s, 9) surface axes to moving frame
        "surface_size",  # (s, 3) sphere: radius; cylinder: radius, half length; ellipsoid: semi-axes
        "kind",  # (m, 4)
        "unit",  # (m, UNIT_WIDTH)
        "curve_first",  # (m + 1,) points of the excitation curve; none: the tone
        "curve_time",
        "curve_value",
        "reflex_row",  # (m,) row of the history, or -1
        "reflex",  # (m, REFLEX_WIDTH)
        "sample_time",  # (1,) s between samples of the history
        "any_torques",  # (1,) whether a muscle acts as joint torques
    ],
)

MuscleState = namedtuple(
    "MuscleState",
    [
        "time",  # (1,) s of the four below
        "activation",  # (m,)
        "along",  # (m,) fibre length along the tendon, m
        "speed",  # (m,) its rate, m/s; rigid tendon: averaged
        "fibre_force",  # (m, 2) contractile and damping force along the fibre, N
        # the last evaluation's
        "new_activation",
        "new_along",
        "new_speed",
        "new_fibre_force",
        "output",  # (m, channels)
        "surface_position",  # (s, 3) world
        "surface_frame",  # (s, 9) surface axes to world
        "touching",  # (r,) 1 where the path lies on the surface
        "arc",  # (r,) length on the surface, m
        "tangent",  # (r, 6) world, both ends of the arc
        "warm",  # (r, 5) ellipsoids: last heading and arc length, whether they hold, and how b is missed per heading
        "piece_count",  # (m,)
        "piece_body",  # (pieces, 4) moving and authored body of both ends
        "piece_point",  # (pieces, 2) path point at each end, or -1 where it is a tangent point
        "point",  # (p, 3) world place of path points that move or are not always on the path
        "present",  # (p,) 1 where a path point is on the path
        "shift_slope",  # (h, 3) world: how a point moves in its body per unit of the coordinate
        "piece_arm",  # (pieces, 6) both ends from their body's reference point
        "piece_unit",  # (pieces, 3) direction from the first end to the second
        "load_force",  # (b + 1, 3) on authored bodies, world; muscles that act as forces
        "load_torque",  # (b + 1, 3) about the reference point of the moving body that carries it
        "applied_force",  # (n + 1, 3) all muscles on moving bodies, world
        "applied_torque",  # (n + 1, 3) about the reference point
        "subtree_force",  # (n + 1, 3) scratch for joint torques
        "subtree_torque",  # (n + 1, 3)
        "history",  # (rows, samples, 2) normalized fibre length and velocity at past sample times
        "samples",  # (1,) taken so far
        "energy",  # (4,) contractile and dissipated at the time of the state; see MUSCLE_ENERGIES
        "energy_now",  # (4,) at the last evaluation
        "power",  # (1,) W on the bodies
        "commanded",  # (m,) excitation that a controller sets; NaN: tone or curve
    ],
)
