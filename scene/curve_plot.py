"""Live plot of a force curve as an icon beside its points.

A picture is made once per curve and kept by its content. Nothing is made in background mode, which has no icons.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from PIL import Image, ImageDraw

SIZE = 256
MARGIN = (46, 12, 12, 28)
"""Pixels left, top, right and below the plot."""
COLORS = {"axes": (150, 150, 150, 255), "loading": (90, 170, 255, 255), "unloading": (255, 165, 60, 255)}
LARGEST_STORE = 64

PREVIEWS: dict[str, Any] = {}
"""The one collection of pictures, under the key "curves", while the extension is registered."""

CLASSES = ()


def register() -> None:
    """Open the store of pictures."""
    import bpy.utils.previews

    PREVIEWS["curves"] = bpy.utils.previews.new()


def unregister() -> None:
    """Close the store of pictures."""
    import bpy.utils.previews

    bpy.utils.previews.remove(PREVIEWS.pop("curves"))


def curve_icon(group: Any) -> int:
    """Icon number of the plot of an ellipsoid's curves; 0 where there is nothing to show."""
    loading = [(point.x, point.y) for point in group.force_curve]
    unloading = [(point.x, point.y) for point in group.unload_curve] if group.use_unload_curve else []
    if bpy.app.background or len(loading) < 2:
        return 0
    store = PREVIEWS["curves"]
    key = repr((loading, unloading))
    if key not in store:
        if len(store) > LARGEST_STORE:
            store.clear()
        picture = store.new(key)
        picture.image_size = (SIZE, SIZE)
        picture.image_pixels_float[:] = plot(loading, unloading)[::-1].ravel()
    return store[key].icon_id


def plot(loading: list[tuple[float, float]], unloading: list[tuple[float, float]]) -> np.ndarray:
    """(SIZE, SIZE, 4) picture, top row first, values from 0 to 1: force over penetration, with its largest values."""
    image = Image.new("RGBA", (SIZE, SIZE), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    left, top, right, below = MARGIN
    draw.line([(left, top), (left, SIZE - below), (SIZE - right, SIZE - below)], fill=COLORS["axes"], width=1)
    points = np.array([*loading, *unloading], dtype=float)
    largest = np.maximum(np.abs(points).max(axis=0), 1e-12)
    for name, curve in (("unloading", unloading), ("loading", loading)):
        if len(curve) > 1:
            draw.line(
                [place_point(point, largest) for point in curve], fill=COLORS[name], width=2, joint="curve"
            )
    for point in loading:
        x, y = place_point(point, largest)
        draw.ellipse([x - 3, y - 3, x + 3, y + 3], fill=COLORS["loading"])
    draw.text((2, top), f"{largest[1] / 1000.0:.3g} kN", fill=COLORS["axes"])
    draw.text((SIZE - right - 46, SIZE - below + 8), f"{largest[0] * 1000.0:.3g} mm", fill=COLORS["axes"])
    return np.asarray(image, dtype=np.float32) / 255.0


def place_point(point: tuple[float, float], largest: np.ndarray) -> tuple[float, float]:
    """Pixel of a curve point; the origin is the corner of the axes."""
    left, top, right, below = MARGIN
    x = left + point[0] / largest[0] * (SIZE - left - right)
    y = SIZE - below - point[1] / largest[1] * (SIZE - top - below)
    return float(x), float(y)
