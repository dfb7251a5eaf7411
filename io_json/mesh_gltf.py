"""Triangles of a glTF 2.0 file: .glb, or .gltf whose buffers are inside it. Nodes are placed as the scene has them.

Only the surface is read, in the file's own axes (y up). What needs an extension (compressed meshes) is refused.
"""

from __future__ import annotations

import base64
import binascii
import struct
from typing import Any

import numpy as np

from . import strict_json
from .errors import FileError

MAGIC, JSON_CHUNK, BINARY_CHUNK = b"glTF", 0x4E4F534A, 0x004E4942
TYPES = {5121: np.uint8, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
TRIANGLES = 4
"""Mode of a primitive."""
DEEPEST = 64
"""Nodes below each other."""
_REMEDY = "Export it again as .glb without compression, or as .obj"


def read_gltf(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """((n, 3) points, (m, 3) indices) of all meshes of the scene. Raises FileError."""
    document, buffers = _document(data)
    try:
        return _scene(document, buffers)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise FileError(f"is not a glTF file we can read ({error})"[:160], remedy=_REMEDY) from error


def _document(data: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """The JSON of a file, and its buffers."""
    binary = b""
    if data[:4] == MAGIC:
        chunks, at = {}, 12
        while at + 8 <= len(data):
            size, kind = struct.unpack_from("<II", data, at)
            chunks.setdefault(kind, data[at + 8 : at + 8 + size])
            at += 8 + size
        text, binary = chunks.get(JSON_CHUNK, b""), chunks.get(BINARY_CHUNK, b"")
    else:
        text = data
    document = strict_json.parse(strict_json.decode(text))
    if not isinstance(document, dict) or not isinstance(document.get("buffers", []), list):
        raise FileError("is not a glTF file we can read", remedy=_REMEDY)
    return document, [_buffer(buffer, binary) for buffer in document.get("buffers", [])]


def _buffer(buffer: Any, binary: bytes) -> bytes:
    uri = buffer.get("uri") if isinstance(buffer, dict) else None
    if uri is None:
        return binary
    if not isinstance(uri, str) or not uri.startswith("data:"):
        raise FileError("has its points in another file", remedy="Export it as .glb, which holds everything")
    try:
        return base64.b64decode(uri.partition(",")[2], validate=True)
    except binascii.Error as error:
        raise FileError("has a damaged buffer", remedy=_REMEDY) from error


def _scene(document: dict[str, Any], buffers: list[bytes]) -> tuple[np.ndarray, np.ndarray]:
    nodes = document.get("nodes", [])
    scenes = document.get("scenes", [])
    roots = scenes[document.get("scene", 0)]["nodes"] if scenes else range(len(nodes))
    points, triangles, count = [], [], 0
    open_nodes = [(root, np.identity(4), 0) for root in roots]
    while open_nodes:
        number, above, depth = open_nodes.pop(0)
        if depth > DEEPEST:
            raise FileError("has nodes inside each other without end", remedy=_REMEDY)
        node = nodes[number]
        place = above @ _matrix(node)
        open_nodes += [(child, place, depth + 1) for child in node.get("children", [])]
        if "mesh" not in node:
            continue
        for primitive in document["meshes"][node["mesh"]]["primitives"]:
            if primitive.get("mode", TRIANGLES) != TRIANGLES:
                continue
            at = _accessor(document, buffers, primitive["attributes"]["POSITION"], 3).astype(float)
            if "indices" in primitive:
                corners = _accessor(document, buffers, primitive["indices"], 1).astype(np.int64)
            else:
                corners = np.arange(len(at))
            if corners.size and int(corners.max()) >= len(at):
                raise ValueError("an index points nowhere")
            points.append(at @ place[:3, :3].T + place[:3, 3])
            triangles.append(corners[: len(corners) // 3 * 3].reshape(-1, 3) + count)
            count += len(at)
    if not points:
        raise FileError("holds no triangles", remedy="Export the mesh again")
    return np.concatenate(points), np.concatenate(triangles)


def _matrix(node: dict[str, Any]) -> np.ndarray:
    """(4, 4) place of a node in the one above it."""
    if "matrix" in node:
        return np.array(node["matrix"], dtype=float).reshape(4, 4).T
    x, y, z, w = (float(v) for v in node.get("rotation", (0, 0, 0, 1)))
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    out = np.identity(4)
    out[:3, :3] = turn * np.array(node.get("scale", (1, 1, 1)), dtype=float)
    out[:3, 3] = node.get("translation", (0, 0, 0))
    return out


def _accessor(document: dict[str, Any], buffers: list[bytes], number: int, width: int) -> np.ndarray:
    """Values of an accessor, (n, width) or (n,)."""
    accessor = document["accessors"][number]
    if "sparse" in accessor or "bufferView" not in accessor:
        raise FileError("has compressed or sparse points", remedy=_REMEDY)
    view = document["bufferViews"][accessor["bufferView"]]
    kind = np.dtype(TYPES[accessor["componentType"]]).newbyteorder("<")
    count, size = int(accessor["count"]), kind.itemsize * width
    stride = int(view.get("byteStride", size))
    start = int(view.get("byteOffset", 0)) + int(accessor.get("byteOffset", 0))
    data = buffers[view["buffer"]]
    if (
        count < 0
        or stride < size
        or start < 0
        or start + max(0, count - 1) * stride + size * (count > 0) > len(data)
    ):
        raise ValueError("a buffer is too short")
    values = np.ndarray((count, width), kind, data, start, (stride, kind.itemsize))
    return values if width > 1 else values[:, 0]
