"""Everything decided about a fit before its first run."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ...engine.spec import Scenario
from ...io_json import atomic, layout, scenario_json
from ...io_json.declarations import record_of
from ...io_json.documents import read_document
from ...io_json.errors import FileError, in_file
from ...io_json.model_keys import require_object
from ..bench import Task
from ..inputs import scenario_for
from ..outcomes import trace
from ..plan import (
    FILE_NAME,
    SCENARIO_NAME,
    checked_base,
    digest_of,
    facts,
    folder_name,
    scenario_beside,
    trial_run,
    write_scenario_copy,
)
from .spec import Comparison, Evidence, check, document_of
from .targets import Judge

FORMAT = "mannequin-fit-plan"
FORMAT_VERSION = 1
OF_OTHERS: dict[str, Any] = {
    "hypotheses": [],
    "comparison": Comparison(),
    "scenario": SCENARIO_NAME,
    "marks": "",
}
"""What of an evidence file a fit does not depend on, and what stands for it: not the names of files, for one."""


@dataclass(frozen=True)
class FitPlan:
    """A fit that is ready to run."""

    evidence: Evidence
    scenario: Scenario
    """The scenario with `changes` made."""

    @property
    def task(self) -> Task:
        """What workers need of it."""
        unknowns = [unknown.parameter for unknown in self.evidence.unknowns]
        evidence = self.evidence
        return Task(
            self.scenario, evidence, unknowns, Judge(evidence), evidence.keep_on_ground, evidence.traces
        )

    @property
    def runs(self) -> int:
        """Most runs that it may make."""
        return self.evidence.search.runs

    @cached_property
    def digest(self) -> str:
        """Digest of everything the fit depends on, see `plan.digest_of`."""
        return digest_of(document_of(replace(self.evidence, **OF_OTHERS)), self.scenario)

    @property
    def folder_name(self) -> str:
        """Name of its folder, see `plan.folder_name`."""
        return folder_name(self.evidence.name, self.digest)


def make_fit_plan(evidence: Evidence, scenario: Scenario) -> FitPlan:
    """Check the evidence against its scenario. Raises FileError or EngineError."""
    if not evidence.unknowns:
        raise FileError("there are no unknowns", place="/unknowns", remedy="Say what is to be found")
    unknowns = [unknown.parameter for unknown in evidence.unknowns]
    base = checked_base(scenario, evidence.changes, unknowns, "unknowns")
    trial = trial_run(base)
    Judge(evidence).check(base, trial)
    if evidence.traces is not None:
        trace(trial, evidence.traces)
    scenario_for(base, unknowns, [unknown.low for unknown in evidence.unknowns], evidence.keep_on_ground)
    return FitPlan(evidence, base)


def fit_plan_of_file(evidence: Evidence, path: str | os.PathLike, allow_outside: bool = False) -> FitPlan:
    """The plan of evidence that was read from a file. Raises FileError or EngineError."""
    scenario = scenario_beside(evidence.scenario, path, allow_outside)
    with in_file(path):
        return make_fit_plan(evidence, scenario)


def write_fit_plan(plan: FitPlan, out: str | os.PathLike, inputs: Mapping[str, str] | None = None) -> Path:
    """Make the fit's folder under `out`; returns it. One that is there already is that of the same fit."""
    folder = Path(out) / plan.folder_name
    if not (folder / FILE_NAME).exists():
        write_scenario_copy(plan.scenario, folder)
        head = {"format": FORMAT, "format_version": FORMAT_VERSION, "digest": plan.digest}
        content = head | {"inputs": dict(inputs or {}), **facts(), "evidence": document_of(plan.evidence)}
        atomic.write_text(folder / FILE_NAME, layout.compact(content))
    return folder


def read_fit_plan(folder: str | os.PathLike) -> FitPlan:
    """The plan of a fit's folder. Raises FileError."""
    path = Path(folder) / FILE_NAME
    content = read_document(path, FORMAT, FORMAT_VERSION)
    with in_file(path):
        stated = require_object(content.get("evidence"), "/evidence")
        document = {key: value for key, value in stated.items() if key not in ("format", "format_version")}
        evidence = record_of(Evidence).read(document, "/evidence")
        check(evidence)
        return FitPlan(evidence, scenario_json.read_scenario(Path(folder) / SCENARIO_NAME))
