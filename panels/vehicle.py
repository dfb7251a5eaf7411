"""Panel of a vehicle: its speed, its wheels and its brakes."""

import bpy

from ..scene.base.user_units import draw_shown
from ..scene.scenario.riders import is_ridden
from ..scene.scenario.speed import has_wheels
from ..scene.store.actors import active_actor
from .base import MannequinPanel, use_columns


class MANNEQUIN_PT_vehicle(MannequinPanel, bpy.types.Panel):
    """The active vehicle: how fast it comes, and how it brakes."""

    bl_label = "Vehicle"
    bl_parent_id = "MANNEQUIN_PT_model"
    bl_order = -1

    @staticmethod
    def needs(context: bpy.types.Context) -> bool:
        """Shown for actors with wheels."""
        return has_wheels(active_actor(context))

    def draw(self, context: bpy.types.Context) -> None:
        """Speed and heading, with wheels that roll by themselves, and the brakes."""
        start = active_actor(context).mannequin.actor
        column = use_columns(self.layout)
        draw_shown(column, start, "speed", "m/s", "Speed", context.scene)
        column.prop(start, "heading")
        row = self.layout.row(align=True)
        row.operator("mannequin.brake", text="Brake...", icon="PAUSE")
        row.operator("mannequin.roll_wheels", icon="FILE_REFRESH")
        if is_ridden(active_actor(context)):
            self.layout.operator("mannequin.add_rider", icon="OUTLINER_OB_ARMATURE")
