"""Operators that edit the lists of panels."""

import bpy
from bpy.props import EnumProperty

from ..scene.store import lists
from .base import MannequinOperator

ITEMS = [(name, name.replace("_", " ").title(), f"The list {name.replace('_', ' ')}") for name in lists.LISTS]


class MANNEQUIN_OT_edit_list(MannequinOperator, bpy.types.Operator):
    """Add, remove or move an item of a list.

    bpy.ops.mannequin.edit_list(list="force_curve", action="ADD")
    """

    list: EnumProperty(description="Which list of the active thing", items=ITEMS)
    action: EnumProperty(
        description="What to do",
        items=[
            ("ADD", "Add", "Add an item"),
            ("REMOVE", "Remove", "Remove the active item"),
            ("UP", "Move Up", "Move the active item up"),
            ("DOWN", "Move Down", "Move the active item down"),
        ],
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """Tooltip of the button for one action."""
        return {
            "ADD": "Add an item to the list",
            "REMOVE": "Remove the active item of the list",
            "UP": "Move the active item up",
            "DOWN": "Move the active item down",
        }[properties.action]

    def run(self, context: bpy.types.Context) -> None:
        if self.action == "ADD":
            lists.add_item(context, self.list)
        elif self.action == "REMOVE":
            lists.remove_item(context, self.list)
        else:
            lists.move_item(context, self.list, -1 if self.action == "UP" else 1)
