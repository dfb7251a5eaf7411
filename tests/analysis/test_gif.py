"""GIF timing and the burnt-in speed, read back from the file."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from mannequin.analysis.gif import frame_durations, speed_label, thin_out, write_gif


def pictures(count, size=(120, 200)):
    frames = []
    for index in range(count):
        frame = np.full((*size, 3), 255, dtype=np.uint8)
        frame[20:60, 5 + 7 * index : 40 + 7 * index] = (200, 30, 30)
        frames.append(frame)
    return frames


def test_rounding_is_carried_on():
    """30 frames a second: 3.33 hundredths each, shown as 3, 4, 3 and never drifting."""
    times = np.arange(91) / 30.0
    shown = frame_durations(times)
    assert sum(shown[:-1]) == 300
    assert set(shown) == {3, 4}


@given(st.lists(st.floats(0.001, 0.5), min_size=1, max_size=60), st.floats(0.5, 50.0))
def test_every_frame_starts_within_half_a_tick(steps, slow_motion):
    times = np.concatenate([[0.0], np.cumsum(steps)])
    starts = np.concatenate([[0], np.cumsum(frame_durations(times, slow_motion))])[:-1]
    assert np.all(np.abs(starts - 100.0 * slow_motion * times) <= 0.5 + 1e-6)


def test_frames_too_short_to_show_are_left_out():
    times = np.arange(0, 1.0005, 1e-3)
    chosen = thin_out(times)
    assert (chosen[0], chosen[-1]) == (0, 1000)
    assert min(frame_durations([times[i] for i in chosen])) >= 2
    assert thin_out(times, slow_motion=20.0) == list(range(1001))


@pytest.mark.parametrize("slow_motion", [1.0, 4.0])
def test_the_file_plays_at_the_stated_speed(tmp_path, slow_motion):
    times = [0.0, 0.05, 0.1, 0.15]
    write_gif(tmp_path / "a.gif", pictures(4), times, slow_motion)
    with Image.open(tmp_path / "a.gif") as image:
        total = 0
        for frame in range(image.n_frames):
            image.seek(frame)
            total += image.info["duration"]
        assert image.n_frames == 4
    assert total == pytest.approx(1000 * slow_motion * 0.2)


def test_the_speed_is_burnt_into_every_picture(tmp_path):
    """The lower strip differs between true speed and slow motion, and is not blank."""
    strips = []
    for slow_motion in (1.0, 25.0):
        write_gif(tmp_path / "a.gif", pictures(2), [0.0, 0.1], slow_motion)
        with Image.open(tmp_path / "a.gif") as image:
            for frame in range(2):
                image.seek(frame)
                strip = image.convert("L").crop((0, 120, 200, image.height))
                assert image.height > 120, "the strip must not cover the picture"
                low, high = strip.getextrema()
                assert high - low > 150
                strips.append(strip)
    assert ImageChops.difference(strips[0], strips[2]).getbbox() is not None
    assert ImageChops.difference(strips[1], strips[3]).getbbox() is not None


def test_labels():
    assert speed_label(1.0) == "1x (true speed)"
    assert speed_label(10.0) == "0.1x speed (10 times slower)"


def test_files_and_arrays_give_the_same(tmp_path):
    frames = pictures(3)
    paths = []
    for index, frame in enumerate(frames):
        paths.append(tmp_path / f"{index}.png")
        Image.fromarray(frame).save(paths[-1])
    write_gif(tmp_path / "a.gif", frames, [0, 0.1, 0.2])
    write_gif(tmp_path / "b.gif", paths, [0, 0.1, 0.2])
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()


def test_wrong_numbers_of_frames_are_refused(tmp_path):
    with pytest.raises(ValueError, match="3 frames and 2 times"):
        write_gif(tmp_path / "a.gif", pictures(3), [0.0, 1.0])
    with pytest.raises(ValueError, match="more than zero"):
        write_gif(tmp_path / "a.gif", pictures(1), [0.0], 0.0)
    assert list(tmp_path.iterdir()) == []
