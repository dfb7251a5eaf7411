"""Hair that falls over the ears: one surface from the crown to its lower end, round the face.

A grid about the head: columns by azimuth, rows down the scalp to where the head is widest, and from there, except at
the face, straight down along the head's own axis. What falls below the neck comes to lie on the back. So the hair has
one edge all round, in the skin at the forehead and turned in where it hangs. Sizes are assumed, by eye.
"""

from dataclasses import dataclass

import numpy as np

from .garments import ramp
from .pieces import Piece, cloth
from .sheet import MIXED, Faces, Sheet, border
from .surface_points import located, quads_near
from .template import Template

TUCK = 0.001
"""Metres that the edge of hair lies under the skin, so that no gap is seen below it, for a stature of 1.75 m."""
COLUMNS = 72
"""About the head."""
SCALP_ROWS = 8
HANGING = 76.0
"""Degrees from straight up, seen from the middle of the head: where hair leaves the head and hangs."""
FACE = 65.0
"""Degrees from straight ahead: hair hangs outside of it."""
FOREHEAD = ((0.0, 15.0, 35.0, 50.0, FACE), (50.0, 50.0, 53.0, 61.0, HANGING))
"""By azimuth, degrees from straight up: the hair line."""
RADIUS = 0.1
"""Metres of the chart to the radian from straight up; about the head's radius."""
THICK = ((0.0, 60.0, HANGING), (0.010, 0.013, 0.014))
"""By degrees from straight up: metres off the scalp, for a stature of 1.75 m."""
PARTING = np.radians(17.5)
"""Radians from straight ahead to the left: where hair is parted."""
ROW = 0.026
"""Metres between hanging rows on the base body."""


@dataclass(frozen=True)
class Fall:
    """How long hair is, and how it ends."""

    end: float
    """Metres above the lower end of the neck, on the base body"""
    turned_in: float
    """Metres that the end lies nearer to the head or the back than what is above it"""
    lies: bool
    """Whether it comes to lie on the back"""


FALLS = {"bob": Fall(0.030, 0.008, False), "long": Fall(-0.156, 0.006, True)}
"""By style: to the chin, to the shoulder blades."""
BACK = (0.050, -0.030)
"""Metres above the lower end of the neck between which falling hair comes to lie on the back."""
NAPE = 0.045
"""Metres that it does so higher up in the middle, where a heavy person's neck stands out."""
ON_BACK = 0.032
"""Metres off the skin of the back, over clothes."""
BACK_WIDTH = ((-0.06, 0.06), (0.100, 0.085))
"""By metres above the lower end of the neck: metres from the middle that hair lies on, at most."""


def azimuths() -> np.ndarray:
    """(COLUMNS,) radians from straight ahead, to the left; none is straight ahead or behind."""
    return 2.0 * np.pi * (np.arange(COLUMNS) + 0.5) / COLUMNS - np.pi


def edge_of_scalp(azimuth: np.ndarray) -> np.ndarray:
    """(n,) degrees from straight up where hair ends on the forehead, or begins to hang."""
    fine = np.arange(181.0)
    line = np.interp(fine, *FOREHEAD)
    window = np.hanning(13) / np.hanning(13).sum()
    smooth = np.convolve(np.pad(line, 6, "edge"), window, "valid")
    return np.interp(np.abs(np.degrees(azimuth)), fine, smooth)


