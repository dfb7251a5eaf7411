"""Pieces of surface cut out of the template along smooth lines.

A vertex of a sheet is a mixture of points of the template. Sheets are cut once, on the template's own base body; what
they look like on somebody follows from that person's points by the same mixture, so that every person has the same
faces and weights, and hems, hair line and brows lie where they lie on the base.
"""

from dataclasses import dataclass
from itertools import chain

import numpy as np

MIXED = 8
"""Points of the template that a vertex is mixed of, at most."""
NEAR_END = 0.02
"""Share of an edge that a cut stays away from its ends, so that no face is thinner than can be drawn."""

Faces = list[tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class Sheet:
    """A piece of surface: (n, MIXED) points and shares that vertices are mixed of, and faces as tuples of vertices."""

    rows: np.ndarray
    shares: np.ndarray
    faces: Faces

    def mixed(self, values: np.ndarray) -> np.ndarray:
        """(n, ...) values of the vertices, mixed of (points, ...) values of the template."""
        shares = self.shares.reshape(*self.shares.shape, *(1,) * (values.ndim - 1))
        total = values[self.rows[:, 0]] * shares[:, 0]
        for k in range(1, MIXED):
            some = np.flatnonzero(self.shares[:, k])
            total[some] += values[self.rows[some, k]] * shares[some, k]
        return total


def whole_sheet(faces: np.ndarray) -> Sheet:
    """Sheet of (f, 4) faces of the template, uncut."""
    used = np.unique(faces)
    number = np.zeros(int(used.max()) + 1, dtype=int)
    number[used] = np.arange(len(used))
    rows = np.zeros((len(used), MIXED), dtype=int)
    shares = np.zeros((len(used), MIXED))
    rows[:, 0], shares[:, 0] = used, 1.0
    return Sheet(rows, shares, [tuple(face) for face in number[faces].tolist()])


def cut(sheet: Sheet, values: np.ndarray) -> Sheet:
    """The part of a sheet where its (n,) values are positive; edges are split where the value is zero."""
    values = np.where(np.abs(values) < 1e-7, 1e-7, values)
    corners = np.array([face if len(face) == 4 else (*face, face[-1]) for face in sheet.faces], dtype=int)
    inside = (values > 0.0)[corners]
    faces = [sheet.faces[k] for k in np.flatnonzero(inside.all(axis=1))]
    new: dict[tuple[int, int], int] = {}
    for k in np.flatnonzero(inside.any(axis=1) & ~inside.all(axis=1)):
        faces += clipped(sheet.faces[k], values, new)
    rows, shares = split_rows(sheet, values, np.array(list(new), dtype=int).reshape(-1, 2))
    return without_spare(Sheet(np.vstack([sheet.rows, rows]), np.vstack([sheet.shares, shares]), faces))


def clipped(face: tuple[int, ...], values: np.ndarray, new: dict[tuple[int, int], int]) -> Faces:
    """A face without its negative part, as faces of at most four corners; `new` numbers the vertices on split edges."""
    corners = []
    for first, second in zip(face, (*face[1:], face[0]), strict=True):
        if values[first] > 0.0:
            corners.append(first)
        if (values[first] > 0.0) != (values[second] > 0.0):
            edge = (min(first, second), max(first, second))
            corners.append(new.setdefault(edge, len(values) + len(new)))
    if len(corners) == 5:
        return [tuple(corners[:3]), (corners[0], *corners[2:])]
    return [tuple(corners)] if len(corners) > 2 else []


def split_rows(sheet: Sheet, values: np.ndarray, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows and shares of new vertices on (m, 2) edges, where a value linear along the edge is zero."""
    first, second = values[edges[:, 0]], values[edges[:, 1]]
    along = np.clip(first / (first - second), NEAR_END, 1.0 - NEAR_END)[:, None]
    rows = np.hstack([sheet.rows[edges[:, 0]], sheet.rows[edges[:, 1]]])
    shares = np.hstack([sheet.shares[edges[:, 0]] * (1.0 - along), sheet.shares[edges[:, 1]] * along])
    for k in range(1, rows.shape[1]):  # a point that occurs twice counts once
        same = (rows[:, :k] == rows[:, k : k + 1]) & (shares[:, :k] > 0.0)
        at = same.argmax(axis=1)
        found = same.any(axis=1)
        shares[found, at[found]] += shares[found, k]
        shares[found, k] = 0.0
    order = np.argsort(-shares, axis=1)[:, :MIXED]
    shares = np.take_along_axis(shares, order, axis=1)
    return np.take_along_axis(rows, order, axis=1), shares / np.maximum(
        shares.sum(axis=1, keepdims=True), 1e-9
    )


def without_spare(sheet: Sheet) -> Sheet:
    """A sheet without the vertices that no face uses."""
    used = np.unique(np.fromiter(chain.from_iterable(sheet.faces), dtype=int))
    number = np.zeros(len(sheet.rows), dtype=int)
    number[used] = np.arange(len(used))
    new = number.tolist().__getitem__
    return Sheet(sheet.rows[used], sheet.shares[used], [tuple(map(new, face)) for face in sheet.faces])


def border(faces: Faces) -> np.ndarray:
    """(m, 2) directed edges that only one face has, as that face runs along them."""
    seen: dict[tuple[int, int], bool] = {}
    for face in faces:
        for edge in zip(face, (*face[1:], face[0]), strict=True):
            if edge[::-1] in seen:
                seen[edge[::-1]] = False
            else:
                seen[edge] = True
    return np.array([edge for edge, alone in seen.items() if alone], dtype=int).reshape(-1, 2)


def with_rim(sheet: Sheet, edges: np.ndarray) -> tuple[Sheet, np.ndarray]:
    """A sheet with a further strip of faces along (m, 2) border edges, and the vertices that its own were doubled of.

    The new vertices are at the end, one for each vertex of the edges, in the order of the returned array.
    """
    on = np.unique(edges)
    twin = dict(zip(on.tolist(), range(len(sheet.rows), len(sheet.rows) + len(on)), strict=True))
    strip = [(int(b), int(a), twin[int(a)], twin[int(b)]) for a, b in edges]
    rows, shares = np.vstack([sheet.rows, sheet.rows[on]]), np.vstack([sheet.shares, sheet.shares[on]])
    return Sheet(rows, shares, sheet.faces + strip), on


def neighbours(faces: Faces) -> tuple[np.ndarray, np.ndarray]:
    """(m,) first and (m,) second vertices of all edges, each edge both ways."""
    edges = {tuple(sorted(edge)) for face in faces for edge in zip(face, (*face[1:], face[0]), strict=True)}
    pairs = np.array(sorted(edges), dtype=int).reshape(-1, 2)
    return np.concatenate([pairs[:, 0], pairs[:, 1]]), np.concatenate([pairs[:, 1], pairs[:, 0]])


def smoothed(
    points: np.ndarray, edges: tuple[np.ndarray, np.ndarray], rate: np.ndarray, rounds: int
) -> np.ndarray:
    """(n, 3) points drawn to the mean of their neighbours, at (n,) rates from 0 to 1, in some rounds."""
    first, second = edges
    count = np.maximum(np.bincount(first, minlength=len(points)), 1)[:, None]
    for _ in range(rounds):
        total = np.stack(
            [np.bincount(first, points[second, k], minlength=len(points)) for k in range(3)], axis=1
        )
        points = points + rate[:, None] * (total / count - points)
    return points


def vertex_normals(points: np.ndarray, quads: np.ndarray) -> np.ndarray:
    """(n, 3) unit normals of the points that (f, 4) faces meet at; zero elsewhere."""
    across = np.cross(points[quads[:, 2]] - points[quads[:, 0]], points[quads[:, 3]] - points[quads[:, 1]])
    total = np.stack(
        [
            sum(np.bincount(quads[:, corner], across[:, k], minlength=len(points)) for corner in range(4))
            for k in range(3)
        ],
        axis=1,
    )
    return total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-12)
