"""A second camera in the picture: a smaller view at the lower left, laid over the picture when both are rendered."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy
from PIL import Image, ImageOps

from ..base.errors import SceneError
from .cameras import VIEWS, find_camera
from .label_layout import Box
from .layers import put_picture, without_overlay
from .overlay import Layout

SHARE = 0.30
"""Of the picture's width and height."""
MARGIN = 0.9
"""Lines of text between the view and the edge of the picture."""
BORDER = (16, 18, 21)


def inset_camera(scene: bpy.types.Scene, name: str) -> bpy.types.Object:
    """The camera of the small view: one of the set-up by the name of its view, or any of the scene by its own."""
    camera = find_camera(scene, name) if name in VIEWS else scene.objects.get(name)
    if camera is None or camera.type != "CAMERA":
        known = ", ".join((*VIEWS, *(obj.name for obj in scene.objects if obj.type == "CAMERA")))
        raise SceneError(f"there is no camera '{name}' for the small view. There are: {known}")
    return camera


def inset_size(width: int, height: int) -> tuple[int, int]:
    """Pixels of the small view."""
    return 2 * round(SHARE * width / 2.0), 2 * round(SHARE * height / 2.0)


def inset_box(width: int, height: int) -> Box:
    """Where the small view is, pixels from the middle of the picture."""
    layout = Layout(width, height)
    across, up = inset_size(width, height)
    left, low = -width / 2.0 + MARGIN * layout.size, layout.band + MARGIN * layout.size
    return left, low, left + across, low + up


@contextmanager
def seen_small(scene: bpy.types.Scene, name: str) -> Iterator[None]:
    """Context in which a scene is seen by another camera, small and without the overlay."""
    render = scene.render
    kept = scene.camera, render.resolution_x, render.resolution_y
    scene.camera = inset_camera(scene, name)
    render.resolution_x, render.resolution_y = inset_size(*kept[1:])
    try:
        with without_overlay(scene):
            yield
    finally:
        scene.camera, render.resolution_x, render.resolution_y = kept


def lay_small(picture: Path, small: Path) -> None:
    """Lay the small view over a picture, within a dark border."""
    with Image.open(picture) as below, Image.open(small) as above:
        left, _, _, top = inset_box(*below.size)
        edge = max(1, below.height // 270)
        framed = ImageOps.expand(above.convert("RGB"), edge, BORDER)
        mixed = below.copy()
        place = round(left + below.width / 2.0) - edge, round(below.height / 2.0 - top) - edge
        mixed.paste(framed, place)
    small.unlink()
    put_picture(mixed, picture)
