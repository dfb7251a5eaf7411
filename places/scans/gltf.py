"""Triangles of glTF files (.glb, .gltf): geometry only, nodes put in place, z up.

glTF 2.0 (Khronos Group), sections 3.5 to 3.7. glTF is in metres with y up; both are turned into ours.
"""

from __future__ import annotations

import base64
import binascii
import os
import struct
from pathlib import Path
from typing import Any

import numpy as np

from ...engine.maths.rotations import matrix_from_quaternion
from ...io_json import strict_json
from ...io_json.errors import FileError, in_file
from ...io_json.mesh_files import MAX_BYTES, MAX_POINTS, MAX_TRIANGLES, Mesh

_KINDS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC3": 3}
_TRIANGLES = 4
_JSON, _BINARY = 0x4E4F534A, 0x004E4942
MAX_NODES = 10_000
_AGAIN = "Export the model again as plain .glb, without compression"
_DECODED = (KeyError, IndexError, TypeError, ValueError, OverflowError, AttributeError, struct.error)
"""What a document of the wrong shape leads to."""


def read_gltf(path: str | os.PathLike) -> Mesh:
    """((n, 3) points in m, z up, (m, 3) indices) of all meshes of the scene together. Raises FileError."""
    data = strict_json.read_bytes(path, MAX_BYTES)
    with in_file(path):
        try:
            document, binary = _parts(data)
            return _Scene(document, binary, Path(path).parent).mesh()
        except _DECODED as error:
            raise FileError(f"is no glTF that can be read ({type(error).__name__})", remedy=_AGAIN) from error


def _parts(data: bytes) -> tuple[dict[str, Any], bytes]:
    """(document, binary chunk) of a .glb or a .gltf."""
    if data[:4] != b"glTF":
        return strict_json.parse(strict_json.decode(data)), b""
    chunks: dict[int, bytes] = {}
    at = 12
    while at + 8 <= len(data):
        size, kind = struct.unpack_from("<II", data, at)
        if at + 8 + size > len(data):
            raise FileError("is cut short", place=f"byte {at}", remedy=_AGAIN)
        chunks.setdefault(kind, data[at + 8 : at + 8 + size])
        at += 8 + size
    if _JSON not in chunks:
        raise FileError("has no document inside", remedy=_AGAIN)
    return strict_json.parse(strict_json.decode(chunks[_JSON].rstrip(b" \x00"))), chunks.get(_BINARY, b"")


class _Scene:
    """The document with its buffers."""

    def __init__(self, document: dict[str, Any], binary: bytes, folder: Path) -> None:
        if document.get("extensionsRequired"):
            names = ", ".join(map(str, document["extensionsRequired"]))[:100]
            raise FileError(f"needs extensions that are not read: {names}", remedy=_AGAIN)
        self._document, self._binary, self._folder = document, binary, folder
        self._buffers: dict[int, bytes] = {}
        self._points: list[np.ndarray] = []
        self._triangles: list[np.ndarray] = []
        self._count = self._faces = 0

    def mesh(self) -> Mesh:
        nodes = self._document.get("nodes", [])
        scenes = self._document.get("scenes", [])
        roots = scenes[self._document.get("scene", 0)]["nodes"] if scenes else range(len(nodes))
        waiting, done = [(index, np.eye(4)) for index in roots], 0
        while waiting:
            index, above = waiting.pop()
            done += 1
            if done > MAX_NODES:
                raise FileError(f"has more than {MAX_NODES:,} nodes, or a loop of them", remedy=_AGAIN)
            node = nodes[index]
            matrix = above @ _place(node)
            waiting += [(child, matrix) for child in node.get("children", [])]
            if "mesh" in node:
                self._add(self._document["meshes"][node["mesh"]], matrix)
        if not self._triangles:
            raise FileError("has no triangles", remedy="Export a mesh with faces")
        points = np.concatenate(self._points)
        return np.column_stack([points[:, 0], -points[:, 2], points[:, 1]]), np.concatenate(self._triangles)

    def _add(self, mesh: dict[str, Any], matrix: np.ndarray) -> None:
        for primitive in mesh["primitives"]:
            if primitive.get("mode", _TRIANGLES) != _TRIANGLES:
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
        if accessor["type"] != kind or "sparse" in accessor:
            raise FileError("has points or corners of an odd kind", remedy=_AGAIN)
        view = self._document["bufferViews"][accessor["bufferView"]]
        number = np.dtype(_KINDS[accessor["componentType"]])
        width, count = _WIDTHS[kind], accessor["count"]
        row = view.get("byteStride", 0) or width * number.itemsize
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        data = self._buffer(view["buffer"])
        last = start + row * (count - 1) + width * number.itemsize
        if not (
            0 < count <= 3 * MAX_TRIANGLES
            and start >= 0
            and row >= width * number.itemsize
            and last <= len(data)
        ):
            raise FileError("is cut short, or says it is larger than it is", remedy=_AGAIN)
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
                raise FileError("has broken data inside", remedy=_AGAIN) from error
        if Path(uri).is_absolute() or ".." in Path(uri).parts or ":" in uri:
            raise FileError("has its data elsewhere", remedy="Put the .bin file beside it, or export as .glb")
        return strict_json.read_bytes(self._folder / uri, MAX_BYTES)


def _place(node: dict[str, Any]) -> np.ndarray:
    """(4, 4) of a node: its matrix, or shift, turn and scale."""
    if "matrix" in node:
        return np.array(node["matrix"], dtype=float).reshape(4, 4).T
    x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
    matrix = np.eye(4)
    matrix[:3, :3] = matrix_from_quaternion(np.array([w, x, y, z], dtype=float)) * np.array(
        node.get("scale", (1.0, 1.0, 1.0)), dtype=float
    )
    matrix[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return matrix
