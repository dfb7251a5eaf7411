"""What panels share: the tab, lists with their buttons, and optional values with their switch."""

from collections.abc import Iterable, Iterator
from typing import Any

import bpy


class MannequinPanel:
    """Mixin of every panel: the tab "Mannequin" in the sidebar of the 3D viewport.

    Its label is, unless it says otherwise, the name of its class: MANNEQUIN_PT_force_curve is "Force Curve".
    """

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Mannequin"

    def __init_subclass__(cls, **arguments: object) -> None:
        super().__init_subclass__(**arguments)
        if issubclass(cls, bpy.types.Panel) and not hasattr(cls, "bl_label"):
            cls.bl_label = cls.__name__.removeprefix("MANNEQUIN_PT_").replace("_", " ").title()

    @staticmethod
    def needs(context: bpy.types.Context) -> Any:
        """What the panel is about; it is shown while there is such a thing."""
        return True

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is what the panel needs."""
        return bool(cls.needs(context))


class ClosedPanel(MannequinPanel):
    """Mixin of sub-panels that are closed at first."""

    bl_options = {"DEFAULT_CLOSED"}


ORDER = {
    "checklist": -1,
    "model": 0,
    "scenario": 1,
    "environment": 2,
    "simulate": 3,
    "results": 4,
    "render": 5,
    "place": 6,
    "view": 7,
}
"""Order of the top panels (bl_order), in the order of work."""


def use_columns(layout: bpy.types.UILayout) -> bpy.types.UILayout:
    """Column with labels on the left and values on the right."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout.column()


LONGEST_LABEL = 15
"""Characters of a label that fit left of its value in a sidebar of Blender's usual width."""


def draw_property(layout: bpy.types.UILayout, group: Any, name: str) -> None:
    """One property. A label that would be cut off gets the whole width: inside a number field, or above other kinds."""
    about = group.bl_rna.properties[name]
    if len(about.name) <= LONGEST_LABEL and not getattr(about, "is_array", False):
        layout.prop(group, name)
        return
    wide = layout.column(align=True)
    wide.use_property_split = False
    if about.type == "BOOLEAN" or (about.type in {"FLOAT", "INT"} and not about.is_array):
        wide.prop(group, name)
        return
    wide.label(text=about.name)
    (wide.row(align=True) if getattr(about, "is_array", False) else wide).prop(group, name, text="")


def draw_table(
    layout: bpy.types.UILayout, group: Any, rows: dict[str, str], columns: tuple[str, ...]
) -> None:
    """Vectors of a group one below the other, under the names of their components; `rows` gives their labels."""
    table = layout.column(align=True)
    table.use_property_split = False
    head = table.split(factor=0.25)
    head.label(text="")
    names = head.row()
    names.alignment = "EXPAND"
    for text in columns:
        names.label(text=text)
    for name, label in rows.items():
        split = table.split(factor=0.25, align=True)
        split.label(text=label)
        split.row(align=True).prop(group, name, text="")


def draw_optional(layout: bpy.types.UILayout, group: Any, name: str) -> None:
    """Value that is given or not: a switch, and the value beside it; a long label stands above both."""
    label = group.bl_rna.properties[name].name
    if len(label) > LONGEST_LABEL:
        holder = layout.column(align=True)
        holder.use_property_split = False
        row = holder.row(align=True)
        row.prop(group, f"use_{name}", text="")
        value = row.row(align=True)
        is_number = group.bl_rna.properties[name].type in {"FLOAT", "INT"}
        text = label if is_number and not group.bl_rna.properties[name].is_array else ""
        if not text:
            row.label(text=label)
            value = holder.row(align=True)
        value.active = getattr(group, f"use_{name}")
        value.prop(group, name, text=text)
        return
    row = layout.row(heading=label)
    row.prop(group, f"use_{name}", text="")
    value = row.row()
    value.active = getattr(group, f"use_{name}")
    value.prop(group, name, text="")


