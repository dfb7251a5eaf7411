"""Speed of sweeps and of what-if.

measure(): falls of one second a second by a sweep on all cores, measures and events included, and what 1,000 of them
take with table and report; and how long a run of one second takes in the worker process from a changed scenario to its
recording, which is what what-if waits for.
"""

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
from mannequin.sweeps.conduct import complete, make_runner, open_journal
from mannequin.sweeps.plan import make_plan, write_plan
from mannequin.sweeps.spec import Design, Distribution, Parameter, Quantity, Sweep

THOUSAND = 1000
WHAT_IF = ("fall_standing", "rugby_tackle")


def one_second(name: str, time_step: float = 1e-4) -> Scenario:
    """A shipped scenario, cut to one second."""
    scenario = read_scenario(scenario_path(name))
    settings = dataclasses.replace(
        scenario.settings, duration=1.0, time_step=time_step, output_step=1e-3, reactions=False
    )
    return dataclasses.replace(scenario, settings=settings)


def measure(runs: int = 100, repeats: int = 7) -> dict[str, float]:
    """Falls a second of a sweep on all cores and what 1,000 take; seconds of what-if, the median."""
    found = {"cores": float(core_count()), **falls(runs)}
    for name in WHAT_IF:
        found[f"what_if_{name}_s"] = what_if_seconds(one_second(name, 2e-4), repeats)
    return found


def falls(runs: int) -> dict[str, float]:
    """Of a sweep over speed with its table and report: falls a second from the first row of the journal to the last;
    and, at this rate, seconds of 1,000 with the start of the processes, table and report as long as here."""
    scenario = one_second("fall_standing")
    name = scenario.actors[0].name
    push = Parameter("push", f"actors.{name}.velocity.0", Distribution("uniform", low=0.0, high=1.0))
    asked = [Quantity("HIC15", measure="HIC15", of=f"{name}/head")]
    plan = make_plan(Sweep("falls", "", [push], Design(runs=runs), asked), scenario)
    times: list[tuple[float, int]] = []
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as out:
        folder = write_plan(plan, Path(out))
        with open_journal(plan, folder) as journal:
            complete(
                plan,
                journal,
                folder,
                lambda: make_runner(plan),
                progress=lambda done, of: times.append((time.perf_counter(), done)),
            )
    whole = time.perf_counter() - begun
    (first, before), (last, after) = next(entry for entry in times if entry[1] > 0), times[-1]
    rate = (after - before) / (last - first)
    return {
        "runs": float(runs),
        "falls_per_second": rate,
        "thousand_falls_s": whole - (last - first) + THOUSAND / rate,
    }


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
