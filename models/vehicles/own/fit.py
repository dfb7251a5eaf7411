"""From a user's mesh to a vehicle: wheels parted, dimensions measured, a contact mesh fitted and divided into zones.

The contact mesh is made as that of a generated vehicle (`form.contact`): a core some centimetres below samples of the
surface, with the depth of each vertex. Here the samples are of the mesh, of what of it can be seen from outside.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ....engine.errors import EngineError
from ....engine.spec import ContactMesh, ContactZone, Model, Vehicle
from ....engine.spec.validation.contact_meshes import open_edges
from ..chassis import build_sprung_vehicle
from ..crush import add_structure
from ..form.contact import CELL, DIGITS, ZONES, Shell, in_zones, refined, zone_values
from ..form.meshing import surface_nets
from ..form.parts import wheel_centres
from ..form.surface import make_form
from ..road_vehicle import MATERIAL_OF_ZONE, build_vehicle
from .axes import Axes, propose_axes
from .measure import clearance_of, measured_vehicle
from .outside import CELL as VOXEL
from .outside import Outside
from .wheels import FoundWheel, find_wheels, together

APART = 0.03
"""m: side of the cubes in which samples are averaged, which takes the noise of a scan out."""
REACHED = 2
"""Cubes around one in which neighbours are looked for. Where there is none in so many, the mesh has a hole: the grid
stands in for it."""
SMOOTHING = 2
ALIKE = 0.7
"""Cosine between the normals of neighbours of one panel."""
GOAL = 0.020
"""m: deviation below which 95 % of the surface should lie."""


@dataclass(frozen=True)
class Fitted:
    """A user's mesh as a vehicle."""

    axes: Axes
    shift: np.ndarray
    """(3,) of the middle between the wheels on the ground, m, in the axes of the actor."""
    points: np.ndarray
    """(n, 3) of the mesh in the actor frame, m."""
    triangles: np.ndarray
    part: tuple[str, ...]
    """Of each triangle: "body" or the name of its wheel."""
    wheels: dict[str, FoundWheel]
    vehicle: Vehicle
    surface: ContactMesh
    deviation: dict[str, float]
    """m: mean, 95 % and largest distance of the outer surface from what is touched, and how much of it is below the
    goal (share)."""

    def lines(self) -> list[str]:
        """What was found, for a person to read."""
        v, d = self.vehicle, self.deviation
        rims = ", ".join(f"{name} {wheel.radius:.3f}" for name, wheel in self.wheels.items())
        return [
            f"axes: forward {self.axes.forward}, up {self.axes.up}, unit {self.axes.unit}",
            f"class {v.kind}: {v.length:.2f} x {v.width:.2f} x {v.height:.2f} m, wheelbase {v.wheelbase:.2f} m, "
            f"track {v.track:.2f} m, bonnet edge {v.edge_height:.2f} m",
            f"wheels, radius in m: {rims}",
            f"contact mesh: {len(self.surface.triangles)} triangles, deviation mean {1000 * d['mean']:.1f} mm, "
            f"95 % below {1000 * d['p95']:.1f} mm, largest {1000 * d['largest']:.0f} mm"
            + ("" if d["p95"] <= GOAL else f" (above the goal of {1000 * GOAL:.0f} mm)"),
        ]


def samples(points: np.ndarray, triangles: np.ndarray, spacing: float, seed: int = 0) -> np.ndarray:
    """(n, 3) points spread over triangles, one to each `spacing` squared of area and one to each triangle at least."""
    return samples_of(points, triangles, spacing, seed)[0]


