"""Hairs as thin pointed strips of faces on the skin: brows, and the fine hairs along a hair line.

As geometry they look the same in every renderer and in the page, and a pixel that they cover in part is soft. Chance is
taken from the raw bits of a generator, which are the same on every machine. Lengths, widths and directions are assumed,
by eye.
"""

from dataclasses import dataclass

import numpy as np

from .pieces import Piece
from .sheet import Faces, Sheet
from .surface_points import located, quads_near
from .template import Template

CORNERS = 5
"""Vertices of a strip: two at the root, two at mid-length, one at the tip."""


@dataclass(frozen=True)
class Strands:
    """Hairs on a chart, all in its metres: (n, 2) roots, middles and tips, and (n,) half widths at the root."""

    roots: np.ndarray
    middles: np.ndarray
    tips: np.ndarray
    half_widths: np.ndarray


def chance(count: int, number: int) -> np.ndarray:
    """(count,) random numbers from 0 to 1, always the same; `number` chooses the row of them."""
    return np.random.PCG64(number).random_raw(count) / 2.0**64


def spread(count: int, number: int) -> np.ndarray:
    """(count,) rising random numbers from 0 to 1, one in each of as many equal parts."""
    return (np.arange(count) + chance(count, number)) / count


def unit(angles: np.ndarray) -> np.ndarray:
    """(n, 2) directions of (n,) angles, radians."""
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


def strips(strands: Strands) -> tuple[np.ndarray, Faces]:
    """(CORNERS n, 2) vertices of the strips on the chart, and their faces."""
    along = strands.tips - strands.roots
    side = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.linalg.norm(along, axis=1, keepdims=True)
    side *= strands.half_widths[:, None]
    corners = np.stack(
        [
            strands.roots - side,
            strands.roots + side,
            strands.middles + 0.8 * side,
            strands.middles - 0.8 * side,
            strands.tips,
        ],
        axis=1,
    )
    faces: Faces = []
    for base in range(0, CORNERS * len(along), CORNERS):
        faces += [(base, base + 3, base + 2, base + 1), (base + 3, base + 4, base + 2)]
    return corners.reshape(-1, 2), faces


def grown(
    finish: str,
    strands: Strands,
    heights: np.ndarray,
    quads: np.ndarray,
    chart: np.ndarray,
    outer: np.ndarray,
) -> Piece:
    """Strands as a piece on the body; `heights` are (n, 3) metres off the skin at root, middle and tip."""
    places, faces = strips(strands)
    sheet = located(quads, chart, outer, places)
    return Piece("body", finish, Sheet(sheet.rows, sheet.shares, faces), heights[:, [0, 0, 1, 1, 2]].ravel())


# ---- brows

BROW_HAIRS = 300
"""Of one brow"""
BROW_ENDS = (0.0125, 0.0560)
"""Metres from the middle of the face on the base body: inner end, above the corner of the eye, and outer end."""
BROW_HEIGHT = ((0.0, 0.25, 0.6, 0.8, 1.0), (0.0205, 0.0228, 0.0252, 0.0240, 0.0195))
"""Along the brow from its inner end: metres above the middle of the eye on the base body."""
BROW_HALF = ((0.0, 0.08, 0.3, 0.6, 1.0), (0.0014, 0.0022, 0.0023, 0.0016, 0.0003))
"""Along the brow: metres that roots are above or below its middle, at most."""
BROW_LENGTH = ((0.0, 0.25, 0.7, 1.0), (0.0050, 0.0075, 0.0070, 0.0045))
BROW_RISE = ((0.0, 0.15, 0.4, 1.0), (74.0, 48.0, 22.0, 3.0))
"""Along the brow: degrees by which hairs point up from its line."""


def brow_strands() -> Strands:
    """Hairs of the left brow on the chart (y, height above the eye)."""
    count = BROW_HAIRS
    along, across = 0.96 * spread(count, 0), 2.0 * chance(count, 1) - 1.0
    line = np.interp(along, *BROW_HEIGHT)
    roots = np.stack(
        [
            BROW_ENDS[0] + (BROW_ENDS[1] - BROW_ENDS[0]) * along,
            line + across * np.interp(along, *BROW_HALF),
        ],
        axis=1,
    )
    slope = np.arctan2(
        np.interp(along + 0.05, *BROW_HEIGHT) - np.interp(along - 0.05, *BROW_HEIGHT),
        0.1 * (BROW_ENDS[1] - BROW_ENDS[0]),
    )
    # hairs lean on each other: those below point more upwards, those above less
    turn = np.interp(along, *BROW_RISE) - 13.0 * across + 26.0 * (chance(count, 2) - 0.5)
    length = np.interp(along, *BROW_LENGTH) * (0.65 + 0.6 * chance(count, 3))
    start, end = slope + np.radians(turn), slope + np.radians(0.55 * turn)
    middles = roots + 0.5 * length[:, None] * unit(start)
    tips = middles + 0.5 * length[:, None] * unit(end)
    return Strands(roots, middles, tips, 0.00007 + 0.00006 * chance(count, 4))


def brows(template: Template) -> tuple[Piece, ...]:
    """Both brows, the right one the mirror image of the left."""
    eye = template.joint("l-eye")
    chart = template.base[:, 1:] - (0.0, eye[2])
    outer = template.base[:, 0]
    is_near = (outer > eye[0] - 0.06) & (np.abs(chart[:, 1] - 0.022) < 0.035)
    strands = brow_strands()
    heights = np.tile((0.0002, 0.0007, 0.0005), (BROW_HAIRS, 1))
    made = []
    for sign in (1.0, -1.0):
        quads = quads_near(template, is_near & (sign * chart[:, 0] > -0.004))
        made.append(grown("brow", strands, heights, quads, chart * (sign, 1.0), outer))
    return tuple(made)


# ---- hair line


def line_strands(line: np.ndarray, depth: tuple[float, float], count: int, sweep: float) -> Strands:
    """Hairs that come out of the hair along a (m, 2) line of a chart, with the hair on the line's left.

    `depth` are metres that roots lie inside and tips outside, at most; `sweep` is how far tips lie along the line.
    """
    steps = np.linalg.norm(np.diff(line, axis=0), axis=1)
    at = np.concatenate([[0.0], np.cumsum(steps)])
    where = at[-1] * spread(count, 5)
    points = np.stack([np.interp(where, at, line[:, k]) for k in range(2)], axis=1)
    ahead = np.stack(
        [
            np.interp(where + 0.004, at, line[:, k]) - np.interp(where - 0.004, at, line[:, k])
            for k in range(2)
        ],
        axis=1,
    )
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    inward = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
    inner = depth[0] * (0.5 + 0.5 * chance(count, 6))[:, None]
    outside = (depth[1] * (0.15 + 0.85 * chance(count, 7) ** 2))[:, None]
    drift = (sweep + 0.005 * (chance(count, 8) - 0.5))[:, None]
    roots = points + inner * inward - 0.5 * drift * ahead
    tips = points - outside * inward + drift * ahead
    return Strands(roots, 0.45 * roots + 0.55 * tips, tips, 0.00020 + 0.00016 * chance(count, 9))
