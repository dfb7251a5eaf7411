"""Shipped files, scaling, and the models that are not people."""

import dataclasses
import json
import math
import warnings

import numpy as np
import pytest
from people_data import needs_people

from mannequin.engine import validate
from mannequin.engine.spec import Material
from mannequin.io_json import model_json
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models import library
from mannequin.models.editing.scaling import scale_model
from mannequin.models.parts.placement import body_transforms, ellipsoid_shapes
from mannequin.models.parts.tables import read_table
from mannequin.models.people.human import build_adult
from mannequin.models.people.legs import legs_break
from mannequin.models.people.look.carriers import both_sides
from mannequin.models.people.person_model import build_person
from mannequin.models.people.person_skin import skin_of
from mannequin.models.people.shape import solve
from mannequin.models.people.shipped import shipped_person
from mannequin.models.people.stand_in import picture_on
from mannequin.models.people.standing import frames
from mannequin.models.scenarios.obstacles import OBSTACLES, stair
from mannequin.models.vehicles import bicycle, car
from mannequin.models.vehicles.materials import TABLE

PERSONS = [name for name in library.list_models() if shipped_person(name) is not None]


@pytest.mark.parametrize("name", [name for name in library.BUILDERS if name not in PERSONS])
def test_file_is_what_the_code_builds(name):
    text = library.library_path(name).read_text(encoding="utf-8")
    built = library.BUILDERS[name]()
    assert model_json.dumps(built) == text
    assert model_json.loads(text) == built


@pytest.mark.parametrize("name", library.KEPT)
def test_file_that_is_kept_is_as_the_code_writes_it(name):
    """And what it shares with vehicles that are built is the same: their materials."""
    text = library.library_path(name).read_text(encoding="utf-8")
    model = model_json.loads(text)
    assert model_json.dumps(model) == text
    table = {material.name: material for material in read_table(TABLE, Material)}
    shared = [material for material in model.materials if material.name in table]
    assert len(shared) >= 2 and all(material == table[material.name] for material in shared)


def compare(found, stored, place=""):
    """Two JSON values alike; numbers to half a millimetre or a thousandth, since another machine's linear algebra
    rounds otherwise, which ends in words too: notes are left out."""
    assert type(found) is type(stored), place
    if isinstance(found, dict):
        assert list(found) == list(stored), place
        for key in set(found) - {"notes"}:
            compare(found[key], stored[key], f"{place}.{key}")
    elif isinstance(found, list):
        assert len(found) == len(stored), place
        for k, pair in enumerate(zip(found, stored, strict=True)):
            compare(*pair, f"{place}.{k}")
    elif isinstance(found, float):
        assert found == pytest.approx(stored, rel=1e-3, abs=5e-4), place
    else:
        assert found == stored, place


@needs_people
@pytest.mark.parametrize("name", PERSONS)
def test_file_of_a_person_is_what_the_maker_makes(name):
    """By the path of every person; name and source of the size are the library's."""
    stored = json.loads(library.library_path(name).read_text(encoding="utf-8"))
    compare(json.loads(model_json.dumps(library.BUILDERS[name]())), stored)
    stored = library.load_model(name)
    made = build_person(shipped_person(name), like=stored)
    (own,) = set(stored.sources) - set(made.sources)
    assert "stature and mass" in own and set(made.sources) < set(stored.sources)
    words = stored.description if stored.muscles or legs_break(stored) else made.description
    made = dataclasses.replace(made, name=name, sources=stored.sources, description=words)
    compare(json.loads(model_json.dumps(made)), json.loads(model_json.dumps(stored)))


@needs_people
@pytest.mark.parametrize("name", PERSONS)
def test_the_picture_of_a_person_has_its_joints_where_the_model_has_them(name):
    """Also where only the model is known: the joints of the skin need not be moved onto those of the model."""
    model = library.load_model(name)
    places = {body: pose[:3, 3] for body, pose in body_transforms(model).items()}
    shape, placed = picture_on(model, places)
    own = both_sides(frames(skin_of(solve(shipped_person(name)))))
    for body, frame in placed.items():
        assert frame.joint == pytest.approx(own[body].joint, abs=1e-9), body
        assert frame.origin == pytest.approx(own[body].origin, abs=1e-4), body
    assert shape.joint("l-knee") == pytest.approx(placed["ShankL"].joint, abs=1e-9)