def draw_list(
    layout: bpy.types.UILayout,
    owner: Any,
    attribute: str,
    name: str,
    ui_list: str = "MANNEQUIN_UL_items",
    rows: int = 3,
) -> Any:
    """List with buttons to add, remove and move; returns the active item or None. `name` is that of `scene.lists`."""
    row = layout.row()
    row.template_list(ui_list, name, owner, attribute, owner, f"{attribute}_index", rows=rows)
    buttons = row.column(align=True)
    for action, icon in (("ADD", "ADD"), ("REMOVE", "REMOVE"), ("UP", "TRIA_UP"), ("DOWN", "TRIA_DOWN")):
        button = buttons.operator("mannequin.edit_list", text="", icon=icon)
        button.list, button.action = name, action
    items, index = getattr(owner, attribute), getattr(owner, f"{attribute}_index")
    return items[index] if 0 <= index < len(items) else None


def draw_properties(
    layout: bpy.types.UILayout, group: Any, names: Iterable[str] = (), but: tuple[str, ...] = ()
) -> None:
    """Properties one below the other, optional ones with their switch: those named, or else all values of the group in
    their order, except those in `but`."""
    for name in names or (name for name in values_of(group) if name not in but):
        if f"use_{name}" in group.bl_rna.properties:
            draw_optional(layout, group, name)
        else:
            draw_property(layout, group, name)


def values_of(group: Any) -> Iterator[str]:
    """Values of a group that a person changes: without its name, which its list shows, without lists and groups inside
    it and their switches, and without what is hidden."""
    for prop in group.bl_rna.properties:
        name, is_value = prop.identifier, prop.type not in {"POINTER", "COLLECTION"} and not prop.is_hidden
        if is_value and name != "name" and not name.startswith("use_") and not name.endswith("_index"):
            yield name


def draw_items(layout: bpy.types.UILayout, owner: Any, attribute: str, name: str, rows: int = 3) -> None:
    """List as of `draw_list`, and all properties of its active item."""
    item = draw_list(layout, owner, attribute, name, rows=rows)
    if item is not None:
        draw_properties(use_columns(layout), item)


def draw_buttons(layout: bpy.types.UILayout, **texts: str) -> None:
    """Row of our operators with their texts."""
    row = layout.row(align=True)
    for name, text in texts.items():
        row.operator(f"mannequin.{name}", text=text)


class RowList:
    """Mixin of lists: `draw_row` lays out one line."""

    def draw_row(self, layout: bpy.types.UILayout, item: Any, index: int) -> None:
        """Lay out the line of one item."""
        raise NotImplementedError

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: Any,
        item: Any,
        icon: int,
        active_data: Any,
        active_property: str,
        index: int,
    ) -> None:
        """Called by Blender for each line."""
        self.draw_row(layout, item, index)


class MANNEQUIN_UL_items(RowList, bpy.types.UIList):
    """List of named items; connections without a name show what they connect."""

    def draw_row(self, layout: bpy.types.UILayout, item: Any, index: int) -> None:
        """Name, or both ends of a pair, or the joint or body."""
        properties = item.bl_rna.properties
        if "first" in properties and not (item.first or item.second):
            layout.label(text="Choose both below", icon="ERROR")
        elif "first" in properties:
            row = layout.row(align=True)
            row.prop(item, "first", text="", emboss=False)
            row.prop(item, "second", text="", emboss=False)
        elif "joint" in properties or "body" in properties:
            name = "joint" if "joint" in properties else "body"
            if getattr(item, name):
                layout.prop(item, name, text="", emboss=False)
            else:
                layout.label(text=f"Choose a {name} below", icon="ERROR")
        elif "axis" in properties and "name" not in type(item).__annotations__:
            layout.prop(item, "axis", text="", emboss=False)
        else:
            layout.prop(item, "name", text="", emboss=False)


class MANNEQUIN_UL_belt(RowList, bpy.types.UIList):
    """List of the points a belt passes."""

    def draw_row(self, layout: bpy.types.UILayout, item: Any, index: int) -> None:
        """Body, and whether the band slides there."""
        row = layout.row(align=True)
        row.prop(item.point, "body", text="", emboss=False)
        row.prop(item, "slip")


class MANNEQUIN_UL_issues(RowList, bpy.types.UIList):
    """List of findings."""

    def draw_row(self, layout: bpy.types.UILayout, item: Any, index: int) -> None:
        """Message with an icon for its severity, and a button that selects what it is about."""
        row = layout.row(align=True)
        if item.object is not None:
            row.operator("mannequin.select_finding", text="", icon="RESTRICT_SELECT_OFF").index = index
        row.label(text=item.message, icon="ERROR" if item.severity == "error" else "INFO")
