"""What a person authors and what a file holds: models and scenarios as plain dataclasses.

Specs carry no behaviour beyond defaults. They are checked by `validate`, turned into flat arrays by `compile_system`,
read and written by `io_json`, and built from Blender objects by `scene`.

Conventions (the same everywhere in Mannequin): SI units, z up, quaternions (w, x, y, z), world gravity (0, 0, -9.81).
Angles are **degrees** in specs (they are what people type) and radians in the engine. Vectors are 3-tuples, transforms
4x4 nested tuples that map child to parent coordinates, points are in the frame of the body they belong to. Numbers are
kept as they were read (an `int` stays an `int`), so that a file written again has the same bytes.

Kinematics are those of the OpenMBD format: ``T_child = T_parent * T1 * R(joint) * inverse(T2)``. The joint frame of a
joint is the frame ``T1`` fixed in the parent, and ``T2`` fixed in the child; both coincide when the joint is at zero.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .spec_muscles import Excitation, Muscle, WrapSurface
from .spec_values import IDENTITY3, IDENTITY4, Curve, Matrix3, Matrix4, Vector

JOINT_TYPES = ("free", "spherical", "revolute", "fixed")
CONTACT_LAWS = ("curve", "linear", "hunt_crossley", "lankarani_nikravesh")
FRICTION_LAWS = ("coulomb", "stribeck", "hollars")
FRICTION_RULES = ("geometric", "harmonic", "minimum", "maximum", "mean")
MULTI_CONTACT_MODES = ("none", "continuous", "discrete")
INTEGRATORS = (
    "symplectic_euler",
    "forward_euler",
    "midpoint",
    "runge_kutta_4",
    "variable_step",
    "implicit",
)


@dataclass
class Material:
    """How a surface pushes back and rubs. One of the laws in `CONTACT_LAWS`, chosen by name.

    curve: piecewise-linear force (N) over penetration (m), with hysteresis. linear: F = k d + c v (Kelvin-Voigt, never
    pulling). hunt_crossley: F = k d^n (1 + 1.5 c v). lankarani_nikravesh: F = k d^n (1 + y v / v0) with y from the true
    restitution map, so that `restitution` is what comes out.
    """

    name: str = ""
    law: str = "curve"
    loading: Curve = ()
    """Law curve: force (N) over penetration (m), starting at (0, 0)."""
    unloading: Curve | None = None
    """Law curve: force (N) while unloading. Absent: `energy_retention` scales the loading curve."""
    energy_retention: float = 0.25
    """Law curve without `unloading`: share of the loading energy given back; restitution is its square root."""
    beyond_last: str = "extend"
    """Law curve past its last point: "extend" goes on with the last slope (never falling), "hold" keeps the force."""
    stiffness: float = 1.0e6
    """Laws linear, hunt_crossley, lankarani_nikravesh: N/m^exponent."""
    exponent: float = 1.5
    """Laws hunt_crossley and lankarani_nikravesh. 1.5 is Hertz."""
    damping: float = 0.0
    """curve and hunt_crossley: dissipation c in s/m, scaling with the elastic force. linear: N s/m."""
    restitution: float = 0.5
    """Law lankarani_nikravesh: ratio of separation to approach speed, 0 < e <= 1."""
    amplification: tuple[float, float, float, float] = (1.0, 0.0, 1.0, 1.0)
    """(C1, C2, C3, C4): elastic force times C1 + C2 (v / C3)^C4 with v the approach speed in m/s."""
    static_friction: float | None = None
    """Coefficient; absent: the scenario's `friction`."""
    dynamic_friction: float | None = None
    """Coefficient; absent: the static one."""
    viscous_friction: float = 0.0
    """Hollars law: s/m."""
    source: str = ""


@dataclass
class Ellipsoid:
    """A contact and drawing surface fixed to a body."""

    name: str
    semi_axes: Vector
    """Metres, along the ellipsoid's own axes."""
    position: Vector = (0.0, 0.0, 0.0)
    """Centre in the body frame, metres."""
    orientation: Matrix3 = IDENTITY3
    """Columns are the ellipsoid's axes in the body frame."""
    force_curve: Curve = ()
    """Own loading curve. Given, it replaces the material's."""
    unload_curve: Curve | None = None
    material: str = ""
    """Name of a `Material` of the model, or "" for the default material with the curves given here."""
    source: str = ""
    extras: dict[str, Any] = field(default_factory=dict)
    """Keys of a file that Mannequin does not use, kept for writing."""


