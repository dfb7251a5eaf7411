"""Regions of the ground with materials of their own: asphalt here, grass there, as polygons seen from above."""

import os
from dataclasses import dataclass, field

import numpy as np

from ...engine.spec import Obstacle
from ...io_json.declarations import record_of
from ...io_json.documents import read_document
from ...io_json.errors import FileError, in_file
from ...models.parts.surfaces import SURFACES, surface

FORMAT = "mannequin-regions"
FORMAT_VERSION = 1


@dataclass
class Region:
    """A part of the ground."""

    name: str
    surface: str
    """One of the surfaces that are shipped."""
    outline: list[tuple[float, float]]
    """Corners, x and y in m."""


@dataclass
class Regions:
    """A file of regions; of those that overlap, the last counts."""

    default: str = "asphalt_dry"
    """Surface of the rest."""
    regions: list[Region] = field(default_factory=list)


def read_regions(path: str | os.PathLike) -> Regions:
    """Read a file of regions. Raises FileError."""
    document = read_document(path, FORMAT, FORMAT_VERSION)
    with in_file(path):
        regions = record_of(Regions).read(document, "")
        for name in [regions.default, *(region.surface for region in regions.regions)]:
            if name not in SURFACES:
                raise FileError(
                    f"there is no surface {name!r}", remedy=f"Choose one of {', '.join(SURFACES)}"
                )
        if any(len(region.outline) < 3 for region in regions.regions):
            raise FileError("a region has fewer than three corners", remedy="Give its outline")
    return regions


def inside(outline: list[tuple[float, float]], points: np.ndarray) -> np.ndarray:
    """(n,) whether (n, 2) points lie inside a polygon: a ray to the right crosses its edges an odd number of times."""
    corners = np.asarray(outline, dtype=float)
    x, y = points[:, 0], points[:, 1]
    result = np.zeros(len(points), dtype=bool)
    for (x1, y1), (x2, y2) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        crosses = (y1 > y) != (y2 > y)
        if y1 != y2:
            result ^= crosses & (x < x1 + (y - y1) / (y2 - y1) * (x2 - x1))
    return result


def ground_obstacles(mesh: tuple[np.ndarray, np.ndarray], regions: Regions, source: str) -> list[Obstacle]:
    """The ground as obstacles, one for each surface; triangles belong where their middle is."""
    points, triangles = mesh
    middles = points[triangles].mean(axis=1)[:, :2]
    owner = np.zeros(len(triangles), dtype=int)
    for number, region in enumerate(regions.regions, start=1):
        owner[inside(region.outline, middles)] = number
    names = [("ground", regions.default), *((region.name, region.surface) for region in regions.regions)]
    obstacles = []
    for number, (name, kind) in enumerate(names):
        chosen = triangles[owner == number]
        if len(chosen):
            used, corners = np.unique(chosen, return_inverse=True)
            material = surface(kind)
            obstacles.append(
                Obstacle(
                    name,
                    "mesh",
                    vertices=points[used],
                    triangles=corners.reshape(-1, 3),
                    material=material,
                    source=f"{source}; {SURFACES[kind].source}",
                )
            )
    return obstacles
