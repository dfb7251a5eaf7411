"""Operators on joints."""

import bpy
from bpy.props import EnumProperty, FloatVectorProperty, StringProperty

from ..models.editing import edit as edit_model
from ..scene.base.comma_list import comma_list
from ..scene.model import edit_parts
from ..scene.store.actors import active_actor, active_bone
from ..scene.store.fields import shortest
from .base import Asks, NeedsActor, NeedsBody
from .body import search_bodies


class MANNEQUIN_OT_set_joint_type(Asks, NeedsBody, bpy.types.Operator):
    """Change the type of the body's joint, and the axis of a revolute one (in the joint frame).

    bpy.ops.mannequin.set_joint_type(type="revolute", axis=(0, 1, 0))
    """

    type: EnumProperty(description="Type of the joint", items=edit_parts.JOINT_ITEMS)
    axis: FloatVectorProperty(
        description="Revolute axis in the joint frame", default=(0.0, 0.0, 1.0), subtype="XYZ"
    )

    def begin_with(self, context: bpy.types.Context) -> None:
        joint = active_bone(context).mannequin.joint
        self.type, self.axis = joint.type, joint.axis

    def run(self, context: bpy.types.Context) -> str:
        name = active_bone(context).name
        axis = tuple(shortest(a) for a in self.axis)
        self.edit(context, lambda model: edit_model.set_joint_type(model, name, self.type, axis))
        return f"The joint of '{name}' is {self.type}"


class MANNEQUIN_OT_add_joint(Asks, NeedsBody, bpy.types.Operator):
    """Join a free body to another one, where it stands.

    bpy.ops.mannequin.add_joint(parent="ForearmL", type="spherical")
    """

    parent: StringProperty(description="Body to join to", search=search_bodies)
    type: EnumProperty(description="Type of the joint", items=edit_parts.LIMB_ITEMS)

    def run(self, context: bpy.types.Context) -> str:
        name = active_bone(context).name
        self.edit(context, lambda model: edit_model.add_joint(model, name, self.parent, self.type))
        return f"Joined '{name}' to '{self.parent}'"


class MANNEQUIN_OT_delete_joint(NeedsBody, bpy.types.Operator):
    """Delete the joint between the body and its parent; the body stays where it is and becomes free."""

    def run(self, context: bpy.types.Context) -> str:
        name = active_bone(context).name
        self.edit(context, lambda model: edit_model.remove_joint(model, name))
        return f"'{name}' is free"


class MANNEQUIN_OT_rename_joint(Asks, NeedsBody, bpy.types.Operator):
    """Rename the body's joint and every reference to it.

    bpy.ops.mannequin.rename_joint(name="left wrist")
    """

    name: StringProperty(description="New name")

    def begin_with(self, context: bpy.types.Context) -> None:
        self.name = active_bone(context).mannequin.joint.name

    def run(self, context: bpy.types.Context) -> None:
        edit_parts.rename_joint(active_actor(context), active_bone(context).name, self.name)


class MANNEQUIN_OT_copy_joint(NeedsActor, bpy.types.Operator):
    """Copy limits, resistance and motor of the active joint to the joints of the selected bones.

    bpy.ops.mannequin.copy_joint(targets="ForearmL,ForearmR")
    """

    bl_label = "Copy Joint to Selected"

    targets: StringProperty(
        name="Bodies", description="Bodies whose joints are changed, by commas; empty: the selected bones"
    )

    needs = (
        (lambda context: active_bone(context) is not None, "Make the bone active whose joint is copied"),
    )

    def run(self, context: bpy.types.Context) -> str:
        source = active_bone(context).name
        given = comma_list(self.targets)
        chosen = given or [b.name for b in (context.selected_pose_bones or ()) if b.name != source]
        self.edit(context, lambda model: edit_model.copy_joint_properties(model, source, chosen))
        return f"Changed {len(chosen)} joints"


class MANNEQUIN_OT_toggle_limits(NeedsActor, bpy.types.Operator):
    """Keep bones within the axis limits of their joints while posing, by constraints; press again to remove them."""

    bl_label = "Pose Within Limits"

    def run(self, context: bpy.types.Context) -> str:
        actor = active_actor(context)
        count = edit_parts.toggle_limit_constraints(actor)
        if not count:
            return "Bones are no longer limited"
        cones = edit_parts.count_cones(actor)
        more = f"; the cones of {cones} are shown in the panel View, but do not limit posing" if cones else ""
        return f"{count} joints are held in their axis limits{more}"
