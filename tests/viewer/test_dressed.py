"""Actors as they look, for pictures of the report: skins follow the bodies, and pictures can be proven."""

import io
from datetime import UTC, datetime

import numpy as np
import pytest
from PIL import Image

from mannequin.analysis.files.run_folder import read_run, write_run
from mannequin.analysis.pages import rendering
from mannequin.analysis.pages.report import write_report
from mannequin.analysis.pages.report_check import report_problems
from mannequin.engine import run
from mannequin.engine.spec import Actor, Person, Scenario, Settings
from mannequin.models.library import load_model
from mannequin.models.parts.shapes import sphere_geometry
from mannequin.models.people.person_model import make_person
from mannequin.viewer.dressed import ActorLooks
from mannequin.viewer.surfaces import triangulated

HEIGHT = 1.70
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Somebody who stands upright, and a car, for the blink of an eye."""
    person = Person(sex=0.0, age=40.0, height=HEIGHT, mass=65.0)
    she = Actor("she", make_person(person).model, person=person, position=(0.0, 0.0, 0.0))
    car = Actor("car", load_model("car"), position=(-4.0, 0.0, 0.0))
    scenario = Scenario("looks", [she, car], settings=Settings(duration=2e-3, time_step=1e-3, ground=False))
    return write_run(scenario, run(scenario), tmp_path_factory.mktemp("out"), started=NOW, ended=NOW)


@pytest.fixture(scope="module")
def looks(folder):
    return ActorLooks(read_run(folder).scenario)


def world_points(looks, recording, actor):
    return np.concatenate(
        [skin.points[np.unique(skin.triangles)] for skin in looks.skins(recording, 0)[actor]]
    )


def test_skin_is_as_tall_as_the_person_and_rides_on_the_bodies(folder, looks):
    recording = read_run(folder).recording
    assert looks.names == ("she", "car")
    skin, car = (world_points(looks, recording, actor) for actor in (0, 1))
    # soles and hair add to the stature
    assert HEIGHT - 0.01 < np.ptp(skin[:, 2]) < HEIGHT + 0.06
    assert 3.5 < np.ptp(car[:, 0]) < 5.5 and 1.2 < np.ptp(car[:, 2]) < 1.8
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    half = np.sqrt(0.5)
    moved = read_run(folder).recording
    moved.position[:] = moved.position @ turn.T + (5.0, 6.0, 7.0)
    w, x, y, z = np.moveaxis(moved.quaternion, -1, 0)
    moved.quaternion[:] = half * np.stack(
        [w - z, x - y, y + x, z + w], axis=-1
    )  # a quarter turn about z first
    for actor, before in ((0, skin), (1, car)):
        after = world_points(looks, moved, actor)
        assert np.allclose(after, before @ turn.T + (5.0, 6.0, 7.0), atol=1e-9)


def test_sphere_of_triangles_covers_the_pixels_of_the_exact_one(monkeypatch):
    radius, center = 0.4, np.array([0.3, -0.2, 0.5])
    solid = rendering.Solid(center, np.identity(3) / radius**2, (0.5, 0.5, 0.5), 0)
    camera = rendering.Camera(
        np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]), np.zeros(3), 1e-3
    )
    points, faces = sphere_geometry(64, 48)
    skin = rendering.Skin(radius * points + center, triangulated(faces).astype(int), (0.5, 0.5, 0.5))
    exact, drawn = rendering._Canvas(camera), rendering._Canvas(camera)
    exact.draw_solid(solid)
    drawn.draw_skin(skin)
    covered = [np.isfinite(canvas.depth) for canvas in (exact, drawn)]
    assert np.count_nonzero(covered[0] != covered[1]) < 0.01 * np.count_nonzero(covered[0])
    both = covered[0] & covered[1]
    assert np.percentile(np.abs(exact.depth[both] - drawn.depth[both]), 99) < 0.005
    assert np.abs(exact.pixels - drawn.pixels)[both].mean() < 0.01, "shaded alike"
    monkeypatch.setattr(rendering, "LARGEST_BLOCK", 5000)
    again = rendering._Canvas(camera)
    again.draw_skin(skin)
    assert np.array_equal(again.depth, drawn.depth), "whatever is drawn together"


@pytest.mark.long
def test_report_with_skins_is_proven_and_a_changed_picture_is_found(folder, looks, no_curves, monkeypatch):
    monkeypatch.setattr(rendering, "FINER", 1)  # of 2: for the time of a test
    read = read_run(folder)
    page, _ = write_report(read, step_halving=False, looks=looks)
    text = page.read_text("utf-8")
    assert "Shown by a skin that follows the computed bodies: she, car." in text
    assert list(report_problems(read, looks=looks)) == []
    picture = text[text.index("data:image/png;base64,") :].split('"')[0]
    page.write_text(text.replace(picture, picture[:-8] + "AAAAAAAA", 1), encoding="utf-8")
    assert any("picture" in problem for problem in report_problems(read, looks=looks))
    assert list(report_problems(read)) == [], "without the looks the words are proven, the pictures are not"


@pytest.mark.long
def test_looks_change_the_picture_and_not_its_scale(folder, looks):
    read = read_run(folder)
    pictures = [
        np.asarray(Image.open(io.BytesIO(rendering.picture_of(read.scenario, read.recording, 0, None, worn))))
        for worn in (None, looks)
    ]
    assert pictures[0].shape == pictures[1].shape and not np.array_equal(*pictures)
    corner = np.s_[-70:, -330:]  # the scale bar
    assert np.array_equal(pictures[0][corner], pictures[1][corner])
