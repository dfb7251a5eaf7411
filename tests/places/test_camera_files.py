"""Files of points and cameras, the command, and what uses a matched camera."""

import json

import numpy as np
import pytest
from synthetic_camera import SIZE, look, sightings, true_camera

from mannequin.__main__ import main
from mannequin.io_json import layout
from mannequin.io_json.errors import FileError
from mannequin.places.camera.files import read_camera, write_camera
from mannequin.places.camera.lens import Camera
from mannequin.places.camera.pictures import overlaid, read_picture, undistort, write_picture
from mannequin.places.camera.sightings import document_of, read_sightings
from mannequin.sweeps.fit.camera import seen
from mannequin.sweeps.fit.spec import read_evidence


def write_points(folder, marks):
    path = folder / "points.json"
    path.write_text(layout.compact(document_of(marks)))
    return path


def striped(camera):
    """A photograph of straight upright edges in the place, as the lens draws them: black where x is in a stripe."""
    height, width = SIZE[1] // 4, SIZE[0] // 4
    small = small_camera(camera)
    rows, columns = np.mgrid[0:height, 0:width] + 0.5
    rays = small.rays(np.column_stack([columns.ravel(), rows.ravel()])) @ small.axes
    across = rays[:, 0] / -rays[:, 2]
    bright = (np.floor(across * 8.0) % 2).reshape(height, width)
    return np.repeat((255 * bright)[..., None], 3, axis=2).astype(np.uint8)


def small_camera(camera):
    return Camera(
        "small",
        camera.position,
        camera.rotation,
        camera.focal_px / 4,
        tuple(c / 4 for c in camera.center_px),
        (SIZE[0] // 4, SIZE[1] // 4),
        distortion=camera.distortion,
    )


def test_undistorted_picture_has_straight_edges():
    camera = true_camera(distortion=(-0.25, 0.08))
    bent = striped(camera)
    flat = undistort(bent, small_camera(camera))

    def bow(picture):
        """Pixels by which the edge nearest the left third wanders between rows."""
        edges = []
        for row in picture[20:-20, :, 0].astype(int):
            found = np.flatnonzero(np.abs(np.diff((row > 127).astype(int))) == 1)
            edges.append(found[np.argmin(np.abs(found - 110))])
        return np.ptp(edges)

    assert bow(bent) > 6
    assert bow(flat) <= 1


def test_points_and_camera_survive_their_files(tmp_path):
    marks = sightings(true_camera(), 8, 1)
    assert read_sightings(write_points(tmp_path, marks)) == marks
    camera = true_camera()
    write_camera(tmp_path / "camera.json", camera)
    assert read_camera(tmp_path / "camera.json") == camera


def test_command_finds_the_camera_and_names_the_wrong_point(tmp_path, capsys):
    camera = true_camera()
    marks = sightings(camera, 16, 2)
    marks.points[4].pixel = (marks.points[4].pixel[0] - 40.0, marks.points[4].pixel[1])
    marks.picture = "photo.png"
    write_picture(tmp_path / "photo.png", np.full((SIZE[1], SIZE[0], 3), 128, dtype=np.uint8))
    points = str(write_points(tmp_path, marks))
    out, flat, marked = (str(tmp_path / name) for name in ("camera.json", "flat.png", "marked.png"))
    assert main(["camera", "match", points, "--out", out, "--undistorted", flat, "--marked", marked]) == 0
    printed = capsys.readouterr().out
    assert "p4 is an outlier" in printed and "position" in printed and "+-" in printed
    document = json.loads((tmp_path / "camera.json").read_text())
    names = {"name", "position", "rotation", "focal_px", "center_px", "size_px", "picture"}
    assert names <= set(document) and document["picture"] == "flat.png"
    assert len(document["match"]["uncertainty"]["covariance"]) == 6
    assert [p["name"] for p in document["match"]["points"] if p["role"] == "outlier"] == ["p4"]
    assert np.ptp(read_picture(marked)) > 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "line 1"),
        ('{"format": "x"}', "does not say"),
        (
            '{"format": "mannequin-camera-points", "format_version": 1, "name": "a", "size_px": [9, 9]}',
            "pixels wide",
        ),
        (
            '{"format": "mannequin-camera-points", "format_version": 1, "name": "a", "size_px": [1920, 1080]}',
            "0 points",
        ),
    ],
)
def test_bad_files_of_points(tmp_path, capsys, content, message):
    path = tmp_path / "points.json"
    path.write_text(content)
    assert main(["camera", "match", str(path)]) == 2
    assert message in capsys.readouterr().err


