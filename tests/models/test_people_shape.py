"""Shapes of people: height and mass as asked, closed and symmetric meshes, published heads, tapes, and what is said
where the data ends."""

import numpy as np
import pytest
from people_data import needs_people
from scipy.spatial import ConvexHull

from mannequin.engine.spec import Person
from mannequin.models.people import base_mesh, tape
from mannequin.models.people.shape import solve

pytestmark = needs_people

FEW = (
    Person(0, 71, 1.63, 58),
    Person(1, 45, 1.76, 140),
    Person(1, 6, 1.16, 21),
    Person(0.5, 30, 1.70, 65, 0.8),
    Person(0, 1, 0.745, 9.5),
)


@pytest.fixture(scope="module")
def shapes():
    return {person: solve(person) for person in FEW}


def standing_height(shape) -> float:
    """Sole to ankle, ankle to knee, knee to hip, hip to vertex: as a person with straight legs would be measured."""
    ankle, knee, hip = (shape.joint(f"l-{name}") for name in ("ankle", "knee", "upper-leg"))
    z = shape.body[:, 2]
    return ankle[2] - z.min() + np.linalg.norm(knee - ankle) + np.linalg.norm(hip - knee) + z.max() - hip[2]


def volume_by_slices(vertices: np.ndarray, triangles: np.ndarray, count: int = 400) -> float:
    """Volume as the sum of the areas of level sections, each by the shoelace formula over directed crossings."""
    low, high = vertices[:, 2].min(), vertices[:, 2].max()
    step = (high - low) / count
    corners = vertices[triangles]
    total = 0.0
    for z in low + step * (np.arange(count) + 0.5):
        above = corners[:, :, 2] > z
        cut = corners[(above.any(axis=1)) & ~above.all(axis=1)]
        up = cut[:, :, 2] > z
        lone = np.where(up.sum(axis=1) == 1, up.argmax(axis=1), (~up).argmax(axis=1))
        row = np.arange(len(cut))
        a, b, c = (cut[row, (lone + k) % 3] for k in range(3))
        p = a + ((z - a[:, 2]) / (b[:, 2] - a[:, 2]))[:, None] * (b - a)
        q = a + ((z - a[:, 2]) / (c[:, 2] - a[:, 2]))[:, None] * (c - a)
        sign = np.where(up[row, lone], -1.0, 1.0)
        total += 0.5 * float((sign * (p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0])).sum()) * step
    return abs(total)


@pytest.mark.parametrize("person", FEW, ids=str)
def test_height_and_mass_are_those_asked_for(shapes, person):
    shape = shapes[person]
    assert standing_height(shape) == pytest.approx(person.height, abs=0.001)
    assert shape.height == pytest.approx(standing_height(shape), abs=1e-6)
    assert shape.mass == pytest.approx(person.mass, abs=0.010)
    assert 940 < shape.density < 1070
    sliced = volume_by_slices(shape.body, shape.mesh.triangles)
    assert shape.density * sliced == pytest.approx(person.mass, rel=0.002)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_height_and_mass_of_200_random_people():
    rng = np.random.default_rng(20)
    worst = [0.0, 0.0]
    for _ in range(200):
        age = float(np.exp(rng.uniform(0.0, np.log(95.0))))
        ages, mean = (1, 3, 6, 10, 15, 18, 95), (0.75, 0.95, 1.15, 1.38, 1.66, 1.70, 1.66)
        height = float(np.interp(age, ages, mean) * rng.uniform(0.92, 1.08))
        index = float(np.interp(age, (1, 6, 18), (17, 15.5, 22)) * rng.uniform(0.85, 1.5))
        person = Person(
            float(rng.choice([0, 1, rng.random()])), age, height, index * height**2, float(rng.random())
        )
        shape = solve(person)
        worst[0] = max(worst[0], abs(standing_height(shape) - height))
        worst[1] = max(worst[1], abs(shape.mass - person.mass))
    print(f"200 people: height within {1000 * worst[0]:.4f} mm, mass within {1000 * worst[1]:.2f} g")
    assert worst[0] < 0.001
    assert worst[1] < 0.010


def test_the_skin_is_closed_and_both_sides_are_alike(shapes):
    mesh = base_mesh.load()
    edges = np.concatenate([mesh.triangles[:, [0, 1]], mesh.triangles[:, [1, 2]], mesh.triangles[:, [2, 0]]])
    _, count = np.unique(np.sort(edges, axis=1), axis=0, return_counts=True)
    assert (count == 2).all()
    for shape in shapes.values():
        body, partner = shape.body, mesh.mirror[mesh.rows["body"]]
        assert np.abs(body[partner] * [1, -1, 1] - body).max() < 1e-6
        assert shape.joint("r-knee") == pytest.approx(shape.joint("l-knee") * [1, -1, 1], abs=1e-6)


# Months and cm: NCHS 50th percentiles of 12 and 36 months, girls and boys; Hybrid III 6-year-old; British adults.
PUBLISHED_HEADS = (
    (0, 1, 45.6),
    (1, 1, 47.0),
    (0, 3, 49.3),
    (1, 3, 50.5),
    (1, 6, 52.1),
    (0, 30, 55.2),
    (1, 30, 57.2),
)


