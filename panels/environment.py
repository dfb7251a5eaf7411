"""Panels of the surroundings: ground, friction, obstacles, pairs of surfaces; and of what the viewport shows."""

import bpy

from ..scene.store.actors import active_of_kind, obstacles_of
from .base import ORDER, ClosedPanel, MannequinPanel, draw_list, draw_optional, draw_properties, use_columns
from .model import draw_material


class MANNEQUIN_PT_environment(MannequinPanel, bpy.types.Panel):
    """Ground, gravity, friction and obstacles."""

    bl_order = ORDER["environment"]

    def draw(self, context: bpy.types.Context) -> None:
        """Ground and obstacles."""
        layout, settings = self.layout, context.scene.mannequin.settings
        column = use_columns(layout)
        column.prop(settings, "ground")
        draw_optional(column, settings, "ground_friction")
        draw_properties(column, settings, ("friction", "friction_law", "friction_rule", "gravity"))
        layout.label(text="Obstacles")
        row = layout.row(align=True)
        row.operator_menu_enum("mannequin.add_obstacle", "shape", text="Add", icon="ADD")
        row.operator("mannequin.remove_obstacle", text="Remove", icon="REMOVE")
        layout.operator_menu_enum(
            "mannequin.add_ready_made", "obstacle", text="Add Ready-Made", icon="MOD_BUILD"
        )
        for obj in obstacles_of(context.scene):
            row = layout.row(align=True)
            row.prop(obj.mannequin.obstacle, "enabled", text="")
            row.label(text=obj.name, icon="MESH_CUBE")


class MANNEQUIN_PT_obstacle(MannequinPanel, bpy.types.Panel):
    """The active obstacle."""

    bl_parent_id = "MANNEQUIN_PT_environment"
    needs = staticmethod(lambda context: active_of_kind(context, "OBSTACLE"))

    def draw(self, context: bpy.types.Context) -> None:
        """Shape and material."""
        group = context.object.mannequin.obstacle
        column = use_columns(self.layout)
        column.prop(context.object, "name")
        column.prop(group, "shape")
        column.prop(group, "belt_velocity")
        column.prop(group, "source")
        row = self.layout.row(align=True)
        row.operator("mannequin.record_motion")
        if group.recorded_motion:
            row.operator("mannequin.record_motion", text="Clear Motion").clear = True
        column = use_columns(self.layout)
        column.prop(group, "use_material")
        if group.use_material:
            column.prop(group.material, "name", text="Material")
            draw_material(column, group.material)


class MANNEQUIN_PT_pairs(ClosedPanel, bpy.types.Panel):
    """Pairs of surfaces with their own contact."""

    bl_label = "Pairs of Surfaces"
    bl_parent_id = "MANNEQUIN_PT_environment"

    def draw(self, context: bpy.types.Context) -> None:
        """List, and the active pair."""
        pair = draw_list(self.layout, context.scene.mannequin, "pairs", "pairs")
        if pair is not None:
            column = use_columns(self.layout)
            draw_properties(column, pair)
            column.prop(pair, "use_material")
            if pair.use_material:
                draw_material(column, pair.material)


class MANNEQUIN_PT_view(ClosedPanel, bpy.types.Panel):
    """What is drawn over the viewport."""

    bl_order = ORDER["view"]

    def draw(self, context: bpy.types.Context) -> None:
        """One switch per overlay."""
        overlays = context.scene.mannequin.overlays
        column = use_columns(self.layout)
        names = ("velocities", "centers_of_mass", "joint_axes", "joint_limits", "excluded_pairs")
        draw_properties(column, overlays, names)
        if context.space_data is not None:
            column.prop(context.space_data.overlay, "show_relationship_lines", text="Parent Lines")
        self.layout.operator_menu_enum("mannequin.color_ellipsoids", "by")
