"""The extension in Blender's preferences: switched off, on again, and found complete."""

from collections.abc import Iterator

import addon_utils
import bpy
import drive
from drive import expect


def unlabelled() -> list[str]:
    """Properties of the extension that are shown by their identifiers."""
    groups = [
        group for group in every_kind(bpy.types.PropertyGroup) if group.__name__.startswith("Mannequin")
    ]
    expect(len(groups) > 50, "the groups of properties are not found")
    return [
        f"{group.__name__}.{prop.identifier}"
        for group in groups
        for prop in group.bl_rna.properties
        if prop.name == prop.identifier and prop.identifier not in ("name", "rna_type")
    ]


def every_kind(cls: type) -> Iterator[type]:
    """Classes made from a class, and from those."""
    for kind in cls.__subclasses__():
        yield kind
        yield from every_kind(kind)


def tell() -> drive.Story:
    """Disable, enable, check the installation."""
    module = next(m.__name__ for m in addon_utils.modules() if m.__name__.endswith(".mannequin"))
    bpy.ops.preferences.addon_disable(module=module)
    expect(not hasattr(bpy.types, "MANNEQUIN_PT_model"), "disabling leaves panels behind")
    expect(not hasattr(bpy.types.Scene, "mannequin"), "disabling leaves properties behind")
    bpy.ops.preferences.addon_enable(module=module)
    expect(hasattr(bpy.types, "MANNEQUIN_PT_model"), "enabling brings no panels")
    expect(not unlabelled(), f"properties without a label: {unlabelled()[:5]}")
    expect(bpy.ops.mannequin.system_check() == {"FINISHED"}, "the installation cannot be checked")
    yield from drive.redrawn()