@dataclass
class Mesh:
    """A surface for drawing, bound to a body. The path is relative to the model file."""

    path: str
    position: Vector = (0.0, 0.0, 0.0)
    orientation: Matrix3 = IDENTITY3
    scale: float = 1.0


@dataclass
class Body:
    """A rigid body. Its frame is the authored one; inertia is about the centre of mass along the body axes."""

    name: str
    mass: float
    """kg"""
    inertia: tuple[float, float, float, float, float, float]
    """[Ixx, Iyy, Izz, Ixy, Iyz, Ixz] in kg m2 about the centre of mass.

    Ixy, Iyz, Ixz are the *products of inertia* (integral of x y dm and so on): the matrix has **minus** these off its
    diagonal. This is the sign OpenMBD's program uses. Files of the other convention say so (`inertia_sign` in the
    model file) and `io_json` turns them on reading.
    """
    center_of_mass: Vector = (0.0, 0.0, 0.0)
    """In the body frame, metres."""
    ellipsoids: list[Ellipsoid] = field(default_factory=list)
    meshes: list[Mesh] = field(default_factory=list)
    description: str = ""
    source: str = ""
    extras: dict[str, Any] = field(default_factory=dict)


@dataclass
class AxisLimits:
    """Range of motion per joint axis, in degrees, held by a penalty spring-damper.

    `lower` and `upper` are in the order (Z, Y, X) of the format's joint angles; a revolute joint uses the first pair.
    The angles compared are the components of the joint's rotation vector (one turn split over three axes): equal to
    the Euler angle when only one axis turns, and without a singular posture.
    """

    lower: Vector
    upper: Vector
    stiffness: float = 500.0
    """N m/rad past the limit."""
    damping: float = 5.0
    """N m s/rad, only past the limit."""
    source: str = ""


@dataclass
class ConeLimits:
    """Cone of feasible motion of a ball joint (Ambrosio): the limb axis stays inside a closed spline on the sphere."""

    quadrant_angles: tuple[float, float, float, float]
    """Largest latitude in degrees at longitudes 0, 90, 180 and 270 degrees."""
    axis: Vector = (0.0, 0.0, 1.0)
    """Cone axis in the parent joint frame (T1)."""
    zero_longitude: Vector = (1.0, 0.0, 0.0)
    """Direction of longitude 0 in the parent joint frame; made orthogonal to `axis`."""
    limb_axis: Vector = (0.0, 0.0, 1.0)
    """Axis of the limb in the child joint frame (T2)."""
    width: float = 11.5
    """Degrees over which the penalty torque grows from 0 to `torque`."""
    torque: float = 226.0
    """N m at full width."""
    twist: tuple[float, float] | None = None
    """Lowest and highest turn about the limb axis in degrees."""
    twist_stiffness: float = 200.0
    """N m/rad past the twist limit."""
    twist_damping: float = 2.0
    source: str = ""


@dataclass
class JointFriction:
    """Resisting torque of constant size against the motion. A dummy's stays, a human's drops after first motion."""

    torque: float
    """N m"""
    drop_angle: float | None = None
    """Degrees of rotation from the start over which the torque falls to zero. Absent: it stays (dummy)."""
    source: str = ""


@dataclass
class JointSpring:
    """Non-linear passive spring about one joint axis."""

    axis: str
    """"z", "y" or "x" of the joint frame; a revolute joint's own axis is "z"."""
    curve: Curve
    """Torque on the child (N m) over angle (degrees)."""
    damping: float = 0.0
    """N m s/rad"""
    source: str = ""


