"""Conduct a sweep: distribute the missing runs, record each result, and try again those whose process died."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from ..analysis.files.forecast import require_room
from ..engine.runs.batch import core_count
from ..engine.runs.temporary import remove_leftovers
from .bench import Item, Task
from .cluster import Cluster, Tls
from .folder import finish, is_finished
from .journal import Journal
from .plan import Plan
from .pool import InThisProcess, Processes, Runner, rows_of

JOURNAL_NAME = "journal.txt"
TIME_LIMIT = 3600.0
"""s that a run may take where nothing else is given"""

Progress = Callable[[int, int], None]
"""Called with the number of runs done and of all."""


class Planned(Protocol):
    """What the plans of a sweep and of a fit have in common."""

    task: Task
    runs: int
    digest: str


def make_runner(
    plan: Planned,
    processes: int | None = None,
    scheduler: str = "",
    time_limit: float | None = TIME_LIMIT,
    tls: Tls | None = None,
) -> Runner:
    """Where to run: a cluster, this process (0 processes), or processes, one per core by default.

    Raises FileError where memory or disk have no room for the runs that are then under way at once. time_limit: s that
    a run may take, where it has a process of its own. tls: of the cluster.
    """
    if scheduler:
        return Cluster(plan.task, scheduler, time_limit, tls)
    count = min(processes or core_count(), plan.runs)
    remove_leftovers()
    require_room(plan.task.scenario, None, count)
    return InThisProcess(plan.task) if processes == 0 else Processes(plan.task, count, time_limit)


def open_journal(plan: Planned, folder: Path) -> Journal:
    """The journal of a sweep's folder, with the rows of earlier tries in it. Raises FileError."""
    return Journal(folder / JOURNAL_NAME, plan.digest, plan.runs)


def complete(
    plan: Plan,
    journal: Journal,
    folder: Path,
    make: Callable[[], Runner],
    report: bool = True,
    progress: Progress | None = None,
    cancel: Callable[[], bool] | None = None,
) -> bool:
    """Make every run that the journal lacks, with the runner of `make`, then write the sweep's tables and summary.

    False where it was cancelled; what is done stays done. A sweep that is complete already is left as it is.
    """
    if is_finished(folder, report):
        return True
    if not conduct(plan, journal, make(), progress, cancel):
        return False
    finish(plan, journal, folder, report)
    return True


def conduct(
    plan: Plan,
    journal: Journal,
    runner: Runner,
    progress: Progress | None = None,
    cancel: Callable[[], bool] | None = None,
) -> bool:
    """Make every run that the journal lacks. False where it was cancelled; what is done stays done."""
    try:
        for rows in rows_of(runner, _missing(plan, journal)):
            journal.append(rows)
            if progress is not None:
                progress(journal.done, plan.runs)
            if cancel is not None and cancel():
                return False
        return True
    finally:
        runner.close()


def _missing(plan: Plan, journal: Journal) -> Iterator[Item]:
    """The runs that the journal lacks."""
    for index in journal.missing():
        yield int(index), tuple(plan.points[index].tolist())
