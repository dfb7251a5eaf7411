"""What the simulation process can do of sweeps: run one that is described in a file, or make single runs of it."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ..io_json import exact_copy
from ..jobs import protocol
from ..jobs.server import Dropped, Task, Work


def run_sweep(request: protocol.RunSweep, task: Task) -> Path:
    """Run a sweep file to its end; returns the sweep's folder."""
    from ..analysis.files.manifest import sha256_of_file  # all this takes SciPy, which may not be there
    from .conduct import complete, make_runner, open_journal
    from .plan import plan_of_file, write_plan
    from .spec import read_sweep

    plan = plan_of_file(read_sweep(request.file), request.file)
    folder = write_plan(plan, request.out, {request.file.name: sha256_of_file(request.file)})

    def tell(done: int, total: int) -> None:
        task.tell(done, total, f"Sweep: {done} of {total} runs")

    with open_journal(plan, folder) as journal:
        if not complete(
            plan, journal, folder, lambda: make_runner(plan), progress=tell, cancel=lambda: task.is_dropped
        ):
            raise Dropped
    return folder


def run_fit(request: protocol.RunFit, task: Task) -> Path:
    """Fit an evidence file; returns the fit's folder."""
    from ..analysis.files.manifest import sha256_of_file  # all this takes SciPy, which may not be there
    from .conduct import make_runner
    from .fit.conduct import complete_fit
    from .fit.plan import fit_plan_of_file, write_fit_plan
    from .fit.spec import read_evidence

    plan = fit_plan_of_file(read_evidence(request.file), request.file)
    folder = write_fit_plan(plan, request.out, {request.file.name: sha256_of_file(request.file)})

    def tell(done: int, total: int) -> None:
        task.tell(done, total, f"Fit: {done} runs, at most {total}")

    if complete_fit(plan, folder, lambda: make_runner(plan), tell, lambda: task.is_dropped) is None:
        raise Dropped
    return folder


def run_hypotheses(request: protocol.RunHypotheses, task: Task) -> Path:
    """Compare the hypotheses of an evidence file; returns the folder of the judgement."""
    from ..analysis.files.manifest import sha256_of_file  # all this takes SciPy, which may not be there
    from .conduct import make_runner
    from .fit.spec import read_evidence
    from .hypotheses.conduct import compare
    from .hypotheses.folder import write

    def tell(done: int, total: int) -> None:
        task.tell(done, total, f"Hypotheses: {done} of {total} runs")

    inputs = {request.file.name: sha256_of_file(request.file)}
    evidence = read_evidence(request.file)
    judgement = compare(
        evidence, request.file, request.out, make_runner, tell, lambda: task.is_dropped, inputs=inputs
    )
    if judgement is None:
        raise Dropped
    return write(judgement, request.out)


def run_point(request: protocol.RunPoint, task: Task) -> protocol.PointDone:
    """Make one run of a sweep or of a fit."""
    row = bench_of(request.task, request.time_limit).make((request.index, tuple(request.values)))
    return protocol.PointDone(request.job, *row.plain())


@cache
def bench_of(file: Path, time_limit: float | None) -> Any:
    """The bench of a task: its runs come one after the other and have much in common."""
    from .bench import Bench

    return Bench(read_task(file.read_text(encoding="utf-8")), time_limit)


def read_task(text: str) -> Any:
    """The task that another process has written (`pool.task_text`)."""
    import numpy as np

    from ..engine.spec import Scenario
    from .fit.plan import FitPlan
    from .fit.spec import Evidence
    from .plan import Plan
    from .spec import Sweep

    content = json.loads(text)
    scenario = exact_copy.from_plain(Scenario, content["scenario"])
    if Sweep.__name__ in content:
        sweep = exact_copy.from_plain(Sweep, content[Sweep.__name__])
        return Plan(sweep, scenario, np.empty((0, len(sweep.parameters)))).task
    return FitPlan(exact_copy.from_plain(Evidence, content[Evidence.__name__]), scenario).task


WORK: Mapping[type, Work] = {
    protocol.RunSweep: run_sweep,
    protocol.RunFit: run_fit,
    protocol.RunHypotheses: run_hypotheses,
    protocol.RunPoint: run_point,
}
