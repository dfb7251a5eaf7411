"""Files of cameras: what is read, what is refused, and the picture behind the view in a real browser."""

import io
import json
import math

import numpy as np
import pytest
from ball_run import RADIUS, ball_place, ball_run
from browser import open_page
from PIL import Image

from mannequin import __main__ as program
from mannequin.io_json.errors import FileError
from mannequin.viewer import write
from mannequin.viewer.cameras import FORMAT, read_cameras
from mannequin.viewer.content import shown_run

SIZE, FOCAL, CENTER = (400, 300), 520.0, (180.0, 165.0)
PLACE = (0.3, -2.6, 1.5)
TURNS = (math.radians(83.0), math.radians(4.0), math.radians(-6.0))
GREEN_BOX = (300, 40, 340, 70)
"""Left, upper, right and lower edge in pixels of the photograph."""


def matrix(x, y, z):
    """Rotation about x, then y, then z of the world, of a camera that looks along its -z."""
    c, s = np.cos, np.sin
    about_x = np.array([[1, 0, 0], [0, c(x), -s(x)], [0, s(x), c(x)]])
    about_y = np.array([[c(y), 0, s(y)], [0, 1, 0], [-s(y), 0, c(y)]])
    about_z = np.array([[c(z), -s(z), 0], [s(z), c(z), 0], [0, 0, 1]])
    return about_z @ about_y @ about_x


def quaternion(rotation):
    w = 0.5 * math.sqrt(1.0 + np.trace(rotation))
    differences = (
        rotation[2, 1] - rotation[1, 2],
        rotation[0, 2] - rotation[2, 0],
        rotation[1, 0] - rotation[0, 1],
    )
    return [w, *(difference / (4.0 * w) for difference in differences)]


def pixel_of(point):
    """Where the camera of these tests sees a point, in pixels of its photograph."""
    x, y, z = matrix(*TURNS).T @ np.subtract(point, PLACE)
    return np.array([CENTER[0] - FOCAL * x / z, CENTER[1] + FOCAL * y / z])


def photograph() -> bytes:
    picture = Image.new("RGB", SIZE, (250, 0, 250))
    picture.paste((0, 250, 0), GREEN_BOX)
    stream = io.BytesIO()
    picture.save(stream, "PNG")
    return stream.getvalue()


def camera(**changes):
    entry = {
        "name": "Photograph 12",
        "position": PLACE,
        "rotation": quaternion(matrix(*TURNS)),
        "focal_length": FOCAL,
        "principal_point": CENTER,
        "size": SIZE,
        "picture": "photo.png",
    }
    return {name: value for name, value in (entry | changes).items() if value is not None}


def write_file(folder, *entries, **head):
    document = {"format": FORMAT, "format_version": 1, "cameras": list(entries)} | head
    (folder / "photo.png").write_bytes(photograph())
    path = folder / "cameras.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_a_camera_is_read_with_its_picture(tmp_path):
    (read,) = read_cameras(write_file(tmp_path, camera(visible_from=0.1)))
    assert read.name == "Photograph 12" and read.center == CENTER and read.visible_from == 0.1
    assert read.picture.startswith("data:image/png;base64,")
    (plain,) = read_cameras(write_file(tmp_path, camera(picture=None, principal_point=None)))
    assert plain.center == (200.0, 150.0) and plain.picture == ""


