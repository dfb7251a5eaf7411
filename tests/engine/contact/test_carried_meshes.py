"""Contact meshes that moving bodies carry: depth, zones, blending, reactions, own actor, and what is refused."""

import dataclasses

import numpy as np
import pytest

from mannequin.engine.build.validate import validate
from mannequin.engine.contact.carried import corner_shares, corner_weights, zone_rows
from mannequin.engine.jit.decorators import interpreted
from mannequin.engine.runs.simulation import run
from mannequin.engine.spec import (
    Actor,
    Body,
    ContactMesh,
    ContactZone,
    Ellipsoid,
    Joint,
    Material,
    Model,
    Scenario,
    Settings,
)

SOFT = Material("soft", "linear", stiffness=2.0e4, damping=0.0)
HARD = Material("hard", "linear", stiffness=8.0e4, damping=0.0)
STEEL = Material("steel", loading=((0.0, 0.0), (0.001, 1.0e6)), energy_retention=1.0)
HALF, DEPTH, RADIUS, BALL_MASS = 0.5, 0.1, 0.05, 2.0


def box_mesh(cells=6, depth=DEPTH):
    """Core of a cube of half edge HALF: a closed grid of triangles; zone 1 where x > 0, else zone 0."""
    half = HALF - depth
    u = np.linspace(-half, half, cells + 1)
    points, triangles = [], []
    for axis in range(3):
        for side in (-1.0, 1.0):
            base = len(points)
            b, d = (axis + 1) % 3, (axis + 2) % 3
            for p in u:
                for q in u:
                    point = np.zeros(3)
                    point[axis], point[b], point[d] = side * half, p, q
                    points.append(point)
            for i in range(cells):
                for j in range(cells):
                    k = base + i * (cells + 1) + j
                    ring = [k, k + cells + 1, k + cells + 2, k + 1]
                    ring = ring if side > 0 else ring[::-1]
                    triangles += [ring[:3], [ring[0], ring[2], ring[3]]]
    unique, number = np.unique(np.round(points, 9), axis=0, return_inverse=True)
    triangles = number.ravel()[np.array(triangles)]
    zone = (unique[triangles].mean(axis=1)[:, 0] > 0.0).astype(int)
    return ContactMesh(
        tuple(map(tuple, unique.tolist())),
        tuple(map(tuple, triangles.tolist())),
        [ContactZone("left", "soft"), ContactZone("right", "hard")],
        tuple(zone.tolist()),
        (depth,) * len(unique),
    )


def block(mass=50.0, mesh=None):
    """A cube that carries a contact mesh, with a wheel-like ball of its own inside it."""
    inertia = mass * (2.0 * HALF) ** 2 / 6.0
    own = Ellipsoid("own", (0.1, 0.1, 0.1), (0.3, 0.0, 0.0), material="soft")
    body = Body(
        "block", mass, (inertia,) * 3 + (0.0,) * 3, (0.0, 0.0, 0.0), [own], surface=mesh or box_mesh()
    )
    return Model("block", [body], [Joint("root", "free", None, "block")], [SOFT, HARD])


def ball(radius=RADIUS):
    inertia = 0.4 * BALL_MASS * radius**2
    shape = Ellipsoid("ball", (radius,) * 3, material="steel")
    body = Body("ball", BALL_MASS, (inertia,) * 3 + (0.0,) * 3, (0.0, 0.0, 0.0), [shape])
    return Model("ball", [body], [Joint("root", "free", None, "ball")], [STEEL])


def shot(place, velocity, model=None, duration=0.05, **settings):
    """Recording of a ball shot at the block."""
    actors = [
        Actor("block", model or block()),
        Actor("ball", ball(), position=tuple(place), velocity=tuple(velocity)),
    ]
    given = {
        "gravity": (0.0, 0.0, 0.0),
        "ground": False,
        "friction": 0.0,
        "time_step": 1e-5,
        "output_step": 1e-4,
    }
    return run(Scenario("shot", actors, settings=Settings(duration=duration, **(given | settings))))


@pytest.fixture(scope="module")
def at_right():
    """Straight down on the right half, away from the border."""
    return shot((0.25, 0.0, HALF + RADIUS + 0.01), (0.0, 0.0, -4.0))


def test_force_is_that_of_the_zone_in_series_with_the_ball(at_right):
    """Half a sine of m_eff and the zone's k: duration pi sqrt(m/k), peak v sqrt(k m)."""
    (event,) = at_right.contacts
    k = 1.0 / (1.0 / 8.0e4 + 1.0 / 1.0e9)  # the curve of the steel ball is far stiffer
    m = BALL_MASS  # the blow is off the block's centre: its effective mass is smaller
    inertia = 50.0 / 6.0
    m = 1.0 / (1.0 / BALL_MASS + 1.0 / 50.0 + 0.25**2 / inertia)
    assert event["peak_force"] == pytest.approx(4.0 * np.sqrt(k * m), rel=0.01)
    assert event["end"] - event["start"] == pytest.approx(np.pi * np.sqrt(m / k), rel=0.01)


