"""Mesh files: the same box in every format, and broken ones."""

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mannequin.io_json import mesh_files
from mannequin.io_json.errors import FileError
from mannequin.io_json.mesh_files import read_mesh

POINTS = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 3.0)])
QUADS = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
TRIANGLES = [t for a, b, c, d in QUADS for t in ([a, b, c], [a, c, d])]


def obj() -> bytes:
    lines = ["# box", "o box"] + [f"v {x} {y} {z}" for x, y, z in POINTS] + ["vn 0 0 1"]
    lines += ["f " + " ".join(f"{i + 1}//1" for i in quad) for quad in QUADS[:3]]
    lines += ["f " + " ".join(f"{i - 8}" for i in quad) for quad in QUADS[3:]]
    return "\n".join(lines).encode()


def stl_text() -> bytes:
    lines = ["solid box"]
    for triangle in TRIANGLES:
        lines += ["facet normal 0 0 0", " outer loop"]
        lines += ["  vertex {} {} {}".format(*POINTS[i]) for i in triangle]
        lines += [" endloop", "endfacet"]
    return "\n".join([*lines, "endsolid box", ""]).encode()


def stl_binary() -> bytes:
    facets = [struct.pack("<3f9fH", 0, 0, 0, *POINTS[t].ravel(), 0) for t in TRIANGLES]
    return b"solid in name only".ljust(80) + struct.pack("<I", len(facets)) + b"".join(facets)


def ply(kind: str) -> bytes:
    header = (
        f"ply\nformat {kind} 1.0\ncomment x\nelement material 1\nproperty uchar red\n"
        "element vertex 8\nproperty float x\nproperty double y\nproperty float z\nproperty uchar grey\n"
        "element face 6\nproperty list uchar int vertex_indices\nproperty short flag\nend_header\n"
    ).encode()
    if kind == "ascii":
        rows = ["7"] + [f"{x} {y} {z} 9" for x, y, z in POINTS]
        rows += ["4 " + " ".join(map(str, quad)) + " 1" for quad in QUADS]
        return header + "\n".join(rows).encode() + b"\n"
    order = "<" if kind == "binary_little_endian" else ">"
    rows = [struct.pack("B", 7)] + [struct.pack(order + "fdfB", *p, 9) for p in POINTS]
    rows += [struct.pack(order + "B4ih", 4, *quad, 1) for quad in QUADS]
    return header + b"".join(rows)


FILES = {
    "box.obj": obj(),
    "text.stl": stl_text(),
    "binary.STL": stl_binary(),
    "text.ply": ply("ascii"),
    "little.ply": ply("binary_little_endian"),
    "big.ply": ply("binary_big_endian"),
}


@pytest.mark.parametrize("name", FILES)
def test_the_box_has_its_volume_and_surface(tmp_path, name):
    """Volume by the divergence theorem (positive: seen from outside the corners turn counter-clockwise)."""
    (tmp_path / name).write_bytes(FILES[name])
    points, triangles = read_mesh(tmp_path / name)
    assert (points.shape, triangles.shape) == ((8, 3), (12, 3))
    a, b, c = (points[triangles[:, i]] for i in range(3))
    cross = np.cross(b - a, c - a)
    assert np.einsum("ij,ij->", a, cross) / 6.0 == pytest.approx(6.0)
    assert np.linalg.norm(cross, axis=1).sum() / 2.0 == pytest.approx(2 * (2 + 3 + 6))


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.fbx", b"", "not a mesh file we can read"),
        ("a.gltf", b"", "is not valid JSON"),
        ("a.obj", b"", "no triangles"),
        ("a.obj", b"v 0 0 zero", "line 1"),
        ("a.obj", b"v 0 0 0\nf 1 2", "line 2"),
        ("a.obj", b"v 0 0 0\nf 1 2 3", "does not exist"),
        ("a.obj", b"v 0 0 0\nf -2 1 1", "line 2"),
        ("a.obj", b"v nan 0 0\nf 1 1 1", "not finite"),
        ("a.stl", stl_binary()[:-1], "not|cut short|no triangles"),
        ("a.stl", b"\0" * 80 + struct.pack("<I", 2**32 - 1), "cut short"),
        ("a.stl", b"solid x\nvertex 0 0 0\n", "ends inside a triangle"),
        ("a.ply", b"ply", "no PLY header"),
        ("a.ply", ply("ascii")[:-20], "broken row"),
        ("a.ply", ply("binary_big_endian")[:-20], "cut short"),
        ("a.ply", ply("ascii").replace(b"vertex 8", b"vertex 999999999999"), "absurd counts"),
        ("a.ply", ply("ascii").replace(b"vertex 8", b"vertex -1"), "absurd counts"),
        ("a.ply", ply("ascii").replace(b"property float x", b"property float w"), "without x, y, z"),
        ("a.ply", ply("ascii").replace(b"uchar int", b"uchar quad"), "line 12"),
    ],
)
def test_broken_files(tmp_path, name, data, words):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(FileError, match=words):
        read_mesh(tmp_path / name)


@pytest.mark.long
@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_mutated_meshes_raise_nothing_else(tmp_path, data):
    name = data.draw(st.sampled_from(sorted(FILES)))
    content = bytearray(FILES[name])
    for _ in range(data.draw(st.integers(1, 4))):
        position = data.draw(st.integers(0, len(content)))
        kind = data.draw(st.sampled_from(["set", "cut", "insert", "delete"]))
        if kind == "cut":
            del content[position:]
        elif kind == "delete":
            del content[position : position + data.draw(st.integers(1, 40))]
        elif kind == "insert":
            word = data.draw(
                st.sampled_from([b"-1", b"nan", b"1e999", b" 4294967295 ", b"\n", b"\xff", b"f 1 2 3\n"])
            )
            content[position:position] = word
        elif position < len(content):
            content[position] = data.draw(st.integers(0, 255))
    (tmp_path / name).write_bytes(content)
    try:
        points, triangles = read_mesh(tmp_path / name)
    except FileError as error:
        assert error.remedy
    else:
        assert np.isfinite(points[triangles]).all()


@pytest.mark.parametrize("size", [0, 1, 33, 34, 35, 83, 84 + 49])
def test_stl_cut_short_is_refused(tmp_path: Path, size: int) -> None:
    # 34 bytes once passed for 84 + 50 * -1
    path = tmp_path / "cut.stl"
    path.write_bytes(b"\x01" * size)
    with pytest.raises(FileError):
        read_mesh(path)


def test_a_text_mesh_is_bounded_while_it_is_read(tmp_path, monkeypatch):
    path = tmp_path / "big.obj"
    path.write_bytes(b"v 0 0 0\n" * 50 + b"this is never reached: v x\nv x y z\n")
    monkeypatch.setattr(mesh_files, "MAX_POINTS", 40)
    with pytest.raises(FileError, match="more than 40 points"):
        mesh_files.read_mesh(path)
    path.write_bytes(b"v" + b" 1" * 1_000_000)
    with pytest.raises(FileError, match="line 1: is longer"):
        mesh_files.read_mesh(path)


def test_lines_may_end_as_on_an_old_macintosh(tmp_path):
    path = tmp_path / "old.obj"
    path.write_bytes(b"v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r")
    assert len(mesh_files.read_mesh(path)[0]) == 3