@pytest.mark.parametrize(
    ("changes", "head", "words"),
    [
        ({"name": " "}, {}, "no name"),
        ({"rotation": [1, 1, 0, 0]}, {}, "unit quaternion"),
        ({"focal_length": 0}, {}, "above zero"),
        ({"focal_length": None}, {}, "focal_length"),
        ({"lens": 50}, {}, "lens"),
        ({"picture": "../photo.png"}, {}, "leads out of the folder"),
        ({"picture": "none.png"}, {}, "none.png"),
        ({"picture": "cameras.json"}, {}, "neither JPEG nor PNG"),
        ({}, {"format": "other"}, "no file of cameras"),
        ({}, {"cameras": []}, "no cameras"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, changes, head, words):
    with pytest.raises(FileError, match=words):
        read_cameras(write_file(tmp_path, camera(**changes), **head))


def test_the_command_puts_them_into_the_page_and_checks_them(tmp_path, capsys):
    run = ball_run(tmp_path / "runs")
    path, out = write_file(tmp_path, camera()), tmp_path / "case.html"
    assert program.main(["view", str(run.folder), "--out", str(out), "--camera", str(path)]) == 0
    assert program.main(["view", str(run.folder), "--check", str(out), "--camera", str(path)]) == 0
    other = tmp_path / "other"
    other.mkdir()
    moved = write_file(other, camera(position=[0.3, -2.6, 1.6]))
    assert program.main(["view", str(run.folder), "--check", str(out), "--camera", str(moved)]) == 3
    assert "cameras" in capsys.readouterr().out


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("photograph")
    run = ball_run(folder / "runs")
    cameras = read_cameras(write_file(folder, camera(visible_from=0.1, visible_to=0.4)))
    path = folder / "case.html"
    path.write_bytes(write.page_bytes([shown_run(run)], cameras=cameras))
    with open_page(width=1100, height=700) as page:
        page.goto(path.as_uri())
        page.wait_for_selector("body[data-ready]")
        page.click("summary:text-is('Show')")
        page.locator(".choice", has_text="Paths").locator("input").uncheck()
        page.click("summary:text-is('Show')")
        yield page


def seen(page) -> np.ndarray:
    """(height, width, 3) pixels of the view, after it was drawn."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    data = page.locator("#frame").screenshot()
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def on_screen(page, pixel):
    """A pixel of the photograph as one of the view: the whole photograph as large as fits, in the middle."""
    box = page.locator("#frame").bounding_box()
    scale = min(box["width"] / SIZE[0], box["height"] / SIZE[1])
    edge = 0.5 * np.array([box["width"] - scale * SIZE[0], box["height"] - scale * SIZE[1]])
    return edge + scale * np.asarray(pixel), scale


@pytest.mark.parametrize("time", [0.12, 0.38])
def test_the_ball_is_drawn_where_the_camera_saw_it(page, time):
    """Middle of the blue pixels within a pixel and a half of the pinhole formula, before a photograph that fits."""
    page.evaluate("mannequin.view('Photograph 12')")
    page.evaluate(f"mannequin.go({time})")
    pixels = seen(page)
    blue = (pixels[..., 2] > pixels[..., 0] + 40) & (pixels[..., 2] > pixels[..., 1] + 15)
    blue &= pixels[..., 0] < 120
    rows, columns = np.nonzero(blue)
    wanted, scale = on_screen(page, pixel_of(ball_place(time)))
    distance = np.linalg.norm(np.subtract(ball_place(time), PLACE))
    assert len(rows) == pytest.approx(math.pi * (scale * FOCAL * RADIUS / distance) ** 2, rel=0.15)
    assert np.hypot(columns.mean() + 0.5 - wanted[0], rows.mean() + 0.5 - wanted[1]) < 1.5


def test_the_photograph_lies_behind_and_only_at_its_time(page):
    page.evaluate("mannequin.view('Photograph 12')")
    page.evaluate("mannequin.go(0.2)")
    pixels = seen(page)
    middle = (0.5 * (GREEN_BOX[0] + GREEN_BOX[2]), 0.5 * (GREEN_BOX[1] + GREEN_BOX[3]))
    (x, y), _ = on_screen(page, middle)
    assert pixels[int(y), int(x)] == pytest.approx((0, 250, 0), abs=12)
    page.evaluate("mannequin.go(0.45)")
    assert seen(page)[int(y), int(x)] != pytest.approx((0, 250, 0), abs=60)
    assert page.problems == []


def test_who_turns_away_leaves_the_photograph(page):
    page.evaluate("mannequin.view('Photograph 12')")
    page.evaluate("mannequin.go(0.2)")
    assert page.locator("#pictures img").is_visible()
    page.focus("#view")
    page.keyboard.press("d")
    page.wait_for_selector("#pictures img", state="detached")
