"""Panels of muscles: the active muscle or wrap surface, and how an actor's muscles are excited in the scenario."""

from collections.abc import Sequence
from typing import Any

import bpy

from ..analysis.muscles.curves import force_over_length, force_over_velocity
from ..scene.muscles.read import point_bodies
from ..scene.show.curve_plot import curve_icon
from ..scene.store.actors import active_actor, active_bone, active_of_kind, actor_of
from ..scene.store.lists import active_item
from .base import ClosedPanel, RowList, draw_buttons, draw_list, draw_optional, draw_properties, use_columns
from .curves import PLOT_SCALE, draw_curve

UNIT = ("max_isometric_force", "optimal_fibre_length", "tendon_slack_length", "pennation")
CURVES = ("form", "tendon", "max_contraction_velocity", "damping", "stiffness_factor", "acts")


class MANNEQUIN_PT_muscle(ClosedPanel, bpy.types.Panel):
    """The active muscle."""

    bl_parent_id = "MANNEQUIN_PT_model"
    bl_order = 5
    needs = staticmethod(lambda context: active_bone(context) or active_of_kind(context, "MUSCLE"))

    def draw(self, context: bpy.types.Context) -> None:
        """Buttons of muscles, and the numbers of the active one."""
        layout, obj = self.layout, active_of_kind(context, "MUSCLE")
        draw_buttons(layout, add_muscle="Add", duplicate_muscle="Duplicate", delete_muscle="Delete")
        if obj is None:
            layout.label(text="Select a muscle to edit it", icon="INFO")
            return
        row = layout.row(align=True)
        row.label(text=obj.name, icon="CURVE_DATA")
        row.operator("mannequin.rename_muscle", text="Rename...")
        column = use_columns(layout)
        draw_properties(column, obj.mannequin.muscle, (*UNIT, "source"))


class MusclePart(ClosedPanel):
    """Mixin of the sub-panels of the active muscle."""

    bl_parent_id = "MANNEQUIN_PT_muscle"
    needs = staticmethod(lambda context: active_of_kind(context, "MUSCLE"))


class MANNEQUIN_PT_muscle_path(MusclePart, bpy.types.Panel):
    """Points of the active muscle, and the surfaces it wraps around."""

    bl_label = "Path"

    def draw(self, context: bpy.types.Context) -> None:
        """Body of each point, and wraps."""
        layout, obj = self.layout, context.object
        if obj.mode != "EDIT" and any(m.type == "HOOK" for m in obj.modifiers):
            for number, body in enumerate(point_bodies(obj, actor_of(obj)), start=1):
                layout.label(text=f"{number}  {body}", icon="BONE_DATA")
        layout.label(text="Move, add and delete points in Edit Mode")
        layout.operator("mannequin.attach_muscle_points", text="Attach Selected Points...")
        group = obj.mannequin.muscle
        layout.operator("mannequin.plot_moment_arms", icon="GRAPH")
        layout.label(text="Wraps Around")
        wrap = draw_list(layout, group, "path_wraps", "path_wraps", "MANNEQUIN_UL_wraps")
        layout.operator("mannequin.wrap_muscle")
        if wrap is not None:
            column = use_columns(layout)
            column.prop(wrap, "surface_object")
            draw_optional(column, wrap, "segment")
            draw_optional(column, wrap, "side")


class MANNEQUIN_PT_muscle_unit(MusclePart, bpy.types.Panel):
    """Curves of force over length and velocity, and activation, of the active muscle."""

    bl_label = "Curves and Activation"

    def draw(self, context: bpy.types.Context) -> None:
        """Which curves, and how activation follows."""
        group = context.object.mannequin.muscle
        column = use_columns(self.layout)
        draw_properties(column, group, CURVES)
        draw_plot(self.layout, "Force over fibre length", force_over_length(group.form))
        draw_plot(self.layout, "Force over fibre velocity", force_over_velocity(group.form))
        column = use_columns(self.layout)
        activation = group.activation
        column.prop(activation, "form", text="Activation")
        times = ("rise_time", "fall_time") if activation.form == "first_order" else ("rise_rate", "fall_rate")
        draw_properties(column, activation, (*times, "minimum", "start"))


