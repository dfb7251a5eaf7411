"""Property groups of a scenario: the start of an actor, pulses, obstacles, settings.

Fields have the names of the spec dataclasses (`engine.spec`) and are copied by `fields`. All values are SI.
"""

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

from . import references
from .properties_connections import MannequinBelt, MannequinSpringDamper, MannequinWeld
from .properties_film import MannequinFilm
from .properties_model import MannequinMotor
from .properties_muscles import MannequinExcitationRule
from .properties_settings import MannequinIssue, MannequinOverlays, MannequinSettings
from .properties_surface import MannequinMaterial
from .properties_sweeps import MannequinSweep
from .property_basics import SECONDS, Authored, MannequinMotionRow, source_property, switch


class MannequinTorquePulse(Authored, bpy.types.PropertyGroup):
    """Half-sine torque on a joint."""

    peak: FloatVectorProperty(name="Peak (N m)", description="In joint axes of the child side", subtype="XYZ")
    start: FloatProperty(name="Start", description="Time at which the pulse begins", **SECONDS)
    duration: FloatProperty(
        name="Duration", description="Length of the pulse", default=0.1, soft_min=0.0, **SECONDS
    )


MannequinTorquePulse.__annotations__ |= references.reference(
    "joint", "Joint", "Joint that is turned", references.joints
)


class MannequinForcePulse(Authored, bpy.types.PropertyGroup):
    """Half-sine force on a point of a body."""

    peak: FloatVectorProperty(name="Peak (N)", description="Largest force", subtype="XYZ")
    start: FloatProperty(name="Start", description="Time at which the pulse begins", **SECONDS)
    duration: FloatProperty(
        name="Duration", description="Length of the pulse", default=0.1, soft_min=0.0, **SECONDS
    )
    point: FloatVectorProperty(
        name="Point (m)", description="Where it acts, in the body frame", subtype="XYZ"
    )
    frame: EnumProperty(
        name="Frame",
        description="Frame of the force",
        items=[("world", "World", "Keeps its direction"), ("body", "Body", "Turns with the body")],
    )


MannequinForcePulse.__annotations__ |= references.reference(
    "body", "Body", "Body that is pushed", references.bodies
)


def read_columns(self: bpy.types.PropertyGroup) -> int:
    """Numbers after the time in the rows of a table."""
    return max((row.count - 1 for row in self.table), default=3)


def write_columns(self: bpy.types.PropertyGroup, columns: int) -> None:
    """Give every row of a table as many numbers."""
    for row in self.table:
        row.count = columns + 1


class MannequinPrescribed(Authored, bpy.types.PropertyGroup):
    """Motion along a table until released."""

    table: CollectionProperty(
        type=MannequinMotionRow,
        name="Table",
        description="Root: velocities (m/s, rad/s) over time; joint: angles (degrees) over time",
    )
    table_index: IntProperty(name="Active Row", description="Active row of the table")
    columns: IntProperty(
        name="Numbers per Row",
        description="After the time. Root: 3 velocities, 6 with turn rates; joint: 3 angles, a revolute one 1",
        min=1,
        max=6,
        get=read_columns,
        set=write_columns,
    )
    use_joint: switch("Of a Joint", "Move a joint; off: the root")
    use_release_time: switch("Releases", "Let go at a given time")
    release_time: FloatProperty(
        name="Release Time", description="Time at which it lets go", soft_min=0.0, **SECONDS
    )
    release_at_contact: BoolProperty(name="Release at Contact", description="Let go at the first contact")
    source: source_property()


MannequinPrescribed.__annotations__ |= references.reference(
    "joint", "Joint", "Joint that is moved", references.joints
)


class MannequinJointStart(Authored, bpy.types.PropertyGroup):
    """How one joint of an actor starts; belongs to the pose bone of the joint's child body."""

    velocity: FloatVectorProperty(
        name="Joint Velocity (rad/s)",
        description="Turn rate at the start in child joint axes (x, y, z); a revolute joint uses the first",
        subtype="XYZ",
    )
    use_motor: switch("Own Motor", "Replace the model's motor of this joint in this scenario")
    motor: PointerProperty(type=MannequinMotor, name="Motor", description="Motor in place of the model's")


