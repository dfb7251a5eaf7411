"""A user's mesh as a vehicle: axes, wheels, contact mesh and zones, against the generator that it was made with."""

import base64
import json
from collections import Counter

import numpy as np
import pytest
from vehicle_meshes import drawn_mesh

from mannequin.__main__ import main
from mannequin.engine.build.validate import validate
from mannequin.engine.errors import EngineError
from mannequin.engine.spec.validation.contact_meshes import open_edges
from mannequin.io_json.errors import FileError
from mannequin.io_json.mesh_files import read_mesh, write_obj
from mannequin.io_json.model_json import read_model
from mannequin.models.vehicles.form.contact import ZONES, contact_mesh
from mannequin.models.vehicles.form.styles import CLASSES
from mannequin.models.vehicles.own.axes import Axes, propose_axes
from mannequin.models.vehicles.own.fit import fit_vehicle, own_model, part_meshes, samples, touched_distance
from mannequin.models.vehicles.own.wheels import circle_of, find_wheels

VEHICLE = CLASSES["saloon"]


def box(low, high):
    """Points and triangles of a box."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * (
        np.array(high) - low
    ) + np.array(low)
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, np.array([t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))])


@pytest.mark.long
@pytest.mark.parametrize("kind", CLASSES)
def test_axes_are_proposed(kind):
    """A mesh that was turned and scaled stands as it did."""
    points = samples(*drawn_mesh(CLASSES[kind]), 0.06)
    for given, scale in (
        (Axes("m", "+x", "+z"), 1.0),
        (Axes("mm", "-x", "+y"), 1000.0),
        (Axes("cm", "+z", "+y"), 100.0),
        (Axes("in", "+y", "+z"), 1.0 / 0.0254),
        (Axes("ft", "-y", "+z"), 1.0 / 0.3048),
    ):
        assert propose_axes(scale * points @ given.rotation + 3.0) == given


def test_axes_that_cannot_be_are_refused():
    with pytest.raises(EngineError, match="one line"):
        Axes("m", "+x", "-x").metres(np.zeros((1, 3)))
    with pytest.raises(EngineError, match=r"use one of \+x"):
        Axes("m", "x", "+z").metres(np.zeros((1, 3)))
    with pytest.raises(EngineError, match="unit is 'mile'"):
        Axes("mile", "+x", "+z").metres(np.zeros((1, 3)))
    with pytest.raises(EngineError, match="no length of a vehicle"):
        propose_axes(1e6 * np.random.default_rng(0).random((50, 3)))
    with pytest.raises(EngineError, match="no wheel"):
        fit_vehicle(*box((-2.0, -0.8, 0.5), (2.0, 0.8, 1.5)), Axes("m", "+x", "+z"))


def test_circle_from_its_chords():
    height = np.linspace(0.01, 0.1, 8)
    chord = np.sqrt(2 * 0.33 * (height - 0.004) - (height - 0.004) ** 2)
    assert circle_of(height, chord) == pytest.approx((0.33, 0.004), abs=1e-9)


@pytest.mark.parametrize("kind", ["saloon", "van", "bus"])
def test_wheels_are_found_where_they_are(kind):
    vehicle = CLASSES[kind]
    wheels = find_wheels(samples(*drawn_mesh(vehicle, 0.002), 0.012))
    for name, wheel in wheels.items():
        x = vehicle.wheelbase / 2.0 * (1.0 if name[0] == "F" else -1.0)
        y = vehicle.track / 2.0 * (1.0 if name[1] == "L" else -1.0)
        assert wheel.centre == pytest.approx((x, y, vehicle.wheel_radius), abs=0.02)
        assert wheel.radius == pytest.approx(vehicle.wheel_radius, abs=0.015)
        assert wheel.width == pytest.approx(vehicle.tyre_width, abs=0.04)


@pytest.fixture(scope="module")
def fitted():
    """The saloon with 3 mm of noise, its wheels welded on, its interior inside, in mm, y up, looking along -x."""
    points, triangles = drawn_mesh(VEHICLE, 0.003)
    return fit_vehicle(1000.0 * points @ Axes("mm", "-x", "+y").rotation + 250.0, triangles)


@pytest.mark.slow
def test_mesh_is_fitted_within_20_mm(fitted):
    assert fitted.axes == Axes("mm", "-x", "+y") and fitted.vehicle.kind == "saloon"
    assert fitted.deviation["p95"] < 0.020 and fitted.deviation["share"] > 0.95
    assert open_edges(np.array(fitted.surface.triangles)) == 0
    # independent: against the points of the drawn surface's own function, at places that are its outside
    from mannequin.models.vehicles.form.contact import surface_samples
    from mannequin.models.vehicles.form.surface import make_form

    points, normals = surface_samples(make_form(VEHICLE))
    outer = (points[:, 2] > 0.3) & (np.abs(points[:, 1]) > 0.0)
    near_arch = np.min(
        [np.hypot(points[:, 0] - x, points[:, 2] - VEHICLE.wheel_radius) for x in VEHICLE.axles], axis=0
    )
    off = np.abs(touched_distance(fitted.surface, points[outer & (near_arch > 0.5)]))
    assert np.quantile(off, 0.95) < 0.020


@pytest.mark.slow
def test_dimensions_are_measured(fitted):
    for name, tolerance in {
        "length": 0.03, "width": 0.04, "height": 0.02, "wheelbase": 0.01, "track": 0.02, "wheel_radius": 0.01,
        "front_overhang": 0.02, "edge_height": 0.02, "bonnet_length": 0.10, "screen_angle": 4.0,
        "bumper_height": 0.05, "clearance": 0.03,
    }.items():  # fmt: skip
        assert getattr(fitted.vehicle, name) == pytest.approx(getattr(VEHICLE, name), abs=tolerance), name


@pytest.mark.slow
def test_zones_are_those_of_the_generator(fitted):
    """At nine of ten triangles of the fitted mesh, by area, the generator's mesh has the same zone nearby."""
    made = contact_mesh(VEHICLE)
    there = np.array(made.vertices)[np.array(made.triangles)].mean(axis=1)
    corners = np.array(fitted.surface.vertices)[np.array(fitted.surface.triangles)]
    area = 0.5 * np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    middle = corners.mean(axis=1)
    same = np.array(
        [
            zone in {made.zone_of[k] for k in np.argsort(((there - m) ** 2).sum(axis=1))[:4]}
            for m, zone in zip(middle, fitted.surface.zone_of, strict=True)
        ]
    )
    assert area[same].sum() / area.sum() > 0.9
    assert set(fitted.surface.zone_of) == set(range(len(ZONES)))


