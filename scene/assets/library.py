"""The asset library: a .blend file of markers with their pictures, and Blender's preferences that name its folder."""

import uuid
from pathlib import Path

import bpy
import numpy as np
from PIL import Image

from ...jobs.film import PACKAGE
from .catalogue import ASSETS, picture_path
from .markers import new_marker

NAME = "Mannequin"
FILE, CATALOGUES = "mannequin_assets.blend", "blender_assets.cats.txt"
CATALOGUE_IDS = uuid.UUID("6f0d5d5e-3d0e-4f3e-9b64-6d616e6e6571")
"""Namespace of the identifiers of catalogues, which must be the same in every library that is written."""


def library_folder() -> Path:
    """Folder of the library: that of the extension's own data; in a checkout, one among the user's data files."""
    if PACKAGE.startswith("bl_ext."):
        return Path(bpy.utils.extension_path_user(PACKAGE, path="assets", create=True))
    return Path(bpy.utils.user_resource("DATAFILES", path="mannequin_assets", create=True))


def make_library(folder: Path) -> Path:
    """Write the library into a folder, in place of an earlier one, and name the folder in the preferences."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CATALOGUES).write_text(catalogue_text())
    made = [marked(name) for name in ASSETS]
    try:
        bpy.data.libraries.write(str(folder / FILE), set(made), fake_user=True, compress=True)
    finally:
        for obj in made:
            bpy.data.objects.remove(obj)
    name_in_preferences(folder)
    return folder / FILE


def catalogue_id(catalogue: str) -> str:
    """Identifier of a catalogue."""
    return str(uuid.uuid5(CATALOGUE_IDS, catalogue))


def catalogue_text() -> str:
    """What the file of catalogues says, in Blender's format: identifier, path, simple name."""
    names = dict.fromkeys(asset.catalogue for asset in ASSETS.values())
    lines = [f"{catalogue_id(name)}:{NAME}/{name}:{NAME}-{name}" for name in names]
    return "\n".join(("# Made by Mannequin.", "VERSION 1", "", *lines, ""))


def marked(name: str) -> bpy.types.Object:
    """A marker as an asset: catalogue, words, picture."""
    asset, obj = ASSETS[name], new_marker(name)
    obj.asset_mark()
    obj.asset_data.catalog_id = catalogue_id(asset.catalogue)
    obj.asset_data.description = asset.words
    obj.asset_data.author = NAME
    picture = obj.preview_ensure()
    with Image.open(picture_path(name)) as file:
        pixels = np.asarray(file.convert("RGBA"), dtype=np.float32)[::-1] / 255.0
    picture.image_size = pixels.shape[1], pixels.shape[0]
    picture.image_pixels_float.foreach_set(pixels.ravel())
    return obj


def name_in_preferences(folder: Path) -> None:
    """Let the asset browser show the folder, if it does not yet; what is dragged from it is copied, not linked."""
    libraries = bpy.context.preferences.filepaths.asset_libraries
    found = [library for library in libraries if Path(library.path).resolve() == folder.resolve()]
    library = found[0] if found else libraries.new(name=NAME, directory=str(folder))
    library.import_method = "APPEND"
