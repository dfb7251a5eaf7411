"""Cameras of the place: those matched to photographs and those at the eyes of witnesses.

They are ordinary cameras with a mark, so that a film can show the motion as it was seen.
"""

import bpy

MARK = "mannequin_site_camera"
"""Custom property of a camera's object: one of the kinds."""
MATCHED, WITNESS = "matched", "witness"
WITNESS_PREFIX = "Witness "
"""Of the names of witnesses' cameras, by which those of older files are known."""


def site_camera_kind(obj: bpy.types.Object | None) -> str:
    """Kind of a camera of the place; empty for every other object."""
    if obj is None or obj.type != "CAMERA":
        return ""
    return obj.get(MARK, "") or (WITNESS if obj.name.startswith(WITNESS_PREFIX) else "")
