"""The command `models`: what it prints, writes and refuses."""

import re

import pytest
from people_data import needs_people

from mannequin.__main__ import main
from mannequin.io_json.model_json import read_model
from mannequin.models import library
from mannequin.models.pages.models_page import write_page


def call(*words):
    """Exit code of the command line."""
    try:
        return main(["models", *words]) or 0
    except SystemExit as stop:
        return stop.code


def test_lists_every_model_with_mass_and_source(capsys):
    assert call() == 0
    text = capsys.readouterr().out
    for name in library.list_models():
        assert re.search(rf"^{name} ", text, re.M)
    assert re.search(r"^male +24 +66 +90\.30 +1\.754 +MakeHuman", text, re.M)
    assert "car_pedestrian" in text


def test_builds_a_person_of_the_given_size(tmp_path, capsys):
    path = tmp_path / "she.json"
    assert call("build", "--sex", "female", "--height", "1.58", "--mass", "52", "--out", str(path)) == 0
    model = read_model(path)
    assert model.height == 1.58 and model.sex == "female"
    assert sum(body.mass for body in model.bodies) == pytest.approx(52.0)
    assert "warning" not in capsys.readouterr().err


def test_warns_of_small_adults_but_builds_them(tmp_path, capsys):
    path = tmp_path / "small.json"
    assert call("build", "--sex", "male", "--height", "1.2", "--mass", "25", "--out", str(path)) == 0
    assert "child_6" in capsys.readouterr().err and path.exists()


@pytest.mark.parametrize("size", [("158", "52"), ("1.58", "-3"), ("nan", "52"), ("1.58", "inf")])
def test_refuses_nonsense_in_one_line_and_writes_nothing(tmp_path, capsys, size):
    path = tmp_path / "no.json"
    assert call("build", "--sex", "male", "--height", size[0], f"--mass={size[1]}", "--out", str(path)) == 2
    error = capsys.readouterr().err
    assert error.startswith("models: ") and error.count("\n") == 1 and "metres" in error
    assert not path.exists()


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The page as the command writes it, with its pictures beside it."""
    return write_page(tmp_path_factory.mktemp("page"))


@pytest.mark.long
def test_page_has_a_picture_and_a_table_of_every_model(written):
    page = written.read_text(encoding="utf-8")
    for name in library.list_models():
        assert f"## {name}\n" in page
        picture = written.parent / "images" / "models" / f"{name}.png"
        assert picture.read_bytes().startswith(b"\x89PNG") and f"images/models/{name}.png" in page
        for body in library.load_model(name).bodies:
            assert re.search(rf"^\| {body.name} \| {body.mass:.3f} \|", page, re.M)


@pytest.mark.long
def test_shipped_page_is_up_to_date(written):
    shipped = library.FOLDER.parent / "docs" / "models.md"
    if not shipped.exists():
        pytest.skip("docs are not part of this installation")
    assert written.read_text(encoding="utf-8") == shipped.read_text(encoding="utf-8")


def test_unknown_check_is_refused(capsys):
    assert call("validation", "head_dorp") == 2
    assert "head_drop" in capsys.readouterr().err


@needs_people
def test_people_of_the_library_are_made_as_persons_by_name(tmp_path, capsys):
    path = tmp_path / "he.json"
    assert call("person", "--like", "male", "--out", str(path)) == 0
    made, shipped = read_model(path), library.load_model("male")
    assert (made.sex, made.height) == (shipped.sex, shipped.height)
    masses = [sum(body.mass for body in model.bodies) for model in (made, shipped)]
    assert masses[0] == pytest.approx(masses[1], abs=0.01)
    assert call("person", "--like", "nobody") == 2
    assert "child_6" in capsys.readouterr().err
    assert call("person", "--sex", "f", "--age", "30", "--height", "1.6") == 2
    assert "--mass" in capsys.readouterr().err
