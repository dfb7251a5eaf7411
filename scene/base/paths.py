"""Paths that people give: // is the folder of the saved file, and of one that was never saved a temporary folder."""

from pathlib import Path

import bpy

from .text_layout import draw_text


def is_unsaved(path: str) -> bool:
    """Whether a path begins with the folder of a file that was never saved."""
    return path.startswith("//") and not bpy.data.filepath


def full_path(path: str) -> Path:
    """Where a path leads; in a file that was never saved, // is Blender's folder for the session."""
    return Path(bpy.app.tempdir) / path.lstrip("/") if is_unsaved(path) else Path(bpy.path.abspath(path))


def draw_path(layout: bpy.types.UILayout, owner: bpy.types.bpy_struct, name: str) -> None:
    """Field of a path; where it leads to a temporary folder, Blender would show it red: here it says so instead."""
    if not is_unsaved(getattr(owner, name)):
        layout.prop(owner, name)
        return
    column = layout.column(align=True)
    label, place = owner.bl_rna.properties[name].name, full_path(getattr(owner, name))
    draw_text(column, f"{label}: this file is not saved, so until Blender ends it is {place}", "INFO")
    column.operator("wm.save_as_mainfile", text="Save File", icon="FILE_TICK")
