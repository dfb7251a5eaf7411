"""Curves and tables in panels: a live plot, the names of the columns, and the points in a list."""

from typing import Any

import bpy

from ..scene.show.curve_plot import curve_icon, series_of
from .base import RowList, draw_list

PLOT_SCALE = 8.0


def draw_curve(
    layout: bpy.types.UILayout,
    owner: Any,
    attribute: str,
    name: str,
    columns: tuple[str, ...],
    units: tuple[str, str],
    beside: Any = (),
) -> None:
    """Plot and points of a curve or a table. `name` is that of `scene.lists`, `columns` says what the numbers are,
    `units` those of abscissa and ordinate in the plot; `beside` is another curve shown in the same plot."""
    rows = getattr(owner, attribute)
    icon = curve_icon(series_of(rows, beside), units)
    if icon:
        layout.template_icon(icon_value=icon, scale=PLOT_SCALE)
    layout.label(text=", ".join(columns))
    draw_list(layout, owner, attribute, name, "MANNEQUIN_UL_rows", rows=4)


def draw_optional_curve(layout: bpy.types.UILayout, owner: Any, attribute: str, *shown: Any) -> None:
    """Switch of a curve or a table that may be absent and, where it is on, what `draw_curve` shows."""
    layout.prop(owner, f"use_{attribute}")
    if getattr(owner, f"use_{attribute}"):
        draw_curve(layout, owner, attribute, *shown)


class MANNEQUIN_UL_rows(RowList, bpy.types.UIList):
    """List of the points of a curve or the rows of a table."""

    def draw_row(self, layout: bpy.types.UILayout, item: Any, index: int) -> None:
        """All numbers of a row that are given."""
        row, left = layout.row(align=True), getattr(item, "count", 99)
        for prop in item.bl_rna.properties:
            if prop.type != "FLOAT":
                continue
            places = range(prop.array_length) if prop.is_array else (-1,)
            for place in list(places)[:left]:
                row.prop(item, prop.identifier, index=place, text="", emboss=False)
            left -= len(places)
