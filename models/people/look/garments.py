"""Clothes: where each is cut out of the template, how far it stands off the body, and what skin it hides.

Lines are given on the base body of the template, in its metres, from its own joint centres: a hem lies a share of the
base's height above or below a joint, and on everybody else where the same place of the body is.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .pieces import Piece, cloth
from .sheet import Sheet, cut, whole_sheet
from .template import Template

Region = Callable[[Template, Sheet], np.ndarray]
"""(n,) how far (m) the vertices of a sheet are inside a garment; negative outside."""

ARM = ("upperarm", "lowerarm", "wrist", "finger", "metacarpal")
FAR = 1.0
"""Metres: well inside."""

WAIST, HEM, TUCKED = 0.985, 0.868, 0.958
"""Metres on the base body (hip joints at 0.865): waistband, hem of a shirt worn outside, end of a tucked-in one."""
ANKLE, KNEE = 0.072, 0.447


def ramp(value: np.ndarray, low: float, high: float) -> np.ndarray:
    """0 at low, 1 at high, smooth between and constant beyond."""
    along = np.clip((value - low) / (high - low), 0.0, 1.0)
    return along * along * (3.0 - 2.0 * along)


def higher_of(first: np.ndarray, second: np.ndarray, blend: float) -> np.ndarray:
    """Smooth maximum over a width."""
    apart = np.abs(first - second)
    return np.maximum(first, second) + np.maximum(blend - apart, 0.0) ** 2 / (4.0 * blend)


def above_shoulder_end(template: Template, sheet: Sheet, end: float) -> np.ndarray:
    """(n,) m above a sleeve's end: 0 shoulder, 1 elbow, 2 wrist; no arm: far inside."""
    points, hold = sheet.mixed(template.base), sheet.mixed(template.hold(*ARM))
    value = np.full(len(points), FAR)
    for side, sign in (("l", 1.0), ("r", -1.0)):
        joints = [template.joint(f"{side}-{name}") for name in ("shoulder", "elbow", "hand")]
        first, second = joints[:2] if end <= 1.0 else joints[1:]
        along = (second - first) / np.linalg.norm(second - first)
        at = first + (second - first) * (end if end <= 1.0 else end - 1.0)
        mine = (points[:, 1] * sign > 0.0) & (hold > 0.3)
        value[mine] = (at - points[mine]) @ along
    return value


def below_collar(template: Template, sheet: Sheet, drop: float = 0.0, wide: float = 1.0) -> np.ndarray:
    """(n,) m below a ring about the neck: a plane that falls to the front, and a cylinder about the neck."""
    points = sheet.mixed(template.base)
    neck, head = template.joint("neck"), template.joint("head")
    tilt = np.array([0.55, 0.0, 1.0]) / np.linalg.norm([0.55, 0.0, 1.0])
    axis = (head - neck) / np.linalg.norm(head - neck)
    off = points - neck
    radius = np.linalg.norm(off - np.outer(off @ axis, axis), axis=1)
    below = (neck + tilt * 0.002 - points) @ tilt - drop
    return np.minimum(higher_of(below, radius - 0.085 * wide, 0.03), below + 0.045)


def above_hem(template: Template, sheet: Sheet, height: float) -> np.ndarray:
    """(n,) m above a level hem; arms do not count."""
    points, hold = sheet.mixed(template.base), sheet.mixed(template.hold(*ARM))
    return np.where(hold > 0.5, FAR, points[:, 2] - height)


def top(sleeve: float, hem: float, drop: float = 0.0, wide: float = 1.0) -> Region:
    """Region of a garment of the upper body."""

    def inside(template: Template, sheet: Sheet) -> np.ndarray:
        return np.minimum.reduce(
            [
                above_shoulder_end(template, sheet, sleeve),
                below_collar(template, sheet, drop, wide),
                above_hem(template, sheet, hem),
            ]
        )

    return inside


def band(low: float, high: float) -> Region:
    """Region between two levels, without arms."""

    def inside(template: Template, sheet: Sheet) -> np.ndarray:
        points, hold = sheet.mixed(template.base), sheet.mixed(template.hold(*ARM))
        return np.where(hold > 0.3, -FAR, np.minimum(high - points[:, 2], points[:, 2] - low))

    return inside


def open_front(region: Region) -> Region:
    """A region without a wedge at the front, widest at the collar: an open jacket."""

    def inside(template: Template, sheet: Sheet) -> np.ndarray:
        points = sheet.mixed(template.base)
        width = 0.012 + 0.05 * ramp(points[:, 2], 1.10, 1.36)
        front = points[:, 0] > template.joint("spine-2")[0]
        return np.minimum(region(template, sheet), np.where(front, np.abs(points[:, 1]) - width, FAR))

    return inside


def sheet_of(template: Template, part: str, region: Region) -> Sheet:
    """A part of the template, cut to a region."""
    whole = whole_sheet(template.faces[part])
    return cut(whole, region(template, whole))


def heights(template: Template, sheet: Sheet) -> np.ndarray:
    """(n,) heights of a sheet's vertices on the base body, m."""
    return sheet.mixed(template.base)[:, 2]


