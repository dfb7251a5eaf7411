"""The extension's page in Blender's preferences."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty

from ..scene.base.user_units import SCENE, SYSTEMS


class MANNEQUIN_AP_preferences(bpy.types.AddonPreferences):
    """What the preferences show for Mannequin."""

    # The package that Blender enabled, such as bl_ext.user_default.mannequin.
    bl_idname = __package__.rpartition(".")[0]

    worker_memory: FloatProperty(
        name="Memory for Simulations (GB)",
        description="Memory that the simulation process may take; more ends the job with a message. "
        "0: three quarters of what is free when the process starts",
        min=0.0,
        soft_max=256.0,
        precision=1,
    )

    units: EnumProperty(
        description="Units of speeds, lengths, masses and forces in panels and tables; files and reports stay SI",
        items=[
            (SCENE, "As in the Scene", "As the unit system of the scene says"),
            *((name, label, about) for name, (label, about) in SYSTEMS.items()),
        ],
    )

    show_checklist: BoolProperty(
        name="Check-List",
        description="Show at the top of the tab what a reconstruction still lacks",
        default=True,
    )

    def draw(self, context: bpy.types.Context) -> None:
        """Offer the installation check, the asset library, the limit of memory and the units."""
        self.layout.operator("mannequin.system_check")
        self.layout.operator("mannequin.make_asset_library")
        self.layout.prop(self, "worker_memory")
        self.layout.prop(self, "units")
        self.layout.prop(self, "show_checklist")
