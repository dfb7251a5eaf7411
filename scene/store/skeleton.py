"""Properties of an armature of another program: which of its bones stand for which bodies."""

import bpy
from bpy.props import CollectionProperty, IntProperty, StringProperty


class MannequinMappedBone(bpy.types.PropertyGroup):
    """A body of a person, and the bone that stands for it."""

    name: StringProperty(name="Body", description="Body of a person")
    bone: StringProperty(description="Bone that stands for this body; empty: none")


class MannequinSkeleton(bpy.types.PropertyGroup):
    """Which bones of an armature stand for which bodies of a person."""

    bones: CollectionProperty(
        type=MannequinMappedBone,
        description="Bodies of a person with the bones that stand for them; Map Skeleton fills it, any can be changed",
    )
    bones_index: IntProperty(name="Active Body", description="Active body")
    convention: StringProperty(
        name="Found By", description="Names of which program the bones have, as far as it is known"
    )
