"""Generated vehicles: leading edge, size, panels, contact meshes, and what impactors meet on them."""

import dataclasses
from collections import Counter

import numpy as np
import pytest
from headforms import MASS, SPEED, plate_hic, shot_settings
from vehicle_shots import hic15, shot, surface_point

from mannequin.__main__ import main
from mannequin.engine.build.validate import validate
from mannequin.engine.errors import EngineError
from mannequin.engine.spec import Model, Vehicle
from mannequin.engine.spec.validation.contact_meshes import open_edges
from mannequin.io_json import exact_copy, model_json
from mannequin.models.vehicles.finishes import NAMES
from mannequin.models.vehicles.form.contact import ZONES, contact_mesh
from mannequin.models.vehicles.form.drawing import draw_vehicle
from mannequin.models.vehicles.form.lettering import STROKES, lettering
from mannequin.models.vehicles.form.styles import CLASSES
from mannequin.models.vehicles.form.surface import make_form
from mannequin.models.vehicles.road_vehicle import MASSES, build_vehicle

KINDS = tuple(CLASSES)
MOST_FACES = 150_000
"""Of a vehicle with its wheels."""


def straight_edge_height(vehicle, form):
    """Leading edge by moving the regulation's straight edge itself: 1000 mm, 50 degrees, foot at 600 mm; brute force on
    points of the surface function, apart from the product's own search. None where its upper end touches first."""
    along = np.linspace(0.0, 1.0, 2001)
    back, up = np.sin(np.radians(50.0)), np.cos(np.radians(50.0))
    low, high = vehicle.front - 1.5, vehicle.front + 1.2
    for _ in range(40):
        x = 0.5 * (low + high)
        value = form.filled(x - along * back, np.zeros_like(along), 0.6 + along * up)
        low, high = (x, high) if value.min() < 0.0 else (low, x)
    value = form.filled(high - along * back, np.zeros_like(along), 0.6 + along * up)
    k = int(np.argmin(value))
    return None if k == len(along) - 1 else 0.6 + along[k] * up


def taut_height(form, length):
    """Height that a taut tape reaches from the ground below the foremost point, in the middle: a string of points that
    is pulled straight wherever it does not lie on the surface."""
    z = np.linspace(0.35, 2.5, 216)
    surface = form.front_profile(0.0, z)
    start = int(np.nanargmax(surface))
    z, surface = z[start:], surface[start:]
    x = surface.copy()
    for _ in range(60000):
        x[1:-1] = np.maximum(surface[1:-1], 0.5 * (x[:-2] + x[2:]))
    way = z[0] + np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(z)))])
    return float(np.interp(length, way, z))


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_leading_edge_is_where_it_was_asked_for(kind):
    vehicle = CLASSES[kind]
    form = make_form(vehicle)
    height = straight_edge_height(vehicle, form)
    if height is None:  # a flat front: 1000 mm of taut tape from the ground
        assert kind == "bus" and form.leading_edge().is_flat
        height = taut_height(form, 1.0)
    assert height == pytest.approx(vehicle.edge_height, abs=0.005)


@pytest.mark.parametrize("height", [0.68, 0.85])
def test_leading_edge_follows_the_height_asked_for(height):
    vehicle = dataclasses.replace(CLASSES["saloon"], edge_height=height)
    assert straight_edge_height(vehicle, make_form(vehicle)) == pytest.approx(height, abs=0.005)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_drawn_vehicle_has_its_dimensions_and_few_faces(kind):
    vehicle = CLASSES[kind]
    drawn = draw_vehicle(vehicle)
    faces = len(drawn.body.faces) + 4 * len(drawn.wheel.faces)
    assert faces < MOST_FACES
    paint = drawn.body.points[np.unique(drawn.body.faces[drawn.body.finishes == 0])[1:]]
    assert np.ptp(paint[:, 0]) == pytest.approx(vehicle.length, abs=0.08) or kind == "truck"
    assert np.isfinite(drawn.body.points).all()
    assert np.linalg.norm(drawn.body.normals, axis=1) == pytest.approx(1.0, abs=1e-3)
    assert draw_vehicle(vehicle) is drawn  # kept