def samples_of(
    points: np.ndarray, triangles: np.ndarray, spacing: float, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """`samples`, and (n,) the number of each one's triangle."""
    corners = points[triangles]
    area = 0.5 * np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    count = np.ceil(area / spacing**2).astype(int) + 1
    which = np.repeat(np.arange(len(triangles)), count)
    u, v = np.random.default_rng(seed).random((2, len(which)))
    flip = u + v > 1.0
    u, v = np.where(flip, 1.0 - u, u)[:, None], np.where(flip, 1.0 - v, v)[:, None]
    a, b, c = (corners[which, k] for k in range(3))
    return a + u * (b - a) + v * (c - a), which


def fit_vehicle(
    points: np.ndarray, triangles: np.ndarray, axes: Axes | None = None, kind: str = ""
) -> Fitted:
    """Fit a vehicle to a mesh: (n, 3) points in its own unit and axes, (m, 3) triangles. axes: confirmed by a person,
    else the proposal; kind: class, else a guess. Raises EngineError."""
    points, triangles = np.asarray(points, dtype=float), np.asarray(triangles, dtype=int)
    if axes is None:
        axes = propose_axes(samples(points, triangles, 0.01 * float(np.ptp(points, axis=0).max())))
    placed = axes.metres(points)
    spread = samples(placed, triangles, VOXEL / 2.0)
    wheels = find_wheels(spread)
    sizes = together(wheels)
    shift = np.array([sizes["x"], sizes["y"], sizes["ground"]])
    placed, spread = placed - shift, spread - shift
    wheels = {
        name: replace(wheel, centre=tuple(np.array(wheel.centre) - shift)) for name, wheel in wheels.items()
    }
    part = parts_of(placed, triangles, wheels)
    body = triangles[part == "body"]
    if len(body) < 4:
        raise EngineError("nothing is left of the mesh beside its wheels; check the unit and the axes")
    on_body = samples(placed, body, VOXEL / 2.0)
    height = float(on_body[:, 2].max())
    scale = max(1.0, float(np.ptp(spread[:, 0])) / 6.0)
    outside = Outside(spread, clearance_of(on_body, sizes["wheelbase"], height), VOXEL * scale)
    seen, normals = seen_samples(placed, body, outside)
    vehicle = measured_vehicle(seen, sizes, kind)
    shell = Shell(*thinned(seen, normals, outside), vehicle, False)
    surface = contact_mesh_of(vehicle, shell, outside)
    deviation = deviation_of(placed, body, outside, surface)
    return Fitted(axes, shift, placed, triangles, tuple(part), wheels, vehicle, surface, deviation)


def parts_of(points: np.ndarray, triangles: np.ndarray, wheels: dict[str, FoundWheel]) -> np.ndarray:
    """(m,) "body" or the wheel that each triangle is cut out with."""
    corners = points[triangles]
    part = np.full(len(triangles), "body", dtype=object)
    for name, wheel in wheels.items():
        part[wheel.takes(corners)] = name
    return part


def seen_samples(
    points: np.ndarray, body: np.ndarray, outside: Outside, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) samples of the body that lie at the surface of the solid, and their normals, outwards."""
    at, which = samples_of(points, body, outside.cell / 2.0, seed)
    corners = points[body]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal = (normal / np.maximum(np.linalg.norm(normal, axis=1), 1e-12)[:, None])[which]
    way = outside.directions(at)
    is_seen = np.abs(way).sum(axis=1) > 0.0
    sign = np.where((normal * way).sum(axis=1) < 0.0, -1.0, 1.0)[:, None]
    return at[is_seen], (normal * sign)[is_seen]


def averaged(points: np.ndarray, normals: np.ndarray, cell: float) -> tuple[np.ndarray, np.ndarray]:
    """Means of points and normals in cubes; of opposite sheets in one cube the side of the larger sum counts."""
    index = np.floor(points / cell).astype(np.int64)
    _, group = np.unique(index, axis=0, return_inverse=True)
    group = group.ravel()
    count = np.bincount(group)
    mean = np.stack([np.bincount(group, points[:, k]) for k in range(3)], axis=1) / count[:, None]
    total = np.stack([np.bincount(group, normals[:, k]) for k in range(3)], axis=1)
    size = np.linalg.norm(total, axis=1)
    good = size > 0.3 * count
    return mean[good], total[good] / size[good, None]


def outermost(points: np.ndarray, normals: np.ndarray, outside: Outside) -> np.ndarray:
    """(n,) whether nothing else of the solid lies just in front of a sample: two cells on it is outside."""
    return ~outside.is_inside(points + 1.8 * outside.cell * normals)


def thinned(seen: np.ndarray, normals: np.ndarray, outside: Outside) -> tuple[np.ndarray, np.ndarray]:
    """Samples about `APART` m apart with smoothed normals, completed by the grid where the mesh has holes."""
    keep = outermost(seen, normals, outside)
    cell = APART * outside.cell / VOXEL
    points, normals = averaged(seen[keep], normals[keep], cell)
    edge = outside.boundary()
    taken = np.zeros(len(edge), dtype=bool)
    for near in Cells(points, cell).around(edge):
        taken |= near >= 0
    edge = edge[~taken]
    way = outside.directions(edge)
    way /= np.maximum(np.linalg.norm(way, axis=1), 1e-9)[:, None]
    filled, filled_normals = averaged(edge, way, 1.5 * APART) if len(edge) else (edge, way)
    points, normals = np.concatenate([points, filled]), np.concatenate([normals, filled_normals])
    for _ in range(SMOOTHING):
        points, normals = smoothed(points, normals, cell)
    return points, normals


class Cells:
    """Samples by the cubes that they lie in, one to each at most."""

    def __init__(self, points: np.ndarray, cell: float) -> None:
        self.cell, self.low = cell, points.min(axis=0) - REACHED * cell - cell
        shape = np.ceil((points.max(axis=0) - self.low) / cell).astype(int) + REACHED + 2
        self.last = shape - REACHED - 1
        self.number = np.full(shape, -1)
        self.number[tuple(self.index(points).T)] = np.arange(len(points))

    def index(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) cubes of points; those outside have the nearest."""
        return np.clip(((points - self.low) / self.cell).astype(int), REACHED, self.last)

    def around(self, points: np.ndarray) -> Iterator[np.ndarray]:
        """For every cube near those of points the number of its sample, or -1, (n,)."""
        index = self.index(points)
        for step in np.ndindex((2 * REACHED + 1,) * 3):
            yield self.number[tuple((index + np.array(step) - REACHED).T)]


def smoothed(points: np.ndarray, normals: np.ndarray, cell: float) -> tuple[np.ndarray, np.ndarray]:
    """Normals averaged with those of near samples that look the same way, and points moved along them to the mean of
    the planes of these: noise goes, the curvature of panels stays."""
    cells = Cells(points, cell)
    weight_sum, normal_sum, height_sum = np.zeros(len(points)), np.zeros_like(points), np.zeros(len(points))
    for near in cells.around(points):
        off = points - points[near]
        weight = np.exp(-(off**2).sum(axis=1) / (2.0 * cell**2)) * (near >= 0)
        weight *= (normals * normals[near]).sum(axis=1) > ALIKE
        weight_sum += weight
        normal_sum += weight[:, None] * normals[near]
        height_sum += weight * (off * normals[near]).sum(axis=1)
    turned = normal_sum / np.maximum(np.linalg.norm(normal_sum, axis=1), 1e-9)[:, None]
    share = height_sum / np.maximum(weight_sum, 1e-9)
    return points - 0.5 * share[:, None] * turned, turned


def contact_mesh_of(vehicle: Vehicle, shell: Shell, outside: Outside) -> ContactMesh:
    """Contact mesh of samples of a surface, in zones by the rules of a generated vehicle of these dimensions. Raises
    EngineError."""
    points, triangles = core_of(vehicle, shell, outside)
    zones, labels = in_zones(points, triangles, zone_values(make_form(vehicle), points))
    vertices = np.round(zones.points, DIGITS) + 0.0
    return ContactMesh(
        tuple(map(tuple, vertices.tolist())),
        tuple(map(tuple, zones.triangles.tolist())),
        [ContactZone(name, MATERIAL_OF_ZONE.get(name, name)) for name in ZONES],
        tuple(labels.tolist()),
        tuple(np.round(shell.depth_at(vertices), DIGITS).tolist()),
        source="Fitted to a user's mesh",
    )


def core_of(vehicle: Vehicle, shell: Shell, outside: Outside) -> tuple[np.ndarray, np.ndarray]:
    """Points and triangles of the core: closed, on a grid that is shifted until no cell of it is ambiguous."""
    cell = CELL * max(1.0, vehicle.length / 5.5)
    low, high = shell.points.min(axis=0), shell.points.max(axis=0)
    for shift in (0.5, 0.4, 0.3, 0.2, 0.1, 0.45, 0.35, 0.6, 0.7, 0.8):
        start = low - shift * cell
        axes = [np.arange(a, b + 1.5 * cell, cell) for a, b in zip(start, high, strict=True)]
        nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
        value = np.ones(len(nodes))
        inside = outside.is_inside(nodes)
        value[inside] = -shell.core_distance(nodes[inside])[0]
        grid = without_ambiguity(value.reshape([len(a) for a in axes]))
        points, quads = surface_nets(grid, start, cell)
        triangles = largest_part(np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]))
        if len(triangles) and open_edges(triangles) == 0:
            break
    else:
        raise EngineError("no closed contact mesh could be fitted to the mesh; repair its surface first")
    used, which = np.unique(triangles, return_inverse=True)
    points, triangles = points[used], which.reshape(-1, 3)
    points = shell.onto_core(points, 3)
    for _ in range(2):
        points, triangles = refined(shell, points, triangles)
    return points, triangles


