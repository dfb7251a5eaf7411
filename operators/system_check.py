"""Operator that reports whether the installation is complete."""

import bpy

from ..scene.system_check import check_system


class MANNEQUIN_OT_system_check(bpy.types.Operator):
    """Report the versions of Blender and of the bundled libraries, and whether the engine is compiled"""

    bl_idname = "mannequin.system_check"
    bl_label = "Check Installation"
    bl_options = {"REGISTER"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Check, and report every finding; a problem is a warning."""
        check = check_system()
        self.report({"INFO"}, ", ".join(check.lines))
        for problem in check.problems:
            self.report({"WARNING"}, problem)
        return {"FINISHED"}


CLASSES = (MANNEQUIN_OT_system_check,)
