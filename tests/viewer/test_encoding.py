"""Arrays as text and back, to the precision that is stated."""

import numpy as np
import pytest
from page_blocks import decode

from mannequin.viewer.encoding import Blocks
from mannequin.viewer.surfaces import triangulated


@pytest.fixture
def values():
    generator = np.random.default_rng(3)
    return np.cumsum(generator.normal(size=(200, 3, 3)), axis=0)


def test_scaled_values_come_back_to_half_a_unit(values):
    blocks = Blocks()
    back = decode(blocks.written[blocks.scaled(values, 1e-4)])
    assert back.shape == values.shape
    assert np.abs(back - values).max() <= 0.5e-4 * (1 + 1e-9)


def test_small_integers_wrap_around_and_come_back():
    swing = np.sign(np.sin(np.arange(50)))[:, None] * np.array([1.0, -0.5])
    blocks = Blocks()
    back = decode(blocks.written[blocks.scaled(swing, 1.0 / 30000.0, "int16")])
    assert np.abs(back - swing).max() <= 0.5 / 30000.0 * (1 + 1e-9)


def test_shortened_values_are_right_to_a_ten_thousandth(values):
    blocks = Blocks()
    back = decode(blocks.written[blocks.shortened(values)])
    assert (np.abs(back - values) / np.abs(values)).max() < 1.3e-4


def test_smooth_motion_takes_little_room():
    times = np.linspace(0.0, 3.0, 3000)
    smooth = np.stack([np.sin(times), 4.9 * times**2, times], axis=1)
    blocks = Blocks()
    text = blocks.written[blocks.scaled(smooth, 1e-4)]["data"]
    assert len(text) < 2.5 * smooth.size


def test_a_fan_of_triangles():
    assert triangulated([(0, 1, 2, 3), (3, 2, 4)]).tolist() == [[0, 1, 2], [0, 2, 3], [3, 2, 4]]