def without_ambiguity(values: np.ndarray) -> np.ndarray:
    """Values at the nodes of a grid, of which some outside count as inside, so that no square of four has its inside
    nodes across from each other: there two sheets of the surface would meet in an edge."""
    values = values.copy()
    for _ in range(20):
        inside, changed = values < 0.0, False
        for one, other in ((0, 1), (0, 2), (1, 2)):
            corner = [
                [slice(0, -1) if k in (one, other) else slice(None) for k in range(3)] for _ in range(4)
            ]
            for number, axis in ((1, one), (2, other), (3, one), (3, other)):
                corner[number][axis] = slice(1, None)
            a, b, c, d = (inside[tuple(place)] for place in corner)
            for first, is_bad in ((1, a & d & ~b & ~c), (0, ~a & ~d & b & c)):
                if is_bad.any():
                    changed = True
                    part = values[tuple(corner[first])]
                    part[is_bad] = -1e-3
        if not changed:
            break
    return values


def largest_part(triangles: np.ndarray) -> np.ndarray:
    """The triangles of the largest connected piece."""
    if not len(triangles):
        return triangles
    label = np.arange(triangles.max() + 1)
    while True:
        least = label[triangles].min(axis=1)
        new = label.copy()
        for k in range(3):
            np.minimum.at(new, triangles[:, k], least)
        new = new[new]
        if np.array_equal(new, label):
            break
        label = new
    names, count = np.unique(label[triangles[:, 0]], return_counts=True)
    return triangles[label[triangles[:, 0]] == names[np.argmax(count)]]


