"""Scenarios as a person authors them: actors with their starts, obstacles, what is done to them, settings."""

from dataclasses import dataclass, field
from typing import Any

from .description import Choices, described
from .drive import Drive
from .gait import Gait
from .model import Belt, Material, Model, Motor, SpringDamper, Weld
from .muscles import Excitation
from .person import Person
from .response import Response
from .values import Vector

PULSE_SHAPES = Choices(half_sine="Rises and falls as half a sine", constant="Its full size all the time")
PULSE_FRAMES = Choices(world="Keeps its direction", body="Turns with the body")
OBSTACLE_SHAPES = Choices(
    plane="Endless plane through the origin, facing local z",
    box="Box along the local axes",
    capsule="Capsule along local z",
    mesh="Triangles of a mesh",
)
FRICTION_LAWS = Choices(
    coulomb="Constant after a short ramp",
    stribeck="Falls from the static to the dynamic coefficient",
    hollars="Smooth, with a peak and a viscous part",
    viscous="With the sliding speed, up to the static coefficient; it does not hold a body at rest",
)
FRICTION_RULES = Choices(
    geometric="Square root of the product",
    harmonic="2 a b / (a + b)",
    minimum="The smaller one",
    maximum="The larger one",
    mean="Half the sum",
)
DAMPING_MODES = Choices(
    proportional="With the elastic force",
    constant="OpenMBD's: a constant coefficient, which jumps at touch",
)
MULTI_CONTACT_MODES = Choices(
    none="Nothing: every contact has its full force, as when OpenMBD's own scaling is off",
    continuous="Scaled so that their sum is the largest of them",
    discrete="Only the largest acts",
    patches="Contacts of the same two bodies on one patch share one force; the default",
)
INTEGRATORS = Choices(
    symplectic_euler="Fast and robust; the default",
    forward_euler="For comparison only",
    midpoint="Second order",
    runge_kutta_4="Fourth order for smooth motion",
    variable_step="Keeps an error tolerance by itself",
    implicit="For very stiff systems",
)


SENSOR_AXES = Choices(body="They turn with the body", world="They stay as the world's are")


@dataclass
class TorquePulse:
    """Half-sine torque on a joint: peak * sin(pi (t - start) / duration). The root gets a true torque."""

    joint: str = described("Joint that is turned")
    peak: Vector = described(
        "Largest torque, in joint axes (x, y, z) of the child side; a joint with an axis uses the part along it; of a "
        "prismatic joint a force in N",
        "N m",
    )
    start: float = described("Time at which the pulse begins", "s")
    duration: float = described("Length of the pulse", "s", low=0, new=0.1)


@dataclass
class ForcePulse:
    """Force on a point of a body: half a sine, or constant."""

    body: str = described("Body that is pushed")
    peak: Vector = described("Largest force", "N")
    start: float = described("Time at which the pulse begins", "s")
    duration: float = described("Length of the pulse", "s", low=0, new=0.1)
    point: Vector = described("Where it acts, in the body frame", "m", default=(0.0, 0.0, 0.0))
    frame: str = described("Frame of the force", options=PULSE_FRAMES, default="world")
    shape: str = described("Course of the force over time", options=PULSE_SHAPES, default="half_sine")


@dataclass
class PrescribedMotion:
    """Moves a root or a joint along a table until released."""

    joint: str | None = described("Joint that is moved; none is the actor's root")
    table: tuple[tuple[float, ...], ...] = described(
        "Rows: time (s), then for a root the velocity along world x, y, z (m/s) [and turn rate x, y, z (rad/s)]; for a "
        "joint the angles about Z, Y, X (degrees; a joint with an axis: one angle, or a way in m) [and the ways along "
        "x, y, z (m) of one that slides besides]"
    )
    release_time: float | None = None
    release_at_contact: bool = described(
        "Let go at the first contact of the actor", label="Release at Contact", default=False
    )
    source: str = ""


