"""What the report tells: the moments of a run, and pictures that are to scale."""

import io

import numpy as np
import pytest
from ball_drop import RADIUS, make_drop
from PIL import Image
from scipy.spatial.transform import Rotation
from synthetic_run import make_recording, make_scenario

from mannequin.analysis.pages import rendering
from mannequin.analysis.pages.story import tell
from mannequin.engine.runs.simulation import run as simulate
from mannequin.engine.spec import Actor, Obstacle


@pytest.fixture(scope="module")
def drop():
    scenario = make_drop(duration=0.02, ground=True)
    return scenario, simulate(scenario)


def test_the_moments_of_a_drop(drop):
    scenario, recording = drop
    moments = tell(scenario, recording)
    assert [moment.title for moment in moments] == [
        "The start",
        "First contact: head of man on ground",
        "The end of the run",
    ]
    assert "man moves at 4.0 m/s (14 km/h)" in moments[0].text
    assert "0.005 s after the start the head of man meets the ground, closing at 4.0 m/s" in moments[1].text
    assert moments[1].time == pytest.approx(float(recording.contacts["peak_time"][0]))


def test_a_tyre_on_the_road_is_no_first_contact(drop):
    """A wheel that has touched the ground all along, and one that bounces, are passed over."""
    scenario, recording = drop
    names = recording.body_names
    recording.body_names = ("wheelFL",)
    try:
        assert [moment.title for moment in tell(make_named(scenario, "wheelFL"), recording)] == [
            "The start",
            "The end of the run",
        ]
    finally:
        recording.body_names = names


def make_named(scenario, name):
    import copy

    changed = copy.deepcopy(scenario)
    changed.actors[0].model.bodies[0].name = changed.actors[0].model.joints[0].child = name
    return changed


def test_a_picture_is_to_scale(drop):
    """The ball covers as many pixels as a circle of its radius does."""
    scenario, recording = drop
    shown = rendering.solids(scenario, recording, 0)
    camera = rendering.camera_for(recording, shown)
    pixels = np.asarray(Image.open(io.BytesIO(rendering.picture_of(scenario, recording, 0)))).astype(int)
    blue = pixels[..., 2] - pixels[..., 0] > 25
    assert np.count_nonzero(blue) * camera.scale**2 == pytest.approx(np.pi * RADIUS**2, rel=0.03)


def test_a_run_without_frames_tells_nothing():
    recording = make_recording(3)
    recording.times = recording.times[:0]
    assert tell(make_scenario(), recording) == []


def test_actors_at_rest_are_said_to_rest():
    scenario = make_scenario()
    scenario.actors[0] = Actor("man", scenario.actors[0].model)
    assert "man is at rest" in tell(scenario, make_recording(11))[0].text


def test_moving_obstacles_are_drawn_where_they_are():
    wall = Obstacle(
        "wall", "box", position=(1.0, 0.0, 0.0), motion=((0.0, 0, 0, 0, 0, 0, 0), (2.0, 4.0, 0, 0, 90, 0, 0))
    )
    position, rotation = rendering.obstacle_pose(wall, 1.0)
    np.testing.assert_allclose(position, [3.0, 0, 0])
    np.testing.assert_allclose(rotation, Rotation.from_euler("z", 45, degrees=True).as_matrix(), atol=1e-12)


def test_every_kind_of_obstacle_can_be_drawn():
    scenario, recording = make_scenario(), make_recording(20)
    scenario.obstacles = [
        Obstacle("slope", "plane", orientation=(0, 10, 0)),
        Obstacle("step", "box"),
        Obstacle("rail", "capsule", half_size=(0.05, 0.05, 0.5)),
        Obstacle("kerb", "mesh", vertices=np.eye(3), triangles=np.array([[0, 1, 2]])),
    ]
    assert rendering.picture_of(scenario, recording, 5).startswith(b"\x89PNG")
