"""Operator that reports whether the installation is complete."""

import bpy

from ..scene.base.system_check import check_system
from .base import MannequinOperator


class MANNEQUIN_OT_system_check(MannequinOperator, bpy.types.Operator):
    """Report the versions of Blender and of the bundled libraries, and whether the engine is compiled."""

    bl_label = "Check Installation"
    bl_options = {"REGISTER"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Check, and report every finding; a problem is a warning."""
        check = check_system()
        self.report({"INFO"}, ", ".join(check.lines))
        for problem in check.problems:
            self.report({"WARNING"}, problem)
        return {"FINISHED"}
