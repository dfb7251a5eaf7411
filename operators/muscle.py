"""Operators on muscles and wrap surfaces."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty

from ..scene import edit_muscles
from ..scene.actors import active_actor, active_bone, actor_of, parent_body
from ..scene.moment_arm_plot import MomentArmPlot
from ..scene.result_plots import show_image
from .base import NeedsActor, NeedsBody, NeedsKind, select_only
from .beside import Beside

SHAPES = [(shape, shape.title(), f"Shape: {shape}") for shape in edit_muscles.WRAP_SHAPES]


class NeedsMuscle(NeedsKind):
    """Mixin: off unless a muscle is active."""

    kind = "MUSCLE"


class NeedsWrapSurface(NeedsKind):
    """Mixin: off unless a wrap surface is active."""

    kind = "WRAP"
    label = "wrap surface"


class MANNEQUIN_OT_add_muscle(NeedsBody, bpy.types.Operator):
    """Add a muscle that ends on the body.

    bpy.ops.mannequin.add_muscle(name="soleus", origin="ShankL")"""

    bl_idname = "mannequin.add_muscle"
    bl_label = "Add Muscle"
    bl_description = (
        "Add a straight muscle from another body to the active one, half fibre and half tendon; then move its points "
        "in Edit Mode and give it sourced numbers"
    )

    name: StringProperty(name="Name", description="Name of the muscle; empty: after its bodies")
    origin: StringProperty(name="Origin", description="Body it comes from; empty: the active body's parent")

    def run(self, context: bpy.types.Context) -> str:
        """Add, and select it for editing."""
        actor, bone = active_actor(context), active_bone(context)
        parent = parent_body(bone)
        origin = self.origin or (parent.name if parent is not None else "")
        made = edit_muscles.add_muscle(actor, context.scene, self.name, origin, bone.name)
        select_only(context, made)
        return f"Added muscle '{made.name}'"


class MANNEQUIN_OT_duplicate_muscle(NeedsMuscle, bpy.types.Operator):
    """Copy the muscle.

    bpy.ops.mannequin.duplicate_muscle()"""

    bl_idname = "mannequin.duplicate_muscle"
    bl_label = "Duplicate Muscle"
    bl_description = "Copy the muscle with its points, wraps and numbers"

    def run(self, context: bpy.types.Context) -> str:
        """Copy, and select the copy."""
        made = edit_muscles.copy_muscle(context.object)
        select_only(context, made)
        return f"Added muscle '{made.name}'"


class MANNEQUIN_OT_delete_muscle(NeedsMuscle, bpy.types.Operator):
    """Delete the muscle.

    bpy.ops.mannequin.delete_muscle()"""

    bl_idname = "mannequin.delete_muscle"
    bl_label = "Delete Muscle"
    bl_description = "Delete the muscle"

    def run(self, context: bpy.types.Context) -> str:
        """Delete, and make its actor active."""
        obj, name = context.object, context.object.name
        select_only(context, actor_of(obj))
        edit_muscles.delete_muscle(obj)
        return f"Deleted muscle '{name}'"


class MANNEQUIN_OT_rename_muscle(NeedsMuscle, bpy.types.Operator):
    """Rename the muscle.

    bpy.ops.mannequin.rename_muscle(name="soleus_l")"""

    bl_idname = "mannequin.rename_muscle"
    bl_label = "Rename Muscle"
    bl_description = "Rename the muscle"

    name: StringProperty(name="Name", description="New name")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start from the name it has."""
        self.name = context.object.mannequin.muscle.name
        return context.window_manager.invoke_props_dialog(self)

    def run(self, context: bpy.types.Context) -> None:
        """Rename."""
        edit_muscles.rename_labelled(context.object, self.name)


