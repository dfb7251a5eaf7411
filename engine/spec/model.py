"""Models as a person authors them: materials, ellipsoids, bodies, joints and what connects bodies."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .contact_mesh import ContactMesh
from .description import Choices, described
from .drive import Wheel
from .joint_functions import JointFunction, function_kind
from .joint_types import JOINT_TYPES, LIMB_TYPE, JointType, joint_type
from .light_vehicle import LightVehicle
from .muscles import Muscle, WrapSurface
from .values import IDENTITY3, IDENTITY4, Curve, Matrix3, Matrix4, Vector
from .vehicle import Vehicle

CONTACT_LAWS = Choices(
    curve="Piecewise-linear force over penetration, with hysteresis",
    linear="F = k d + c v (Kelvin-Voigt, never pulling)",
    hunt_crossley="F = k d^n (1 + 1.5 c v)",
    lankarani_nikravesh="F = k d^n (1 + y v / v0), damped to give the restitution asked for",
)
LAW_VALUES = {
    "curve": ("loading", "unloading", "energy_retention", "beyond_last", "damping", "amplification"),
    "linear": ("stiffness", "damping"),
    "hunt_crossley": ("stiffness", "exponent", "damping"),
    "lankarani_nikravesh": ("stiffness", "exponent", "restitution"),
}
"""Values of a material that count with each law, besides friction: those that are shown, and checked."""
PAST_THE_CURVE = Choices(extend="Go on with the last slope, never falling", hold="Keep the last force")
JOINT_WORDS = Choices(**{kind.name: kind.description for kind in JOINT_TYPES.values()})
BODY_ROLES = Choices(
    by_name="What its name says, such as head, Neck, UpperTorso, ThighL, femur_r",
    none="No part of a person",
    head="Head",
    neck="Neck, whose joint below it is the lower neck",
    chest="Upper part of the trunk, with the thoracic spine",
    pelvis="Pelvis",
    left_femur="Left upper leg",
    right_femur="Right upper leg",
    left_tibia="Left lower leg",
    right_tibia="Right lower leg",
)
JOINT_AXES = Choices(**{axis: f"{axis} axis of the joint frame" for axis in ("z", "y", "x")})
SPRING_AXES = Choices(
    **{axis: f"About {axis} of the joint frame" for axis in ("z", "y", "x")},
    **{f"along_{axis}": f"Along {axis} of the joint frame" for axis in ("z", "y", "x")},
)


@dataclass
class Material:
    """How a surface pushes back and rubs. One of the laws in `CONTACT_LAWS`, chosen by name.

    lankarani_nikravesh: y comes from the true restitution map, so that `restitution` is what comes out.
    """

    name: str = ""
    law: str = described(
        "How force follows from penetration; decides which other values count",
        options=CONTACT_LAWS,
        default="curve",
    )
    loading: Curve = described(
        "Law curve: force (N) over penetration (m), starting at (0, 0)", label="Loading Curve", default=()
    )
    unloading: Curve | None = described(
        "Law curve: force (N) over penetration (m) while unloading",
        label="Unloading Curve",
        absent="the loading curve, scaled by the energy retention",
    )
    energy_retention: float = described(
        "Law curve without an unloading curve: share of the loading energy given back, the square of restitution",
        low=0,
        high=1,
        default=0.25,
    )
    beyond_last: str = described(
        "Law curve: what the force does past the last point",
        label="Past the Curve",
        options=PAST_THE_CURVE,
        default="extend",
    )
    stiffness: float = described(
        "Laws linear, Hunt-Crossley and Lankarani-Nikravesh: stiffness k", "N/m^n", low=0, default=1.0e6
    )
    exponent: float = described(
        "Laws Hunt-Crossley and Lankarani-Nikravesh: exponent n; 1.5 is Hertz", low=1, high=3, default=1.5
    )
    damping: float = described(
        "Laws curve and Hunt-Crossley: dissipation c in s/m, scaling with the elastic force. Law linear: N s/m",
        low=0,
        default=0.0,
    )
    restitution: float = described(
        "Law Lankarani-Nikravesh: ratio of separation to approach speed, above 0", low=0, high=1, default=0.5
    )
    amplification: tuple[float, float, float, float] = described(
        "(C1, C2, C3, C4): elastic force times C1 + C2 (v / C3)^C4 with v the approach speed in m/s",
        label="Rate Amplification",
        default=(1.0, 0.0, 1.0, 1.0),
    )
    rate_factors: Curve = described(
        "Law curve: factor on the force over the approach speed (m/s) at which a touch began; it holds as long as the "
        "touch lasts. None: the same at every speed",
        default=(),
    )
    static_friction: float | None = described(
        "Coefficient of static friction", low=0, high=1.5, new=0.4, absent="the scenario's friction"
    )
    dynamic_friction: float | None = described(
        "Coefficient of sliding friction", low=0, high=1.5, new=0.4, absent="the static one"
    )
    viscous_friction: float = described("Viscous part of the Hollars friction law", "s/m", low=0, default=0.0)
    source: str = ""


@dataclass
class Ellipsoid:
    """A contact and drawing surface fixed to a body."""

    name: str
    semi_axes: Vector = described("Half lengths along the ellipsoid's own axes", "m")
    position: Vector = described("Centre in the body frame", "m", default=(0.0, 0.0, 0.0))
    orientation: Matrix3 = described("Columns are the ellipsoid's axes in the body frame", default=IDENTITY3)
    force_curve: Curve = described(
        "Force (N) over penetration (m) while loading; given, it replaces the material's", default=()
    )
    unload_curve: Curve | None = described(
        "Force (N) over penetration (m) while unloading",
        label="Unloading Curve",
        absent="the loading curve, scaled by the material's energy retention",
    )
    material: str = described(
        "Contact material of the model; empty: the default with the curves given here", default=""
    )
    source: str = ""
    extras: dict[str, Any] = field(default_factory=dict)

    def half_extent(self, axis: int) -> float:
        """How far it reaches from its centre along an axis (0, 1 or 2) of its body, m."""
        return float(np.linalg.norm(np.multiply(self.orientation[axis], self.semi_axes)))


@dataclass
class Mesh:
    """A surface for drawing, bound to a body."""

    path: str = described("Mesh file (OBJ, STL, PLY), relative to the folder of the model file", label="File")
    position: Vector = described("Origin of the mesh in the body frame", "m", default=(0.0, 0.0, 0.0))
    orientation: Matrix3 = described("Columns are the axes of the mesh in the body frame", default=IDENTITY3)
    scale: float = described("Factor from the unit of the mesh file to metres", default=1.0)


@dataclass
class Body:
    """A rigid body. Its frame is the authored one; inertia is about the centre of mass along the body axes.

    The matrix of inertia has **minus** the products Ixy, Iyz, Ixz (integral of x y dm and so on) off its diagonal. This
    is the sign OpenMBD's program uses. Files of the other convention say so (`inertia_sign` in the model file) and
    `io_json` turns them on reading.
    """

    name: str
    mass: float = described("Mass of the body", "kg", low=0, digits=4, new=1.0)
    inertia: tuple[float, float, float, float, float, float] = described(
        "Ixx, Iyy, Izz, Ixy, Iyz, Ixz about the centre of mass along body axes; the last three are products of "
        "inertia: the matrix has minus these off its diagonal",
        "kg m²",
        digits=6,
        new=(0.01, 0.01, 0.01, 0.0, 0.0, 0.0),
    )
    center_of_mass: Vector = described(
        "Centre of mass in the body frame", "m", label="Centre of Mass", digits=5, default=(0.0, 0.0, 0.0)
    )
    ellipsoids: list[Ellipsoid] = described("Surfaces for contact and drawing", factory=list)
    meshes: list[Mesh] = described("Surfaces for drawing", factory=list)
    surface: ContactMesh | None = described(
        "Closed mesh by which other actors touch the body", label="Contact Mesh", absent="ellipsoids alone"
    )
    description: str = ""
    source: str = ""
    extras: dict[str, Any] = field(default_factory=dict)
    role: str = described(
        "Part of a person that it is, for default sensors and measures", options=BODY_ROLES, default="by_name"
    )
    flesh: str = described(
        "Bodies of a model with the same word here are one flesh: where several of them are pressed at one place, they "
        "share one force as the surfaces of one body do; empty: the body alone",
        default="",
    )


@dataclass
class AxisLimits:
    """Range of motion per joint axis, held by a penalty spring-damper.

    `lower` and `upper` are in the order (Z, Y, X) of the format's joint angles. The angles compared are the components
    of the joint's rotation vector (one turn split over three axes): equal to the Euler angle when only one axis turns,
    and without a singular posture.
    """

    lower: Vector = described(
        "Lowest angle about Z, Y, X; a joint with an axis uses the first, a prismatic one in metres",
        "degrees",
    )
    upper: Vector = described(
        "Highest angle about Z, Y, X; a joint with an axis uses the first, a prismatic one in metres",
        "degrees",
    )
    stiffness: float = described("Stiffness past the limit", "N m/rad", low=0, default=500.0)
    damping: float = described("Damping past the limit", "N m s/rad", low=0, default=5.0)
    source: str = ""
    damping_factor: float = described(
        "Damping in proportion to the elastic torque past the limit, in place of the damping above where it is not "
        "zero (Hyfydy's)",
        "s/rad",
        low=0,
        default=0.0,
    )


@dataclass
class ConeLimits:
    """Cone of feasible motion of a ball joint (Ambrosio): the limb axis stays inside a closed spline on the sphere."""

    quadrant_angles: tuple[float, float, float, float] = described(
        "Largest latitude at longitudes 0°, 90°, 180° and 270°",
        "degrees",
        label="Quadrants",
        low=0,
        new=(57.29577951308232,) * 4,  # 1 rad
    )
    axis: Vector = described(
        "Cone axis in the parent joint frame (T1)", label="Cone Axis", default=(0.0, 0.0, 1.0)
    )
    zero_longitude: Vector = described(
        "Direction of longitude 0 in the parent joint frame, made orthogonal to the axis",
        default=(1.0, 0.0, 0.0),
    )
    limb_axis: Vector = described("Limb axis in the child joint frame (T2)", default=(0.0, 0.0, 1.0))
    width: float = described(
        "Angle over which the torque grows from zero to its full size", "degrees", low=0, default=11.5
    )
    torque: float = described("Torque at full width", "N m", low=0, default=226.0)
    twist: tuple[float, float] | None = described(
        "Lowest and highest turn about the limb axis", "degrees", absent="no limit", switch="Limit Twist"
    )
    twist_stiffness: float = described("Stiffness past the twist limit", "N m/rad", low=0, default=200.0)
    twist_damping: float = described("Damping past the twist limit", "N m s/rad", low=0, default=2.0)
    source: str = ""


@dataclass
class JointFriction:
    """Resisting torque of constant size against the motion, which holds the joint at rest below this size. A dummy's
    stays, a human's drops after first motion."""

    torque: float = described("Size of the resisting torque; of a prismatic joint a force in N", "N m", low=0)
    drop_angle: float | None = described(
        "Rotation from the start over which the torque falls to zero (human)",
        "degrees",
        low=0,
        absent="it stays (dummy)",
        switch="Drops After First Motion",
    )
    source: str = ""


