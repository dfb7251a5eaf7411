"""Point clouds of every kind are read in pieces, and the ground from them is the true one."""

import struct
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import synthetic_scans as scans
from thrown_ball import make_throw

from mannequin.__main__ import main
from mannequin.io_json.errors import FileError
from mannequin.io_json.mesh_files import read_mesh
from mannequin.io_json.scenario_json import read_scenario, write_scenario
from mannequin.models.parts.surfaces import SURFACES
from mannequin.places.scans.ground import ground_of, mesh_of
from mannequin.places.scans.meshes import read_scan_mesh
from mannequin.places.scans.readers import read_cloud
from mannequin.places.scans.regions import Region, Regions, ground_obstacles, inside
from mannequin.places.scans.thin import Grid
from mannequin.places.scans.write import write_cloud, write_mesh

FAR = np.array([32_512_345.0, 5_678_901.0, 120.0])
"""m: easting, northing and height of a survey."""


@pytest.fixture(scope="module")
def small():
    return scans.street(3000)


def sorted_rows(points):
    return points[np.lexsort(points.T)]


@pytest.mark.parametrize("ending", ["las", "laz"])
def test_las_with_large_coordinates(tmp_path, small, ending):
    """Coordinates of millions of metres keep their millimetres: the origin is taken off and recorded."""
    points, colours = small
    path = tmp_path / f"street.{ending}"
    scans.write_las(path, points + FAR, colours, offset=tuple(FAR))
    cloud = read_cloud(path, voxel=0.0005)
    assert cloud.read == len(points) and len(cloud.points) > 0.99 * len(points)
    back = sorted_rows(cloud.in_file(cloud.points))
    assert np.allclose(
        back[[0, -1], 0], [points[:, 0].min() + FAR[0], points[:, 0].max() + FAR[0]], atol=6e-4
    )
    assert np.abs(cloud.points).max() < 10.0 and np.abs(np.array(cloud.origin) - FAR).max() < 5.0
    assert set(np.unique(cloud.colours)) <= {60, 180}


def test_e57_with_its_pose(tmp_path, small):
    """A scan turned by 90 degrees about z and shifted, as scanners write them."""
    points, colours = small
    scans.write_e57(tmp_path / "street.e57", points, colours, (10.0, 20.0, 1.0))
    cloud = read_cloud(tmp_path / "street.e57", voxel=0.0005)
    expected = np.column_stack([-points[:, 1] + 10.0, points[:, 0] + 20.0, points[:, 2] + 1.0])
    assert cloud.read == len(points)
    assert np.allclose(cloud.points.mean(axis=0), expected.mean(axis=0), atol=1e-3)
    assert np.allclose(cloud.points.min(axis=0), expected.min(axis=0), atol=1e-3)
    assert cloud.colours is not None


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("a.xyz", {}),
        ("a.csv", {"separator": ",", "heading": "x,y,z,red,green,blue"}),
        ("a.txt", {"separator": ";"}),
        ("a.pts", {"heading": "3000"}),
    ],
)
def test_text(tmp_path, small, name, options):
    points, colours = small
    scans.write_text(tmp_path / name, points, colours, **options)
    cloud = read_cloud(tmp_path / name, voxel=0.0005)
    assert cloud.read == len(points) and cloud.colours is not None
    assert np.allclose(cloud.points.mean(axis=0), points.mean(axis=0), atol=1e-3)