class MANNEQUIN_OT_attach_muscle_points(NeedsMuscle, bpy.types.Operator):
    """Let the selected points of the muscle ride on a body.

    bpy.ops.mannequin.attach_muscle_points(body="ThighL")"""

    bl_idname = "mannequin.attach_muscle_points"
    bl_label = "Attach Muscle Points"
    bl_description = (
        "Let the points that are selected in Edit Mode ride on a body. Without a body: points that were added ride on "
        "the body of the point before them"
    )

    body: StringProperty(name="Body", description="Body that carries the points; empty: as their neighbours")

    def run(self, context: bpy.types.Context) -> None:
        """Attach; indices of hooks are only certain outside Edit Mode."""
        obj = context.object
        editing = obj.mode == "EDIT"
        if editing:
            bpy.ops.object.mode_set(mode="OBJECT")
        try:
            if self.body:
                edit_muscles.attach_points(obj, self.body, edit_muscles.selected_points(obj))
            else:
                edit_muscles.attach_all_points(obj)
        finally:
            if editing:
                bpy.ops.object.mode_set(mode="EDIT")


class MANNEQUIN_OT_add_wrap_surface(NeedsBody, bpy.types.Operator):
    """Add a surface on the body that muscles wrap around.

    bpy.ops.mannequin.add_wrap_surface(shape="cylinder", name="knee")"""

    bl_idname = "mannequin.add_wrap_surface"
    bl_label = "Add Wrap Surface"
    bl_description = (
        "Add a surface on the body that muscles wrap around, at its centre of mass or at the 3D cursor"
    )

    shape: EnumProperty(name="Shape", description="Shape of the surface", items=SHAPES, default="cylinder")
    name: StringProperty(name="Name", description="Name of the surface; empty: after its body")
    at_cursor: BoolProperty(name="At Cursor", description="Put it at the 3D cursor")

    def run(self, context: bpy.types.Context) -> str:
        """Add, and select it for moving and scaling."""
        actor, bone = active_actor(context), active_bone(context)
        made = edit_muscles.add_wrap_surface(
            actor, context.scene, bone.name, self.shape, self.name, self.at_cursor
        )
        select_only(context, made)
        return f"Added wrap surface '{made.name}'"


class MANNEQUIN_OT_wrap_on_ellipsoid(NeedsKind, bpy.types.Operator):
    """Make the ellipsoid a surface that muscles wrap around.

    bpy.ops.mannequin.wrap_on_ellipsoid()"""

    bl_idname = "mannequin.wrap_on_ellipsoid"
    bl_label = "Wrap on Ellipsoid"
    bl_description = "Make the ellipsoid a surface that muscles wrap around; it follows the ellipsoid"
    kind = "ELLIPSOID"

    def run(self, context: bpy.types.Context) -> str:
        """Add the surface."""
        made = edit_muscles.use_own_ellipsoid(actor_of(context.object), context.scene, context.object)
        return f"Added wrap surface '{made.name}'"


class MANNEQUIN_OT_delete_wrap_surface(NeedsWrapSurface, bpy.types.Operator):
    """Delete the wrap surface.

    bpy.ops.mannequin.delete_wrap_surface()"""

    bl_idname = "mannequin.delete_wrap_surface"
    bl_label = "Delete Wrap Surface"
    bl_description = "Delete the wrap surface; muscles pass where it was"

    def run(self, context: bpy.types.Context) -> str:
        """Delete, and make its actor active."""
        obj, name = context.object, context.object.name
        select_only(context, actor_of(obj))
        edit_muscles.delete_wrap_surface(obj, context.scene)
        return f"Deleted wrap surface '{name}'"


class MANNEQUIN_OT_set_wrap_shape(NeedsWrapSurface, bpy.types.Operator):
    """Change the shape of the wrap surface.

    bpy.ops.mannequin.set_wrap_shape(shape="sphere")"""

    bl_idname = "mannequin.set_wrap_shape"
    bl_label = "Set Wrap Shape"
    bl_description = "Change the shape of the wrap surface"

    shape: EnumProperty(name="Shape", description="New shape", items=SHAPES)

    def run(self, context: bpy.types.Context) -> None:
        """Change."""
        edit_muscles.set_wrap_shape(context.object, context.scene, self.shape)


