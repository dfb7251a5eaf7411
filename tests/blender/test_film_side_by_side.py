"""Two runs in one picture: both halves, their titles, one clock; the same where the extension is not installed."""

from pathlib import Path

import numpy as np
import pytest
from blender_process import run_in_blender
from PIL import Image

from mannequin.analysis.files.run_folder import write_run
from mannequin.engine import run
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path

pytestmark = pytest.mark.usefixtures("quick_draft")

SIZE = (320, 180)


@pytest.fixture(scope="module")
def run_folders(tmp_path_factory):
    """Folders of a fall to the front that lasts 0.3 s and of one to the back that lasts 0.2 s."""
    from datetime import UTC, datetime

    folders = []
    for name, speed, duration in (("forward", 2.0, 0.3), ("backward", -2.0, 0.2)):
        scenario = read_scenario(scenario_path("fall_standing"))
        scenario.name = name
        scenario.settings.duration = duration
        scenario.actors[0].velocity = (speed, 0.0, 0.0)
        now = datetime.now(UTC)
        out = tmp_path_factory.mktemp(name)
        folders.append(write_run(scenario, run(scenario), out, started=now, ended=now))
    return [Path(folder) for folder in folders]


@pytest.fixture
def both(blender, run_folders):
    """A scene that shows both, by the operator."""
    from mannequin.scene.run.simulate import open_run

    scene = blender.context.scene
    scene.render.fps = 10
    film = scene.mannequin.film
    film.width, film.height, film.case = *SIZE, "2026-7"
    open_run(run_folders[0], scene)
    path = str(run_folders[1] / "manifest.json")
    assert blender.ops.mannequin.side_by_side(filepath=path, titles="Pushed | Pulled") == {"FINISHED"}
    return blender.context.window.scene


def test_both_halves_have_one_timeline_and_one_scale(blender, both):
    from mannequin.analysis.colors import SHIRTS, linear
    from mannequin.scene.film.cameras import metres_per_pixel
    from mannequin.scene.film.side_by_side import halves_of
    from mannequin.scene.store.actors import actors_of

    left, right = halves_of(both)
    assert (left.frame_end, right.frame_end, both.frame_end) == (4, 4, 4), "to the end of the longer one"
    assert metres_per_pixel(left.camera, left) == pytest.approx(
        metres_per_pixel(right.camera, right), rel=1e-6
    )
    assert left["mannequin_title"] == "Pushed" and right["mannequin_title"] == "Pulled"
    worn = [tuple(actors_of(half)[0].data.mannequin.look.upper_color) for half in (left, right)]
    assert worn[0] == pytest.approx(linear(SHIRTS[0])[:3]) and worn[1] == pytest.approx(linear(SHIRTS[1])[:3])


def rendered(blender, scene, folder, overlay=True):
    from mannequin.scene.film.produce import Film, render_film

    film = Film(folder, "PNG", width=SIZE[0], height=SIZE[1], overlay=overlay)
    render_film(scene, film)
    return [np.asarray(Image.open(p).convert("RGB")).astype(int) for p in sorted(folder.iterdir())]


@pytest.mark.long
def test_one_picture_shows_both_with_titles_and_one_clock(blender, both, tmp_path):
    shown = rendered(blender, both, tmp_path / "with")
    plain = rendered(blender, both, tmp_path / "without", overlay=False)
    assert len(shown) == 4 and shown[0].shape == (SIZE[1], SIZE[0], 3)
    off = np.abs(shown[0] - plain[0]).max(axis=2) > 30
    assert off[-14:].mean() > 0.8, "one band across"
    assert off[:8, :25].mean() > 0.5 and off[:8, 162:180].mean() > 0.5, "a title at the left of each half"
    assert off[30:150, 159:161].any(), "a line between"
    assert not off[40:140, 10:150].any() and not off[40:140, 172:310].any()
    for half in (slice(0, 155), slice(165, 320)):
        assert np.abs(plain[2][40:150, half] - plain[0][40:150, half]).max() > 60, "each half moves"
    assert np.abs(plain[3][40:150, 165:] - plain[2][40:150, 165:]).max() < 12, (
        "the shorter one stays at its end"
    )
    time = (slice(-17, -8), slice(4, 90))
    assert all(np.abs(shown[k + 1][time] - shown[k][time]).max() > 60 for k in range(3)), "the clock goes on"


