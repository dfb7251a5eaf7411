"""Sliding, rolling and resting bodies against closed forms (docs/derivations.md, Sliding and rolling); creep on a
slope."""

import math

import numpy as np
import pytest
from impacts import STANDING, G, floor_mesh, free_body, rubber, scene, sledge

from mannequin.engine import Actor, Material, Obstacle, run
from mannequin.engine.spec import FRICTION_LAWS

FLOORS = {"plane": None, "mesh": floor_mesh()}


def on_floor(kind: str, actor: Actor, **settings):
    """The scenario on the ground plane, or on a floor of triangles without it."""
    obstacles = [] if FLOORS[kind] is None else [FLOORS[kind]]
    return scene(actor, obstacles, ground=FLOORS[kind] is None, **settings)


@pytest.mark.parametrize("kind", FLOORS)
@pytest.mark.parametrize("law", FRICTION_LAWS)
def test_sliding_sphere_comes_to_roll(kind, law):
    """v0 = 3 m/s, mu = 0.3: rolls after 2 v0 / (7 mu g) at 5 v0 / 7, having gone 12 v0^2 / (49 mu g)."""
    mu, v0, radius, mass = 0.3, 3.0, 0.1, 1.0
    sunk = mass * G / 1.0e5
    actor = Actor("ball", free_body(rubber(), mass), position=(0, 0, radius - sunk), velocity=(v0, 0, 0))
    recording = run(on_floor(kind, actor, friction=mu, friction_law=law, duration=0.5))
    x, v = recording.position[:, 0, 0], recording.velocity[:, 0, 0]
    slip = v - radius * recording.angular_velocity[:, 0, 1]
    rolls = int(np.argmax(slip < 0.02))
    assert recording.times[rolls] == pytest.approx(0.291248, rel=0.01)
    assert x[rolls] == pytest.approx(0.748923, rel=0.01)
    assert v[-1] == pytest.approx(15.0 / 7.0, rel=0.01)
    assert abs(slip[-1]) < 0.002
    assert np.abs(recording.position[:, 0, 1]).max() < 1e-9


@pytest.mark.parametrize("kind", FLOORS)
@pytest.mark.parametrize("law", FRICTION_LAWS)
def test_block_stops_where_friction_says(kind, law):
    """After v^2 / (2 mu g), and it stays there."""
    mu, v0 = 0.4, 3.0
    actor = Actor("block", sledge(rubber()), position=(0, 0, STANDING - 10 * G / 4e5), velocity=(v0, 0, 0))
    recording = run(on_floor(kind, actor, friction=mu, friction_law=law, duration=1.0))
    x = recording.position[:, 0, 0]
    assert x[-1] == pytest.approx(v0**2 / (2 * mu * G), rel=0.01)
    if law != "hollars":
        assert abs(x[-1] - x[-150]) < 1e-5


def test_two_coefficients_slow_a_block_by_the_dynamic_one():
    material = rubber(static_friction=0.6, dynamic_friction=0.3)
    actor = Actor("block", sledge(material), position=(0, 0, STANDING - 10 * G / 4e5), velocity=(4.0, 0, 0))
    settings = {
        "friction_law": "stribeck",
        "ground_friction": None,
        "friction_rule": "minimum",
        "friction": 0.6,
    }
    recording = run(scene(actor, duration=0.4, **settings))
    slowing = -(recording.velocity[-1, 0, 0] - 4.0) / 0.4
    assert slowing == pytest.approx(0.3 * G, rel=0.02)


def on_slope(angle: float, kind: str, **settings):
    """A block at rest on a slope that rises along -x by `angle` degrees, as a plane or a mesh."""
    slope = math.radians(angle)
    depth = 10 * G * math.cos(slope) / 4e5
    normal = np.array([math.sin(slope), 0.0, math.cos(slope)])
    actor = Actor(
        "block", sledge(rubber()), position=tuple((STANDING - depth) * normal), orientation=(0.0, angle, 0.0)
    )
    tilt = {"orientation": (0.0, angle, 0.0)}
    obstacle = Obstacle("slope", "plane", **tilt) if kind == "plane" else floor_mesh("slope", **tilt)
    return scene(actor, [obstacle], ground=False, duration=1.5, **settings)


@pytest.mark.parametrize("kind", ["plane", "mesh"])
@pytest.mark.parametrize("angle", [5.0, 15.0, 21.0])
def test_block_does_not_creep_below_the_friction_angle(angle, kind):
    """mu = 0.4 holds up to 21.8 degrees: less than 1 mm in the second after the first half second."""
    recording = run(on_slope(angle, kind, friction=0.4))
    way = np.linalg.norm(recording.position[500:, 0] - recording.position[500, 0], axis=1)
    assert way.max() < 1e-4
    assert np.linalg.norm(recording.position[-1, 0] - recording.position[0, 0]) < 1e-3


@pytest.mark.parametrize("kind", ["plane", "mesh"])
def test_block_slides_above_the_friction_angle(kind):
    recording = run(on_slope(30.0, kind, friction=0.4))
    slope = math.radians(30.0)
    expected = G * (math.sin(slope) - 0.4 * math.cos(slope))
    assert np.linalg.norm(recording.velocity[-1, 0]) / 1.5 == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("restitution", [0.2, 0.6])
@pytest.mark.parametrize(
    "speed, angle, mu, height, distance",
    [
        (10.0, 0.0, 0.7, 1.0, 7.98120),
        (10.0, 10.0, 0.7, 1.0, 9.61245),
        (15.0, 20.0, 0.6, 1.0, 25.65365),
        (11.11, 0.0, 0.6, 0.9, 11.02523),
    ],
)
def test_thrown_body_comes_to_rest_at_searles_distance(speed, angle, mu, height, distance, restitution):
    """S = mu H + [v (cos a + mu sin a)]^2 / (2 mu g), whatever the restitution, of a body that does not turn.

    docs/derivations.md, Searle's distance.
    """
    material = Material(
        "rubber", law="lankarani_nikravesh", stiffness=1e6, exponent=1.5, restitution=restitution
    )
    thrown = free_body(material, 10.0, inertia=1e6)
    a = math.radians(angle)
    actor = Actor(
        "body",
        thrown,
        position=(0, 0, 0.1 + height),
        velocity=(speed * math.cos(a), 0, speed * math.sin(a)),
    )
    recording = run(scene(actor, friction=mu, duration=5.0, output_step=0.01))
    assert abs(recording.velocity[-1, 0, 0]) < 1e-3
    assert recording.position[-1, 0, 0] == pytest.approx(distance, rel=0.01)
