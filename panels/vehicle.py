"""Panel of a vehicle: its speed, its wheels and its brakes."""

import bpy

from ..scene.base.user_units import draw_shown
from ..scene.scenario.speed import has_wheels
from ..scene.store.actors import active_actor
from .base import MannequinPanel, draw_optional, use_columns
from .scenario import draw_drive_table


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
        wheels = active_actor(context).data.mannequin.wheels
        if len(wheels) > 0:
            draw_driving(self.layout, start, wheels)


def draw_driving(
    layout: bpy.types.UILayout, start: bpy.types.PropertyGroup, wheels: bpy.types.bpy_prop_collection
) -> None:
    """What the driver of a vehicle on tyres does: brakes, steering, a recorded trace; torques of the brakes."""
    layout.operator("mannequin.load_recorder", text="Follow Event Data Recorder...", icon="IMPORT")
    column = use_columns(layout)
    column.prop(start, "use_drive", text="Driver")
    column = column.column()
    column.active = start.use_drive
    draw_optional(column, start.drive, "braking")
    for name in ("brake_start", "pedal_time", "anti_lock"):
        column.prop(start.drive, name)
    for name in ("steering", "trace"):
        draw_drive_table(layout, start.drive, name)
    column = use_columns(layout)
    column.label(text="Brake Balance: Torque at Full Pedal")
    for wheel in wheels:
        column.prop(wheel, "brake_torque", text=wheel.body or wheel.name)
