"""Animated GIF from rendered frames, with its speed burnt into every picture.

GIF counts time in hundredths of a second. Each frame is shown for a whole number of them, and the rounding error is
carried to the next frame, so the animation as a whole runs at the speed shown in it.
"""

import io
import math
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from ..io_json import atomic

SHORTEST = 2
"""Hundredths of a second: browsers slow down frames shown for less."""


def frame_durations(times: Sequence[float], slow_motion: float = 1.0) -> list[int]:
    """Hundredths of a second that each frame is shown: `times` are seconds of simulation, the last frame stays as
    long as the one before it.

    slow_motion: seconds of animation for each second of simulation (10 shows a tenth of the true speed).
    """
    if len(times) < 2:
        return [100] * len(times)
    shown = [slow_motion * 100.0 * (time - times[0]) for time in times]
    shown.append(shown[-1] + (shown[-1] - shown[-2]))
    ticks = [round(moment) for moment in shown]
    return [late - early for early, late in zip(ticks, ticks[1:], strict=False)]


def thin_out(times: Sequence[float], slow_motion: float = 1.0) -> list[int]:
    """Indices of the frames to show so that none is shown for less than `SHORTEST`; the first and the last stay."""
    chosen: list[int] = []
    for index, time in enumerate(times):
        if not chosen or slow_motion * 100.0 * (time - times[chosen[-1]]) >= SHORTEST - 1e-6:
            chosen.append(index)
    if chosen and chosen[-1] != len(times) - 1:
        chosen[-1] = len(times) - 1
    return chosen


def speed_label(slow_motion: float) -> str:
    """What is burnt in: "true speed", or how many times slower."""
    if slow_motion == 1.0:
        return "1x (true speed)"
    if math.isinf(slow_motion):
        return "Held still"
    return f"{1.0 / slow_motion:.3g}x speed ({slow_motion:.4g} times slower)"


def write_gif(
    path: str | os.PathLike,
    frames: Sequence[str | os.PathLike | np.ndarray],
    times: Sequence[float],
    slow_motion: float = 1.0,
    stamped: bool = True,
) -> None:
    """Write a GIF of frames (image files or (h, w, 3) uint8 arrays) at their simulation times (s).

    stamped: the simulation time and the speed are written in a strip below each picture; off for pictures that show
    them already, whose `times` then are those of the film. Raises FileError.
    """
    if len(frames) != len(times) or not len(frames):
        raise ValueError(
            f"{len(frames)} frames and {len(times)} times: give one time for each frame, and at least one"
        )
    if not slow_motion > 0.0:
        raise ValueError(f"slow motion {slow_motion:g} must be more than zero")
    chosen = thin_out(times, slow_motion)
    kept = [times[index] for index in chosen]
    pictures = [_load(frames[index]) for index in chosen]
    if stamped:
        pictures = [_stamp(picture, time, slow_motion) for picture, time in zip(pictures, kept, strict=True)]
    durations = [10 * ticks for ticks in frame_durations(kept, slow_motion)]
    buffer = io.BytesIO()
    pictures[0].save(
        buffer,
        format="GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=durations,
        loop=0,
        disposal=1,
    )
    atomic.write_bytes(path, buffer.getvalue())


def _load(frame: str | os.PathLike | np.ndarray) -> Image.Image:
    if isinstance(frame, np.ndarray):
        return Image.fromarray(frame).convert("RGB")
    with Image.open(Path(frame)) as image:
        return image.convert("RGB")


def _stamp(picture: Image.Image, time: float, slow_motion: float) -> Image.Image:
    """Add a dark strip below the picture with the time and the speed, large enough to read; it hides nothing."""
    text = f"t = {time:.3f} s   {speed_label(slow_motion)}"
    size = max(11, picture.height // 24)
    font = ImageFont.load_default(size)
    draw = ImageDraw.Draw(picture)
    while size > 8 and draw.textlength(text, font=font) > picture.width - size:
        size -= 1
        font = ImageFont.load_default(size)
    stamped = Image.new("RGB", (picture.width, picture.height + round(1.6 * size)), (20, 20, 20))
    stamped.paste(picture)
    place = (size // 2, picture.height + round(0.15 * size))
    ImageDraw.Draw(stamped).text(place, text, fill=(255, 255, 255), font=font)
    return stamped
