"""Conduct a fit from its plan to its answer."""

from collections.abc import Callable

from ..journal import Journal
from ..pool import Runner
from .answer import Answer, conclude
from .evaluate import Evaluator
from .plan import FitPlan
from .search import search


def conduct_fit(
    plan: FitPlan,
    journal: Journal,
    runner: Runner,
    progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> tuple[Evaluator, Answer | None]:
    """Search, and conclude; the answer is None where the user cancelled."""
    evaluator = Evaluator(runner, journal, len(plan.evidence.targets), plan.runs, progress, cancel)
    try:
        is_complete = search(plan.evidence, evaluator)
    finally:
        runner.close()
    return evaluator, None if evaluator.is_cancelled else conclude(plan.evidence, evaluator, is_complete)
