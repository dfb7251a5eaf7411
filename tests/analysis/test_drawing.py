"""Outlines against clouds of surface points, and key frames that show what happened."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation
from synthetic_run import make_recording, make_scenario

from mannequin.analysis.pages.drawing import (
    FRONT,
    SIDE,
    View,
    convex_hull,
    draw_key_frame,
    ellipsoid_outline,
    key_frames,
    obstacle_pose,
)
from mannequin.analysis.plots.figures import png_bytes
from mannequin.engine.spec import Obstacle

TILTED = View("tilted", Rotation.from_euler("zyx", [20, 30, 40], degrees=True).as_matrix()[:2], ("a", "b"))


@pytest.mark.parametrize("view", [SIDE, FRONT, TILTED])
def test_outline_is_the_edge_of_the_projected_surface(view):
    """Every surface point falls inside the ellipse, and in every direction some point reaches its edge."""
    rng = np.random.default_rng(3)
    rotation, center, axes = (
        Rotation.random(random_state=4).as_matrix(),
        np.array([1.0, -2.0, 0.5]),
        (0.3, 0.1, 0.2),
    )
    directions = rng.normal(size=(200_000, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    points = (center + (directions * axes) @ rotation.T) @ view.axes.T
    outline = ellipsoid_outline(center, rotation, axes, view)
    turn = np.radians(outline.turn)
    frame = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    scaled = (points - outline.center) @ frame.T / (outline.widths / 2)
    reach = np.linalg.norm(scaled, axis=1)
    assert np.max(reach) <= 1 + 1e-12
    sector = ((np.arctan2(scaled[:, 1], scaled[:, 0]) + np.pi) / (2 * np.pi) * 36).astype(int).clip(0, 35)
    assert all(np.max(reach[sector == k]) > 0.999 for k in range(36))


def test_views_are_right_handed_and_look_the_right_way():
    np.testing.assert_allclose(SIDE.depth, [0, 1, 0])
    np.testing.assert_allclose(FRONT.depth, [-1, 0, 0])


def test_hull_has_the_corners_scipy_finds():
    points = np.random.default_rng(5).normal(size=(300, 2))
    ours = convex_hull(points)
    theirs = points[ConvexHull(points).vertices]
    assert {tuple(p) for p in ours} == {tuple(p) for p in theirs}


def test_moving_obstacles_are_drawn_where_they_are():
    wall = Obstacle(
        "wall", "box", position=(1.0, 0.0, 0.0), motion=((0.0, 0, 0, 0, 0, 0, 0), (2.0, 4.0, 0, 0, 90, 0, 0))
    )
    position, rotation = obstacle_pose(wall, 1.0)
    np.testing.assert_allclose(position, [3.0, 0, 0])
    np.testing.assert_allclose(rotation, Rotation.from_euler("z", 45, degrees=True).as_matrix(), atol=1e-12)


def test_key_frames_show_start_touch_peak_and_end():
    recording = make_recording(201)
    frames = key_frames(recording)
    why = {text.split(" (")[0]: recording.times[frame] for frame, text in frames if text}
    assert why["start"] == 0.0 and why["end"] == recording.times[-1]
    assert why["head touches first"] == pytest.approx(0.0603, abs=1e-3)
    assert why["largest contact force"] == pytest.approx(0.07035, abs=1e-3)
    assert len(frames) == 6
    assert [frame for frame, _ in frames] == sorted({frame for frame, _ in frames})


def test_a_run_of_one_frame_has_one_picture():
    recording = make_recording(201)
    recording.times = recording.times[:1]
    recording.contacts = recording.contacts[:0]
    assert key_frames(recording) == [(0, "start")]


def test_every_kind_of_obstacle_can_be_drawn():
    scenario, recording = make_scenario(), make_recording(20)
    scenario.obstacles = [
        Obstacle("slope", "plane", orientation=(0, 10, 0)),
        Obstacle("step", "box"),
        Obstacle("rail", "capsule", half_size=(0.05, 0.05, 0.5)),
        Obstacle("kerb", "mesh", vertices=np.eye(3), triangles=np.array([[0, 1, 2]])),
    ]
    assert png_bytes(draw_key_frame(scenario, recording, 5, [0, 5]), 50).startswith(b"\x89PNG")


def test_first_touch_is_that_of_two_actors():
    """A tyre meets the ground before the bumper meets the man: the man is the first touch."""
    from mannequin.analysis.pages.drawing import between_actors

    contacts = np.zeros(3, dtype=[("body_a", int), ("body_b", int), ("obstacle_b", int), ("start", float)])
    contacts["body_a"], contacts["body_b"] = [0, 1, 0], [-1, 2, 1]
    contacts["start"] = [0.01, 0.20, 0.05]
    recording = type("Run", (), {"body_actor": [0, 0, 1]})()  # wheel and bumper of the car, shin of the man
    assert between_actors(recording, contacts)["start"].tolist() == [0.20]
