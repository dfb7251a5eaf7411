"""Meshes of scans and other programs, in our axes and metres."""

import os
from pathlib import Path

import numpy as np

from ...io_json.mesh_files import Mesh, read_mesh
from .cloud import to_ours


def read_scan_mesh(
    path: str | os.PathLike,
    unit: str = "m",
    up: str = "z",
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> Mesh:
    """((n, 3) points in m, z up; (m, 3) indices) of an OBJ, STL, PLY or glTF file. Raises FileError.

    unit, up, origin: of the file; a glTF is always in metres with y up.
    """
    points, triangles = read_mesh(path, with_parts_beside=True)
    if Path(path).suffix.lower() in (".glb", ".gltf"):
        return np.column_stack([points[:, 0], -points[:, 2], points[:, 1]]) - np.asarray(origin), triangles
    return to_ours(points, np.asarray(origin), unit, up), triangles
