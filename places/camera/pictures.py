"""Pictures: read within bounds, distortion taken out, marks and outlines drawn into them."""

import os

import numpy as np
from PIL import Image, UnidentifiedImageError

from ...io_json import atomic
from ...io_json.errors import FileError
from .lens import Camera, distorted, largest_radius
from .match import Match

MOST_PIXELS = 200_000_000
"""Of a picture that is read; bigger ones take more memory than they are worth."""
ROWS = 256
"""Rows that are computed at a time, to keep memory small."""
COLOURS = {"used": (60, 220, 90), "check": (70, 160, 255), "outlier": (255, 60, 40)}


def read_picture(path: str | os.PathLike) -> np.ndarray:
    """(h, w, 3) bytes of a picture. Raises FileError."""
    try:
        with Image.open(path) as image:
            if image.width * image.height > MOST_PIXELS:
                raise FileError(f"has more than {MOST_PIXELS:,} pixels", path=path, remedy="Make it smaller")
            return np.asarray(image.convert("RGB"))
    except (OSError, ValueError, SyntaxError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        remedy = "Save it as PNG or JPEG"
        raise FileError(f"is no picture that can be read ({error})", path=path, remedy=remedy) from error


def write_picture(path: str | os.PathLike, pixels: np.ndarray) -> None:
    """Write (h, w, 3) bytes as PNG or JPEG by the name's ending. Raises FileError."""
    kinds = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG"}
    kind = kinds.get(os.path.splitext(os.fspath(path))[1].lower())
    if kind is None:
        raise FileError("is no name of a picture", path=path, remedy="End it with .png or .jpg")
    with atomic.writing(path) as file:
        Image.fromarray(pixels).save(file, kind)


def undistort(pixels: np.ndarray, camera: Camera) -> np.ndarray:
    """(h, w, 3) picture as a lens without distortion would have drawn it, with the same focal length and centre.

    What the lens did not draw is black.
    """
    height, width = pixels.shape[:2]
    made = np.zeros_like(pixels)
    columns = (np.arange(width) + 0.5 - camera.center_px[0]) / camera.focal_px
    for top in range(0, height, ROWS):
        rows = (np.arange(top, min(top + ROWS, height)) + 0.5 - camera.center_px[1]) / camera.focal_px
        flat = np.stack(np.meshgrid(columns, rows), axis=-1)
        beyond = (flat**2).sum(axis=-1) > largest_radius(camera.distortion) ** 2
        source = np.asarray(camera.center_px) + camera.focal_px * distorted(flat, camera.distortion) - 0.5
        made[top : top + len(rows)] = sampled(pixels, source, beyond)
    return made


def sampled(pixels: np.ndarray, at: np.ndarray, hidden: np.ndarray) -> np.ndarray:
    """Bilinear values of a picture at (..., 2) pixel centres; black outside of it and where `hidden`."""
    height, width = pixels.shape[:2]
    inside = ~hidden & (at >= -0.5).all(axis=-1) & (at[..., 0] <= width - 0.5) & (at[..., 1] <= height - 0.5)
    at = np.where(inside[..., None], at, 0.0)
    at = np.clip(at, 0.0, (width - 1.0, height - 1.0))
    low = np.minimum(at.astype(int), (max(width - 2, 0), max(height - 2, 0)))
    part = at - low
    x, y = low[..., 0], low[..., 1]
    right, below = np.minimum(x + 1, width - 1), np.minimum(y + 1, height - 1)
    a, b = part[..., :1], part[..., 1:]
    upper = pixels[y, x] * (1.0 - a) + pixels[y, right] * a
    lower = pixels[below, x] * (1.0 - a) + pixels[below, right] * a
    return np.where(inside[..., None], np.rint(upper * (1.0 - b) + lower * b), 0.0).astype(np.uint8)


def with_marks(pixels: np.ndarray, match: Match, marks: dict[str, tuple[float, float]]) -> np.ndarray:
    """A picture with a cross where each point was marked and a ring where the camera has it; pixels as taken.

    marks: name of a point to its pixel.
    """
    from PIL import ImageDraw

    image = Image.fromarray(pixels)
    draw = ImageDraw.Draw(image)
    arm = max(4, image.width // 160)
    for residual in match.residuals:
        (x, y), colour = marks[residual.name], COLOURS[residual.role]
        draw.line([(x - arm, y), (x + arm, y)], fill=colour, width=2)
        draw.line([(x, y - arm), (x, y + arm)], fill=colour, width=2)
        u, v = x + residual.error[0], y + residual.error[1]
        draw.ellipse([u - arm, v - arm, u + arm, v + arm], outline=colour, width=2)
        draw.text((x + arm + 3, y - 2 * arm), f"{residual.name} {residual.size:.1f}", fill=colour)
    return np.asarray(image)


def overlaid(photograph: np.ndarray, rendered: np.ndarray, blend: float, wipe: float) -> np.ndarray:
    """(h, w, 3) of a (h, w, 4) picture with straight alpha over a photograph (h, w, 3), all from 0 to 1.

    blend: share of the rendered picture. wipe: share of the width, from the left, in which it is shown.
    """
    share = blend * rendered[..., 3:].astype(float)
    share[:, round(wipe * rendered.shape[1]) :] = 0.0
    return (photograph * (1.0 - share) + rendered[..., :3] * share).astype(np.float32)
