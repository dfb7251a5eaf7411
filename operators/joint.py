"""Operators on joints."""

import bpy
from bpy.props import EnumProperty, FloatVectorProperty, StringProperty

from ..scene import edit_model, edit_parts
from ..scene.actors import active_actor, active_bone
from ..scene.edit_actor import edit_model_of
from ..scene.fields import shortest
from .base import NeedsActor, NeedsBody
from .body import JOINT_ITEMS, search_bodies


class MANNEQUIN_OT_set_joint_type(NeedsBody, bpy.types.Operator):
    """Change the type of the body's joint, and the axis of a revolute one.

    bpy.ops.mannequin.set_joint_type(type="revolute", axis=(0, 1, 0))"""

    bl_idname = "mannequin.set_joint_type"
    bl_label = "Set Joint Type"
    bl_description = (
        "Change the type of the body's joint, and the axis of a revolute one (in the joint frame)"
    )

    type: EnumProperty(
        name="Type",
        description="Type of the joint",
        items=[("free", "Free", "Moves and turns freely; for the root"), *JOINT_ITEMS],
    )
    axis: FloatVectorProperty(
        name="Axis", description="Revolute axis in the joint frame", default=(0.0, 0.0, 1.0), subtype="XYZ"
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start from what it is."""
        joint = active_bone(context).mannequin.joint
        self.type, self.axis = joint.type, joint.axis
        return context.window_manager.invoke_props_dialog(self)

    def run(self, context: bpy.types.Context) -> str:
        """Change."""
        name = active_bone(context).name
        axis = tuple(shortest(a) for a in self.axis) if self.type == "revolute" else None
        edit_model_of(
            active_actor(context),
            context.scene,
            lambda model: edit_model.set_joint_type(model, name, self.type, axis),
        )
        return f"The joint of '{name}' is {self.type}"


class MANNEQUIN_OT_add_joint(NeedsBody, bpy.types.Operator):
    """Join a free body to another one, where it stands.

    bpy.ops.mannequin.add_joint(parent="ForearmL", type="spherical")"""

    bl_idname = "mannequin.add_joint"
    bl_label = "Add Joint"
    bl_description = "Join a free body to another one, where it stands"

    parent: StringProperty(name="Parent", description="Body to join to", search=search_bodies)
    type: EnumProperty(name="Type", description="Type of the joint", items=JOINT_ITEMS)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask."""
        return context.window_manager.invoke_props_dialog(self)

    def run(self, context: bpy.types.Context) -> str:
        """Join."""
        name = active_bone(context).name
        edit_model_of(
            active_actor(context),
            context.scene,
            lambda model: edit_model.add_joint(model, name, self.parent, self.type),
        )
        return f"Joined '{name}' to '{self.parent}'"


class MANNEQUIN_OT_delete_joint(NeedsBody, bpy.types.Operator):
    """Delete the joint between the body and its parent; the body stays and is free.

    bpy.ops.mannequin.delete_joint()"""

    bl_idname = "mannequin.delete_joint"
    bl_label = "Delete Joint"
    bl_description = "Delete the joint between the body and its parent; the body stays and is free"

    def run(self, context: bpy.types.Context) -> str:
        """Delete."""
        name = active_bone(context).name
        edit_model_of(
            active_actor(context), context.scene, lambda model: edit_model.remove_joint(model, name)
        )
        return f"'{name}' is free"


class MANNEQUIN_OT_rename_joint(NeedsBody, bpy.types.Operator):
    """Rename the body's joint; what refers to it follows.

    bpy.ops.mannequin.rename_joint(name="left wrist")"""

    bl_idname = "mannequin.rename_joint"
    bl_label = "Rename Joint"
    bl_description = "Rename the body's joint; what refers to it follows"

    name: StringProperty(name="Name", description="New name")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start from the name it has."""
        self.name = active_bone(context).mannequin.joint.name
        return context.window_manager.invoke_props_dialog(self)

    def run(self, context: bpy.types.Context) -> None:
        """Rename."""
        edit_parts.rename_joint(active_actor(context), active_bone(context).name, self.name)


class MANNEQUIN_OT_copy_joint(NeedsActor, bpy.types.Operator):
    """Give the joints of the selected bones the limits, resistance and motor of the active one.

    bpy.ops.mannequin.copy_joint(targets="ForearmL,ForearmR")"""

    bl_idname = "mannequin.copy_joint"
    bl_label = "Copy Joint to Selected"
    bl_description = (
        "Give the joints of the selected bones the limits, resistance and motor of the active one"
    )

    targets: StringProperty(
        name="Bodies", description="Bodies whose joints are changed, by commas; empty: the selected bones"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a body is active."""
        if not super().poll(context):
            return False
        if active_bone(context) is None:
            cls.poll_message_set("Make the bone active whose joint is copied")
            return False
        return True

    def run(self, context: bpy.types.Context) -> str:
        """Copy."""
        actor, source = active_actor(context), active_bone(context).name
        given = [name.strip() for name in self.targets.split(",") if name.strip()]
        chosen = given or [b.name for b in (context.selected_pose_bones or ()) if b.name != source]
        edit_model_of(
            actor, context.scene, lambda model: edit_model.copy_joint_properties(model, source, chosen)
        )
        return f"Changed {len(chosen)} joints"


class MANNEQUIN_OT_toggle_limits(NeedsActor, bpy.types.Operator):
    """Feel joint limits while posing, as constraints; again: take them away.

    bpy.ops.mannequin.toggle_limits()"""

    bl_idname = "mannequin.toggle_limits"
    bl_label = "Feel Joint Limits"
    bl_description = (
        "Hold bones in the axis limits of their joints while posing, by constraints; again: take them away"
    )

    def run(self, context: bpy.types.Context) -> str:
        """Toggle."""
        actor = active_actor(context)
        count = edit_parts.toggle_limit_constraints(actor)
        if not count:
            return "Joints move freely"
        cones = edit_parts.count_cones(actor)
        more = f"; the cones of {cones} are drawn by View, not felt" if cones else ""
        return f"{count} joints are held in their axis limits{more}"


CLASSES = (
    MANNEQUIN_OT_set_joint_type,
    MANNEQUIN_OT_add_joint,
    MANNEQUIN_OT_delete_joint,
    MANNEQUIN_OT_rename_joint,
    MANNEQUIN_OT_copy_joint,
    MANNEQUIN_OT_toggle_limits,
)