class MannequinActor(Authored, bpy.types.PropertyGroup):
    """A model placed in the scenario with its own start. Place and pose are those of the armature."""

    name: StringProperty(name="Name", description="Name in the scenario file; rename the object to change it")
    handle_name: StringProperty(
        name="Given Name", description="Object name when the name was last set", options={"HIDDEN"}
    )
    order: IntProperty(name="Order", description="Place in the scenario's list", options={"HIDDEN"})
    enabled: BoolProperty(name="In Scenario", description="Take part in the simulation", default=True)
    model_reference: StringProperty(
        name="Model File", description="Shipped name or path that a scenario file uses for the model"
    )
    velocity: FloatVectorProperty(
        name="Velocity (m/s)",
        description="World velocity of the root body's origin at the start",
        subtype="XYZ",
    )
    angular_velocity: FloatVectorProperty(
        name="Angular Velocity (rad/s)",
        description="World turn rate of the whole actor about the root body's origin at the start",
        subtype="XYZ",
    )
    use_tone: switch("Muscle Tone", "Scale the gains of every motor of this actor")
    tone: FloatProperty(
        name="Tone", description="Factor on every motor's gains", default=1.0, soft_min=0.0, soft_max=2.0
    )
    torque_pulses: CollectionProperty(
        type=MannequinTorquePulse, name="Torque Pulses", description="Half-sine torques on joints"
    )
    torque_pulses_index: IntProperty(name="Active Pulse", description="Active torque pulse")
    force_pulses: CollectionProperty(
        type=MannequinForcePulse, name="Force Pulses", description="Half-sine forces on bodies"
    )
    force_pulses_index: IntProperty(name="Active Pulse", description="Active force pulse")
    prescribed: CollectionProperty(
        type=MannequinPrescribed,
        name="Prescribed Motions",
        description="Motions along a table until released",
    )
    prescribed_index: IntProperty(name="Active Motion", description="Active prescribed motion")
    start: StringProperty(
        name="Start",
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


class MannequinObstacle(Authored, bpy.types.PropertyGroup):
    """A surface of the scene; its place and size are those of the object."""

    name: StringProperty(name="Name", description="Name in the scenario file; rename the object to change it")
    handle_name: StringProperty(
        name="Given Name", description="Object name when the name was last set", options={"HIDDEN"}
    )
    order: IntProperty(name="Order", description="Place in the scenario's list", options={"HIDDEN"})
    enabled: BoolProperty(name="In Scenario", description="Take part in the simulation", default=True)
    shape: EnumProperty(
        name="Shape",
        description="How the surface is computed",
        items=[
            ("plane", "Plane", "Endless plane through the origin, facing local z"),
            ("box", "Box", "Box around the mesh's bounds"),
            ("capsule", "Capsule", "Capsule along local z, inside the mesh's bounds"),
            ("mesh", "Mesh", "The triangles of the mesh, modifiers included"),
        ],
        default="mesh",
    )
    recorded_motion: StringProperty(
        name="Recorded Motion",
        description="Place at the first frame and motion from there, taken from the object's animation",
        options={"HIDDEN"},
    )
    start: StringProperty(
        name="Start",
        description="Place at the start, kept while a baked motion moves the object",
        options={"HIDDEN"},
    )
    baked_action: PointerProperty(
        type=bpy.types.Action,
        name="Baked Motion",
        description="Motion that a bake wrote; while it plays, the start is the kept one",
    )
    from_file: BoolProperty(
        name="From File", description="Whether the object was made of a scenario file", options={"HIDDEN"}
    )
    use_material: switch("Own Material", "Give the surface a contact material; off: rigid")
    material: PointerProperty(
        type=MannequinMaterial, name="Material", description="Contact material of the surface"
    )
    source: source_property()


class MannequinPairMaterial(Authored, bpy.types.PropertyGroup):
    """What two surfaces do to each other."""

    first: StringProperty(
        name="First", description='Material, ellipsoid, body or obstacle ("actor/body" where needed)'
    )
    second: StringProperty(
        name="Second", description='Material, ellipsoid, body or obstacle ("actor/body" where needed)'
    )
    use_friction: switch("Static Friction", "Give the static coefficient of this pair")
    friction: FloatProperty(
        name="Static Friction", description="Coefficient", default=0.4, soft_min=0.0, soft_max=1.5
    )
    use_dynamic_friction: switch("Dynamic Friction", "Give the sliding coefficient of this pair")
    dynamic_friction: FloatProperty(
        name="Dynamic Friction", description="Coefficient", default=0.4, soft_min=0.0, soft_max=1.5
    )
    use_material: switch("Contact Law", "Give this pair a contact law of its own")
    material: PointerProperty(type=MannequinMaterial, name="Material", description="Contact law of the pair")
    source: source_property()


class MannequinScenario(Authored, bpy.types.PropertyGroup):
    """The scenario of a scene."""

    property_version: IntProperty(
        name="Property Version", description="Layout of these properties, for migrations", options={"HIDDEN"}
    )
    name: StringProperty(name="Name", description="Name of the scenario")
    description: StringProperty(name="Description", description="What happens in the scenario")
    settings: PointerProperty(
        type=MannequinSettings, name="Settings", description="How the scenario is computed"
    )
    pairs: CollectionProperty(
        type=MannequinPairMaterial, name="Pairs", description="Surfaces with their own contact"
    )
    pairs_index: IntProperty(name="Active Pair", description="Active pair of surfaces")
    springs: CollectionProperty(
        type=MannequinSpringDamper, name="Springs", description="Spring-dampers between actors"
    )
    springs_index: IntProperty(name="Active Spring", description="Active spring-damper")
    belts: CollectionProperty(type=MannequinBelt, name="Belts", description="Belts between actors")
    belts_index: IntProperty(name="Active Belt", description="Active belt")
    welds: CollectionProperty(type=MannequinWeld, name="Welds", description="Welds between actors")
    welds_index: IntProperty(name="Active Weld", description="Active weld")
    issues: CollectionProperty(
        type=MannequinIssue, name="Findings", description="Findings of the last validation"
    )
    issues_index: IntProperty(name="Active Finding", description="Active finding")
    validated: BoolProperty(
        name="Validated", description="Whether the findings are of this session", options={"HIDDEN"}
    )
    overlays: PointerProperty(
        type=MannequinOverlays, name="Overlays", description="What is drawn over the viewport"
    )
    film: PointerProperty(
        type=MannequinFilm, name="Film", description="How the motion is simulated, shown and filmed"
    )
    sweep: PointerProperty(
        type=MannequinSweep, name="Sweep", description="Inputs that are varied, and what came out"
    )


CLASSES = (
    MannequinTorquePulse,
    MannequinForcePulse,
    MannequinPrescribed,
    MannequinJointStart,
    MannequinActor,
    MannequinObstacle,
    MannequinPairMaterial,
    MannequinScenario,
)