@dataclass
class JointSpring:
    """Non-linear passive spring about one joint axis, or along it in newtons and metres.

    With `retention` it is that of soft tissue or of metal: what it gives back on the way back is less than what it took
    (the hysteresis law of contact, docs/derivations.md, Hysteresis). Its curve then goes through (0, 0) and resists on
    both sides.
    """

    axis: str = described("Joint axis; a joint's own axis is Z", options=SPRING_AXES)
    curve: Curve = described("Torque on the child (N m) over angle (degrees), or force (N) over way (m)")
    damping: float = described("Viscous damping; along an axis in N s/m", "N m s/rad", low=0, default=0.0)
    source: str = ""
    retention: float | None = described(
        "Share of the energy given back on the way back",
        low=0,
        high=1,
        new=0.3,
        absent="all of it",
        switch="Hysteresis",
    )


@dataclass
class SlideLimits:
    """Range of sliding of a joint that turns besides, held by a penalty spring-damper."""

    lower: Vector = described("Lowest way along x, y, z; a cylindrical joint uses the first", "m")
    upper: Vector = described("Highest way along x, y, z; a cylindrical joint uses the first", "m")
    stiffness: float = described("Stiffness past the limit", "N/m", low=0, default=1.0e5)
    damping: float = described("Damping past the limit", "N s/m", low=0, default=100.0)
    source: str = ""


