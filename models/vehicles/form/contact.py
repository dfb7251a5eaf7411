"""The closed mesh by which a vehicle is touched, divided into zones.

The mesh is the core of the vehicle: where the distance from its surface is `CORE_DEPTH`, so that a body that sinks in
deeper than it is thick still meets it. What is touched lies that far outside the core again, which is the surface but
for edges sharper than a ball of that radius.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from ....engine.spec import ContactMesh, ContactZone, Vehicle
from .meshing import project, surface_nets, unit_gradient
from .meshing import sampled as sampled_field
from .surface import Form, make_form

ZONES = (
    "underbody",
    "bonnet_edge",
    "pillar",
    "windscreen",
    "roof",
    "bonnet",
    "bumper",
    "grille",
    "rear",
    "side",
)
"""In the order in which they are laid out: each takes what those before it leave, the last one the rest."""
NARROW = ("bonnet_edge", "pillar")
"""Zones whose material blends with its neighbours' within `BLEND` of the border, not over a whole triangle."""
CORE_DEPTH = 0.10
"""m. The force curves of panels reach to 0.10 and 0.13 m; a shin of 0.05 m radius is held to 0.15 m."""
CELL = 0.125
"""m: size of the triangles of a car; those of a longer vehicle are larger."""
SAMPLE = 0.035
"""m between the points of the surface from which distances are taken."""
BLEND = 0.015
"""m"""
SNAP = 0.015
"""m: points so near a border lie on it, so that no slivers are cut."""
DIGITS = 4
"""Decimals of a coordinate: a tenth of a millimetre."""
NEAR = 0.35
"""m: nodes of the grid farther inside need no exact distance."""
PILLAR = 0.075
"""m: width of the pillar beside the windscreen."""

Field = Callable[[np.ndarray], np.ndarray]


@lru_cache(maxsize=16)
def contact_mesh(vehicle: Vehicle) -> ContactMesh:
    """Contact mesh of a vehicle in the actor frame; each zone names a material like itself."""
    form = make_form(vehicle)
    points, triangles = core_mesh(form)
    zones = Divided(points, triangles, zone_values(form, points))
    for number, name in enumerate(ZONES[:-1]):
        zones.cut(number, 0.0, SNAP)
        if name in NARROW:
            for level in (BLEND, -BLEND):
                zones.cut(number, level, 0.4 * BLEND)
    labels = np.argmin(zones.values[:, zones.triangles].mean(axis=2), axis=0)
    vertices = np.round(zones.points, DIGITS) + 0.0
    return ContactMesh(
        tuple(map(tuple, vertices.tolist())),
        tuple(map(tuple, zones.triangles.tolist())),
        [ContactZone(name, name) for name in ZONES],
        tuple(labels.tolist()),
        CORE_DEPTH,
        "Generated from the vehicle's class and dimensions",
    )


class Divided:
    """A closed mesh with a field per zone at its points, cut along where a field has a value; it stays closed, as an edge
    is cut for both triangles that have it."""

    def __init__(self, points: np.ndarray, triangles: np.ndarray, values: np.ndarray) -> None:
        self.points, self.triangles, self.values = points, triangles, values

    def cut(self, number: int, level: float, snap: float) -> None:
        """Cut where field `number` is `level`; points where it is within `snap` of that count as on the cut."""
        off = self.values[number] - level
        sign = np.where(np.abs(off) < snap, 0, np.sign(off)).astype(int)
        sides = self.triangles[:, [[0, 1], [1, 2], [2, 0]]]
        crossed = sign[sides[..., 0]] * sign[sides[..., 1]] < 0
        hit = crossed.any(axis=1)
        if not hit.any():
            return
        edges, which = np.unique(np.sort(sides[crossed], axis=1), axis=0, return_inverse=True)
        new = np.full(crossed.shape, -1)
        new[crossed] = len(self.points) + which.ravel()
        share = off[edges[:, 0]] / (off[edges[:, 0]] - off[edges[:, 1]])
        pieces = [split(t, n) for t, n in zip(self.triangles[hit], new[hit], strict=True)]
        for name in ("points", "values"):
            rows = getattr(self, name) if name == "points" else self.values.T
            at = rows[edges[:, 0]] + share[:, None] * (rows[edges[:, 1]] - rows[edges[:, 0]])
            joined = np.concatenate([rows, at])
            setattr(self, name, joined if name == "points" else joined.T)
        self.triangles = np.concatenate([self.triangles[~hit], np.array([t for ts in pieces for t in ts])])


def split(corners: np.ndarray, new: np.ndarray) -> list[tuple[int, int, int]]:
    """Triangles of a triangle with new points on one or two of its sides (else -1); side k runs from corner k on."""
    if (new >= 0).sum() == 1:
        k = int(np.argmax(new >= 0))
        a, b, c = (int(corners[(k + i) % 3]) for i in range(3))
        middle = int(new[k])
        return [(a, middle, c), (middle, b, c)]
    k = (int(np.argmin(new)) + 2) % 3  # the corner that is alone lies opposite the whole side
    a, b, c = (int(corners[(k + i) % 3]) for i in range(3))
    ab, ca = int(new[k]), int(new[(k + 2) % 3])
    return [(a, ab, ca), (ab, b, c), (ab, c, ca)]


