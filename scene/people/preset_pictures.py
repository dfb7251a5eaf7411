"""Thumbnails of the presets of people: their skins from the front, all to one scale, so that sizes show.

A shape takes a tenth of a second, so nothing is drawn before the presets are first asked for, and then one by one while
the window is idle: until its turn comes, a preset has no picture.
"""

import bpy
import numpy as np
from PIL import Image, ImageDraw

from ...models.people.base_mesh import is_available
from ...models.people.shape import solve
from ..base.picture_stores import PREVIEWS, close_store, open_store
from ..model.library_pictures import PAUSE, SIZE, put_picture
from .presets import PRESETS

KEY = "people"
TALLEST = 2.0
"""Metres from the lower to the upper edge."""
COLOR = np.array([168.0, 182.0, 200.0])
LIGHT = np.array([0.8, -0.35, 0.5])
"""Where the light comes from; the picture looks along -x."""


def register() -> None:
    """Open the store of thumbnails."""
    open_store(KEY)


def unregister() -> None:
    """Close the store of thumbnails."""
    if bpy.app.timers.is_registered(draw_next):
        bpy.app.timers.unregister(draw_next)
    close_store(KEY)


def preset_icon(name: str) -> int:
    """Icon number of a preset's thumbnail; 0 until it is drawn. The first call begins to draw them all."""
    store = PREVIEWS[KEY]
    if name in store:
        return store[name].icon_id
    if not bpy.app.background and is_available() and not bpy.app.timers.is_registered(draw_next):
        bpy.app.timers.register(draw_next, first_interval=PAUSE)
    return 0


def draw_next() -> float | None:
    """Draw the thumbnail of the next preset that has none; seconds until the next one, or None when all are done."""
    name = next((name for name in PRESETS if name not in PREVIEWS[KEY]), None)
    if name is None:
        return None
    put_picture(PREVIEWS[KEY], name, thumbnail(name))
    return PAUSE


def thumbnail(name: str) -> np.ndarray:
    """(SIZE, SIZE, 4) picture of a preset's skin, top row first, values from 0 to 1."""
    shape = solve(PRESETS[name].person)
    corners = shape.body[shape.mesh.triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-15)
    seen = np.flatnonzero(normals[:, 0] > 0.0)
    seen = seen[np.argsort(corners[seen, :, 0].mean(axis=1))]
    bright = 0.35 + 0.65 * np.clip(normals[seen] @ (LIGHT / np.linalg.norm(LIGHT)), 0.0, 1.0)
    scale = (SIZE - 4) / TALLEST
    across = SIZE / 2 + scale * corners[seen, :, 1]
    down = SIZE - 2 - scale * corners[seen, :, 2]
    image = Image.new("RGBA", (SIZE, SIZE), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    for x, y, light in zip(across, down, bright, strict=True):
        draw.polygon(list(zip(x, y, strict=True)), fill=(*(COLOR * light).astype(int), 255))
    return np.asarray(image, dtype=np.float32) / 255.0