def test_bad_pictures(tmp_path):
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\x00" * 40)
    with pytest.raises(FileError, match="no picture"):
        read_picture(tmp_path / "photo.png")
    with pytest.raises(FileError, match="End it with"):
        write_picture(tmp_path / "photo.exe", np.zeros((2, 2, 3), dtype=np.uint8))


def test_overlay_blends_and_wipes():
    photograph, rendered = np.full((2, 4, 3), 0.2), np.ones((2, 4, 4))
    rendered[0, :, 3] = 0.0
    mixed = overlaid(photograph, rendered, blend=0.5, wipe=0.5)
    assert np.allclose(mixed[0], 0.2), "nothing was drawn in the upper row"
    assert np.allclose(mixed[1, :2], 0.6) and np.allclose(mixed[1, 2:], 0.2)


def test_fit_sees_points_as_the_matched_camera_does(tmp_path):
    """Evidence that names the camera's file: pixels of its points are those of the matched camera, distortion too."""
    rotation = tuple(look((0.0, -6.0, 1.5), (0.0, 0.0, 0.5), 0.1).tolist())
    camera = Camera("cctv", (0.0, -6.0, 1.5), rotation, 900.0, (650.0, 350.0), (1280, 720), "", (-0.2, 0.02))
    write_camera(tmp_path / "camera.json", camera)
    evidence = {
        "format": "mannequin-evidence",
        "format_version": 1,
        "name": "a",
        "scenario": "fall",
        "unknowns": [{"name": "v", "address": "actors.sled.speed", "low": 1, "high": 2}],
        "targets": [
            {
                "name": "video",
                "kind": "video_points",
                "tolerance": 2,
                "camera": {"file": "camera.json"},
                "points": [{"time": 0.1, "body": "sled/deck", "pixel": [1, 2]}],
            }
        ],
    }
    path = tmp_path / "evidence.json"
    path.write_text(json.dumps(evidence))
    used = read_evidence(path).targets[0].camera
    points = np.random.default_rng(1).uniform([-2, -1, 0], [2, 3, 2], (20, 3))
    assert np.allclose(seen(used, points), camera.project(points), atol=1e-6)
    evidence["targets"][0]["camera"]["file"] = "../camera.json"
    path.write_text(json.dumps(evidence))
    with pytest.raises(FileError, match="lies elsewhere"):
        read_evidence(path)


def test_page_takes_the_file_of_a_matched_camera(tmp_path):
    """`view --camera` of what `camera match --undistorted` wrote; with distortion it says what to do."""
    from mannequin.viewer.cameras import read_cameras

    write_picture(tmp_path / "flat.png", np.zeros((4, 4, 3), dtype=np.uint8))
    camera = true_camera(distortion=(0.0, 0.0))
    camera.picture = "flat.png"
    write_camera(tmp_path / "camera.json", camera)
    (shown,) = read_cameras(tmp_path / "camera.json")
    assert shown.position == camera.position and shown.focal_length == camera.focal_px
    assert shown.center == camera.center_px and shown.picture.startswith("data:image/png")
    write_camera(tmp_path / "camera.json", true_camera())
    with pytest.raises(FileError, match="--undistorted"):
        read_cameras(tmp_path / "camera.json")
