"""Triangles of a glTF 2.0 file (Khronos Group, sections 3.5 to 3.7). Nodes are placed as the scene has them.

Only the surface is read, in the file's own axes (y up). What needs an extension (compressed meshes) is refused.
"""

import base64
import binascii
import struct
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.maths.rotations import matrix_from_quaternion
from . import strict_json
from .errors import FileError
from .mesh_limits import MAX_BYTES, MAX_POINTS, MAX_TRIANGLES

MAGIC, JSON_CHUNK, BINARY_CHUNK = b"glTF", 0x4E4F534A, 0x004E4942
KINDS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC3": 3}
TRIANGLES = 4
"""Mode of a primitive."""
MAX_NODES = 10_000
_AGAIN = "Export it again as .glb without compression, or as .obj"
_DECODED = (KeyError, IndexError, TypeError, ValueError, OverflowError, AttributeError, struct.error)
"""What a document of the wrong shape leads to."""


def read_gltf(data: bytes, folder: Path | None = None) -> tuple[np.ndarray, np.ndarray]:
    """((n, 3) points in m, y up, (m, 3) indices) of all meshes of the scene together. Raises FileError.

    folder: where buffers may lie that are not in the file; absent: such a file is refused.
    """
    try:
        document, binary = _parts(data)
        return _Scene(document, binary, folder).mesh()
    except _DECODED as error:
        raise FileError(f"is not a glTF file we can read ({error})"[:160], remedy=_AGAIN) from error


def _parts(data: bytes) -> tuple[dict[str, Any], bytes]:
    """(document, binary chunk) of a .glb or a .gltf."""
    if data[:4] != MAGIC:
        return strict_json.parse(strict_json.decode(data)), b""
    chunks: dict[int, bytes] = {}
    at = 12
    while at + 8 <= len(data):
        size, kind = struct.unpack_from("<II", data, at)
        if at + 8 + size > len(data):
            raise FileError("is cut short", place=f"byte {at}", remedy=_AGAIN)
        chunks.setdefault(kind, data[at + 8 : at + 8 + size])
        at += 8 + size
    if JSON_CHUNK not in chunks:
        raise FileError("has no document inside", remedy=_AGAIN)
    document = strict_json.parse(strict_json.decode(chunks[JSON_CHUNK].rstrip(b" \x00")))
    return document, chunks.get(BINARY_CHUNK, b"")


class _Scene:
    """The document with its buffers."""

    def __init__(self, document: dict[str, Any], binary: bytes, folder: Path | None) -> None:
        if document.get("extensionsRequired"):
            names = ", ".join(map(str, document["extensionsRequired"]))[:100]
            raise FileError(f"needs extensions that are not read: {names}", remedy=_AGAIN)
        self._document, self._binary, self._folder = document, binary, folder
        self._buffers: dict[int, bytes] = {}
        self._points: list[np.ndarray] = []
        self._triangles: list[np.ndarray] = []
        self._count = self._faces = 0

    def mesh(self) -> tuple[np.ndarray, np.ndarray]:
        nodes, scenes = self._document.get("nodes", []), self._document.get("scenes", [])
        roots = scenes[self._document.get("scene", 0)]["nodes"] if scenes else range(len(nodes))
        waiting, done = [(index, np.eye(4)) for index in roots], 0
        while waiting:
            index, above = waiting.pop(0)
            done += 1
            if done > MAX_NODES:
                raise FileError(
                    f"has more than {MAX_NODES:,} nodes, or nodes inside each other without end",
                    remedy=_AGAIN,
                )
            node = nodes[index]
            matrix = above @ _place(node)
            waiting += [(child, matrix) for child in node.get("children", [])]
            if "mesh" in node:
                self._add(self._document["meshes"][node["mesh"]], matrix)
        if not self._triangles:
            raise FileError("holds no triangles", remedy="Export a mesh with faces")
        return np.concatenate(self._points), np.concatenate(self._triangles)

    def _add(self, mesh: dict[str, Any], matrix: np.ndarray) -> None:
        for primitive in mesh["primitives"]:
            if primitive.get("mode", TRIANGLES) != TRIANGLES:
                continue
            points = self._numbers(primitive["attributes"]["POSITION"], "VEC3").astype(float)
            if "indices" in primitive:
                corners = self._numbers(primitive["indices"], "SCALAR").astype(np.int64).ravel()
            else:
                corners = np.arange(len(points))
            corners = corners[: len(corners) // 3 * 3]
            if len(corners) and corners.max() >= len(points):
                raise FileError("has a triangle with a point that is not there", remedy=_AGAIN)
            self._triangles.append(corners.reshape(-1, 3) + self._count)
            self._points.append(points @ matrix[:3, :3].T + matrix[:3, 3])
            self._count += len(points)
            self._faces += len(corners) // 3
            if self._count > MAX_POINTS or self._faces > MAX_TRIANGLES:
                raise FileError(f"has more than {MAX_TRIANGLES:,} triangles", remedy="Simplify the mesh")

    def _numbers(self, index: int, kind: str) -> np.ndarray:
        """(n, width) numbers of an accessor."""
        accessor = self._document["accessors"][index]
        if accessor["type"] != kind or "sparse" in accessor or "bufferView" not in accessor:
            raise FileError("has compressed points or points of an odd kind", remedy=_AGAIN)
        view = self._document["bufferViews"][accessor["bufferView"]]
        number = np.dtype(KINDS[accessor["componentType"]])
        width, count = WIDTHS[kind], accessor["count"]
        row = view.get("byteStride", 0) or width * number.itemsize
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        data = self._buffer(view["buffer"])
        last = start + row * (count - 1) + width * number.itemsize
        is_inside = start >= 0 and row >= width * number.itemsize and last <= len(data)
        if not (0 < count <= 3 * MAX_TRIANGLES and is_inside):
            raise FileError("has a buffer that is too short, or says it is larger than it is", remedy=_AGAIN)
        return np.ndarray((count, width), number, data, start, (row, number.itemsize)).copy()

    def _buffer(self, index: int) -> bytes:
        if index not in self._buffers:
            uri = self._document["buffers"][index].get("uri", "")
            self._buffers[index] = self._from_uri(uri) if uri else self._binary
        return self._buffers[index]

    def _from_uri(self, uri: str) -> bytes:
        if uri.startswith("data:"):
            try:
                return base64.b64decode(uri.partition(",")[2], validate=True)
            except binascii.Error as error:
                raise FileError("has a damaged buffer", remedy=_AGAIN) from error
        if self._folder is None:
            raise FileError(
                "has its points in another file", remedy="Export it as .glb, which holds everything"
            )
        if Path(uri).is_absolute() or ".." in Path(uri).parts or ":" in uri:
            raise FileError("has its data elsewhere", remedy="Put the .bin file beside it, or export as .glb")
        return strict_json.read_bytes(self._folder / uri, MAX_BYTES)


def _place(node: dict[str, Any]) -> np.ndarray:
    """(4, 4) of a node: its matrix, or shift, turn and scale."""
    if "matrix" in node:
        return np.array(node["matrix"], dtype=float).reshape(4, 4).T
    x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
    scale = np.array(node.get("scale", (1.0, 1.0, 1.0)), dtype=float)
    matrix = np.eye(4)
    matrix[:3, :3] = matrix_from_quaternion(np.array([w, x, y, z], dtype=float)) * scale
    matrix[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return matrix
