"""Text in layouts of Blender, which show one line per label and cut it off."""

import textwrap

import bpy

SIDEBAR = 44
"""Characters that fit the sidebar"""


def draw_text(layout: bpy.types.UILayout, text: str, icon: str = "NONE", width: int = SIDEBAR) -> None:
    """Text over as many lines as it needs."""
    column = layout.column(align=True)
    for number, line in enumerate(textwrap.wrap(text, width)):
        column.label(text=line, icon=icon if number == 0 else "NONE")
