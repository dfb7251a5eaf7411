"""Boxes, capsules, meshes, moving obstacles and fixed actors in whole runs."""

import math

import numpy as np
import pytest
from impacts import G, floor_mesh, free_body, rubber, scene, stairs_mesh

from mannequin.engine import Actor, Body, Ellipsoid, Joint, Material, Model, Obstacle, run

SHAPE = (0.2, 0.1, 0.06)


def tumbling(obstacles, ground: bool):
    """An ellipsoid that hits the floor turning, slides and rocks over several triangles."""
    model = free_body(rubber(5e4, 60.0), 3.0, 0.02, SHAPE)
    actor = Actor(
        "body", model, position=(-1.0, 0.3, 0.3), orientation=(20, 15, 40), velocity=(3.0, 0.7, -1.0),
        angular_velocity=(1.0, 2.0, -3.0),
    )  # fmt: skip
    return run(scene(actor, obstacles, ground=ground, duration=1.0, friction=0.35))


def test_ellipsoid_moves_over_triangles_as_over_the_plane():
    """No catching on inner edges: the same motion to a micrometre while it crosses a dozen triangles."""
    plane, mesh = tumbling([], True), tumbling([floor_mesh(cells=23)], False)
    assert mesh.status == "completed"
    crossed = plane.position[-1, 0, :2] - plane.position[0, 0, :2]
    assert np.linalg.norm(crossed) > 3 * 8.0 / 23
    assert mesh.position == pytest.approx(plane.position, abs=1e-6)
    assert mesh.quaternion == pytest.approx(plane.quaternion, abs=1e-5)
    assert len(mesh.contacts) == len(plane.contacts)


RESTING = {
    "box": (Obstacle("table", "box", (0, 0, 0.5), (30, 0, 0), (0.5, 0.5, 0.1)), 0.6),
    "turned box": (Obstacle("table", "box", (0, 0, 0.5), (0, 90, 0), (0.1, 0.5, 0.4)), 0.6),
    "mesh": (floor_mesh(position=(0, 0, 0.6)), 0.6),
    "stairs": (stairs_mesh(), 0.0),
}


@pytest.mark.parametrize("kind", RESTING)
def test_ellipsoid_comes_to_rest_on_top(kind):
    """On its flattest side, sunk by weight over stiffness."""
    obstacle, top = RESTING[kind]
    model = free_body(rubber(1e5, 500.0), 2.0, 0.01, SHAPE)
    x = -0.5 if kind == "stairs" else 0.05
    actor = Actor("body", model, position=(x, 0.05, top + SHAPE[2] + 0.005))
    recording = run(scene(actor, [obstacle], ground=False, duration=1.0))
    assert recording.position[-1, 0, 2] == pytest.approx(top + SHAPE[2] - 2.0 * G / 1e5, abs=1e-6)
    assert recording.contact_force[-1, 0] == pytest.approx((0, 0, 2.0 * G), abs=0.02)
    assert np.linalg.norm(recording.velocity[-1, 0]) < 1e-4


def test_ball_balances_on_a_lying_capsule():
    """Exactly above the axis: top of the capsule, sunk by weight over stiffness."""
    obstacle = Obstacle("rail", "capsule", (0, 0, 0.5), (0, 90, 0), (0.1, 0.1, 1.0))
    actor = Actor("ball", free_body(rubber(1e5, 500.0), 2.0), position=(0, 0, 0.705))
    recording = run(scene(actor, [obstacle], ground=False, duration=0.5))
    assert recording.position[-1, 0, 2] == pytest.approx(0.7 - 2.0 * G / 1e5, abs=1e-6)


def test_ball_rolls_down_stairs_and_touches_every_tread():
    actor = Actor(
        "ball", free_body(rubber(5e4, 300.0), 1.0), position=(-0.2, 0, 0.1), velocity=(1.2, 0.01, 0)
    )
    recording = run(scene(actor, [stairs_mesh()], ground=False, duration=2.5))
    assert recording.status == "completed"
    assert recording.position[-1, 0, 2] == pytest.approx(0.1 - 6 * 0.17, abs=0.15)
    heights = recording.contacts["point_first"][:, 2]
    assert heights.min() == pytest.approx(-6 * 0.17, abs=0.01)
    floor = -np.clip(np.floor(recording.position[:, 0, 0] / 0.3) + 1, 0, 6) * 0.17
    above = recording.position[:, 0, 2] - 0.1 - floor
    assert above.min() > -0.02, "it never sinks into a tread"


def test_moving_wall_pushes_a_ball_as_a_heavy_one_would():
    """A wall at constant speed V: the ball leaves at V (1 + e), without gravity and at rest before."""
    e, wall_speed = 0.6, 2.0
    wall = Obstacle(
        "wall", "box", (-1.0, 0, 0), (0, 0, 0), (0.5, 1.0, 1.0), motion=((0, 0, 0, 0), (1, 2.0, 0, 0))
    )
    material = Material("m", law="lankarani_nikravesh", stiffness=1e7, restitution=e)
    actor = Actor("ball", free_body(material, 2.0), position=(0.0, 0, 0))
    recording = run(scene(actor, [wall], ground=False, gravity=(0, 0, 0), duration=0.3))
    event = recording.contacts[0]
    assert event["start"] == pytest.approx(0.4 / wall_speed, abs=2e-4)
    assert event["approach_speed"] == pytest.approx(wall_speed)
    assert recording.velocity[-1, 0, 0] == pytest.approx(wall_speed * (1 + e), rel=0.01)


