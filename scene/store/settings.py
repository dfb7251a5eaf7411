"""Property groups of how a scenario is computed, what validation found, and what the viewport shows."""

import bpy
from bpy.props import BoolProperty, EnumProperty, PointerProperty, StringProperty

from ...engine import spec
from .groups import group_of

COLORED_BY = (
    ("ACTOR", "Actor", "One colour per actor"),
    ("MATERIAL", "Material", "One colour per contact material"),
)
"""What the colours of ellipsoids can show."""
MannequinSettings = group_of(spec.Settings)


class MannequinIssue(bpy.types.PropertyGroup):
    """One finding of the validation."""

    severity: StringProperty(description="error or warning")
    message: StringProperty(description="What is wrong and how to correct it")
    object: PointerProperty(type=bpy.types.Object, description="Object that the finding is about")
    bone: StringProperty(description="Bone that the finding is about, where the object is an armature")


class MannequinOverlays(bpy.types.PropertyGroup):
    """What is drawn over the viewport."""

    centers_of_mass: BoolProperty(
        name="Centres of Mass", description="Mark the centre of mass of each body and actor"
    )
    joint_axes: BoolProperty(description="Draw the axes of the joints")
    joint_limits: BoolProperty(description="Draw the range of motion as arcs and cones")
    velocities: BoolProperty(description="Draw start velocities as arrows", default=True)
    excluded_pairs: BoolProperty(description="Link the bodies that never touch")
    color_by: EnumProperty(
        name="Ellipsoid Colour",
        description="What the colour of ellipsoids shows",
        items=COLORED_BY,
    )