@pytest.mark.slow
def test_wheels_are_parted_and_the_model_is_a_vehicle(fitted):
    count = Counter(fitted.part)
    wheel = len(drawn_mesh(VEHICLE)[1]) - count["body"]
    assert wheel > 0.9 * 4 * min(count[name] for name in ("FL", "FR", "RL", "RR"))
    for name, (points, triangles) in part_meshes(fitted).items():
        used = points[np.unique(triangles)]
        if name != "car_body":  # about its own axle
            assert np.abs(used[:, [0, 2]]).max() < 1.1 * VEHICLE.wheel_radius
    for sprung in (False, True):
        model = own_model(fitted, 1500.0, sprung)
        assert [issue for issue in validate(model) if issue.severity == "error"] == []
        assert sum(body.mass for body in model.bodies) == pytest.approx(1500.0)
        assert bool(model.wheels) == sprung and model.bodies[0].surface.structure


@pytest.mark.slow
def test_command_writes_model_and_meshes(tmp_path, capsys):
    file = tmp_path / "van.obj"
    write_obj(file, *drawn_mesh(CLASSES["van"], 0.002))
    target = tmp_path / "mine.json"
    assert main(["vehicle", "from-mesh", str(file), "--output", str(target)]) == 0
    assert "axes are a proposal" in capsys.readouterr().out and not target.exists()
    confirmed = ["--forward", "+x", "--up", "+z", "--kind", "van", "--mass", "2000", "--output", str(target)]
    assert main(["vehicle", "from-mesh", str(file), *confirmed]) == 0
    assert "deviation" in capsys.readouterr().out
    model = read_model(target)
    drawn = {body.name: body.meshes[0].path for body in model.bodies if body.meshes}
    assert set(drawn) == {"car_body", "wheelFL", "wheelFR", "wheelRL", "wheelRR"}
    assert all(len(read_mesh(tmp_path / path)[1]) for path in drawn.values())
    table = tmp_path / "grid.csv"
    assert main(["vehicle", "headform", str(target), "--step", "0.55", "--csv", str(table)]) == 0
    assert main(["vehicle", "legform", str(target), "--step", "1.0"]) == 0
    zones = {row.split(",")[3] for row in table.read_text().splitlines()[1:]}
    assert {"bonnet", "windscreen"} <= zones, "an own mesh is checked as a class is"


@pytest.mark.parametrize(
    "wrong", [[], ["x.obj", "--kind", "tank"], ["x.obj", "--mass", "-1"], ["x.obj", "--output", "y.txt"]]
)
def test_command_refuses(wrong, capsys):
    assert main(["vehicle", "from-mesh", *wrong]) == 2
    assert capsys.readouterr().err


# ---------------------------------------------------------------- glTF


def gltf(**more):
    """A file with one triangle on a node that is moved and turned."""
    data = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4").tobytes() + np.array([0, 1, 2], "<u2").tobytes()
    document = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [
            {"children": [1], "translation": [1, 2, 3]},
            {"mesh": 0, "rotation": [0, 0, 0.7071067811865476, 0.7071067811865476], "scale": [2, 2, 2]},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
        "buffers": [{"byteLength": len(data), "uri": "data:;base64," + base64.b64encode(data).decode()}],
    } | more
    return document, data


def test_gltf_is_read_where_its_nodes_are(tmp_path):
    document, data = gltf()
    (tmp_path / "a.gltf").write_text(json.dumps(document))
    expected = [[1, 2, 3], [1, 4, 3], [-1, 2, 3]]
    points, triangles = read_mesh(tmp_path / "a.gltf")
    assert points == pytest.approx(np.array(expected), abs=1e-6) and triangles.tolist() == [[0, 1, 2]]
    del document["buffers"][0]["uri"]
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    chunks = (
        len(text).to_bytes(4, "little") + b"JSON" + text + len(data).to_bytes(4, "little") + b"BIN\0" + data
    )
    head = b"glTF" + (2).to_bytes(4, "little") + (12 + len(chunks)).to_bytes(4, "little")
    (tmp_path / "a.glb").write_bytes(head + chunks)
    assert np.array_equal(read_mesh(tmp_path / "a.glb")[0], points)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"buffers": [{"uri": "points.bin"}]}, "another file"),
        ({"nodes": []}, "is not a glTF"),
        ({"buffers": [{"uri": "data:;base64,AAAA"}]}, "too short"),
        ({"buffers": [{"uri": "data:;base64,*"}]}, "damaged"),
        ({"meshes": [{"primitives": []}]}, "no triangles"),
        ({"nodes": [{"children": [0]}, {}]}, "without end"),
    ],
)
def test_bad_gltf_is_refused(tmp_path, more, message):
    (tmp_path / "a.gltf").write_text(json.dumps(gltf(**more)[0]))
    with pytest.raises(FileError, match=message):
        read_mesh(tmp_path / "a.gltf")
