"""Hair, brows and lashes, and the helmet, which is cut along a line of its own."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from .garments import ramp
from .mantle import FACE, FALLS, TUCK, forehead_line, mantle, scalp_chart
from .pieces import Piece, cloth
from .sheet import Sheet, border, cut, neighbours, whole_sheet
from .strands import brows, grown, line_strands
from .surface_points import quads_near
from .template import Template

HAIR_LINES = {
    "short": ((0, 30, 50, 70, 95, 125, 180), (0.60, 0.58, 0.44, 0.12, -0.15, -0.52, -0.62)),
    "helmet": ((0, 40, 70, 95, 125, 180), (0.45, 0.42, 0.30, 0.15, 0.0, -0.10)),
    "thinning": ((0, 45, 80, 95, 125, 180), (2.0, 2.0, 0.35, -0.10, -0.50, -0.60)),
}
"""Hair line by angle from straight ahead (degrees): height above the eyes, in heights of the skull above the eyes."""
THICKNESS = {"short": 0.013, "thinning": 0.005}
"""Metres that hair stands off the scalp, for a stature of 1.75 m."""
FINE_HAIRS = {"short": ((-84.0, 84.0),), "thinning": ((-92.0, -77.0), (77.0, 92.0))}
"""Degrees from straight ahead between which fine hairs come out along the hair line."""
HAIRS_TO_THE_METRE = 1900
STYLES = (*THICKNESS, *FALLS)
"""Hair that can be worn."""


def skull(template: Template) -> tuple[np.ndarray, float]:
    """(3,) middle of the head at the height of the eyes, and the height of the skull above it, m, on the base body."""
    body = template.base[template.points_of("body")]
    eyes = (template.joint("l-eye") + template.joint("r-eye")) / 2.0
    rise = float(body[:, 2].max() - eyes[2])
    head = body[body[:, 2] > eyes[2] - 0.3 * rise]
    return np.array([(head[:, 0].min() + head[:, 0].max()) / 2.0, 0.0, eyes[2]]), rise


def hair_line(style: str) -> tuple[np.ndarray, np.ndarray]:
    """(181,) whole degrees from straight ahead, and the smooth line over them."""
    angles = np.arange(181.0)
    line = np.interp(angles, *HAIR_LINES[style])
    window = np.hanning(25) / np.hanning(25).sum()
    return angles, np.convolve(np.pad(line, 12, "edge"), window, "valid")


def inside_hair(template: Template, sheet: Sheet, style: str) -> np.ndarray:
    """(n,) m inside the hair line."""
    points = sheet.mixed(template.base)
    middle, rise = skull(template)
    off = points - middle
    angles, line = hair_line(style)
    angle = np.degrees(np.abs(np.arctan2(off[:, 1], off[:, 0])))
    value = (off[:, 2] / rise - np.interp(angle, angles, line)) * rise
    if style in THICKNESS:  # ears are free
        value = np.minimum(value, (0.45 - sheet.mixed(template.masks["ears"])) * 0.02)
    value = np.minimum(value, (0.3 - sheet.mixed(template.masks["inside-mouth"])) * 0.02)
    return np.where(sheet.mixed(template.hold("head", "neck", "special", "temporalis")) > 0.3, value, -1.0)


@lru_cache(maxsize=8)
def hair(template: Template, style: str) -> tuple[Piece, ...]:
    """Hair of the head."""
    if style == "none":
        return ()
    if style in FALLS:
        middle, _ = skull(template)
        return mantle(template, style, middle), forehead_hairs(template, middle)
    return cap(template, style), *(fine_hairs(template, style, span) for span in FINE_HAIRS[style])


def cap(template: Template, style: str) -> Piece:
    """Short hair: a layer on the scalp that comes out of the skin along the hair line."""
    whole = whole_sheet(template.faces["body"])
    sheet = cut(whole, inside_hair(template, whole, style))
    offset = cap_offset(inside_hair(template, sheet, style), style)
    rate = np.full(len(offset), 0.3)
    edge = np.unique(border(sheet.faces))
    offset[edge], rate[edge] = -TUCK, 0.0
    return Piece("body", "hair", sheet, offset, 0.001, rate, 2, edges=neighbours(sheet.faces))


def cap_offset(depth: np.ndarray, style: str) -> np.ndarray:
    """(n,) metres off the scalp of short hair, (n,) metres inside the hair line."""
    return (THICKNESS[style] + TUCK) * np.sqrt(ramp(depth, 0.0, 0.025)) - TUCK


def fine_hairs(template: Template, style: str, span: tuple[float, float]) -> Piece:
    """Single hairs along the hair line of short hair, from one angle (degrees) to another."""
    middle, rise = skull(template)
    angles, heights = hair_line(style)
    degrees = np.linspace(*span, 180)
    around = 0.7 * rise  # metres of the chart to the radian, about the head's radius
    line = np.stack(
        [around * np.radians(degrees), rise * np.interp(np.abs(degrees), angles, heights)], axis=1
    )
    off = template.base - middle
    chart = np.stack([around * np.arctan2(off[:, 1], off[:, 0]), off[:, 2]], axis=1)
    is_near = (
        (np.abs(chart[:, 0]) < around * 2.2) & (chart[:, 1] > -0.3 * rise) & (template.masks["ears"] < 0.45)
    )
    return along_line(quads_near(template, is_near), chart, np.linalg.norm(off, axis=1), line, 0.0025)


def forehead_hairs(template: Template, middle: np.ndarray) -> Piece:
    """Single hairs along the hair line of falling hair."""
    quads, chart, away = scalp_chart(template, middle)
    line = forehead_line(np.radians(np.linspace(-FACE, FACE, 180)))
    return along_line(quads, chart, away, line, -0.001)


def along_line(
    quads: np.ndarray, chart: np.ndarray, outer: np.ndarray, line: np.ndarray, sweep: float
) -> Piece:
    """Hairs across a (m, 2) line of a chart in metres, see `strands.line_strands`."""
    count = round(HAIRS_TO_THE_METRE * np.linalg.norm(np.diff(line, axis=0), axis=1).sum())
    strands = line_strands(line, (0.006, 0.007), count, sweep)
    return grown("hair", strands, np.tile((0.0028, 0.0014, 0.0004), (count, 1)), quads, chart, outer)


@lru_cache(maxsize=1)
def face_hair(template: Template) -> tuple[Piece, ...]:
    """Brows and lashes."""
    whole = whole_sheet(template.faces["lashes"])
    # lower ones hardly show
    lashes = cut(whole, whole.mixed(template.base)[:, 2] - template.joint("l-eye")[2])
    return *brows(template), Piece("lashes", "lash", lashes, np.zeros(len(lashes.rows)))


@lru_cache(maxsize=1)
def helmet(template: Template) -> tuple[Piece, ...]:
    """A shell about the skull, rigid with the head."""
    whole = whole_sheet(template.faces["body"])
    sheet = cut(whole, inside_hair(template, whole, "helmet"))
    offset = np.full(len(sheet.rows), 0.030)
    shell = cloth("body", "helmet", sheet, offset, 0.6, 12, least=0.020)
    return (replace(shell, bone="head"),)