def test_ply_as_written_by_us_and_as_text(tmp_path, small):
    points, colours = small
    scans.write_text(tmp_path / "a.xyz", points, colours)
    cloud = read_cloud(tmp_path / "a.xyz", voxel=0.0005)
    write_cloud(tmp_path / "a.ply", cloud)
    again = read_cloud(tmp_path / "a.ply", voxel=0.0005)
    assert np.allclose(sorted_rows(again.points), sorted_rows(cloud.points)) and again.colours is not None
    head = (
        "ply|format ascii 1.0|element vertex 2|property float x|property float y|property float z|end_header"
    )
    (tmp_path / "b.ply").write_text("\n".join([*head.split("|"), "1 2 3", "4 5 6", ""]))
    assert sorted_rows(read_cloud(tmp_path / "b.ply").points).tolist() == [[1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize(("unit", "metres"), [("mm", 0.001), ("ft", 0.3048), ("us_ft", 1200 / 3937)])
def test_units_and_up_axis(tmp_path, unit, metres):
    """A corner in another unit with y up: x to y, z to x, y up, nothing mirrored."""
    corner = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    scans.write_text(tmp_path / "a.xyz", corner / metres)
    cloud = read_cloud(tmp_path / "a.xyz", 0.001, unit, "y", origin=(0.0, 0.0, 0.0))
    found = {tuple(np.round(p, 3) + 0.0) for p in cloud.points}
    assert found == {(0, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)}
    ours = [cloud.in_file(np.array([axis]))[0] * metres for axis in np.eye(3)]
    assert np.linalg.det(ours) == pytest.approx(1.0)


def test_cells_hold_the_mean_and_grow_where_there_are_too_many():
    rng = np.random.default_rng(1)
    points = rng.uniform(0.0, 1.0, (20_000, 3))
    grid = Grid(0.02, most=2500)
    for piece in np.array_split(points, 7):
        grid.add(piece, None)
    kept, colours = grid.result()
    assert grid.read == 20_000 and colours is None
    assert len(kept) <= 2500 and grid.voxel == 0.08
    cells = np.floor(points / 0.08).astype(int)
    names, inverse = np.unique(cells, axis=0, return_inverse=True)
    counts = np.bincount(inverse.ravel())
    means = np.array([np.bincount(inverse.ravel(), points[:, i]) for i in range(3)]).T / counts[:, None]
    order = np.lexsort(np.floor(kept / 0.08).astype(int).T[::-1])
    assert len(kept) == len(names) > 2000
    assert np.allclose(kept[order], means, atol=1e-6), "eight cells in one are the same as one from the start"


def test_ground_has_the_kerb_within_three_millimetres():
    """Noise of 5 mm; the kerb's height from the heights of both sides, and from one line across it."""
    points, _ = scans.street()
    ground = ground_of(points, 0.05)
    y = np.linspace(-2.5, 2.5, 41)
    upper = ground.height_at(np.column_stack([np.full(41, 0.15), y]))
    lower = ground.height_at(np.column_stack([np.full(41, -0.15), y]))
    assert np.mean(upper - lower) == pytest.approx(scans.KERB, abs=0.003)
    assert np.abs(upper - lower - scans.KERB).max() < 0.008
    # 5 mm of noise has a median size of 0.6745 sigma and 1.96 sigma at 95 %
    assert ground.median_error == pytest.approx(0.6745 * 0.005, rel=0.1)
    assert ground.error_95 == pytest.approx(1.96 * 0.005, rel=0.15)
    assert ground.hole_area < 0.02


def test_what_stands_on_the_ground_and_strays_are_left_out_and_holes_are_known():
    ground = ground_of(scans.cluttered(scans.street()[0]), 0.05)
    assert ground.above + ground.outliers > 8000
    assert np.abs(ground.height_at(np.array([[-1.5, -1.5], [-1.4, -1.6]])) - TRUE_UNDER_PERSON).max() < 0.01
    assert ground.hole_area == pytest.approx(np.pi * 0.5**2, rel=0.1)
    middle = ground.height_at(np.array([[-1.5, 1.5]]))
    assert middle == pytest.approx(0.02 * 1.5, abs=0.01), "holes are filled from their rim"
    assert ground.heights.max() < 0.3 and ground.heights.min() > -0.2


TRUE_UNDER_PERSON = scans.TILT * np.array([-1.5, -1.6])


def test_mesh_is_closed_and_its_volume_is_right(tmp_path):
    ground = ground_of(scans.street(20_000)[0], 0.2)
    points, triangles = mesh_of(ground)
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    forth, back = (edges @ np.array(k) for k in ((len(points), 1), (1, len(points))))
    assert len(np.unique(forth)) == len(forth) and set(forth) == set(back), "every edge has its opposite once"
    a, b, c = (points[triangles[:, i]] for i in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0
    base = points[:, 2].min()
    weights = np.ones_like(ground.heights)
    weights[[0, -1]] *= 0.5
    weights[:, [0, -1]] *= 0.5
    # the trapezoid rule over squares cut along one diagonal differs by the twist of the squares only
    assert volume == pytest.approx(((ground.heights - base) * weights).sum() * ground.cell**2, rel=2e-3)
    write_mesh(tmp_path / "ground.ply", (points, triangles), ["a"])
    read = read_mesh(tmp_path / "ground.ply")
    assert np.allclose(read[0], points) and np.array_equal(read[1], triangles)


def test_regions_part_the_ground_by_surface():
    square = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)]
    at = np.array([[1.0, 0.5], [3.0, 0.5], [1.0, -0.1], [-1.0, 0.5], [1.9, 0.99]])
    assert inside(square, at).tolist() == [True, False, False, False, True]
    mesh = mesh_of(ground_of(scans.street(20_000)[0], 0.2), closed=False)
    regions = Regions("asphalt_dry", [Region("pavement", "paving", [(0, -9), (9, -9), (9, 9), (0, 9)])])
    road, pavement = ground_obstacles(mesh, regions, "scan")
    assert len(road.triangles) + len(pavement.triangles) == len(mesh[1])
    assert pavement.vertices[:, 0].min() > -0.21 and pavement.material.static_friction == 0.6
    assert "Assumed" in pavement.source and "scan" in pavement.source


def test_gltf_in_place_and_z_up(tmp_path):
    """A triangle in the file's x-y plane (y up), shifted, turned by 90 degrees about y and scaled by its node."""
    half = np.sqrt(0.5)
    node = {"translation": [1.0, 2.0, 3.0], "rotation": [0.0, half, 0.0, half], "scale": [2.0, 2.0, 2.0]}
    data = scans.glb_bytes([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)], node)
    (tmp_path / "a.glb").write_bytes(data)
    points, triangles = read_scan_mesh(tmp_path / "a.glb")
    # (1, 0, 0) turns to (0, 0, -1): file (1, 2, 1), ours (x, -z, y)
    assert np.allclose(points, [(1, -3, 2), (1, -1, 2), (1, -3, 4)], atol=1e-6)
    assert triangles.tolist() == [[0, 1, 2]]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.las", b"LASF" + b"\x00" * 300, "no LAS file"),
        ("a.laz", b"garbage", "no LAS file"),
        ("a.e57", b"ASTM-E57" + b"\x00" * 100, "no E57 file"),
        ("a.xyz", b"1 2 3\n4 5\n", "line 2"),
        ("a.xyz", b"hello\n" * 100, "x, y, z"),
        ("a.xyz", b"", "no points"),
        ("a.xyz", b"1 2 3\n" + b"9" * 9000, "no point"),
        ("a.xyz", b"0 0 0\n1e9 0 0\n", "more than"),
        ("a.ply", b"ply\nformat ascii 1.0\nelement vertex 9\nproperty float x\nend_header\n1\n", "cut short"),
        ("a.ply", b"ply\nformat ascii 1.0\nelement vertex 99999999999999\nproperty float x\nend_header\n", "absurd"),
        ("a.doc", b"x", "no point cloud"),
    ],
)  # fmt: skip
def test_broken_clouds(tmp_path, name, data, message):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(FileError, match=message) as error:
        read_cloud(tmp_path / name)
    assert name in str(error.value)


