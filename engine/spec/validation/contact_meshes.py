"""Checks on the contact mesh of a body."""

import numpy as np

from .. import ContactMesh, CrushBlock, Material
from .issue import Issue, error, repeated_names
from .meshes import mesh_fault

MOST_ZONES = 15
"""Of one contact mesh."""
MOST_DEPTH = 1.0
"""m"""


def contact_mesh_issues(place: str, mesh: ContactMesh, materials: dict[str, Material]) -> list[Issue]:
    """A sound closed mesh, a zone for every triangle, a material for every zone."""
    fault = (
        mesh_fault(mesh.vertices, mesh.triangles) or open_fault(mesh) or zone_fault(mesh) or depth_fault(mesh)
    )
    issues = [error(place, f"it {fault[0]}", fault[1])] if fault else []
    issues += repeated_names(place, "zone", (zone.name for zone in mesh.zones))
    for zone in mesh.zones:
        if zone.material not in materials:
            message = f"zone '{zone.name}' names the unknown material '{zone.material}'"
            issues.append(error(place, message, "Name a material of the model"))
        if zone.crush and zone.crush not in materials:
            message = f"zone '{zone.name}' names the unknown crush material '{zone.crush}'"
            issues.append(error(place, message, "Name a material of the model, or none"))
    return issues + structure_issues(place, mesh.structure, materials)


def structure_issues(place: str, blocks: list[CrushBlock], materials: dict[str, Material]) -> list[Issue]:
    """Strips of structure with a direction and a material."""
    issues = repeated_names(place, "crush block", (block.name for block in blocks))
    for block in blocks:
        if not np.linalg.norm(block.direction[:2]) > 1e-6:
            message = f"crush block '{block.name}' has no direction to the side"
            issues.append(error(place, message, "Give its direction outwards"))
        if block.material not in materials:
            message = f"crush block '{block.name}' names the unknown material '{block.material}'"
            issues.append(error(place, message, "Name a material of the model"))
    return issues


def open_fault(mesh: ContactMesh) -> tuple[str, str] | None:
    """(what is wrong, remedy) where an edge does not join just two triangles of the same winding."""
    bad = open_edges(np.asarray(mesh.triangles))
    if not bad:
        return None
    return f"is not closed: {bad} edges do not join two triangles of one winding", "Close the mesh"


def open_edges(triangles: np.ndarray) -> int:
    """Number of directed edges of (m, 3) triangles that do not have just one opposite."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]).astype(
        np.int64
    )
    size = int(edges.max()) + 1
    there, counts = np.unique(edges[:, 0] * size + edges[:, 1], return_counts=True)
    back = (there % size) * size + there // size
    return int((counts != 1).sum() + (~np.isin(back, there)).sum())


def depth_fault(mesh: ContactMesh) -> tuple[str, str] | None:
    """(what is wrong, remedy) where the depths are not one for every vertex, from 0 on."""
    try:
        depth = np.asarray(mesh.depth, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return "has depths that are not numbers", "Give a depth in metres for every vertex"
    if depth.shape != (len(mesh.vertices),):
        return "does not give one depth for every vertex", "Give as many depths as vertices"
    if not (np.isfinite(depth).all() and depth.min() >= 0.0 and depth.max() <= MOST_DEPTH):
        return f"has a depth outside 0 to {MOST_DEPTH:g} m", "Correct the depths"
    return None


def zone_fault(mesh: ContactMesh) -> tuple[str, str] | None:
    """(what is wrong, remedy) where zones and triangles do not go together."""
    try:
        numbers = np.asarray(mesh.zone_of)
    except ValueError:
        return "has zone numbers that are not numbers", "Give a zone number for every triangle"
    if not 1 <= len(mesh.zones) <= MOST_ZONES:
        return f"has {len(mesh.zones)} zones", f"Give 1 to {MOST_ZONES} zones"
    if numbers.shape != (len(mesh.triangles),) or not np.issubdtype(numbers.dtype, np.integer):
        return "does not give one zone number for every triangle", "Give as many zone numbers as triangles"
    if numbers.min() < 0 or numbers.max() >= len(mesh.zones):
        return "has a triangle in a zone that does not exist", f"Use numbers from 0 to {len(mesh.zones) - 1}"
    return None
