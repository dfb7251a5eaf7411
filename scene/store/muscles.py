"""Property groups of muscles: the muscle-tendon unit, what excites it, and the surfaces its path wraps around.

The path itself is the curve object's, and the place and size of a wrap surface are those of its object.
"""

import bpy
from bpy.props import BoolProperty, CollectionProperty, IntProperty, PointerProperty, StringProperty

from ...engine import spec
from .basics import Named
from .groups import GROUPS, Authored, group_of, mirrors


@mirrors(spec.PathWrap, leave_out=("surface",))
class MannequinPathWrap(Authored, bpy.types.PropertyGroup):
    """How a muscle's path meets a wrap surface."""

    surface_object: PointerProperty(
        type=bpy.types.Object,
        name="Surface",
        description="Wrap surface in the way of the path",
        poll=lambda _, obj: obj.mannequin.kind == "WRAP",
    )


PARTS_OF_MUSCLES = tuple(map(group_of, (spec.StretchReflex, spec.Excitation, spec.Activation)))


@mirrors(spec.Muscle, leave_out=("name", "path", "wraps"))
class MannequinMuscle(Named, Authored, bpy.types.PropertyGroup):
    """Muscle-tendon unit along a curve."""

    path_wraps: CollectionProperty(
        type=MannequinPathWrap,
        name="Wraps",
        description="Surfaces in the way, in the order in which the path meets them",
    )
    path_wraps_index: IntProperty(name="Active Wrap", description="Active wrap")


@mirrors(
    spec.WrapSurface,
    leave_out=("name", "body", "radius", "length", "semi_axes", "position", "orientation", "ellipsoid"),
)
class MannequinWrapSurface(Named, Authored, bpy.types.PropertyGroup):
    """Smooth surface on a body that paths slide around."""

    use_length: BoolProperty(
        name="Ends", description="The cylinder ends where it is drawn; off: it goes on without end"
    )
    ellipsoid_object: PointerProperty(
        type=bpy.types.Object,
        name="Ellipsoid",
        description="Ellipsoid of the same body that gives shape and place",
        poll=lambda _, obj: obj.mannequin.kind == "ELLIPSOID",
    )


class MannequinExcitationRule(bpy.types.PropertyGroup):
    """Excitation of an actor's muscles in this scenario."""

    name: StringProperty(
        name="Muscles",
        description="Name of a muscle, or a pattern such as *_l or neck*",
        default="*",
    )
    excitation: PointerProperty(type=GROUPS[spec.Excitation], description="In place of the model's")
