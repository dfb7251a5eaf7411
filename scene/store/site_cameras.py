"""Cameras of the place: those matched to photographs and those at the eyes of witnesses.

They are ordinary cameras with a mark, so that a film can list them and show the motion as it was seen.
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


def site_cameras(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Cameras of the place in a scene: matched ones first, then witnesses, each in order of names."""
    kinds = {obj: site_camera_kind(obj) for obj in scene.objects}
    matched = scene.mannequin.camera_match.camera
    if matched is not None and matched in kinds and matched.type == "CAMERA":
        kinds[matched] = MATCHED  # of files from before the mark
    found = [obj for obj, kind in kinds.items() if kind]
    return sorted(found, key=lambda obj: (kinds[obj] != MATCHED, obj.name))