def test_people_of_scenarios_say_who_they_are():
    """The person stands beside the model, so that sweeps and pictures have it."""
    found = set()
    for path in library.list_scenarios():
        for actor in read_scenario(path).actors:
            assert actor.person == shipped_person(actor.model_reference), path.stem
            found |= {actor.model_reference} if actor.person else set()
    assert found == set(PERSONS) - {"female_muscles"}


@pytest.mark.parametrize("name", library.list_models())
def test_file_has_no_errors(name):
    assert [str(issue) for issue in validate(library.load_model(name))] == []


@pytest.mark.parametrize("name", library.list_models())
def test_everything_has_a_source(name):
    model = library.load_model(name)
    assert model.sources
    materials = {material.name: material for material in model.materials}
    for part in model.bodies:
        for ellipsoid in part.ellipsoids:
            assert ellipsoid.material in materials
    for material in materials.values():
        assert material.source, material.name
        depths, forces = zip(*material.loading, strict=True)
        assert depths[0] == forces[0] == 0.0
        assert all(a < b for a, b in zip(depths, depths[1:], strict=False))
        assert all(a <= b for a, b in zip(forces, forces[1:], strict=False)), (
            "a falling curve cannot be put in series"
        )


def test_unknown_name_lists_the_models():
    with pytest.raises(KeyError, match="hybrid3_50th"):
        library.library_path("hybrid4")


def test_ambrosio_has_29_degrees_of_freedom():
    model = library.load_model("ambrosio")
    freedom = {"free": 6, "spherical": 3, "revolute": 1, "fixed": 0}
    assert len(model.bodies) == 12
    assert sum(freedom[joint.type] for joint in model.joints) == 29


@pytest.mark.parametrize(
    ("joint", "directions"),
    [
        # table 2: back 40/35/30/35, torso-neck 60/40/60/40, shoulder 140/90/30/90, hip 10/120/50/45
        ("backJnt", {(1, 0): 40, (0, 1): 35, (-1, 0): 30, (0, -1): 35}),
        ("torso-neckJnt", {(1, 0): 60, (0, 1): 40, (-1, 0): 60, (0, -1): 40}),
        ("shoulderlJnt", {(1, 0): 140, (0, 1): 90, (-1, 0): 30, (0, -1): 90}),
        ("shoulderrJnt", {(1, 0): 140, (0, 1): 90, (-1, 0): 30, (0, -1): 90}),
        ("hiplJnt", {(0, -1): 10, (1, 0): 120, (0, 1): 50, (-1, 0): 45}),
        ("hiprJnt", {(0, 1): 10, (1, 0): 120, (0, -1): 50, (-1, 0): 45}),
    ],
)
def test_ambrosios_cones_point_the_right_way(joint, directions):
    model = library.load_model("ambrosio")
    cone = next(j for j in model.joints if j.name == joint).cone
    found = {}
    for quadrant, angle in enumerate(cone.quadrant_angles):
        around = math.pi / 2 * quadrant
        zero, axis = np.array(cone.zero_longitude), np.array(cone.axis)
        direction = math.cos(around) * zero + math.sin(around) * np.cross(axis, zero)
        found[tuple(int(round(v)) for v in direction[:2])] = angle
    assert found == directions


def test_car_totals():
    model = library.load_model("car")
    at = body_transforms(model)
    masses = np.array([b.mass for b in model.bodies])
    centres = np.array([(at[b.name] @ [*b.center_of_mass, 1.0])[:3] for b in model.bodies])
    centre = masses @ centres / masses.sum()
    assert masses.sum() == pytest.approx(1450.0, abs=1e-6)
    assert len(model.bodies) >= 12 and sum(len(b.ellipsoids) for b in model.bodies) >= 75
    # 58 % of the weight on the front axle of a wheelbase of 2.70 m about the origin, centre 0.55 m high
    assert centre == pytest.approx([2.70 * 0.58 - 1.35, 0.0, 0.55], abs=1e-6)