@pytest.mark.parametrize("kind", KINDS)
def test_interior_stays_inside(kind):
    """No seat, dashboard or lining sticks out of the sheet metal or the glass."""
    body = draw_vehicle(CLASSES[kind]).body
    corners = np.unique(body.faces[body.finishes == NAMES.index("cabin")])
    inside = make_form(CLASSES[kind])(*body.points[corners[corners >= 0]].T)
    assert inside.max() < 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_contact_mesh_is_closed_and_on_the_surface(kind):
    vehicle = CLASSES[kind]
    mesh = contact_mesh(vehicle)
    points, triangles = np.array(mesh.vertices), np.array(mesh.triangles)
    assert open_edges(triangles) == 0
    corners = points[triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(normal, axis=1)
    volume = (corners[:, 0] * normal).sum() / 6.0
    assert 0.4 < volume / (vehicle.length * vehicle.width * vehicle.height) < 1.3  # faces look outward
    good = area > 1e-5
    at = (
        corners.mean(axis=1)[good]
        + (np.array(mesh.depth)[triangles].mean(axis=1) / area)[good, None] * normal[good]
    )
    form = make_form(vehicle)
    front = at[:, 0] > 0.0
    off = np.abs(form.touched(*at[front].T))
    assert np.quantile(off, 0.95) < 0.02
    if kind != "bus":
        assert set(np.unique(mesh.zone_of)) == set(range(len(ZONES)))


@pytest.mark.parametrize("kind", KINDS)
def test_contact_mesh_is_the_same_on_both_sides(kind):
    """Every triangle has a mirror image of the other winding, the same zone and the same depths."""
    mesh = contact_mesh(CLASSES[kind])
    points = np.array(mesh.vertices)
    here, there = (
        np.round(np.column_stack([points * (1.0, side, 1.0) + 0.0, mesh.depth]), 6) for side in (1.0, -1.0)
    )

    def turned(corners):
        """Corners in the same order, the least first."""
        k = corners.index(min(corners))
        return tuple(corners[k:] + corners[:k])

    def triangles(rows, order):
        named = [[tuple(rows[i]) for i in t] for t in mesh.triangles]
        return Counter((turned(t[::order]), z) for t, z in zip(named, mesh.zone_of, strict=True))

    assert triangles(here, 1) == triangles(there, -1)
    assert np.sum(points[:, 1] > 0.0) == np.sum(points[:, 1] < 0.0) > 0.4 * len(points)


@pytest.mark.parametrize("kind", KINDS)
def test_model_is_valid_and_has_its_mass(kind):
    model = build_vehicle(kind)
    assert [issue for issue in validate(model) if issue.severity == "error"] == []
    assert sum(body.mass for body in model.bodies) == pytest.approx(MASSES[kind])


def test_file_keeps_vehicle_and_mesh():
    model = build_vehicle(dataclasses.replace(CLASSES["hatchback"], plate="AB 12"))
    assert model_json.loads(model_json.dumps(model)) == model


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bonnet_length": 2.6, "bonnet_angle": 5.0}, "no roof left"),
        ({"bonnet_length": 1.8, "length": 3.2}, "rear wheels of the hatchback stick out"),
        ({"front_overhang": 0.3}, "front wheels of the hatchback stick out"),
        ({"bonnet_angle": 45.0}, "bonnet of the hatchback rises to 1.76 m, which leaves no glass"),
        ({"height": 1.1}, "bonnet of the hatchback .* roof at 1.1 m"),
    ],
)
def test_impossible_dimensions_are_refused(changes, message):
    with pytest.raises(EngineError, match=message):
        make_form(dataclasses.replace(CLASSES["hatchback"], **changes))


def test_validate_refuses_impossible_dimensions_in_a_file(tmp_path, capsys):
    model = build_vehicle("hatchback")
    model.vehicle = dataclasses.replace(model.vehicle, height=1.1)
    model_json.write_model(model, tmp_path / "low.json")
    assert main(["validate", str(tmp_path / "low.json")]) == 2
    assert "dimensions are impossible: the bonnet of the hatchback" in capsys.readouterr().err


def test_unknown_classes_are_refused():
    with pytest.raises(EngineError, match="no class of vehicles"):
        build_vehicle("tank")
    with pytest.raises(EngineError, match="no class of vehicles"):
        make_form(Vehicle("tank"))


def test_every_letter_and_digit_can_be_drawn():
    assert set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") <= set(STROKES)
    points, faces = lettering("MNQ 22", 0.45)
    assert np.ptp(points[:, 0]) <= 0.45 + 1e-9 and len(faces) > 10


# ---------------------------------------------------------------- impactors

GRID_X = {"bonnet": (1.85, 1.68, 1.52, 1.36, 1.20), "windscreen": (0.80, 0.68, 0.56, 0.44, 0.34)}
"""m: away from borders; bonnet and windscreen blend from x = 0.92 to 1.18."""
GRID_Y = (-0.45, -0.15, 0.15, 0.45)


@pytest.fixture(scope="module")
def saloon():
    return build_vehicle("saloon"), make_form(CLASSES["saloon"])


