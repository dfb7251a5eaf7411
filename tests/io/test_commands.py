"""`python -m mannequin validate` and `convert`."""

import json
import shutil

import pytest
from full_specs import small_model

from mannequin.__main__ import main
from mannequin.commands import EXIT_OK, EXIT_USAGE
from mannequin.engine import spec
from mannequin.io_json import model_json, scenario_json
from mannequin.io_json.resolve import SHIPPED_FOLDER


@pytest.mark.long
def test_interop_and_shipped_files_can_be_used(openmbd, capsys):
    shipped = [*SHIPPED_FOLDER.glob("*.json"), *SHIPPED_FOLDER.glob("scenarios/*.json")]
    files = [*sorted(openmbd.glob("*.json")), *sorted(shipped)]
    code = main(["validate", *map(str, files)])
    out, err = capsys.readouterr()
    assert code == EXIT_OK, err
    assert out.count("can be used") == len(files)


def test_a_broken_file_is_reported_in_one_line(tmp_path, capsys, openmbd):
    text = (openmbd / "openmbd_male.json").read_text().replace('"mass": 6.9', '"mass": "6.9", "x": 6.9', 1)
    (tmp_path / "bad.json").write_text(text)
    assert main(["validate", str(tmp_path / "bad.json")]) == EXIT_USAGE
    (line,) = capsys.readouterr().err.splitlines()
    assert line == (
        f"{tmp_path}/bad.json: /bodies/head/mass: error: must be a number, not a text. Write it without quotes"
    )


def test_issues_of_the_engine_are_reported(tmp_path, capsys):
    model = small_model()
    model.bodies[0].mass = -1.0
    model_json.write_model(model, tmp_path / "bad.json")
    assert main(["validate", str(tmp_path / "bad.json")]) == EXIT_USAGE
    out, err = capsys.readouterr()
    assert "error" in err and "body a" in err
    assert "cannot be used" in out


def test_findings_as_json(tmp_path, capsys, openmbd):
    (tmp_path / "bad.json").write_text("{")
    code = main(["validate", "--json", str(openmbd / "openmbd_bicycle.json"), str(tmp_path / "bad.json")])
    good, bad = json.loads(capsys.readouterr().out)
    assert code == EXIT_USAGE
    assert (good["kind"], good["issues"]) == (
        "OpenMBD model",
        [i for i in good["issues"] if i["severity"] == "warning"],
    )
    assert len(good["notes"]) >= 3
    assert bad["issues"][0]["place"] == "line 1, column 2"


def test_notes_of_the_models_of_a_scenario_are_reported(tmp_path, capsys, openmbd):
    shutil.copy(openmbd / "openmbd_bicycle.json", tmp_path)
    (tmp_path / "c.json").write_text(
        '{"models": [{"id": 0, "path": "openmbd_bicycle.json", "pos": "0 0 0.34"}]}'
    )
    main(["validate", str(tmp_path / "c.json")])
    assert "Model A: Joint 'front_wheel_jnt'" in capsys.readouterr().out


def test_a_configuration_becomes_a_scenario(tmp_path, capsys, openmbd):
    shutil.copy(openmbd / "openmbd_male.json", tmp_path)
    (tmp_path / "c.json").write_text(
        '{"models": [{"id": 0, "path": "openmbd_male.json", "pos": "0 0 1.05"}]}'
    )
    assert main(["convert", str(tmp_path / "c.json"), str(tmp_path / "s.json")]) == EXIT_OK
    assert "note:" in capsys.readouterr().out
    assert scenario_json.read_scenario(tmp_path / "s.json").actors[0].position == (0, 0, 1.05)


def test_a_model_is_written_plain(tmp_path, capsys):
    model = small_model()
    model.joints[1].damping = 2.5
    model_json.write_model(model, tmp_path / "full.json")
    assert main(["convert", "--plain", str(tmp_path / "full.json"), str(tmp_path / "plain.json")]) == EXIT_OK
    assert "left out, as OpenMBD's format cannot hold it: joint 'hinge': damping" in capsys.readouterr().out
    assert "mannequin" not in (tmp_path / "plain.json").read_text()


def test_a_scenario_has_no_plain_form(tmp_path, capsys):
    scenario = spec.Scenario("s", [spec.Actor("a", small_model())])
    scenario_json.write_scenario(scenario, tmp_path / "s.json")
    assert main(["convert", "--plain", str(tmp_path / "s.json"), str(tmp_path / "t.json")]) == EXIT_USAGE
    assert not (tmp_path / "t.json").exists()


@pytest.mark.parametrize("target", ["none/t.json", "."])
def test_a_target_that_cannot_be_written(tmp_path, capsys, openmbd, target):
    source = str(openmbd / "openmbd_bicycle.json")
    assert main(["convert", source, str(tmp_path / target)]) == EXIT_USAGE
    assert "cannot be written" in capsys.readouterr().err