@pytest.mark.parametrize("ending", ["las", "laz"])
def test_truncated_las(tmp_path, small, ending):
    path = tmp_path / f"a.{ending}"
    scans.write_las(path, small[0])
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(FileError, match=r"no LAS file.*cut short"):
        read_cloud(path)


def test_las_that_says_it_is_larger_than_it_is(tmp_path, small):
    """A header that lies about its points is named; coordinates beyond all numbers are left out and counted."""
    path = tmp_path / "a.las"
    scans.write_las(path, small[0])
    data = bytearray(path.read_bytes())
    count, scale = 107, 131  # of LAS 1.2
    data[count : count + 4] = (1_900_000_000).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(FileError, match="cut short: 3,000 of 1,900,000,000"):
        read_cloud(path)
    scans.write_las(path, small[0])
    data = bytearray(path.read_bytes())
    data[scale : scale + 8] = struct.pack("<d", 1e305)
    path.write_bytes(data)
    cloud = read_cloud(path)
    assert cloud.left_out > 2900 and cloud.read + cloud.left_out == 3000


def test_missing_library_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pye57", None)
    (tmp_path / "a.e57").write_bytes(b"x")
    with pytest.raises(FileError, match="pye57, needed for E57 files, is not installed"):
        read_cloud(tmp_path / "a.e57")


