"""Property groups of how a scenario is computed, what validation found, and what the viewport shows."""

import bpy
from bpy.props import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ..engine import spec
from .property_basics import SECONDS, Authored, choices, switch


class MannequinSettings(Authored, bpy.types.PropertyGroup):
    """How a scenario is computed."""

    time_step: FloatProperty(
        name="Time Step",
        description="Step of the integration",
        default=1e-4,
        soft_min=1e-7,
        precision=6,
        **SECONDS,
    )
    output_step: FloatProperty(
        name="Output Step",
        description="Time between recorded states",
        default=1e-3,
        soft_min=1e-6,
        precision=5,
        **SECONDS,
    )
    duration: FloatProperty(
        name="Duration", description="Simulated time", default=1.0, soft_min=1e-6, precision=3, **SECONDS
    )
    gravity: FloatVectorProperty(
        name="Gravity (m/s²)",
        description="Acceleration of free fall",
        default=(0.0, 0.0, -9.81),
        subtype="XYZ",
    )
    integrator: EnumProperty(
        name="Integrator",
        description="How the equations of motion are stepped",
        items=choices(
            spec.INTEGRATORS,
            {
                "symplectic_euler": "Fast and robust; the default",
                "forward_euler": "For comparison only",
                "midpoint": "Second order",
                "runge_kutta_4": "Fourth order for smooth motion",
                "variable_step": "Keeps an error tolerance by itself",
                "implicit": "For very stiff systems",
            },
        ),
    )
    tolerance: FloatProperty(
        name="Tolerance",
        description="Variable step: largest error per step of any position (m) and orientation (rad)",
        default=1e-6,
        soft_min=1e-12,
        precision=8,
    )
    friction: FloatProperty(
        name="Friction",
        description="Coefficient of surfaces whose material gives none",
        default=0.4,
        soft_min=0.0,
        soft_max=1.5,
    )
    friction_law: EnumProperty(
        name="Friction Law",
        description="How friction depends on sliding speed",
        items=choices(
            spec.FRICTION_LAWS,
            {
                "coulomb": "Constant after a short ramp",
                "stribeck": "Falls from the static to the dynamic coefficient",
                "hollars": "Smooth, with a peak and a viscous part",
            },
        ),
    )
    friction_rule: EnumProperty(
        name="Friction Rule",
        description="How the coefficients of two surfaces combine",
        items=choices(
            spec.FRICTION_RULES,
            {
                "geometric": "Square root of the product",
                "harmonic": "2 a b / (a + b)",
                "minimum": "The smaller one",
                "maximum": "The larger one",
                "mean": "Half the sum",
            },
        ),
    )
    friction_velocity: FloatProperty(
        name="Friction Velocity (m/s)",
        description="Speed at which the ramp (Coulomb, Stribeck) or the peak (Hollars) is reached",
        default=0.01,
        soft_min=1e-6,
        precision=4,
    )
    stiction: BoolProperty(
        name="Stiction",
        description="Coulomb and Stribeck: resting contacts hold by tangential springs and do not creep",
        default=True,
    )
    use_contact_damping: switch("Override Contact Damping", "Replace the damping of every curve material")
    contact_damping: FloatProperty(
        name="Contact Damping", description="s/m, or N s/m in the constant mode", soft_min=0.0
    )
    contact_damping_mode: EnumProperty(
        name="Damping Mode",
        description="How contact damping scales",
        items=[
            ("proportional", "Proportional", "With the elastic force"),
            ("constant", "Constant", "OpenMBD's: a constant coefficient, which jumps at touch"),
        ],
    )
    multi_contact: EnumProperty(
        name="Multiple Contacts",
        description="What several contacts of one body do to each other",
        items=choices(
            spec.MULTI_CONTACT_MODES,
            {
                "none": "Nothing: every contact has its full force",
                "continuous": "Scaled so that their sum is the largest of them",
                "discrete": "Only the largest acts",
            },
        ),
    )
    joint_damping: FloatProperty(
        name="Joint Damping",
        description="Factor on the viscous damping of every joint",
        default=1.0,
        soft_min=0.0,
    )
    default_joint_damping: FloatProperty(
        name="Default Damping (N m s/rad)",
        description="For joints whose model gives none",
        default=1.0,
        soft_min=0.0,
    )
    joint_limits: BoolProperty(
        name="Joint Limits", description="Hold joints in their range of motion", default=True
    )
    self_contact: BoolProperty(name="Self-Contact", description="Let bodies of one actor touch each other")
    exclusion_hops: IntProperty(
        name="Excluded Hops",
        description="Bodies this many joints apart or fewer never touch in self-contact",
        default=2,
        soft_min=0,
    )
    ground: BoolProperty(name="Ground", description="Rigid ground plane z = 0", default=True)
    use_ground_friction: switch(
        "Own Ground Friction", "Give the ground a coefficient; off: the scenario's friction"
    )
    ground_friction: FloatProperty(
        name="Ground Friction",
        description="Coefficient of the ground",
        default=0.4,
        soft_min=0.0,
        soft_max=1.5,
    )
    absorb_ground_overlap: BoolProperty(
        name="Absorb Ground Overlap",
        description="Subtract overlap with the ground at the start instead of refusing it",
    )
    start_overlap_limit: FloatProperty(
        name="Overlap Limit (m)",
        description="Larger overlap with the ground, an obstacle or another actor at the start is refused",
        default=0.001,
        soft_min=0.0,
        precision=4,
    )
    contact_history: BoolProperty(
        name="Contact History", description="Keep every contact at every output time, not only the events"
    )
    reactions: BoolProperty(
        name="Joint Reactions", description="Record joint reaction forces and moments", default=True
    )
    max_speed: FloatProperty(
        name="Largest Speed (m/s)",
        description="A body faster than this stops the run",
        default=500.0,
        soft_min=1.0,
    )


class MannequinIssue(bpy.types.PropertyGroup):
    """One finding of the validation."""

    severity: StringProperty(name="Severity", description="error or warning")
    message: StringProperty(name="Message", description="What is wrong and how to put it right")
    object: PointerProperty(type=bpy.types.Object, name="Object", description="The culprit")
    bone: StringProperty(name="Bone", description="Bone of the culprit, where it is an armature")


class MannequinOverlays(bpy.types.PropertyGroup):
    """What is drawn over the viewport."""

    centers_of_mass: BoolProperty(
        name="Centres of Mass", description="Mark the centre of mass of each body and actor"
    )
    joint_axes: BoolProperty(name="Joint Axes", description="Draw the axes of the joints")
    joint_limits: BoolProperty(name="Joint Limits", description="Draw the range of motion as arcs and cones")
    velocities: BoolProperty(name="Velocities", description="Draw start velocities as arrows", default=True)
    excluded_pairs: BoolProperty(name="Excluded Pairs", description="Link the bodies that never touch")
    color_by: EnumProperty(
        name="Ellipsoid Colour",
        description="What the colour of ellipsoids tells",
        items=[
            ("ACTOR", "Actor", "One colour per actor"),
            ("MATERIAL", "Material", "One colour per contact material"),
        ],
    )


CLASSES = (MannequinSettings, MannequinIssue, MannequinOverlays)
