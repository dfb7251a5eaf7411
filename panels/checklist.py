"""The check-list at the top of the tab."""

import bpy

from ..scene.run.checklist import DONE, LOOK, MISSING, checks_of, is_open
from .base import ORDER, MannequinPanel, draw_optional

ICONS = {MISSING: "ERROR", LOOK: "QUESTION", DONE: "CHECKMARK"}


class MANNEQUIN_PT_checklist(MannequinPanel, bpy.types.Panel):
    """What the reconstruction still lacks; each button leads to it."""

    bl_label = "Check-List"
    bl_order = ORDER["checklist"]
    needs = staticmethod(lambda context: is_open())

    def draw(self, context: bpy.types.Context) -> None:
        """A line for each check, with its button or its field."""
        layout = self.layout
        checks = checks_of(context.scene)
        for check in checks:
            icon = ICONS[check.state]
            if check.operator:
                layout.operator(f"mannequin.{check.operator}", text=check.text, icon=icon)
                continue
            layout.label(text=check.text, icon=icon)
            if check.owner is not None and f"use_{check.field}" in check.owner.bl_rna.properties:
                draw_optional(layout, check.owner, check.field)
            elif check.owner is not None:
                layout.prop(check.owner, check.field)
        layout.operator("mannequin.close_checklist", icon="X")
