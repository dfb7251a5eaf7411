"""Hypotheses of an evidence file: a sweep of each, then all of them held against the evidence."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from ...analysis.measures.catalogue import WITHOUT_SENSORS
from ...engine.spec import Scenario
from ...io_json.errors import FileError, in_file
from ..conduct import Progress, complete, open_journal
from ..fit.spec import Evidence
from ..plan import SCENARIO_NAME, Plan, make_plan, scenario_beside, write_plan
from ..pool import Runner
from ..spec import Design, Sweep, check_names
from ..usual import usual_outcomes
from .judge import Judgement, judge
from .readings import Asked, asked_by
from .spec import Hypothesis, Question

SWEEPS_FOLDER = "sweeps"


def sweeps_of(evidence: Evidence, scenario: Scenario, asked: Asked) -> list[Sweep]:
    """The sweep of each hypothesis: what the evidence asks for, and what else could be found at the place."""
    usual = usual_outcomes(scenario)
    others = [q for q in usual["measures"] if not q.measure or q.measure in WITHOUT_SENSORS]
    sweeps = []
    for number, hypothesis in enumerate(evidence.hypotheses):
        sweep = Sweep(
            f"{evidence.name} {hypothesis.name}",
            SCENARIO_NAME,
            hypothesis.parameters,
            Design(runs=evidence.comparison.runs, seed=evidence.comparison.seed + number),
            asked.measures + others,
            usual["events"],
            asked.marks,
            usual["traces"],
            evidence.changes,
            evidence.keep_on_ground,
        )
        check_names(sweep)
        sweeps.append(sweep)
    return sweeps


def compare(
    evidence: Evidence,
    path: str | os.PathLike,
    out: Path,
    make: Callable[[Plan], Runner],
    progress: Progress | None = None,
    cancel: Callable[[], bool] | None = None,
    allow_outside: bool = False,
    inputs: Mapping[str, str] | None = None,
) -> Judgement | None:
    """Run what is missing of the hypotheses of an evidence file, then judge; None where it was cancelled.

    Sweeps are in folders of their own below `out`, without a report, and go on where they were stopped.
    Raises FileError or EngineError.
    """
    if not evidence.hypotheses:
        remedy = "Give two or more, each with a name and parameters"
        raise FileError("there are no hypotheses", path=path, place="/hypotheses", remedy=remedy)
    scenario = scenario_beside(evidence.scenario, path, allow_outside)
    folders = {}
    with in_file(path):
        asked = asked_by(evidence.targets, scenario)
        plans = [make_plan(sweep, scenario) for sweep in sweeps_of(evidence, scenario, asked)]
    total, done = sum(plan.runs for plan in plans), 0
    for plan, hypothesis in zip(plans, evidence.hypotheses, strict=True):
        folder = folders[hypothesis.name] = write_plan(plan, out / SWEEPS_FOLDER, inputs)
        tell = None if progress is None else lambda runs, _, before=done: progress(before + runs, total)
        with open_journal(plan, folder) as journal:
            if not complete(plan, journal, folder, lambda plan=plan: make(plan), False, tell, cancel):
                return None
        done += plan.runs
    comparison = evidence.comparison
    hypotheses = tuple(Hypothesis(name, folder) for name, folder in folders.items())
    return judge(
        Question(evidence.name, hypotheses, tuple(asked.evidence), comparison.seed, comparison.cases)
    )
