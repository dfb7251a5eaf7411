"""Property groups of a model: materials, ellipsoids, bodies, joints, connections.

Fields have the names of the spec dataclasses (`engine.spec`) and are copied by `fields`. All values are SI (see
`units`); labels name the unit where Blender has none that stays right at every unit scale.
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

from ..engine import spec
from .properties_connections import (
    MannequinBelt,
    MannequinBodyPair,
    MannequinCoupler,
    MannequinSpringDamper,
    MannequinWeld,
)
from .properties_surface import MannequinMaterial
from .property_basics import (
    AXES,
    DEGREES,
    DEGREES_VECTOR,
    Authored,
    MannequinAngleRow,
    MannequinCurvePoint,
    choices,
    source_property,
    switch,
)


class MannequinAxisLimits(Authored, bpy.types.PropertyGroup):
    """Range of motion per joint axis."""

    lower: FloatVectorProperty(
        name="Lower",
        description="Lowest angle about Z, Y, X; a revolute joint uses the first",
        size=3,
        **DEGREES_VECTOR,
    )
    upper: FloatVectorProperty(
        name="Upper",
        description="Highest angle about Z, Y, X; a revolute joint uses the first",
        size=3,
        **DEGREES_VECTOR,
    )
    stiffness: FloatProperty(
        name="Stiffness (N m/rad)", description="Stiffness past the limit", default=500.0, soft_min=0.0
    )
    damping: FloatProperty(
        name="Damping (N m s/rad)", description="Damping past the limit", default=5.0, soft_min=0.0
    )
    source: source_property()


class MannequinConeLimits(Authored, bpy.types.PropertyGroup):
    """Cone of feasible motion of a ball joint."""

    quadrant_angles: FloatVectorProperty(
        name="Quadrants",
        description="Largest latitude at longitudes 0, 90, 180 and 270 degrees",
        size=4,
        default=(1.0, 1.0, 1.0, 1.0),
        soft_min=0.0,
        **DEGREES_VECTOR,
    )
    axis: FloatVectorProperty(
        name="Cone Axis",
        description="Cone axis in the parent joint frame",
        default=(0.0, 0.0, 1.0),
        subtype="XYZ",
    )
    zero_longitude: FloatVectorProperty(
        name="Zero Longitude",
        description="Direction of longitude 0 in the parent joint frame",
        default=(1.0, 0.0, 0.0),
        subtype="XYZ",
    )
    limb_axis: FloatVectorProperty(
        name="Limb Axis",
        description="Limb axis in the child joint frame",
        default=(0.0, 0.0, 1.0),
        subtype="XYZ",
    )
    width: FloatProperty(
        name="Width",
        description="Angle over which the torque grows to its full size",
        default=0.2007,
        soft_min=0.0,
        **DEGREES,
    )
    torque: FloatProperty(
        name="Torque (N m)", description="Torque at full width", default=226.0, soft_min=0.0
    )
    use_twist: switch("Limit Twist", "Limit the turn about the limb axis")
    twist: FloatVectorProperty(
        name="Twist", description="Lowest and highest turn about the limb axis", size=2, **DEGREES_VECTOR
    )
    twist_stiffness: FloatProperty(
        name="Twist Stiffness (N m/rad)",
        description="Stiffness past the twist limit",
        default=200.0,
        soft_min=0.0,
    )
    twist_damping: FloatProperty(
        name="Twist Damping (N m s/rad)",
        description="Damping past the twist limit",
        default=2.0,
        soft_min=0.0,
    )
    source: source_property()


class MannequinJointFriction(Authored, bpy.types.PropertyGroup):
    """Resisting torque of constant size."""

    torque: FloatProperty(name="Torque (N m)", description="Size of the resisting torque", soft_min=0.0)
    use_drop_angle: switch("Drops After First Motion", "The torque falls to zero after some rotation (human)")
    drop_angle: FloatProperty(
        name="Drop Angle", description="Rotation over which the torque falls to zero", soft_min=0.0, **DEGREES
    )
    source: source_property()


class MannequinJointSpring(Authored, bpy.types.PropertyGroup):
    """Passive spring about one joint axis."""

    axis: EnumProperty(name="Axis", description="Joint axis; a revolute joint's own axis is Z", items=AXES)
    curve: CollectionProperty(
        type=MannequinCurvePoint, name="Curve", description="Torque on the child (N m) over angle (degrees)"
    )
    curve_index: IntProperty(name="Active Point", description="Active point of the curve")
    damping: FloatProperty(name="Damping (N m s/rad)", description="Viscous damping", soft_min=0.0)
    source: source_property()


class MannequinMotor(Authored, bpy.types.PropertyGroup):
    """Joint motor: tone, bracing, a held posture, a grip."""

    stiffness: FloatProperty(
        name="Stiffness (N m/rad)", description="Torque per turn away from the target", soft_min=0.0
    )
    damping: FloatProperty(
        name="Damping (N m s/rad)", description="Torque per difference in velocity", soft_min=0.0
    )
    target: FloatVectorProperty(
        name="Target",
        description="Joint angles about Z, Y, X; a revolute joint uses the first",
        size=3,
        **DEGREES_VECTOR,
    )
    target_velocity: FloatVectorProperty(
        name="Target Velocity (rad/s)",
        description="In joint axes; a revolute joint uses the first",
        subtype="XYZ",
    )
    base_torque: FloatVectorProperty(
        name="Base Torque (N m)", description="In joint axes; a revolute joint uses the first", subtype="XYZ"
    )
    max_torque: FloatProperty(
        name="Largest Torque (N m)",
        description="Bound on the size of the whole torque",
        default=float("inf"),
        soft_min=0.0,
    )
    use_gain_over_time: switch("Gain Over Time", "Vary stiffness, damping and base torque over time")
    gain_over_time: CollectionProperty(
        type=MannequinCurvePoint, name="Gain Over Time", description="Factor over time (s)"
    )
    gain_over_time_index: IntProperty(name="Active Point", description="Active point of the curve")
    use_target_over_time: switch("Target Over Time", "Vary the target over time, in place of the one above")
    target_over_time: CollectionProperty(
        type=MannequinAngleRow, name="Target Over Time", description="Joint angles over time (s)"
    )
    target_over_time_index: IntProperty(name="Active Row", description="Active row of the table")
    source: source_property()


class MannequinJoint(Authored, bpy.types.PropertyGroup):
    """Joint between a body and its parent body; its place and axes are those of the empty."""

    name: StringProperty(name="Name", description="Name in the model file")
    handle_name: StringProperty(
        name="Given Name", description="Name of the empty when the name was last set", options={"HIDDEN"}
    )
    order: IntProperty(name="Order", description="Place in the model's list", options={"HIDDEN"})
    exists: BoolProperty(
        name="Has Joint", description="Whether the body is joined to anything", options={"HIDDEN"}
    )
    type: EnumProperty(
        name="Type",
        description="How the body can move against its parent",
        items=choices(
            spec.JOINT_TYPES,
            {
                "free": "Moves and turns freely; for the root",
                "spherical": "Turns about all axes",
                "revolute": "Turns about one axis",
                "fixed": "Does not move",
            },
        ),
        default="spherical",
    )
    axis: FloatVectorProperty(
        name="Axis", description="Revolute axis in the joint frame", default=(0.0, 0.0, 1.0), subtype="XYZ"
    )
    use_damping: switch("Own Damping", "Give the viscous resistance here; off: the scenario's default")
    damping: FloatProperty(
        name="Damping (N m s/rad)", description="Viscous resistance", default=1.0, soft_min=0.0
    )
    use_limits: switch("Axis Limits", "Limit the range of motion per axis")
    limits: PointerProperty(
        type=MannequinAxisLimits, name="Axis Limits", description="Range of motion per axis"
    )
    use_cone: switch("Cone Limits", "Limit a ball joint by a cone")
    cone: PointerProperty(type=MannequinConeLimits, name="Cone Limits", description="Cone of feasible motion")
    use_friction: switch("Friction", "Resist motion by a torque of constant size")
    friction: PointerProperty(type=MannequinJointFriction, name="Friction", description="Resisting torque")
    springs: CollectionProperty(type=MannequinJointSpring, name="Springs", description="Passive springs")
    springs_index: IntProperty(name="Active Spring", description="Active passive spring")
    use_motor: switch("Motor", "Drive the joint to a posture")
    motor: PointerProperty(type=MannequinMotor, name="Motor", description="Joint motor")
    note: StringProperty(name="Note", description="Remark kept in the model file")
    source: source_property()


class MannequinBody(Authored, bpy.types.PropertyGroup):
    """Rigid body on a bone, with the joint to its parent."""

    is_body: BoolProperty(
        name="Is Body", description="Whether the bone is a body of the model", options={"HIDDEN"}
    )
    uid: IntProperty(name="Number", description="Identity number in the model", options={"HIDDEN"})
    handle_name: StringProperty(
        name="Given Name", description="Bone name when the name was last set", options={"HIDDEN"}
    )
    order: IntProperty(name="Order", description="Place in the model's list", options={"HIDDEN"})
    rest_frame: StringProperty(
        name="Rest Frame",
        description="Body frame in the actor at rest: 16 numbers, metres",
        options={"HIDDEN"},
    )
    bone_axes: FloatVectorProperty(
        name="Bone Axes",
        description="Rotation from bone axes to joint axes, by rows",
        size=9,
        default=(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
        options={"HIDDEN"},
    )
    mass: FloatProperty(
        name="Mass (kg)", description="Mass of the body", default=1.0, soft_min=0.0, precision=4
    )
    inertia: FloatVectorProperty(
        name="Inertia (kg m²)",
        description="Ixx, Iyy, Izz, Ixy, Iyz, Ixz about the centre of mass along body axes (products of inertia: "
        "the matrix has minus these off its diagonal)",
        size=6,
        default=(0.01, 0.01, 0.01, 0.0, 0.0, 0.0),
        precision=6,
    )
    center_of_mass: FloatVectorProperty(
        name="Centre of Mass (m)", description="Centre of mass in the body frame", precision=5, subtype="XYZ"
    )
    density: FloatProperty(
        name="Density (kg/m³)",
        description="Density for mass properties from the body's ellipsoids or from a mesh",
        default=1000.0,
        soft_min=0.0,
    )
    description: StringProperty(name="Description", description="What the body is")
    source: source_property()
    joint: PointerProperty(type=MannequinJoint, name="Joint", description="Joint to the parent body")


class MannequinModel(Authored, bpy.types.PropertyGroup):
    """What an armature holds when it is an actor's model."""

    is_model: BoolProperty(name="Is Model", description="Whether the armature is a model", options={"HIDDEN"})
    version: StringProperty(name="Version", description="Version of the model, as its author counts")
    property_version: IntProperty(
        name="Property Version", description="Layout of these properties, for migrations", options={"HIDDEN"}
    )
    unit_scale: FloatProperty(
        name="Unit Scale",
        description="Metres per Blender unit when the rig was built",
        default=1.0,
        options={"HIDDEN"},
    )
    name: StringProperty(name="Name", description="Name of the model")
    folder: StringProperty(
        name="Folder",
        description="Folder of the model file; its display meshes are looked for there",
        subtype="DIR_PATH",
    )
    description: StringProperty(name="Description", description="What the model is")
    citation: StringProperty(name="Citation", description="Publication to cite")
    sex: StringProperty(name="Sex", description="Sex of the person the model stands for")
    use_height: switch("Known Height", "The model's stature is known")
    height: FloatProperty(
        name="Height (m)", description="Stature, for scaling and read-outs", soft_min=0.0, default=1.75
    )
    materials: CollectionProperty(type=MannequinMaterial, name="Materials", description="Contact materials")
    materials_index: IntProperty(name="Active Material", description="Active contact material")
    springs: CollectionProperty(type=MannequinSpringDamper, name="Springs", description="Spring-dampers")
    springs_index: IntProperty(name="Active Spring", description="Active spring-damper")
    belts: CollectionProperty(type=MannequinBelt, name="Belts", description="Belts")
    belts_index: IntProperty(name="Active Belt", description="Active belt")
    welds: CollectionProperty(type=MannequinWeld, name="Welds", description="Welds")
    welds_index: IntProperty(name="Active Weld", description="Active weld")
    couplers: CollectionProperty(type=MannequinCoupler, name="Couplers", description="Couplers")
    couplers_index: IntProperty(name="Active Coupler", description="Active coupler")
    contact_exclude: CollectionProperty(
        type=MannequinBodyPair, name="Excluded Pairs", description="Pairs of bodies that never touch"
    )
    contact_exclude_index: IntProperty(name="Active Pair", description="Active excluded pair")
    contact_include: CollectionProperty(
        type=MannequinBodyPair, name="Included Pairs", description="Pairs of bodies that do touch"
    )
    contact_include_index: IntProperty(name="Active Pair", description="Active included pair")


CLASSES = (
    MannequinAxisLimits,
    MannequinConeLimits,
    MannequinJointFriction,
    MannequinJointSpring,
    MannequinMotor,
    MannequinJoint,
    MannequinBody,
    MannequinModel,
)
