"""Runs of a sweep whose time step is too long for their impacts: in no figure below 4 steps, flagged below 20."""

import json

import pytest
from thrown_ball import make_sweep, make_throw, write_files

from mannequin.__main__ import main
from mannequin.engine.errors import EngineError
from mannequin.io_json.scenario_json import write_scenario
from mannequin.sweeps.bench import Bench
from mannequin.sweeps.design import points
from mannequin.sweeps.plan import Plan, make_plan

# The ball is on the ground for 14 ms.
FINE, LONG, TOO_LONG = 2e-4, 1e-3, 5e-3


@pytest.mark.parametrize(
    "time_step, status, message",
    [
        (FINE, "completed", ""),
        (LONG, "completed", "lasted 14.0 steps, fewer than 20"),
        (TOO_LONG, "unresolved", "fewer than 4 time steps"),
    ],
)
def test_every_run_is_judged(time_step, status, message):
    sweep = make_sweep()
    plan = Plan(sweep, make_throw(time_step), points(sweep.design, sweep.parameters))
    row = Bench(plan.task).make((0, (4.0, 0.4)))
    assert row.status == status and (message in row.message if message else not row.message)
    assert bool(row.values) == bool(row.trace) == (status == "completed")


def test_a_sweep_whose_scenario_cannot_be_right_is_refused():
    with pytest.raises(EngineError, match=r"does not complete \(unresolved\).*fewer than 4 time steps"):
        make_plan(make_sweep(), make_throw(TOO_LONG))


@pytest.mark.long
def test_the_share_is_printed_and_is_in_summary_and_report(tmp_path, capsys):
    file = write_files(tmp_path, runs=4)
    write_scenario(make_throw(LONG), tmp_path / "throw.json")
    assert main(["sweep", str(file), "--out", str(tmp_path / "out"), "--processes", "1"]) == 0
    told = capsys.readouterr()
    assert "the time step is long for the impacts of 4 of 4 runs (100 %)" in told.err
    (folder,) = (tmp_path / "out").iterdir()
    assert json.loads((folder / "summary.json").read_text())["coarse"] == 4
    assert "long for the impacts of 4 of 4 runs (100 %)" in (folder / "report.html").read_text()
