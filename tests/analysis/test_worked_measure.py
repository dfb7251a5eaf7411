"""The worked example of CONTRIBUTING, an injury measure: made in a copy of the package and used there."""

import os
import subprocess
import sys

import pytest
from worked_examples import ROOT, changes, copy_with_changes, listed_files

GUIDE = "An injury measure"
USE = """
import sys
import numpy as np
import mannequin
from mannequin.analysis.files.run_folder import read_run, write_run
from mannequin.analysis.measures import evaluate
from mannequin.analysis.pages.report import build_report
from dataclasses import replace
from datetime import UTC, datetime
from synthetic_run import make_recording, make_scenario

recording, scenario = make_recording(), make_scenario()
index = recording.channel_quantity.index("turn_rate")
# a turn rate that swells and dies away as exp(-x^2 / 2) has its steepest slope, exp(-1/2), at x = -1 and 1
x = (recording.channel_times - 0.1) / 0.02
size = 500.0 * 0.02 * np.exp(0.5 - 0.5 * x**2)
recording.channel_data[:, index] = size[:, None] * np.array([0.6, 0.0, -0.8])
# what the frames hold must not count
recording.angular_acceleration[7, 1] = (3e4, 0.0, -4e4)


def found(recording):
    return [measure for measure in evaluate(scenario, recording) if measure.name == "peak angular acceleration"]


(measure,) = found(recording) or [None]
assert measure, []
assert (measure.subject, measure.unit) == ("man / Head", "rad/s2"), measure
assert abs(measure.value / 500.0 - 1.0) < 0.005, measure
assert min(abs(measure.details["time_s"] - t) for t in (0.08, 0.12)) < 2e-3, measure
(absent,) = found(replace(recording, channel_sensor=()))
assert absent.text == "not available" and "sensors" in absent.warnings[0], absent
now = datetime.now(UTC)
folder = write_run(scenario, recording, sys.argv[1], started=now, ended=now)
assert any("peak angular acceleration" in path.read_text() for path in folder.glob("*_summary.txt"))
assert "Rotation of the head" in build_report(read_run(folder))
print(mannequin.__file__)
"""


def used_in(folder) -> subprocess.CompletedProcess:
    path = os.pathsep.join([str(folder), str(ROOT / "tests" / "support")])
    environment = os.environ | {"MANNEQUIN_INTERPRETED": "1", "PYTHONPATH": path}
    command = [sys.executable, "-c", USE, str(folder / "out")]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)


def test_the_list_names_the_files_that_are_changed():
    assert listed_files(GUIDE) == list(changes(GUIDE))


@pytest.mark.long
def test_the_example_works_with_these_changes_and_no_others(tmp_path):
    copy_with_changes(tmp_path, GUIDE, ("engine", "io_json", "analysis"))
    done = used_in(tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(tmp_path))


def test_without_them_it_does_not(tmp_path):
    (tmp_path / "mannequin").symlink_to(ROOT)
    assert "AssertionError: []" in used_in(tmp_path).stderr
