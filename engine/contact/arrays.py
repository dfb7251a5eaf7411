"""Contact as flat arrays: the surfaces (fixed during a run) and what is known about each touch (changing).

A *slot* remembers one possible touch between steps: deepest penetration, bristle deflection, last normal. Slots of an
ellipsoid against an obstacle have a fixed place; slots of two ellipsoids follow the list of near pairs.
"""

from collections import namedtuple

import numpy as np

from .event_members import EVENT_COLUMN, EVENT_END, INSTANT_COLUMN, INSTANT_END
from .geometry.broad_phase import make_broad_phase
from .geometry.ellipsoid_mesh import MAX_CANDIDATES, MAX_CONTACTS
from .geometry.mesh_watch import MAX_WATCHED

PLANE, BOX, CAPSULE, MESH, CARRIED = 0, 1, 2, 3, 4
KIND_OF_SHAPE = {"plane": PLANE, "box": BOX, "capsule": CAPSULE, "mesh": MESH}
MESH_SLOTS = MAX_CONTACTS
"""Touches of one ellipsoid with one mesh that are remembered apart (tread, riser, side, ...)."""

ContactSurfaces = namedtuple(
    "ContactSurfaces",
    [
        "owner",  # (e + z, 6) integers per ellipsoid and then per zone of a carried mesh, columns OWNER_*
        "form",  # (e + z, 14) per ellipsoid and zone (of which only mass and inertia count), columns FORM_*
        "reach",  # (e,) longest semi-axis, m
        "host_reach",  # (n,) largest distance of a surface point from the reference point of each moving body
        "overlap",  # (o, 3) ellipsoid pairs of one actor that overlap at the start, sorted, and their overlap (m)
        "obstacle",  # (b + 1, 11) integers per obstacle and carried mesh, columns OBSTACLE_*; the last only ends tables
        "extent",  # (b, 10) per obstacle, columns EXTENT_*
        "table",  # (r, TABLE_WIDTH) time, position, quaternion, belt velocity of the obstacles, in order
        "mesh_first",  # (m + 1, fields of MeshTree) where the rows of each mesh begin in each array
        "zone",  # (t, ZONE_WIDTH) triangles of carried meshes and the zones at their corners, see `carried`
        "meshes",  # MeshTree whose arrays hold all meshes one after the other
        "pair_filter",  # PairFilter of the broad phase: which ellipsoids may meet
        "materials",  # MaterialTable
    ],
)
"""What a run does not change. Few wide arrays: compiled code pays for every array it is handed."""

OWNER_HOST, OWNER_BODY, OWNER_ACTOR, OWNER_MATERIAL, OWNER_CRUSH, OWNER_FLESH = range(6)
"""Moving body (n for the world), authored body, actor, number in the material table; of an ellipsoid 1 where it is a
strip of structure, else 0, of a zone the number of its material towards such strips; what it shares patches with: its
moving body, or beyond these a number for all bodies of the actor that are one flesh."""
FORM_CENTRE, FORM_SHAPE, FORM_MASS, FORM_INERTIA, FORM_TIP = 0, 3, 9, 10, 11
"""Centre (3, m) and R diag(semi-axes^2) R' (6, m2), in the moving frame; least mass that a push on the surface
feels (kg, see `compile.least_mass`); least inertia that a torque on the body feels (kg m2);
of a strip of structure the way from its centre to its tip (3, m), in the moving frame."""
OBSTACLE_KIND, OBSTACLE_MATERIAL, OBSTACLE_SLOT, OBSTACLE_MESH, OBSTACLE_TABLE = 0, 1, 2, 3, 4
OBSTACLE_EACH, OBSTACLE_HOST, OBSTACLE_ACTOR, OBSTACLE_ZONES, OBSTACLE_ROW = 5, 6, 7, 8, 9
OBSTACLE_CRUSH = 10
"""Kind, material number, first slot, mesh or -1, first row of the motion table, slots for each ellipsoid. Of a mesh
that a body carries, whose one row of the table is its place in the moving frame: the moving body, its actor (else -1),
the owner row of its first zone, the first of its rows in `zone`, and 1 where its actor has a structure, else 0."""
EXTENT_SIZE, EXTENT_LOW, EXTENT_HIGH, EXTENT_MARGIN = 0, 3, 6, 9
"""Half sizes, bounds in the obstacle's frame, how far outside a carried mesh it is touched at most, m."""

STRIP_PATCH = 1.0e-6
"""m: radius of the patch of a strip of structure. Strips stand for different parts of a vehicle and share no patch."""
ZONE_RADIUS = 1.0e3
"""m: a zone of a carried mesh counts as a ball of this radius where patches are worked out, so as flat."""

