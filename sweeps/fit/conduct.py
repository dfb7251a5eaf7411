"""Conduct a fit from its plan to its answer."""

from collections.abc import Callable
from pathlib import Path

from ..conduct import Progress, open_journal
from ..journal import Journal
from ..pool import Runner
from .answer import Answer, conclude
from .evaluate import Evaluator
from .folder import finish_fit
from .plan import FitPlan
from .search import search


def conduct_fit(
    plan: FitPlan,
    journal: Journal,
    runner: Runner,
    progress: Progress | None = None,
    cancel: Callable[[], bool] | None = None,
) -> tuple[Evaluator, Answer | None]:
    """Search, and conclude; the answer is None where the user cancelled."""
    evaluator = Evaluator(runner, journal, len(plan.evidence.targets), plan.runs, progress, cancel)
    try:
        is_complete = search(plan.evidence, evaluator)
    finally:
        runner.close()
    return evaluator, None if evaluator.is_cancelled else conclude(plan.evidence, evaluator, is_complete)


def complete_fit(
    plan: FitPlan,
    folder: Path,
    make: Callable[[], Runner],
    progress: Progress | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Answer | None:
    """Search with the runner of `make`, going on from what the folder's journal has, and write the fit's files.

    None where it was cancelled: then the folder has its plan and its journal, and none of the results.
    """
    with open_journal(plan, folder) as journal:
        evaluator, answer = conduct_fit(plan, journal, make(), progress, cancel)
        if answer is not None:
            finish_fit(plan, evaluator, answer, folder)
    return answer
