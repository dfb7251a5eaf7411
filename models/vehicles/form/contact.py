"""The closed mesh by which a vehicle is touched, divided into zones.

The mesh is the core of the vehicle: it lies some centimetres below the surface (`DEPTH`), so that a body that sinks in
deeper than it is thick still meets it. What is touched lies that far outside the core again, which is the surface but
for edges sharper than a ball of that radius.

The left half is made and mirrored, so that both sides are alike to the last triangle.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from ....engine.spec import ContactMesh, ContactZone, Vehicle
from ....engine.spec.validation.contact_meshes import open_edges
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
DEPTH, BUMPER_DEPTH = 0.05, 0.085
"""m: of the core, and behind the bumper, where thin legs sink in farthest. Edges of the surface are rounded by about
0.1 m; a deeper core would have no area left behind them. A shin of 0.05 m radius is held to 0.135 m."""
DEPTH_CHANGE = 0.20
"""m of height over which the depth changes above the bumper."""
TRUE_WITHIN, TRUE_BEHIND = 0.006, 0.015
"""m: an edge whose middle departs farther from the surface is parted; in the front half, and behind."""
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
IN_MIDDLE = 1e-6
"""m: a point of the grid so near y = 0 lies there."""
NEAR = 0.35
"""m: nodes of the grid farther inside need no exact distance."""
PILLAR = 0.075
"""m: width of the pillar beside the windscreen."""

Field = Callable[[np.ndarray], np.ndarray]


@lru_cache(maxsize=16)
def contact_mesh(vehicle: Vehicle) -> ContactMesh:
    """Contact mesh of a vehicle in the actor frame; each zone names a material like itself."""
    form = make_form(vehicle)
    shell = Shell(*surface_samples(form), vehicle, True)
    points, triangles = core_mesh(form, shell)
    zones, labels = in_zones(points, triangles, zone_values(form, points))
    points, triangles = mirrored(zones.points, zones.triangles)
    vertices = np.round(points, DIGITS) + 0.0
    return ContactMesh(
        tuple(map(tuple, vertices.tolist())),
        tuple(map(tuple, triangles.tolist())),
        [ContactZone(name, name) for name in ZONES],
        tuple(np.tile(labels, 2).tolist()),
        tuple(np.round(shell.depth_at(vertices), DIGITS).tolist()),
        "Generated from the vehicle's class and dimensions",
    )


def in_zones(points: np.ndarray, triangles: np.ndarray, values: np.ndarray) -> tuple[Divided, np.ndarray]:
    """A mesh cut along the borders of the zones, and the zone of each triangle; values (zones, n) of `zone_values`."""
    zones = Divided(points, triangles, values)
    for number, name in enumerate(ZONES[:-1]):
        zones.cut(number, 0.0, SNAP)
        if name in NARROW:
            for level in (BLEND, -BLEND):
                zones.cut(number, level, 0.4 * BLEND)
    return zones, np.argmin(zones.values[:, zones.triangles].mean(axis=2), axis=0)


class Divided:
    """A mesh with a field per zone at its points, cut along where a field has a value; it opens nowhere, as an edge is
    cut for both triangles that have it."""

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
    """Triangles of a triangle with new points on some of its sides (else -1); side k runs from corner k on."""
    count = int((new >= 0).sum())
    if count == 0:
        return [tuple(int(c) for c in corners)]
    if count == 3:
        (a, b, c), (ab, bc, ca) = (int(x) for x in corners), (int(x) for x in new)
        return [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    if count == 1:
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
    """(n, 3) points of the left half of the surface, about `SAMPLE` m apart, and their normals."""
    cell = SAMPLE * max(1.0, form.vehicle.length / 5.0)
    low, high = bounds(form, 0.08)
    low[1] = -2.0 * cell
    points, _ = surface_nets(sampled_field(form.touched, low, high, cell), low, cell)
    points = project(form.touched, points, 2)
    return points, unit_gradient(form.touched, points)


def on_left(p: np.ndarray) -> np.ndarray:
    """Points, or their mirror images on the left."""
    return np.stack([p[:, 0], np.abs(p[:, 1]), p[:, 2]], axis=1)


class Shell:
    """Samples (n, 3) of a surface with their normals and the depth at which the core lies below each; of the whole
    surface, or of its left half: then points of either side may be asked for."""

    def __init__(self, points: np.ndarray, normals: np.ndarray, vehicle: Vehicle, is_half: bool) -> None:
        self.points, self.normals, self.is_half = points, normals, is_half
        above = (self.points[:, 2] - vehicle.bumper_height - 0.08) / DEPTH_CHANGE
        behind = (vehicle.front - 0.30 - self.points[:, 0]) / DEPTH_CHANGE
        share = np.clip(1.0 - np.maximum(above, behind), 0.0, 1.0)
        self.depth = DEPTH + (BUMPER_DEPTH - DEPTH) * share
        self._points = self.points.astype(np.float32)
        self._depth = self.depth.astype(np.float32)
        self._square = (self._points**2).sum(axis=1)

    def core_distance(self, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n,) distance outside the balls of the depth around all samples, and the nearest sample."""
        found, value = [], []
        for part in np.array_split(p, len(p) // 64 + 1):  # as many as a processor keeps at hand
            q = self._seen(part).astype(np.float32)
            off = q @ self._points.T
            off *= 2.0
            np.subtract(self._square, off, out=off)
            off += (q**2).sum(axis=1)[:, None]
            np.sqrt(np.maximum(off, 0.0, out=off), out=off)
            off -= self._depth
            k = np.argmin(off, axis=1)
            found.append(k)
            value.append(off[np.arange(len(q)), k])
        return np.concatenate(value), np.concatenate(found)

    def _seen(self, p: np.ndarray) -> np.ndarray:
        """Points as they are, or on the left where there are samples of that half alone."""
        return on_left(p) if self.is_half else p

    def below(self, p: np.ndarray, k: np.ndarray) -> np.ndarray:
        """(n,) distance of points below the planes of the surface at samples k."""
        return ((self.points[k] - self._seen(p)) * self.normals[k]).sum(axis=1)

    def onto_core(self, p: np.ndarray, rounds: int) -> np.ndarray:
        """Points (of the left half, where there is no other) moved to the depth of the core; those of a half that are
        in the middle (y = 0) stay there."""
        for _ in range(rounds):
            _, k = self.core_distance(p)
            normals = self.normals[k]
            if self.is_half:
                normals = normals * np.where(p[:, 1:2] == 0.0, (1.0, 0.0, 1.0), 1.0)
            p = p + (self.below(p, k) - self.depth[k])[:, None] * normals
        return p

    def depth_at(self, p: np.ndarray) -> np.ndarray:
        """(n,) distance of points of the core below the surface."""
        return np.maximum(self.below(p, self.core_distance(p)[1]), 0.0)


def core_mesh(form: Form, shell: Shell) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) points and (m, 3) triangles of the left half of the core, open along the middle only. The grid is shifted
    until no cell of it is ambiguous."""
    for shift in (0.5, 0.4, 0.3, 0.2, 0.1, 0.45, 0.35):
        points, triangles = grid_core(form, shell, shift)
        if open_edges(triangles) == 0:
            break
    points, triangles = left_half(points, triangles)
    points = shell.onto_core(points, 3)
    for _ in range(2):
        points, triangles = refined(shell, points, triangles)
    return points, triangles


def grid_core(form: Form, shell: Shell, shift: float) -> tuple[np.ndarray, np.ndarray]:
    """Points and triangles of the core on a grid that begins `shift` cells outside the vehicle."""
    cell = CELL * max(1.0, form.vehicle.length / 5.5)
    low, high = bounds(form, shift * cell)
    half = np.ceil(high[1] / cell - 0.5) + 0.5
    low[1], high[1] = -half * cell, (half - 0.5) * cell
    values = np.array(sampled_field(form.touched, low, high, cell))
    index = np.argwhere((values < 0.0) & (values > -NEAR))
    values[tuple(index.T)] = -shell.core_distance(low + index * cell)[0]
    points, quads = surface_nets(values, low, cell)
    return points, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def left_half(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The triangles of the left and the points that they use; the grid has cells whose middles lie at y = 0, so points
    lie there and no triangle reaches across."""
    used, which = np.unique(triangles[points[triangles, 1].sum(axis=1) > 0.0], return_inverse=True)
    half = points[used]
    half[np.abs(half[:, 1]) < IN_MIDDLE, 1] = 0.0
    return half, which.reshape(-1, 3)