def scalp_chart(template: Template, middle: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(f, 4) faces of the head, (points, 2) chart in metres of arc from the crown, and (points,) distance from the
    middle of the head."""
    off = template.base - middle
    away = np.linalg.norm(off, axis=1)
    tilt = np.arccos(np.clip(off[:, 2] / np.maximum(away, 1e-9), -1.0, 1.0))
    turn = np.arctan2(off[:, 1], off[:, 0])
    chart = RADIUS * tilt[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    is_near = (np.degrees(tilt) < HANGING + 30.0) & (template.base[:, 2] > middle[2] - 0.06)
    return quads_near(template, is_near), chart, away


def on_scalp(azimuth: np.ndarray, degrees: np.ndarray) -> np.ndarray:
    """(n, 2) places on the chart of the scalp."""
    return RADIUS * np.radians(degrees)[:, None] * np.stack([np.cos(azimuth), np.sin(azimuth)], axis=1)


def waves(azimuth: np.ndarray) -> np.ndarray:
    """(n,) -1 to 1: locks, about the head."""
    return (
        0.5 * np.sin(11.0 * azimuth + 0.7) + 0.3 * np.sin(17.0 * azimuth + 2.1) + 0.2 * np.sin(5.0 * azimuth)
    )


def parting(azimuth: np.ndarray, degrees: np.ndarray) -> np.ndarray:
    """(n,) 0 to 1: how near a place on the scalp is to the parting, which runs from the hair line to the crown."""
    off = np.radians(degrees) * RADIUS * np.sin(azimuth - PARTING)
    return (
        np.exp(-((off / 0.006) ** 2)) * ramp(np.cos(azimuth - PARTING), 0.0, 0.3) * ramp(degrees, 4.0, 16.0)
    )


def mantle(template: Template, style: str, middle: np.ndarray) -> Piece:
    """Falling hair of a style of FALLS; `middle` is that of the head on the base body, m."""
    azimuth = azimuths()
    hangs = np.flatnonzero(np.abs(np.degrees(azimuth)) > FACE)
    levels, start = hanging_levels(template, style, middle)
    scalp, scalp_offset = scalp_rows(template, middle, azimuth)
    count = len(levels)
    locks = Locks(
        FALLS[style],
        np.tile(azimuth[hangs], count),
        np.tile(1 + (SCALP_ROWS - 1) * COLUMNS + hangs, count),
        np.repeat(levels, len(hangs)),
        np.repeat(start - levels, len(hangs)),
        np.repeat(np.linspace(1.0 / count, 1.0, count), len(hangs)),
    )
    held = held_by_head(template, locks)
    hanging = hanging_rows(template, scalp, locks, held)
    sheet = Sheet(
        np.vstack([scalp.rows, hanging.rows]),
        np.vstack([scalp.shares, hanging.shares]),
        grid(hangs, count),
    )
    rate = np.where(np.arange(len(sheet.rows)) < len(scalp.rows), 0.0, 0.5)
    rate[np.unique(border(sheet.faces))] = 0.0
    offset = np.concatenate([scalp_offset, hanging_offset(locks, held)])
    return cloth("body", "hair", sheet, offset, rate, 4)


def scalp_rows(template: Template, middle: np.ndarray, azimuth: np.ndarray) -> tuple[Sheet, np.ndarray]:
    """The crown and SCALP_ROWS rows about it, and their metres off the scalp."""
    edge = edge_of_scalp(azimuth)
    share = np.arange(1, SCALP_ROWS + 1)[:, None] / SCALP_ROWS
    degrees = (share * edge).ravel()
    turns = np.tile(azimuth, SCALP_ROWS)
    quads, chart, away = scalp_chart(template, middle)
    sheet = located(quads, chart, away, np.vstack([[[0.0, 0.0]], on_scalp(turns, degrees)]))
    inside = np.radians(np.maximum(np.tile(edge, SCALP_ROWS) - degrees, 0.0)) * RADIUS
    is_open = 1.0 - ramp(np.abs(np.degrees(turns)), FACE - 8.0, FACE + 3.0)
    thick = np.interp(degrees, *THICK) * (1.0 + 0.12 * waves(turns) * degrees / HANGING)
    thick *= 1.0 - 0.65 * parting(turns, degrees)
    tucked = -TUCK + (thick + TUCK) * np.sqrt(ramp(inside, 0.0, 0.030))
    offset = is_open * tucked + (1.0 - is_open) * thick
    return sheet, np.concatenate([[THICK[1][0]], offset])


def hanging_levels(template: Template, style: str, middle: np.ndarray) -> tuple[np.ndarray, float]:
    """(rows,) heights of the hanging rows on the base body, and the height that they hang from, m."""
    start = middle[2] + 0.02
    end = template.joint("neck")[2] + FALLS[style].end
    count = round((start - end) / ROW)
    return start + (end - start) * np.arange(1, count + 1) / count, start


@dataclass(frozen=True)
class Locks:
    """Vertices of the hanging rows, column by column within a row."""

    fall: Fall
    azimuth: np.ndarray
    """(n,) radians from straight ahead"""
    roots: np.ndarray
    """(n,) vertex of the scalp's last row that each hangs from"""
    level: np.ndarray
    """(n,) metres above the ground on the base body"""
    drop: np.ndarray
    """(n,) metres below the root on the base body"""
    fallen: np.ndarray
    """(n,) share of the whole fall, 1 at the end"""


def held_by_head(template: Template, locks: Locks) -> np.ndarray:
    """(n,) 1 to 0: how far locks go with the head, and not with the back; at the nape they come to lie first."""
    if not locks.fall.lies:
        return np.ones(len(locks.level))
    higher = NAPE * ramp(np.abs(np.degrees(locks.azimuth)), 95.0, 140.0)
    return ramp(locks.level - template.joint("neck")[2] - higher, BACK[1], BACK[0])


def hanging_rows(template: Template, scalp: Sheet, locks: Locks, held: np.ndarray) -> Sheet:
    """Locks without faces: their roots moved along the head's axis, and the less the head holds them, the more a place
    of the back."""
    upper, lower = template.joints["head-2"], template.joints["head"]
    along = locks.drop / (template.base[upper, 2] - template.base[lower, 2])
    along *= 1.0 + 0.018 * waves(locks.azimuth + 0.4) * locks.fallen
    rows, shares = np.zeros((len(held), MIXED), dtype=int), np.zeros((len(held), MIXED))
    rows[:, :3] = scalp.rows[locks.roots, :3]
    shares[:, :3] = held[:, None] * scalp.shares[locks.roots, :3]
    rows[:, 3:5] = (upper, lower)
    shares[:, 3], shares[:, 4] = -held * along, held * along
    lying = np.flatnonzero(held < 1.0)
    if len(lying):
        back = on_back(template, locks.azimuth[lying], locks.level[lying])
        rows[lying, 5:] = back.rows[:, :3]
        shares[lying, 5:] = (1.0 - held[lying])[:, None] * back.shares[:, :3]
    return Sheet(rows, shares, [])


def hanging_offset(locks: Locks, held: np.ndarray) -> np.ndarray:
    """(n,) metres of the locks off the body: close to the face, wavier and wider the further down, turned in at the
    end, and with a bow where they go over the shoulder."""
    side = ramp(np.abs(np.degrees(locks.azimuth)), FACE, FACE + 30.0)
    wavy = (0.12 + 0.2 * locks.fallen) * waves(locks.azimuth)
    thick = THICK[1][-1] * (0.6 + 0.4 * side + wavy) + 0.005 * side * locks.fallen
    thick = held * thick + (1.0 - held) * ON_BACK + 0.05 * held * (1.0 - held)
    return thick - locks.fall.turned_in * ramp(locks.fallen, 0.6, 1.0)


def on_back(template: Template, azimuth: np.ndarray, heights: np.ndarray) -> Sheet:
    """Places on the back at heights (m) of the base body, the further out the further forward a lock comes from."""
    base = template.base
    is_near = (base[:, 0] < 0.05) & (np.abs(base[:, 1]) < 0.16) & (base[:, 2] > 1.15) & (base[:, 2] < 1.5)
    neck = template.joint("neck")
    reach = np.minimum(np.pi - np.abs(azimuth), 0.5 * np.pi)
    across = np.sign(azimuth) * np.interp(heights - neck[2], *BACK_WIDTH) * np.sin(reach)
    places = np.stack([across, heights], axis=1)
    return located(quads_near(template, is_near), base[:, 1:], neck[0] - base[:, 0], places)


def grid(hangs: np.ndarray, rows: int) -> Faces:
    """Faces between the crown, the rows of the scalp and the hanging rows."""
    faces: Faces = [(0, 1 + j, 1 + (j + 1) % COLUMNS) for j in range(COLUMNS)]
    for i in range(SCALP_ROWS - 1):
        above, below = 1 + i * COLUMNS, 1 + (i + 1) * COLUMNS
        faces += [
            (above + j, below + j, below + (j + 1) % COLUMNS, above + (j + 1) % COLUMNS)
            for j in range(COLUMNS)
        ]
    number = np.full((rows + 1, COLUMNS), -1)
    number[0] = 1 + (SCALP_ROWS - 1) * COLUMNS + np.arange(COLUMNS)
    number[1:, hangs] = 1 + SCALP_ROWS * COLUMNS + np.arange(rows * len(hangs)).reshape(rows, -1)
    for above, below in zip(number[:-1], number[1:], strict=True):
        for j in range(COLUMNS):
            face = (above[j], below[j], below[(j + 1) % COLUMNS], above[(j + 1) % COLUMNS])
            if min(face) >= 0:
                faces.append(tuple(int(corner) for corner in face))
    return faces


def forehead_line(azimuth: np.ndarray) -> np.ndarray:
    """(n, 2) the hair line on the chart of the scalp."""
    return on_scalp(azimuth, edge_of_scalp(azimuth))