@dataclass
class Motor:
    """Joint motor: torque = base + stiffness * turn to target + damping * (target velocity - velocity), capped.

    Hyfydy's joint_motor. Gives tone, bracing, a held posture, a grip. Every gain and target may vary in time.
    """

    stiffness: float = 0.0
    """N m/rad"""
    damping: float = 0.0
    """N m s/rad"""
    target: Vector = (0.0, 0.0, 0.0)
    """Joint angles (Z, Y, X) in degrees; a revolute joint uses the first."""
    target_velocity: Vector = (0.0, 0.0, 0.0)
    """rad/s in joint axes (x, y, z); a revolute joint uses the first."""
    base_torque: Vector = (0.0, 0.0, 0.0)
    """N m in joint axes (x, y, z); a revolute joint uses the first."""
    max_torque: float = float("inf")
    """N m, bound on the size of the whole torque."""
    gain_over_time: Curve | None = None
    """Factor on stiffness, damping and base torque over time (s)."""
    target_over_time: tuple[tuple[float, float, float, float], ...] | None = None
    """Rows (time s, Z, Y, X degrees); replaces `target`."""
    source: str = ""


@dataclass
class Joint:
    """Connects a child body to its parent body (or to the ground when `parent` is None)."""

    name: str
    type: str
    parent: str | None
    child: str
    T1: Matrix4 = IDENTITY4
    """Joint frame in the parent body frame (in the actor frame when the parent is the ground)."""
    T2: Matrix4 = IDENTITY4
    """Joint frame in the child body frame."""
    axis: Vector = (0.0, 0.0, 1.0)
    """Revolute axis in the joint frame; unit length."""
    damping: float | None = None
    """Viscous resistance, N m s/rad. Absent: the default of `Settings.default_joint_damping`."""
    limits: AxisLimits | None = None
    cone: ConeLimits | None = None
    friction: JointFriction | None = None
    springs: list[JointSpring] = field(default_factory=list)
    motor: Motor | None = None
    note: str = ""
    source: str = ""
    extras: dict[str, Any] = field(default_factory=dict)


@dataclass
class Point:
    """A point on a body of an actor, or of the world (`body` None)."""

    position: Vector
    body: str | None = None
    actor: str | None = None
    """Absent in a model file, where the actor is the model itself."""


@dataclass
class SpringDamper:
    """Straight spring-damper between two points."""

    name: str
    start: Point
    end: Point
    stiffness: float
    """N/m"""
    damping: float = 0.0
    """N s/m"""
    rest_length: float | None = None
    """Metres. Absent: the length at the start."""
    tension_only: bool = False
    curve: Curve | None = None
    """Force (N) over extension (m); replaces `stiffness`."""
    break_force: float | None = None
    source: str = ""


@dataclass
class Belt:
    """Tension-only band through points in order: anchors, slip rings and body points. One tension along its length
    between points that do not slip; slip rings pass the band freely."""

    name: str
    points: list[Point]
    slip: list[bool]
    """Per point: True lets the band slide through (slip ring, body point), False clamps it (anchor)."""
    stiffness: float
    """N per unit strain (axial stiffness EA)."""
    damping: float = 0.0
    """N s per unit strain."""
    slack: float = 0.0
    """Metres of extra band at the start."""
    break_force: float | None = None
    source: str = ""


@dataclass
class Weld:
    """Holds two points together by a stiff pin, until the force passes `break_force` or the release time."""

    name: str
    start: Point
    end: Point
    stiffness: float = 1.0e5
    """N/m"""
    damping: float = 500.0
    """N s/m"""
    rotational_stiffness: float = 0.0
    """N m/rad; zero leaves the pin free to turn."""
    rotational_damping: float = 0.0
    break_force: float | None = None
    release_time: float | None = None
    source: str = ""


@dataclass
class Coupler:
    """Makes a joint coordinate follow another in proportion (spine joints sharing one bend), by a stiff spring-damper.

    angle_follower = ratio * angle_leader + offset, about `axis` of both joints.
    """

    name: str
    leader: str
    follower: str
    axis: str = "y"
    ratio: float = 1.0
    offset: float = 0.0
    """Degrees"""
    stiffness: float = 1000.0
    damping: float = 10.0


