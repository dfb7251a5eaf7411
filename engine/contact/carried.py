"""Contact meshes that moving bodies carry: their rows among the obstacles, and which zone is touched how much.

A zone takes part in contacts like an ellipsoid of the body (as ellipsoid b): it has a row among the owners, after all
ellipsoids, with the body and the material of the zone. So forces act on both bodies, equal and opposite, and results
name the zone. Derivation: docs/derivations.md, Contact meshes of moving bodies.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..bodies.tree import Authored, TreeBuilder
from ..jit.decorators import compiled
from ..maths.rotations import quaternion_from_matrix
from ..maths.vector import cross, dot, slice3, sub
from ..spec import Actor, ContactMesh
from ..spec.names import part_path
from .materials import Surfaces

ZONES_EACH = 4
"""Zones that may meet at the corners of one triangle; of more the smallest shares are left out."""
ZONE_SLOTS = 4
"""Touches of one ellipsoid with one zone that are remembered apart."""
ZONE_CORNERS, ZONE_NUMBERS, ZONE_SHARES = 0, 9, 9 + ZONES_EACH
ZONE_DEPTH = ZONE_SHARES + 3 * ZONES_EACH
ZONE_WIDTH = ZONE_DEPTH + 3
"""Columns of `ContactSurfaces.zone`: corners of a triangle (3 x 3, m, body frame), zones at its corners or -1, share of
each of them at the first, second and third corner, depth at each corner (m)."""


@dataclass
class Carried:
    """A contact mesh of the scenario."""

    name: str
    actor: int
    body: int
    """Authored body."""
    mesh: ContactMesh
    first_zone: int
    """Row of its first zone among the owners."""


def list_carried(
    actors: Sequence[Actor], builder: TreeBuilder, surfaces: Surfaces, ellipsoids: int
) -> tuple[list[Carried], list[tuple[str, int, int, str, int, int]]]:
    """Contact meshes in the order of actors and bodies, and (zone, actor, authored body, body's name, surface, surface
    towards structures) of every zone; zones are counted after the ellipsoids."""
    carried, zones = [], []
    for a, actor in enumerate(actors):
        materials = {material.name: material for material in actor.model.materials}
        for body in actor.model.bodies:
            if body.surface is None:
                continue
            number = builder.body_index[a, body.name]
            first = ellipsoids + len(zones)
            carried.append(Carried(part_path(actor.name, body.name), a, number, body.surface, first))
            for zone in body.surface.zones:
                names = surface_names(actor.name, zone.name, body.name, zone.material)
                surface = surfaces.add(materials[zone.material], names)
                crush = surfaces.add(materials[zone.crush], names) if zone.crush else surface
                zones.append((zone.name, a, number, body.name, surface, crush))
    return carried, zones


def surface_names(actor: str, part: str, body: str, material: str) -> set[str]:
    """Names by which a pair of surfaces may call an ellipsoid or a zone."""
    plain = {part, body, material, actor} - {""}
    return plain | {part_path(actor, name) for name in plain}


def place_in_host(authored: Authored, body: int) -> np.ndarray:
    """(8,) row of the motion table: 0, position and quaternion of a body's authored frame in its moving frame."""
    rotation = authored.rotation[body].reshape(3, 3)
    origin = authored.com[body] - rotation @ authored.com_local[body]
    return np.array([0.0, *origin, *quaternion_from_matrix(rotation)])


def mesh_reach(mesh: ContactMesh, row: np.ndarray) -> float:
    """m: largest distance of a surface point from the reference point of the moving body, or a little more."""
    farthest = np.linalg.norm(np.asarray(mesh.vertices, dtype=float), axis=1).max()
    return float(np.linalg.norm(row[1:4]) + farthest + np.max(mesh.depth))


def corner_shares(mesh: ContactMesh) -> np.ndarray:
    """(n, zones) share of each zone at the vertices: of the angles of the triangles that meet there."""
    points = np.asarray(mesh.vertices, dtype=float)
    triangles, zone = np.asarray(mesh.triangles), np.asarray(mesh.zone_of)
    total = np.zeros((len(points), len(mesh.zones)))
    for k in range(3):
        here, after, before = (triangles[:, (k + i) % 3] for i in range(3))
        u, v = points[after] - points[here], points[before] - points[here]
        size = np.linalg.norm(u, axis=1) * np.linalg.norm(v, axis=1)
        angle = np.arccos(np.clip((u * v).sum(axis=1) / np.maximum(size, 1e-30), -1.0, 1.0))
        np.add.at(total, (here, zone), np.maximum(angle, 1e-9))
    return total / np.maximum(total.sum(axis=1, keepdims=True), 1e-30)


def zone_rows(mesh: ContactMesh) -> np.ndarray:
    """(m, ZONE_WIDTH) rows of the triangles as given."""
    triangles = np.asarray(mesh.triangles)
    shares = corner_shares(mesh)[triangles]
    order = np.argsort(-shares.sum(axis=1), axis=1, kind="stable")[:, :ZONES_EACH]
    chosen = np.take_along_axis(shares, order[:, None, :], axis=2)
    chosen /= np.maximum(chosen.sum(axis=2, keepdims=True), 1e-30)
    rows = np.zeros((len(triangles), ZONE_WIDTH))
    rows[:, :ZONE_NUMBERS] = np.asarray(mesh.vertices, dtype=float)[triangles].reshape(-1, 9)
    width = order.shape[1]
    rows[:, ZONE_NUMBERS:ZONE_SHARES] = -1.0
    rows[:, ZONE_NUMBERS : ZONE_NUMBERS + width] = np.where(chosen.sum(axis=1) > 0.0, order, -1)
    for corner in range(3):
        start = ZONE_SHARES + corner * ZONES_EACH
        rows[:, start : start + width] = chosen[:, corner]
    rows[:, ZONE_DEPTH:] = np.asarray(mesh.depth, dtype=float)[triangles]
    return rows


@compiled
def corner_weights(row, foot):
    """Weights of the three corners of a triangle (a row of `zone`) for a point of it (m, body frame), 0 to 1, sum 1."""
    a = slice3(row, 0)
    u = sub(slice3(row, 3), a)
    v = sub(slice3(row, 6), a)
    d = sub(foot, a)
    n = cross(u, v)
    square = dot(n, n)
    if square <= 0.0:
        return 1.0, 0.0, 0.0
    second = max(0.0, dot(cross(d, v), n) / square)
    third = max(0.0, dot(cross(u, d), n) / square)
    first = max(0.0, 1.0 - second - third)
    total = first + second + third
    return first / total, second / total, third / total
