"""Triangle meshes from OBJ, STL (text and binary), PLY (text and binary) and glTF files, and to OBJ.

Only the surface is read: points and triangles. Polygons are cut into fans. Sizes are bounded before anything is
allocated, and an index that points nowhere is an error.
"""

import io
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from ..engine.spec.validation.meshes import mesh_fault
from . import atomic
from .errors import FileError, in_file
from .mesh_gltf import read_gltf
from .mesh_limits import MAX_BYTES, MAX_POINTS, MAX_TRIANGLES
from .mesh_ply import fan, read_ply
from .strict_json import read_bytes

LONGEST_LINE = 1_000_000
"""Bytes of a line of a text file: a face of a hundred thousand corners."""

Mesh = tuple[np.ndarray, np.ndarray]


def read_mesh(path: str | os.PathLike, with_parts_beside: bool = False) -> Mesh:
    """((n, 3) points in the unit of the file, which must be metres; (m, 3) indices, counter-clockwise from outside).

    with_parts_beside: a glTF may have its numbers in files beside it. Raises `FileError`.
    """
    gltf = partial(read_gltf, folder=Path(path).parent if with_parts_beside else None)
    readers: dict[str, Callable[[bytes], Mesh]] = {
        ".obj": _read_obj,
        ".stl": _read_stl,
        ".ply": read_ply,
        ".glb": gltf,
        ".gltf": gltf,
    }
    reader = readers.get(Path(path).suffix.lower())
    if reader is None:
        raise FileError(
            "is not a mesh file we can read", path=path, remedy="Save it as .obj, .stl, .ply or .glb"
        )
    data = read_bytes(path, MAX_BYTES)
    with in_file(path):
        return _checked(*reader(data))


def write_obj(path: str | os.PathLike, points: np.ndarray, triangles: np.ndarray) -> None:
    """Write a mesh: points used by no triangle are left out."""
    used, which = np.unique(triangles, return_inverse=True)
    rows = [f"v {x:.5f} {y:.5f} {z:.5f}" for x, y, z in np.asarray(points, dtype=float)[used]]
    rows += [f"f {a} {b} {c}" for a, b, c in which.reshape(-1, 3) + 1]
    atomic.write_text(path, "\n".join([*rows, ""]))


def _checked(points: np.ndarray, triangles: np.ndarray) -> Mesh:
    """The mesh, when it is one that the engine takes and that is not too big."""
    if len(points) > MAX_POINTS or len(triangles) > MAX_TRIANGLES:
        raise FileError(f"has more than {MAX_TRIANGLES:,} triangles", remedy="Simplify the mesh")
    fault = mesh_fault(points, triangles)
    if fault:
        raise FileError(fault[0], remedy=fault[1])
    return points, triangles


def _lines(data: bytes) -> Iterator[tuple[int, list[str]]]:
    """Line number and words of every line that has any."""
    if b"\n" not in data:  # as old Macintosh programs end lines
        data = data.replace(b"\r", b"\n")
    for number, line in enumerate(io.BytesIO(data), start=1):
        if len(line) > LONGEST_LINE:
            raise FileError(
                f"is longer than {LONGEST_LINE:,} bytes",
                place=f"line {number}",
                remedy="Export the mesh again",
            )
        words = line.decode("utf-8", errors="replace").split("#", 1)[0].split()
        if words:
            yield number, words


def _refuse_too_many(things: list, most: int, name: str) -> None:
    """Stop while reading, before more takes memory. Raises `FileError`."""
    if len(things) > most:
        raise FileError(f"has more than {most:,} {name}", remedy="Simplify the mesh")


def _coordinates(words: list[str], number: int) -> tuple[float, float, float]:
    try:
        x, y, z = (float(word) for word in words[:3])
    except ValueError:
        remedy = "Write three numbers"
        raise FileError("is not a point of three numbers", place=f"line {number}", remedy=remedy) from None
    return x, y, z


def _read_obj(data: bytes) -> Mesh:
    points: list[tuple[float, float, float]] = []
    triangles: list[tuple[int, int, int]] = []
    for number, words in _lines(data):
        if words[0] == "v":
            points.append(_coordinates(words[1:], number))
            _refuse_too_many(points, MAX_POINTS, "points")
        elif words[0] == "f":
            triangles += fan(_obj_corners(words[1:], len(points), number))
            _refuse_too_many(triangles, MAX_TRIANGLES, "triangles")
    return _arrays(points, triangles)


def _obj_corners(words: list[str], count: int, number: int) -> list[int]:
    """Corner indices from 0; a negative number counts back from the last point so far."""
    try:
        given = [int(word.split("/", 1)[0]) for word in words]
    except ValueError:
        given = [0]
    if any(index == 0 or index > MAX_POINTS or index < -count for index in given) or len(given) < 3:
        raise FileError("is not a face", place=f"line {number}", remedy="Write three or more point numbers")
    return [index - 1 if index > 0 else count + index for index in given]


def _read_stl(data: bytes) -> Mesh:
    has_header = len(data) >= 84
    count = int.from_bytes(data[80:84], "little") if has_header else 0
    if has_header and len(data) == 84 + 50 * count:
        corners = _binary_stl_corners(data, count)
    elif data[:5] == b"solid":
        corners = _text_stl_corners(data)
    else:
        message = f"is cut short: it announces {count} triangles and is {len(data)} bytes long"
        raise FileError(message, place="byte 80", remedy="Export the mesh again")
    # STL repeats the corners of every triangle: make one point of equal ones.
    points, index = np.unique(corners, axis=0, return_inverse=True)
    return points, index.reshape(-1, 3).astype(np.int64)


def _binary_stl_corners(data: bytes, count: int) -> np.ndarray:
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    return np.frombuffer(data, record, count, offset=84)["corners"].reshape(-1, 3).astype(np.float64)


def _text_stl_corners(data: bytes) -> np.ndarray:
    corners = [_coordinates(words[1:], number) for number, words in _lines(data) if words[0] == "vertex"]
    if len(corners) % 3:
        raise FileError("ends inside a triangle", remedy="Export the mesh again")
    return np.array(corners, dtype=np.float64).reshape(-1, 3)


def _arrays(points: list, triangles: list) -> Mesh:
    return (
        np.array(points, dtype=np.float64).reshape(-1, 3),
        np.array(triangles, dtype=np.int64).reshape(-1, 3),
    )
