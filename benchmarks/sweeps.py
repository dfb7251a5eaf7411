"""Speed of sweeps and of what-if.

measure(): falls of one second a second by a sweep on all cores, measures and events included; and how long a run of one
second takes in the worker process from a changed scenario to its recording, which is what what-if waits for.
"""

from __future__ import annotations

import dataclasses
import statistics
import tempfile
import time
from pathlib import Path

from mannequin.engine.runs.batch import core_count
from mannequin.engine.spec import Scenario
from mannequin.io_json.scenario_json import read_scenario
from mannequin.jobs.engine import EngineWorker
from mannequin.models.library import scenario_path
from mannequin.sweeps.conduct import conduct, make_runner, open_journal
from mannequin.sweeps.plan import make_plan, write_plan
from mannequin.sweeps.spec import Design, Distribution, Parameter, Quantity, Sweep

WHAT_IF = ("fall_standing", "rugby_tackle")


def one_second(name: str, time_step: float = 1e-4) -> Scenario:
    """A shipped scenario, cut to one second."""
    scenario = read_scenario(scenario_path(name))
    settings = dataclasses.replace(
        scenario.settings, duration=1.0, time_step=time_step, output_step=1e-3, reactions=False
    )
    return dataclasses.replace(scenario, settings=settings)


def measure(runs: int = 40, repeats: int = 7) -> dict[str, float]:
    """Falls a second of a sweep on all cores, start-up not counted; seconds of what-if, the median."""
    found = {"cores": float(core_count()), "falls_per_second": falls_per_second(runs)}
    for name in WHAT_IF:
        found[f"what_if_{name}_s"] = what_if_seconds(one_second(name, 2e-4), repeats)
    return found


def falls_per_second(runs: int) -> float:
    """Of a sweep over speed, from the first row of the journal to the last."""
    scenario = one_second("fall_standing")
    name = scenario.actors[0].name
    push = Parameter("push", f"actors.{name}.velocity.0", Distribution("uniform", low=0.0, high=1.0))
    asked = [Quantity("HIC15", measure="HIC15", of=f"{name}/head")]
    plan = make_plan(Sweep("falls", "", [push], Design(runs=runs), asked), scenario)
    times: list[tuple[float, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        with open_journal(plan, write_plan(plan, Path(folder))) as journal:
            conduct(
                plan, journal, make_runner(plan), lambda done, of: times.append((time.perf_counter(), done))
            )
    begun = [entry for entry in times if entry[1] > 0]
    (first, before), (last, after) = begun[0], begun[-1]
    return (after - before) / (last - first)


def what_if_seconds(scenario: Scenario, repeats: int) -> float:
    """From a changed scenario to what is shown of it, through the worker process."""
    worker = EngineWorker()
    try:
        worker.preview(scenario).wait()
        taken = []
        for number in range(repeats):
            settings = dataclasses.replace(scenario.settings, friction=0.4 + 0.01 * number)
            begun = time.perf_counter()
            job = worker.preview(dataclasses.replace(scenario, settings=settings))
            job.wait()
            job.preview()
            taken.append(time.perf_counter() - begun)
        return statistics.median(taken)
    finally:
        worker.close()
