"""Marks with their ellipses: in files, in the report, in fits."""

import json
import math
from datetime import UTC, datetime

import numpy as np
import pytest
from synthetic_run import make_recording, make_scenario

from mannequin.analysis.files.run_folder import read_run, write_run
from mannequin.analysis.pages.report import build_report
from mannequin.io_json.errors import FileError
from mannequin.io_json.marks import KEY, Mark, documents_of, ellipses_off, marks_of, read_marks
from mannequin.io_json.scenario_json import read_scenario, write_scenario
from mannequin.sweeps.fit.spec import read_evidence
from mannequin.sweeps.fit.targets import deviation

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SKID = Mark(
    "skid", "skid", (1.0, 0.0, 0.0), (0.05, 0.3, 30.0), [(0, 0, 0), (3, 4, 0), (3, 5, 0)], source="Tape"
)


def marks_file(folder, marks):
    path = folder / "marks.json"
    content = {"format": "mannequin-marks", "format_version": 1, "marks": documents_of(marks)}
    path.write_text(json.dumps(content))
    return path


def test_ellipse():
    """On the ends of its axes it is 1 off, at half of them a half; turned by 90 degrees the axes swap."""
    ellipse = (2.0, 0.5, 30.0)
    along = np.array([math.cos(math.radians(30)), math.sin(math.radians(30))])
    across = np.array([-along[1], along[0]])
    assert ellipses_off(np.array([2.0 * along, 0.5 * across, along, 0.0 * along]), ellipse) == pytest.approx(
        [1.0, 1.0, 0.5, 0.0]
    )
    assert ellipses_off(across, (2.0, 0.5, 120.0)) == pytest.approx(0.5)
    assert ellipses_off(np.array([0.0, 0.0, 1.0]), (2.0, 0.5, 0.0)) == pytest.approx(1.0)


def test_marks_survive_files(tmp_path):
    assert read_marks(marks_file(tmp_path, [SKID])) == [SKID] and SKID.length == pytest.approx(6.0)
    scenario = make_scenario()
    scenario.extras[KEY] = documents_of([SKID])
    write_scenario(scenario, tmp_path / "s.json")
    assert marks_of(read_scenario(tmp_path / "s.json")) == [SKID]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ellipse": [0, 1, 0]}, "no size"),
        ({"name": ""}, "empty or taken"),
        ({"kind": "elbow"}, "elbow"),
        ({"position": [0]}, "3"),
    ],
)
def test_bad_marks(tmp_path, change, message):
    path = marks_file(tmp_path, [SKID])
    document = json.loads(path.read_text())
    document["marks"][0] |= change
    path.write_text(json.dumps(document))
    with pytest.raises(FileError, match=message):
        read_marks(path)


def test_report_lists_marks_and_compares_rest_positions(tmp_path, no_curves):
    scenario, recording = make_scenario(), make_recording(5)
    actor = recording.actor_names[0]
    own = recording.body_actor == 0
    mass = recording.body_mass[own]
    rest = (recording.position[-1, own] * mass[:, None]).sum(axis=0) / mass.sum()
    found = Mark(
        "lay here", "rest", (rest[0] - 0.3, rest[1], 0.0), (0.2, 0.2, 0.0), body=actor, source="Photo 7"
    )
    scenario.extras[KEY] = documents_of([SKID, found])
    folder = write_run(scenario, recording, tmp_path, started=NOW, ended=NOW)
    text = build_report(read_run(folder))
    assert "Marks at the place" in text and "Photo 7" in text and "6.00" in text
    assert "0.30 m off, 1.5 ellipses" in text
    scenario.extras.clear()
    again = write_run(scenario, recording, tmp_path / "other", started=NOW, ended=NOW)
    assert "Marks at the place" not in build_report(read_run(again))


def evidence(tmp_path, **target):
    document = {
        "format": "mannequin-evidence",
        "format_version": 1,
        "name": "a",
        "scenario": "fall",
        "marks": "marks.json",
        "unknowns": [{"name": "v", "address": "actors.a.speed", "low": 1, "high": 2}],
        "targets": [{"name": "t", "kind": "rest_position", "tolerance": 1.0, **target}],
    }
    path = tmp_path / "evidence.json"
    path.write_text(json.dumps(document))
    return path


def test_fit_takes_place_and_ellipse_of_a_mark(tmp_path):
    scenario, recording = make_scenario(), make_recording(5)
    actor = recording.actor_names[0]
    own = recording.body_actor == 0
    mass = recording.body_mass[own]
    rest = (recording.position[-1, own] * mass[:, None]).sum(axis=0) / mass.sum()
    place = (float(rest[0]) - 0.3, float(rest[1]) + 0.1, 0.0)
    marks_file(tmp_path, [Mark("lay here", "rest", place, (0.6, 0.1, 0.0), body=actor, source="Photo 7")])
    target = read_evidence(evidence(tmp_path, mark="lay here")).targets[0]
    assert target.body == actor and target.source == "Photo 7"
    expected = math.hypot(0.3 / 0.6, 0.1 / 0.1)
    assert deviation(target, scenario, recording) == pytest.approx(expected, rel=1e-6)
    with pytest.raises(FileError, match="no mark 'elsewhere'"):
        read_evidence(evidence(tmp_path, mark="elsewhere"))
