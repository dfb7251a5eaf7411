"""Hair, brows and lashes, and the helmet, which is cut along a line of its own."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from .garments import ramp
from .pieces import Piece, cloth
from .sheet import Sheet, cut, neighbours, whole_sheet
from .template import Template

HAIR_LINES = {
    "short": ((0, 30, 50, 70, 95, 125, 180), (0.60, 0.58, 0.44, 0.12, -0.15, -0.52, -0.62)),
    "bob": ((0, 30, 45, 65, 95, 125, 180), (0.60, 0.57, 0.40, -0.15, -0.75, -0.95, -1.0)),
    "long": ((0, 30, 45, 65, 95, 125, 180), (0.60, 0.57, 0.40, -0.15, -0.75, -0.95, -1.0)),
    "helmet": ((0, 40, 70, 95, 125, 180), (0.45, 0.42, 0.30, 0.15, 0.0, -0.10)),
    "thinning": ((0, 45, 80, 95, 125, 180), (2.0, 2.0, 0.35, -0.10, -0.50, -0.60)),
}
"""Hair line by angle from straight ahead (degrees): height above the eyes, in heights of the skull above the eyes."""
THICKNESS = {"short": 0.013, "bob": 0.025, "long": 0.025, "thinning": 0.005}
"""Metres that hair stands off the scalp, for a stature of 1.75 m."""

FALLING = {"bob": 0.03, "long": -0.156}
"""Metres above the lower end of the neck that locks fall to, on the base body: to the chin, to the shoulder blades."""


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
    if style in ("short", "thinning"):  # ears are free
        value = np.minimum(value, (0.45 - sheet.mixed(template.masks["ears"])) * 0.02)
    value = np.minimum(value, (0.3 - sheet.mixed(template.masks["inside-mouth"])) * 0.02)
    return np.where(sheet.mixed(template.hold("head", "neck", "special", "temporalis")) > 0.3, value, -1.0)


def inside_brow(template: Template, sheet: Sheet) -> np.ndarray:
    """(n,) m inside the brows: a bent band above each eye, thinner to the outside."""
    points = sheet.mixed(template.base)
    middle, rise = skull(template)
    eye = template.joint("l-eye")
    along = (np.abs(points[:, 1]) - eye[1] - 0.03 * rise) / (0.25 * rise)
    height = points[:, 2] - eye[2] - 0.205 * rise - 0.020 * rise * along + 0.055 * rise * along**2
    across = height / (0.027 * rise * np.maximum(1.05 - 0.45 * along, 0.1))
    return np.where(points[:, 0] > middle[0] + 0.3 * rise, (1.0 - along**4 - across**2) * 0.01, -1.0)


@lru_cache(maxsize=8)
def hair(template: Template, style: str) -> tuple[Piece, ...]:
    """Hair of the head."""
    if style == "none":
        return ()
    whole = whole_sheet(template.faces["body"])
    sheet = cut(whole, inside_hair(template, whole, style))
    depth = np.maximum(inside_hair(template, sheet, style), 0.0)
    offset = THICKNESS[style] * (0.06 + 0.94 * ramp(depth, 0.0, 0.02))
    edges = neighbours(sheet.faces)
    solid = ramp(depth, -0.004, 0.010)
    cap = Piece("body", "hair", sheet, offset, 0.001, np.full(len(offset), 0.3), 2, solid=solid, edges=edges)
    return (cap, falling_hair(template, style)) if style in FALLING else (cap,)


def falling_hair(template: Template, style: str) -> Piece:
    """Locks that fall over and behind the ears."""
    whole = whole_sheet(template.faces["hair"])
    middle, rise = skull(template)
    points = whole.mixed(template.base)
    end = template.joint("neck")[2] + FALLING[style]
    behind = middle[0] + 0.10 * rise - points[:, 0]
    sheet = cut(whole, np.minimum(behind, points[:, 2] - end))
    above = sheet.mixed(template.base)[:, 2] - end
    return Piece(
        "hair", "hair", sheet, np.full(len(above), 0.002), solid=0.15 + 0.85 * ramp(above, 0.0, 0.05)
    )


@lru_cache(maxsize=1)
def face_hair(template: Template) -> tuple[Piece, ...]:
    """Brows and lashes."""
    whole = whole_sheet(template.faces["body"])
    sheet = cut(whole, inside_brow(template, whole))
    depth = np.maximum(inside_brow(template, sheet), 0.0)
    brow = Piece(
        "body",
        "brow",
        sheet,
        0.0004 + 0.0012 * ramp(depth, 0.0, 0.004),
        solid=0.15 + 0.55 * ramp(depth, 0.0, 0.006),
    )
    lashes = whole_sheet(template.faces["lashes"])
    lashes = cut(
        lashes, lashes.mixed(template.base)[:, 2] - template.joint("l-eye")[2]
    )  # lower ones hardly show
    return brow, Piece("lashes", "lash", lashes, np.zeros(len(lashes.rows)))


@lru_cache(maxsize=1)
def helmet(template: Template) -> tuple[Piece, ...]:
    """A shell about the skull, rigid with the head."""
    whole = whole_sheet(template.faces["body"])
    sheet = cut(whole, inside_hair(template, whole, "helmet"))
    offset = np.full(len(sheet.rows), 0.030)
    shell = cloth("body", "helmet", sheet, offset, 0.6, 12, least=0.020)
    return (replace(shell, bone="head"),)