def test_names_zone_and_body(at_right):
    (event,) = at_right.contacts
    assert at_right.ellipsoid_names[event["ellipsoid_b"]] == "right"
    assert at_right.body_names[event["body_b"]] == "block"
    assert event["obstacle_b"] == -1
    assert event["point_b"][:2] == pytest.approx((0.25, 0.0), abs=0.01)


def test_momentum_is_kept_and_ledger_closes(at_right):
    mass = np.array([50.0, BALL_MASS])
    momentum = (mass[:, None] * at_right.velocity).sum(axis=1)
    assert np.abs(momentum - momentum[0]).max() < 1e-9
    assert abs(at_right.energy[-1, -1]) < 0.01 * 0.5 * BALL_MASS * 4.0**2


def test_ball_deeper_than_it_is_thick_keeps_its_contact():
    """At 120 mm the centre of a ball of 50 mm is 70 mm below the surface; depth and force still grow in step."""
    soft = dataclasses.replace(HARD, stiffness=2.0 * 0.5 * BALL_MASS * 36.0 / 0.12**2)
    model = block(1.0e6)
    model.materials[1] = soft
    recording = shot((0.25, 0.0, HALF + RADIUS), (0.0, 0.0, -6.0), model, duration=0.06)
    (event,) = recording.contacts
    assert event["peak_penetration"] == pytest.approx(0.12, rel=0.01)
    assert event["peak_force"] == pytest.approx(soft.stiffness * 0.12, rel=0.01)


def test_materials_blend_without_a_jump_at_the_border():
    """The force at a given depth over places across the border: between the two curves, in steps no larger than the
    blend over one triangle explains."""
    step = 2.0 * (HALF - DEPTH) / 6.0
    places = np.linspace(-0.2, 0.2, 17)
    depth = 0.01
    forces = []
    for x in places:
        place = (x, 0.05, HALF + RADIUS - depth)
        recording = shot(place, (0.0, 0.0, 0.0), block(1.0e5), 2e-4, start_overlap_limit=1.0)
        forces.append(BALL_MASS * recording.acceleration[0, 1, 2])
    forces = np.array(forces)
    low, high = depth * 2.0e4, depth * 8.0e4
    assert forces[0] == pytest.approx(low, rel=0.02) and forces[-1] == pytest.approx(high, rel=0.02)
    assert (np.diff(forces) > -1e-6 * high).all()
    assert np.diff(forces).max() < 1.2 * (high - low) * (places[1] - places[0]) / step


def test_own_actor_passes_through():
    alone = Scenario(
        "alone", [Actor("block", block())], settings=Settings(ground=False, gravity=(0.0, 0.0, 0.0))
    )
    assert len(run(alone).contacts) == 0


def test_mesh_turns_with_its_body():
    """A block turned by 90 degrees about z has its right zone on the side of +y."""
    actors = [
        Actor("block", block(), orientation=(90.0, 0.0, 0.0)),
        Actor("ball", ball(), position=(0.0, 0.25, HALF + RADIUS + 0.01), velocity=(0.0, 0.0, -4.0)),
    ]
    settings = Settings(gravity=(0.0, 0.0, 0.0), ground=False, duration=0.02, time_step=2e-5)
    recording = run(Scenario("turned", actors, settings=settings))
    (event,) = recording.contacts
    assert recording.ellipsoid_names[event["ellipsoid_b"]] == "right"


def test_corner_weights_are_barycentric():
    rng = np.random.default_rng(4)
    for _ in range(50):
        corners = rng.normal(size=(3, 3))
        weights = rng.dirichlet((1.0, 1.0, 1.0))
        row = np.concatenate([corners.ravel(), np.zeros(40)])
        found = interpreted(corner_weights)(row, tuple(weights @ corners))
        assert found == pytest.approx(weights, abs=1e-9)


def test_shares_of_zones_sum_to_one_everywhere():
    mesh = box_mesh()
    shares = corner_shares(mesh)
    assert shares.sum(axis=1) == pytest.approx(1.0)
    assert ((shares > 0.0).sum(axis=1) == 2).sum() >= 4 * 6  # the ring of points on the border
    rows = zone_rows(mesh)
    assert rows[:, 13:25].reshape(-1, 3, 4).sum(axis=2) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"triangles": box_mesh().triangles[1:], "zone_of": box_mesh().zone_of[1:]}, "not closed"),
        ({"zone_of": (0,)}, "one zone number for every triangle"),
        ({"zone_of": (7,) * len(box_mesh().triangles)}, "zone that does not exist"),
        ({"depth": (0.1,)}, "one depth for every vertex"),
        ({"depth": (-0.1,) * len(box_mesh().vertices)}, "outside 0 to 1 m"),
        ({"zones": [ContactZone("left", "soft"), ContactZone("left", "hard")]}, "left"),
        ({"zones": [ContactZone("left", "soft"), ContactZone("right", "wood")]}, "unknown material 'wood'"),
    ],
)
def test_refused(change, message):
    issues = validate(block(mesh=dataclasses.replace(box_mesh(), **change)))
    assert any(message in issue.message and issue.severity == "error" for issue in issues), issues
