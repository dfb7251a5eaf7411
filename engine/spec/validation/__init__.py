"""Checks on what a person authored. `spec_issues` finds every problem at once; nothing is repaired in silence.

Three steps: the fields one by one by their types and `engine.spec.rules` (`fields`); what they mean together (`model`,
`scenario` and what those import); and, in `engine.build`, what only shows when all stands at its start. Nothing that
runs checks a spec anywhere else.
"""

from collections.abc import Iterable

import numpy as np

from ...errors import EngineError
from .. import Model, Scenario
from ..sharing import Once, each_time
from .issue import Issue, error
from .model import model_issues
from .scenario import scenario_issues

MOST_SHOWN = 20
"""Errors that a message lists."""


class Refused(EngineError):
    """A spec that cannot be simulated, with everything that is wrong with it."""

    def __init__(self, name: str, issues: Iterable[Issue]) -> None:
        self.issues = list(issues)
        shown = "\n".join(map(str, self.issues[:MOST_SHOWN]))
        left = len(self.issues) - MOST_SHOWN
        super().__init__(
            f"'{name}' cannot be simulated:\n{shown}" + (f"\n... and {left} more" if left > 0 else "")
        )


def spec_issues(spec: Model | Scenario, once: Once = each_time) -> list[Issue]:
    """Every problem of a model or a scenario (its models included) as it is written, errors first."""
    with np.errstate(all="ignore"):
        issues = scenario_issues(spec, once) if isinstance(spec, Scenario) else model_issues(spec)
    return sorted(issues, key=lambda issue: issue.severity != "error")


def refuse(name: str, issues: Iterable[Issue]) -> list[Issue]:
    """The warnings among the issues of a spec; raises `Refused` where there are errors."""
    issues = list(issues)
    errors = [issue for issue in issues if issue.severity == "error"]
    if errors:
        raise Refused(name, errors)
    return issues