def draw_plot(layout: bpy.types.UILayout, title: str, series: Sequence) -> None:
    """A plot with its title; the numbers have no unit."""
    icon = curve_icon(series, ("", ""))
    if icon:
        layout.label(text=title)
        layout.template_icon(icon_value=icon, scale=PLOT_SCALE)


class MANNEQUIN_PT_muscle_excitation(MusclePart, bpy.types.Panel):
    """What excites the active muscle, unless the scenario overrides it."""

    bl_label = "Excitation"

    def draw(self, context: bpy.types.Context) -> None:
        """Tone, curve, reflex."""
        draw_excitation(self.layout, context.object.mannequin.muscle.excitation, "muscle_excitation")


def draw_excitation(layout: bpy.types.UILayout, group: bpy.types.PropertyGroup, name: str) -> None:
    """An excitation; `name` is that of its curve in `scene.lists`."""
    column = use_columns(layout)
    column.prop(group, "tone")
    column.prop(group, "use_curve")
    if group.use_curve:
        draw_curve(layout, group, "curve", name, ("Time (s)", "Excitation"), ("s", ""))
    column = use_columns(layout)
    column.prop(group, "use_reflex")
    if group.use_reflex:
        draw_properties(column, group.reflex)
    column.prop(group, "source")


class MANNEQUIN_PT_wrap_surface(ClosedPanel, bpy.types.Panel):
    """The active wrap surface."""

    bl_parent_id = "MANNEQUIN_PT_model"
    bl_order = 5
    needs = staticmethod(active_bone)

    def draw(self, context: bpy.types.Context) -> None:
        """Buttons of surfaces, and the shape of the active one."""
        layout, obj = self.layout, active_of_kind(context, "WRAP")
        row = layout.row(align=True)
        row.operator_menu_enum("mannequin.add_wrap_surface", "shape", text="Add")
        row.operator("mannequin.wrap_on_ellipsoid", text="Ellipsoid")
        row.operator("mannequin.delete_wrap_surface", text="Delete")
        if obj is None:
            layout.label(text="Select a wrap surface to edit it", icon="INFO")
            return
        group = obj.mannequin.wrap
        layout.label(text=obj.name, icon="MESH_CYLINDER")
        layout.operator_menu_enum("mannequin.set_wrap_shape", "shape", text=group.shape.title())
        column = use_columns(layout)
        column.prop(group, "ellipsoid_object")
        if group.ellipsoid_object is None:
            column.prop(obj, "scale", text="Size")
            if group.shape == "cylinder":
                column.prop(group, "use_length")
        column.prop(group, "source")


class MANNEQUIN_PT_excitations(ClosedPanel, bpy.types.Panel):
    """How the active actor's muscles are excited in this scenario."""

    bl_label = "Muscle Excitation"
    bl_parent_id = "MANNEQUIN_PT_scenario"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether an actor with muscles is active."""
        actor = active_actor(context)
        return actor is not None and any(child.mannequin.kind == "MUSCLE" for child in actor.children)

    def draw(self, context: bpy.types.Context) -> None:
        """Rules in place of the model's excitation."""
        layout, group = self.layout, active_actor(context).mannequin.actor
        layout.label(text="In place of the model's, by name or pattern")
        draw_list(layout, group, "excitation_rules", "excitation_rules")
        rule = active_item(group, "excitation_rules")
        if rule is not None:
            draw_excitation(layout, rule.excitation, "rule_excitation")


class MANNEQUIN_UL_wraps(RowList, bpy.types.UIList):
    """List of the surfaces that a path wraps around."""

    def draw_row(self, layout: bpy.types.UILayout, item: Any, index: int) -> None:
        """Name of the surface."""
        surface = item.surface_object
        if surface is not None:
            layout.label(text=surface.name, icon="MESH_CYLINDER")
        else:
            layout.label(text="Choose a surface below", icon="ERROR")