@dataclass
class JointBreak:
    """Where a joint gives way, once: at a load, or when it has taken up so much energy.

    The load is what springs, limits and friction carry. Afterwards they carry `residual` of what they would.
    """

    axis: str | None = described(
        "Joint axis that gives way",
        options=SPRING_AXES,
        absent="all about which it turns, by the size of the moment",
        switch="One Axis",
        new="z",
    )
    load: float | None = described(
        "Moment at which it gives way; along an axis a force in N",
        "N m",
        low=0,
        new=100.0,
        absent="any load holds",
    )
    energy: float | None = described(
        "Energy taken up at which it gives way", "J", low=0, new=10.0, absent="any energy holds"
    )
    residual: float = described("Share of the resistance that is left", low=0, high=1, default=0.0)
    source: str = ""


@dataclass
class Motor:
    """Joint motor: torque = base + stiffness * turn to target + damping * (target velocity - velocity), capped.

    Hyfydy's joint_motor. Gives tone, bracing, a held posture, a grip. Every gain and target may vary in time.
    """

    stiffness: float = described("Torque per turn away from the target", "N m/rad", low=0, default=0.0)
    damping: float = described("Torque per difference in velocity", "N m s/rad", low=0, default=0.0)
    target: Vector = described(
        "Joint angles about Z, Y, X; a joint with an axis uses the first, a prismatic one in metres",
        "degrees",
        default=(0.0, 0.0, 0.0),
    )
    target_velocity: Vector = described(
        "Turn rate aimed at, in joint axes (x, y, z); a revolute joint uses the first",
        "rad/s",
        default=(0.0, 0.0, 0.0),
    )
    base_torque: Vector = described(
        "Torque that always acts, in joint axes (x, y, z); a revolute joint uses the first",
        "N m",
        default=(0.0, 0.0, 0.0),
    )
    max_torque: float = described(
        "Bound on the size of the whole torque", "N m", label="Largest Torque", low=0, default=float("inf")
    )
    gain_over_time: Curve | None = described(
        "Factor on stiffness, damping and base torque over time (s)", absent="1", switch="Gain Over Time"
    )
    target_over_time: tuple[tuple[float, float, float, float], ...] | None = described(
        "Joint angles about Z, Y, X (degrees) over time (s), in place of the target",
        absent="the target stays",
        switch="Target Over Time",
    )
    source: str = ""
    follows: bool = described(
        "Aim at the rate of the target over time too, so that the joint follows it without lag", default=False
    )
    torque_over_speed: Curve | None = described(
        "Factor on the largest torque over the rate (rad/s, m/s) at which the joint goes the way the torque pushes; "
        "negative rates: it gives way. Muscles are weaker the faster they shorten, and stronger when stretched",
        absent="1 at every rate",
        switch="Torque Over Speed",
    )


