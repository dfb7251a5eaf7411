"""Clouds and meshes as binary PLY files, which Blender and every program for scans read."""

import os

import numpy as np

from ...io_json import atomic
from .cloud import Cloud

Mesh = tuple[np.ndarray, np.ndarray]


def _header(count: int, comments: list[str], coloured: bool, faces: int = 0) -> bytes:
    lines = ["ply", "format binary_little_endian 1.0", *(f"comment {text}" for text in comments)]
    lines += [f"element vertex {count}", *(f"property double {axis}" for axis in "xyz")]
    if coloured:
        lines += [f"property uchar {name}" for name in ("red", "green", "blue")]
    if faces:
        lines += [f"element face {faces}", "property list uchar int vertex_indices"]
    return ("\n".join([*lines, "end_header"]) + "\n").encode("ascii", errors="replace")


def write_cloud(path: str | os.PathLike, cloud: Cloud) -> None:
    """Write a cloud in our axes and metres; its local origin stands in a comment. Raises FileError."""
    kinds = [(axis, "<f8") for axis in "xyz"]
    if cloud.colours is not None:
        kinds += [(name, "u1") for name in ("red", "green", "blue")]
    table = np.zeros(len(cloud.points), dtype=kinds)
    for i, axis in enumerate("xyz"):
        table[axis] = cloud.points[:, i]
    for i, name in enumerate(("red", "green", "blue") if cloud.colours is not None else ()):
        table[name] = cloud.colours[:, i]
    origin = " ".join(f"{x:.6f}" for x in cloud.origin)
    comments = [f"local origin {origin} {cloud.unit}, {cloud.up} up", "metres, z up"]
    with atomic.writing(path) as file:
        file.write(_header(len(table), comments, cloud.colours is not None))
        file.write(table.tobytes())


def write_mesh(path: str | os.PathLike, mesh: Mesh, comments: list[str]) -> None:
    """Write a triangle mesh. Raises FileError."""
    points, triangles = mesh
    faces = np.zeros(len(triangles), dtype=[("n", "u1"), ("i", "<i4", 3)])
    faces["n"], faces["i"] = 3, triangles
    with atomic.writing(path) as file:
        file.write(_header(len(points), comments, False, len(triangles)))
        file.write(np.ascontiguousarray(points, dtype="<f8").tobytes())
        file.write(faces.tobytes())