def bounds(form: Form, more: float) -> tuple[np.ndarray, np.ndarray]:
    """(3,) low and high corners around the vehicle, `more` m outside it."""
    v = form.vehicle
    top, side = v.height, form.half
    body = form.box_body()
    if body is not None:
        top, side = max(top, body[0][2] + body[1][2]), max(side, body[1][1])
    low = np.array([form.rear - more, -side - more, v.clearance - more])
    return low, np.array([form.front + more, side + more, top + more])


def surface_samples(form: Form) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) points of the surface on both sides, about `SAMPLE` m apart, and their normals."""
    cell = SAMPLE * max(1.0, form.vehicle.length / 5.0)
    low, high = bounds(form, 0.08)
    low[1] = -2.0 * cell
    points, _ = surface_nets(sampled_field(form.touched, low, high, cell), low, cell)
    points = project(form.touched, points, 2)
    points = points[points[:, 1] > -0.25 * cell]
    normals = unit_gradient(form.touched, points)
    flip = np.array([1.0, -1.0, 1.0])
    return np.concatenate([points, points * flip]), np.concatenate([normals, normals * flip])


def nearest(cloud: np.ndarray, p: np.ndarray) -> np.ndarray:
    """(n,) number of the nearest of the cloud's points for each point."""
    square = (cloud**2).sum(axis=1)
    found = [np.argmin(square - 2.0 * (q @ cloud.T), axis=1) for q in np.array_split(p, len(p) // 1000 + 1)]
    return np.concatenate(found)


def core_mesh(form: Form) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) points and (m, 3) triangles of the surface `CORE_DEPTH` below that of the vehicle, both sides alike."""
    cloud, normals = surface_samples(form)
    cell = CELL * max(1.0, form.vehicle.length / 5.5)
    low, high = bounds(form, 0.5 * cell)
    half = np.ceil(high[1] / cell - 0.5) + 0.5
    low[1], high[1] = -half * cell, (half - 0.5) * cell
    values = np.array(sampled_field(form.touched, low, high, cell))
    index = np.argwhere((values < 0.0) & (values > -NEAR))
    nodes = low + index * cell
    off = nodes - cloud[nearest(cloud, nodes)]
    values[tuple(index.T)] = -np.linalg.norm(off, axis=1)
    points, quads = surface_nets(values + CORE_DEPTH, low, cell)
    for _ in range(4):
        k = nearest(cloud, points)
        depth = ((points - cloud[k]) * normals[k]).sum(axis=1)
        points = points - (depth + CORE_DEPTH)[:, None] * normals[k]
    points[:, 1] = np.where(np.abs(points[:, 1]) < 1e-6, 0.0, points[:, 1])
    return points, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def zone_fields(form: Form) -> dict[str, Field]:
    """Zone to a field of surface points, negative inside, about in metres; zones are laid out in the order of `ZONES`."""
    v, s = form.vehicle, form.style
    edge = form.leading_edge()
    front, foot = form.front - 0.40, form.cowl_x
    top = v.height - 0.07
    is_flat = v.kind == "bus"

    def beside(p):
        return np.abs(p[:, 1])

    def edge_zone(p):
        return np.maximum(np.maximum(edge.z - 0.06 - p[:, 2], p[:, 2] - edge.z - 0.08), edge.x - 0.12 - p[:, 0])

    def screen_zone(p):
        behind = form.screen_x(beside(p), p[:, 2]) - 0.06 - p[:, 0]
        low = form.cowl_z - 0.01 - p[:, 2]
        out = np.maximum(np.maximum(behind, low), p[:, 2] - top)
        return out if is_flat else np.maximum(out, p[:, 0] - foot - 0.08)

    def pillar_zone(p):
        inner = form.side_y(np.minimum(p[:, 0], foot), p[:, 2]) - PILLAR
        behind = form.screen_x(beside(p), p[:, 2]) - 0.11 - p[:, 0]
        low = form.cowl_z + 0.02 - p[:, 2]
        return np.maximum(np.maximum(inner - beside(p), behind), np.maximum(low, p[:, 2] - top))

    def roof_zone(p):
        return form.top(p[:, 0]) - s.rail_drop + 0.02 - p[:, 2]

    def bonnet_zone(p):
        return np.maximum(form.deck(p[:, 0]) - 0.085 - p[:, 2], foot - 0.10 - p[:, 0])

    def rear_zone(p):
        window = np.maximum(form.rear_belt - 0.05 - p[:, 2], p[:, 0] - form.back_x(beside(p), p[:, 2]) - 0.06)
        return np.minimum(p[:, 0] - form.rear - 0.35, window)

    return {
        "underbody": lambda p: p[:, 2] - v.clearance - 0.06,
        "bonnet_edge": edge_zone,
        "pillar": pillar_zone,
        "windscreen": screen_zone,
        "roof": roof_zone,
        "bonnet": bonnet_zone if not is_flat else lambda p: np.ones(len(p)),
        "bumper": lambda p: np.maximum(front - p[:, 0], p[:, 2] - v.bumper_height - 0.13),
        "grille": lambda p: front - p[:, 0],
        "rear": rear_zone,
        "side": lambda p: np.full(len(p), -1.0),
    }


def zone_values(form: Form, p: np.ndarray) -> np.ndarray:
    """(zones, n) fields of the zones at points of the core, each only where no earlier zone is: one is negative."""
    at = project(form.filled, p, 5, 0.05)  # points of the surface above them
    fields = zone_fields(form)
    taken = np.full(len(p), np.inf)
    rows = []
    for name in ZONES:
        value = fields[name](at)
        rows.append(np.maximum(value, -taken))
        taken = np.minimum(taken, value)
    return np.array(rows)
