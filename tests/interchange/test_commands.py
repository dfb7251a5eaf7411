"""`python -m mannequin convert`: the endings of the names pick the formats, and the report says what was lost."""

import shutil
from pathlib import Path

import pytest

from mannequin.__main__ import main
from mannequin.commands import EXIT_OK, EXIT_USAGE
from mannequin.engine import spec
from mannequin.engine.bodies.posture import body_poses
from mannequin.interchange import read_model, read_scenario, write_model, write_scenario
from mannequin.io_json import model_json, scenario_json
from mannequin.io_json.errors import FileError
from mannequin.models.library import library_path

ARM = Path(__file__).resolve().parent / "arm.osim"


def convert(*words: object) -> int:
    return main(["convert", *map(str, words)])


def test_hyfydy_to_ours_and_back(everything, tmp_path, capsys) -> None:
    assert convert(everything, tmp_path / "a.json") == EXIT_OK
    out = capsys.readouterr().out
    assert "convert: reading: joint 'hip_r': it may slide" in out
    assert out.splitlines()[-1] == f"convert: {everything} (Hyfydy model) written to {tmp_path / 'a.json'}"
    assert convert(tmp_path / "a.json", tmp_path / "b.HFD") == EXIT_OK
    assert "convert: writing:" in capsys.readouterr().out
    assert convert(everything, tmp_path / "c.hfd") == EXIT_OK
    assert (tmp_path / "b.HFD").read_text() == (tmp_path / "c.hfd").read_text()


@pytest.mark.parametrize("target", ["a.json", "a.hfd", "a.xml"])
def test_opensim_to_anything(target, tmp_path) -> None:
    assert convert(ARM, tmp_path / target) == EXIT_OK
    assert (tmp_path / target).stat().st_size > 1000


def test_a_scenario_keeps_start_surroundings_and_gravity(everything, tmp_path, capsys) -> None:
    assert convert("--scenario", everything, tmp_path / "s.json") == EXIT_OK
    assert "scenario's business" not in capsys.readouterr().out
    scenario = scenario_json.read_scenario(tmp_path / "s.json")
    (actor,) = scenario.actors
    assert (actor.position, scenario.settings.gravity) == ((0.1, 0.3, 1.2), (0, 0, -1.62))
    assert [obstacle.name for obstacle in scenario.obstacles] == ["floor", "step"]
    assert convert(tmp_path / "s.json", tmp_path / "s.xml") == EXIT_OK


def test_ours_to_hyfydy(tmp_path) -> None:
    shutil.copy(library_path("ambrosio"), tmp_path / "a.json")
    assert convert(tmp_path / "a.json", tmp_path / "a.hfd") == EXIT_OK
    model, _ = read_model(tmp_path / "a.hfd")
    source = model_json.read_model(library_path("ambrosio"))
    assert [body.mass for body in model.bodies] == [body.mass for body in source.bodies]
    assert set(body_poses(model)) == {body.name for body in source.bodies}


@pytest.mark.parametrize(
    ("source", "target", "options", "message"),
    [
        ("a.xml", "b.json", [], "cannot be read"),
        ("a.hfd", "b.osim", [], "Name it .hfd or .xml"),
        ("a.hfd", "b.hfd", ["--plain"], "--plain is for models in .json files"),
        ("m.json", "b.hfd", ["--ball-hinges"], "--ball-hinges is for .xml files"),
        ("m.json", "b.json", ["--scenario"], "--scenario is for .hfd, .osim and .xml files"),
        ("s.json", "b.hfd", [], "cannot hold a scenario"),
        ("missing.hfd", "b.json", [], "cannot be read"),
        ("broken.hfd", "b.json", [], "broken.hfd: line 1, column 8: the file ends"),
        ("broken.osim", "b.json", [], "broken.osim: line 1, column 1: is not valid XML"),
        ("bomb.osim", "b.json", [], "document type declaration"),
        ("empty.json", "b.xml", [], "is not written: body 'a'"),
    ],
)
def test_what_cannot_be_done_is_reported_in_one_line(
    source, target, options, message, everything, tmp_path, capsys
) -> None:
    shutil.copy(everything, tmp_path / "a.hfd")
    shutil.copy(library_path("ambrosio"), tmp_path / "m.json")
    scenario, _ = read_scenario(everything)
    scenario_json.write_scenario(scenario, tmp_path / "s.json")
    (tmp_path / "broken.hfd").write_text("model {")
    (tmp_path / "broken.osim").write_text("")
    (tmp_path / "bomb.osim").write_text('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')
    weightless = spec.Model(
        "e", [spec.Body("a", 0.0, (1, 1, 1, 0, 0, 0))], [spec.Joint("r", "free", None, "a")]
    )
    model_json.write_model(weightless, tmp_path / "empty.json")
    assert convert(*options, tmp_path / source, tmp_path / target) == EXIT_USAGE
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
    assert not (tmp_path / target).exists()


def test_ball_joints_become_hinges_on_request(tmp_path, capsys) -> None:
    """Those that have axis limits; the others stay as they are."""
    joint = spec.Joint("hip", "spherical", None, "a", limits=spec.AxisLimits((-10, -20, -30), (10, 20, 30)))
    body = spec.Body("a", 1.0, (1, 1, 1, 0, 0, 0))
    model_json.write_model(spec.Model("leg", [body], [joint]), tmp_path / "leg.json")
    for options, balls, hinges in ([], 1, 0), (["--ball-hinges"], 0, 3):
        assert convert(*options, tmp_path / "leg.json", tmp_path / "leg.xml") == EXIT_OK
        text = (tmp_path / "leg.xml").read_text()
        assert (text.count('type="ball"'), text.count('type="hinge"')) == (balls, hinges)
    assert "written as three hinges" in capsys.readouterr().out


def test_functions_refuse_other_names(tmp_path) -> None:
    model = model_json.read_model(library_path("ambrosio"))
    with pytest.raises(FileError, match="Name it .hfd or .osim"):
        read_model(tmp_path / "a.json")
    with pytest.raises(FileError, match="Name it .hfd or .xml"):
        write_model(model, tmp_path / "a.json")
    with pytest.raises(FileError, match="cannot hold a scenario"):
        write_scenario(spec.Scenario("s", []), tmp_path / "a.hfd")


def test_a_file_too_big_is_refused(tmp_path) -> None:
    for name in ("a.hfd", "a.osim"):
        (tmp_path / name).write_bytes(b" " * (33 * 1024 * 1024))
        with pytest.raises(FileError, match="bigger than 32 MB"):
            read_model(tmp_path / name)


def test_validate_checks_them_too(everything, tmp_path, capsys) -> None:
    assert main(["validate", str(everything), str(ARM)]) == EXIT_OK
    out = capsys.readouterr().out
    assert "everything.hfd: .hfd model, can be used" in out
    assert "note: everything: Read from everything.hfd: joint 'hip_r': it may slide" in out
    (tmp_path / "bad.hfd").write_text("model { body { mass = x } }")
    assert main(["validate", str(tmp_path / "bad.hfd")]) == EXIT_USAGE
    assert "line 1, column 23: error: 'x' is not a number" in capsys.readouterr().err
