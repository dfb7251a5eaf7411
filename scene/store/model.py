"""Property groups of a model: materials, ellipsoids, meshes for drawing, bodies and joints.

Fields of the specs are copied by `fields`. All values are SI (see `units`).
"""

import math
from typing import Any

import bpy
from bpy.props import (
    BoolProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...engine import spec
from ...engine.spec.model import LAW_VALUES
from . import references
from .basics import Named, Ordered
from .groups import Authored, group_of, mirrors
from .person import MannequinLook, MannequinPerson


@mirrors(spec.Material)
class MannequinMaterial(Authored, bpy.types.PropertyGroup):
    """How a surface pushes back and rubs."""

    uid: IntProperty(name="Number", description="Identity number in the model", options={"HIDDEN"})

    def counts(self, name: str) -> bool:
        """Whether a value means something with the law chosen."""
        return name in LAW_VALUES[self.law]


@mirrors(
    spec.Ellipsoid,
    leave_out=("name", "semi_axes", "position", "orientation", "extras"),
    material=references.materials,
)
class MannequinEllipsoid(Named, Authored, bpy.types.PropertyGroup):
    """Contact and drawing surface on a body; its place and size are those of the object."""


@mirrors(spec.Mesh, leave_out=("position", "orientation", "scale"))
class MannequinMesh(Ordered, Authored, bpy.types.PropertyGroup):
    """Surface for drawing on a body; its place and size are those of the object."""


PARTS_OF_JOINTS = tuple(
    group_of(part)
    for part in (
        spec.AxisLimits,
        spec.ConeLimits,
        spec.JointFriction,
        spec.JointSpring,
        spec.JointBreak,
        spec.JointFunction,
        spec.Motor,
        spec.SlideLimits,
        spec.JointSlide,
    )
)


def _limit_in_metres(which: str) -> Any:
    """Property that shows the first number of a slider's range in metres. It is kept like an angle, in degrees by its
    number, because one field of the spec serves joints that turn and joints that slide."""

    def read(joint: "MannequinJoint") -> float:
        return math.degrees(getattr(joint.limits, which)[0])

    def write(joint: "MannequinJoint", metres: float) -> None:
        getattr(joint.limits, which)[0] = math.radians(metres)

    return FloatProperty(
        name=f"{'Lowest' if which == 'lower' else 'Highest'} Way",
        description=f"{'Lowest' if which == 'lower' else 'Highest'} way of a prismatic joint along its axis",
        unit="LENGTH",
        precision=4,
        get=read,
        set=write,
    )


@mirrors(spec.Joint, leave_out=("name", "parent", "child", "T1", "T2", "extras"))
class MannequinJoint(Named, Authored, bpy.types.PropertyGroup):
    """Joint between a body and its parent body; its place and axes are those of the empty."""

    lowest_way: _limit_in_metres("lower")
    highest_way: _limit_in_metres("upper")

    exists: BoolProperty(
        name="Has Joint", description="Whether the body is joined to anything", options={"HIDDEN"}
    )


@mirrors(spec.Body, leave_out=("name", "ellipsoids", "meshes", "surface", "extras"))
class MannequinBody(Ordered, Authored, bpy.types.PropertyGroup):
    """Rigid body on a bone, with the joint to its parent."""

    is_body: BoolProperty(description="Whether the bone is a body of the model", options={"HIDDEN"})
    uid: IntProperty(name="Number", description="Identity number in the model", options={"HIDDEN"})
    handle_name: StringProperty(
        name="Given Name", description="Bone name when the name was last set", options={"HIDDEN"}
    )
    rest_frame: StringProperty(
        description="Body frame in the actor at rest: 16 numbers, metres", options={"HIDDEN"}
    )
    bone_axes: FloatVectorProperty(
        description="Rotation from bone axes to joint axes, by rows",
        size=9,
        default=(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
        options={"HIDDEN"},
    )
    density: FloatProperty(
        name="Density (kg/m³)",
        description="Density for mass properties from the body's ellipsoids or from a mesh",
        default=1000.0,
        soft_min=0.0,
    )
    joint: PointerProperty(type=MannequinJoint, description="Joint to the parent body")


@mirrors(
    spec.Model,
    leave_out=(
        *("bodies", "joints", "muscles", "wrap_surfaces", "vehicle", "light_vehicle"),
        *("sources", "notes", "extras"),
    ),
)
class MannequinModel(Authored, bpy.types.PropertyGroup):
    """What an armature holds when it is an actor's model."""

    is_model: BoolProperty(description="Whether the armature is a model", options={"HIDDEN"})
    property_version: IntProperty(
        description="Layout of these properties, for migrations", options={"HIDDEN"}
    )
    unit_scale: FloatProperty(
        description="Metres per Blender unit when the rig was built", default=1.0, options={"HIDDEN"}
    )
    use_person: BoolProperty(
        name="Person",
        description="Whether the model follows from a person's sex, age, height, mass and build",
        options={"HIDDEN"},
    )
    person: PointerProperty(type=MannequinPerson, description="Who the model is")
    look: PointerProperty(type=MannequinLook, description="How the person looks")
    folder: StringProperty(
        description="Folder of the model file; its display meshes are looked for there", subtype="DIR_PATH"
    )
