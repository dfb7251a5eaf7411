"""Panels of the active joint."""

import bpy

from ..scene.rig.pose import shown_angles
from ..scene.scenario.anatomy import anatomical_angles
from ..scene.store.actors import active_actor, active_bone, joint_kind, slides_along
from .base import (
    ClosedPanel,
    MannequinPanel,
    draw_buttons,
    draw_items,
    draw_list,
    draw_optional,
    draw_properties,
    draw_table,
    use_columns,
)
from .curves import draw_curve, draw_optional_curve


def active_joint(context: bpy.types.Context) -> bpy.types.PropertyGroup | None:
    """Joint of the active body."""
    bone = active_bone(context)
    return bone.mannequin.joint if bone is not None and bone.mannequin.joint.exists else None


def angle_lines(actor: bpy.types.Object, body: str) -> list[str]:
    """Angles of a body's joint as posed: in anatomical terms where there are any, else as files hold them."""
    lines = [f"{word} {size:.1f}°" for word, size in anatomical_angles(actor, body)]
    z, y, x = shown_angles(actor, body)
    kind = joint_kind(actor.data.bones[body])
    if kind.has_axis and not kind.turns:
        return [f"Slide {1000.0 * z:.1f} mm"]
    if kind.has_axis:
        return lines or [f"Angle {z:.1f}°"]
    return lines or [f"Angles Z {z:.1f}°  Y {y:.1f}°  X {x:.1f}°"]


def custom_joint(context: bpy.types.Context) -> bpy.types.PropertyGroup | None:
    """Joint of the active body, where functions of its coordinates move it."""
    joint = active_joint(context)
    return joint if joint is not None and joint_kind(active_bone(context)).by_functions else None


def function_line(function: bpy.types.PropertyGroup) -> str:
    """What one function does, in a line."""
    axis = " ".join(f"{x:.2f}" for x in function.direction)
    shape = f"spline of {len(function.points)} points" if len(function.points) else "polynomial"
    follows = f"{shape} of {function.coordinate}" if function.coordinate else "constant"
    return f"{function.motion.title()} ({axis}): {follows}"


class MANNEQUIN_PT_joint(MannequinPanel, bpy.types.Panel):
    """The joint of the active body."""

    bl_parent_id = "MANNEQUIN_PT_model"
    bl_order = 1
    needs = staticmethod(active_bone)

    def draw(self, context: bpy.types.Context) -> None:
        """Type, axis, damping, and the angles of the pose."""
        layout, joint = self.layout, active_joint(context)
        draw_buttons(layout, add_joint="Add", delete_joint="Delete", copy_joint="Copy")
        if joint is None:
            layout.label(text="The body has no joint: add one", icon="ERROR")
            return
        layout.label(text=joint.name, icon="EMPTY_ARROWS")
        row = layout.row(align=True)
        row.operator("mannequin.rename_joint", text="Rename...")
        row.operator("mannequin.set_joint_type", text=f"{joint.type.title()}...")
        angles = layout.column(align=True)
        for line in angle_lines(active_actor(context), active_bone(context).name):
            angles.label(text=line)
        column = use_columns(layout)
        draw_optional(column, joint, "damping")
        column.prop(joint, "note")
        column.prop(joint, "source")


class JointPart(ClosedPanel):
    """Mixin of the sub-panels of the joint: a switch in the header, values below."""

    bl_parent_id = "MANNEQUIN_PT_joint"
    part = ""
    needs = staticmethod(active_joint)

    def draw_header(self, context: bpy.types.Context) -> None:
        """Draw the switch of the part."""
        self.layout.prop(active_joint(context), f"use_{self.part}", text="")

    def draw(self, context: bpy.types.Context) -> None:
        """The values, greyed out while off."""
        joint = active_joint(context)
        column = use_columns(self.layout)
        column.active = getattr(joint, f"use_{self.part}")
        draw_properties(column, getattr(joint, self.part))


class MANNEQUIN_PT_joint_limits(JointPart, bpy.types.Panel):
    """Range of motion per axis."""

    bl_label = "Axis Limits"
    part = "limits"

    def draw(self, context: bpy.types.Context) -> None:
        """Lowest and highest angles under the names of their axes, of a slider in metres, then the rest."""
        joint = active_joint(context)
        column = use_columns(self.layout)
        column.active = joint.use_limits
        kind = joint_kind(active_bone(context))
        if kind.has_axis and not kind.turns:
            column.prop(joint, "lowest_way")
            column.prop(joint, "highest_way")
        else:
            draw_table(column, joint.limits, {"lower": "Lower", "upper": "Upper"}, ("Z", "Y", "X"))
        draw_properties(column, joint.limits, but=("lower", "upper"))


