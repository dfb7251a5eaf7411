"""Conduct a sweep: hand out the runs that are missing, write down each one that comes back, judge those that kill."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from ..engine.batch import core_count
from .cluster import Cluster
from .fit.plan import FitPlan
from .journal import Journal
from .plan import Plan
from .pool import InThisProcess, Processes, Runner
from .worker import LOST, Item, Row

JOURNAL_NAME = "journal.txt"
LARGEST_CHUNK = 8
"""Runs handed to a worker at a time: what a kill repeats at most, per worker."""
CHUNKS_PER_WORKER = 4
ATTEMPTS = 2
"""Times that a run whose worker was lost is tried alone before it is reported as lost itself."""

Progress = Callable[[int, int], None]
"""Called with the number of runs done and of all."""


def make_runner(plan: Plan | FitPlan, processes: int | None = None, scheduler: str = "") -> Runner:
    """Where to run: a cluster, this process (0 processes), or processes, one per core unless said otherwise."""
    if scheduler:
        return Cluster(plan.task, scheduler)
    if processes == 0:
        return InThisProcess(plan.task)
    return Processes(plan.task, min(processes or core_count(), plan.runs))


def open_journal(plan: Plan | FitPlan, folder: Path) -> Journal:
    """The journal of a sweep's folder, with the rows of earlier tries in it. Raises FileError."""
    return Journal(folder / JOURNAL_NAME, plan.digest, plan.runs)


def conduct(
    plan: Plan,
    journal: Journal,
    runner: Runner,
    progress: Progress | None = None,
    cancel: Callable[[], bool] | None = None,
) -> bool:
    """Make every run that the journal lacks. False where it was cancelled; what is done stays done."""
    suspects: list[Item] = []
    chunks = _chunks(plan, journal, getattr(runner, "processes", 1))
    try:
        for chunk, rows in runner.results(chunks):
            if rows is None:
                suspects += chunk
            else:
                journal.append(rows)
            if progress is not None:
                progress(journal.done, plan.runs)
            if cancel is not None and cancel():
                return False
        return _judge(journal, runner, suspects, plan.runs, progress, cancel)
    finally:
        runner.close()


def _judge(
    journal: Journal,
    runner: Runner,
    suspects: Sequence[Item],
    runs: int,
    progress: Progress | None,
    cancel: Callable[[], bool] | None,
) -> bool:
    """Try the runs whose worker was lost again, each alone: most were only near; one that kills again is reported."""
    for item in suspects:
        rows = None
        for _ in range(ATTEMPTS):
            rows = rows or runner.alone(item)
        lost = Row(item[0], LOST, message=f"the process that ran it died, {ATTEMPTS} times when it ran alone")
        journal.append(rows or [lost])
        if progress is not None:
            progress(journal.done, runs)
        if cancel is not None and cancel():
            return False
    return True


def _chunks(plan: Plan, journal: Journal, workers: int) -> Iterator[Sequence[Item]]:
    """The missing runs, a few at a time."""
    missing = journal.missing()
    size = int(np.clip(len(missing) // (CHUNKS_PER_WORKER * workers), 1, LARGEST_CHUNK))
    for first in range(0, len(missing), size):
        yield [(int(index), tuple(plan.points[index].tolist())) for index in missing[first : first + size]]
