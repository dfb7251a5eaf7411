"""Property groups of muscles: the muscle-tendon unit, what excites it, and the surfaces its path wraps around.

Fields have the names of the spec dataclasses (`engine.spec_muscles`) and are copied by `fields`. The path itself is the
curve object's, and the place and size of a wrap surface are those of its object.
"""

import bpy
from bpy.props import (
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ..engine import spec_muscles as spec
from .property_basics import (
    DEGREES,
    SECONDS,
    Authored,
    MannequinCurvePoint,
    choices,
    source_property,
    switch,
)


def is_wrap_surface(_: bpy.types.PropertyGroup, obj: bpy.types.Object) -> bool:
    """Whether an object can be chosen as a wrap surface."""
    return obj.mannequin.kind == "WRAP"


def is_ellipsoid(_: bpy.types.PropertyGroup, obj: bpy.types.Object) -> bool:
    """Whether an object can be chosen as a body's own ellipsoid."""
    return obj.mannequin.kind == "ELLIPSOID"


class MannequinStretchReflex(Authored, bpy.types.PropertyGroup):
    """Excitation that answers a stretch after a delay."""

    gain: FloatProperty(
        name="Gain", description="Excitation per optimal fibre length past the threshold", soft_min=0.0
    )
    threshold: FloatProperty(
        name="Threshold",
        description="Fibre length, in optimal fibre lengths, past which the reflex answers",
        default=1.0,
        soft_min=0.0,
    )
    delay: FloatProperty(
        name="Delay",
        description="Time from stretch to excitation, at most 1 s",
        default=0.03,
        soft_min=0.0,
        soft_max=1.0,
        **SECONDS,
    )
    velocity_gain: FloatProperty(
        name="Velocity Gain",
        description="Excitation per optimal fibre length a second of lengthening, while past the threshold",
        soft_min=0.0,
    )
    source: source_property()


class MannequinExcitation(Authored, bpy.types.PropertyGroup):
    """What the nerve sends to a muscle."""

    tone: FloatProperty(
        name="Tone",
        description="Constant excitation: 0 is limp, 1 is all the muscle can do",
        soft_min=0.0,
        soft_max=1.0,
        subtype="FACTOR",
    )
    use_curve: switch("Over Time", "Give the excitation as a curve over time in place of the tone")
    curve: CollectionProperty(
        type=MannequinCurvePoint, name="Excitation", description="Excitation (0 to 1) over time (s)"
    )
    curve_index: IntProperty(name="Active Point", description="Active point of the curve")
    use_reflex: switch("Stretch Reflex", "Add excitation when the fibre is stretched")
    reflex: PointerProperty(
        type=MannequinStretchReflex, name="Stretch Reflex", description="Excitation that answers a stretch"
    )
    source: source_property()


class MannequinActivation(Authored, bpy.types.PropertyGroup):
    """How activation follows excitation."""

    form: EnumProperty(
        name="Form",
        description="Equation by which activation follows excitation",
        items=choices(
            spec.ACTIVATION_FORMS,
            {
                "first_order": "First order, with a rise time and a fall time",
                "rate": "Hyfydy's form, with a rise rate and a fall rate",
            },
        ),
    )
    rise_time: FloatProperty(
        name="Rise Time", description="First order: time constant of rising", default=0.015, **SECONDS
    )
    fall_time: FloatProperty(
        name="Fall Time", description="First order: time constant of falling", default=0.05, **SECONDS
    )
    rise_rate: FloatProperty(
        name="Rise Rate (1/s)", description="Rate form: rate at full excitation", default=100.0, soft_min=0.0
    )
    fall_rate: FloatProperty(
        name="Fall Rate (1/s)", description="Rate form: rate at zero excitation", default=25.0, soft_min=0.0
    )
    minimum: FloatProperty(
        name="Minimum",
        description="Activation and excitation never fall below this",
        soft_min=0.0,
        soft_max=1.0,
        subtype="FACTOR",
    )
    use_start: switch("Own Start", "Give the activation at the start; off: the excitation at the start")
    start: FloatProperty(
        name="Start",
        description="Activation at the start",
        soft_min=0.0,
        soft_max=1.0,
        subtype="FACTOR",
    )


class MannequinPathWrap(Authored, bpy.types.PropertyGroup):
    """How a muscle's path meets a wrap surface."""

    surface_object: PointerProperty(
        type=bpy.types.Object,
        name="Surface",
        description="Wrap surface in the way of the path",
        poll=is_wrap_surface,
    )
    use_segment: switch("One Stretch", "Wrap one stretch of the path only; off: every stretch that meets it")
    segment: IntProperty(
        name="Stretch", description="0 lies between the first two points", soft_min=0, soft_max=10
    )
    use_side: switch("Fixed Side", "Keep the path on one side, the long way round if need be")
    side: FloatVectorProperty(
        name="Side",
        description="Direction in the surface's axes on whose side the path passes",
        default=(1.0, 0.0, 0.0),
        subtype="XYZ",
    )


class MannequinMuscle(Authored, bpy.types.PropertyGroup):
    """Muscle-tendon unit along a curve."""

    name: StringProperty(name="Name", description="Name in the model file; rename the object to change it")
    handle_name: StringProperty(
        name="Given Name", description="Object name when the name was last set", options={"HIDDEN"}
    )
    order: IntProperty(name="Order", description="Place in the model's list", options={"HIDDEN"})
    max_isometric_force: FloatProperty(
        name="Largest Force (N)",
        description="Isometric force at full activation and optimal fibre length",
        default=1000.0,
        soft_min=0.0,
    )
    optimal_fibre_length: FloatProperty(
        name="Fibre Length (m)",
        description="Fibre length at which the muscle is strongest",
        default=0.1,
        soft_min=0.0,
        precision=4,
    )
    tendon_slack_length: FloatProperty(
        name="Tendon Slack (m)",
        description="Tendon length at which it begins to pull",
        default=0.1,
        soft_min=0.0,
        precision=4,
    )
    pennation: FloatProperty(
        name="Pennation", description="Angle of fibre to tendon at optimal fibre length", **DEGREES
    )
    max_contraction_velocity: FloatProperty(
        name="Top Speed (1/s)",
        description="Largest shortening speed, in optimal fibre lengths a second",
        default=10.0,
        soft_min=0.0,
    )
    form: EnumProperty(
        name="Curves",
        description="Curves of force over length and velocity",
        items=choices(
            spec.MUSCLE_FORMS,
            {
                "millard": "Millard's curves in Hyfydy's fast form",
                "geyer_herr": "Geyer and Herr 2010",
                "thelen": "Thelen 2003",
            },
        ),
    )
    tendon: EnumProperty(
        name="Tendon",
        description="How the tendon behaves",
        items=choices(
            spec.TENDONS,
            {"elastic": "Stretches under load", "rigid": "Of constant length: quick, and robust"},
        ),
    )
    damping: FloatProperty(
        name="Damping",
        description="Force per normalized fibre velocity, in largest forces",
        default=0.1,
        soft_min=0.0,
    )
    stiffness_factor: FloatProperty(
        name="Stiffness Factor",
        description="Factor on the elastic forces of tendon and parallel element",
        default=1.0,
        soft_min=0.0,
    )
    activation: PointerProperty(
        type=MannequinActivation, name="Activation", description="How activation follows excitation"
    )
    excitation: PointerProperty(
        type=MannequinExcitation, name="Excitation", description="What the nerve sends"
    )
    acts: EnumProperty(
        name="Acts As",
        description="What the muscle loads",
        items=choices(
            spec.MUSCLE_ACTIONS,
            {
                "forces": "Forces on the bodies along the path; joints are compressed",
                "joint_torques": "Torques at the joints: the same motion, without the compression of joints",
            },
        ),
    )
    path_wraps: CollectionProperty(
        type=MannequinPathWrap,
        name="Wraps",
        description="Surfaces in the way, in the order in which the path meets them",
    )
    path_wraps_index: IntProperty(name="Active Wrap", description="Active wrap")
    source: source_property()


class MannequinWrapSurface(Authored, bpy.types.PropertyGroup):
    """Smooth surface on a body that paths slide around."""

    name: StringProperty(name="Name", description="Name in the model file; rename the object to change it")
    handle_name: StringProperty(
        name="Given Name", description="Object name when the name was last set", options={"HIDDEN"}
    )
    order: IntProperty(name="Order", description="Place in the model's list", options={"HIDDEN"})
    shape: EnumProperty(
        name="Shape",
        description="Shape of the surface",
        items=choices(
            spec.WRAP_SHAPES,
            {
                "sphere": "Sphere: its scale is the radius",
                "cylinder": "Cylinder along its own Z axis",
                "ellipsoid": "Ellipsoid: its scale are the semi-axes",
            },
        ),
    )
    use_length: switch("Ends", "The cylinder ends where it is drawn; off: it goes on without end")
    ellipsoid_object: PointerProperty(
        type=bpy.types.Object,
        name="Ellipsoid",
        description="Ellipsoid of the same body that gives shape and place",
        poll=is_ellipsoid,
    )
    source: source_property()


class MannequinExcitationRule(bpy.types.PropertyGroup):
    """Excitation of an actor's muscles in this scenario."""

    name: StringProperty(
        name="Muscles",
        description="Name of a muscle, or a pattern such as *_l or neck*",
        default="*",
    )
    excitation: PointerProperty(
        type=MannequinExcitation, name="Excitation", description="In place of the model's"
    )


CLASSES = (
    MannequinStretchReflex,
    MannequinExcitation,
    MannequinActivation,
    MannequinPathWrap,
    MannequinMuscle,
    MannequinWrapSurface,
    MannequinExcitationRule,
)