@pytest.fixture(scope="module")
def grid(saloon):
    """Zone to (x, y) HIC15 of headforms at 40 km/h on 20 points of it, and all recordings."""
    model, form = saloon
    values, recordings = {}, []
    for zone, places in GRID_X.items():
        values[zone] = np.empty((len(places), len(GRID_Y)))
        for i, x in enumerate(places):
            for j, y in enumerate(GRID_Y):
                recording = shot(model, *surface_point(form, x, y))
                values[zone][i, j] = hic15(recording)
                recordings.append((zone, recording))
    return values, recordings


@pytest.mark.slow
def test_headform_grid_gives_the_value_of_a_plate(saloon, grid):
    model, _ = saloon
    for zone, values in grid[0].items():
        plate = plate_hic(next(m for m in model.materials if m.name == zone))
        assert np.abs(values / plate - 1.0).max() < 0.15
        assert np.abs(np.diff(values, axis=0)).max() < 0.2 * plate
        assert np.abs(np.diff(values, axis=1)).max() < 0.2 * plate


@pytest.mark.slow
def test_every_shot_has_one_contact_on_one_panel(grid):
    for zone, recording in grid[1]:
        (event,) = recording.contacts
        assert recording.ellipsoid_names[event["ellipsoid_b"]] == zone


@pytest.mark.slow
def test_momentum_and_energy_of_the_grid(saloon, grid):
    model, _ = saloon
    mass = np.array([*(body.mass for body in model.bodies), MASS])
    for _, recording in grid[1]:
        momentum = np.einsum("b,tbk->tk", mass, recording.velocity)
        assert np.abs(momentum - momentum[0]).max() < 1e-9 * MASS * SPEED * len(recording.times)
        assert abs(recording.energy[-1, -1]) < 0.01 * 0.5 * MASS * SPEED**2


def test_a_shot_at_a_border_is_one_touch_in_shares(saloon):
    """Where the windscreen blends into the bonnet: a contact for each, of the same touch, together once."""
    model, form = saloon
    recording = shot(model, *surface_point(form, 1.15, 0.45))
    events = recording.contacts
    assert [recording.ellipsoid_names[k] for k in events["ellipsoid_b"]] == ["bonnet", "windscreen"]
    assert events["start"][0] == events["start"][1] and events["peak_time"][0] == events["peak_time"][1]
    assert np.array_equal(events["point_first"][0], events["point_first"][1])
    assert events["share"].sum() == pytest.approx(1.0, abs=1e-9) and events["share"].min() > 0.0


def test_a_copy_for_a_child_process_runs_alike(saloon):
    """Its mesh is made of lists."""
    model, form = saloon
    copy = exact_copy.load(Model, exact_copy.dump(model))
    assert isinstance(copy.bodies[0].surface.vertices[0], list)
    assert [issue for issue in validate(copy) if issue.severity == "error"] == []
    settings = dataclasses.replace(shot_settings(), duration=2e-4, start_overlap_limit=1.0)
    point, normal = surface_point(form, 1.3, 0.2)
    first, second = (shot(m, point - 0.06 * normal, normal, settings=settings) for m in (model, copy))
    assert len(first.contacts) == 1 and first.contacts.tobytes() == second.contacts.tobytes()
    for name in ("position", "velocity", "acceleration", "energy"):
        assert np.array_equal(getattr(first, name), getattr(second, name)), name


def pressed(saloon, x, y):
    """N on a headform that is 30 mm deep in the saloon's surface above (x, y)."""
    model, form = saloon
    settings = dataclasses.replace(shot_settings(), duration=1e-4, start_overlap_limit=1.0)
    point, normal = surface_point(form, x, y)
    recording = shot(model, point - (0.03 + 0.03) * normal, normal, settings=settings)
    return MASS * np.linalg.norm(recording.acceleration[0, recording.body_index("headform", "headform")])


def test_force_does_not_jump_across_borders(saloon):
    """Along a line over bonnet, cowl and windscreen."""
    forces = [pressed(saloon, x, 0.2) for x in np.linspace(1.3, 0.9, 21)]
    assert min(forces) > 1500.0
    assert np.abs(np.diff(forces)).max() < 1500.0


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [[(x, 0.2) for x in np.linspace(2.16, 1.96, 81)], [(0.7, y) for y in np.linspace(0.45, 0.68, 93)]],
    ids=["bonnet edge to bonnet", "windscreen to pillar"],
)
def test_force_is_continuous_across_borders(saloon, line):
    """Where curves differ by a half and by twice: of a jump the largest step would stay as it is when the points of the
    line are twice as near to each other, of a slope it is halved."""
    forces = np.array([pressed(saloon, *place) for place in line])
    assert np.ptp(forces) > 1000.0, "the border is crossed"
    coarse, fine = (np.abs(np.diff(forces[::k])).max() for k in (2, 1))
    assert fine < 0.6 * coarse
