"""Property groups of a scenario: the start of an actor, pulses, obstacles, settings.

Fields of the specs are copied by `fields`. All values are SI.
"""

import math

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...engine import spec
from ...engine.spec.gait import MANNERS
from ..base.user_units import unit_shown
from . import callbacks, references
from .basics import Named
from .evidence import MannequinEvidence
from .film import MannequinFilm
from .groups import GROUPS, Authored, enum_items, group_of, mirrors
from .muscles import MannequinExcitationRule
from .places import MannequinCameraMatch
from .runs import MannequinBake, MannequinResults, MannequinRuns, MannequinTraces
from .settings import MannequinIssue, MannequinOverlays
from .sweeps import MannequinSweep

PARTS_OF_SCENARIOS = (
    group_of(spec.TorquePulse, joint=references.joints),
    group_of(spec.ForcePulse, body=references.bodies),
    group_of(spec.PairMaterial),
    group_of(spec.Response),
    group_of(spec.Gait),
    group_of(spec.Drive),
)


@mirrors(spec.Sensor, leave_out=("actor",), body=references.bodies)
class MannequinSensor(Authored, bpy.types.PropertyGroup):
    """What is measured on a body at every time step."""

    actor: PointerProperty(type=bpy.types.Object, description="Actor that carries it")


OBSTACLE_ITEMS = [
    ("plane", "Plane", "Endless plane through the origin, facing local z"),
    ("box", "Box", "Box around the mesh's bounds"),
    ("capsule", "Capsule", "Capsule along local z, inside the mesh's bounds"),
    ("mesh", "Mesh", "The triangles of the mesh, modifiers included"),
]
"""Shapes of the spec, and what each makes of an object's mesh."""


def read_columns(self: bpy.types.PropertyGroup) -> int:
    """Numbers after the time in the rows of a table."""
    return max((row.count - 1 for row in self.table), default=3)


def write_columns(self: bpy.types.PropertyGroup, columns: int) -> None:
    """Give every row of a table as many numbers."""
    for row in self.table:
        row.count = columns + 1


@mirrors(spec.PrescribedMotion, joint=references.joints)
class MannequinPrescribedMotion(Authored, bpy.types.PropertyGroup):
    """Motion along a table until released."""

    columns: IntProperty(
        name="Numbers per Row",
        description="After the time. Root: 3 velocities, 6 with turn rates; joint: 3 angles, a revolute one 1",
        min=1,
        max=6,
        get=read_columns,
        set=write_columns,
    )
    use_joint: BoolProperty(name="Of a Joint", description="Move a joint; off: the root")


class MannequinJointStart(Authored, bpy.types.PropertyGroup):
    """How one joint of an actor starts; belongs to the pose bone of the joint's child body."""

    velocity: FloatVectorProperty(
        name="Joint Velocity (rad/s)",
        description="Turn rate at the start in child joint axes (x, y, z); a revolute joint uses the first",
        subtype="XYZ",
    )
    use_motor: BoolProperty(
        name="Own Motor", description="Replace the model's motor of this joint in this scenario"
    )
    motor: PointerProperty(type=GROUPS[spec.Motor], description="Motor in place of the model's")


def read_speed(self: bpy.types.PropertyGroup) -> float:
    """Speed of an actor at the start, in the unit that is shown."""
    return unit_shown("m/s", bpy.context.scene).shown(self.velocity.length)


def write_speed(self: bpy.types.PropertyGroup, number: float) -> None:
    """Let an actor start at a speed in the unit that is shown."""
    callbacks.change("speed", self.id_data, unit_shown("m/s", bpy.context.scene).si(number))


def write_walking_speed(self: bpy.types.PropertyGroup, number: float) -> None:
    """Let an actor walk at a speed in the unit that is shown."""
    self.gait.speed = unit_shown("m/s", bpy.context.scene).si(number)
    callbacks.change("gait", self.id_data, self.gait.speed)


MANNER_WORDS = list(MANNERS.meanings)
USUAL_SPEED = {"walk": 1.4, "run": 3.2}
"""m/s that is set where a speed does not fit the way of going."""
CHANGE_OF_GAIT = 2.1
"""m/s at which people change from walking to running (Hreljac 1993: 2.07)."""


def write_going(self: bpy.types.PropertyGroup, number: int) -> None:
    """Let an actor walk or run; a speed of the other kind becomes a usual one."""
    self.gait.manner = MANNER_WORDS[number]
    if (self.gait.manner == "run") != (self.gait.speed > CHANGE_OF_GAIT):
        self.gait.speed = USUAL_SPEED[self.gait.manner]
    callbacks.change("gait", self.id_data, self.gait.speed)


def write_stride_moment(self: bpy.types.PropertyGroup, percent: float) -> None:
    """Show an actor at a moment of its stride."""
    self.gait.phase = 0.01 * percent
    callbacks.change("gait", self.id_data, self.gait.phase)


