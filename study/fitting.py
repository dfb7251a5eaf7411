"""Evidence held against a scenario in one call."""

import os

from ..sweeps.conduct import make_runner
from ..sweeps.fit.answer import Answer
from ..sweeps.fit.conduct import complete_fit
from ..sweeps.fit.plan import make_fit_plan, write_fit_plan
from ..sweeps.fit.spec import Evidence
from .loading import Source, scenario_of


def fit(
    evidence: Evidence, source: Source, out: str | os.PathLike = "out", processes: int | None = 0
) -> Answer:
    """Every start of a scenario that agrees with the evidence, searched with as many runs as the evidence asks for.

    The fit's folder is written below `out`; a search that was stopped goes on from there. processes: 0 for this one,
    None for one on each core. `sweeps.fit.answer.statements` has the answer in words. Raises FileError.
    """
    plan = make_fit_plan(evidence, scenario_of(source))
    return complete_fit(plan, write_fit_plan(plan, out), lambda: make_runner(plan, processes=processes))
