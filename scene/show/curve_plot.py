"""Live plots of curves and tables as an icon beside their points.

A picture is made once per curve and kept by its content. Nothing is made in background mode, which has no icons.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import bpy
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from ...analysis.colors import ON_DARK, channels
from ..base.picture_stores import PREVIEWS, picture_store
from ..store import fields

SIZE = 256
MARGIN = (74, 14, 14, 34)
"""Pixels left, top, right and below the plot."""
LETTERS = 20
"""Pixels: height of the letters; the picture is shown at about two thirds of its size."""
AXES = (150, 150, 150, 255)
COLORS = tuple((*(round(255 * c) for c in channels(color)), 255) for color in ON_DARK)
"""Colours of the curves of one plot, in turn; the first also has its points marked."""
SMALLER = {"m": ("mm", 1000.0), "N": ("kN", 0.001)}
"""Units that read better in another size: what is written, and how many of it are one."""
LARGEST_STORE = 64

Series = Sequence[Sequence[tuple[float, float]]]
"""Curves of one plot, each a sequence of points."""

register, unregister = picture_store("curves")


def curve_icon(series: Series, units: tuple[str, str]) -> int:
    """Icon number of the plot of curves with units of abscissa and ordinate; 0 where there is nothing to show."""
    series = [curve for curve in series if len(curve) > 1]
    if bpy.app.background or not series:
        return 0
    store = PREVIEWS["curves"]
    key = repr((series, units))
    if key not in store:
        if len(store) > LARGEST_STORE:
            store.clear()
        picture = store.new(key)
        picture.image_size = (SIZE, SIZE)
        picture.image_pixels_float[:] = plot(series, units)[::-1].ravel()
    return store[key].icon_id


def series_of(*collections: Any) -> list[list[tuple[float, float]]]:
    """Curves of collections of rows: each number after the first over the first. Angles are in degrees."""
    curves = []
    for collection in collections:
        rows = [fields.read_row(item, ()) for item in collection]
        width = min((len(row) for row in rows), default=1)
        curves += [[(row[0], row[k]) for row in rows] for k in range(1, width)]
    return curves


def plot(series: Series, units: tuple[str, str]) -> np.ndarray:
    """(SIZE, SIZE, 4) picture, top row first, values from 0 to 1: curves, zero lines, and the ends of the axes."""
    image = Image.new("RGBA", (SIZE, SIZE), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    left, top, right, below = MARGIN
    points = np.array([point for curve in series for point in curve], dtype=float)
    low, high = np.minimum(points.min(axis=0), 0.0), np.maximum(points.max(axis=0), 0.0)
    high = np.where(high - low > 0.0, high, low + 1e-12)
    corner_x, corner_y = place_point((0.0, 0.0), low, high)
    draw.line([(left, corner_y), (SIZE - right, corner_y)], fill=AXES, width=1)
    draw.line([(corner_x, top), (corner_x, SIZE - below)], fill=AXES, width=1)
    for number, curve in reversed(list(enumerate(series))):
        pixels = [place_point(point, low, high) for point in curve]
        color = COLORS[number % len(COLORS)]
        if len(pixels) > 1:
            draw.line(pixels, fill=color, width=2, joint="curve")
        for x, y in pixels if number == 0 else ():
            draw.ellipse([x - 3, y - 3, x + 3, y + 3], fill=color)
    label = partial(draw.text, fill=AXES, font=ImageFont.load_default(LETTERS))
    label((left - 6, top), number_text(high[1], units[1]), anchor="ra")
    if low[1] < 0.0:
        label((left - 6, SIZE - below), number_text(low[1], units[1]), anchor="rs")
    label((SIZE - right, SIZE - below + 8), number_text(high[0], units[0]), anchor="ra")
    if low[0] < 0.0:
        label((left, SIZE - below + 8), number_text(low[0], units[0]), anchor="la")
    return np.asarray(image, dtype=np.float32) / 255.0


def number_text(value: float, unit: str) -> str:
    """Number with its unit, in a size that reads well."""
    written, factor = SMALLER.get(unit, (unit, 1.0))
    return f"{value * factor:.3g} {written}".strip()


def place_point(point: tuple[float, float], low: np.ndarray, high: np.ndarray) -> tuple[float, float]:
    """Pixel of a curve point between the ends of the axes."""
    left, top, right, below = MARGIN
    x, y = (np.array(point, dtype=float) - low) / (high - low)
    return float(left + x * (SIZE - left - right)), float(SIZE - below - y * (SIZE - top - below))
