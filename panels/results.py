"""Panels of results: measures, contacts by time, export."""

from typing import Any

import bpy

from .base import ORDER, MannequinPanel


class MANNEQUIN_UL_measures(bpy.types.UIList):
    """Measures with their values."""

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: Any,
        item: Any,
        icon: int,
        active_data: Any,
        active_property: str,
        index: int = 0,
    ) -> None:
        """Name, subject, value."""
        row = layout.row()
        row.label(text=f"{item.name}, {item.subject}")
        value = row.row()
        value.alignment = "RIGHT"
        value.label(text=item.text)


class MANNEQUIN_UL_contacts(bpy.types.UIList):
    """Contacts by time."""

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: Any,
        item: Any,
        icon: int,
        active_data: Any,
        active_property: str,
        index: int = 0,
    ) -> None:
        """Time, who, peak force, jump."""
        row = layout.row()
        row.label(text=f"{1000.0 * item.time:.0f} ms  {item.name}")
        value = row.row()
        value.alignment = "RIGHT"
        value.label(text=f"{item.peak_force:.0f} N")
        value.operator("mannequin.jump_to_contact", text="", icon="TIME").index = index


class MANNEQUIN_PT_results(MannequinPanel, bpy.types.Panel):
    """What came out of the last run."""

    bl_label = "Results"
    bl_order = ORDER["results"]

    def draw(self, context: bpy.types.Context) -> None:
        """Measures, contacts, export."""
        layout, results = self.layout, context.scene.mannequin.film.results
        if not results.run:
            layout.label(text="No run yet: press Simulate")
            return
        layout.label(text=results.run)
        if results.status != "completed":
            layout.label(text=results.status, icon="ERROR")
        layout.template_list("MANNEQUIN_UL_measures", "", results, "measures", results, "measures_index")
        if 0 <= results.measures_index < len(results.measures):
            layout.label(text=results.measures[results.measures_index].definition)
        layout.label(text="Contacts")
        layout.template_list("MANNEQUIN_UL_contacts", "", results, "contacts", results, "contacts_index")
        row = layout.row(align=True)
        row.operator("mannequin.make_report", icon="TEXT")
        row.operator("mannequin.export_run", icon="EXPORT")


CLASSES = (MANNEQUIN_UL_measures, MANNEQUIN_UL_contacts, MANNEQUIN_PT_results)
