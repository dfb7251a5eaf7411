"""The boundary between Blender's numbers and SI."""

import random

import numpy as np
import pytest
from authoring import random_transform


@pytest.mark.parametrize("scale", [1.0, 0.01, 0.001])
def test_lengths_round_trip(blender, scale):
    from mannequin.scene.base.units import units_of

    blender.context.scene.unit_settings.scale_length = scale
    units = units_of(blender.context.scene)
    assert units.metres == scale  # not the 32-bit neighbour of 0.01
    assert units.length_to_blender(1.75) == pytest.approx(1.75 / scale, rel=1e-15)
    assert units.length_to_si(units.length_to_blender(1.75)) == pytest.approx(1.75, rel=1e-15)
    point = (0.1, -20.0, 3.5)
    assert units.point_to_si(units.point_to_blender(point)) == pytest.approx(point, rel=2e-7)


@pytest.mark.parametrize("scale", [1.0, 0.01, 0.001])
def test_frames_round_trip(blender, scale):
    from mannequin.scene.base.units import Units

    rng, units = random.Random(1), Units(scale)
    for _ in range(20):
        frame = np.array(random_transform(rng))
        matrix = units.frame_to_blender(frame)
        assert np.array(matrix.translation) == pytest.approx(frame[:3, 3] / scale, rel=1e-6)
        back = units.frame_to_si(matrix)
        assert back == pytest.approx(frame, abs=1e-6)
        assert back[:3, :3] @ back[:3, :3].T == pytest.approx(np.identity(3), abs=1e-14)


def test_axes_are_blenders_own(blender):
    """A turn of 90 degrees about z takes x to y in both worlds."""
    from mannequin.engine.maths.rotations import matrix_from_zyx
    from mannequin.scene.base.units import Units

    matrix = Units().frame_to_blender(
        np.block([[matrix_from_zyx((90, 0, 0)), np.zeros((3, 1))], [0, 0, 0, 1]])
    )
    assert tuple(matrix.to_3x3() @ __import__("mathutils").Vector((1, 0, 0))) == pytest.approx(
        (0, 1, 0), abs=1e-7
    )
    assert tuple(matrix.to_quaternion()) == pytest.approx((0.5**0.5, 0, 0, 0.5**0.5), abs=1e-7)


def test_without_a_unit_system_a_unit_is_a_metre(blender):
    from mannequin.scene.base.units import units_of

    settings = blender.context.scene.unit_settings
    settings.system, settings.scale_length = "NONE", 0.01
    assert units_of(blender.context.scene).metres == 1.0


@pytest.mark.parametrize(
    ("fps", "base", "first"), [(24, 1.0, 1), (30, 1.001, 0), (240, 1.0, 101), (25, 1.0, 10)]
)
def test_time_and_frames(blender, fps, base, first):
    from mannequin.scene.base.units import frame_of_time, time_of_frame

    scene = blender.context.scene
    scene.render.fps, scene.render.fps_base, scene.frame_start = fps, base, first
    assert frame_of_time(0.0, scene) == first
    assert frame_of_time(2.0, scene) == pytest.approx(first + 2.0 * fps / base, rel=1e-6)
    for time in (0.0, 0.123, 7.5, -1.0):
        assert time_of_frame(frame_of_time(time, scene), scene) == pytest.approx(time, abs=1e-9)