@dataclass
class Actor:
    """A model placed in a scenario with its own start."""

    name: str
    model: Model = described("Who or what it is")
    model_reference: str = described(
        "How the scenario file names the model: a shipped name or a path relative to the scenario file",
        label="Model File",
        default="",
    )
    position: Vector = described(
        "World place of the actor frame; the root body sits at T1 * inverse(T2) of the root joint in it",
        "m",
        default=(0.0, 0.0, 0.0),
    )
    orientation: Vector = described("Turn of the actor frame", "degrees Z, Y, X", default=(0.0, 0.0, 0.0))
    velocity: Vector = described(
        "World velocity of the root body's origin at the start", "m/s", default=(0.0, 0.0, 0.0)
    )
    angular_velocity: Vector = described(
        "World turn rate of the whole actor, as one rigid piece about the root body's origin, at the start",
        "rad/s",
        default=(0.0, 0.0, 0.0),
    )
    joint_angles: dict[str, Vector] = described(
        "Joint name to its angles; a joint with an axis uses the first, a prismatic one in metres",
        "degrees Z, Y, X",
        factory=dict,
    )
    joint_velocities: dict[str, Vector] = described(
        "Joint name to turn rate in child joint axes (x, y, z); a joint with an axis uses the first, a prismatic one "
        "in m/s",
        "rad/s",
        factory=dict,
    )
    torque_pulses: list[TorquePulse] = described("Half-sine torques on joints", factory=list)
    force_pulses: list[ForcePulse] = described("Forces on bodies for a time", factory=list)
    motors: dict[str, Motor] = described("Joint name to a motor that replaces the model's", factory=dict)
    prescribed: list[PrescribedMotion] = described(
        "Motions along a table until released", label="Prescribed Motions", factory=list
    )
    tone: float | None = described(
        "Factor on every motor's gains", low=0, high=2, new=1.0, absent="1", switch="Muscle Tone"
    )
    excitations: dict[str, Excitation] = described(
        'Muscle name, or a pattern such as "neck_*" or "*", to the excitation in place of the model\'s; a name counts '
        "before a pattern, the first pattern that fits before later ones",
        factory=dict,
    )
    joint_slides: dict[str, Vector] = described(
        "Joint name to its way along x, y, z of the joint frame, of a joint that slides and turns; a cylindrical one "
        "uses the first",
        "m",
        factory=dict,
    )
    joint_slide_velocities: dict[str, Vector] = described(
        "Joint name to the speed of its sliding along x, y, z; a cylindrical joint uses the first",
        "m/s",
        factory=dict,
    )
    extras: dict[str, Any] = field(default_factory=dict)
    person: Person | None = described(
        "Who the model is of; given in place of a model, the model is made from it", absent="no person"
    )
    response: Response | None = described(
        "What the person does against a fall",
        absent="nothing: only the motors act",
        switch="Protective Response",
    )
    gait: Gait | None = described(
        "How the person walks; where a value of it is set by its name, height, pose, rates, motors and the carried "
        "root are made again from it",
        absent="as the start says",
        switch="Gait",
    )
    drive: Drive | None = described(
        "What the driver of the vehicle does", absent="nobody drives it", switch="Driver"
    )


@dataclass
class Obstacle:
    """A surface of the scene: plane, box, capsule or triangle mesh; still, or moving along a table."""

    name: str
    shape: str = described("How the surface is computed", options=OBSTACLE_SHAPES)
    position: Vector = described("Origin in the world", "m", default=(0.0, 0.0, 0.0))
    orientation: Vector = described("Turn against the world", "degrees Z, Y, X", default=(0.0, 0.0, 0.0))
    half_size: Vector = described(
        "Box: half edge lengths. Capsule: radius, radius, half length of the straight part",
        "m",
        default=(0.5, 0.5, 0.5),
    )
    vertices: Any = described("Mesh: (n, 3) array in the obstacle frame", "m", default=None)
    triangles: Any = described(
        "Mesh: (m, 3) array of vertex indices, counter-clockwise seen from outside", default=None
    )
    path: str = described("Mesh file, relative to the scenario file, when not given inline", default="")
    material: Material | None = described(
        "Contact material of the surface",
        absent="rigid, so that the ellipsoid's own material alone decides",
        switch="Own Material",
    )
    motion: tuple[tuple[float, ...], ...] | None = described(
        "Rows: time (s), x, y, z (m) [, Z, Y, X (degrees)] added to the pose", absent="it does not move"
    )
    belt_velocity: Vector = described(
        "World velocity of its surface where the shape itself stays, as of the belt of a treadmill; added to that of "
        "its motion",
        "m/s",
        default=(0.0, 0.0, 0.0),
    )
    source: str = ""