@pytest.mark.parametrize("shape", ["box", "plane"])
def test_lift_carries_a_ball(shape):
    """Up at 0.5 m/s, then still: the ball ends as much higher, at rest."""
    motion = ((0, 0, 0, 0), (1.0, 0, 0, 0.5), (1.5, 0, 0, 0.5))
    lift = Obstacle(
        "lift", shape, (0, 0, -0.1 if shape == "box" else 0), half_size=(1, 1, 0.1), motion=motion
    )
    actor = Actor("ball", free_body(rubber(), 1.0), position=(0, 0, 0.1 - G / 1e5), velocity=(0, 0, 0.5))
    recording = run(scene(actor, [lift], ground=False, duration=2.0))
    assert recording.position[500, 0, 2] == pytest.approx(0.1 - G / 1e5 + 0.25, abs=1e-5)
    assert recording.velocity[500, 0, 2] == pytest.approx(0.5, abs=1e-4)
    assert recording.position[-1, 0, 2] == pytest.approx(0.6 - G / 1e5, abs=1e-4)


def test_belt_drags_a_ball_by_friction():
    """A plane that moves sideways at 1 m/s drags a sledge-like ball: mu g until it goes along."""
    belt = Obstacle("belt", "plane", motion=((0, 0, 0, 0), (2.0, 2.0, 0, 0)))
    actor = Actor("ball", free_body(rubber(), 1.0, inertia=1e6), position=(0, 0, 0.1 - G / 1e5))
    recording = run(scene(actor, [belt], ground=False, duration=1.0, friction=0.2))
    assert recording.velocity[250, 0, 0] == pytest.approx(0.2 * G * 0.25, rel=0.01)
    assert recording.velocity[-1, 0, 0] == pytest.approx(1.0, rel=1e-3)


def test_turning_plane_carries_speed_at_the_radius():
    """A turntable at 1 rad/s: a heavy ball at 0.5 m is dragged along the tangent."""
    table = Obstacle(
        "table", "plane", motion=((0, 0, 0, 0, 0, 0, 0), (2.0, 0, 0, 0, 114.59155902616465, 0, 0))
    )
    actor = Actor("ball", free_body(rubber(), 1.0, inertia=1e6), position=(0.5, 0, 0.1 - G / 1e5))
    recording = run(scene(actor, [table], ground=False, duration=0.1, friction=0.2))
    assert recording.contacts["sliding_speed"][0] == pytest.approx(0.5, rel=1e-6)
    assert recording.velocity[-1, 0, 1] == pytest.approx(0.2 * G * 0.1, rel=0.01)


def fixed_model() -> Model:
    """A post that stands still: an actor whose root is fixed."""
    post = Body(
        "post", 10.0, (1, 1, 1, 0, 0, 0), ellipsoids=[Ellipsoid("top", (0.3, 0.3, 0.2), material="rubber")]
    )
    return Model("post", [post], [Joint("root", "fixed", None, "post")], materials=[rubber(2e5, 0.0)])


def test_ball_rests_on_a_fixed_actor():
    """Two springs in series carry it; the ellipsoid of the fixed actor touches neither the ground nor itself."""
    ball = free_body(rubber(2e5, 500.0), 1.0)
    actors = [Actor("post", fixed_model(), position=(0, 0, 0.1)), Actor("ball", ball, position=(0, 0, 0.405))]
    recording = run(scene(actors, duration=0.6))
    assert recording.position[-1, 1, 2] == pytest.approx(0.4 - G / 1e5, abs=2e-5)
    assert (recording.contacts["obstacle_b"] == -1).all()
    assert recording.position[:, 0] == pytest.approx(recording.position[0, 0] * np.ones((601, 1)))
    assert recording.contact_force[-1, 0, 2] == pytest.approx(-G, rel=0.01)


def test_head_on_pass_of_a_fixed_and_a_free_ball():
    """Free ball against a fixed one, elastic: it comes straight back."""
    material = Material("rubber", law="linear", stiffness=2e5, damping=0.0)
    still = Model(
        "still",
        [Body("b", 1.0, (1, 1, 1, 0, 0, 0), ellipsoids=[Ellipsoid("s", (0.1, 0.1, 0.1), material="rubber")])],
        [Joint("root", "fixed", None, "b")],
        materials=[material],
    )
    actors = [
        Actor("still", still),
        Actor("ball", free_body(material, 2.0), position=(0.25, 0, 0), velocity=(-3, 0, 0)),
    ]
    recording = run(scene(actors, ground=False, gravity=(0, 0, 0)))
    assert recording.velocity[-1, 1] == pytest.approx((3.0, 0, 0), rel=2e-3, abs=1e-9)
    duration = math.pi * math.sqrt(2.0 / 1e5)
    event = recording.contacts[0]
    assert event["end"] - event["start"] == pytest.approx(duration, rel=0.02)
