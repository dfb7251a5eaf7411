"""Panels of the place: scans, pictures on the ground, witnesses, marks, and the camera of a photograph."""

import bpy

from .base import ORDER, ClosedPanel, RowList, draw_buttons, draw_list, use_columns


class MANNEQUIN_UL_camera_points(RowList, bpy.types.UIList):
    """List of the points that are marked in a photograph."""

    def draw_row(self, layout: bpy.types.UILayout, item: bpy.types.PropertyGroup, index: int) -> None:
        """Object, and how far it is off."""
        row = layout.row(align=True)
        row.label(text=item.object.name if item.object else "Choose an object below", icon="EMPTY_AXIS")
        row.label(text=item.result)


class MANNEQUIN_UL_camera_lines(RowList, bpy.types.UIList):
    """List of the edges of known direction in a photograph."""

    def draw_row(self, layout: bpy.types.UILayout, item: bpy.types.PropertyGroup, index: int) -> None:
        """Name, and how far it is off."""
        row = layout.row(align=True)
        row.label(text=item.name or f"edge {index + 1}", icon="IPO_LINEAR")
        row.label(text=item.result)


class MANNEQUIN_PT_place(ClosedPanel, bpy.types.Panel):
    """The real place."""

    bl_order = ORDER["place"]

    def draw(self, context: bpy.types.Context) -> None:
        """Scans, pictures, witnesses and marks."""
        layout = self.layout
        draw_buttons(layout, import_scan="Import Scan", ground_from_scan="Make Ground")
        layout.operator_menu_enum("mannequin.add_surface_material", "surface", text="Add Surface Material")
        draw_buttons(layout, split_by_surface="Split by Surface")
        draw_buttons(layout, lay_picture="Lay Picture", measure_distance="Measure")
        draw_buttons(layout, add_witness="Add Witness", show_sight="Show Sight")
        draw_buttons(layout, add_mark="Add Mark", import_marks="Import Marks")


class MANNEQUIN_PT_camera_match(ClosedPanel, bpy.types.Panel):
    """The camera of a photograph."""

    bl_parent_id = "MANNEQUIN_PT_place"

    def draw(self, context: bpy.types.Context) -> None:
        """Photograph, points, lens and what came out."""
        group = context.scene.mannequin.camera_match
        column = use_columns(self.layout)
        column.prop(group, "picture")
        draw_buttons(self.layout, add_camera_points="Add Selected", pick_camera_pixel="Mark")
        point = draw_list(
            self.layout, group, "points", "camera_points", ui_list="MANNEQUIN_UL_camera_points", rows=6
        )
        column = use_columns(self.layout)
        if point is not None:
            for name in ("object", "pixel", "sigma", "check"):
                column.prop(point, name)
        draw_lines(self.layout, group)
        column = use_columns(self.layout)
        column.prop(group, "use_focal")
        lens = column.column()
        lens.active = group.use_focal
        lens.prop(group, "focal")
        lens.prop(group, "distortion")
        draw_buttons(self.layout, match_camera="Match Camera", export_camera="Export")
        if group.summary:
            self.layout.label(text=group.summary)
        column = use_columns(self.layout)
        column.prop(group, "camera")
        column.prop(group, "blend")
        column.prop(group, "wipe")
        draw_buttons(self.layout, overlay_picture="Overlay Picture", overlay_film="Overlay Film")


def draw_lines(layout: bpy.types.UILayout, group: bpy.types.PropertyGroup) -> None:
    """Edges of known direction, for pictures with few known points."""
    line = draw_list(layout, group, "lines", "camera_lines", ui_list="MANNEQUIN_UL_camera_lines", rows=3)
    if line is None:
        return
    column = use_columns(layout)
    for name in ("name", "start", "end", "direction"):
        column.prop(line, name)
    row = layout.row(align=True)
    for what, text in (("START", "Mark Start"), ("END", "Mark End")):
        row.operator("mannequin.pick_camera_pixel", text=text).what = what