def upper(region: Region, thickness: float, finish: str = "upper", loose: float = 0.006) -> Callable:
    """Maker of a garment of the upper body: thinnest at the shoulders, looser towards the hem, drawn smooth."""

    def make(template: Template) -> list[Piece]:
        sheet = sheet_of(template, "tights", region)
        z = heights(template, sheet)
        sleeve = sheet.mixed(template.hold("upperarm", "lowerarm", "wrist"))
        offset = thickness + loose * ramp(-z, -1.12, -0.92) + 0.5 * loose * ramp(sleeve, 0.4, 1.0)
        rate = (0.5 - 0.5 * ramp(z, 1.24, 1.35)) * ramp(z, z.min(), z.min() + 0.10)
        return [cloth("tights", finish, sheet, offset, rate, 6)]

    return make


COLLAR = 0.027
"""Metres: width of a collar on the base body."""


def collar(thickness: float, finish: str = "upper", gap: float = 0.012) -> Callable:
    """Maker of a turned-down collar: a strip that stands up along the neck, and one that falls outside."""

    def inside(template: Template, sheet: Sheet) -> np.ndarray:
        points, below = sheet.mixed(template.base), below_collar(template, sheet)
        front = np.where(points[:, 0] > template.joint("neck")[0] + 0.03, np.abs(points[:, 1]) - gap, FAR)
        return np.minimum(0.5 * COLLAR - np.abs(below - 0.5 * COLLAR), front)

    def make(template: Template) -> list[Piece]:
        ring = sheet_of(template, "tights", inside)
        down = np.clip(below_collar(template, ring) / COLLAR, 0.0, 1.0)
        stand = thickness + 0.002 * (1.0 - down)
        fall = thickness + 0.004 + 0.003 * down
        return [
            Piece("tights", finish, ring, stand, lift=0.020 * (1.0 - down)),
            cloth("tights", finish, ring, fall, lift=0.022 * (1.0 - down)),
        ]

    return make


def trousers(low: float, high: float = HEM + 0.05, wide: float = 1.0) -> Callable:
    """Maker of trousers or shorts: close at the waist, hanging free of the calf."""

    def make(template: Template) -> list[Piece]:
        sheet = sheet_of(template, "tights", band(low, high))
        z = heights(template, sheet)
        offset = 0.005 + wide * (0.006 * ramp(-z, -0.86, -0.6) + 0.010 * ramp(-z, -0.5, -0.15))
        made = cloth("tights", "lower", sheet, offset, 0.5 * ramp(-z, -0.85, -0.72), 10)
        return [replace(made, passed=(("foot", "lowerleg02"), ("toe", "lowerleg02")))]

    return make


def belt(template: Template) -> list[Piece]:
    """A leather belt on the waistband."""
    sheet = sheet_of(template, "tights", band(WAIST - 0.036, WAIST - 0.002))
    return [cloth("tights", "belt", sheet, np.full(len(sheet.rows), 0.012), 0.1, 2)]


def skirt(low: float, high: float, finish: str) -> Callable:
    """Maker of a skirt or of the lower part of a dress."""

    def make(template: Template) -> list[Piece]:
        sheet = sheet_of(template, "skirt", band(low, high))
        return [cloth("skirt", finish, sheet, np.full(len(sheet.rows), 0.010), 0.3, 4)]

    return make


SOLE = 0.020
"""Metres on the base body: upper edge of a sole."""


def shoes(template: Template) -> list[Piece]:
    """Low shoes: leather above, and a sole that stands out a little and is flat below."""
    leather = sheet_of(template, "tights", band(SOLE - 0.004, ANKLE + 0.026))
    sole = sheet_of(template, "tights", band(-FAR, SOLE))
    z = heights(template, leather)
    rate = 0.5 * ramp(-z, -ANKLE - 0.01, -ANKLE + 0.02)
    made = [
        cloth("tights", "shoes", leather, np.full(len(z), 0.006), rate, 4, on_floor=True),
        cloth("tights", "sole", sole, np.full(len(sole.rows), 0.010), 0.3, 2, on_floor=True),
    ]
    return [replace(piece, passed=(("lowerleg", "foot"), ("toe", "foot"))) for piece in made]


def placket(thickness: float) -> Callable:
    """Maker of the strip down the front of a shirt that its buttons are on."""

    def inside(template: Template, sheet: Sheet) -> np.ndarray:
        points = sheet.mixed(template.base)
        front = np.where(points[:, 0] > template.joint("spine-2")[0], 0.015 - np.abs(points[:, 1]), -FAR)
        return np.minimum.reduce([front, below_collar(template, sheet) - 0.004, points[:, 2] - TUCKED])

    def make(template: Template) -> list[Piece]:
        sheet = sheet_of(template, "tights", inside)
        return [cloth("tights", "upper", sheet, np.full(len(sheet.rows), thickness))]

    return make


def straps(template: Template) -> list[Piece]:
    """Straps of a rucksack over the shoulders."""

    def inside(template: Template, sheet: Sheet) -> np.ndarray:
        points = sheet.mixed(template.base)
        strip = 0.015 - np.abs(np.abs(points[:, 1]) - 0.100)
        return np.minimum(strip, points[:, 2] - np.where(points[:, 0] > 0.0, 1.12, 1.18))

    sheet = sheet_of(template, "tights", inside)
    return [cloth("tights", "pack", sheet, np.full(len(sheet.rows), 0.017))]
