"""All that is seen of somebody as one mesh: its pieces put together, what is the same for everybody kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from . import head, wardrobe
from .pieces import Piece, shape_of
from .sheet import Faces, whole_sheet
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
    """Pieces and eyeballs in one numbering of vertices."""

    pieces: tuple[Piece, ...]
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
    solid: np.ndarray
    """(n,)"""

    def placed(self, template: Template, points: np.ndarray) -> np.ndarray:
        """(n, 3) vertices on somebody whose template has its (rows, 3) points there, m."""
        shape = shape_of(template, points)
        ball, _, _ = head.eyeball()
        eyes = [centre + radius * ball for centre, radius in head.eye_places(template, points).values()]
        return np.vstack([*(piece.placed(shape) for piece in self.pieces), *eyes])


def inner_parts(template: Template) -> list[Piece]:
    """Teeth and tongue."""
    made = []
    for part in ("teeth", "tongue"):
        sheet = whole_sheet(template.faces[part])
        made.append(Piece(part, part, sheet, np.zeros(len(sheet.rows))))
    return made


@lru_cache(maxsize=16)
def figure_of(template: Template, outfit: Outfit) -> Figure:
    """The figure of an outfit; the same for everybody who wears it."""
    pieces = (
        *wardrobe.dressed(template, outfit.upper, outfit.lower, outfit.feet),
        *head.hair(template, outfit.hair),
        *head.face_hair(template),
        *inner_parts(template),
    )
    faces: Faces = []
    names: list[str] = []
    count = 0
    for piece in pieces:
        faces += [tuple(count + i for i in face) for face in piece.sheet.faces]
        names += [piece.finish] * len(piece.sheet.faces)
        count += len(piece.sheet.rows)
    weights = [piece.sheet.mixed(template.weights) for piece in pieces]
    rest = [piece.placed(shape_of(template, template.base)) for piece in pieces]
    tint = [piece.sheet.mixed(skin_tint(template)) for piece in pieces]
    solid = [np.ones(len(p.sheet.rows)) if p.solid is None else p.solid for p in pieces]
    ball, ball_faces, ball_names = head.eyeball()
    for bone, (centre, radius) in head.eye_places(template, template.base).items():
        faces += [tuple(count + i for i in face) for face in ball_faces]
        names += ball_names
        count += len(ball)
        weights.append(np.tile(np.eye(len(template.bones))[template.bones.index(bone)], (len(ball), 1)))
        rest.append(centre + radius * ball)
        tint.append(np.zeros((len(ball), len(TINTS))))
        solid.append(np.ones(len(ball)))
    finishes = tuple(dict.fromkeys(names))
    numbers = np.array([finishes.index(name) for name in names])
    return Figure(
        pieces,
        faces,
        finishes,
        numbers,
        np.vstack(weights),
        np.vstack(rest),
        np.vstack(tint),
        np.concatenate(solid),
    )


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
