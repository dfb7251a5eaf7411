"""Property groups of what ties bodies together beside joints: springs, belts, welds, couplers; wheels
and contact pairs."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, IntProperty, PointerProperty

from ...engine import spec
from . import references
from .groups import GROUPS, Authored, group_of, mirrors


@mirrors(spec.Point, leave_out=("actor",), body=references.bodies)
class MannequinPoint(Authored, bpy.types.PropertyGroup):
    """A point on a body, or of the world."""

    actor: PointerProperty(
        type=bpy.types.Object, description="Actor or obstacle that has the point; empty: the world"
    )


class MannequinBeltPoint(Authored, bpy.types.PropertyGroup):
    """A point that a belt passes, and whether it slides there."""

    point: PointerProperty(type=MannequinPoint, description="Point the belt passes")
    slip: BoolProperty(description="Let the band slide through; off: clamp it (anchor)", default=True)


@mirrors(spec.Belt, leave_out=("points", "slip"))
class MannequinBelt(Authored, bpy.types.PropertyGroup):
    """Tension-only band through points."""

    path: CollectionProperty(type=MannequinBeltPoint, name="Points", description="Points in order")
    path_index: IntProperty(name="Active Point", description="Active point of the belt")


class MannequinBodyPair(bpy.types.PropertyGroup):
    """Two bodies whose contact is switched off or on."""


MannequinBodyPair.__annotations__ = references.reference(
    "first", "First Body", "First body of the pair", references.bodies
) | references.reference("second", "Second Body", "Second body of the pair", references.bodies)
GROUPS[tuple[str, str]] = MannequinBodyPair

CONNECTIONS = (
    group_of(spec.SpringDamper),
    group_of(spec.Weld),
    group_of(spec.Coupler, leader=references.joints, follower=references.joints),
    group_of(spec.Wheel, body=references.bodies, steering=references.joints),
)
