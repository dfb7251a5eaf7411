"""Placing, clearing, and velocities from two poses, against closed forms and the engine's own kinematics."""

from dataclasses import replace

import numpy as np
import pytest

from mannequin.engine.coordinates import displaced
from mannequin.engine.errors import EngineError
from mannequin.engine.initial_state import clear_shift, lowest_point, moved, place_on_ground, with_velocities
from mannequin.engine.posture import actor_poses
from mannequin.engine.rotations import matrix_from_zyx
from mannequin.engine.spec import Actor, Body, Ellipsoid, Joint, Model, Obstacle, Scenario, Settings
from mannequin.engine.state import start_coordinates
from mannequin.engine.tree import TreeBuilder

AXES = (0.3, 0.2, 0.1)


def ball(name="ball", radius=0.5, **fields):
    body = Body("body", 1.0, (0.1, 0.1, 0.1, 0, 0, 0), ellipsoids=[Ellipsoid("skin", (radius,) * 3)])
    return Actor(name, Model(name, [body], [Joint("root", "free", None, "body")]), **fields)


def chain(**fields):
    """Root, ball joint, hinge, each body an ellipsoid off its origin."""
    down = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, -0.5), (0.0, 0.0, 0.0, 1.0))
    joints = [
        Joint("root", "free", None, "top"),
        Joint("ball", "spherical", "top", "middle", T1=down),
        Joint("hinge", "revolute", "middle", "end", T1=down, axis=(0.6, 0.8, 0.0)),
    ]
    bodies = [
        Body(name, 1.0, (0.1, 0.1, 0.1, 0, 0, 0), ellipsoids=[Ellipsoid(name, AXES, (0.05, 0.0, -0.2))])
        for name in ("top", "middle", "end")
    ]
    return Actor("chain", Model("chain", bodies, joints), **fields)


POSE = {
    "position": (0.3, -0.2, 1.5),
    "orientation": (20.0, -30.0, 50.0),
    "joint_angles": {"ball": (10.0, 60.0, -20.0), "hinge": (35.0, 0.0, 0.0)},
}


def surface_points(actor):
    """World points densely on all ellipsoids of an actor."""
    z = np.linspace(-1.0, 1.0, 181)
    angle = np.linspace(0.0, 2 * np.pi, 361)
    ring = np.sqrt(1.0 - z**2)
    unit = np.stack(
        [np.outer(ring, np.cos(angle)), np.outer(ring, np.sin(angle)), np.outer(z, np.ones_like(angle))], -1
    ).reshape(-1, 3)
    poses = actor_poses(actor)
    clouds = []
    for body in actor.model.bodies:
        for ellipsoid in body.ellipsoids:
            local = unit * ellipsoid.semi_axes @ np.array(ellipsoid.orientation).T + ellipsoid.position
            clouds.append(local @ poses[body.name][:3, :3].T + poses[body.name][:3, 3])
    return np.concatenate(clouds)


def test_lowest_point_against_a_cloud_of_points():
    actor = chain(**POSE)
    assert lowest_point(actor) == pytest.approx(surface_points(actor)[:, 2].min(), abs=1e-4)
    assert lowest_point(actor) <= surface_points(actor)[:, 2].min()


def test_lowest_point_of_a_tilted_ellipsoid():
    """Semi-axes 0.3 and 0.1 turned by 30 degrees about y: sqrt((0.3 sin 30)^2 + (0.1 cos 30)^2) below the centre."""
    body = Body("body", 1.0, (0.1, 0.1, 0.1, 0, 0, 0), ellipsoids=[Ellipsoid("skin", AXES)])
    model = Model("egg", [body], [Joint("root", "free", None, "body")])
    actor = Actor("egg", model, orientation=(0.0, 30.0, 0.0))
    assert lowest_point(actor) == pytest.approx(-np.hypot(0.3 * 0.5, 0.1 * np.cos(np.pi / 6)))


@pytest.mark.parametrize("clearance", [0.0, 0.25])
def test_place_on_ground(clearance):
    actor = place_on_ground(chain(**POSE), clearance)
    assert lowest_point(actor) == pytest.approx(clearance, abs=1e-12)
    assert actor.position[:2] == (0.3, -0.2)


def test_an_actor_without_ellipsoids_is_refused():
    actor = ball()
    actor.model.bodies[0].ellipsoids.clear()
    with pytest.raises(EngineError, match="actor 'ball' has no ellipsoid"):
        place_on_ground(actor)


