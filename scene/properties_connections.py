"""Property groups of what ties bodies together beside joints: springs, belts, welds, couplers; and contact pairs."""

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
from .property_basics import AXES, DEGREES, SECONDS, Authored, MannequinCurvePoint, source_property, switch


class MannequinPoint(Authored, bpy.types.PropertyGroup):
    """A point on a body, or of the world."""

    actor: PointerProperty(
        type=bpy.types.Object,
        name="Actor",
        description="Actor or obstacle that has the point; empty: the world",
    )
    position: FloatVectorProperty(
        name="Position (m)",
        description="In the body frame (in the world without a body)",
        precision=5,
        subtype="XYZ",
    )


MannequinPoint.__annotations__ |= references.reference(
    "body", "Body", "Body that has the point; empty: the world", references.bodies
)


class MannequinSpringDamper(Authored, bpy.types.PropertyGroup):
    """Straight spring-damper between two points."""

    name: StringProperty(name="Name", description="Name of the spring-damper", default="Spring")
    start: PointerProperty(type=MannequinPoint, name="Start", description="First end")
    end: PointerProperty(type=MannequinPoint, name="End", description="Second end")
    stiffness: FloatProperty(name="Stiffness (N/m)", description="Stiffness", default=1000.0, soft_min=0.0)
    damping: FloatProperty(name="Damping (N s/m)", description="Viscous damping", soft_min=0.0)
    use_rest_length: switch("Own Rest Length", "Give the rest length; off: the length at the start")
    rest_length: FloatProperty(name="Rest Length (m)", description="Length without force", soft_min=0.0)
    tension_only: BoolProperty(name="Tension Only", description="Never push: a rope")
    use_curve: switch("Force Curve", "Give the force as a curve in place of the stiffness")
    curve: CollectionProperty(
        type=MannequinCurvePoint, name="Curve", description="Force (N) over extension (m)"
    )
    curve_index: IntProperty(name="Active Point", description="Active point of the curve")
    use_break_force: switch("Breaks", "Break when the force passes a bound")
    break_force: FloatProperty(name="Break Force (N)", description="Force at which it breaks", soft_min=0.0)
    source: source_property()


class MannequinBeltPoint(Authored, bpy.types.PropertyGroup):
    """A point that a belt passes, and whether it slides there."""

    point: PointerProperty(type=MannequinPoint, name="Point", description="Point the belt passes")
    slip: BoolProperty(
        name="Slip", description="Let the band slide through; off: clamp it (anchor)", default=True
    )


class MannequinBelt(Authored, bpy.types.PropertyGroup):
    """Tension-only band through points."""

    name: StringProperty(name="Name", description="Name of the belt", default="Belt")
    path: CollectionProperty(type=MannequinBeltPoint, name="Points", description="Points in order")
    path_index: IntProperty(name="Active Point", description="Active point of the belt")
    stiffness: FloatProperty(
        name="Stiffness (N)", description="Force per unit strain", default=50000.0, soft_min=0.0
    )
    damping: FloatProperty(name="Damping (N s)", description="Force per unit strain rate", soft_min=0.0)
    slack: FloatProperty(name="Slack (m)", description="Extra band at the start", soft_min=0.0)
    use_break_force: switch("Breaks", "Break when the force passes a bound")
    break_force: FloatProperty(name="Break Force (N)", description="Force at which it breaks", soft_min=0.0)
    source: source_property()


class MannequinWeld(Authored, bpy.types.PropertyGroup):
    """Stiff pin between two points."""

    name: StringProperty(name="Name", description="Name of the weld", default="Weld")
    start: PointerProperty(type=MannequinPoint, name="Start", description="First end")
    end: PointerProperty(type=MannequinPoint, name="End", description="Second end")
    stiffness: FloatProperty(name="Stiffness (N/m)", description="Stiffness", default=1.0e5, soft_min=0.0)
    damping: FloatProperty(name="Damping (N s/m)", description="Viscous damping", default=500.0, soft_min=0.0)
    rotational_stiffness: FloatProperty(
        name="Rotational Stiffness (N m/rad)", description="Zero leaves the pin free to turn", soft_min=0.0
    )
    rotational_damping: FloatProperty(
        name="Rotational Damping (N m s/rad)", description="Viscous damping of the turn", soft_min=0.0
    )
    use_break_force: switch("Breaks", "Break when the force passes a bound")
    break_force: FloatProperty(name="Break Force (N)", description="Force at which it breaks", soft_min=0.0)
    use_release_time: switch("Releases", "Let go at a given time")
    release_time: FloatProperty(
        name="Release Time", description="Time at which it lets go", soft_min=0.0, **SECONDS
    )
    source: source_property()


class MannequinCoupler(Authored, bpy.types.PropertyGroup):
    """Makes a joint follow another in proportion."""

    name: StringProperty(name="Name", description="Name of the coupler", default="Coupler")
    axis: EnumProperty(name="Axis", description="Axis of both joints", items=AXES, default="y")
    ratio: FloatProperty(
        name="Ratio", description="Angle of the follower per angle of the leader", default=1.0
    )
    offset: FloatProperty(
        name="Offset", description="Angle of the follower when the leader is at zero", **DEGREES
    )
    stiffness: FloatProperty(
        name="Stiffness (N m/rad)", description="Stiffness", default=1000.0, soft_min=0.0
    )
    damping: FloatProperty(
        name="Damping (N m s/rad)", description="Viscous damping", default=10.0, soft_min=0.0
    )


MannequinCoupler.__annotations__ |= references.reference(
    "leader", "Leader", "Joint that leads", references.joints
) | references.reference("follower", "Follower", "Joint that follows", references.joints)


class MannequinBodyPair(bpy.types.PropertyGroup):
    """Two bodies whose contact is switched off or on."""


MannequinBodyPair.__annotations__ = references.reference(
    "first", "First Body", "First body of the pair", references.bodies
) | references.reference("second", "Second Body", "Second body of the pair", references.bodies)


CLASSES = (
    MannequinPoint,
    MannequinSpringDamper,
    MannequinBeltPoint,
    MannequinBelt,
    MannequinWeld,
    MannequinCoupler,
    MannequinBodyPair,
)