@dataclass
class PairMaterial:
    """What two surfaces do to each other, in place of the combination of their materials."""

    first: str = described('Material, ellipsoid, body or obstacle ("actor/body" where needed)')
    second: str = described('Material, ellipsoid, body or obstacle ("actor/body" where needed)')
    friction: float | None = described(
        "Static coefficient of the pair",
        label="Static Friction",
        low=0,
        high=1.5,
        new=0.4,
        absent="that of the materials",
    )
    dynamic_friction: float | None = described(
        "Sliding coefficient of the pair", low=0, high=1.5, new=0.4, absent="that of the materials"
    )
    material: Material | None = described(
        "Contact law of the pair", absent="that of the materials", switch="Contact Law"
    )
    source: str = ""


@dataclass
class Sensor:
    """What is measured on a body at every time step, whatever the output step (`Recording.channels`)."""

    name: str = described("Name, unique among the sensors", new="Sensor")
    actor: str = described("Actor that carries it")
    body: str = described("Body that it is fixed to")
    point: Vector | None = described(
        "Where it sits, in the body frame", "m", digits=5, new=(0.0, 0.0, 0.0), absent="the centre of mass"
    )
    axes: str = described("Axes of what it measures", options=SENSOR_AXES, default="body")
    acceleration: bool = described(
        "Acceleration of the point less gravity, as an accelerometer shows it", default=True
    )
    turn_rate: bool = described("Angular velocity of the body", default=False)
    joint_force: bool = described(
        "Force of the parent on the body, at the joint that carries it", default=False
    )
    joint_moment: bool = described(
        "Moment of the parent on the body about the joint's centre, actuation included", default=False
    )
    contact_force: bool = described("Sum of the contact forces on the body, friction included", default=False)
    cfc: int | None = described(
        "Channel frequency class of SAE J211 by which it is filtered for plots and tables",
        label="Filter Class",
        low=60,
        high=1000,
        new=1000,
        absent="1000, for turn rates 60, for joint moments 600",
        switch="Own Filter Class",
    )

    @property
    def quantities(self) -> tuple[str, ...]:
        """What it measures, in the order of `SENSOR_QUANTITIES`."""
        return tuple(name for name in SENSOR_QUANTITIES if getattr(self, name))


SENSOR_QUANTITIES = ("acceleration", "turn_rate", "joint_force", "joint_moment", "contact_force")
"""Fields of `Sensor` that switch a quantity on; each is a vector."""


