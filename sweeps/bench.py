"""One run of a sweep, from the values of its parameters to its row: what every process and cluster worker calls."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..analysis.measures.step_resolution import judged, step_warnings
from ..engine.build.system import compile_system
from ..engine.errors import EngineError
from ..engine.runs.recording import COMPLETED, Recording
from ..engine.runs.simulation import run
from ..engine.spec import Scenario
from ..engine.spec.default_sensors import without_sensors
from ..engine.spec.sharing import Shared
from ..io_json.errors import FileError
from .inputs import scenario_for
from .outcomes import packed, trace
from .spec import Parameter, Traces

REFUSED, FAILED, LOST, TIMED_OUT = "refused", "failed", "lost", "timed out"
"""What becomes of a run, besides the statuses of its recording (`Recording.status`, `step_resolution.UNRESOLVED`): not
startable; ended by an error; its process died; took longer than it may."""

Item = tuple[int, tuple[float, ...]]
"""Number of a run and the values of its parameters."""


class Watcher(Protocol):
    """What takes the outcomes of runs: `outcomes.Observer`, `fit.targets.Judge`."""

    @property
    def needs_sensors(self) -> bool:
        """Whether it looks at what sensors measure at every step; without, runs take less time and memory."""

    def values(self, scenario: Scenario, recording: Recording) -> list[float | bool | str]:
        """What is kept of a run."""


@dataclass(frozen=True)
class Task:
    """What all runs of a sweep, or of a fit, share."""

    scenario: Scenario
    asked: Any
    """The sweep, or the evidence: with the scenario enough to make the task again"""
    parameters: Sequence[Parameter]
    observer: Watcher
    keep_on_ground: Sequence[str] = ()
    traces: Traces | None = None


@dataclass(frozen=True)
class Row:
    """What is kept of a run. Equal inputs give equal rows on every process of a platform."""

    index: int
    status: str
    values: tuple[float | bool | str | None, ...] = ()
    """Empty unless completed; None where a number does not exist."""
    trace: str = ""
    message: str = ""

    def plain(self) -> list[Any]:
        """The row as JSON holds it."""
        return [self.index, self.status, list(self.values), self.trace, self.message]

    @staticmethod
    def from_plain(plain: list[Any]) -> Row:
        """The opposite of `plain`."""
        index, status, values, path, message = plain
        return Row(index, status, tuple(values), path, message)


class Bench:
    """Makes the rows of one sweep in one process, and remembers what its runs have in common."""

    def __init__(self, task: Task, time_limit: float | None = None) -> None:
        self.task, self.time_limit = task, time_limit
        self._shared = Shared()

    def make(self, item: Item) -> Row:
        """Run a point. Nothing that goes wrong in a run gets out of it."""
        index, values = item
        end = math.inf if self.time_limit is None else time.monotonic() + self.time_limit
        try:
            scenario = lean_scenario(self.task, values)
            system = compile_system(scenario, self._shared.once)
            recording = run(system, cancel=lambda: time.monotonic() > end)
            if time.monotonic() > end and recording.status == "cancelled":
                return timed_out_row(index, self.time_limit)
            return self.row(index, scenario, recording)
        except (
            Exception
        ) as error:  # one bad point must not stop ten thousand good ones; the row holds the error
            return failed_row(index, error)

    def row(self, index: int, scenario: Scenario, recording: Recording) -> Row:
        """What is kept of a run that was made; of one that cannot be right, why.

        The message of one that completed is the warning that its peaks may be off, where there is one.
        """
        recording = judged(scenario, recording)
        if recording.status != COMPLETED:
            return Row(index, recording.status, message=recording.message)
        values = tuple(_plain(value) for value in self.task.observer.values(scenario, recording))
        traces, warnings = self.task.traces, step_warnings(scenario, recording)
        path = packed(trace(recording, traces)) if traces else ""
        return Row(index, COMPLETED, values, path, "; ".join(warnings))


def failed_row(index: int, error: Exception) -> Row:
    """The row of a run that could not be made."""
    if isinstance(error, EngineError | FileError):
        return Row(index, REFUSED, message=str(error))
    return Row(index, FAILED, message=f"{type(error).__name__}: {error}")


def timed_out_row(index: int, time_limit: float) -> Row:
    """The row of a run that took longer than it may."""
    return Row(index, TIMED_OUT, message=f"it took longer than {time_limit:g} s")


def run_rows(task: Task, items: Sequence[Item], time_limit: float | None = None) -> list[Row]:
    """Rows of some points of a sweep, in a process that knows nothing of it yet."""
    bench = Bench(task, time_limit)
    return [bench.make(item) for item in items]


def scenario_of(task: Task, values: Sequence[float]) -> Scenario:
    """The scenario of a point."""
    return scenario_for(task.scenario, task.parameters, values, task.keep_on_ground)


def lean_scenario(task: Task, values: Sequence[float]) -> Scenario:
    """The scenario of a point for a run of which only the row is kept: with sensors only where it is taken from
    them."""
    scenario = scenario_of(task, values)
    return scenario if task.observer.needs_sensors else without_sensors(scenario)


def _plain(value: float | bool | str) -> float | bool | str | None:
    return None if isinstance(value, float) and not math.isfinite(value) else value