@dataclass
class JointSlide:
    """What acts on the sliding of a joint that turns besides (cylindrical, planar, bushing), in newtons and metres. A
    prismatic joint has it in its own fields."""

    damping: float = described("Viscous resistance along every axis", "N s/m", low=0, default=0.0)
    limits: SlideLimits | None = described("Range of sliding", label="Slide Limits", absent="none")
    friction: float = described("Resisting force of constant size along every axis", "N", low=0, default=0.0)
    motor: Motor | None = described(
        "Motor along the axes; its numbers are N, N/m, N s/m, m and m/s, in the order x, y, z", absent="none"
    )
    source: str = ""


@dataclass
class Joint:
    """Connects a child body to its parent body (or to the ground when `parent` is None)."""

    name: str
    type: str = described("How the body can move against its parent", options=JOINT_WORDS, new=LIMB_TYPE)
    parent: str | None = described('Body that carries the joint; none ("GROUND" in a file) is the world')
    child: str = described("Body that the joint moves")
    T1: Matrix4 = described(
        "Joint frame in the parent body frame (in the actor frame when the parent is the ground)",
        default=IDENTITY4,
    )
    T2: Matrix4 = described("Joint frame in the child body frame", default=IDENTITY4)
    axis: Vector = described(
        "Axis of a revolute, prismatic or cylindrical joint in the joint frame; unit length",
        default=(0.0, 0.0, 1.0),
    )
    damping: float | None = described(
        "Viscous resistance; of a prismatic joint in N s/m",
        "N m s/rad",
        low=0,
        new=1.0,
        absent="the scenario's default joint damping, and none of a prismatic joint",
    )
    limits: AxisLimits | None = described("Range of motion per axis", label="Axis Limits", absent="none")
    cone: ConeLimits | None = described(
        "Cone of feasible motion of a spherical joint or a bushing", label="Cone Limits", absent="none"
    )
    friction: JointFriction | None = described("Resisting torque of constant size", absent="none")
    springs: list[JointSpring] = described("Passive springs, one per axis", factory=list)
    motor: Motor | None = described(
        "Motor that drives the joint: tone, bracing, a held posture, a grip", absent="none"
    )
    note: str = ""
    source: str = ""
    slide: JointSlide | None = described(
        "What acts on the sliding of a joint that turns besides", label="Sliding", absent="nothing"
    )
    breaks: list[JointBreak] = described("Where it gives way", factory=list)
    functions: list[JointFunction] = described(
        "Turns and shifts of a custom joint, each by a coordinate: up to three turns in their order and three shifts",
        factory=list,
    )
    ellipsoid: Vector | None = described(
        "Radii of an ellipsoid about the joint frame of the parent, over which the child's joint frame slides with "
        "its z axis along the normal; of a custom joint",
        "m",
        new=(0.1, 0.1, 0.1),
        absent="it does not slide over one",
        switch="Slides Over an Ellipsoid",
    )
    extras: dict[str, Any] = field(default_factory=dict)

    @property
    def kind(self) -> JointType:
        """What its type means. EngineError where there is no such type."""
        kind = joint_type(self.type)
        return function_kind(kind, self.functions) if kind.by_functions else kind