@dataclass
class Model:
    """A person, dummy, vehicle or thing: bodies in a tree of joints."""

    name: str
    bodies: list[Body]
    joints: list[Joint]
    materials: list[Material] = field(default_factory=list)
    springs: list[SpringDamper] = field(default_factory=list)
    belts: list[Belt] = field(default_factory=list)
    welds: list[Weld] = field(default_factory=list)
    couplers: list[Coupler] = field(default_factory=list)
    muscles: list[Muscle] = field(default_factory=list)
    """Muscle-tendon units and their paths."""
    wrap_surfaces: list[WrapSurface] = field(default_factory=list)
    """Surfaces that muscle paths slide around."""
    contact_exclude: list[tuple[str, str]] = field(default_factory=list)
    """Pairs of body names that never touch."""
    contact_include: list[tuple[str, str]] = field(default_factory=list)
    """Pairs of body names that do touch, whatever the adjacency rule says."""
    description: str = ""
    version: str = ""
    citation: str = ""
    sex: str = ""
    height: float | None = None
    """Stature in metres, for scaling and read-outs."""
    sources: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What was assumed or mapped when the model was read, reported in every run."""
    extras: dict[str, Any] = field(default_factory=dict)


@dataclass
class TorquePulse:
    """Half-sine torque on a joint: peak * sin(pi (t - start) / duration). The root gets a true torque."""

    joint: str
    peak: Vector
    """N m in joint axes (x, y, z) of the child side; a revolute joint uses the component along its axis."""
    start: float
    duration: float


@dataclass
class ForcePulse:
    """Half-sine force on a point of a body."""

    body: str
    peak: Vector
    """N"""
    start: float
    duration: float
    point: Vector = (0.0, 0.0, 0.0)
    """In the body frame."""
    frame: str = "world"
    """"world" or "body": the frame of `peak`."""


@dataclass
class PrescribedMotion:
    """Moves a root or a joint along a table until released."""

    joint: str | None
    """Joint name; None is the actor's root."""
    table: tuple[tuple[float, ...], ...]
    """Rows: time (s), then for a root the *velocity* along world x, y, z (m/s) [and turn rate x, y, z (rad/s)]; for a
    joint the angles (Z, Y, X) in degrees (a revolute joint: one angle)."""
    release_time: float | None = None
    release_at_contact: bool = False
    source: str = ""


@dataclass
class Actor:
    """A model placed in a scenario with its own start."""

    name: str
    model: Model
    model_reference: str = ""
    """How the scenario file names the model: a shipped name or a path relative to the scenario file."""
    position: Vector = (0.0, 0.0, 0.0)
    """Metres. World pose of the actor frame; the root body sits at T1 * inverse(T2) of the root joint in it."""
    orientation: Vector = (0.0, 0.0, 0.0)
    """(Z, Y, X) degrees."""
    velocity: Vector = (0.0, 0.0, 0.0)
    """World velocity of the root body's origin, m/s."""
    angular_velocity: Vector = (0.0, 0.0, 0.0)
    """World, rad/s; the whole actor turns as one rigid piece about the root body's origin."""
    joint_angles: dict[str, Vector] = field(default_factory=dict)
    """Joint name to (Z, Y, X) degrees; a revolute joint uses the first number."""
    joint_velocities: dict[str, Vector] = field(default_factory=dict)
    """Joint name to rad/s in child joint axes (x, y, z); a revolute joint uses the first number."""
    torque_pulses: list[TorquePulse] = field(default_factory=list)
    force_pulses: list[ForcePulse] = field(default_factory=list)
    motors: dict[str, Motor] = field(default_factory=dict)
    """Joint name to a motor that replaces the model's."""
    prescribed: list[PrescribedMotion] = field(default_factory=list)
    tone: float | None = None
    """Muscle tone: factor on every motor's gains. Absent: 1."""
    excitations: dict[str, Excitation] = field(default_factory=dict)
    """Muscle name, or a pattern such as "neck_*" or "*", to the excitation that replaces the model's. A muscle's own
    name counts before a pattern, the first pattern that fits before later ones."""
    extras: dict[str, Any] = field(default_factory=dict)