MEMORY = """
import sys, resource
import numpy as np, laspy
from mannequin.places.scans.readers import read_cloud
path, count = sys.argv[1], int(sys.argv[2])
header = laspy.LasHeader(point_format=3, version="1.2")
header.scales = [0.001] * 3
rng = np.random.default_rng(1)
with laspy.open(path, mode="w", header=header) as writer:
    for start in range(0, count, 250_000):
        record = laspy.ScaleAwarePointRecord.zeros(250_000, header=header)
        record.x, record.y, record.z = rng.uniform(0.0, 20.0, (3, 250_000))
        writer.write_points(record)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
cloud = read_cloud(path, 0.25, most=200_000)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(cloud.read, len(cloud.points), cloud.voxel, before // 1024, after // 1024)
"""


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path):
    """Three times the points, the same cells: the peak of the process is the same within a tenth or 40 MB."""
    peaks = []
    for count in (1_500_000, 4_500_000):
        command = [sys.executable, "-c", textwrap.dedent(MEMORY), str(tmp_path / f"{count}.las"), str(count)]
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        assert int(out[0]) == count and int(out[1]) <= 200_000
        peaks.append(int(out[4]))
    assert peaks[1] < max(1.1 * peaks[0], peaks[0] + 40)


@pytest.mark.long
def test_command(tmp_path, capsys):
    points = scans.cluttered(scans.street(60_000)[0]) + FAR
    scans.write_las(tmp_path / "street.laz", points, offset=tuple(FAR))
    scan = str(tmp_path / "street.laz")
    assert main(["scan", "info", scan]) == 0
    assert "local origin" in capsys.readouterr().out
    out, picture = str(tmp_path / "ground.ply"), tmp_path / "ground.png"
    assert main(["scan", "ground", scan, "--cell", "0.1", "--out", out, "--picture", str(picture)]) == 0
    printed = capsys.readouterr().out
    assert "median error" in printed and "hole area" in printed
    assert b"local origin" in (tmp_path / "ground.ply").read_bytes()[:400] and picture.stat().st_size > 5000
    regions = tmp_path / "regions.json"
    regions.write_text(
        '{"format": "mannequin-regions", "format_version": 1, "regions": [{"name": "pavement", '
        '"surface": "paving", "outline": [[0, -99], [99, -99], [99, 99], [0, 99]]}]}'
    )
    assert main(["scan", "ground", scan, "--out", out, "--regions", str(regions)]) == 0
    assert (tmp_path / "ground_pavement.ply").exists()
    write_scenario(make_throw(), tmp_path / "throw.json")
    under = ["--under", str(tmp_path / "throw.json"), "--cell", "0.3"]
    assert main(["scan", "ground", scan, "--out", out, "--regions", str(regions), *under]) == 0
    laid = read_scenario(tmp_path / "ground.json")
    frictions = {o.name: o.material.static_friction for o in laid.obstacles}
    assert not laid.settings.ground
    assert frictions == {"ground": SURFACES["asphalt_dry"].friction, "pavement": SURFACES["paving"].friction}
    assert main(["scan", "info", str(tmp_path / "none.las")]) == 2
