"""Where Mannequin's properties are on Blender's data.

    scene.mannequin       scenario: settings, pairs, connections between actors; its runs, results and film
    object.mannequin      what an object is (actor, ellipsoid, joint, obstacle, display mesh, muscle, wrap surface) and
                          its properties
    armature.mannequin    model: name, materials, connections, contact pairs
    bone.mannequin        body, with the joint to its parent
    pose_bone.mannequin   how the joint starts in this scenario

Links are Blender's own: an ellipsoid, a joint or a display mesh belongs to the bone it is parented to.
"""

import bpy
from bpy.props import EnumProperty, IntProperty, PointerProperty

from .model import MannequinBody, MannequinEllipsoid, MannequinMesh, MannequinModel
from .muscles import MannequinMuscle, MannequinWrapSurface
from .scenario import MannequinActor, MannequinJointStart, MannequinObstacle, MannequinScenario
from .skeleton import MannequinSkeleton

PROPERTY_VERSION = 4
"""Layout of the properties; raise it together with a step in `migrations`."""


class MannequinObject(bpy.types.PropertyGroup):
    """What an object is to Mannequin."""

    kind: EnumProperty(
        description="What the object is to Mannequin",
        items=[
            ("NONE", "None", "Nothing to do with Mannequin"),
            ("ACTOR", "Actor", "Armature of a model"),
            ("ELLIPSOID", "Ellipsoid", "Contact surface on a body"),
            ("JOINT", "Joint", "Handle of a joint"),
            ("OBSTACLE", "Obstacle", "Surface of the scene"),
            ("MESH", "Display Mesh", "Surface for drawing on a body; it touches nothing"),
            ("MUSCLE", "Muscle", "Curve of a muscle; its points ride on bones"),
            ("WRAP", "Wrap Surface", "Surface on a body that muscles wrap around"),
        ],
    )
    property_version: IntProperty(
        description="Layout of these properties, for migrations", options={"HIDDEN"}
    )
    actor: PointerProperty(type=MannequinActor, description="Start of the actor")
    ellipsoid: PointerProperty(type=MannequinEllipsoid, description="Contact surface")
    obstacle: PointerProperty(type=MannequinObstacle, description="Surface of the scene")
    mesh: PointerProperty(type=MannequinMesh, name="Display Mesh", description="Surface for drawing")
    muscle: PointerProperty(type=MannequinMuscle, description="Muscle-tendon unit")
    wrap: PointerProperty(
        type=MannequinWrapSurface, name="Wrap Surface", description="Surface that muscles wrap around"
    )
    skeleton: PointerProperty(
        type=MannequinSkeleton,
        description="Of an armature of another program: which bones stand for which bodies",
    )


OWNERS = (
    (bpy.types.Scene, MannequinScenario),
    (bpy.types.Object, MannequinObject),
    (bpy.types.Armature, MannequinModel),
    (bpy.types.Bone, MannequinBody),
    (bpy.types.PoseBone, MannequinJointStart),
)


def register() -> None:
    """Attach the properties."""
    for owner, group in OWNERS:
        owner.mannequin = PointerProperty(type=group, name="Mannequin", description=group.__doc__)


def unregister() -> None:
    """Detach the properties; the values stay in the file."""
    for owner, _ in reversed(OWNERS):
        del owner.mannequin