def deviation_of(
    points: np.ndarray, body: np.ndarray, outside: Outside, surface: ContactMesh, most: int = 6000
) -> dict[str, float]:
    """Distances of samples of the outer surface (others than those of the fit) from what is touched."""
    at, normals = seen_samples(points, body, outside, seed=1)
    at = at[outermost(at, normals, outside)]
    at = at[np.random.default_rng(2).permutation(len(at))[:most]]
    off = np.abs(touched_distance(surface, at))
    return {
        "mean": float(off.mean()),
        "p95": float(np.quantile(off, 0.95)),
        "largest": float(off.max()),
        "share": float(np.mean(off <= GOAL)),
    }


def touched_distance(surface: ContactMesh, points: np.ndarray) -> np.ndarray:
    """(n,) distance (m) of points outside what is touched of a contact mesh: from its nearest triangle, less the depth
    there."""
    corners = np.array(surface.vertices)[np.array(surface.triangles)]
    depth = np.array(surface.depth)[np.array(surface.triangles)]
    middle = corners.mean(axis=1)
    out = np.empty(len(points))
    for part in np.array_split(np.arange(len(points)), len(points) // 400 + 1):
        p = points[part]
        square = ((p[:, None, :] - middle[None, :, :]) ** 2).sum(axis=2)
        near = np.argpartition(square, min(24, len(middle) - 1), axis=1)[:, :24]
        distance, weights = to_triangles(p[:, None, :], corners[near])
        k = np.argmin(distance, axis=1)
        rows = np.arange(len(p))
        out[part] = distance[rows, k] - (weights[rows, k] * depth[near[rows, k]]).sum(axis=1)
    return out


def to_triangles(p: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, k) distance of points (n, 1, 3) to triangles (n, k, 3, 3), and (n, k, 3) weights of the corners where it is
    nearest: inside where the foot is, else on the nearest side."""
    a, b, c = corners[:, :, 0], corners[:, :, 1], corners[:, :, 2]
    u, v, d = b - a, c - a, p - a
    uu, uv, vv = (u * u).sum(-1), (u * v).sum(-1), (v * v).sum(-1)
    du, dv = (d * u).sum(-1), (d * v).sum(-1)
    det = np.maximum(uu * vv - uv * uv, 1e-18)
    s, t = (vv * du - uv * dv) / det, (uu * dv - uv * du) / det
    foot = np.stack([1.0 - s - t, s, t], axis=-1)
    best = np.where(
        (foot >= 0.0).all(-1), np.linalg.norm(d - s[..., None] * u - t[..., None] * v, axis=-1), np.inf
    )
    for i, j in ((0, 1), (1, 2), (2, 0)):
        start, along = corners[:, :, i], corners[:, :, j] - corners[:, :, i]
        share = np.clip(((p - start) * along).sum(-1) / np.maximum((along**2).sum(-1), 1e-18), 0.0, 1.0)
        off = np.linalg.norm(p - start - share[..., None] * along, axis=-1)
        weights = np.zeros_like(foot)
        weights[..., i], weights[..., j] = 1.0 - share, share
        closer = off < best
        best, foot = np.where(closer, off, best), np.where(closer[..., None], weights, foot)
    return best, foot


def part_meshes(fitted: Fitted) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Body of the model to (points, triangles) of what is drawn of the mesh with it, in the frame of that body (m)."""
    part = np.array(fitted.part, dtype=object)
    found = {"car_body": (fitted.points, fitted.triangles[part == "body"])}
    for name, wheel in wheel_centres(fitted.vehicle).items():
        chosen = fitted.triangles[part == name]
        if len(chosen):
            found[f"wheel{name}"] = (fitted.points - np.array(wheel), chosen)
    return found


def own_model(fitted: Fitted, mass: float | None = None, sprung: bool = False, name: str = "") -> Model:
    """Model of a fitted vehicle: body with its contact mesh and strips of structure, four wheels; mass in kg, else that
    of the class."""
    build = build_sprung_vehicle if sprung else build_vehicle
    model = build(fitted.vehicle, mass, name or "own_vehicle")
    body = next(body for body in model.bodies if body.surface is not None)
    body.surface = fitted.surface
    model.description = f"Own vehicle after a user's mesh, {fitted.vehicle.kind}. " + model.description
    d = fitted.deviation
    model.notes = [
        f"Contact mesh fitted to a user's mesh: 95 % of its outer surface within {1000 * d['p95']:.1f} mm, largest "
        f"{1000 * d['largest']:.0f} mm.",
        *model.notes,
    ]
    return add_structure(model)
