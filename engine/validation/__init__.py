"""Checks on what a person authored. `validate` finds every problem at once; nothing is repaired in silence."""

from __future__ import annotations

from ..errors import EngineError
from ..sharing import Once, each_time
from ..spec import Model, Scenario
from .issue import Issue
from .model import model_issues
from .scenario import scenario_issues

__all__ = ["Issue", "require_valid", "validate"]


def validate(spec: Model | Scenario, once: Once = each_time) -> list[Issue]:
    """Every problem of a model or a scenario (its models included), errors first."""
    issues = scenario_issues(spec, once) if isinstance(spec, Scenario) else model_issues(spec)
    return sorted(issues, key=lambda issue: issue.severity != "error")


def require_valid(spec: Model | Scenario, once: Once = each_time) -> list[Issue]:
    """The warnings of a spec; raises EngineError that lists the errors, if there are any."""
    issues = validate(spec, once)
    errors = [issue for issue in issues if issue.severity == "error"]
    if errors:
        shown = "\n".join(str(issue) for issue in errors[:20])
        more = f"\n... and {len(errors) - 20} more" if len(errors) > 20 else ""
        raise EngineError(f"'{spec.name}' cannot be simulated:\n{shown}{more}")
    return issues
