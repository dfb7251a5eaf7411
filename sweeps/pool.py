"""Runs on this machine: in processes of their own, or in threads of this one.

A process that dies (killed, out of memory, crashed in a library) takes only the run with it that it was making: that is
handed back as lost, the others it was given go to another process, and one new process is started in its place.
Processes end by themselves when the one that started them is killed.
"""

import contextlib
import json
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from ..engine.runs.batch import Outcome, run_many
from ..engine.runs.temporary import TemporaryFolder
from ..engine.spec import Scenario
from ..io_json import exact_copy
from ..jobs import protocol
from ..jobs.child import ProcessLost
from ..jobs.engine import EngineWorker
from ..jobs.worker import Job
from .bench import FAILED, LOST, Bench, Item, Row, Task, failed_row, lean_scenario, timed_out_row

Result = tuple[Item, Row | None]
"""A run with its row, or with None where its process was lost."""
PATIENCE = 0.5
"""s after which an empty list is handed back where nothing is done yet, so that a caller can cancel."""
ATTEMPTS = 2
"""Times that a run whose process was lost is tried alone before it is reported as lost itself."""
IN_HAND = 2
"""Runs given to a process: the one it makes, and the next, so that it need not wait."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.0005, 0.02
"""s between two looks at the processes: short while results come, longer while none does."""
MOST_FAILED_STARTS = 2
"""Processes in a row that end before they are ready; more are not tried."""
GRACE = 30.0
"""s after its time limit until a process that does not stop by itself is ended."""


class Runner(Protocol):
    """Somewhere to run: `pool.InThisProcess`, `pool.Processes`, `cluster.Cluster`."""

    def results(self, items: Iterator[Item]) -> Iterator[list[Result]]:
        """Make runs, handing them back when done, in any order; now and then an empty list."""

    def alone(self, item: Item) -> Row | None:
        """Make one run with nothing else at the same time; None where the process was lost."""

    def close(self) -> None:
        """Stop everything at once."""


def rows_of(runner: Runner, items: Iterator[Item]) -> Iterator[list[Row]]:
    """Rows of all items, as they come; now and then none.

    Runs whose process was lost are tried again at the end, each alone: most were only near. One that kills again is
    reported as lost.
    """
    suspects: list[Item] = []
    for found in runner.results(items):
        suspects += [item for item, row in found if row is None]
        yield [row for _, row in found if row is not None]
    for item in suspects:
        yield [tried_alone(runner, item)]


def tried_alone(runner: Runner, item: Item) -> Row:
    """The row of a run whose process was lost."""
    for _ in range(ATTEMPTS):
        row = runner.alone(item)
        if row is not None:
            return row
    return Row(item[0], LOST, message=f"the process that ran it died, {ATTEMPTS} times when it ran alone")


class InThisProcess:
    """Threads of this process, by the engine's batch: for Blender, scripts and tests. A crash ends all of it."""

    def __init__(self, task: Task, threads: int | None = None) -> None:
        self.bench = Bench(task)
        self.threads = threads

    def results(self, items: Iterator[Item]) -> Iterator[list[Result]]:
        """See `Runner`. Runs come back one by one."""
        started: dict[int, tuple[Item, Scenario]] = {}
        refused: list[Result] = []
        batch = run_many(self._scenarios(items, started, refused), workers=self.threads)
        with contextlib.closing(batch):
            for outcome in batch:
                item, scenario = started.pop(outcome.index)
                yield [(item, self._row(item[0], scenario, outcome))]
                while refused:
                    yield [refused.pop()]
        if refused:
            yield refused

    def _scenarios(
        self, items: Iterator[Item], started: dict[int, tuple[Item, Scenario]], refused: list[Result]
    ) -> Iterator[Scenario]:
        """The scenarios in order; those that cannot be made are left out of the batch."""
        number = 0
        for item in items:
            try:
                scenario = lean_scenario(self.bench.task, item[1])
            except Exception as error:  # the row says what it was
                refused.append((item, failed_row(item[0], error)))
                continue
            started[number] = (item, scenario)
            number += 1
            yield scenario

    def _row(self, index: int, scenario: Scenario, outcome: Outcome) -> Row:
        try:
            if outcome.error is not None:
                return failed_row(index, outcome.error)
            return self.bench.row(index, scenario, outcome.result)
        except Exception as error:  # of a measure
            return failed_row(index, error)

    def alone(self, item: Item) -> Row | None:
        return self.bench.make(item)

    def close(self) -> None:
        """Nothing to stop, as threads end with their runs."""


