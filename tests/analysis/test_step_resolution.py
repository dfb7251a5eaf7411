"""Coarse steps are said: from how many steps per contact, and where a result cannot be right."""

import dataclasses
from datetime import UTC, datetime

import numpy as np
import pytest
from synthetic_run import make_recording, make_scenario

from mannequin.__main__ import main
from mannequin.analysis.files.manifest import build
from mannequin.analysis.files.run_folder import read_run, write_run
from mannequin.analysis.files.summary import summary_text
from mannequin.analysis.files.verify import verify_run
from mannequin.analysis.measures.step_resolution import (
    ENOUGH_STEPS,
    TOO_FEW_STEPS,
    UNRESOLVED,
    is_unusable,
    judged,
    step_warnings,
)


def run_of(steps, **settings):
    """A scenario and a recording whose one hard impact lasts this many steps."""
    recording = make_recording(201)
    event = recording.contacts[0]
    return make_scenario(time_step=float(event["end"] - event["start"]) / steps, **settings), recording


@pytest.mark.parametrize("steps, warns, fails", [(1.4, True, True), (3.9, True, True), (4.1, True, False)]
                         + [(19.9, True, False), (20.1, False, False), (200.0, False, False)])  # fmt: skip
def test_warned_and_refused_by_the_steps_of_the_hardest_impact(steps, warns, fails):
    scenario, recording = run_of(steps)
    found = step_warnings(scenario, recording)
    assert bool(found) == warns and is_unusable(scenario, recording) == fails
    assert all(f"{steps:.1f} steps" in text and "Head" in text for text in found)


def test_the_warning_is_in_manifest_and_summary():
    scenario, recording = run_of(7.0)
    when = dict.fromkeys(("started", "ended"), datetime.now(UTC))
    assert "7.0 steps" in build("x", scenario, recording, **when)["warnings"][-1]
    assert "7.0 steps" in summary_text(scenario, recording, [], "x")


@pytest.mark.parametrize("change", [{"approach_speed": 0.4}, {"end": np.nan}])
def test_grazing_and_lasting_contacts_do_not_count(change):
    scenario, recording = run_of(2.0)
    for name, value in change.items():
        recording.contacts[name][0] = value
    assert step_warnings(scenario, recording) == []


def test_a_variable_step_is_not_judged():
    scenario, recording = run_of(2.0)
    scenario = dataclasses.replace(
        scenario, settings=dataclasses.replace(scenario.settings, integrator="variable_step")
    )
    assert step_warnings(scenario, recording) == []


def largest_error(count):
    """Largest error of place or velocity over half a period of x'' = -x from x = 0, v = 1, by symplectic Euler."""
    step, x, v, worst = np.pi / count, 0.0, 1.0, 0.0
    for number in range(1, int(count) + 1):
        v -= step * x
        x += step * v
        worst = max(worst, abs(x - np.sin(number * step)), abs(v - np.cos(number * step)))
    return worst


@pytest.mark.parametrize("steps", [TOO_FEW_STEPS, ENOUGH_STEPS])
def test_the_bounds_mean_what_the_derivation_says(steps):
    """The error of an oscillator in one contact is pi / (2 N) of its amplitude, to the next order."""
    assert largest_error(steps) == pytest.approx(np.pi / (2.0 * steps), rel=0.35)


@pytest.mark.parametrize("steps, status", [(3.9, UNRESOLVED), (4.1, "completed")])
def test_the_status_tells_a_run_that_cannot_be_right(steps, status, tmp_path):
    """In the run folder and all that is printed from it; a cancelled run stays what it is."""
    scenario, recording = run_of(steps)
    now = datetime.now(UTC)
    run = read_run(write_run(scenario, recording, tmp_path, started=now, ended=now))
    assert run.recording.status == run.manifest["status"] == status
    assert ("fewer than 4 time steps" in run.recording.message) == (status == UNRESOLVED)
    (summary,) = run.folder.glob("*_summary.txt")
    assert status in summary.read_text()
    recording.status = "cancelled"
    assert judged(scenario, recording).status == "cancelled"


@pytest.mark.long
def test_a_coarse_fall_is_unresolved_everywhere_and_verified(tmp_path, capsys, no_curves):
    """A standing fall at 20 ms, HIC off by a factor of 75: exit code 1, and the second run agrees that it is so."""
    changes = ["--set", "time_step=0.02", "--set", "output_step=0.02", "--set", "duration=1.5"]
    assert main(["run", "fall_standing", "--out", str(tmp_path), *changes]) == 1
    told = capsys.readouterr()
    (folder,) = tmp_path.iterdir()
    assert "unresolved: An impact lasted fewer than 4 time steps" in told.err
    assert read_run(folder).manifest["status"] == UNRESOLVED
    found = verify_run(folder)
    assert found.replay == "identical" and not found.problems
    assert main(["report", str(folder), "--no-step-check"]) == 0
    (report,) = folder.glob("*_report.html")
    assert "The run is of no use" in report.read_text() and "did not complete" not in report.read_text()
