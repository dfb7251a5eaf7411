"""Menus: Add > Mannequin of the 3D viewport, and what stands in File > New."""

import bpy


class MANNEQUIN_MT_add(bpy.types.Menu):
    """What can be added to the scene."""

    bl_label = "Mannequin"

    def draw(self, context: bpy.types.Context) -> None:
        """Actors, things of the place, and whole examples."""
        layout = self.layout
        layout.operator_context = "INVOKE_DEFAULT"
        layout.operator("mannequin.add_person", text="Person", icon="USER")
        layout.operator("mannequin.add_vehicle", text="Vehicle", icon="AUTO")
        layout.operator("mannequin.add_actor", text="Model of the Library", icon="ARMATURE_DATA")
        layout.separator()
        layout.operator_menu_enum("mannequin.add_ready_made", "obstacle", text="Obstacle")
        layout.operator("mannequin.add_witness", text="Witness")
        layout.operator("mannequin.add_mark", text="Mark")
        layout.separator()
        layout.operator("mannequin.open_example", text="Example", icon="FILE_MOVIE")
        layout.operator("mannequin.make_asset_library", icon="ASSET_MANAGER")


def draw_add(self: bpy.types.Menu, context: bpy.types.Context) -> None:
    """Entry of the Add menu of the 3D viewport."""
    self.layout.separator()
    self.layout.menu("MANNEQUIN_MT_add", icon="ARMATURE_DATA")


def draw_new(self: bpy.types.Menu, context: bpy.types.Context) -> None:
    """Entry of File > New."""
    self.layout.separator()
    self.layout.operator_context = "INVOKE_DEFAULT"
    self.layout.operator("mannequin.new_from_example", text="Mannequin Example", icon="FILE_MOVIE")


def register() -> None:
    """Put the entries into Blender's menus."""
    bpy.types.VIEW3D_MT_add.append(draw_add)
    bpy.types.TOPBAR_MT_file_new.append(draw_new)


def unregister() -> None:
    """Take them out."""
    bpy.types.TOPBAR_MT_file_new.remove(draw_new)
    bpy.types.VIEW3D_MT_add.remove(draw_add)
