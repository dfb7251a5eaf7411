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
from .meshing import Skin, project, surface_nets, unit_gradient
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
    skin = Skin(points, np.zeros((0, 4), dtype=int))
    skin.triangles, skin.quad = triangles, np.full(len(triangles), -1)
    skin.label = np.zeros(len(triangles), dtype=int)
    cut_zones(skin, form)
    labels = zone_numbers(form, skin.middles())
    used, number = np.unique(skin.triangles, return_inverse=True)
    vertices = np.round(skin.points[used], DIGITS) + 0.0
    return ContactMesh(
        tuple(map(tuple, vertices.tolist())),
        tuple(map(tuple, number.reshape(-1, 3).tolist())),
        [ContactZone(name, name) for name in ZONES],
        tuple(labels.tolist()),
        CORE_DEPTH,
        "Generated from the vehicle's class and dimensions",
    )


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


def on_surface(form: Form, p: np.ndarray) -> np.ndarray:
    """Points of the surface above points of the core."""
    return project(form.filled, p, 5, 0.05)


def zone_values(form: Form, p: np.ndarray) -> np.ndarray:
    """(zones, n) fields of the zones at points of the core, each only where no earlier zone is: one is negative."""
    at = on_surface(form, p)
    taken = np.full(len(p), np.inf)
    rows = []
    for field in (zone_fields(form)[name] for name in ZONES):
        value = field(at)
        rows.append(np.maximum(value, -taken))
        taken = np.minimum(taken, value)
    return np.array(rows)


def zone_numbers(form: Form, p: np.ndarray) -> np.ndarray:
    """(n,) number of the zone of points of the core."""
    return np.argmin(zone_values(form, p), axis=0)


def cut_zones(skin: Skin, form: Form) -> None:
    """Split the triangles along the borders of the zones; the whole mesh is cut, so it stays closed."""
    for number, name in enumerate(ZONES[:-1]):
        for level in (0.0, BLEND, -BLEND) if name in NARROW else (0.0,):
            everywhere = np.ones(len(skin.triangles), dtype=bool)
            skin.cut(lambda p, n=number, level=level: zone_values(form, p)[n] + level, everywhere)