@dataclass
class Point:
    """A point on a body of an actor, or of the world (`body` None)."""

    position: Vector = described("Place in the body frame, or in the world without a body", "m", digits=5)
    body: str | None = described("Body or obstacle that has the point", absent="the world")
    actor: str | None = described(
        "Actor that has the body", absent="in a model the actor is the model itself"
    )


@dataclass
class SpringDamper:
    """Straight spring-damper between two points."""

    name: str = described("Name, unique among its kind", new="Spring")
    start: Point = described("First end")
    end: Point = described("Second end")
    stiffness: float = described("Force per extension", "N/m", low=0, new=1000.0)
    damping: float = described("Force per speed of lengthening", "N s/m", low=0, default=0.0)
    rest_length: float | None = described(
        "Length without force", "m", low=0, absent="the length at the start"
    )
    tension_only: bool = described("Pulls, never pushes: a rope", default=False)
    curve: Curve | None = described(
        "Force (N) over extension (m), in place of the stiffness",
        absent="the stiffness counts",
        switch="Force Curve",
    )
    break_force: float | None = None
    source: str = ""
    break_energy: float | None = None


@dataclass
class Belt:
    """Tension-only band through points in order: anchors, slip rings and body points. One tension along its length
    between points that do not slip; slip rings pass the band freely."""

    name: str = described("Name, unique among its kind", new="Belt")
    points: list[Point] = described("In order along the band")
    slip: list[bool] = described(
        "Per point: true lets the band slide through (slip ring, body point), false clamps it (anchor)"
    )
    stiffness: float = described("Force per unit strain (axial stiffness EA)", "N", low=0, new=50000.0)
    damping: float = described("Force per unit strain rate", "N s", low=0, default=0.0)
    slack: float = described("Extra band at the start", "m", low=0, default=0.0)
    break_force: float | None = None
    source: str = ""


