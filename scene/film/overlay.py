"""The overlay: case, run, time, speed, scale bar and what the film is, burnt into each picture. Without Blender."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

from ...analysis.gif import speed_label

NOTICE = "Simulation, not recorded footage"
WHITE, DIM, SHADE = (255, 255, 255, 255), (205, 212, 220, 255), (16, 20, 26, 205)
BAR_LENGTHS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
"""Metres that a scale bar may stand for."""
LONGEST_BAR = 0.16
"""Share of the picture's width."""


@dataclass(frozen=True)
class Caption:
    """What is burnt into one picture."""

    time: float
    """Simulated s"""
    slowness: float
    run: str
    case: str = ""
    metres_per_pixel: float = 0.0
    """0: no scale bar"""
    flag: str = ""
    """Such as "Edited by hand\""""


def burn(picture: Image.Image, caption: Caption) -> Image.Image:
    """The picture with a band along its lower edge and the notice at the top."""
    base = picture.convert("RGBA")
    layer = Image.new("RGBA", base.size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(layer)
    size = max(11, base.height // 30)
    draw_band(draw, base.size, size, caption)
    draw_notice(draw, base.size, size, caption.flag)
    return Image.alpha_composite(base, layer).convert("RGB")


def draw_band(draw: ImageDraw.ImageDraw, extent: tuple[int, int], size: int, caption: Caption) -> None:
    """Time and speed, case and run, and the scale bar, on a dark band."""
    width, height = extent
    top = height - round(2.9 * size)
    draw.rectangle((0, top, width, height), fill=SHADE)
    large, small = ImageFont.load_default(round(1.15 * size)), ImageFont.load_default(round(0.82 * size))
    first, second = top + round(0.38 * size), top + round(1.75 * size)
    draw.text((size, first), time_text(caption.time), font=large, fill=WHITE)
    draw.text((size, second), speed_label(caption.slowness), font=small, fill=DIM)
    middle = width / 2.0
    if caption.case:
        draw.text((middle, first), f"Case {caption.case}", font=large, fill=WHITE, anchor="ma")
    run_place = second if caption.case else first + round(0.2 * size)
    run_text = f"Run {caption.run}"
    fitted = fitted_font(draw, run_text, round(0.82 * size), 0.42 * width)
    draw.text((middle, run_place), run_text, font=fitted, fill=DIM, anchor="ma")
    if caption.metres_per_pixel > 0.0:
        draw_scale_bar(draw, width - size, second, size, caption.metres_per_pixel, width)


def fitted_font(draw: ImageDraw.ImageDraw, text: str, size: int, room: float) -> ImageFont.FreeTypeFont:
    """The font of a size, or of the largest smaller one in which the text fits the room (pixels)."""
    while size > 6 and draw.textlength(text, font=ImageFont.load_default(size)) > room:
        size -= 1
    return ImageFont.load_default(size)


def time_text(time: float) -> str:
    """Simulated time in milliseconds."""
    return f"t = {1000.0 * time:.1f} ms"


def bar_length(metres_per_pixel: float, width: int) -> float:
    """Metres of the longest round bar that fits."""
    room = LONGEST_BAR * width * metres_per_pixel
    return max((length for length in BAR_LENGTHS if length <= room), default=BAR_LENGTHS[0])


def bar_text(length: float) -> str:
    """Length of a scale bar in words."""
    return f"{length:g} m at the actor" if length >= 1.0 else f"{100.0 * length:g} cm at the actor"


def draw_scale_bar(
    draw: ImageDraw.ImageDraw, right: int, bottom: int, size: int, metres_per_pixel: float, width: int
) -> None:
    """A bar with end ticks and its length above."""
    length = bar_length(metres_per_pixel, width)
    left = right - round(length / metres_per_pixel)
    line = bottom + round(0.45 * size)
    thick = max(2, size // 8)
    draw.rectangle((left, line, right, line + thick), fill=WHITE)
    for end in (left, right - thick):
        draw.rectangle((end, line - size // 3, end + thick, line + thick + size // 3), fill=WHITE)
    font = ImageFont.load_default(round(0.82 * size))
    draw.text((right, bottom - round(1.2 * size)), bar_text(length), font=font, fill=WHITE, anchor="ra")


def draw_notice(draw: ImageDraw.ImageDraw, extent: tuple[int, int], size: int, flag: str) -> None:
    """What the film is, at the upper right, on a dark label."""
    text = f"{NOTICE}   {flag}" if flag else NOTICE
    font = ImageFont.load_default(round(0.82 * size))
    long = math.ceil(draw.textlength(text, font=font))
    left = extent[0] - long - 2 * size
    draw.rectangle((left, 0, extent[0], round(1.7 * size)), fill=SHADE)
    draw.text((left + size, round(0.38 * size)), text, font=font, fill=WHITE)