SLOT_DEPTH, SLOT_TOUCH_SPEED, SLOT_BRISTLE, SLOT_NORMAL, SLOT_OFFSET, SLOT_SHARE = 0, 1, 2, 5, 8, 9
SLOT_ROLLED = 10
SLOT_WIDTH = 11
"""Columns of `slot`: deepest penetration (m), approach speed at first touch (m/s), bristle deflection (3, m), last
normal (3), overlap at the start that is subtracted (m), share of the explicit normal force that acted in the last
step, way that the patch has rolled over the surfaces since first touch (m)."""
MARK_EVENT, MARK_STEP = 0, 1
"""Columns of `mark`: open event or -1, step of the last touch."""

TICK, NEAR_OBSTACLES, NEAR_PAIRS, ACTIVE, STEP, COUNT, OVERFLOW, EVENTS = range(8)
"""Slots of `counter`: evaluation number, rows of near_obstacle, of near_pair, of active, step number of the history,
contacts of this evaluation, contacts that did not fit, events."""
TRAVELLED, ALLOWED, LOOKED, AHEAD = 0, 1, 2, 3
"""Slots of `reserve`: travel since the lists were made and travel they allow (m), time of the last look (s), travel
that the evaluations until the next look may add (m)."""

WHICH, ELLIPSOID_A, ELLIPSOID_B, OBSTACLE, HOST_A, HOST_B, LAW, GROUP_A, GROUP_B, KIN = range(10)
NEXT_KIN, LAST_KIN, NEXT_FIRST = 10, 11, 12
WHO_WIDTH = 13
"""Columns of `who`: slot; ellipsoids (b: or -1); obstacle or -1; moving bodies; row of the material table; what
counts as one body in the multi-contact modes (OpenMBD's: moving bodies, -1 for the world; patches: one flesh); first
contact of the same two, each one flesh; the next of these or -1; of the first of them the last, and the first of the
next two or -1."""
POINT, NORMAL, PENETRATION, RATE, SLIP, ELASTIC, SCALE, FORCE, IMPEDANCE, EFFECTIVE = (
    0,
    3,
    6,
    7,
    8,
    11,
    12,
    13,
    16,
    22,
)
WORK, PATCH, PUSH, TOUCH_RATE = 25, 26, 27, 28
TORQUE, DRILL_IMPEDANCE, ROLL_IMPEDANCE, EFFECTIVE_TORQUE, ROLL_SPEED = 29, 32, 33, 34, 37
WEIGHT, CARRIED_PUSH, STIFFNESS, DAMPING = 38, 39, 40, 41
CONTACT_WIDTH = 42
"""Columns of `contact`: point (world, m), normal (from b into a), penetration less the overlap at the start (m), its
rate (m/s), tangential velocity of a relative to b (m/s), elastic part of the normal force (N), multi-contact factor,
explicit force on a (N), what an acceleration of the point takes off it (kg), force on a that really acted (N); work of
the loading curve up to here (J, where contacts share), radius of the patch (m), explicit normal force before the
multi-contact factor (N), approach speed at first touch (m/s); of patch friction: explicit torque on a (N m), what an
angular acceleration along the normal and across it takes off (kg m2), torque that really acted (N m),
speed at which the patch rolls over the surfaces (m/s); weight of this contact among those of one touch (zones of a
mesh that blend; else 1); normal force that friction goes with (N), and what of stiffness (N/m) and damping (N s/m)
along the normal is taken implicitly."""
POSE_ROTATION, POSE_POSITION, POSE_VELOCITY, POSE_OMEGA = 0, 9, 12, 15
"""Columns of `pose`, obstacle frame to world."""
TABLE_BELT, TABLE_WIDTH = 8, 11
"""Column of `table` where the velocity of an obstacle's surface begins (world, m/s), and all its columns."""
WATCH_SPARE, WATCH_LEVER, WATCH_CENTRE, WATCH_TURN = 0, 1, 2, 5
WATCH_WIDTH = 14
"""Columns of `watch`: motion for which the features hold (m; 0: none were found yet), what a turn by 1 rad counts for
(m), and where the ellipsoid was in the frame of the mesh when they were found: centre (3, m), rotation of its body."""

Touches = namedtuple(
    "Touches",
    [
        "counter",  # (8,)
        "reserve",  # (4,)
        "pose",  # (b, 18) obstacles now
        "centre",  # (e, 3) ellipsoids now, world
        "shape",  # (e, 6)
        "stamp",  # (e,) evaluation in which centre and shape were computed
        "near_obstacle",  # (e b, 2) ellipsoid, obstacle
        "obstacle_asleep",  # (e b,) travel (m) before which they cannot touch and need not be looked at
        "near_pair",  # (near, 2) ellipsoids, sorted
        "near_asleep",  # (near,) travel (m) before which the pair cannot touch and need not be looked at
        "old_pair",  # (near, 3) list before the last refresh, with the open event
        "old_slot",  # (near, SLOT_WIDTH)
        "slot",  # (obstacle slots + near, SLOT_WIDTH)
        "mark",  # (same, 2)
        "active",  # (contacts,) slots with an open event
        "who",  # (contacts, WHO_WIDTH)
        "contact",  # (contacts, CONTACT_WIDTH)
        "host_sum",  # (n + 1, 3) contacts of each body, and scratch of the multi-contact modes
        "mesh_found",  # (MAX_CANDIDATES, 8) scratch of the mesh search: gap, normal, point, feature
        "watch",  # (m e, WATCH_WIDTH) per mesh and ellipsoid: see `detect.watch_row`
        "watched",  # (m e, 1 + MAX_WATCHED) number of watched triangles or TOO_MANY, and these (`mesh_watch`)
        "event_who",  # (events, 3) ellipsoid a, ellipsoid b or -1, obstacle or -1
        "event",  # (events, EVENT_WIDTH)
        "space",  # BroadPhase scratch
    ],
)

