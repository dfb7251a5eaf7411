"""`python -m mannequin render`: films, frames and files from a run folder, quietly."""

import os
import subprocess
import sys
from datetime import UTC, datetime

import numpy as np
import pytest
from blender_process import run_in_blender
from PIL import Image

from mannequin.analysis.files.run_folder import write_run
from mannequin.engine import run
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path

SIZE = "192x108"


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory):
    """Folder of a fall of 0.2 s."""
    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.duration = 0.2
    scenario.actors[0].velocity = (2.0, 0.0, 0.0)
    now = datetime.now(UTC)
    return write_run(scenario, run(scenario), tmp_path_factory.mktemp("runs"), started=now, ended=now)


def command(*arguments, folder):
    words = [sys.executable, "-m", "mannequin", "render", *map(str, arguments)]
    variables = {**os.environ, "BLENDER_USER_RESOURCES": str(folder / "user")}
    (folder / "user").mkdir(exist_ok=True)
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, env=variables, timeout=300)


@pytest.mark.long
def test_a_film_by_the_command_tells_only_what_matters(run_folder, tmp_path):
    film = tmp_path / "film.mp4"
    done = command(
        run_folder,
        "--camera",
        "side",
        "--preset",
        "draft",
        "--fps",
        10,
        "--size",
        SIZE,
        "--out",
        film,
        folder=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [str(film)]
    assert [line for line in done.stderr.splitlines() if not line.startswith("render: frame")] == []
    assert done.stderr.splitlines()[-1].startswith("render: frame 3 of 3")
    assert film.read_bytes()[4:8] == b"ftyp"


@pytest.mark.long
def test_the_saved_file_renders_the_same_without_the_extension(run_folder, tmp_path, bare_python):
    """Pixel by pixel: overlay, read-out, cameras and colours do not need Mannequin."""
    done = command(
        run_folder, "--camera", "tracking", "--fps", 10, "--size", SIZE, "--out", tmp_path / "here", "--blend",
        tmp_path / "film.blend", "--case", "7", "--readout", "speed", folder=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    code = f"""
import bpy, importlib.util
assert importlib.util.find_spec("mannequin") is None and importlib.util.find_spec("PIL") is None
bpy.ops.wm.open_mainfile(filepath={str(tmp_path / "film.blend")!r})
bpy.context.scene.render.filepath = {str(tmp_path / "elsewhere" / "frame_")!r}
bpy.ops.render.render(animation=True)
"""
    run_in_blender(code, tmp_path, python=bare_python)
    here, elsewhere = (
        [np.asarray(Image.open(p).convert("RGB")).astype(int) for p in sorted((tmp_path / name).iterdir())]
        for name in ("here", "elsewhere")
    )
    assert len(here) == len(elsewhere) == 3
    for first, second in zip(here, elsewhere, strict=True):
        assert np.abs(first - second).max() <= 2
    assert np.abs(here[0] - here[2]).max() > 60


def test_a_readout_shows_the_series_as_it_is_in_the_recording(blender, run_folder):
    """Against the centre of mass's speed, computed here from the recording."""
    from mannequin.analysis.files.run_folder import read_run
    from mannequin.scene.film.caption import caption_of
    from mannequin.scene.run.simulate import open_run

    scene = blender.context.scene
    scene.render.fps, scene.mannequin.film.readout = 20, "speed"
    open_run(run_folder, scene)
    (readout,) = caption_of(scene).readouts
    recording = read_run(run_folder).recording
    momentum = np.einsum("b,fbi->fi", recording.body_mass, recording.velocity)
    speed = np.linalg.norm(momentum, axis=1) / recording.body_mass.sum()
    assert (readout.label, readout.unit) == ("Speed", "m/s")
    for frame, value in readout.keys:
        assert value == pytest.approx(np.interp((frame - 1) / 20.0, recording.times, speed), abs=1e-4)


@pytest.mark.long
@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--readout", "loudness", "--out", "film.gif"], "no time series 'loudness'"),
        (["--side-by-side"], "two to be shown side by side"),
        (["--out", "film.avi"], ".mp4, .webm, .mov or .gif"),
        (["--out", "film.mp4", "--format", "WEBM"], "end it with .webm for WEBM"),
        (["--shots", "none.json"], "not a list of shots in JSON"),
        (["--shots", "proposed", "--replay", "8"], "has its own replays"),
        (["--size", "wide"], "960x540"),
        (["--slow", "3:1:2"], "slow motion from 3 to 1"),
    ],
)
def test_what_cannot_be_rendered_is_refused_in_one_line(run_folder, tmp_path, arguments, words):
    done = command(run_folder, *arguments, folder=tmp_path)
    assert done.returncode != 0 and done.stdout == ""
    assert words in done.stderr and len(done.stderr.splitlines()) == 1
    assert [p.name for p in tmp_path.iterdir()] == ["user"]


def test_only_harmless_lines_of_the_driver_are_dropped(tmp_path):
    from mannequin.jobs.child import ERRORS, ChildProcess
    from mannequin.jobs.film import HARMLESS

    printing = "import os, sys; os.write(2, sys.argv[1].encode()); sys.stdin.read()"
    lines = [
        "EGL Error (0x3009): EGL_BAD_MATCH: Arguments are inconsistent",
        "libEGL warning: DRI3 error",
        "",
        "Error: the disk is full",
        "EGL Error (0x3003): EGL_BAD_ALLOC",
    ]
    words = [sys.executable, "-c", printing, "\n".join(lines) + "\n"]
    child = ChildProcess("it", lambda folder: words, os.environ, lambda line: bool(HARMLESS.search(line)))
    try:
        while not (child.folder / ERRORS).stat().st_size:
            assert child.is_running
        assert list(child.printed()) == ["Error: the disk is full", "EGL Error (0x3003): EGL_BAD_ALLOC"]
        assert list(child.printed()) == []
    finally:
        child.close()
