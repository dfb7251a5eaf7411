"""People who respond, walk and keep balance in a sweep: every row is the run that the same numbers give alone."""

import numpy as np
import pytest
from thrown_ball import make_sweep

from mannequin.engine import Response, run
from mannequin.models.validation.active_falls import fall_scenario
from mannequin.sweeps.bench import scenario_of
from mannequin.sweeps.conduct import conduct, make_runner, open_journal
from mannequin.sweeps.folder import finish
from mannequin.sweeps.plan import make_plan, write_plan
from mannequin.sweeps.spec import Design, Distribution, Parameter, Quantity
from mannequin.sweeps.table import read_table

RUNS = 3


def plan_of_responses():
    """Latency and strength of a person who falls forward from 10 degrees; where the head is, and how fast, at last."""
    scenario = fall_scenario(Response("adult", balance=True), "male", 0.0, 10.0, 0.5)
    scenario.actors[0].name = "man"
    sweep = make_sweep(
        parameters=[
            Parameter(
                "latency",
                "actors.man.response.latency",
                Distribution("uniform", low=0.05, high=0.2),
                source="test",
            ),
            Parameter(
                "strength",
                "actors.man.response.strength",
                Distribution("uniform", low=0.3, high=1.0),
                source="test",
            ),
        ],
        design=Design("latin_hypercube", RUNS, seed=3),
        measures=[Quantity("hand", "m", body="man/HandL", component="x", take="max")],
        events=[],
        marks=[],
        traces=None,
    )
    return make_plan(sweep, scenario)


@pytest.mark.long
def test_rows_are_those_of_single_runs_here_and_in_processes(tmp_path):
    plan = plan_of_responses()
    tables = []
    for name, processes in (("here", 0), ("there", 2)):
        folder = write_plan(plan, tmp_path / name)
        with open_journal(plan, folder) as journal:
            assert conduct(plan, journal, make_runner(plan, processes=processes))
            finish(plan, journal, folder, report=False)
        tables.append((folder / "table.csv").read_bytes())
    assert tables[0] == tables[1]
    rows = read_table(plan, folder).numbers
    hands = []
    for point in plan.points:
        alone = run(scenario_of(plan.task, point))
        hands.append(alone.position[:, alone.body_index("man", "HandL"), 0].max())
    np.testing.assert_array_equal(rows["hand"], hands)
    assert len(set(hands)) == RUNS
