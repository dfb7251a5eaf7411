"""One run of a sweep, from the values of its parameters to its row: what every process and cluster worker calls."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..engine.errors import EngineError
from ..engine.recording import Recording
from ..engine.simulate import run
from ..engine.spec import Scenario
from ..io_json.errors import FileError
from .inputs import scenario_for
from .outcomes import Observer, packed, trace
from .spec import Sweep

COMPLETED, DIVERGED, REFUSED, FAILED, LOST = "completed", "diverged", "refused", "failed", "lost"
"""What becomes of a run: done; stopped by the engine; not startable; ended by an error; its process died."""

Item = tuple[int, tuple[float, ...]]
"""Number of a run and the values of its parameters."""


@dataclass(frozen=True)
class Task:
    """What all runs of a sweep share."""

    scenario: Scenario
    sweep: Sweep


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


def run_rows(task: Task, items: Sequence[Item]) -> list[Row]:
    """Run some points of a sweep, one after the other. Nothing that goes wrong in a run gets out of it."""
    observer = Observer(task.sweep)
    return [run_row(task, observer, *item) for item in items]


def run_row(task: Task, observer: Observer, index: int, values: tuple[float, ...]) -> Row:
    """Run one point."""
    try:
        scenario = scenario_of(task, values)
        recording = run(scenario)
        if recording.status != COMPLETED:
            return Row(index, DIVERGED, message=recording.message)
        return _row(task, observer, index, scenario, recording)
    except (EngineError, FileError) as error:
        return Row(index, REFUSED, message=str(error))
    except Exception as error:  # one bad point must not stop ten thousand good ones; the row says what it was
        return Row(index, FAILED, message=f"{type(error).__name__}: {error}")


def scenario_of(task: Task, values: Sequence[float]) -> Scenario:
    """The scenario of a point."""
    return scenario_for(task.scenario, task.sweep.parameters, values, task.sweep.keep_on_ground)


def _row(task: Task, observer: Observer, index: int, scenario: Scenario, recording: Recording) -> Row:
    values = tuple(_plain(value) for value in observer.values(scenario, recording))
    path = packed(trace(recording, task.sweep.traces)) if task.sweep.traces else ""
    return Row(index, COMPLETED, values, path)


def _plain(value: float | bool | str) -> float | bool | str | None:
    return None if isinstance(value, float) and not math.isfinite(value) else value
