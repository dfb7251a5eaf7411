"""Pictures on the ground: to scale from points and from world files."""

import math

import numpy as np
import pytest

from mannequin.io_json.errors import FileError
from mannequin.places.ground_pictures.georeference import from_points, from_world_file


def test_two_points_give_scale_turn_and_shift():
    """Two points 500 pixels apart that are 25 m apart: 5 cm per pixel, the picture's right to the north."""
    laid = from_points([(100, 400), (600, 400)], [(10.0, 20.0), (10.0, 45.0)])
    assert laid.metres_per_pixel == pytest.approx(0.05)
    assert laid.distance((0, 0), (300, 400)) == pytest.approx(25.0)
    # up in the picture is then west
    assert laid.to_ground([(100, 300)])[0] == pytest.approx([5.0, 20.0])
    assert laid.residuals == pytest.approx([0.0, 0.0], abs=1e-9)
    # the corner of the picture is 100 pixels to the left of the first point and 400 above it
    assert laid.to_ground([(0, 0)])[0] == pytest.approx([-10.0, 15.0])


def test_more_points_than_needed_show_their_errors():
    rng = np.random.default_rng(3)
    true = 0.02 * np.array([[math.cos(0.3), math.sin(0.3)], [math.sin(0.3), -math.cos(0.3)]])
    pixels = rng.uniform(0, 2000, (8, 2))
    ground = pixels @ true.T + (5.0, -3.0) + rng.normal(0, 0.01, (8, 2))
    laid = from_points(pixels, ground)
    assert np.allclose(laid.matrix[:, :2], true, atol=2e-5)
    assert 0.003 < np.sqrt(np.mean(laid.residuals**2)) < 0.03
    ground[2] += (1.0, 0.0)
    assert np.argmax(from_points(pixels, ground).residuals) == 2


def test_world_file_is_for_the_middle_of_the_first_pixel(tmp_path):
    path = tmp_path / "plan.tfw"
    path.write_text("0.1\n0.0\n0.0\n-0.1\n500000.05\n5400099.95\n")
    laid = from_world_file(path, origin=(500000.0, 5400000.0))
    assert laid.corners(1000, 1000) == pytest.approx(
        np.array([(0, 0), (100, 0), (100, 100), (0, 100)]), abs=1e-6
    )


@pytest.mark.parametrize("text", ["", "1 2 3", "a b c d e f", "0 0 0 0 1 2", "nan 0 0 1 2 3"])
def test_bad_world_files(tmp_path, text):
    (tmp_path / "a.tfw").write_text(text)
    with pytest.raises(FileError, match=r"six numbers|no size"):
        from_world_file(tmp_path / "a.tfw")


def test_points_that_lay_nothing():
    with pytest.raises(FileError, match="1 points"):
        from_points([(0, 0)], [(0, 0)])
    with pytest.raises(FileError, match="one place"):
        from_points([(0, 0), (0, 0)], [(0, 0), (1, 0)])
