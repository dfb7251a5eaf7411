"""Everything decided about a sweep before its first run, and the folder that holds it."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..analysis.files import manifest
from ..analysis.files.run_folder import scenario_with_own_models
from ..analysis.measures.step_resolution import judged
from ..engine.errors import EngineError
from ..engine.runs.recording import Recording
from ..engine.runs.simulation import run
from ..engine.spec import Scenario
from ..io_json import atomic, layout, model_json, scenario_json
from ..io_json.declarations import record_of
from ..io_json.documents import read_document
from ..io_json.errors import FileError, at_place, in_file
from ..io_json.model_keys import require_object
from ..io_json.names import safe_name
from ..io_json.resolve import resolve_model
from .bench import COMPLETED, Task
from .design import points
from .inputs import checked_nominal, scenario_for, with_inputs
from .outcomes import Observer, columns
from .spec import Parameter, Sweep, check_names, document_of

FILE_NAME = "plan.json"
FORMAT = "mannequin-sweep-plan"
FORMAT_VERSION = 1
SCENARIO_NAME = "scenario.json"
DIGEST_SHOWN = 8
PARTS = ("sweep", "versions", "platform", "inputs")
"""Members of the plan's file that are objects."""


@dataclass(frozen=True)
class Plan:
    """A sweep that is ready to run."""

    sweep: Sweep
    scenario: Scenario
    """The scenario with `changes` made."""
    points: np.ndarray
    """(runs, parameters)"""

    @property
    def runs(self) -> int:
        """Number of runs."""
        return len(self.points)

    @property
    def task(self) -> Task:
        """What workers need of it."""
        sweep = self.sweep
        return Task(
            self.scenario, sweep, sweep.parameters, Observer(sweep), sweep.keep_on_ground, sweep.traces
        )

    @property
    def columns(self) -> list[str]:
        """Names of what is kept of a run."""
        return columns(self.sweep)

    @cached_property
    def digest(self) -> str:
        """Digest of everything the sweep depends on, see `digest_of`."""
        return digest_of(document_of(self.sweep), self.scenario, points=manifest.plain(self.points))

    @property
    def folder_name(self) -> str:
        """Name of its folder, see `folder_name`."""
        return folder_name(self.sweep.name, self.digest)


def folder_name(name: str, digest: str) -> str:
    """A name and the beginning of the digest: the same sweep, or fit, finds its folder again."""
    return f"{safe_name(name, 'sweep')}_{digest[:DIGEST_SHOWN]}"


def replay_facts() -> dict[str, str]:
    """Versions and facts of the machine that must agree for equal bytes."""
    return manifest.replay_facts(facts())


def make_plan(sweep: Sweep, scenario: Scenario) -> Plan:
    """Check a sweep against its scenario and lay out its runs. Raises FileError or EngineError.

    The scenario is run once as it is, so that a name that does not exist is found now and not in ten thousand rows.
    """
    base = checked_base(scenario, sweep.changes, sweep.parameters, "parameters")
    plan = Plan(sweep, base, points(sweep.design, sweep.parameters))
    Observer(sweep).check(base, trial_run(base))
    scenario_for(base, sweep.parameters, plan.points[0], sweep.keep_on_ground)
    return plan


def checked_base(
    scenario: Scenario, changes: Mapping[str, Any], parameters: Sequence[Parameter], place: str
) -> Scenario:
    """The scenario with the changes for all runs made, every address looked up in it. Raises FileError."""
    try:
        base = with_inputs(scenario, changes.items())
    except FileError as error:
        raise FileError(error.message, place=f"/changes/{error.place}", remedy=error.remedy) from error
    for index, parameter in enumerate(parameters):
        with at_place(f"/{place}/{index}/address", parameter.name):
            checked_nominal(base, parameter)
    return base


def trial_run(scenario: Scenario) -> Recording:
    """The scenario as it is, run. Raises EngineError where it does not complete."""
    recording = judged(scenario, run(scenario))
    if recording.status != COMPLETED:
        raise EngineError(
            f"the scenario as it is does not complete ({recording.status}): {recording.message}"
        )
    return recording


def digest_of(document: Mapping[str, Any], scenario: Scenario, **others: Any) -> str:
    """SHA-256 of everything that rows depend on: what was asked, the scenario, engine, libraries and machine."""
    content = {"asked": document, "scenario": manifest.plain(scenario), "replay": replay_facts(), **others}
    return manifest.sha256_of(json.dumps(content, sort_keys=True, ensure_ascii=True).encode("ascii"))


def scenario_beside(reference: str, path: str | os.PathLike, allow_outside: bool = False) -> Scenario:
    """The scenario that a sweep or evidence file names, relative to its folder. Raises FileError."""
    with in_file(path):
        found = resolve_model(reference, Path(path).parent, allow_outside)
    return scenario_json.read_scenario(found, allow_outside)


def plan_of_file(sweep: Sweep, path: str | os.PathLike, allow_outside: bool = False) -> Plan:
    """The plan of a sweep that was read from a file. Raises FileError or EngineError."""
    scenario = scenario_beside(sweep.scenario, path, allow_outside)
    with in_file(path):
        return make_plan(sweep, scenario)


def write_plan(plan: Plan, out: str | os.PathLike, inputs: Mapping[str, str] | None = None) -> Path:
    """Make the sweep's folder under `out` with all that is needed to run and to repeat it; returns the folder.

    inputs: name of each input file to its digest. A folder that is there already is that of the same sweep.
    """
    folder = Path(out) / plan.folder_name
    if not (folder / FILE_NAME).exists():
        write_scenario_copy(plan.scenario, folder)
        head = {"format": FORMAT, "format_version": FORMAT_VERSION, "digest": plan.digest, "runs": plan.runs}
        content = head | {"inputs": dict(inputs or {}), **facts(), "sweep": document_of(plan.sweep)}
        atomic.write_text(folder / FILE_NAME, layout.compact(content))
    return folder


def write_scenario_copy(scenario: Scenario, folder: Path) -> None:
    """The scenario and its models into a folder, which is made. Raises FileError."""
    try:
        (folder / "models").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        remedy = "Choose another folder"
        raise FileError(f"cannot be made ({error.strerror})", path=folder, remedy=remedy) from error
    used = scenario_with_own_models(scenario)
    for actor in used.actors:
        model_json.write_model(actor.model, folder / actor.model_reference)
    scenario_json.write_scenario(used, folder / SCENARIO_NAME)


def facts() -> dict[str, Any]:
    """What was used to compute."""
    return {"versions": manifest.versions(), "platform": manifest.platform_facts()}


def read_plan(folder: str | os.PathLike) -> tuple[Plan, dict[str, Any]]:
    """The plan of a sweep's folder, and the other content of its file. Raises FileError."""
    path = Path(folder) / FILE_NAME
    content = read_document(path, FORMAT, FORMAT_VERSION)
    with in_file(path):
        stated = {name: require_object(content.get(name), f"/{name}") for name in PARTS}
        document = {k: v for k, v in stated["sweep"].items() if k not in ("format", "format_version")}
        sweep = record_of(Sweep).read(document, "/sweep")
        check_names(sweep)
        scenario = scenario_json.read_scenario(Path(folder) / SCENARIO_NAME)
        return Plan(sweep, scenario, points(sweep.design, sweep.parameters)), content
