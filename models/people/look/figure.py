"""All that is seen of somebody as one mesh: its pieces put together, what is the same for everybody kept."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from . import head, wardrobe
from .garments import straps
from .pieces import Piece, shape_of
from .sheet import Faces, whole_sheet
from .solids import EXTRAS, EYES, Solid
from .template import Template

TINTS = ("lips", "nails", "flush")
"""What the skin's colour varies with, as channels of the attribute `tint`."""


@dataclass(frozen=True)
class Outfit:
    """What somebody wears, by names of `wardrobe` and `head`."""

    upper: str = "t_shirt"
    lower: str = "trousers"
    feet: str = "shoes"
    hair: str = "short"
    extras: tuple[str, ...] = ()
    """Rigid things: helmet, glasses, rucksack"""


@dataclass(frozen=True, eq=False)
class Figure:
    """Pieces and solids in one numbering of vertices."""

    pieces: tuple[Piece, ...]
    solids: tuple[Solid, ...]
    faces: Faces
    finishes: tuple[str, ...]
    """Finishes in the order of material slots"""
    finish: np.ndarray
    """(f,) number of each face's finish"""
    weights: np.ndarray
    """(n, bones)"""
    rest: np.ndarray
    """(n, 3) places on the base body, m: what textures stick to"""
    tint: np.ndarray
    """(n, 3), see TINTS"""

    def placed(self, template: Template, points: np.ndarray) -> np.ndarray:
        """(n, 3) vertices on somebody whose template has its (rows, 3) points there, m."""
        shape = shape_of(template, points)
        solids = [solid.placed(template, points) for solid in self.solids]
        return np.vstack([*(piece.placed(shape) for piece in self.pieces), *solids])


def inner_parts(template: Template) -> list[Piece]:
    """Teeth and tongue."""
    made = []
    for part in ("teeth", "tongue"):
        sheet = whole_sheet(template.faces[part])
        made.append(Piece(part, part, sheet, np.zeros(len(sheet.rows))))
    return made


def pieces_of(template: Template, outfit: Outfit) -> tuple[Piece, ...]:
    """Skin, clothes, hair and what is in the mouth."""
    more: list[Piece] = inner_parts(template)
    if "helmet" in outfit.extras:
        more += head.helmet(template)
    if "rucksack" in outfit.extras:
        more += straps(template)
    return (
        *wardrobe.dressed(template, outfit.upper, outfit.lower, outfit.feet),
        *head.hair(template, outfit.hair),
        *head.face_hair(template),
        *more,
    )


@lru_cache(maxsize=16)
def figure_of(template: Template, outfit: Outfit) -> Figure:
    """The figure of an outfit; the same for everybody who wears it."""
    pieces = pieces_of(template, outfit)
    solids = (*EYES, *(solid for name in outfit.extras for solid in EXTRAS.get(name, ())))
    parts = [
        *((p.sheet.faces, (p.finish,) * len(p.sheet.faces), len(p.sheet.rows)) for p in pieces),
        *((s.faces, s.finishes, len(s.points)) for s in solids),
    ]
    faces: Faces = []
    names: list[str] = []
    count = 0
    for some, finishes, points in parts:
        faces += [tuple(count + i for i in face) for face in some]
        names += finishes
        count += points
    slots = tuple(dict.fromkeys(names))
    number = {name: k for k, name in enumerate(slots)}
    base, tints = shape_of(template, template.base), skin_tint(template)
    return Figure(
        pieces,
        solids,
        faces,
        slots,
        np.array([number[name] for name in names]),
        np.vstack(
            [*(piece_weights(template, p) for p in pieces), *(solid_weights(template, s) for s in solids)]
        ),
        np.vstack([*(p.placed(base) for p in pieces), *(s.placed(template, template.base) for s in solids)]),
        np.vstack([*(p.sheet.mixed(tints) for p in pieces), *(np.zeros((len(s.points), 3)) for s in solids)]),
    )


def piece_weights(template: Template, piece: Piece) -> np.ndarray:
    """(n, bones) hold of the bones on a piece."""
    if piece.bone:
        return only(template, piece.bone, len(piece.sheet.rows))
    weights = piece.sheet.mixed(template.weights)
    for stem, other in piece.passed:
        for side in (".L", ".R"):
            mine = [
                i for i, name in enumerate(template.bones) if name.startswith(stem) and name.endswith(side)
            ]
            weights[:, template.bones.index(other + side)] += weights[:, mine].sum(axis=1)
            weights[:, mine] = 0.0
    return weights


def solid_weights(template: Template, solid: Solid) -> np.ndarray:
    """(n, bones) hold of the bones on a solid: all of one."""
    return only(template, solid.bone, len(solid.points))


def only(template: Template, bone: str, count: int) -> np.ndarray:
    """(count, bones) weights of one bone."""
    weights = np.zeros((count, len(template.bones)), dtype=np.float32)
    weights[:, template.bones.index(bone)] = 1.0
    return weights


def skin_tint(template: Template) -> np.ndarray:
    """(rows, 3) lips, nails, and where blood shows: cheeks, nose, ears, knuckles, elbows and knees."""
    masks = template.masks
    nails = np.maximum(masks["fingernails"], masks["toenails"])
    eye, mouth = template.joint("l-eye"), template.joint("mouth")
    flush = 0.6 * masks["ears"]
    for place, size in (
        (np.array([eye[0], 0.045, 0.5 * (eye[2] + mouth[2]) - 0.010]), 0.028),
        (np.array([eye[0] + 0.03, 0.0, eye[2] - 0.035]), 0.014),
        *((template.joint(f"l-{name}"), 0.035) for name in ("elbow", "knee")),
        *((template.joint(f"l-finger-{k}-{j}"), 0.012) for k in range(2, 6) for j in (1, 2)),
    ):
        off = np.abs(template.base - place)
        off[:, 1] = np.abs(np.abs(template.base[:, 1]) - place[1])
        flush = np.maximum(flush, np.exp(-((off / size) ** 2).sum(axis=1)))
    return np.stack([masks["lips"], nails, flush], axis=1)
