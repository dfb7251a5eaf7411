"""Scans of surfaces that are known, for tests of clouds and grounds."""

import json
import struct

import numpy as np

KERB = 0.12
TILT = 0.02


def true_height(xy):
    """(n,) m: a road that rises by 2 % along y, with a kerb at x = 0."""
    return np.where(xy[:, 0] > 0.0, KERB, 0.0) + TILT * xy[:, 1]


def street(count=200_000, noise=0.005, seed=1, half=3.0):
    """(n, 3) points of the street with noise (m) along z, and (n, 3) colours: grey road, light pavement."""
    rng = np.random.default_rng(seed)
    xy = rng.uniform(-half, half, (count, 2))
    points = np.column_stack([xy, true_height(xy) + noise * rng.normal(size=count)])
    colours = np.where(xy[:, :1] > 0.0, 180, 60).repeat(3, axis=1).astype(np.uint8)
    return points, colours


def cluttered(points, seed=2):
    """A street with a person-sized box, stray points in the air and below, and a hole."""
    rng = np.random.default_rng(seed)
    away = np.hypot(points[:, 0] + 1.5, points[:, 1] - 1.5) > 0.5
    person = rng.uniform([-1.7, -1.7, 0.4], [-1.3, -1.3, 1.8], (8000, 3))
    strays = np.concatenate(
        [rng.uniform([-3, -3, 3], [3, 3, 8], (60, 3)), rng.uniform([-3, -3, -5], [3, 3, -2], (40, 3))]
    )
    return np.concatenate([points[away], person, strays])


def write_las(path, points, colours=None, scale=0.001, offset=(0.0, 0.0, 0.0)):
    """LAS or LAZ by the file's ending, written by laspy."""
    import laspy

    header = laspy.LasHeader(point_format=3 if colours is not None else 0, version="1.2")
    header.scales, header.offsets = [scale] * 3, list(offset)
    data = laspy.LasData(header)
    data.x, data.y, data.z = points.T
    if colours is not None:
        data.red, data.green, data.blue = (colours.astype(np.uint16) * 257).T
    data.write(str(path))


def write_text(path, points, colours=None, separator=" ", heading=""):
    rows = [heading] if heading else []
    for i, point in enumerate(points):
        values = [f"{x:.4f}" for x in point] + ([str(c) for c in colours[i]] if colours is not None else [])
        rows.append(separator.join(values))
    path.write_text("\n".join(rows) + "\n")


def write_e57(path, points, colours, shift):
    import pye57

    data = {f"cartesian{axis}": points[:, i] for i, axis in enumerate("XYZ")}
    data |= {f"color{name}": colours[:, i] for i, name in enumerate(("Red", "Green", "Blue"))}
    half = 0.5 * np.pi / 2.0
    file = pye57.E57(str(path), mode="w")
    file.write_scan_raw(
        data, rotation=np.array([np.cos(half), 0.0, 0.0, np.sin(half)]), translation=np.array(shift)
    )
    file.close()


def glb_bytes(points, triangles, node=None):
    """A .glb file of one mesh."""
    positions = np.asarray(points, dtype="<f4").tobytes()
    corners = np.asarray(triangles, dtype="<u2").tobytes()
    corners += b"\x00" * (-len(corners) % 4)
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, **(node or {})}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": len(positions) + len(corners)}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(positions)},
            {"buffer": 0, "byteOffset": len(positions), "byteLength": len(corners)},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 3 * len(triangles), "type": "SCALAR"},
        ],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text
    body += struct.pack("<II", len(positions) + len(corners), 0x004E4942) + positions + corners
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body