@pytest.mark.long
def test_two_runs_over_each_other_and_wiped(blender, both, tmp_path):
    """From one camera: over each other each pixel lies between both, a wipe has each run on its side, and a moving one
    goes from the first to the second."""
    from mannequin.scene.film.produce import Film, prepare, render_frame
    from mannequin.scene.film.side_by_side import halves_of

    def shown(compare, wipe, *frames, overlay=False):
        both.mannequin.film.compare, both.mannequin.film.wipe = compare, wipe
        film = Film(tmp_path, "PNG", width=SIZE[0], height=SIZE[1], overlay=overlay)
        prepare(both, film)
        files = [render_frame(both, film, frame, tmp_path / f"{frame:05d}.png") for frame in frames]
        return [np.asarray(Image.open(path).convert("RGB")).astype(int) for path in files]

    first_start, first = shown("wipe", 1.0, 1, 3)
    second, second_end = shown("wipe", 0.001, 3, 4)
    (halved,) = shown("wipe", 0.5, 3)
    moving_start, moving_end = shown("wipe", 0.0, 1, 4)
    plain, over = shown("over", 0.5, 1, 3)
    left, right = halves_of(both)
    assert np.allclose(left.camera.matrix_world, right.camera.matrix_world, atol=1e-6), "one camera"
    differ, middle = np.abs(first - second) > 50, SIZE[0] // 2
    assert differ.sum() > 100, "two motions"
    assert np.abs(halved[:, : middle - 2] - first[:, : middle - 2]).max() <= 2
    assert np.abs(halved[:, middle + 2 :] - second[:, middle + 2 :]).max() <= 2
    share = (over - first)[differ] / (second - first)[differ]
    assert 0.3 < share.min() and share.max() < 0.7
    assert np.abs(moving_start - first_start).max() <= 2 and np.abs(moving_end - second_end).max() <= 2
    (told,) = shown("over", 0.5, 1, overlay=True)
    off = np.abs(told - plain).max(axis=2) > 30
    assert off[:8, :25].mean() > 0.5 and off[12:18, -25:-4].mean() > 0.5, "both titles, in two corners"
    assert off[-14:].mean() > 0.8 and not off[40:140].any(), "one band, and nothing over the actors"
    shown("beside", 0.5)
    assert left.render.resolution_x == SIZE[0] // 2, "back to two halves"
    assert not np.allclose(left.camera.matrix_world, right.camera.matrix_world, atol=1e-3)


@pytest.mark.long
def test_the_saved_file_renders_the_same_without_the_extension(blender, both, bare_python, tmp_path):
    """Pixel by pixel, by Blender's own Render Animation in a Python that has neither Mannequin nor its libraries."""
    here = rendered(blender, both, tmp_path / "here")
    blender.ops.wm.save_as_mainfile(filepath=str(tmp_path / "both.blend"), copy=True)
    code = f"""
import bpy, importlib.util
assert importlib.util.find_spec("mannequin") is None and importlib.util.find_spec("PIL") is None
bpy.ops.wm.open_mainfile(filepath={str(tmp_path / "both.blend")!r})
scene = bpy.data.scenes[{both.name!r}]
scene.render.filepath = {str(tmp_path / "elsewhere" / "frame_")!r}
bpy.ops.render.render(animation=True, scene=scene.name)
"""
    run_in_blender(code, tmp_path, python=bare_python)
    pictures = sorted((tmp_path / "elsewhere").iterdir())
    assert len(pictures) == len(here)
    for picture, expected in zip(pictures, here, strict=True):
        assert np.abs(np.asarray(Image.open(picture).convert("RGB")).astype(int) - expected).max() <= 2


def test_what_cannot_stand_side_by_side_is_refused_in_words(blender, both, run_folders, tmp_path):
    from mannequin.scene.base.errors import SceneError
    from mannequin.scene.film.produce import open_beside
    from mannequin.scene.film.side_by_side import add_side_by_side, halves_of

    left, right = halves_of(both)
    with pytest.raises(SceneError, match="beside itself"):
        add_side_by_side(left, left)
    scenes = set(blender.data.scenes)
    with pytest.raises(Exception, match="manifest|run"):
        open_beside(left, tmp_path, ("", ""))
    assert set(blender.data.scenes) == scenes, "nothing half-made is left"
    right.render.fps = 25
    with pytest.raises(SceneError, match="frames a second"):
        rendered(blender, both, tmp_path / "none")


UNDO = """
import bpy, mannequin
from pathlib import Path
mannequin.register()
from mannequin.scene.run.simulate import open_run
bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
open_run(Path(FIRST), bpy.context.scene)


def state():
    kinds = ("scenes", "objects", "actions", "meshes", "cameras")
    return {kind: sorted(block.name for block in getattr(bpy.data, kind)) for kind in kinds}


bpy.ops.ed.undo_push(message="before")
before = state()
assert bpy.ops.mannequin.side_by_side(filepath=SECOND) == {"FINISHED"}
bpy.ops.ed.undo_push(message="after")
after = state()
assert len(after["scenes"]) == 4
bpy.ops.ed.undo()
assert state() == before
bpy.ops.ed.redo()
assert state() == after
print("undone")
"""


@pytest.mark.long
def test_undo_takes_all_of_it_back(run_folders, tmp_path):
    names = f"FIRST, SECOND = {str(run_folders[0])!r}, {str(run_folders[1] / 'manifest.json')!r}\n"
    assert "undone" in run_in_blender(names + UNDO, tmp_path)
