"""Operators of zones: see them, put faces into one, take them into the model."""

import bpy
from bpy.props import IntProperty, StringProperty

from ..scene.show import zones
from ..scene.store.actors import active_actor
from .base import MannequinOperator, NeedsActor, select_only


class MANNEQUIN_OT_show_zones(NeedsActor, bpy.types.Operator):
    """Show the zones of the vehicle's contact mesh in colours, as faces that can be painted; again: hide them.

    bpy.ops.mannequin.show_zones()
    """

    takes_long = True

    def run(self, context: bpy.types.Context) -> str:
        actor = active_actor(context)
        if zones.hide_zones(actor):
            return f"Hid the zones of '{actor.name}'"
        obj = zones.show_zones(actor, context.scene)
        select_only(context, obj)
        return f"{len(obj.data.materials)} zones: select faces in Edit Mode and assign them"


class MANNEQUIN_OT_assign_zone(MannequinOperator, bpy.types.Operator):
    """Put the selected faces into the active zone (material slot).

    bpy.ops.mannequin.assign_zone(zone=3)
    """

    bl_label = "Assign to Zone"
    needs = (
        (lambda context: zones.is_zones(context.object), "Show the zones and select their object"),
        (lambda context: context.object.mode == "EDIT", "Select faces in Edit Mode"),
    )

    zone: IntProperty(description="Number of the zone, from 0 on; -1: the active one", min=-1, default=-1)

    def run(self, context: bpy.types.Context) -> str:
        obj = context.object
        number = obj.active_material_index if self.zone < 0 else self.zone
        number = min(number, len(obj.data.materials) - 1)
        count = zones.assign_zone(obj, number)
        return f"{count} faces belong to '{obj.data.materials[number].name}': press Take Zones when done"


class MANNEQUIN_OT_take_zones(NeedsActor, bpy.types.Operator):
    """Give the vehicle the zones that its faces show now.

    bpy.ops.mannequin.take_zones()
    """

    needs = (
        (lambda context: zones.zones_of(active_actor(context)) is not None, "Show the zones first"),
        (
            lambda context: zones.zones_of(active_actor(context)).mode == "OBJECT",
            "Leave Edit Mode first",
        ),
    )

    def run(self, context: bpy.types.Context) -> str:
        return f"{zones.take_zones(active_actor(context), context.scene)} triangles have another zone"


class MANNEQUIN_OT_zone_material(NeedsActor, bpy.types.Operator):
    """Give the active zone another contact material.

    bpy.ops.mannequin.zone_material(zone=5, material="windscreen")
    """

    zone: IntProperty(description="Number of the zone, from 0 on", min=0)
    material: StringProperty(description="Contact material of the model")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the material of the active zone."""
        obj = zones.zones_of(active_actor(context))
        self.zone = obj.active_material_index if obj else 0
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, context: bpy.types.Context) -> None:
        """A list of the model's materials."""
        self.layout.prop_search(self, "material", active_actor(context).data.mannequin, "materials")

    def run(self, context: bpy.types.Context) -> str:
        name = zones.set_zone_material(active_actor(context), context.scene, self.zone, self.material)
        return f"Zone '{name}' is of '{self.material}'"


class MANNEQUIN_OT_zone_curve(NeedsActor, bpy.types.Operator):
    """Open the force curve of the active zone in the panel Contact Materials, where it is edited.

    bpy.ops.mannequin.zone_curve(zone=3)
    """

    bl_label = "Edit Curve"
    needs = ((lambda context: zones.zones_of(active_actor(context)) is not None, "Show the zones first"),)

    zone: IntProperty(description="Number of the zone, from 0 on; -1: the active one", min=-1, default=-1)

    def run(self, context: bpy.types.Context) -> str:
        actor = active_actor(context)
        number = zones.zones_of(actor).active_material_index if self.zone < 0 else self.zone
        return f"'{zones.open_curve(actor, number)}' is the active contact material"
