"""The extension in Blender's preferences: switched off, on again, and found complete."""

import addon_utils
import bpy
import drive
from drive import expect


def tell() -> drive.Story:
    """Disable, enable, check the installation."""
    module = next(m.__name__ for m in addon_utils.modules() if m.__name__.endswith(".mannequin"))
    bpy.ops.preferences.addon_disable(module=module)
    expect(not hasattr(bpy.types, "MANNEQUIN_PT_model"), "disabling leaves panels behind")
    expect(not hasattr(bpy.types.Scene, "mannequin"), "disabling leaves properties behind")
    bpy.ops.preferences.addon_enable(module=module)
    expect(hasattr(bpy.types, "MANNEQUIN_PT_model"), "enabling brings no panels")
    expect(bpy.ops.mannequin.system_check() == {"FINISHED"}, "the installation cannot be checked")
    yield from drive.redrawn()