@pytest.mark.parametrize(("sex", "age", "centimetres"), PUBLISHED_HEADS)
def test_heads_have_the_published_circumference(sex, age, centimetres):
    height, mass = {1: (0.75, 9.7), 3: (0.95, 14.4), 6: (1.155, 20.7), 30: (1.70, 68)}[age]
    shape = solve(Person(sex, age, height, mass))
    mesh = shape.mesh
    head = shape.body[mesh.rig("game_engine").weights_of({"head"})[mesh.rows["body"]] > 0.5]
    eyes, top = shape.joint("l-eye")[2], head[:, 2].max()
    level = eyes + 0.25 * (top - eyes)
    ring = head[np.abs(head[:, 2] - level) < 0.010 * (top - eyes) / 0.11]
    hull = ConvexHull(ring[:, :2])
    assert 100 * hull.area == pytest.approx(centimetres, rel=0.03)  # `area` of a plane hull is its length


# Shares of stature. Drillis and Contini as given by Winter, for adults; hip and knee of women from de Leva's lengths of
# shank and thigh (438.6 and 368.5 of 1735 mm) above an ankle of 0.039.
WINTER = {"l-ankle": 0.039, "l-knee": 0.285, "l-upper-leg": 0.530, "l-shoulder": 0.818}
DE_LEVA_WOMAN = {"l-ankle": 0.039, "l-knee": 0.292, "l-upper-leg": 0.504}


@pytest.mark.parametrize(
    ("person", "published"),
    [
        (Person(1, 24, 1.741, 73), WINTER),
        (Person(0, 19, 1.735, 61.9), WINTER),
        (Person(0, 75, 1.58, 55), DE_LEVA_WOMAN),
    ],
    ids=str,
)
def test_joints_are_at_the_published_heights(person, published):
    shape = solve(person)
    straight = shape.height - np.ptp(shape.body[:, 2])
    for joint, share in published.items():
        lift = {"l-ankle": 0.0, "l-knee": 0.5}.get(joint, 1.0) * straight
        assert (shape.joint(joint)[2] + lift) / shape.height == pytest.approx(share, abs=0.02), joint


@pytest.mark.parametrize(
    "taped",
    [{"waist": 1.05}, {"hip": 1.10, "thigh": 0.62}, {"leg": 0.80}, {"upper_arm": 0.34, "head": 0.59}],
    ids=str,
)
def test_what_a_tape_measured_is_met(taped):
    shape = solve(Person(1, 40, 1.78, 80, **taped))
    for name, value in taped.items():
        assert tape.MEASURES[name](shape.mesh, shape.vertices) == pytest.approx(value, abs=0.002), name
    assert shape.height == pytest.approx(1.78, abs=0.001)
    assert shape.mass == pytest.approx(80, abs=0.010)
    assert not shape.notes


def test_a_tape_goes_round_a_known_solid():
    """A tape round an upright elliptic tube with a groove: the groove is spanned."""
    turn = np.linspace(0.0, 2.0 * np.pi, 721)[:-1]
    radius = np.where(np.abs(turn - np.pi) < 0.2, 0.8, 1.0)
    points = np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)
    chord = 2.0 * np.sin(0.2)
    assert tape.hull_length(points) == pytest.approx(2.0 * np.pi - 0.4 + chord, rel=1e-3)


@pytest.mark.long
def test_out_of_reach_it_says_so_and_how_it_went_on():
    fat = solve(Person(1, 45, 1.76, 140))
    assert any("140 kg is beyond the data" in note for note in fat.notes)
    tall = solve(Person(0, 5, 1.60, 45))
    assert any("uniform scale" in note for note in tall.notes)
    assert tall.height == pytest.approx(1.60, abs=0.001)
    wide = solve(Person(1, 40, 1.78, 80, waist=1.6))
    assert any("waist of 1.600 m is out of reach" in note for note in wide.notes)
    old = solve(Person(0, 99, 1.55, 50))
    assert any("taken as 95" in note for note in old.notes)


@pytest.mark.parametrize(
    ("person", "named"),
    [
        (Person(0, 40, 163, 58), "height"),
        (Person(0, 40, 1.63, 2), "mass"),
        (Person(2, 40, 1.63, 58), "sex"),
        (Person(0, 40, 1.63, 58, 3), "build"),
        (Person(0, 40, 1.63, 58, ancestry=(0, 0, 0)), "ancestry"),
    ],
)
def test_nobody_is_made_of_nonsense(person, named):
    with pytest.raises(ValueError, match=named):
        solve(person)


def test_without_the_data_there_is_one_clear_message(monkeypatch, tmp_path):
    monkeypatch.setattr(base_mesh, "FILE", tmp_path / "people.npz")
    assert not base_mesh.is_available()
    with pytest.raises(base_mesh.PeopleDataMissing, match=r"tools/pack_people\.py"):
        solve(FEW[0])