def test_wheels_carry_the_car_on_millimetres():
    model = library.load_model("car")
    tyre = next(m for m in model.materials if m.name == "tyre")
    depth, force = np.array(tyre.loading).T
    for share in (0.58, 0.42):
        assert 0.005 < np.interp(1450 * 9.81 * share / 2, force, depth) < 0.02
    shapes = ellipsoid_shapes(model, body_transforms(model))
    low = {name: c[2] - np.linalg.norm(h[2]) for name, _, c, h in shapes}
    wheels = [name for name in low if name.startswith("wheel")]
    assert len(wheels) == 4
    for name, height in low.items():
        assert height == pytest.approx(0.0, abs=1e-9) if name in wheels else height > 0.1


def test_car_is_symmetric():
    shapes = ellipsoid_shapes(library.load_model("car"), body_transforms(library.load_model("car")))
    keys = {tuple(np.round(np.concatenate([c, (h @ h.T).ravel()]), 9) + 0.0) for _, _, c, h in shapes}
    flip = np.diag([1.0, -1.0, 1.0])
    for _, e, c, h in shapes:
        mirrored = np.concatenate([flip @ c, (flip @ h @ h.T @ flip).ravel()])
        assert tuple(np.round(mirrored, 9) + 0.0) in keys, e.name


def test_car_front_has_the_outline_of_a_saloon():
    """Height of the skin along the middle: bumper, bonnet edge, bonnet, windscreen, roof; no hole between."""
    model = library.load_model("car")
    shapes = ellipsoid_shapes(model, body_transforms(model))

    def top(x, y=0.0):
        heights = []
        for _, _, centre, half in shapes:
            inverse = np.linalg.inv(half)
            u, w = inverse @ (np.array([x, y, 0.0]) - centre), inverse @ np.array([0.0, 0.0, 1.0])
            a, b, c = w @ w, u @ w, u @ u - 1
            if b * b >= a * c:
                heights.append((-b + math.sqrt(b * b - a * c)) / a)
        return max(heights, default=0.0)

    assert 0.65 < top(2.05) < 0.80
    assert 0.85 < top(1.30) < 0.98
    assert 1.10 < top(0.70) < 1.30
    assert 1.35 < top(-0.3) < 1.50
    line = [top(x, y) for y in (-0.5, 0.0, 0.5) for x in np.arange(-2.0, 2.1, 0.02)]
    assert min(line) > 0.55
    for y in (-0.5, 0.0, 0.5):
        profile = np.array([top(x, y) for x in np.arange(0.0, 2.0, 0.02)])
        assert np.abs(np.diff(profile)).max() < 0.06, "a step in the skin"


def test_brakes_act_against_the_turning_wheel():
    motors = car.brake_motors(900.0)
    assert set(motors) == {j.name for j in library.load_model("car").joints if j.type == "revolute"}
    assert all(
        m.max_torque == 900.0 and m.damping > 0 and m.target_velocity == (0, 0, 0) for m in motors.values()
    )


def test_bicycle_steers_about_its_head_axis():
    model = library.load_model("bicycle")
    joint = next(j for j in model.joints if j.name == "steering_jnt")
    T1 = np.array(joint.T1)
    axis, point = T1[:3, :3] @ np.array(joint.axis), T1[:3, 3]
    assert math.degrees(math.asin(axis[2])) == pytest.approx(70.0) and axis[0] < 0
    # Trail: r / tan(head angle) - offset / sin(head angle), the contact behind where the axis meets the road.
    meets = point - point[2] / axis[2] * axis
    wheel = body_transforms(model)["frontwheel_body"][:3, 3]
    trail = 0.346 / math.tan(math.radians(70)) - 0.05 / math.sin(math.radians(70))
    assert meets[0] - wheel[0] == pytest.approx(trail, abs=1e-9)
    turned = body_transforms(model, {"steering_jnt": (20.0, 0, 0)})["frontwheel_body"]
    assert turned[:3, 0] @ np.array([0, 1, 0]) > 0.3, "positive steers to the left"


