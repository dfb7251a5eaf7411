"""The extension's page in Blender's preferences, where Blender has one."""

from typing import Any

import bpy

from ...jobs.film import PACKAGE


def preferences() -> Any | None:
    """What people chose; None where Mannequin is used as a module and is no extension of this Blender."""
    addon = bpy.context.preferences.addons.get(PACKAGE)
    return addon.preferences if addon is not None else None
