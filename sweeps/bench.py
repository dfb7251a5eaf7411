"""One run of a sweep, from the values of its parameters to its row: what every process and cluster worker calls."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..engine.errors import EngineError
from ..engine.recording import Recording
from ..engine.sharing import Shared
from ..engine.simulate import run
from ..engine.spec import Scenario
from ..engine.system import compile_system
from ..io_json.errors import FileError
from .inputs import scenario_for
from .outcomes import packed, trace
from .spec import Parameter, Traces

COMPLETED, DIVERGED, REFUSED, FAILED, LOST = "completed", "diverged", "refused", "failed", "lost"
"""What becomes of a run: done; stopped by the engine; not startable; ended by an error; its process died."""

Item = tuple[int, tuple[float, ...]]
"""Number of a run and the values of its parameters."""


class Watcher(Protocol):
    """What takes the outcomes of runs: `outcomes.Observer`, `fit.targets.Judge`."""

    def values(self, scenario: Scenario, recording: Recording) -> list[float | bool | str]:
        """What is kept of a run."""


@dataclass(frozen=True)
class Task:
    """What all runs of a sweep, or of a fit, share."""

    scenario: Scenario
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
        """For JSON."""
        return [self.index, self.status, list(self.values), self.trace, self.message]

    @staticmethod
    def from_plain(plain: list[Any]) -> Row:
        """The opposite of `plain`."""
        index, status, values, path, message = plain
        return Row(index, status, tuple(values), path, message)


class Bench:
    """Makes the rows of one sweep in one process, and remembers what its runs have in common."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._shared = Shared()

    def rows(self, items: Sequence[Item]) -> list[Row]:
        """Run some points, one after the other. Nothing that goes wrong in a run gets out of it."""
        return [self._run(*item) for item in items]

    def _run(self, index: int, values: tuple[float, ...]) -> Row:
        try:
            scenario = scenario_of(self.task, values)
            recording = run(compile_system(scenario, self._shared.once))
            return self.row(index, scenario, recording)
        except (
            Exception
        ) as error:  # one bad point must not stop ten thousand good ones; the row says what it was
            return failed_row(index, error)

    def row(self, index: int, scenario: Scenario, recording: Recording) -> Row:
        """What is kept of a run that was made."""
        if recording.status != COMPLETED:
            return Row(index, DIVERGED, message=recording.message)
        values = tuple(_plain(value) for value in self.task.observer.values(scenario, recording))
        traces = self.task.traces
        return Row(index, COMPLETED, values, packed(trace(recording, traces)) if traces else "")


def failed_row(index: int, error: Exception) -> Row:
    """The row of a run that could not be made."""
    if isinstance(error, EngineError | FileError):
        return Row(index, REFUSED, message=str(error))
    return Row(index, FAILED, message=f"{type(error).__name__}: {error}")


def run_rows(task: Task, items: Sequence[Item]) -> list[Row]:
    """Rows of some points of a sweep, in a process that knows nothing of it yet."""
    return Bench(task).rows(items)


def scenario_of(task: Task, values: Sequence[float]) -> Scenario:
    """The scenario of a point."""
    return scenario_for(task.scenario, task.parameters, values, task.keep_on_ground)


def _plain(value: float | bool | str) -> float | bool | str | None:
    return None if isinstance(value, float) and not math.isfinite(value) else value
