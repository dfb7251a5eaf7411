"""Overlay, cameras and the film as a file."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageChops

from mannequin.engine import run
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path


def grey(size=(320, 180), level=120):
    return Image.new("RGB", size, (level, level, level))


@pytest.fixture
def caption(blender):
    from mannequin.scene.film.overlay import Caption

    return Caption(0.1234, 4.0, "fall_1", "A-7", metres_per_pixel=0.01)


def differing_box(first, second):
    """Bounds of where two pictures differ."""
    return ImageChops.difference(first, second).getbbox()


def test_the_overlay_is_a_band_and_a_notice_and_leaves_the_rest(caption):
    from mannequin.scene.film.overlay import burn

    burnt = np.asarray(burn(grey(), caption)).astype(int)
    touched = np.abs(burnt - 120).max(axis=2) > 2
    assert touched[:20, -100:].any(), "notice"
    assert touched[-20:].mean() > 0.9, "band"
    assert not touched[25:140].any()


@pytest.mark.parametrize(
    "change", [{"time": 0.2}, {"slowness": 1.0}, {"run": "fall_2"}, {"case": "B"}, {"flag": "Edited by hand"}]
)
def test_each_word_of_the_overlay_shows(caption, change):
    import dataclasses

    from mannequin.scene.film.overlay import burn

    other = dataclasses.replace(caption, **change)
    assert differing_box(burn(grey(), caption), burn(grey(), other)) is not None


def test_the_scale_bar_is_as_long_as_it_says(caption):
    from mannequin.scene.film.overlay import bar_length, burn

    size = (960, 540)
    length = bar_length(0.01, size[0])
    assert length == 1.0  # the longest round length within 0.16 of 960 px at 1 cm
    rows = np.asarray(burn(grey(size), caption))[-45:].astype(int)
    white = (rows.min(axis=2) > 250)[:, 600:]
    longest = max(row.sum() for row in white)
    assert longest == pytest.approx(length / 0.01, abs=2)


@pytest.fixture
def scene(blender):
    """A baked standing fall with its stage."""
    from mannequin.scene.bake import Provenance, bake
    from mannequin.scene.film.produce import set_up_film
    from mannequin.scene.scenario import build_scenario

    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.duration = 0.3
    scenario.actors[0].velocity = (2.0, 0.0, 0.0)
    scene = blender.context.scene
    build_scenario(scenario, scene)
    scene.render.fps = 10
    bake(run(scenario), scene, Provenance("fall_1", "1", "x"), fit_timeline=True)
    set_up_film(scene, 320, 180)
    return scene


@pytest.mark.parametrize("name", ["side", "front", "top", "three_quarter", "tracking"])
def test_every_camera_sees_the_whole_actor_all_the_time(blender, scene, name):
    from bpy_extras.object_utils import world_to_camera_view
    from mathutils import Vector

    from mannequin.scene.actors import actors_of
    from mannequin.scene.film.cameras import actor_points, camera_of

    camera = camera_of(scene, name)
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        seen = [
            world_to_camera_view(scene, camera, Vector(p)) for p in actor_points(actors_of(scene)[0])[::20]
        ]
        assert min(p.z for p in seen) > 0.0
        assert all(0.0 < p.x < 1.0 and 0.08 < p.y < 1.0 for p in seen)


def test_the_scale_at_the_actor_is_true(blender, scene):
    """Two points a metre apart across the view, at the fitted distance, are so many pixels apart."""
    from bpy_extras.object_utils import world_to_camera_view
    from mathutils import Vector

    from mannequin.scene.film.cameras import camera_of, metres_per_pixel

    camera = camera_of(scene, "side")
    blender.context.view_layer.update()
    ends = [camera.matrix_world @ Vector((x, 0.0, -camera["mannequin_distance"])) for x in (-0.5, 0.5)]
    left, right = (world_to_camera_view(scene, camera, end).x * 320 for end in ends)
    assert 1.0 / (right - left) == pytest.approx(metres_per_pixel(camera, scene), rel=1e-4)


def test_the_caption_tells_the_time_that_is_shown(blender, scene):
    from mannequin.scene.actors import actors_of
    from mannequin.scene.bake import playing_action
    from mannequin.scene.blender_version import fcurves_of
    from mannequin.scene.film.cameras import camera_of
    from mannequin.scene.film.produce import caption_of

    scene.camera = camera_of(scene, "side")
    caption = caption_of(scene, scene.frame_start + 2)
    assert caption.time == pytest.approx(0.2) and caption.slowness == 1.0 and not caption.flag
    fcurves_of(playing_action(actors_of(scene)[0]))[0].keyframe_points[1].co.y += 0.01
    assert caption_of(scene, 1).flag == "Edited by hand"


def decoded(blender, film: Path, frames, folder: Path, size) -> list[np.ndarray]:
    """Pictures of a film, decoded by Blender's sequencer in the open scene."""
    from mannequin.scene.blender_version import set_picture_output, strips_of

    scene = blender.context.scene
    strips_of(scene).new_movie(
        name="film", filepath=str(film), channel=1, frame_start=1, fit_method="ORIGINAL"
    )
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.resolution_percentage = 100
    scene.view_settings.view_transform = "Standard"
    set_picture_output(scene.render)
    pictures = []
    for frame in frames:
        scene.frame_set(frame)
        scene.render.filepath = str(folder / f"decoded_{frame}.png")
        blender.ops.render.render(write_still=True)
        pictures.append(np.asarray(Image.open(scene.render.filepath).convert("RGB")).astype(int))
    return pictures


def test_the_film_holds_the_pictures_in_order(blender, caption, tmp_path):
    import dataclasses

    from mannequin.scene.film.encode import write_mp4
    from mannequin.scene.film.overlay import burn

    pictures = []
    for k in range(6):
        pictures.append(tmp_path / f"{k:05d}.png")
        burn(grey(level=60 + 20 * k), dataclasses.replace(caption, time=0.1 * k)).save(pictures[-1])
    film = tmp_path / "film.mp4"
    write_mp4(pictures, film, 25, 1.0, (320, 180))
    assert film.read_bytes()[4:8] == b"ftyp"
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_dir()) == []
    chosen = (0, 3, 5)
    for k, shown in zip(
        chosen, decoded(blender, film, [k + 1 for k in chosen], tmp_path, (320, 180)), strict=True
    ):
        off = [np.abs(shown - np.asarray(Image.open(p)).astype(int)).mean() for p in pictures]
        assert int(np.argmin(off)) == k and off[k] < 6.0


@pytest.mark.slow
def test_a_rendered_sequence_shows_the_actor_moving(blender, scene, tmp_path):
    from mannequin.scene.film.produce import Film, render_film

    told = []
    film = Film(tmp_path / "frames", "PNG", width=160, height=90, overlay=False)
    render_film(scene, film, lambda done, total: told.append((done, total)))
    pictures = sorted((tmp_path / "frames").iterdir())
    assert len(pictures) == scene.frame_end - scene.frame_start + 1 == told[-1][0]
    first, last = (Image.open(p).convert("RGB") for p in (pictures[0], pictures[-1]))
    assert differing_box(first, last) is not None
    assert [p.name for p in tmp_path.iterdir()] == ["frames"]


def test_odd_sizes_are_refused_before_rendering(blender, scene, tmp_path):
    from mannequin.scene.errors import SceneError
    from mannequin.scene.film.produce import Film, render_film

    with pytest.raises(SceneError, match="even"):
        render_film(scene, Film(tmp_path / "film.mp4", width=161, height=90))
    assert not list(tmp_path.iterdir())
