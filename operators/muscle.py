"""Operators on muscles and wrap surfaces."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty

from ..scene.model import edit_muscles
from ..scene.show.moment_arm_plot import MomentArmPlot
from ..scene.show.result_plots import show_image
from ..scene.store.actors import active_actor, active_bone, actor_of, parent_body
from ..scene.store.groups import enum_items
from .base import Asks, NeedsActor, NeedsBody, NeedsKind, select_only
from .beside import Beside

SHAPES = enum_items(edit_muscles.WRAP_SHAPES)


class NeedsMuscle(NeedsKind):
    """Mixin: disabled unless a muscle is active."""

    kind = "MUSCLE"


class NeedsWrapSurface(NeedsKind):
    """Mixin: disabled unless a wrap surface is active."""

    kind = "WRAP"
    label = "wrap surface"


class MANNEQUIN_OT_add_muscle(NeedsBody, bpy.types.Operator):
    """Add a straight muscle from another body to the active one, half fibre and half tendon; then move its points in
    Edit Mode and replace its values by sourced ones.

    bpy.ops.mannequin.add_muscle(name="soleus", origin="ShankL")
    """

    name: StringProperty(description="Name of the muscle; empty: after its bodies")
    origin: StringProperty(description="Body it comes from; empty: the active body's parent")

    def run(self, context: bpy.types.Context) -> str:
        """Add, and select it for editing."""
        actor, bone = active_actor(context), active_bone(context)
        parent = parent_body(bone)
        origin = self.origin or (parent.name if parent is not None else "")
        made = edit_muscles.add_muscle(actor, context.scene, self.name, origin, bone.name)
        select_only(context, made)
        return f"Added muscle '{made.name}'"


class MANNEQUIN_OT_duplicate_muscle(NeedsMuscle, bpy.types.Operator):
    """Copy the muscle with its points, wraps and values."""

    def run(self, context: bpy.types.Context) -> str:
        """Copy, and select the copy."""
        made = edit_muscles.copy_muscle(context.object)
        select_only(context, made)
        return f"Added muscle '{made.name}'"


class MANNEQUIN_OT_delete_muscle(NeedsMuscle, bpy.types.Operator):
    """Delete the muscle."""

    def run(self, context: bpy.types.Context) -> str:
        """Delete, and make its actor active."""
        obj, name = context.object, context.object.name
        select_only(context, actor_of(obj))
        edit_muscles.delete_muscle(obj)
        return f"Deleted muscle '{name}'"


class MANNEQUIN_OT_rename_muscle(Asks, NeedsMuscle, bpy.types.Operator):
    """Rename the muscle.

    bpy.ops.mannequin.rename_muscle(name="soleus_l")
    """

    name: StringProperty(description="New name")

    def begin_with(self, context: bpy.types.Context) -> None:
        self.name = context.object.mannequin.muscle.name

    def run(self, context: bpy.types.Context) -> None:
        edit_muscles.rename_labelled(context.object, self.name)


class MANNEQUIN_OT_attach_muscle_points(NeedsMuscle, bpy.types.Operator):
    """Attach the points selected in Edit Mode to a body; without a body, attach added points to the body of the point
    before them.

    bpy.ops.mannequin.attach_muscle_points(body="ThighL")
    """

    body: StringProperty(description="Body that carries the points; empty: as their neighbours")

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
    """Add a surface on the body that muscles wrap around, at its centre of mass or at the 3D cursor.

    bpy.ops.mannequin.add_wrap_surface(shape="cylinder", name="knee")
    """

    shape: EnumProperty(description="Shape of the surface", items=SHAPES, default="cylinder")
    name: StringProperty(description="Name of the surface; empty: after its body")
    at_cursor: BoolProperty(description="Put it at the 3D cursor")

    def run(self, context: bpy.types.Context) -> str:
        """Add, and select it for moving and scaling."""
        actor, bone = active_actor(context), active_bone(context)
        made = edit_muscles.add_wrap_surface(
            actor, context.scene, bone.name, self.shape, self.name, self.at_cursor
        )
        select_only(context, made)
        return f"Added wrap surface '{made.name}'"


class MANNEQUIN_OT_wrap_on_ellipsoid(NeedsKind, bpy.types.Operator):
    """Make the ellipsoid a surface that muscles wrap around; it follows the ellipsoid."""

    kind = "ELLIPSOID"

    def run(self, context: bpy.types.Context) -> str:
        """Add the surface."""
        made = edit_muscles.use_own_ellipsoid(actor_of(context.object), context.scene, context.object)
        return f"Added wrap surface '{made.name}'"


class MANNEQUIN_OT_delete_wrap_surface(NeedsWrapSurface, bpy.types.Operator):
    """Delete the wrap surface; muscles then pass straight through its place."""

    def run(self, context: bpy.types.Context) -> str:
        """Delete, and make its actor active."""
        obj, name = context.object, context.object.name
        select_only(context, actor_of(obj))
        edit_muscles.delete_wrap_surface(obj, context.scene)
        return f"Deleted wrap surface '{name}'"


class MANNEQUIN_OT_set_wrap_shape(NeedsWrapSurface, bpy.types.Operator):
    """Change the shape of the wrap surface.

    bpy.ops.mannequin.set_wrap_shape(shape="sphere")
    """

    shape: EnumProperty(description="New shape", items=SHAPES)

    def run(self, context: bpy.types.Context) -> None:
        edit_muscles.set_wrap_shape(context.object, context.scene, self.shape)


class MANNEQUIN_OT_wrap_muscle(NeedsMuscle, bpy.types.Operator):
    """Let the active muscle wrap around the other selected wrap surfaces."""

    bl_label = "Wrap Around Selected"

    needs = (
        (
            lambda context: any(obj.mannequin.kind == "WRAP" for obj in context.selected_objects),
            "Select a wrap surface too, and the muscle last",
        ),
    )

    def run(self, context: bpy.types.Context) -> None:
        """Add every selected surface."""
        for obj in context.selected_objects:
            if obj.mannequin.kind == "WRAP":
                edit_muscles.wrap_around(context.object, obj)


class MANNEQUIN_OT_set_excitation(NeedsActor, bpy.types.Operator):
    """Excite the muscles of a name or pattern by a constant tone in this scenario: 0 limp, 1 braced.

    bpy.ops.mannequin.set_excitation(pattern="*", tone=0.3)
    """

    pattern: StringProperty(name="Muscles", description="Name or pattern such as *_l", default="*")
    tone: FloatProperty(description="Constant excitation", min=0.0, max=1.0, default=0.3, subtype="FACTOR")

    def run(self, context: bpy.types.Context) -> None:
        """Set the rule."""
        edit_muscles.set_excitation(active_actor(context), self.pattern, self.tone)


class MANNEQUIN_OT_plot_moment_arms(Beside, NeedsMuscle, bpy.types.Operator):
    """Plot the muscle's moment arm over a joint's range of motion as an image in the file, positive where the muscle
    turns the joint the positive way.

    bpy.ops.mannequin.plot_moment_arms(joint="KneeL")
    """

    bl_label = "Plot Moment Arm"
    stopped = "Cancelled; nothing was drawn"

    joint: StringProperty(description="Joint; empty: that of the body the muscle ends on")
    axis: EnumProperty(
        description="Axis of the joint frame; a revolute joint has its own",
        items=[(axis, axis.upper(), f"{axis} axis of the joint frame") for axis in "yxz"],
    )

    def begin(self, scene: bpy.types.Scene) -> MomentArmPlot:
        """Start the computation."""
        return MomentArmPlot(bpy.context.object, self.joint, self.axis)

    def conclude(self, scene: bpy.types.Scene, work: MomentArmPlot) -> str:
        """Load the plot as an image, and show it where there is a window."""
        image = work.finish()
        show_image(bpy.context, image)
        return f"Drew '{image.name}'"