class MANNEQUIN_OT_wrap_muscle(NeedsMuscle, bpy.types.Operator):
    """Let the muscle wrap around the selected surfaces.

    bpy.ops.mannequin.wrap_muscle()"""

    bl_idname = "mannequin.wrap_muscle"
    bl_label = "Wrap Around Selected"
    bl_description = "Let the active muscle wrap around the other selected wrap surfaces"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a muscle is active and a surface selected."""
        if not super().poll(context):
            return False
        if not any(obj.mannequin.kind == "WRAP" for obj in context.selected_objects):
            cls.poll_message_set("Select a wrap surface too, and the muscle last")
            return False
        return True

    def run(self, context: bpy.types.Context) -> None:
        """Add every selected surface."""
        for obj in context.selected_objects:
            if obj.mannequin.kind == "WRAP":
                edit_muscles.wrap_around(context.object, obj)


class MANNEQUIN_OT_set_excitation(NeedsActor, bpy.types.Operator):
    """Excite the actor's muscles in this scenario.

    bpy.ops.mannequin.set_excitation(pattern="*", tone=0.3)"""

    bl_idname = "mannequin.set_excitation"
    bl_label = "Set Excitation"
    bl_description = (
        "Excite the muscles of a name or pattern by a constant tone in this scenario: 0 limp, 1 braced"
    )

    pattern: StringProperty(name="Muscles", description="Name or pattern such as *_l", default="*")
    tone: FloatProperty(
        name="Tone", description="Constant excitation", min=0.0, max=1.0, default=0.3, subtype="FACTOR"
    )

    def run(self, context: bpy.types.Context) -> None:
        """Set the rule."""
        edit_muscles.set_excitation(active_actor(context), self.pattern, self.tone)


class MANNEQUIN_OT_plot_moment_arms(Beside, NeedsMuscle, bpy.types.Operator):
    """Draw the moment arm of the muscle over a joint's range of motion.

    bpy.ops.mannequin.plot_moment_arms(joint="KneeL")"""

    bl_idname = "mannequin.plot_moment_arms"
    bl_label = "Plot Moment Arm"
    bl_description = (
        "Draw the muscle's moment arm over a joint's range of motion into a picture of the file, and show it in an "
        "image editor. Positive: the muscle turns the joint the positive way"
    )
    stopped = "Cancelled; nothing was drawn"

    joint: StringProperty(name="Joint", description="Joint; empty: that of the body the muscle ends on")
    axis: EnumProperty(
        name="Axis",
        description="Axis of the joint frame; a revolute joint has its own",
        items=[(axis, axis.upper(), f"{axis} axis of the joint frame") for axis in "yxz"],
    )

    def begin(self, scene: bpy.types.Scene) -> MomentArmPlot:
        """Start the computation."""
        return MomentArmPlot(bpy.context.object, self.joint, self.axis)

    def conclude(self, scene: bpy.types.Scene, work: MomentArmPlot) -> str:
        """Take the picture in, and show it where there is a window."""
        image = work.finish()
        if not bpy.app.background and bpy.context.window is not None:
            show_image(bpy.context, image)
        return f"Drew '{image.name}'"


CLASSES = (
    MANNEQUIN_OT_plot_moment_arms,
    MANNEQUIN_OT_add_muscle,
    MANNEQUIN_OT_duplicate_muscle,
    MANNEQUIN_OT_delete_muscle,
    MANNEQUIN_OT_rename_muscle,
    MANNEQUIN_OT_attach_muscle_points,
    MANNEQUIN_OT_add_wrap_surface,
    MANNEQUIN_OT_wrap_on_ellipsoid,
    MANNEQUIN_OT_delete_wrap_surface,
    MANNEQUIN_OT_set_wrap_shape,
    MANNEQUIN_OT_wrap_muscle,
    MANNEQUIN_OT_set_excitation,
)