class MANNEQUIN_PT_joint_cone(JointPart, bpy.types.Panel):
    """Cone of feasible motion."""

    bl_label = "Cone Limits"
    part = "cone"


class MANNEQUIN_PT_joint_friction(JointPart, bpy.types.Panel):
    """Resisting torque of constant size."""

    bl_label = "Friction"
    part = "friction"


class MANNEQUIN_PT_joint_springs(ClosedPanel, bpy.types.Panel):
    """Passive springs of the joint."""

    bl_label = "Passive Springs"
    bl_parent_id = "MANNEQUIN_PT_joint"
    needs = staticmethod(active_joint)

    def draw(self, context: bpy.types.Context) -> None:
        """List, and the active spring."""
        spring = draw_list(self.layout, active_joint(context), "springs", "joint_springs")
        if spring is not None:
            column = use_columns(self.layout)
            draw_properties(column, spring)
            slides = slides_along(active_bone(context), spring.axis)
            columns = ("Way (m)", "Force (N)") if slides else ("Angle (degrees)", "Torque (N m)")
            units = ("m", "N") if slides else ("°", "N m")
            draw_curve(self.layout, spring, "curve", "joint_spring_curve", columns, units)


class MANNEQUIN_PT_joint_functions(ClosedPanel, bpy.types.Panel):
    """Turns and shifts of a custom joint by its coordinates, to read: files and scripts give them."""

    bl_label = "Functions of Coordinates"
    bl_parent_id = "MANNEQUIN_PT_joint"
    needs = staticmethod(custom_joint)

    def draw(self, context: bpy.types.Context) -> None:
        """A line for each function, and the radii of the ellipsoid."""
        joint = custom_joint(context)
        for function in joint.functions:
            self.layout.label(text=function_line(function))
        if joint.use_ellipsoid:
            radii = " x ".join(f"{1000.0 * radius:.1f}" for radius in joint.ellipsoid)
            self.layout.label(text=f"Slides over an ellipsoid of {radii} mm")


class MANNEQUIN_PT_joint_breaks(ClosedPanel, bpy.types.Panel):
    """Where the joint gives way."""

    bl_label = "Breaking"
    bl_parent_id = "MANNEQUIN_PT_joint"
    needs = staticmethod(active_joint)

    def draw(self, context: bpy.types.Context) -> None:
        """List, and the active break."""
        draw_items(self.layout, active_joint(context), "breaks", "joint_breaks")


class MANNEQUIN_PT_joint_slide(JointPart, bpy.types.Panel):
    """What acts on the sliding of a joint that turns besides."""

    bl_label = "Sliding"
    part = "slide"

    def draw(self, context: bpy.types.Context) -> None:
        """Damping and friction, the limits, the motor."""
        joint = active_joint(context)
        column = use_columns(self.layout)
        column.active, slide = joint.use_slide, joint.slide
        column.prop(slide, "damping")
        column.prop(slide, "friction")
        column.prop(slide, "source")
        column.prop(slide, "use_limits")
        if slide.use_limits:
            draw_properties(column, slide.limits)
        column.prop(slide, "use_motor")
        if slide.use_motor:
            draw_motor(column, slide.motor, "slide_motor")


class MANNEQUIN_PT_joint_motor(JointPart, bpy.types.Panel):
    """Motor of the joint."""

    bl_label = "Motor"
    part = "motor"

    def draw(self, context: bpy.types.Context) -> None:
        """All of the motor, greyed out while off."""
        joint = active_joint(context)
        column = use_columns(self.layout)
        column.active = joint.use_motor
        draw_motor(column, joint.motor, "motor")


def draw_motor(layout: bpy.types.UILayout, motor: bpy.types.PropertyGroup, lists: str) -> None:
    """Properties of a motor, and its curves over time and speed; the names of their lists begin with `lists`."""
    draw_properties(layout, motor)
    for name, kept, columns, units in (
        ("gain_over_time", "gain", ("Time (s)", "Factor"), ("s", "")),
        ("target_over_time", "targets", ("Time (s)", "Z", "Y", "X"), ("s", "°")),
        ("torque_over_speed", "speeds", ("Rate", "Factor"), ("rad/s", "")),
    ):
        draw_optional_curve(layout, motor, name, f"{lists}_{kept}", columns, units)
