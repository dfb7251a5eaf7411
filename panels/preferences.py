"""The extension's page in Blender's preferences."""

import bpy


class MANNEQUIN_AP_preferences(bpy.types.AddonPreferences):
    """What the preferences show for Mannequin."""

    # The package that Blender enabled, such as bl_ext.user_default.mannequin.
    bl_idname = __package__.rpartition(".")[0]

    def draw(self, context: bpy.types.Context) -> None:
        """Offer the installation check."""
        self.layout.operator("mannequin.system_check")