@dataclass
class Obstacle:
    """A surface of the scene: plane, box, capsule or triangle mesh; still, or moving along a table."""

    name: str
    shape: str
    """"plane" (normal = local z through the origin), "box", "capsule" (along local z) or "mesh"."""
    position: Vector = (0.0, 0.0, 0.0)
    orientation: Vector = (0.0, 0.0, 0.0)
    """(Z, Y, X) degrees."""
    half_size: Vector = (0.5, 0.5, 0.5)
    """Box: half edge lengths. Capsule: (radius, radius, half length of the straight part). Metres."""
    vertices: Any = None
    """Mesh: (n, 3) array of metres in the obstacle frame."""
    triangles: Any = None
    """Mesh: (m, 3) array of vertex indices, counter-clockwise seen from outside."""
    path: str = ""
    """Mesh file, relative to the scenario file, when not given inline."""
    material: Material | None = None
    """Absent: rigid, so that the ellipsoid's own material alone decides."""
    motion: tuple[tuple[float, ...], ...] | None = None
    """Rows: time (s), x, y, z (m) [, Z, Y, X degrees] added to the pose."""
    source: str = ""


@dataclass
class PairMaterial:
    """What two surfaces do to each other, in place of the combination of their materials."""

    first: str
    second: str
    """Material, ellipsoid, body or obstacle names ("actor/body" where needed)."""
    friction: float | None = None
    dynamic_friction: float | None = None
    material: Material | None = None
    source: str = ""


@dataclass
class Settings:
    """How a scenario is computed. Every value is recorded in the run's manifest."""

    time_step: float = 1.0e-4
    output_step: float = 1.0e-3
    duration: float = 1.0
    gravity: Vector = (0.0, 0.0, -9.81)
    integrator: str = "symplectic_euler"
    tolerance: float = 1.0e-6
    """variable_step: largest error per step of any body's position (m) and orientation (rad)."""
    friction: float = 0.4
    """Coefficient of surfaces whose material gives none."""
    friction_law: str = "coulomb"
    friction_rule: str = "geometric"
    friction_velocity: float = 0.01
    """m/s: speed at which the friction ramp (coulomb, stribeck) or its peak (hollars) is reached."""
    stiction: bool = True
    """coulomb and stribeck: resting contacts hold by tangential springs and do not creep."""
    contact_damping: float | None = None
    """Replaces the damping of every curve material: s/m, or N s/m in mode "constant"."""
    contact_damping_mode: str = "proportional"
    """"proportional" (scales with the elastic force) or "constant" (OpenMBD's)."""
    multi_contact: str = "none"
    joint_damping: float = 1.0
    """Factor on the viscous damping of every joint."""
    default_joint_damping: float = 1.0
    """N m s/rad for joints whose model gives none."""
    joint_limits: bool = True
    self_contact: bool = False
    exclusion_hops: int = 2
    """Bodies this many joints apart or fewer never touch in self-contact."""
    ground: bool = True
    """Rigid ground plane z = 0."""
    ground_friction: float | None = None
    """Absent: `friction`."""
    absorb_ground_overlap: bool = False
    """Subtract overlap with the ground at the start (OpenMBD always does) instead of refusing it."""
    start_overlap_limit: float = 0.001
    """Metres: larger overlap with the ground, an obstacle or another actor at the start is refused."""
    contact_history: bool = False
    """Keep every contact at every output time, not only the events."""
    reactions: bool = True
    """Record joint reaction forces and moments."""
    max_speed: float = 500.0
    """m/s: a body faster than this stops the run."""


@dataclass
class Scenario:
    """Actors, surroundings and settings: everything a run depends on."""

    name: str
    actors: list[Actor]
    obstacles: list[Obstacle] = field(default_factory=list)
    pairs: list[PairMaterial] = field(default_factory=list)
    springs: list[SpringDamper] = field(default_factory=list)
    belts: list[Belt] = field(default_factory=list)
    welds: list[Weld] = field(default_factory=list)
    settings: Settings = field(default_factory=Settings)
    description: str = ""
    sources: dict[str, str] = field(default_factory=dict)
    """Where an input comes from: dotted name of the input to its source; what is missing is reported as assumed."""
    outputs: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    extras: dict[str, Any] = field(default_factory=dict)
