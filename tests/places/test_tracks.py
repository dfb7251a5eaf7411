"""Points tracked in a video with time stamps become evidence, through a matched camera with a lens that distorts."""

import numpy as np
import pytest
from sled import FRICTION, RUNNER, SPEED, G, sled
from synthetic_camera import SIZE, look, sightings

from mannequin.__main__ import main
from mannequin.engine import run
from mannequin.io_json.errors import FileError
from mannequin.io_json.scenario_json import write_scenario
from mannequin.places.camera.files import write_camera
from mannequin.places.camera.lens import Camera
from mannequin.places.camera.match import match_camera
from mannequin.places.camera.tracks import read_tracks
from mannequin.sweeps.fit.spec import read_evidence
from mannequin.sweeps.fit.targets import deviation

EVIDENCE = """{"format": "mannequin-evidence", "format_version": 1, "name": "a", "scenario": "sled.json",
"unknowns": [{"name": "v", "address": "actors.sled.speed", "low": 1, "high": 6}],
"targets": [{"name": "rest", "kind": "rest_position", "tolerance": 9, "body": "sled", "position": [0.9, 0]}]}"""
PLACE = (0.5, -6.0, 1.5)
TRUE = Camera(
    "cctv", PLACE, tuple(look(PLACE, (0.5, 0.0, 0.3), 0.05).tolist()), 1350.0, (960.0, 540.0), SIZE, "",
    (-0.15, 0.02),
)  # fmt: skip


@pytest.fixture(scope="module")
def video(tmp_path_factory):
    """A video at 25 frames per second of a sled that slows down by mu g, from a camera matched with noise of 0.5 px."""
    folder = tmp_path_factory.mktemp("video")
    marks = sightings(TRUE, 16, 1, noise=0.5, box=([-2.0, -2.0, 0.0], [3.0, 2.0, 2.0]))
    write_camera(folder / "camera.json", match_camera(marks).camera)
    times = np.arange(8) / 25.0
    x = SPEED * times - 0.5 * FRICTION * G * times**2
    pixels = TRUE.project(np.column_stack([x, 0.0 * x, np.full(8, RUNNER)]))
    pixels += 0.5 * np.random.default_rng(2).normal(size=pixels.shape)
    rows = [
        f"14:03:{11.2 + t:.2f},sled/deck,{u:.2f},{v:.2f}" for t, (u, v) in zip(times, pixels, strict=True)
    ]
    (folder / "tracks.csv").write_text("\n".join(["time,body,x,y", *rows, ""]))
    (folder / "evidence.json").write_text(EVIDENCE)
    write_scenario(sled(), folder / "sled.json")
    return folder


def add(folder, *options):
    paths = ["tracks.csv", "--camera", "camera.json", "--evidence", "evidence.json", "--out", "new.json"]
    given = [str(folder / path) if path.endswith(("csv", "json")) else path for path in paths]
    return main(["camera", "track", *given, *options])


def test_time_stamps_place_the_points_in_the_run(video, capsys):
    assert add(video, "--zero", "14:03:11.20", "--tolerance", "3") == 0
    assert "8 points, from 0 to 0.28 s" in capsys.readouterr().out
    target = read_evidence(video / "new.json").targets[1]
    assert target.points[-1].time == pytest.approx(0.28) and target.camera.file == "camera.json"
    right, slow = sled(), sled()
    slow.actors[0].velocity = (0.9 * SPEED, 0.0, 0.0)
    # 0.3 m/s over 0.28 s at 6 m and 1350 px: 19 px; marks and camera of half a pixel: under the tolerance
    assert deviation(target, right, run(right)) < 3.0
    assert deviation(target, slow, run(slow)) > 8.0


def test_frames_and_points_of_bodies(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("frame,x,y,body,px,py,pz\n105,1,2,man/head,0,0,0.1\n100,3,4,man/head,,,\n")
    early, late = read_tracks(path, rate=50.0)
    assert (early.time, late.time) == (0.0, 0.1)
    assert early.point is None and late.point == (0.0, 0.0, 0.1) and late.pixel == (1.0, 2.0)
    assert read_tracks(path, rate=50.0, zero="95")[0].time == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no rows"),
        ("time,x,body\n1,2,a/b\n", "no column 'y'"),
        ("x,y,body\n1,2,a/b\n", "neither times nor frames"),
        ("frame,x,y,body\n1,2,3,a/b\n", "frames per second"),
        ("time,x,y,body\n1:99,2,3,a/b\n", "line 2.*no time|no time.*line 2"),
        ("time,x,y,body\n1,2,3,a/b\nnan,2,3,a/b\n", "line 3"),
        ("time,x,y,body\n1,2,three,a/b\n", "no numbers"),
        ("time,x,y,body\n1,2,3,\n", "names no body"),
    ],
)
def test_bad_tables(tmp_path, text, message):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(FileError, match=message):
        read_tracks(tmp_path / "t.csv")


def test_what_is_before_the_run_and_a_camera_elsewhere_are_refused(video, tmp_path, capsys):
    assert add(video, "--zero", "14:03:12") == 2
    assert "line 2" in capsys.readouterr().err
    write_camera(tmp_path / "camera.json", TRUE)
    assert add(video, "--camera", str(tmp_path / "camera.json")) == 2
    assert "lies elsewhere" in capsys.readouterr().err
