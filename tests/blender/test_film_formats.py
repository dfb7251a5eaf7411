"""What a film is written as; pictures that are kept, so that a film that was killed goes on; how long it takes."""

import os
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from blender_process import WRAPPER
from PIL import Image

from mannequin.jobs.film_choices import FORMATS, SEQUENCES, SUFFIXES
from mannequin.jobs.protocol import Film

pytestmark = pytest.mark.usefixtures("quick_draft")

SIZE = (320, 180)
SCENE = """
from mannequin.engine import run
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path
from mannequin.scene.film.produce import setup_render
from mannequin.scene.motion.bake import Provenance, bake
from mannequin.scene.scenario.scenario import build_scenario

def make(scene):
    scenario = read_scenario(scenario_path("pendulum_chain"))
    scenario.settings.duration = 0.5
    build_scenario(scenario, scene)
    scene.render.fps = 10
    bake(run(scenario), scene, Provenance("chain_1", "1", "x"), fit_timeline=True)
    setup_render(scene, 320, 180)
    return scene
"""
KILLED = (
    SCENE
    + """
import os, signal, sys
from pathlib import Path
import bpy, mannequin
from mannequin.jobs.protocol import Film
from mannequin.scene.film.produce import render_film

mannequin.register()
bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
scene = make(bpy.context.scene)
film = Film(Path(sys.argv[2]) / "film.mp4", width=320, height=180, frames=Path(sys.argv[2]) / "frames")
render_film(scene, film, lambda done, total: os.kill(os.getpid(), signal.SIGKILL) if done == 3 else None)
"""
)


@pytest.fixture
def scene(blender):
    made = {}
    exec(SCENE, made)
    return made["make"](blender.context.scene)


def killed(folder):
    """Render the same film in a process that is killed with its third picture."""
    (folder / "script.py").write_text(KILLED)
    variables = os.environ | {"BLENDER_USER_RESOURCES": str(folder / "user")}
    words = [sys.executable, "-c", WRAPPER, str(folder / "script.py"), str(folder)]
    ended = subprocess.run(words, env=variables, capture_output=True, text=True, timeout=240)
    assert ended.returncode == -signal.SIGKILL, ended.stderr


@pytest.mark.long
def test_a_killed_film_goes_on_and_every_format_is_what_it_says(blender, scene, tmp_path):
    """Pictures of the killed process are not rendered again; each film decodes to the same pictures."""
    from mannequin.scene.base.errors import SceneError
    from mannequin.scene.film.output import sheet_path, write_out
    from mannequin.scene.film.produce import render_film

    killed(tmp_path)
    assert not (tmp_path / "film.mp4").exists()
    early = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "frames").glob("0*.png")}
    assert sorted(early) == ["00000.png", "00001.png", "00002.png"]
    film = Film(tmp_path / "film.mp4", width=SIZE[0], height=SIZE[1], frames=tmp_path / "frames", sheet=True)
    render_film(scene, film)
    pictures = sorted((tmp_path / "frames").glob("0*.png"))
    assert len(pictures) == scene.frame_end - scene.frame_start + 1 == 6
    assert {p.name: p.stat().st_mtime_ns for p in pictures if p.name in early} == early
    assert not list((tmp_path / "frames").glob("partial*"))
    with Image.open(sheet_path(film.target)) as sheet:
        assert sheet.size == (1440, 2 * 270)
    with pytest.raises(SceneError, match="pictures of another film"):
        render_film(scene, replace(film, preset="own"))
    marks = {"MP4": b"avc1", "H265": b"hvcC", "AV1": b"av01", "WEBM": b"V_VP9", "PRORES": b"apc"}
    expected = np.asarray(Image.open(pictures[3]).convert("L")).astype(float)
    for kind, mark in marks.items():
        asked = replace(film, target=tmp_path / f"{kind}{SUFFIXES[kind]}", format=kind, sheet=False)
        write_out(scene, asked, pictures)
        assert mark in asked.target.read_bytes(), kind
        shown = decoded(blender, asked.target, 4)
        assert np.abs(shown - expected).mean() < 6.0, kind


def decoded(blender, path, frame):
    """(h, w) grey values of a picture of a film, as Blender's sequencer reads it."""
    from mannequin.scene.base.blender_version import set_picture_output, strips_of

    scene = blender.data.scenes.new("read")
    strips_of(scene).new_movie(
        name="film", filepath=str(path), channel=1, frame_start=1, fit_method="ORIGINAL"
    )
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = *SIZE, 100
    scene.view_settings.view_transform = "Standard"
    set_picture_output(scene.render)
    scene.frame_set(frame)
    scene.render.filepath = str(path.with_name(f"read_{path.stem}.png"))
    blender.ops.render.render(write_still=True, scene=scene.name)
    picture = np.asarray(Image.open(scene.render.filepath).convert("L")).astype(float)
    blender.data.scenes.remove(scene)
    return picture


def test_transparent_pictures_linear_pictures_and_estimates(blender, scene, tmp_path):
    from mannequin.scene.base.errors import SceneError
    from mannequin.scene.film.produce import estimate_film, render_film

    scene.frame_end = scene.frame_start + 1
    small = {"width": 160, "height": 90, "overlay": False}
    film = Film(tmp_path / "clear", "PNG", transparent=True, **small)
    render_film(scene, film)
    alpha = np.asarray(Image.open(sorted(film.target.iterdir())[0]))[..., 3]
    assert alpha[:10, :20].max() == 0 and alpha[-5:, :20].max() == 0, "no sky, no ground"
    assert 0.0005 < (alpha > 128).mean() < 0.3, "the actor"
    assert not scene.render.film_transparent and not any(
        obj.hide_render for obj in scene.objects if obj.name == "Ground"
    )
    film = Film(tmp_path / "linear", "EXR", **small)
    render_film(scene, film)
    (first, _) = sorted(film.target.iterdir())
    image = blender.data.images.load(str(first))
    assert first.suffix == ".exr" and tuple(image.size) == (160, 90) and image.is_float
    for wrong, message in (
        (Film(tmp_path / "a.mp4", transparent=True), "only PNG and OpenEXR"),
        (Film(tmp_path / "a.mp4", "AV1", width=160, height=90), "AV1 needs at least"),
        (Film(tmp_path / "a.mp4", width=161, height=90), "even width"),
        (Film(tmp_path / "a", "EXR", sheet=True), "no contact sheet"),
    ):
        with pytest.raises(SceneError, match=message):
            render_film(scene, wrong)
    found = estimate_film(scene, Film(tmp_path / "a.mp4", **small))
    assert found.pictures == 2 and 0.0 < found.each and found.seconds == found.first + found.each
    assert "2 pictures of" in found.text and not (tmp_path / "a.mp4").exists()
    blender.context.scene.mannequin.film.output = str(tmp_path / "b.mp4")
    assert blender.ops.mannequin.estimate_film() == {"FINISHED"} and "about" in scene.mannequin.film.estimate


def test_every_format_has_an_ending():
    assert [name for name, _, _ in FORMATS] != [] and {name for name, _, _ in FORMATS} == set(SUFFIXES)
    assert set(SEQUENCES) == {name for name, suffix in SUFFIXES.items() if suffix == ""}