@dataclass
class Weld:
    """Holds two points together by a stiff pin, or a point on a line, until the force passes `break_force` or the
    release time."""

    name: str = described("Name, unique among its kind", new="Weld")
    start: Point = described("First end")
    end: Point = described("Second end")
    stiffness: float = described("Force per distance of the ends", "N/m", low=0, default=1.0e5)
    damping: float = described("Force per speed of the ends", "N s/m", low=0, default=500.0)
    rotational_stiffness: float = described(
        "Torque per turn; zero leaves the pin free to turn", "N m/rad", low=0, default=0.0
    )
    rotational_damping: float = described("Torque per turn rate", "N m s/rad", low=0, default=0.0)
    break_force: float | None = None
    release_time: float | None = None
    source: str = ""
    break_torque: float | None = described(
        "Moment at which it breaks",
        "N m",
        low=0,
        new=100.0,
        absent="any moment holds",
        switch="Breaks by Moment",
    )
    break_energy: float | None = None
    line: Vector | None = described(
        "Direction in the frame of the first end's body of a line through it, on which the second end slides freely",
        new=(0.0, 0.0, 1.0),
        absent="the ends stay together",
        switch="Slides on a Line",
    )


@dataclass
class Coupler:
    """Makes a joint coordinate follow another in proportion (spine joints sharing one bend), by a stiff spring-damper.

    angle_follower = ratio * angle_leader + offset, about `axis` of both joints.
    """

    name: str = described("Name, unique among its kind", new="Coupler")
    leader: str = described("Joint that leads")
    follower: str = described("Joint that follows")
    axis: str = described("Axis of both joint frames", options=JOINT_AXES, default="y")
    ratio: float = described("Angle of the follower per angle of the leader", default=1.0)
    offset: float = described("Angle of the follower when the leader is at zero", "degrees", default=0.0)
    stiffness: float = described("Torque per angle between them", "N m/rad", low=0, default=1000.0)
    damping: float = described("Torque per turn rate between them", "N m s/rad", low=0, default=10.0)


@dataclass
class Model:
    """A person, dummy, vehicle or thing: bodies in a tree of joints."""

    name: str
    bodies: list[Body] = described("Rigid bodies")
    joints: list[Joint] = described("Joints that connect them in a tree")
    materials: list[Material] = described("Contact materials that ellipsoids name", factory=list)
    springs: list[SpringDamper] = field(default_factory=list)
    belts: list[Belt] = field(default_factory=list)
    welds: list[Weld] = field(default_factory=list)
    couplers: list[Coupler] = described("Joints that bend together", factory=list)
    muscles: list[Muscle] = described("Muscle-tendon units and their paths", factory=list)
    wrap_surfaces: list[WrapSurface] = described("Surfaces that muscle paths slide around", factory=list)
    contact_exclude: list[tuple[str, str]] = described(
        "Pairs of bodies that never touch", label="Excluded Pairs", factory=list
    )
    contact_include: list[tuple[str, str]] = described(
        "Pairs of bodies that touch whatever the adjacency rule says",
        label="Included Pairs",
        factory=list,
    )
    description: str = ""
    version: str = described("Version of the model, as its author counts", default="")
    citation: str = described("How to cite the model", default="")
    sex: str = described('"male" or "female", for scaling and read-outs', default="")
    height: float | None = described(
        "Stature, for scaling and read-outs", "m", low=0, new=1.75, absent="unknown", switch="Known Height"
    )
    vehicle: Vehicle | None = described(
        "Class and dimensions of a road vehicle, from which it is drawn", absent="drawn by its ellipsoids"
    )
    sources: list[str] = described("Where the numbers come from", factory=list)
    notes: list[str] = described(
        "What was assumed or mapped when the model was read, reported in every run", factory=list
    )
    extras: dict[str, Any] = field(default_factory=dict)
    wheels: list[Wheel] = described("Wheels that roll on tyres", factory=list)
    light_vehicle: LightVehicle | None = described(
        "Kind and dimensions of a two-wheeler, wheelchair or pram, from which it is drawn",
        absent="drawn by its ellipsoids",
    )

    def __repr__(self) -> str:
        mass = sum(body.mass for body in self.bodies)
        muscles = f", {len(self.muscles)} muscles" if self.muscles else ""
        return f"<Model {self.name}: {len(self.bodies)} bodies, {len(self.joints)} joints{muscles}, {mass:.4g} kg>"