@dataclass
class Settings:
    """How a scenario is computed. Every value is recorded in the run's manifest."""

    time_step: float = described("Step of the integration", "s", low=1e-7, digits=6, default=1.0e-4)
    output_step: float = described("Time between recorded states", "s", low=1e-6, digits=5, default=1.0e-3)
    duration: float = described("Simulated time", "s", low=1e-6, digits=3, default=1.0)
    gravity: Vector = described("World acceleration of free fall", "m/s²", default=(0.0, 0.0, -9.81))
    integrator: str = described(
        "How the equations of motion are stepped", options=INTEGRATORS, default="symplectic_euler"
    )
    tolerance: float = described(
        "Variable and adaptive step: largest error per step of any body's position (m) and orientation (rad)",
        low=1e-12,
        digits=8,
        default=1.0e-6,
    )
    friction: float = described(
        "Coefficient of surfaces whose material gives none", low=0, high=1.5, default=0.4
    )
    friction_law: str = described(
        "How friction depends on sliding speed", options=FRICTION_LAWS, default="coulomb"
    )
    friction_rule: str = described(
        "How the coefficients of two surfaces combine", options=FRICTION_RULES, default="geometric"
    )
    friction_velocity: float = described(
        "Speed at which the ramp (Coulomb, Stribeck) or the peak (Hollars) is reached",
        "m/s",
        low=1e-6,
        digits=4,
        default=0.01,
    )
    friction_viscosity: float = described(
        "Viscous law: friction force per sliding speed, below the coefficient's limit",
        "N s/m",
        low=0,
        default=1000.0,
    )
    stiction: bool = described(
        "Coulomb and Stribeck: resting contacts hold by tangential springs and do not creep", default=True
    )
    patch_friction: bool = described(
        "Contacts resist twisting and rolling by the size of their patch", default=True
    )
    contact_damping: float | None = described(
        "Damping in place of that of every curve material: s/m, or N s/m in the constant mode",
        low=0,
        absent="that of the materials",
        switch="Override Contact Damping",
    )
    contact_damping_mode: str = described(
        "How contact damping scales", label="Damping Mode", options=DAMPING_MODES, default="proportional"
    )
    multi_contact: str = described(
        "What several contacts of one body do to each other; continuous and discrete are OpenMBD's and not physical in "
        "general",
        label="Multiple Contacts",
        options=MULTI_CONTACT_MODES,
        default="patches",
    )
    joint_damping: float = described("Factor on the viscous damping of every joint", low=0, default=1.0)
    default_joint_damping: float = described(
        "Damping of joints whose model gives none",
        "N m s/rad",
        label="Default Damping",
        low=0,
        default=1.0,
    )
    joint_limits: bool = described(
        "Hold joints in their range of motion: joint limits and cones act", default=True
    )
    self_contact: bool = described(
        "Let bodies of one actor touch each other", label="Self-Contact", default=False
    )
    exclusion_hops: int = described(
        "Bodies this many joints apart or fewer never touch in self-contact",
        label="Excluded Hops",
        low=0,
        default=2,
    )
    ground: bool = described("Rigid ground plane z = 0", default=True)
    ground_friction: float | None = described(
        "Coefficient of the ground", low=0, high=1.5, new=0.4, absent="the scenario's friction"
    )
    absorb_ground_overlap: bool = described(
        "Subtract overlap with the ground at the start (OpenMBD always does) instead of refusing it",
        default=False,
    )
    start_overlap_limit: float = described(
        "Larger overlap with the ground, an obstacle or another actor at the start is refused",
        "m",
        label="Overlap Limit",
        low=0,
        digits=4,
        default=0.001,
    )
    contact_history: bool = described(
        "Keep every contact at every output time, not only the events", default=False
    )
    reactions: bool = described(
        "Record joint reaction forces and moments", label="Joint Reactions", default=True
    )
    max_speed: float = described(
        "A body faster than this stops the run", "m/s", label="Largest Speed", low=1, default=500.0
    )
    largest_step: float | None = described(
        "Longest step, taken where nothing stiff happens; impacts keep the time step, of which all are multiples",
        "s",
        low=1e-6,
        digits=5,
        new=1.0e-3,
        absent="every step is the time step",
        switch="Adaptive Step",
    )


@dataclass
class Scenario:
    """Actors, surroundings and settings: everything a run depends on."""

    name: str
    actors: list[Actor] = described("Who and what moves")
    obstacles: list[Obstacle] = described("Surfaces of the scene", factory=list)
    pairs: list[PairMaterial] = described("What two surfaces do to each other", factory=list)
    springs: list[SpringDamper] = field(default_factory=list)
    belts: list[Belt] = field(default_factory=list)
    welds: list[Weld] = field(default_factory=list)
    settings: Settings = described("How it is computed; written in full", factory=Settings)
    description: str = ""
    sources: dict[str, str] = described(
        "Where an input comes from: dotted name of the input to its source; what is missing is reported as assumed",
        factory=dict,
    )
    outputs: dict[str, Any] = described("What to write after a run", factory=dict)
    notes: list[str] = described("What was assumed when the scenario was read or imported", factory=list)
    extras: dict[str, Any] = field(default_factory=dict)
    sensors: list[Sensor] = described(
        "What is measured at every time step; one with the name of a default sensor replaces it", factory=list
    )
    default_sensors: bool = described(
        "Sensors of head, upper and lower neck, chest, pelvis, femurs and tibias of every actor that has them",
        default=True,
    )

    def __repr__(self) -> str:
        actors = ", ".join(f"{actor.name} ({actor.model.name})" for actor in self.actors)
        return (
            f"<Scenario {self.name}: {actors}; {len(self.obstacles)} obstacles, {self.settings.duration:g} s>"
        )