@mirrors(
    spec.Actor,
    leave_out=(
        *("name", "model", "person", "position", "orientation", "joint_angles", "joint_velocities"),
        *("joint_slides", "joint_slide_velocities", "motors", "excitations", "extras"),
    ),
)
class MannequinActor(Named, Authored, bpy.types.PropertyGroup):
    """A model placed in the scenario with its own start. Place and pose are those of the armature."""

    approach: StringProperty(
        description="Where the bodies were in the frames before the simulation, taken from an animation",
        options={"HIDDEN"},
    )
    enabled: BoolProperty(name="In Scenario", description="Take part in the simulation", default=True)
    speed: FloatProperty(
        description="Speed at the start, in the unit of the scene or of the preferences; along the velocity, or where "
        "the actor faces. Wheels roll with it",
        min=0.0,
        soft_max=200.0,
        get=read_speed,
        set=write_speed,
        options={"SKIP_SAVE"},
    )
    heading: FloatProperty(
        description="Direction of the velocity from x, counter-clockwise seen from above. Wheels roll with it",
        subtype="ANGLE",
        unit="ROTATION",
        get=lambda self: math.atan2(self.velocity.y, self.velocity.x),
        set=lambda self, angle: callbacks.change("heading", self.id_data, angle),
        options={"SKIP_SAVE"},
    )
    going: EnumProperty(
        name="Gait",
        description="How the person goes; who walks or runs changes at once",
        items=enum_items(MANNERS),
        get=lambda self: MANNER_WORDS.index(self.gait.manner),
        set=write_going,
        options={"SKIP_SAVE"},
    )
    walking_speed: FloatProperty(
        description="Speed of the gait, in the unit of the scene or of the preferences; who walks changes at once",
        get=lambda self: unit_shown("m/s", bpy.context.scene).shown(self.gait.speed),
        set=write_walking_speed,
        options={"SKIP_SAVE"},
    )
    stride_moment: FloatProperty(
        name="Moment of Stride",
        description="From one strike of the right heel, 0 %, to the next; the left heel strikes at 50 %. "
        "Who walks changes at once",
        subtype="PERCENTAGE",
        min=0.0,
        max=100.0,
        get=lambda self: 100.0 * self.gait.phase,
        set=write_stride_moment,
        options={"SKIP_SAVE"},
    )
    start: StringProperty(
        description="Place and pose at the start, kept while a baked motion moves the armature",
        options={"HIDDEN"},
    )
    baked_action: PointerProperty(
        type=bpy.types.Action,
        name="Baked Motion",
        description="Motion that a simulation wrote; while it plays, the start is the kept one",
    )
    ellipsoid_collection: PointerProperty(
        type=bpy.types.Collection, name="Ellipsoids", description="Collection of the actor's ellipsoids"
    )
    joint_collection: PointerProperty(
        type=bpy.types.Collection, name="Joints", description="Collection of the actor's joints"
    )
    mesh_collection: PointerProperty(
        type=bpy.types.Collection,
        name="Display Meshes",
        description="Collection of the actor's display meshes",
    )
    muscle_collection: PointerProperty(
        type=bpy.types.Collection, name="Muscles", description="Collection of the actor's muscles"
    )
    wrap_collection: PointerProperty(
        type=bpy.types.Collection, name="Wrap Surfaces", description="Collection of the actor's wrap surfaces"
    )
    excitation_rules: CollectionProperty(
        type=MannequinExcitationRule,
        name="Excitations",
        description="Excitation of muscles in this scenario; a name counts before a pattern, the first before the next",
    )
    excitation_rules_index: IntProperty(name="Active Rule", description="Active excitation")


@mirrors(
    spec.Obstacle,
    leave_out=("name", "position", "orientation", "half_size", "vertices", "triangles", "path", "motion"),
)
class MannequinObstacle(Named, Authored, bpy.types.PropertyGroup):
    """A surface of the scene; its place and size are those of the object."""

    enabled: BoolProperty(name="In Scenario", description="Take part in the simulation", default=True)
    shape: EnumProperty(description="How the surface is computed", items=OBSTACLE_ITEMS, default="mesh")
    recorded_motion: StringProperty(
        description="Place at the first frame and motion from there, taken from the object's animation",
        options={"HIDDEN"},
    )
    start: StringProperty(
        description="Place at the start, kept while a baked motion moves the object", options={"HIDDEN"}
    )
    baked_action: PointerProperty(
        type=bpy.types.Action,
        name="Baked Motion",
        description="Motion that a bake wrote; while it plays, the start is the kept one",
    )
    from_file: BoolProperty(description="Whether the object was made of a scenario file", options={"HIDDEN"})


@mirrors(spec.Scenario, leave_out=("actors", "obstacles", "sources", "outputs", "notes", "extras"))
class MannequinScenario(Authored, bpy.types.PropertyGroup):
    """The scenario of a scene."""

    property_version: IntProperty(
        description="Layout of these properties, for migrations", options={"HIDDEN"}
    )
    use_approach: BoolProperty(
        name="Keep Approach",
        description="Bake from the first simulated frame on, and before it the animation that motions were taken from",
    )
    first_frame: IntProperty(
        name="First Simulated Frame",
        description="Frame that shows the start of the scenario; Take Motion sets it",
        default=1,
    )
    issues: CollectionProperty(
        type=MannequinIssue, name="Findings", description="Findings of the last validation"
    )
    issues_index: IntProperty(name="Active Finding", description="Active finding")
    validated: BoolProperty(description="Whether the findings are of this session", options={"HIDDEN"})
    overlays: PointerProperty(type=MannequinOverlays, description="What is drawn over the viewport")
    runs: PointerProperty(type=MannequinRuns, description="Where run folders are written")
    bake: PointerProperty(type=MannequinBake, description="How the motion of a run becomes keyframes")
    results: PointerProperty(type=MannequinResults, description="What came out of the last run")
    traces: PointerProperty(
        type=MannequinTraces, description="What is shown of a run as objects in the scene"
    )
    film: PointerProperty(type=MannequinFilm, description="How the motion is filmed")
    sweep: PointerProperty(type=MannequinSweep, description="Inputs that are varied, and what came out")
    camera_match: PointerProperty(
        type=MannequinCameraMatch, description="Photograph with marked points, and the camera matched to it"
    )
    evidence: PointerProperty(
        type=MannequinEvidence, description="What was found, hypotheses, and what came out"
    )