EV_START, EV_END, EV_PEAK_TIME = EVENT_COLUMN["start"], EVENT_COLUMN["end"], EVENT_COLUMN["peak_time"]
EV_PEAK_FORCE, EV_PEAK_DEPTH = EVENT_COLUMN["peak_force"], EVENT_COLUMN["peak_penetration"]
EV_IMPULSE, EV_ENERGY = EVENT_COLUMN["impulse"], EVENT_COLUMN["energy"]
EV_APPROACH, EV_SLIDING = EVENT_COLUMN["approach_speed"], EVENT_COLUMN["sliding_speed"]
EV_FIRST_POINT, EV_POINT, EV_NORMAL = (
    EVENT_COLUMN["point_first"],
    EVENT_COLUMN["point"],
    EVENT_COLUMN["normal"],
)
EV_POINT_A, EV_NORMAL_A, EV_POINT_B = (
    EVENT_COLUMN["point_a"],
    EVENT_COLUMN["normal_a"],
    EVENT_COLUMN["point_b"],
)
EV_SHARE = EVENT_COLUMN["share"]
EV_JOINED_FORCE, EV_JOINED_TIME = EVENT_COLUMN["joined_force"], EVENT_COLUMN["joined_time"]
EV_LAST_FORCE, EV_LAST_POWER, EV_LAST_TIME = EVENT_END, EVENT_END + 3, EVENT_END + 4
EVENT_WIDTH = EVENT_END + 5
"""Columns of `event`: the members of an event, then what carries the trapezoidal sums of impulse and energy."""

INSTANT_TIME, INSTANT_POINT, INSTANT_NORMAL = 0, INSTANT_COLUMN["point"], INSTANT_COLUMN["normal"]
INSTANT_FORCE, INSTANT_PUSH = INSTANT_COLUMN["force"], INSTANT_COLUMN["normal_force"]
INSTANT_DEPTH, INSTANT_RATE = INSTANT_COLUMN["penetration"], INSTANT_COLUMN["penetration_rate"]
INSTANT_SLIDING, INSTANT_WIDTH = INSTANT_COLUMN["sliding_speed"], INSTANT_END
"""Columns of the contact history: the time, then the members of an instant."""


def new_touches(surfaces: ContactSurfaces, bodies: int, near: int, contacts: int, events: int) -> Touches:
    """Allocate for a number of moving bodies, near pairs, contacts at once and events; each can grow later."""
    e, rows = len(surfaces.reach), len(surfaces.owner)
    b = len(surfaces.extent)
    slots = int(e * surfaces.obstacle[:b, OBSTACLE_EACH].sum()) + near
    watches = e * int(np.isin(surfaces.obstacle[:b, OBSTACLE_KIND], (MESH, CARRIED)).sum())
    shape = np.zeros((rows, 6))
    shape[e:, :3] = ZONE_RADIUS**2
    integers = {"dtype": np.int64}
    return Touches(
        counter=np.zeros(8, **integers),
        reserve=np.array([1.0, 0.0, 0.0, 0.0]),
        pose=np.zeros((b, 18)),
        centre=np.zeros((rows, 3)),
        shape=shape,
        stamp=np.full(rows, -1, **integers),
        near_obstacle=np.zeros((max(1, e * b), 2), **integers),
        obstacle_asleep=np.zeros(max(1, e * b)),
        near_pair=np.zeros((near, 2), **integers),
        near_asleep=np.zeros(near),
        old_pair=np.zeros((near, 3), **integers),
        old_slot=np.zeros((near, SLOT_WIDTH)),
        slot=np.zeros((slots, SLOT_WIDTH)),
        mark=np.full((slots, 2), -1, **integers),
        active=np.zeros(contacts, **integers),
        who=np.zeros((contacts, WHO_WIDTH), **integers),
        contact=np.zeros((contacts, CONTACT_WIDTH)),
        host_sum=np.zeros((bodies + 1, 3)),
        mesh_found=np.zeros((MAX_CANDIDATES, 8)),
        watch=np.zeros((watches, WATCH_WIDTH)),
        watched=np.zeros((watches, 1 + MAX_WATCHED), **integers),
        event_who=np.zeros((events, 3), **integers),
        event=np.zeros((events, EVENT_WIDTH)),
        space=make_broad_phase(e, len(surfaces.pair_filter.self_start)),
    )
