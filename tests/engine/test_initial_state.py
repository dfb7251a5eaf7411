"""Places and poses of actors on their specs, against closed forms."""

import numpy as np
import pytest

from mannequin.engine.bodies.posture import actor_poses
from mannequin.engine.errors import EngineError
from mannequin.engine.maths.rotations import matrix_from_zyx
from mannequin.engine.runs.placing import lowest_point, place_on_ground
from mannequin.engine.spec import Actor, Body, Ellipsoid, Joint, Model

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


def test_poses_of_a_posture():
    """The hinge's child by hand: down the chain of transforms."""
    actor = chain(**POSE)
    poses = actor_poses(actor)
    base = matrix_from_zyx(POSE["orientation"])
    middle = base @ matrix_from_zyx(POSE["joint_angles"]["ball"])
    assert poses["middle"][:3, :3] == pytest.approx(middle)
    expected = np.array(POSE["position"]) + base @ [0, 0, -0.5] + middle @ [0, 0, -0.5]
    assert poses["end"][:3, 3] == pytest.approx(expected)
