"""Thumbnails of the shipped models: their ellipsoids seen from the front.

All of them together take half a second to draw, so they are drawn one by one while the window is idle, never while a
list or an operator waits for them: until its turn comes, a model has no picture.
"""

from typing import Any

import bpy
import numpy as np
from PIL import Image, ImageDraw

from ...models.library import list_models, load_model
from ...models.parts.placement import body_transforms, ellipsoid_shapes
from ..base.picture_stores import PREVIEWS, close_store, open_store

SIZE, ICON = 128, 32
PAUSE = 0.05
"""Seconds the window gets between two thumbnails."""
FILL, LINE = (120, 160, 200, 255), (40, 60, 80, 255)


def register() -> None:
    """Open the store of thumbnails, and begin to fill it where there is a window to show them."""
    open_store("models")
    if not bpy.app.background:
        bpy.app.timers.register(draw_next, first_interval=PAUSE, persistent=True)


def unregister() -> None:
    """Close the store of thumbnails."""
    if bpy.app.timers.is_registered(draw_next):
        bpy.app.timers.unregister(draw_next)
    close_store("models")


def model_icon(name: str) -> int:
    """Icon number of a shipped model's thumbnail; 0 until it is drawn, and in background mode, which has no icons."""
    store = PREVIEWS["models"]
    return store[name].icon_id if name in store else 0


def draw_next() -> float | None:
    """Draw the thumbnail of the next model that has none; seconds until the next one, or None when all are done."""
    store = PREVIEWS["models"]
    name = next((name for name in list_models() if name not in store), None)
    if name is None:
        return None
    put_picture(store, name, thumbnail(name))
    return PAUSE


def put_picture(store: Any, name: str, drawn: np.ndarray) -> None:
    """Put a (SIZE, SIZE, 4) picture, top row first, into a store of thumbnails."""
    picture, drawn = store.new(name), drawn[::-1]
    picture.image_size = (SIZE, SIZE)
    picture.image_pixels_float[:] = drawn.ravel()
    picture.icon_size = (ICON, ICON)  # what lists and search show
    picture.icon_pixels_float[:] = shrink(drawn, SIZE // ICON).ravel()


def thumbnail(name: str) -> np.ndarray:
    """(SIZE, SIZE, 4) picture of a shipped model, top row first, values from 0 to 1; long things from the side."""
    model = load_model(name)
    shapes = [(centre, half) for _, _, centre, half in ellipsoid_shapes(model, body_transforms(model))]
    reach = np.array([np.linalg.norm(half, axis=1) for _, half in shapes])
    centres = np.array([centre for centre, _ in shapes])
    low, high = (centres - reach).min(axis=0), (centres + reach).max(axis=0)
    across, depth = (0, 1) if high[0] - low[0] > high[1] - low[1] else (1, 0)
    scale = (SIZE - 8) / max(high[across] - low[across], high[2] - low[2])
    image = Image.new("RGBA", (SIZE, SIZE), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    middle = (low + high) / 2.0
    for centre, half in sorted(shapes, key=lambda shape: shape[0][depth]):
        points = outline(half[[across, 2]]) + centre[[across, 2]] - middle[[across, 2]]
        pixels = [(SIZE / 2 + x * scale, SIZE / 2 - y * scale) for x, y in points]
        draw.polygon(pixels, fill=FILL, outline=LINE)
    return np.asarray(image, dtype=np.float32) / 255.0


def shrink(picture: np.ndarray, factor: int) -> np.ndarray:
    """Picture with each square of `factor` pixels averaged."""
    rows, columns, channels = picture.shape
    return picture.reshape(rows // factor, factor, columns // factor, factor, channels).mean(axis=(1, 3))


def outline(half: np.ndarray, count: int = 32) -> np.ndarray:
    """(count, 2) outline of an ellipsoid in a plane, from the two rows of its half-axis matrix in that plane.

    The support point in the direction d is H H' d / |H' d|."""
    angles = np.arange(count) * 2.0 * np.pi / count
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    projected = directions @ half
    return projected @ half.T / np.linalg.norm(projected, axis=1, keepdims=True)