def test_clear_of_the_ground():
    scenario = Scenario("s", [ball(position=(0.0, 0.0, 0.2))])
    assert clear_shift(scenario, "ball") == pytest.approx(0.3, abs=1e-6)
    assert clear_shift(scenario, "ball", clearance=0.01) == pytest.approx(0.31, abs=1e-6)


def test_free_actors_stay():
    assert clear_shift(Scenario("s", [ball(position=(0.0, 0.0, 0.6))]), "ball", clearance=0.1) == 0.0


def test_clear_of_another_actor_sideways():
    """Two balls of 0.5 m, 0.6 m apart in x and 0.3 in y: free at dx = sqrt(1 - 0.09)."""
    scenario = Scenario(
        "s",
        [ball("a", position=(0.6, 0.3, 5.0)), ball("b", position=(0.0, 0.0, 5.0))],
        settings=Settings(ground=False),
    )
    assert clear_shift(scenario, "a", (2.0, 0.0, 0.0)) == pytest.approx(np.sqrt(0.91) - 0.6, abs=1e-5)
    cleared = clear_shift(scenario, "a", (2.0, 0.0, 0.0), clearance=1e-4)
    scenario.actors[0] = moved(scenario.actors[0], (cleared, 0.0, 0.0))
    assert clear_shift(scenario, "a", (1.0, 0.0, 0.0)) == 0.0


def test_clear_of_a_box_from_inside_its_side():
    box = Obstacle("box", "box", position=(0.0, 0.0, 1.0), half_size=(1.0, 1.0, 1.0))
    scenario = Scenario("s", [ball(position=(1.3, 0.0, 1.0))], obstacles=[box])
    assert clear_shift(scenario, "ball", (1.0, 0.0, 0.0)) == pytest.approx(0.2, abs=1e-5)


def test_no_free_place_is_reported():
    scenario = Scenario("s", [ball(position=(0.0, 0.0, 0.2))])
    with pytest.raises(EngineError, match="actor 'ball' is not free within 2 m along"):
        clear_shift(scenario, "ball", (0.0, 0.0, -1.0), most=2.0)
    with pytest.raises(EngineError, match="has no actor 'nobody'"):
        clear_shift(scenario, "nobody")


def test_velocities_carry_one_pose_into_the_other():
    """Moved along its speeds for the interval, every coordinate arrives at the later pose to round-off."""
    earlier = chain(**POSE)
    later = chain(
        position=(0.5, 0.1, 1.2),
        orientation=(-40.0, 10.0, 80.0),
        joint_angles={"ball": (-30.0, 20.0, 60.0), "hinge": (-20.0, 0.0, 0.0)},
    )
    interval = 0.04
    actor = with_velocities(earlier, later, interval)
    assert actor.joint_angles == earlier.joint_angles

    def coordinates(one):
        builder = TreeBuilder()
        builder.add_actor(0, one)
        tree, _ = builder.finish()
        return tree, *start_coordinates(Scenario("s", [one]), tree, builder)

    tree, q, u = coordinates(actor)
    _, target, _ = coordinates(later)
    arrived = np.zeros_like(q)
    displaced(tree, q, interval * u, arrived)
    for block in (slice(3, 7), slice(7, 11)):
        if arrived[block] @ target[block] < 0.0:
            arrived[block] *= -1.0
    assert arrived == pytest.approx(target, abs=1e-12)


def test_velocity_of_a_pure_turn():
    earlier = ball(orientation=(10.0, 0.0, 0.0))
    later = replace(earlier, orientation=(55.0, 0.0, 0.0))
    actor = with_velocities(earlier, later, 0.5)
    assert actor.angular_velocity == pytest.approx((0.0, 0.0, np.radians(90.0)))
    assert actor.velocity == (0.0, 0.0, 0.0)
    assert actor.joint_velocities == {}


def test_poses_at_the_same_time_are_refused():
    with pytest.raises(EngineError, match="give a time above 0"):
        with_velocities(ball(), ball(), 0.0)


def test_poses_of_a_posture():
    """The hinge's child by hand: down the chain of transforms."""
    actor = chain(**POSE)
    poses = actor_poses(actor)
    base = matrix_from_zyx(POSE["orientation"])
    middle = base @ matrix_from_zyx(POSE["joint_angles"]["ball"])
    assert poses["middle"][:3, :3] == pytest.approx(middle)
    expected = np.array(POSE["position"]) + base @ [0, 0, -0.5] + middle @ [0, 0, -0.5]
    assert poses["end"][:3, 3] == pytest.approx(expected)
