"""Switch what-if on and off."""

import bpy

from ..scene.run import what_if
from .base import NeedsScenario


class MANNEQUIN_OT_what_if(NeedsScenario, bpy.types.Operator):
    """Show live what would happen: after each change of a speed, place, posture, friction or mass, simulate beside
    Blender and draw paths, contact marks and key measures, with nothing baked or recorded; press again to switch it
    off."""

    bl_label = "Live What-If"
    bl_options = {"REGISTER"}

    def run(self, context: bpy.types.Context) -> str:
        if what_if.current() is not None:
            what_if.stop()
            return "What-If is off"
        what_if.start(context.scene)
        return "What-If is on: change something"