def test_bicycle_weighs_18_3_kg_and_stands_on_its_wheels():
    model = library.load_model("bicycle")
    assert sum(b.mass for b in model.bodies) == pytest.approx(18.3)
    assert sum(len(b.ellipsoids) for b in model.bodies) >= 20
    low = {b: c[2] - np.linalg.norm(h[2]) for b, _, c, h in ellipsoid_shapes(model, body_transforms(model))}
    assert low["frontwheel_body"] == pytest.approx(0, abs=1e-12) == low["backwheel_body"]
    assert bicycle.rolling(3.46)["front_wheel_jnt"][0] == pytest.approx(10.0)


def test_build_by_sex_height_and_mass():
    model = build_adult("female", 1.58, 52.0)
    assert sum(b.mass for b in model.bodies) == pytest.approx(52.0)
    top = max(c[2] + np.linalg.norm(h[2]) for _, _, c, h in ellipsoid_shapes(model, body_transforms(model)))
    assert top == pytest.approx(1.58)
    thigh, reference = (
        next(b for b in m.bodies if b.name == "ThighL") for m in (model, build_adult("female", 1.612, 77.9))
    )
    expected = 52.0 / 77.9 * (1.58 / 1.612) ** 2
    assert np.array(thigh.inertia[:3]) == pytest.approx(np.array(reference.inertia[:3]) * expected, rel=1e-8)


def test_small_statures_warn_and_offer_the_children():
    with pytest.warns(UserWarning, match="child_3.*child_6"):
        build_adult("male", 1.2, 30.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        build_adult("male", 1.45, 45.0)


@pytest.mark.parametrize(
    ("sex", "height", "mass"), [("man", 1.7, 70), ("male", 175.0, 70), ("male", 1.75, 70000)]
)
def test_nonsense_is_refused(sex, height, mass):
    with pytest.raises(ValueError):
        build_adult(sex, height, mass)


def test_uniform_scaling_follows_the_powers_of_length_and_mass():
    model = library.load_model("hybrid3_50th")
    s, m = 1.9 / 1.753, 110 / 78.15
    scaled = scale_model(model, 1.9, 110.0)
    for a, b in zip(model.bodies, scaled.bodies, strict=True):
        assert b.mass == pytest.approx(a.mass * m) and b.inertia == pytest.approx(
            np.array(a.inertia) * m * s * s
        )
    at, new = body_transforms(model), body_transforms(scaled)
    for name in at:
        assert new[name][:3, 3] == pytest.approx(at[name][:3, 3] * s)
    head, was = (next(x for x in lib.materials if x.name == "head") for lib in (scaled, model))
    assert head.loading[5] == pytest.approx((was.loading[5][0] * s, was.loading[5][1] * m / s))
    assert "force x" in scaled.notes[-1]
    kept = scale_model(model, 1.9, 110.0, scale_curves=False)
    assert kept.materials == model.materials and "kept" in kept.notes[-1]
    with pytest.warns(UserWarning, match="not small adults"):
        scale_model(model, 1.2, 30.0)


@pytest.mark.parametrize("name", ["stair", "kerb", "bed", "chair"])
def test_obstacles_stand_on_the_floor(name):
    parts = OBSTACLES[name]()
    assert min(o.position[2] - o.half_size[2] for o in parts) == pytest.approx(0.0, abs=1e-9)
    assert len({o.name for o in parts}) == len(parts) and all(o.source for o in parts)


def test_stair_goes_down_in_equal_steps():
    tops = [(o.position[0], o.position[2] + o.half_size[2]) for o in stair(5, 0.18, 0.26)]
    assert [round(z, 9) for _, z in tops] == [0.90, 0.72, 0.54, 0.36, 0.18]
    assert np.diff([x for x, _ in tops[1:]]) == pytest.approx([0.26] * 3)
