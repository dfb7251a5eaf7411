"""A piece of what is seen of a person, and where it is on somebody."""

from dataclasses import dataclass

import numpy as np

from .sheet import Sheet, border, neighbours, smoothed, vertex_normals, with_rim
from .template import Template

STATURE = 1.75
"""Metres: stature that thicknesses of cloth and hair are given for; they scale with it."""
RIM = 0.006
"""Metres by which the turned-in edge of cloth lies deeper than its outside."""


@dataclass(frozen=True, eq=False)
class Shape:
    """Somebody's points with what is worked out of them once: normals by part, and the ratio to a stature of 1.75 m."""

    points: np.ndarray
    normals: dict[str, np.ndarray]
    scale: float
    up: np.ndarray
    """(3,) unit vector from the lower to the upper end of the neck"""


def shape_of(template: Template, points: np.ndarray) -> Shape:
    """What pieces need to know of (n, 3) points of the template on somebody, m."""
    body = points[: int(template.faces["body"].max()) + 1]
    up = points[template.joints["head"]] - points[template.joints["neck"]]
    normals = {
        part: vertex_normals(points, template.faces[part])
        for part in ("body", "tights", "skirt", "lashes", "teeth", "tongue")
    }
    return Shape(points, normals, float(np.ptp(body[:, 2])) / STATURE, up / np.linalg.norm(up))


@dataclass(frozen=True, eq=False)
class Piece:
    """One connected look: a sheet of one part of the template with how it stands off it and what it is made of."""

    part: str
    finish: str
    sheet: Sheet
    offset: np.ndarray
    """(n,) metres out of the part's surface, for a stature of 1.75 m"""
    least: float = 0.0
    """Metres that smoothing leaves between the piece and the part, at least"""
    rate: np.ndarray | None = None
    """(n,) how strongly a vertex is drawn to its neighbours, 0 to 1; None: not at all"""
    rounds: int = 0
    lift: np.ndarray | None = None
    """(n,) metres along the neck, for a stature of 1.75 m"""
    on_floor: bool = False
    """Whether what would be below the ground is flat on it: soles"""
    edges: tuple[np.ndarray, np.ndarray] | None = None
    passed: tuple[tuple[str, str], ...] = ()
    """Bones whose hold on it another bone takes: the first part of their names, and that of the other"""
    bone: str = ""
    """The only bone that carries it: a rigid thing; empty: the bones that carry the part"""

    def placed(self, shape: Shape) -> np.ndarray:
        """(n, 3) where the vertices are on somebody, m."""
        feet = self.sheet.mixed(shape.points)
        out = self.sheet.mixed(shape.normals[self.part])
        out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
        points = feet + out * (self.offset * shape.scale)[:, None]
        if self.rate is not None:
            points = smoothed(points, self.edges, self.rate, self.rounds)
            depth = np.einsum("ij,ij->i", points - feet, out)
            least = np.minimum(self.offset, self.least) * shape.scale
            points = points + out * np.maximum(least - depth, 0.0)[:, None]
        if self.lift is not None:
            points = points + np.outer(self.lift * shape.scale, shape.up)
        if self.on_floor:
            points[:, 2] = np.maximum(points[:, 2], 0.0)
        return points


def cloth(
    part: str,
    finish: str,
    sheet: Sheet,
    offset: np.ndarray,
    rate: np.ndarray | float = 0.0,
    rounds: int = 0,
    least: float = 0.003,
    on_floor: bool = False,
    lift: np.ndarray | None = None,
) -> Piece:
    """A piece of cloth with its edges turned in, so that it shows a thickness."""
    rimmed, doubled = with_rim(sheet, border(sheet.faces))
    rates = np.broadcast_to(rate, len(sheet.rows)).astype(float)
    return Piece(
        part,
        finish,
        rimmed,
        np.concatenate([offset, offset[doubled] - RIM]),
        least,
        np.concatenate([rates, 0.0 * rates[doubled]]) if rounds else None,
        rounds,
        None if lift is None else np.concatenate([lift, lift[doubled]]),
        on_floor,
        edges=neighbours(sheet.faces),
    )
