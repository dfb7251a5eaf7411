"""Operators of the asset library."""

from pathlib import Path

import bpy
from bpy.props import StringProperty

from ..scene.assets.library import library_folder, make_library
from ..scene.assets.markers import markers_of, take_marker
from .base import MannequinOperator


class MANNEQUIN_OT_make_asset_library(MannequinOperator, bpy.types.Operator):
    """Write people, vehicles and obstacles as assets into a folder, and show that in the asset browser.

    bpy.ops.mannequin.make_asset_library(directory="assets")
    """

    bl_options = {"REGISTER"}
    takes_long = True

    directory: StringProperty(
        name="Folder",
        description="Folder of the library; empty: that of the extension's own data",
        subtype="DIR_PATH",
        options={"SKIP_SAVE"},
    )

    def run(self, context: bpy.types.Context) -> str:
        path = make_library(Path(bpy.path.abspath(self.directory)) if self.directory else library_folder())
        return f"Wrote {path}: choose the library Mannequin in an asset browser, and drag from there"


class MANNEQUIN_OT_place_assets(MannequinOperator, bpy.types.Operator):
    """Turn assets that were dropped into the scene into actors and obstacles.

    bpy.ops.mannequin.place_assets()
    """

    takes_long = True
    needs = ((lambda context: bool(markers_of(context.scene)), "No asset was dropped into the scene"),)

    def run(self, context: bpy.types.Context) -> str:
        """Make each where it was dropped: actors stand on what they were dropped on."""
        cursor = context.scene.cursor
        before, made = cursor.location.copy(), []
        for marker in markers_of(context.scene):
            asset, place = take_marker(marker)
            cursor.location = place
            getattr(bpy.ops.mannequin, asset.operator)(**asset.arguments)
            if asset.operator != "add_ready_made":
                context.object.location.z += place.z
            made.append(asset.label)
        cursor.location = before
        return f"Added {', '.join(made)}"
