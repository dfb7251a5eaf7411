"""Text in layouts of Blender, which show one line per label and cut it off."""

import textwrap

import bpy

SIDEBAR = 40
"""Characters that fit the sidebar: of the wider sort of text, as the letters have different widths"""
ICON = 5
"""Characters whose place an icon takes"""


def draw_text(layout: bpy.types.UILayout, text: str, icon: str = "NONE", width: int = SIDEBAR) -> None:
    """Text over as many lines as it needs, the first of them behind the icon."""
    column = layout.column(align=True)
    indent = "" if icon == "NONE" else " " * ICON
    for number, line in enumerate(textwrap.wrap(text, width, initial_indent=indent)):
        column.label(text=line.strip(), icon=icon if number == 0 else "NONE")