def mirrored(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A left half and its mirror image; they share the points in the middle (y = 0), and faces still look outward."""
    off = points[:, 1] != 0.0
    image = np.arange(len(points))
    image[off] = len(points) + np.arange(off.sum())
    whole = np.concatenate([points, points[off] * (1.0, -1.0, 1.0)])
    return whole, np.concatenate([triangles, image[triangles][:, ::-1]])


def refined(shell: Shell, points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The core with edges parted whose middle is off it by more than `TRUE_WITHIN`."""
    sides = triangles[:, [[0, 1], [1, 2], [2, 0]]]
    edges, which = np.unique(np.sort(sides.reshape(-1, 2), axis=1), axis=0, return_inverse=True)
    middle = points[edges].mean(axis=1)
    k = shell.core_distance(middle)[1]
    is_long = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1) > 0.04
    limit = np.where(middle[:, 0] > 0.0, TRUE_WITHIN, TRUE_BEHIND)
    chosen = (np.abs(shell.below(middle, k) - shell.depth[k]) > limit) & is_long
    target = shell.onto_core(middle[chosen], 2)
    number = np.full(len(edges), -1)
    number[chosen] = len(points) + np.arange(chosen.sum())
    new = number[which.reshape(-1, 3)]
    pieces = [piece for t, n in zip(triangles, new, strict=True) for piece in split(t, n)]
    return np.concatenate([points, target]), np.array(pieces)


def zone_fields(form: Form) -> dict[str, Field]:
    """Zone to a field of surface points, negative inside, about in metres; laid out in the order of `ZONES`."""
    v, s = form.vehicle, form.style
    edge = form.leading_edge()
    front, foot = form.front - 0.40, form.cowl_x
    top = v.height - 0.07
    is_flat = v.kind == "bus"

    def beside(p):
        return np.abs(p[:, 1])

    def edge_zone(p):
        return np.maximum(
            np.maximum(edge.z - 0.06 - p[:, 2], p[:, 2] - edge.z - 0.08), edge.x - 0.12 - p[:, 0]
        )

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
        on_deck = np.maximum(form.deck(p[:, 0]) - 0.085 - p[:, 2], foot - 0.10 - p[:, 0])
        return np.maximum(on_deck, p[:, 0] - edge.x + 0.10)

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