class Desk:
    """A process and the runs that it was given, in the order in which it makes them."""

    def __init__(self) -> None:
        self.worker = EngineWorker()
        self.given: deque[tuple[Item, Job]] = deque()
        self._since = time.monotonic()

    def give(self, item: Item, task: Path, time_limit: float | None) -> None:
        """One more run. Raises ProcessLost."""
        if not self.given:
            self._since = time.monotonic()
        self.given.append((item, self.worker.run_point(task, *item, time_limit)))

    def finished(self) -> Iterator[Result]:
        """Runs that are done. Raises ProcessLost."""
        while self.given and self.given[0][1].poll():
            item, job = self.given.popleft()
            self._since = time.monotonic()
            yield item, row_of(item, job.end)
        if not self.worker.is_ready:
            self._since = time.monotonic()

    def is_overdue(self, time_limit: float | None) -> bool:
        """Whether the run that it makes should have stopped by itself long ago."""
        is_limited = time_limit is not None and bool(self.given)
        return is_limited and time.monotonic() - self._since > time_limit + GRACE


def row_of(item: Item, end: protocol.PointDone | protocol.Failed) -> Row:
    """The row that a process answered with."""
    if isinstance(end, protocol.PointDone):
        return Row(end.index, end.status, tuple(end.values), end.trace, end.message)
    return Row(item[0], FAILED, message=end.message)


def task_text(task: Task) -> str:
    """A task for another process (`served.read_task`)."""
    parts = {"scenario": task.scenario, type(task.asked).__name__: task.asked}
    return json.dumps({name: exact_copy.to_plain(part) for name, part in parts.items()})


class Processes:
    """A number of processes that stay for the whole sweep."""

    def __init__(self, task: Task, processes: int, time_limit: float | None = None) -> None:
        self.processes, self.time_limit = processes, time_limit
        self._folder = TemporaryFolder()
        self._task = Path(self._folder.name) / "task.json"
        self._task.write_text(task_text(task), encoding="utf-8")
        self._desks: list[Desk] = []
        self._again: deque[Item] = deque()
        self._failed_starts = 0

    def results(self, items: Iterator[Item]) -> Iterator[list[Result]]:
        """See `Runner`. No more items are taken than keep the processes busy. Raises ProcessLost where none starts."""
        pause, reported = SHORTEST_PAUSE, time.monotonic()
        while True:
            self._hand_out(items)
            if not self._again and not any(desk.given for desk in self._desks):
                return
            found = [result for desk in list(self._desks) for result in self._look(desk)]
            if found or time.monotonic() - reported > PATIENCE:
                pause, reported = SHORTEST_PAUSE, time.monotonic()
                yield found
            else:
                time.sleep(pause)
                pause = min(LONGEST_PAUSE, 1.5 * pause)

    def _hand_out(self, items: Iterator[Item]) -> None:
        """Give every process something to do, then something to do next, as far as there is."""
        for count in range(1, IN_HAND + 1):
            for place in range(self.processes):
                if place < len(self._desks) and len(self._desks[place].given) >= count:
                    continue
                item = self._again.popleft() if self._again else next(items, None)
                if item is None:
                    return
                if place >= len(self._desks):
                    self._desks.append(Desk())
                    place = len(self._desks) - 1
                self._give(self._desks[place], item)

    def _give(self, desk: Desk, item: Item) -> None:
        try:
            desk.give(item, self._task, self.time_limit)
        except ProcessLost as error:
            self._again.appendleft(item)
            self._replace(desk, error)

    def _look(self, desk: Desk) -> Iterator[Result]:
        """Runs of a process that are done; where it is lost, the one it was making, without a row."""
        try:
            yield from desk.finished()
            if desk.is_overdue(self.time_limit):
                item, _ = desk.given.popleft()
                yield item, timed_out_row(item[0], self.time_limit)
                self._drop(desk)
        except ProcessLost as error:
            if desk.worker.is_ready:
                item, _ = desk.given.popleft()
                yield item, None
            self._replace(desk, error)

    def _replace(self, desk: Desk, error: ProcessLost) -> None:
        """Do without a process that is lost. Raises ProcessLost where others before it did not even start."""
        self._failed_starts = 0 if desk.worker.is_ready else self._failed_starts + 1
        self._drop(desk)
        if self._failed_starts > MOST_FAILED_STARTS:
            raise error

    def _drop(self, desk: Desk) -> None:
        """End a process; what it has not begun goes to others."""
        self._again.extendleft(item for item, _ in reversed(desk.given))
        self._desks.remove(desk)
        desk.worker.close()

    def alone(self, item: Item) -> Row | None:
        """See `Runner`. In a process that does nothing else, so that only this run can be to blame."""
        self._desks = self._desks or [Desk()]
        desk = self._desks[0]
        try:
            desk.give(item, self._task, self.time_limit)
            while not desk.is_overdue(self.time_limit):
                for _, row in desk.finished():
                    return row
                time.sleep(LONGEST_PAUSE)
            row = timed_out_row(item[0], self.time_limit)
        except ProcessLost:
            row = None
        desk.given.clear()
        self._drop(desk)
        return row

    def close(self) -> None:
        for desk in self._desks:
            desk.worker.close()
        self._desks.clear()
        self._folder.cleanup()
