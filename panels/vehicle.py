"""Panel of a vehicle: its speed, its wheels and its brakes."""

import bpy

from ..scene.base.user_units import draw_shown
from ..scene.scenario.riders import is_ridden
from ..scene.scenario.speed import has_wheels
from ..scene.show.curve_plot import curve_icon, series_of
from ..scene.show.zones import material_of_zone, zones_of
from ..scene.store.actors import active_actor
from .base import ClosedPanel, MannequinPanel, draw_optional, use_columns
from .curves import PLOT_SCALE
from .scenario import draw_drive_table


class MANNEQUIN_PT_vehicle(MannequinPanel, bpy.types.Panel):
    """The active vehicle: how fast it comes, and how it brakes."""

    bl_parent_id = "MANNEQUIN_PT_model"
    bl_order = -1

    needs = staticmethod(lambda context: has_wheels(active_actor(context)))

    def draw(self, context: bpy.types.Context) -> None:
        """Speed and heading, with wheels that roll by themselves, and the brakes."""
        start = active_actor(context).mannequin.actor
        self.layout.operator("mannequin.change_vehicle", text="Class or Own Mesh...", icon="AUTO")
        column = use_columns(self.layout)
        draw_shown(column, start, "speed", "m/s", "Speed", context.scene)
        column.prop(start, "heading")
        row = self.layout.row(align=True)
        row.operator("mannequin.brake", text="Brake...", icon="PAUSE")
        row.operator("mannequin.roll_wheels", icon="FILE_REFRESH")
        if is_ridden(active_actor(context)):
            self.layout.operator("mannequin.add_rider", icon="OUTLINER_OB_ARMATURE")
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


class MANNEQUIN_PT_zones(ClosedPanel, bpy.types.Panel):
    """Zones of the vehicle's contact mesh: their colours, faces and force curves."""

    bl_parent_id = "MANNEQUIN_PT_vehicle"

    def draw(self, context: bpy.types.Context) -> None:
        """Show and take zones; the active one with its material and curve."""
        actor, layout = active_actor(context), self.layout
        obj = zones_of(actor)
        row = layout.row(align=True)
        row.operator("mannequin.show_zones", depress=obj is not None, icon="FACESEL")
        row.operator("mannequin.take_zones", icon="CHECKMARK")
        if obj is None:
            return
        layout.template_list(
            "MATERIAL_UL_matslots", "zones", obj, "material_slots", obj, "active_material_index"
        )
        layout.operator("mannequin.assign_zone", icon="BRUSH_DATA")
        found = material_of_zone(actor, obj.active_material_index)
        layout.label(text=f"Material: {found.name if found else 'unknown'}")
        row = layout.row(align=True)
        row.operator("mannequin.zone_material", text="Change...")
        row.operator("mannequin.zone_curve", icon="FCURVE")
        if found is not None and found.law == "curve":
            icon = curve_icon(series_of(found.loading, ()), ("m", "N"))
            if icon:
                layout.template_icon(icon_value=icon, scale=PLOT_SCALE)
